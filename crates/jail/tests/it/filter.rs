//! The filters of system calls, held against the running kernel.
//!
//! A filter applies to the thread that installs it, so each test has its own thread. Every refused call has arguments
//! with which it fails or does nothing without a filter: a hole must not harm whoever runs the tests.

#![allow(unsafe_code)]

use std::ffi::c_long;
use std::io;
use std::thread;

use agon_jail::Level;
use agon_jail::filter;

/// A name, a call, and its arguments.
type Call = (&'static str, c_long, [u64; 5]);

const LEVELS: [Level; 2] = [Level::Landlock, Level::Full];

/// Without `CLONE_SIGHAND` the kernel refuses it as invalid.
const IMPOSSIBLE: u64 = libc::CLONE_THREAD as u64;

static IDLE: libc::sched_param = libc::sched_param { sched_priority: 0 };

/// No descriptor, no process, no such request.
const NONE: u64 = u64::MAX;

const RESET: u64 = libc::SCHED_RESET_ON_FORK as u64;

/// A bit that the kernel does not read.
const UPPER: u64 = 1 << 32;

/// Calls that no program may make at any level.
const NEVER: &[Call] = &[
    ("mount", libc::SYS_mount, [0; 5]),
    ("umount2", libc::SYS_umount2, [0; 5]),
    ("pivot_root", libc::SYS_pivot_root, [0; 5]),
    ("chroot", libc::SYS_chroot, [0; 5]),
    ("open_tree", libc::SYS_open_tree, [NONE, 0, 0, 0, 0]),
    ("move_mount", libc::SYS_move_mount, [NONE, 0, NONE, 0, 0]),
    ("fsopen", libc::SYS_fsopen, [0; 5]),
    ("fsconfig", libc::SYS_fsconfig, [NONE, 0, 0, 0, 0]),
    ("fsmount", libc::SYS_fsmount, [NONE, 0, 0, 0, 0]),
    ("fspick", libc::SYS_fspick, [NONE, 0, 0, 0, 0]),
    ("mount_setattr", libc::SYS_mount_setattr, [NONE, 0, 0, 0, 0]),
    ("unshare", libc::SYS_unshare, [0; 5]),
    ("setns", libc::SYS_setns, [NONE, 0, 0, 0, 0]),
    ("sethostname", libc::SYS_sethostname, [0, NONE, 0, 0, 0]),
    ("setdomainname", libc::SYS_setdomainname, [0, NONE, 0, 0, 0]),
    ("clone3", libc::SYS_clone3, [0; 5]),
    ("clone, parent", libc::SYS_clone, [IMPOSSIBLE | libc::CLONE_PARENT as u64, 0, 0, 0, 0]),
    ("ptrace", libc::SYS_ptrace, [NONE, NONE, 0, 0, 0]),
    ("process_vm_readv", libc::SYS_process_vm_readv, [NONE, 0, 0, 0, 0]),
    ("process_vm_writev", libc::SYS_process_vm_writev, [NONE, 0, 0, 0, 0]),
    ("process_madvise", libc::SYS_process_madvise, [NONE, 0, 0, 0, 0]),
    ("pidfd_getfd", libc::SYS_pidfd_getfd, [NONE, NONE, 0, 0, 0]),
    ("kcmp", libc::SYS_kcmp, [NONE, NONE, 0, 0, 0]),
    ("keyctl", libc::SYS_keyctl, [NONE, 0, 0, 0, 0]),
    ("add_key", libc::SYS_add_key, [0; 5]),
    ("request_key", libc::SYS_request_key, [0; 5]),
    ("bpf", libc::SYS_bpf, [NONE, 0, 0, 0, 0]),
    ("perf_event_open", libc::SYS_perf_event_open, [0, NONE, NONE, NONE, 0]),
    ("userfaultfd", libc::SYS_userfaultfd, [NONE, 0, 0, 0, 0]),
    ("io_uring_setup", libc::SYS_io_uring_setup, [0; 5]),
    ("io_uring_enter", libc::SYS_io_uring_enter, [NONE, 0, 0, 0, 0]),
    ("io_uring_register", libc::SYS_io_uring_register, [NONE, 0, 0, 0, 0]),
    ("io_setup", libc::SYS_io_setup, [0; 5]),
    ("shmget", libc::SYS_shmget, [0; 5]),
    ("semget", libc::SYS_semget, [0, NONE, 0, 0, 0]),
    ("msgget", libc::SYS_msgget, [1, 0, 0, 0, 0]),
    ("mq_open", libc::SYS_mq_open, [0; 5]),
    ("inotify_init1", libc::SYS_inotify_init1, [NONE, 0, 0, 0, 0]),
    ("fanotify_init", libc::SYS_fanotify_init, [NONE, NONE, 0, 0, 0]),
    ("name_to_handle_at", libc::SYS_name_to_handle_at, [NONE, 0, 0, 0, 0]),
    ("open_by_handle_at", libc::SYS_open_by_handle_at, [NONE, 0, 0, 0, 0]),
    ("syncfs", libc::SYS_syncfs, [NONE, 0, 0, 0, 0]),
    ("quotactl", libc::SYS_quotactl, [NONE, 0, 0, 0, 0]),
    ("swapon", libc::SYS_swapon, [0; 5]),
    ("swapoff", libc::SYS_swapoff, [0; 5]),
    ("reboot", libc::SYS_reboot, [0; 5]),
    ("syslog", libc::SYS_syslog, [NONE, 0, 0, 0, 0]),
    ("acct", libc::SYS_acct, [1, 0, 0, 0, 0]),
    ("init_module", libc::SYS_init_module, [0; 5]),
    ("finit_module", libc::SYS_finit_module, [NONE, 0, 0, 0, 0]),
    ("delete_module", libc::SYS_delete_module, [0; 5]),
    ("kexec_load", libc::SYS_kexec_load, [0, NONE, 0, NONE, 0]),
    ("clock_settime", libc::SYS_clock_settime, [NONE, 0, 0, 0, 0]),
    ("settimeofday", libc::SYS_settimeofday, [1, 0, 0, 0, 0]),
    ("adjtimex", libc::SYS_adjtimex, [0; 5]),
    ("sched_setscheduler, fifo", libc::SYS_sched_setscheduler, [NONE, libc::SCHED_FIFO as u64, 0, 0, 0]),
    ("sched_setscheduler, rr", libc::SYS_sched_setscheduler, [NONE, libc::SCHED_RR as u64, 0, 0, 0]),
    ("sched_setscheduler, rr later", libc::SYS_sched_setscheduler, [NONE, RESET | libc::SCHED_RR as u64, 0, 0, 0]),
    ("sched_setscheduler, deadline", libc::SYS_sched_setscheduler, [NONE, libc::SCHED_DEADLINE as u64, 0, 0, 0]),
    ("sched_setscheduler, idle for others", libc::SYS_sched_setscheduler, [1, libc::SCHED_IDLE as u64, 0, 0, 0]),
    ("sched_setscheduler in disguise", libc::SYS_sched_setscheduler, [NONE, UPPER | 1, 0, 0, 0]),
    ("sched_setattr", libc::SYS_sched_setattr, [NONE, 0, 0, 0, 0]),
    ("ioprio_set", libc::SYS_ioprio_set, [NONE, 0, 0, 0, 0]),
    ("mbind", libc::SYS_mbind, [1, 0, 0, 0, 0]),
    ("move_pages", libc::SYS_move_pages, [NONE, 0, 0, 0, 0]),
    ("migrate_pages", libc::SYS_migrate_pages, [NONE, 0, 0, 0, 0]),
    ("vmsplice", libc::SYS_vmsplice, [NONE, 0, 0, 0, 0]),
    ("memfd_secret", libc::SYS_memfd_secret, [NONE, 0, 0, 0, 0]),
    ("seccomp", libc::SYS_seccomp, [NONE, 0, 0, 0, 0]),
    ("prctl, seccomp", libc::SYS_prctl, [libc::PR_SET_SECCOMP as u64, NONE, 0, 0, 0]),
    ("prctl, core scheduling", libc::SYS_prctl, [62, NONE, 0, 0, 0]),
    ("personality", libc::SYS_personality, [UPPER | 0xff, 0, 0, 0, 0]),
    ("ioctl, TIOCSTI", libc::SYS_ioctl, [NONE, libc::TIOCSTI, 0, 0, 0]),
    ("ioctl, TIOCSTI in disguise", libc::SYS_ioctl, [NONE, UPPER | libc::TIOCSTI, 0, 0, 0]),
    ("ioctl, TIOCLINUX", libc::SYS_ioctl, [NONE, libc::TIOCLINUX, 0, 0, 0]),
    ("ioctl, flags of a file", libc::SYS_ioctl, [NONE, 0x4008_6602, 0, 0, 0]),
    ("fcntl, lease", libc::SYS_fcntl, [NONE, libc::F_SETLEASE as u64, 0, 0, 0]),
    ("fcntl, notification", libc::SYS_fcntl, [NONE, libc::F_NOTIFY as u64, 0, 0, 0]),
    ("fadvise64, away", libc::SYS_fadvise64, [NONE, 0, 0, libc::POSIX_FADV_DONTNEED as u64, 0]),
    ("mmap, huge", libc::SYS_mmap, [0, 0, 0, libc::MAP_HUGETLB as u64, NONE]),
    ("memfd_create, huge", libc::SYS_memfd_create, [0, 4, 0, 0, 0]),
    ("mknodat, device", libc::SYS_mknodat, [NONE, 0, libc::S_IFCHR as u64, 0, 0]),
    ("mknodat, disk", libc::SYS_mknodat, [NONE, 0, libc::S_IFBLK as u64, 0, 0]),
    ("prlimit64 of another", libc::SYS_prlimit64, [NONE, 0, 0, 0, 0]),
    ("setpriority of another", libc::SYS_setpriority, [0, NONE, 0, 0, 0]),
    ("setpriority of a user", libc::SYS_setpriority, [2, NONE - 1, 0, 0, 0]),
    ("a pair of other sockets", libc::SYS_socketpair, [libc::AF_TIPC as u64, 0, 0, 0, 0]),
];

/// The same, with the arguments that cause the refusal.
fn refused_everywhere() -> Vec<Call> {
    let mut calls = NEVER.to_vec();
    for (name, flag) in [
        ("a new mount namespace", libc::CLONE_NEWNS),
        ("a new cgroup namespace", libc::CLONE_NEWCGROUP),
        ("a new uts namespace", libc::CLONE_NEWUTS),
        ("a new ipc namespace", libc::CLONE_NEWIPC),
        ("a new user namespace", libc::CLONE_NEWUSER),
        ("a new pid namespace", libc::CLONE_NEWPID),
        ("a new net namespace", libc::CLONE_NEWNET),
    ] {
        calls.push((name, libc::SYS_clone, [IMPOSSIBLE | flag as u64, 0, 0, 0, 0]));
        calls.push((name, libc::SYS_clone, [UPPER | IMPOSSIBLE | flag as u64, 0, 0, 0, 0]));
    }
    for (name, family) in [
        ("socket, inet", libc::AF_INET),
        ("socket, inet6", libc::AF_INET6),
        ("socket, netlink", libc::AF_NETLINK),
        ("socket, packet", libc::AF_PACKET),
        ("socket, vsock", libc::AF_VSOCK),
        ("socket, alg", libc::AF_ALG),
        ("socket, bluetooth", libc::AF_BLUETOOTH),
    ] {
        calls.push((name, libc::SYS_socket, [family as u64, 0xff, 0, 0, 0]));
        calls.push((name, libc::SYS_socket, [UPPER | family as u64, 0xff, 0, 0, 0]));
    }
    calls
}

/// Calls that a program may make at [`Level::Full`], where names refer to its own root, but not at [`Level::Landlock`].
fn refused_without_namespaces() -> Vec<Call> {
    vec![
        ("socket", libc::SYS_socket, [libc::AF_UNIX as u64, 0xff, 0, 0, 0]),
        ("bind", libc::SYS_bind, [NONE, 0, 0, 0, 0]),
        ("listen", libc::SYS_listen, [NONE, 0, 0, 0, 0]),
        ("accept4", libc::SYS_accept4, [NONE, 0, 0, 0, 0]),
        ("connect", libc::SYS_connect, [NONE, 0, 0, 0, 0]),
        ("datagrams", libc::SYS_socketpair, [libc::AF_UNIX as u64, libc::SOCK_DGRAM as u64, NONE, 0, 0]),
        ("raw datagrams", libc::SYS_socketpair, [libc::AF_UNIX as u64, libc::SOCK_RAW as u64, NONE, 0, 0]),
        ("fchown", libc::SYS_fchown, [NONE, 0, 0, 0, 0]),
        ("fchownat", libc::SYS_fchownat, [NONE, 0, 0, 0, 0]),
        ("setxattr", libc::SYS_setxattr, [0; 5]),
        ("lsetxattr", libc::SYS_lsetxattr, [0; 5]),
        ("fsetxattr", libc::SYS_fsetxattr, [NONE, 0, 0, 0, 0]),
        ("removexattr", libc::SYS_removexattr, [0; 5]),
        ("lremovexattr", libc::SYS_lremovexattr, [0; 5]),
        ("fremovexattr", libc::SYS_fremovexattr, [NONE, 0, 0, 0, 0]),
    ]
}

/// Additional calls that a compiler may make at [`Level::Landlock`].
fn refused_where_nothing_is_kept() -> Vec<Call> {
    vec![
        ("fchmod", libc::SYS_fchmod, [NONE, 0, 0, 0, 0]),
        ("fchmodat", libc::SYS_fchmodat, [NONE, 0, 0, 0, 0]),
        ("utimensat", libc::SYS_utimensat, [NONE, 1, 0, 0, 0]),
        #[cfg(target_arch = "x86_64")]
        ("chmod", libc::SYS_chmod, [0; 5]),
        #[cfg(target_arch = "x86_64")]
        ("utime", libc::SYS_utime, [0; 5]),
        #[cfg(target_arch = "x86_64")]
        ("utimes", libc::SYS_utimes, [0; 5]),
        #[cfg(target_arch = "x86_64")]
        ("futimesat", libc::SYS_futimesat, [NONE, 1, 0, 0, 0]),
    ]
}

/// Uses that look like refused ones, and are needed.
fn permitted() -> Vec<Call> {
    vec![
        ("clone", libc::SYS_clone, [IMPOSSIBLE, 0, 0, 0, 0]),
        ("ioctl, terminal?", libc::SYS_ioctl, [NONE, libc::TCGETS, 0, 0, 0]),
        ("fcntl", libc::SYS_fcntl, [NONE, libc::F_GETFL as u64, 0, 0, 0]),
        ("fadvise64", libc::SYS_fadvise64, [NONE, 0, 0, libc::POSIX_FADV_SEQUENTIAL as u64, 0]),
        ("mmap", libc::SYS_mmap, [0; 5]),
        ("memfd_create", libc::SYS_memfd_create, [0, 1, 0, 0, 0]),
        ("mknodat, pipe", libc::SYS_mknodat, [NONE, 1, u64::from(libc::S_IFIFO), 0, 0]),
        ("prctl, name", libc::SYS_prctl, [libc::PR_GET_NAME as u64, 1, 0, 0, 0]),
        ("personality?", libc::SYS_personality, [0xffff_ffff, 0, 0, 0, 0]),
        ("prlimit64 of itself", libc::SYS_prlimit64, [0, NONE, 0, 0, 0]),
        ("setpriority of itself", libc::SYS_setpriority, [0, 0, 19, 0, 0]),
        ("kill", libc::SYS_kill, [0, NONE, 0, 0, 0]),
        ("tgkill", libc::SYS_tgkill, [NONE, NONE, 0, 0, 0]),
        ("pidfd_open", libc::SYS_pidfd_open, [NONE, 0, 0, 0, 0]),
        ("socketpair", libc::SYS_socketpair, [libc::AF_UNIX as u64, libc::SOCK_STREAM as u64, NONE, 0, 0]),
        ("recvmsg", libc::SYS_recvmsg, [NONE, 0, 0, 0, 0]),
        ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset, [1, 0, 0, 0, 0]),
        ("execveat", libc::SYS_execveat, [NONE, 0, 0, 0, 0]),
        ("membarrier", libc::SYS_membarrier, [NONE, 0, 0, 0, 0]),
        ("mincore", libc::SYS_mincore, [1, 0, 0, 0, 0]),
    ]
}

/// Runtimes' scheduler calls about themselves, with their answers: 0 or an error. For a process number without a
/// process, the kernel's own answer would differ.
fn answered() -> Vec<(Call, i32)> {
    let affinity = |name, arguments| (name, libc::SYS_sched_setaffinity, arguments);
    let scheduler = |name, policy| (name, libc::SYS_sched_setscheduler, [0, policy, 1, 0, 0]);
    let usual = libc::SCHED_OTHER as u64;
    vec![
        (affinity("sched_setaffinity of itself", [0, 8, 1, 0, 0]), 0),
        (affinity("sched_setaffinity of a thread", [NONE, 128, 1, 0, 0]), 0),
        (affinity("sched_setaffinity without a mask", [0, 128, 0, 0, 0]), libc::EFAULT),
        (scheduler("sched_setscheduler, other", usual), 0),
        (("sched_setscheduler of a thread", libc::SYS_sched_setscheduler, [NONE, usual, 1, 0, 0]), 0),
        (scheduler("sched_setscheduler, batch", libc::SCHED_BATCH as u64), 0),
        (scheduler("sched_setscheduler, idle", libc::SCHED_IDLE as u64), 0),
        (scheduler("sched_setscheduler, other later", RESET | usual), 0),
        (("sched_setparam", libc::SYS_sched_setparam, [NONE, 1, 0, 0, 0]), 0),
    ]
}

/// How each call ends in a thread with these filters: 0, or an error number.
fn ends(filters: impl Fn() -> io::Result<()> + Send + 'static, calls: Vec<Call>) -> Vec<(&'static str, i32)> {
    let thread = thread::spawn(move || {
        filters().unwrap();
        calls
            .into_iter()
            .map(|(name, call, [a, b, c, d, e])| {
                // SAFETY: no call of these lists is given memory of this process.
                let result = unsafe { libc::syscall(call, a, b, c, d, e) };
                (name, if result == -1 { io::Error::last_os_error().raw_os_error().unwrap() } else { 0 })
            })
            .collect()
    });
    thread.join().unwrap()
}

fn of_a_program(level: Level) -> impl Fn() -> io::Result<()> + Send + 'static {
    move || {
        filter::put_on(&filter::common(level)?)?;
        filter::put_on(&filter::program(level)?)
    }
}

fn of_a_compiler(level: Level) -> impl Fn() -> io::Result<()> + Send + 'static {
    move || {
        filter::put_on(&filter::common(level)?)?;
        filter::put_on(&filter::compiler(level)?)
    }
}

#[track_caller]
fn check(ends: Vec<(&'static str, i32)>, refused: bool, who: &str) {
    assert!(!ends.is_empty());
    for (name, error) in ends {
        assert_eq!([libc::EPERM, libc::ENOSYS].contains(&error), refused, "{name}, {who}: error {error}");
    }
}

#[test]
fn what_no_program_needs_is_refused_at_every_level() {
    for level in LEVELS {
        check(ends(of_a_program(level), refused_everywhere()), true, level.name());
        check(ends(of_a_compiler(level), refused_everywhere()), true, level.name());
    }
}

#[test]
fn what_runtimes_ask_of_the_scheduler_is_answered_and_not_done() {
    for level in LEVELS {
        let expected: Vec<(&str, i32)> = answered().iter().map(|((name, ..), error)| (*name, *error)).collect();
        let calls = || answered().into_iter().map(|(call, _)| call).collect();
        assert_eq!(ends(of_a_program(level), calls()), expected, "{level}");
        assert_eq!(ends(of_a_compiler(level), calls()), expected, "{level}, compiler");
    }
    for level in LEVELS {
        let filters = of_a_program(level);
        let kept = thread::spawn(move || {
            filters().unwrap();
            let before = rustix::thread::sched_getaffinity(None).unwrap();
            let mut none = rustix::thread::CpuSet::new();
            none.set(rustix::thread::CpuSet::MAX_CPU - 1);
            rustix::thread::sched_setaffinity(None, &none).unwrap();
            // SAFETY: the parameters outlive the call.
            let idle = unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const IDLE) };
            // SAFETY: no pointers.
            let policy = unsafe { libc::sched_getscheduler(0) };
            (rustix::thread::sched_getaffinity(None).unwrap() == before, idle, policy == libc::SCHED_IDLE)
        });
        assert_eq!(kept.join().unwrap(), (true, 0, false), "{level}");
    }
}

#[test]
fn what_programs_need_is_permitted_at_every_level() {
    for level in LEVELS {
        check(ends(of_a_program(level), permitted()), false, level.name());
        check(ends(of_a_compiler(level), permitted()), false, level.name());
    }
}

#[test]
fn what_the_machine_would_notice_is_refused_without_namespaces_alone() {
    check(ends(of_a_program(Level::Landlock), refused_without_namespaces()), true, "landlock");
    check(ends(of_a_compiler(Level::Landlock), refused_without_namespaces()), true, "landlock, compiler");
    check(ends(of_a_program(Level::Full), refused_without_namespaces()), false, "full");
}

#[test]
fn a_compiler_may_make_its_output_executable() {
    check(ends(of_a_program(Level::Landlock), refused_where_nothing_is_kept()), true, "landlock");
    check(ends(of_a_compiler(Level::Landlock), refused_where_nothing_is_kept()), false, "landlock, compiler");
    check(ends(of_a_program(Level::Full), refused_where_nothing_is_kept()), false, "full");
}

#[test]
fn a_keeper_may_do_what_its_programs_may_not() {
    let calls = || {
        let affinity = ("sched_setaffinity", libc::SYS_sched_setaffinity, [0; 5]);
        refused_everywhere().into_iter().filter(|(name, ..)| *name == "seccomp").chain([affinity])
    };
    for level in LEVELS {
        let filters = move || filter::put_on(&filter::common(level)?);
        check(
            ends(filters, calls().chain(permitted()).chain(refused_where_nothing_is_kept()).collect()),
            false,
            level.name(),
        );
    }
}

#[test]
fn the_calls_of_another_numbering_do_not_exist() {
    // x32: the numbers of x86-64 with one more bit. The first is `getpid`, which both levels permit.
    #[cfg(target_arch = "x86_64")]
    for level in LEVELS {
        let calls = vec![("getpid", libc::SYS_getpid | 0x4000_0000, [0; 5]), ("mount", 0x4000_00a5, [0; 5])];
        check(ends(of_a_program(level), calls), true, level.name());
    }
    for level in LEVELS {
        assert_eq!(ends(of_a_program(level), vec![("none", 100_000, [0; 5])]), [("none", libc::ENOSYS)]);
    }
}

#[test]
fn without_a_jail_there_is_no_filter() {
    for filter in [filter::common(Level::None), filter::program(Level::None), filter::compiler(Level::None)] {
        assert!(filter.unwrap().is_empty());
    }
    let unfiltered = ends(of_a_program(Level::None), vec![("clone3", libc::SYS_clone3, [0; 5])]);
    assert_eq!(unfiltered, [("clone3", libc::EINVAL)]);
}

/// What is compiled and run for the number of every system call, at each start, must be short.
#[test]
fn the_filter_of_each_program_is_short() {
    for level in LEVELS {
        let (common, program) = (filter::common(level).unwrap().len(), filter::program(level).unwrap().len());
        assert!(program < 140, "{program} instructions at {level}, and {common} once");
    }
}
