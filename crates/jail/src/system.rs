//! System calls that no safe wrapper has.

#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::time::Duration;

use rustix::thread::UnshareFlags;

use super::exit::ProcessExit;

/// The processors that a thread may use, as the kernel has them.
pub(crate) type Processors = [u8; size_of::<libc::cpu_set_t>()];

/// Which of the two processes a fork returned in.
pub(crate) enum Forked {
    /// The old one, with the new one's process id.
    Parent(u32),
    /// The new one. It has one thread.
    Child,
}

/// Result of waiting for any child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reaped {
    /// A child had ended, and has been reaped.
    Child(u32, ProcessExit),
    /// There are children, but none has ended.
    Running,
    None,
}

/// Copies this process.
///
/// The copy has only the calling thread, so a lock held by another thread stays locked in it: it must not use anything
/// that takes locks of the standard library (the standard streams, the environment). Memory may be allocated: glibc
/// handles its own locks.
///
/// # Errors
/// The errors of `fork`.
pub(crate) fn fork() -> io::Result<Forked> {
    // SAFETY: the child calls only what the comment above allows, and never returns from the closures given to it.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent(pid as u32)),
    }
}

/// The same, into a control group of version 2 given by its folder. Only a process with one thread may call it: the
/// locks of the C library are not handled.
///
/// # Errors
/// The errors of `clone3`: Linux before 5.7 and many containers do not support it.
pub(crate) fn fork_into(group: BorrowedFd<'_>) -> io::Result<Forked> {
    // The constant of `libc` has a type too narrow for this.
    const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;
    // SAFETY: zeros are valid in a list of numbers.
    let mut arguments: libc::clone_args = unsafe { MaybeUninit::zeroed().assume_init() };
    arguments.flags = CLONE_INTO_CGROUP;
    arguments.exit_signal = libc::SIGCHLD as u64;
    arguments.cgroup = group.as_raw_fd() as u64;
    // SAFETY: memory is not shared, so the child goes on with a stack of its own, as after `fork`.
    match unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<libc::clone_args>()) } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent(pid as u32)),
    }
}

/// Exits immediately, without running exit handlers, which in a copy belong to the original.
pub(crate) fn exit(code: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(code) }
}

/// Closes every descriptor except these, and redirects the standard streams to nothing.
pub(crate) fn keep_only(fds: &[BorrowedFd<'_>]) {
    let mut kept: Vec<u32> = fds.iter().map(|fd| fd.as_raw_fd() as u32).collect();
    kept.sort_unstable();
    let mut from = 3;
    for last in kept.into_iter().map(Some).chain([None]) {
        let to = last.map_or(u32::MAX, |fd| fd.saturating_sub(1));
        if to >= from {
            // SAFETY: only a process that has just been forked calls this, and it uses no other descriptor afterwards.
            unsafe { libc::syscall(libc::SYS_close_range, from, to, 0_u32) };
        }
        from = last.map_or(from, |fd| from.max(fd + 1));
    }
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        for stream in 0..3 {
            // SAFETY: both are plain descriptors of this process.
            unsafe { libc::dup2(null.as_raw_fd(), stream) };
        }
    }
}

/// Closes every descriptor but the standard streams when this process becomes a program.
///
/// # Errors
/// `EINVAL` before Linux 5.11.
pub(crate) fn close_at_exec() -> io::Result<()> {
    // SAFETY: plain numbers; no descriptor is closed now.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Ignores the signals that a terminal or a shutdown sends, and holds SIGCHLD back for [`wait_for_child`]. All others
/// have their default action, which the kernel never takes on process 1 of a namespace for a signal from within: a
/// handler, as the standard library's for a stack overflow, would run.
pub(crate) fn set_signals() {
    let child = child_signal();
    // SAFETY: constants and pointers to values of this frame.
    unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_DFL);
        }
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTSTP] {
            libc::signal(signal, libc::SIG_IGN);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const child, ptr::null_mut());
    }
}

/// Makes writes beyond the maximum file size fail, here and in all executed programs, instead of ending the writer:
/// runtimes ask for as much as they can get and continue without it.
pub(crate) fn survive_long_files() {
    // SAFETY: a constant.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// The size from which the allocator maps a block by itself.
#[cfg(target_env = "gnu")]
const MAPPED_BYTES: i32 = 128 << 10;

/// Makes the allocator return large blocks to the system when they are freed, whatever the sizes of others.
///
/// The C library maps blocks of 128 KiB and more one by one, but raises that size to the largest block freed, up to
/// 32 MiB; a process that has served many large answers then keeps their memory, in an arena of every thread.
pub(crate) fn return_large_blocks() {
    // SAFETY: plain numbers.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES);
    }
}

fn child_signal() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` fills it.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        set.assume_init()
    }
}

/// Waits until a child has ended, or this long.
pub(crate) fn wait_for_child(time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    let child = child_signal();
    // SAFETY: pointers to values of this frame; nothing is wanted of the signal but that it came.
    unsafe { libc::sigtimedwait(&raw const child, ptr::null_mut(), &raw const time) };
}

/// Reaps one child that has ended, of any kind: including those made by `clone` with a signal other than SIGCHLD.
pub(crate) fn reap_any() -> Reaped {
    reap(-1)
}

/// The same for one child.
pub(crate) fn reap(pid: i32) -> Reaped {
    let mut status = 0;
    loop {
        // SAFETY: the status is a value of this frame.
        match unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG | libc::__WALL, ptr::null_mut()) } {
            0 => return Reaped::Running,
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Reaped::None,
            pid if libc::WIFEXITED(status) => {
                return Reaped::Child(pid as u32, ProcessExit::Code(libc::WEXITSTATUS(status)));
            }
            pid => return Reaped::Child(pid as u32, ProcessExit::Signal(libc::WTERMSIG(status))),
        }
    }
}

/// A child that has ended but not been reaped.
pub(crate) fn dead_child() -> Option<u32> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    // SAFETY: the kernel fills the value of this frame, in which zeros are valid; the pid is read of a child's end
    // alone.
    unsafe {
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
        let result = libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), flags);
        let pid = info.assume_init().si_pid();
        (result == 0 && pid > 0).then_some(pid as u32)
    }
}

/// The processors of the calling thread; none when the kernel does not say.
pub(crate) fn processors() -> Processors {
    let mut set = [0; size_of::<libc::cpu_set_t>()];
    // SAFETY: the kernel writes at most as many bytes as the given length.
    unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, set.len(), set.as_mut_ptr()) };
    set
}

/// Binds a thread to processors. A refusal is harmless: it stays where it was.
pub(crate) fn set_processors(thread: u32, set: &Processors) {
    // SAFETY: the kernel reads as many bytes as the given length.
    unsafe { libc::syscall(libc::SYS_sched_setaffinity, thread as i32, set.len(), set.as_ptr()) };
}

/// Runs a thread only when no other wants to, or normally. Returns false if the system refuses.
pub(crate) fn set_background(thread: u32, background: bool) -> bool {
    let policy = if background { libc::SCHED_IDLE } else { libc::SCHED_OTHER };
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the parameters outlive the call.
    unsafe { libc::sched_setscheduler(thread as i32, policy, &raw const parameters) == 0 }
}

/// The niceness of the calling thread.
pub(crate) fn niceness() -> i32 {
    rustix::process::getpriority_process(None).unwrap_or(0)
}

/// Makes the calling thread run before all that have no such right; its children do not inherit it. It requires a
/// privilege, without which nothing happens.
pub(crate) fn run_first() {
    let parameters = libc::sched_param { sched_priority: 1 };
    // SAFETY: the parameters outlive the call.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, &raw const parameters) };
}

/// Returns true if two processes share their memory, like a process and its child after `vfork`. Returns false if the
/// kernel does not say.
pub(crate) fn same_memory(first: u32, second: u32) -> bool {
    const KCMP_VM: i32 = 1;
    // SAFETY: no pointers.
    unsafe { libc::syscall(libc::SYS_kcmp, first as i32, second as i32, KCMP_VM, 0, 0) == 0 }
}

/// Returns the bytes of memory in the buffers of a socket; `None` if it is not a socket.
///
/// Source: Linux, `include/uapi/linux/sock_diag.h`: `SK_MEMINFO_RMEM_ALLOC` is the first, `SK_MEMINFO_WMEM_ALLOC` the
/// third and `SK_MEMINFO_WMEM_QUEUED` the sixth number.
pub(crate) fn socket_memory(fd: BorrowedFd<'_>) -> Option<u64> {
    let mut numbers = [0_u32; 9];
    let mut length = size_of_val(&numbers) as libc::socklen_t;
    // SAFETY: the kernel writes at most as many bytes as the given length.
    let result = unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MEMINFO,
            numbers.as_mut_ptr().cast(),
            &raw mut length,
        )
    };
    let [received, _, sent, _, _, queued, ..] = numbers.map(u64::from);
    (result == 0).then_some(received + sent.max(queued))
}

/// Sets attributes of a mount and of everything below it, removes them from every peer group, and, with a user
/// namespace, shows the files of each user inside as those of the user outside.
///
/// # Errors
/// The errors of `mount_setattr`.
pub(crate) fn set_mounts(mount: BorrowedFd<'_>, set: u64, users: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let idmap = if users.is_some() { libc::MOUNT_ATTR_IDMAP } else { 0 };
    set_attributes(
        mount,
        libc::AT_RECURSIVE,
        &libc::mount_attr {
            attr_set: set | idmap,
            attr_clr: 0,
            propagation: libc::MS_PRIVATE,
            userns_fd: users.map_or(0, |users| users.as_raw_fd() as u64),
        },
    )
}

/// Sets attributes of one mount.
///
/// # Errors
/// The errors of `mount_setattr`.
pub(crate) fn set_mount(mount: BorrowedFd<'_>, set: u64) -> io::Result<()> {
    set_attributes(mount, 0, &libc::mount_attr { attr_set: set, attr_clr: 0, propagation: 0, userns_fd: 0 })
}

fn set_attributes(mount: BorrowedFd<'_>, flags: i32, attributes: &libc::mount_attr) -> io::Result<()> {
    // SAFETY: the empty path and the attributes outlive the call, which reads as many bytes as the given length.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | flags,
            ptr::from_ref(attributes),
            size_of::<libc::mount_attr>(),
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Moves the calling process into new namespaces.
///
/// # Errors
/// The errors of `unshare`.
pub(crate) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: no flag is given that concerns what threads share of this process, its descriptors among them.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags) }?)
}

/// Becomes a user, with only its group, and keeps its capabilities if the user namespace has no root.
///
/// # Errors
/// The errors of `setresgid` and `setresuid`.
pub(crate) fn become_user(id: u32) -> io::Result<()> {
    // SAFETY: plain numbers; the process has one thread.
    let result = unsafe { if libc::setresgid(id, id, id) == 0 { libc::setresuid(id, id, id) } else { -1 } };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Kills every process of this process's pid namespace but itself: for its process 1.
pub(crate) fn kill_all_others() {
    // SAFETY: plain numbers.
    unsafe { libc::kill(-1, libc::SIGKILL) };
}

/// Makes these descriptors the standard streams, and resets every signal to the default of a fresh program.
///
/// # Errors
/// The errors of `dup2`.
pub(crate) fn set_streams(streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
    // SAFETY: plain descriptors of this process, not one a standard stream; signal numbers and an own set.
    unsafe {
        for (at, stream) in (0..).zip(streams) {
            if libc::dup2(stream.as_raw_fd(), at) == -1 {
                return Err(io::Error::last_os_error());
            }
        }
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTSTP] {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none = MaybeUninit::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
    }
    Ok(())
}

/// Replaces this process by a program. Returns only when that fails.
pub(crate) fn execute<'a>(path: &CStr, words: &'a [CString], environment: impl Iterator<Item = &'a CStr>) -> io::Error {
    let words: Vec<*const libc::c_char> = words.iter().map(|word| word.as_ptr()).chain([ptr::null()]).collect();
    let environment: Vec<*const libc::c_char> = environment.map(CStr::as_ptr).chain([ptr::null()]).collect();
    // SAFETY: lists of texts that end with a null pointer and outlive the call.
    unsafe { libc::execve(path.as_ptr(), words.as_ptr(), environment.as_ptr()) };
    io::Error::last_os_error()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use std::io::Write;

    #[test]
    fn what_waits_in_a_socket_is_seen() {
        let (mut a, _b) = UnixStream::pair().unwrap();
        let before = socket_memory(a.as_fd()).unwrap();
        a.write_all(&[1; 10_000]).unwrap();
        assert!(socket_memory(a.as_fd()).unwrap() >= before + 10_000);
        assert_eq!(socket_memory(File::open("/dev/null").unwrap().as_fd()), None);
    }

    #[cfg(target_env = "gnu")]
    #[test]
    fn large_blocks_go_back_to_the_system_after_larger_ones() {
        let resident_kib = || -> usize {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            line.trim().trim_end_matches(" kB").parse().unwrap()
        };
        return_large_blocks();
        drop(vec![1_u8; 16 << 20]);
        // The small blocks between them would keep the heap from shrinking.
        let (large, small): (Vec<_>, Vec<_>) = (0..64).map(|_| (vec![1_u8; 1 << 20], Box::new([1_u8; 64]))).unzip();
        let before = resident_kib();
        drop(large);
        let after = resident_kib();
        assert!(after + (60 << 10) < before, "{before} KiB, then {after} KiB");
        drop(small);
    }

    #[test]
    fn a_process_shares_its_memory_with_itself_alone() {
        let own = std::process::id();
        assert!(same_memory(own, own));
        assert!(!same_memory(own, std::os::unix::process::parent_id()));
    }
}
