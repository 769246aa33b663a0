//! The system calls available to a jailed program, as two seccomp filters.
//!
//! The long one, [`common`], is an allow list: calls that it does not name do not exist (`ENOSYS`), nor do any calls in
//! the numbering of another architecture. The keeper installs it once its root is ready. The short one, [`program`], is
//! installed for each program and refuses (`EPERM`) what only the keeper needs; where a refusal would end a runtime
//! that asks for what it already has, it answers in the kernel's place and nothing happens. There are two because the
//! kernel compiles a filter and evaluates it for every system call number when it is installed, which for the long one
//! takes longer than starting a process.
//!
//! The list contains the calls of compilers (gcc, rustc, javac), `CPython`, `PyPy`, Node, Ruby, the JVM and programs in
//! C, C++ and Rust.
//!
//! A call that is allowed whatever its arguments costs next to nothing: the kernel caches this.

use std::collections::BTreeMap;
use std::ffi::c_long;
use std::io;

use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

use super::jail::Level;

/// Calls allowed to programs.
///
/// Not among them, besides privileged calls: `ptrace` and `process_vm_*`, key rings, `bpf`, `perf_event_open`,
/// `userfaultfd`, `io_uring`, `io_setup` (a resource of the whole machine), System V and POSIX message queues,
/// semaphores and shared memory (they outlive a program), `inotify` and `fanotify` (they show when the opponent opens
/// its interpreter), `sync` and `syncfs` (they write the disks of the whole machine), file handles (they bypass the
/// root), NUMA policies, scheduling, and `clone3`: its flags are in memory, where a filter cannot see them, and glibc
/// uses `clone` after `ENOSYS`.
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
    // Identity and limits.
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
    // Walls: a program may restrict itself further with Landlock, but only its keeper with seccomp.
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

/// Calls that change what a file's owner can always change and Landlock does not control: permissions and times.
/// Linkers make their output executable.
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

/// The same for owners and attributes. Not even compilers need them.
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

/// Calls that need a socket with an address. Without a network namespace, such sockets reach services of the machine.
const ADDRESSED: &[c_long] =
    &[libc::SYS_socket, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4, libc::SYS_connect];

/// Flags of `clone` that no program needs: new namespaces, and a child of the keeper. Time namespaces are created only
/// by `clone3` and `unshare`.
const CLONE_REFUSED: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT;

/// Its number is the same on every architecture; `libc` defines it for none.
const MAP_SHADOW_STACK: c_long = 453;

/// Source: Linux, `include/uapi/linux/fs.h`: `FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR` and `FS_IOC_ENABLE_VERITY` are for
/// the owner of a file, even through a read-only descriptor.
const FILE_FLAGS: [u64; 3] = [0x4008_6602, 0x401c_5820, 0x4080_6685];

/// Source: Linux, `include/uapi/linux/prctl.h`. A program with its own core scheduling cookie keeps all others off the
/// second thread of its processor core.
const PR_SCHED_CORE: u64 = 62;

const ADDR_NO_RANDOMIZE: u64 = 0x0004_0000;

const MFD_HUGETLB: u64 = 4;

const SOCKET_TYPE: u64 = 0xf;

/// `BPF_LD | BPF_W | BPF_ABS`, `BPF_JMP | BPF_JGE | BPF_K` and `BPF_JMP | BPF_JA`. Source: Linux,
/// `include/uapi/linux/bpf_common.h`.
const LOAD: u16 = 0x20;
const JUMP_IF_GREATER_OR_EQUAL: u16 = 0x35;
const JUMP: u16 = 0x05;

/// Offset of the number of the call. Source: Linux, `include/uapi/linux/seccomp.h`.
const NUMBER: u32 = 0;

/// Number of calls that are searched linearly.
const BLOCK: usize = 24;

/// The filter of a keeper and of all its programs. Nothing at [`Level::None`].
///
/// # Errors
/// `Unsupported` on a processor whose system calls seccompiler does not know.
pub fn common(level: Level) -> io::Result<BpfProgram> {
    let missing = match level {
        Level::None => return Ok(BpfProgram::new()),
        Level::Landlock => [ADDRESSED, OWNERSHIP].concat(),
        Level::Full => Vec::new(),
    };
    let mut calls = Calls::new(SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS as u32));
    calls.always(PROGRAM);
    #[cfg(target_arch = "x86_64")]
    calls.always(OLD);
    for call in missing {
        calls.named.remove(&call);
    }
    calls.restrict(level);
    calls.build()
}

/// The further filter of a program. Nothing at [`Level::None`].
///
/// # Errors
/// See [`common`].
pub fn program(level: Level) -> io::Result<BpfProgram> {
    let mut refused = Calls::of_the_keeper(level);
    match level {
        Level::None => return Ok(BpfProgram::new()),
        Level::Landlock => refused.always(METADATA),
        Level::Full => {}
    }
    refused.build()
}

/// The same for a compiler, whose linker makes its output executable.
///
/// # Errors
/// See [`common`].
pub fn compiler(level: Level) -> io::Result<BpfProgram> {
    match level {
        Level::None => Ok(BpfProgram::new()),
        _ => Calls::of_the_keeper(level).build(),
    }
}

/// Installs a filter on the calling thread and everything it starts, permanently, with `PR_SET_NO_NEW_PRIVS`. An empty
/// filter has no effect.
///
/// # Errors
/// The errors of `prctl` and `seccomp`.
pub fn put_on(filter: &BpfProgram) -> io::Result<()> {
    if filter.is_empty() {
        return Ok(());
    }
    seccompiler::apply_filter(filter).map_err(|error| match error {
        seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
        error => io::Error::other(error),
    })
}

/// Actions of a filter for calls, and for those that it does not name.
struct Calls {
    named: BTreeMap<c_long, Call>,
    /// With calls that it names, unless they have an action of their own.
    these: SeccompAction,
    others: SeccompAction,
}

/// Action for a call: one if all conditions of one of the rules hold, or if there are no rules, and another otherwise.
struct Call {
    rules: Vec<Vec<Condition>>,
    then: SeccompAction,
    otherwise: SeccompAction,
}

/// Argument, comparison, and value. The lower half is compared: the kernel reads no more of these arguments, and a bit
/// of the upper half must not make a difference.
type Condition = (u8, SeccompCmpOp, u64);

/// Consecutive calls, the action for them, and the action for all others from the first number on.
struct Block {
    first: c_long,
    calls: BTreeMap<c_long, Vec<Vec<Condition>>>,
    then: SeccompAction,
    otherwise: SeccompAction,
}

impl Calls {
    const fn new(these: SeccompAction, others: SeccompAction) -> Self {
        Self { named: BTreeMap::new(), these, others }
    }

    /// Calls that only a keeper may still make. A program that asks for a socket of another family gets the usual
    /// error, `EPERM`.
    fn of_the_keeper(level: Level) -> Self {
        let mut calls = Self::new(SeccompAction::Errno(libc::EPERM as u32), SeccompAction::Allow);
        // If the kernel groups processes by session, each new session gets its own share of the processors, whatever
        // its priority.
        calls.always(&[libc::SYS_seccomp, libc::SYS_setsid]);
        calls.answer_schedulers();
        match level {
            Level::Landlock => calls.always(&[libc::SYS_socket]),
            _ => calls.when(libc::SYS_socket, [[(0, Ne, libc::AF_UNIX as u64)]]),
        }
        calls
    }

    /// Answers runtimes' scheduler calls about themselves as the kernel would, without effect: .NET, Mono and `OpenMP`
    /// give up after a refusal, although they ask for what they have.
    ///
    /// The judge binds programs to processors; one that leaves its own takes the opponent's. And it lowers the priority
    /// of a program that is in the way of its opponent.
    fn answer_schedulers(&mut self) {
        let (answered, refused) = (SeccompAction::Errno(0), |error| SeccompAction::Errno(error as u32));
        // Runtimes ask without a mask to see whether the call exists.
        let mask = vec![vec![(2, Ne, 0)]];
        let call = Call { rules: mask, then: answered.clone(), otherwise: refused(libc::EFAULT) };
        self.named.insert(libc::SYS_sched_setaffinity, call);
        let policy = MaskedEq(u64::from(!libc::SCHED_RESET_ON_FORK as u32));
        // Mono names its threads. A background policy may be set only for the thread itself: for others it would be an
        // attack.
        let usual = vec![(1, policy.clone(), libc::SCHED_OTHER as u64)];
        let behind = [libc::SCHED_BATCH, libc::SCHED_IDLE].map(|it| vec![(0, Eq, 0), (1, policy.clone(), it as u64)]);
        let rules = [usual].into_iter().chain(behind).collect();
        let call = Call { rules, then: answered.clone(), otherwise: refused(libc::EPERM) };
        self.named.insert(libc::SYS_sched_setscheduler, call);
        // For a program, which has no real-time priority, only priority 0 is legal.
        let call = Call { rules: Vec::new(), then: answered, otherwise: self.others.clone() };
        self.named.insert(libc::SYS_sched_setparam, call);
    }

    /// Leaves those uses of calls that programs need.
    fn restrict(&mut self, level: Level) {
        self.when(libc::SYS_clone, [[without(0, CLONE_REFUSED as u64)]]);
        // Huge pages are not counted as the memory of a control group.
        self.when(libc::SYS_mmap, [[without(3, libc::MAP_HUGETLB as u64)]]);
        self.when(libc::SYS_memfd_create, [[without(1, MFD_HUGETLB)]]);
        let requests = [libc::TIOCSTI, libc::TIOCLINUX].into_iter().chain(FILE_FLAGS);
        self.when(libc::SYS_ioctl, [requests.map(|request| (1, Ne, request)).collect::<Vec<_>>()]);
        // A lease blocks others who open the file, a notification reports them.
        self.when(libc::SYS_fcntl, [[libc::F_SETLEASE, libc::F_NOTIFY].map(|command| (1, Ne, command as u64))]);
        // It evicts a file from memory that the opponent reads as well.
        self.when(libc::SYS_fadvise64, [[(3, Ne, libc::POSIX_FADV_DONTNEED as u64)]]);
        self.when(libc::SYS_prctl, [[libc::PR_SET_SECCOMP as u64, PR_SCHED_CORE].map(|option| (0, Ne, option))]);
        // Only itself, which is process 0 here.
        self.when(libc::SYS_prlimit64, [[(0, Eq, 0)]]);
        self.when(libc::SYS_setpriority, [[(0, Eq, u64::from(libc::PRIO_PROCESS)), (1, Eq, 0)]]);
        // To query it, to have the usual one, and to disable address randomisation, as debuggers want.
        self.when(libc::SYS_personality, [0xffff_ffff, 0, ADDR_NO_RANDOMIZE].map(|persona| [(0, Eq, persona)]));
        // No devices. A kind of 0 is a regular file.
        let kinds = [0, libc::S_IFREG, libc::S_IFIFO, libc::S_IFSOCK];
        let of_kind = |argument| kinds.map(|kind| [(argument, MaskedEq(u64::from(libc::S_IFMT)), u64::from(kind))]);
        #[cfg(target_arch = "x86_64")]
        self.when(libc::SYS_mknod, of_kind(1));
        self.when(libc::SYS_mknodat, of_kind(2));
        let local = (0, Eq, libc::AF_UNIX as u64);
        if level == Level::Landlock {
            // A pair of sockets for datagrams sends to any address.
            let kinds = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
            let kinds = kinds.map(|kind| [local.clone(), (1, MaskedEq(SOCKET_TYPE), kind as u64)]);
            self.when(libc::SYS_socketpair, kinds);
        } else {
            self.when(libc::SYS_socketpair, [[local]]);
        }
    }

    fn always(&mut self, calls: &[c_long]) {
        for &call in calls {
            self.when(call, [[]; 0] as [[Condition; 0]; 0]);
        }
    }

    /// Allows a call if all conditions of one of these rules hold.
    fn when(&mut self, call: c_long, rules: impl IntoIterator<Item = impl Into<Vec<Condition>>>) {
        let rules = rules.into_iter().map(Into::into).collect();
        self.named.insert(call, Call { rules, then: self.these.clone(), otherwise: self.others.clone() });
    }

    /// The filter.
    ///
    /// seccompiler compares the number of a call with one after the other, which the kernel does for every number there
    /// is when the filter is put on. So the filter is a row of filters, each for the numbers from its first call to the
    /// next one's.
    fn build(self) -> io::Result<BpfProgram> {
        let processor = std::env::consts::ARCH;
        let target = TargetArch::try_from(processor)
            .map_err(|_| io::Error::new(io::ErrorKind::Unsupported, format!("no filter for {processor}")))?;
        let blocks = self.blocks();
        let firsts: Vec<c_long> = blocks.iter().map(|block| block.first).collect();
        let jump = |code, jf, k| sock_filter { code, jt: 0, jf, k };
        let mut filter = vec![jump(LOAD, 0, NUMBER)];
        for (index, block) in blocks.into_iter().enumerate() {
            let rules = block.calls.into_iter().map(|(call, rules)| {
                let rules = rules.iter().map(|rule| compile(rule)).collect::<Result<Vec<_>, _>>()?;
                Ok::<_, seccompiler::BackendError>((call, rules))
            });
            let part = rules
                .collect::<Result<BTreeMap<_, _>, _>>()
                .and_then(|rules| SeccompFilter::new(rules, block.otherwise, block.then, target))
                .and_then(BpfProgram::try_from)
                .map_err(io::Error::other)?;
            if let Some(&next) = firsts.get(index + 1) {
                filter.push(jump(JUMP_IF_GREATER_OR_EQUAL, 1, next as u32));
                filter.push(jump(JUMP, 0, part.len() as u32));
            }
            filter.extend(part);
        }
        Ok(filter)
    }

    /// Calls of one action each, those with another one elsewhere by themselves.
    fn blocks(self) -> Vec<Block> {
        let Self { named, these, others } = self;
        let mut blocks: Vec<Block> = Vec::new();
        for (number, Call { rules, then, otherwise }) in named {
            // A single call ends before the next number.
            let end = blocks.last().filter(|block| block.otherwise != others).map(|block| block.first + 1);
            if let Some(first) = end.filter(|&first| first != number) {
                let (then, otherwise) = (these.clone(), others.clone());
                blocks.push(Block { first, calls: BTreeMap::new(), then, otherwise });
            }
            match blocks.last_mut() {
                Some(block)
                    if block.then == then
                        && block.otherwise == otherwise
                        && otherwise == others
                        && block.calls.len() < BLOCK =>
                {
                    block.calls.insert(number, rules);
                }
                _ => blocks.push(Block { first: number, calls: [(number, rules)].into(), then, otherwise }),
            }
        }
        if let Some(first) = blocks.last().filter(|block| block.otherwise != others).map(|block| block.first + 1) {
            blocks.push(Block { first, calls: BTreeMap::new(), then: these, otherwise: others });
        }
        blocks
    }
}

/// None of these flags is set.
const fn without(argument: u8, flags: u64) -> Condition {
    (argument, MaskedEq(flags), 0)
}

fn compile(rule: &[Condition]) -> Result<SeccompRule, seccompiler::BackendError> {
    let conditions = rule.iter().map(|(argument, comparison, value)| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, comparison.clone(), *value)
    });
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}
