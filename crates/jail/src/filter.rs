//! The system calls that a jailed program may make, as two seccomp filters.
//!
//! The long one, [`common`], is an allow list: what it does not name does not exist (`ENOSYS`), nor does any call in the numbering of
//! another architecture. The keeper puts it on once, so it has the calls of the keeper, too. The short one, [`program`], is put
//! on for each program and refuses (`EPERM`) what only the keeper needs, and those uses of permitted calls that no program needs. They are two because
//! the kernel runs a new filter for the number of every system call, which for the long one takes longer than the start of a process.
//!
//! The lists are the calls of compilers (gcc, rustc, javac), `CPython`, `PyPy`, Node, Ruby, the JVM and of programs in C, C++ and Rust.
//!
//! A call without a condition costs next to nothing: the kernel knows from the numbers alone that it is allowed.

use std::collections::BTreeMap;
use std::ffi::c_long;
use std::io;

use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::jail::Level;

/// What programs may call.
///
/// Not among them, besides what needs a privilege: `ptrace` and `process_vm_*`, key rings, `bpf`, `perf_event_open`, `userfaultfd`, `io_uring`,
/// `io_setup` (a resource of the whole machine), System V and POSIX message queues, semaphores and shared memory (they outlive a program),
/// `inotify` and `fanotify` (they tell when the opponent opens its interpreter), `sync` and `syncfs` (they write the disks of the whole machine),
/// file handles (they go around the root), NUMA policies, real-time scheduling, and `clone3`: its flags are in memory, where a filter cannot see them, and
/// glibc uses `clone` when it is told `ENOSYS`.
const PROGRAM: &[c_long] = &[
    // Files by descriptor.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_lseek,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_copy_file_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_fcntl,
    libc::SYS_flock,
    libc::SYS_ioctl,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_fallocate,
    libc::SYS_ftruncate,
    libc::SYS_fadvise64,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_fchdir,
    libc::SYS_fchmod,
    libc::SYS_fchown,
    libc::SYS_getdents64,
    libc::SYS_memfd_create,
    // Files by name.
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_fchmodat,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_truncate,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_umask,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // Waiting for descriptors.
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // Sockets.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
    libc::SYS_shutdown,
    // Memory.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_mlockall,
    libc::SYS_munlockall,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_mseal,
    MAP_SHADOW_STACK,
    libc::SYS_membarrier,
    // Processes and threads.
    libc::SYS_clone,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_setpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_prctl,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_restart_syscall,
    // Signals.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sigaltstack,
    // Who one is, and what one may use.
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capget,
    libc::SYS_capset,
    libc::SYS_prlimit64,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getrusage,
    libc::SYS_getpriority,
    libc::SYS_setpriority,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_getattr,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_getcpu,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_personality,
    // Time and chance.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_getrandom,
    // Walls: a program may make its own narrower by Landlock; by seccomp it may not, see `program`.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_seccomp,
];

/// The same on x86-64, under names that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_mknod,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_pause,
    libc::SYS_alarm,
    libc::SYS_time,
];

/// They change what the owner of a file may always change and Landlock does not watch: who may use it, its times, its attributes.
const METADATA: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
];

/// The same, but not even a compiler needs them.
const OWNERSHIP: &[c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

/// What a keeper at [`Level::Full`] calls besides, to make and renew the root of its programs.
const NAMESPACES: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_sethostname,
];

/// What needs a socket that has an address. Without a network namespace, such sockets reach services of the machine.
const ADDRESSED: &[c_long] =
    &[libc::SYS_socket, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4, libc::SYS_connect];

/// The kinds of new namespaces that `clone` makes. A time namespace is made by `clone3` and `unshare` alone.
const NEW_NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Its number is the same on every architecture; `libc` has it for none.
const MAP_SHADOW_STACK: c_long = 453;

/// Source: Linux, `include/uapi/linux/fs.h`: `FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR` and `FS_IOC_ENABLE_VERITY` are for the owner of a file,
/// even through a descriptor that it may only read.
const FILE_FLAGS: [u32; 3] = [0x4008_6602, 0x401c_5820, 0x4080_6685];

/// Source: Linux, `include/uapi/linux/prctl.h`. A program with a core scheduling cookie of its own keeps all others off the second thread
/// of its processor core.
const PR_SCHED_CORE: u32 = 62;

/// Source: Linux, `include/uapi/linux/personality.h`.
const ADDR_NO_RANDOMIZE: u64 = 0x0004_0000;

/// Source: Linux, `include/uapi/linux/memfd.h`.
const MFD_HUGETLB: u32 = 4;

/// Source: Linux, `include/linux/net.h`.
const SOCKET_TYPE: u64 = 0xf;

/// The filter of a keeper and of all its programs. Nothing at [`Level::None`].
///
/// # Errors
/// `Unsupported` on a processor whose system calls seccompiler does not know.
pub fn common(level: Level) -> io::Result<BpfProgram> {
    let keeper = match level {
        Level::None => return Ok(BpfProgram::new()),
        Level::Landlock => [].as_slice(),
        Level::Full => NAMESPACES,
    };
    let mut calls: Vec<c_long> = [PROGRAM, keeper].concat();
    #[cfg(target_arch = "x86_64")]
    calls.extend(OLD);
    let rules = calls.into_iter().map(|call| (call, Vec::new())).collect();
    build(rules, SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow)
}

/// The further filter of a program. Nothing at [`Level::None`].
///
/// # Errors
/// As [`common`].
pub fn program(level: Level) -> io::Result<BpfProgram> {
    let mut refused = Refused::for_every_program();
    match level {
        Level::None => return Ok(BpfProgram::new()),
        Level::Landlock => {
            refused.without_namespaces();
            refused.always(METADATA);
        }
        Level::Full => refused.always(NAMESPACES),
    }
    refused.build()
}

/// The same of a compiler, whose linker makes what it has written executable.
///
/// # Errors
/// As [`common`].
pub fn compiler(level: Level) -> io::Result<BpfProgram> {
    if level != Level::Landlock {
        return program(level);
    }
    let mut refused = Refused::for_every_program();
    refused.without_namespaces();
    refused.build()
}

/// Puts a filter on the calling thread and all that it starts, for ever, with `PR_SET_NO_NEW_PRIVS`. An empty one is none.
///
/// # Errors
/// Those of `prctl` and `seccomp`.
pub fn put_on(filter: &BpfProgram) -> io::Result<()> {
    if filter.is_empty() {
        return Ok(());
    }
    seccompiler::apply_filter(filter).map_err(|error| match error {
        seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
        error => io::Error::other(error),
    })
}

/// Calls that are refused: always, or where one of some rules holds.
struct Refused(BTreeMap<c_long, Vec<Vec<Condition>>>);

/// Which argument, how it is compared, and with what. The lower half is compared: the kernel reads no more of these arguments, and whoever sets a bit of
/// the upper half must not get past.
type Condition = (u8, SeccompCmpOp, u64);

impl Refused {
    fn for_every_program() -> Self {
        let mut refused = Self(BTreeMap::new());
        // The judge binds programs to processors; one that leaves its own takes the opponent's.
        refused.always(&[libc::SYS_seccomp, libc::SYS_sched_setaffinity]);
        for flag in NEW_NAMESPACES {
            refused.flag(libc::SYS_clone, 0, flag as u32);
        }
        // Its child would be a child of the keeper.
        refused.flag(libc::SYS_clone, 0, libc::CLONE_PARENT as u32);
        for request in [libc::TIOCSTI as u32, libc::TIOCLINUX as u32].into_iter().chain(FILE_FLAGS) {
            refused.value(libc::SYS_ioctl, 1, request);
        }
        // Huge pages are not counted as the memory of a control group.
        refused.flag(libc::SYS_mmap, 3, libc::MAP_HUGETLB as u32);
        refused.flag(libc::SYS_memfd_create, 1, MFD_HUGETLB);
        // A lease stops others who open the file, a notification tells of them.
        refused.value(libc::SYS_fcntl, 1, libc::F_SETLEASE as u32);
        refused.value(libc::SYS_fcntl, 1, libc::F_NOTIFY as u32);
        // It takes a file out of memory that the opponent reads, too.
        refused.value(libc::SYS_fadvise64, 3, libc::POSIX_FADV_DONTNEED as u32);
        refused.value(libc::SYS_prctl, 0, libc::PR_SET_SECCOMP as u32);
        refused.value(libc::SYS_prctl, 0, PR_SCHED_CORE);
        // Itself alone, which is process 0 here.
        refused.when(libc::SYS_prlimit64, &[(0, Ne, 0)]);
        refused.when(libc::SYS_setpriority, &[(0, Ne, u64::from(libc::PRIO_PROCESS))]);
        refused.when(libc::SYS_setpriority, &[(1, Ne, 0)]);
        refused.when(libc::SYS_socket, &[(0, Ne, libc::AF_UNIX as u64)]);
        refused.when(libc::SYS_socketpair, &[(0, Ne, libc::AF_UNIX as u64)]);
        // To ask for it, to have the usual one, and to have addresses that are not random, as debuggers want.
        let usual = [0, 0xffff_ffff, ADDR_NO_RANDOMIZE];
        refused.when(libc::SYS_personality, &usual.map(|persona| (0, Ne, persona)));
        for kind in [libc::S_IFCHR, libc::S_IFBLK] {
            let kind = |argument| (argument, MaskedEq(u64::from(libc::S_IFMT)), u64::from(kind));
            #[cfg(target_arch = "x86_64")]
            refused.when(libc::SYS_mknod, &[kind(1)]);
            refused.when(libc::SYS_mknodat, &[kind(2)]);
        }
        refused
    }

    /// Where the machine's own files and sockets can be named.
    fn without_namespaces(&mut self) {
        self.always(ADDRESSED);
        self.always(OWNERSHIP);
        // A pair of sockets for datagrams sends to any address.
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            self.when(libc::SYS_socketpair, &[(1, MaskedEq(SOCKET_TYPE), kind as u64)]);
        }
    }

    fn always(&mut self, calls: &[c_long]) {
        self.0.extend(calls.iter().map(|&call| (call, Vec::new())));
    }

    /// Where this argument has this flag.
    fn flag(&mut self, call: c_long, argument: u8, flag: u32) {
        self.when(call, &[(argument, MaskedEq(u64::from(flag)), u64::from(flag))]);
    }

    /// Where this argument is this.
    fn value(&mut self, call: c_long, argument: u8, value: u32) {
        self.when(call, &[(argument, Eq, u64::from(value))]);
    }

    /// Where all conditions hold.
    fn when(&mut self, call: c_long, conditions: &[Condition]) {
        match self.0.get_mut(&call) {
            // No rules mean that it is always refused.
            Some(rules) if rules.is_empty() => {}
            Some(rules) => rules.push(conditions.to_vec()),
            None => drop(self.0.insert(call, vec![conditions.to_vec()])),
        }
    }

    fn build(self) -> io::Result<BpfProgram> {
        let condition = |(argument, comparison, value): Condition| {
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, comparison, value)
        };
        let rule = |conditions: Vec<Condition>| {
            SeccompRule::new(conditions.into_iter().map(condition).collect::<Result<_, _>>()?)
        };
        let rules = self.0.into_iter().map(|(call, rules)| {
            Ok::<_, seccompiler::BackendError>((call, rules.into_iter().map(rule).collect::<Result<_, _>>()?))
        });
        let rules = rules.collect::<Result<_, _>>().map_err(io::Error::other)?;
        build(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32))
    }
}

fn build(
    rules: BTreeMap<c_long, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> io::Result<BpfProgram> {
    let processor = std::env::consts::ARCH;
    let target = TargetArch::try_from(processor)
        .map_err(|_| io::Error::new(io::ErrorKind::Unsupported, format!("no system call filter for {processor}")))?;
    SeccompFilter::new(rules, otherwise, matched, target).and_then(BpfProgram::try_from).map_err(io::Error::other)
}
