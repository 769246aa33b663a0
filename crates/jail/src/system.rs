//! System calls that no safe wrapper has.

#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::time::Duration;

use super::exit::ProcessExit;

/// The processors that a thread may use, as the kernel has them.
pub type Processors = [u8; size_of::<libc::cpu_set_t>()];

/// Which of the two processes a fork returned in.
pub enum Forked {
    /// The old one, with the new one's process id.
    Parent(u32),
    /// The new one. It has one thread.
    Child,
}

/// What waiting for any child found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reaped {
    /// A child had ended, and is gone now.
    Child(u32, ProcessExit),
    /// There are children, but none has ended.
    Running,
    /// There is no child.
    None,
}

/// Copies this process.
///
/// The copy has the calling thread alone, so a lock that another thread held stays locked in it: it must not use what takes
/// locks of the standard library (the standard streams, the environment). Memory may be allocated: glibc sees to its own locks.
///
/// # Errors
/// Those of `fork`.
pub fn fork() -> io::Result<Forked> {
    // SAFETY: the child calls only what the comment above allows, and never returns from the closures given to it.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent(pid as u32)),
    }
}

/// Ends this process at once, without running what was to run at its exit: in a copy that belongs to the original.
pub fn exit(code: i32) -> ! {
    // SAFETY: it does not return.
    unsafe { libc::_exit(code) }
}

/// Closes every descriptor but this one, and makes the standard streams empty.
pub fn keep_only(fd: BorrowedFd<'_>) {
    let kept = fd.as_raw_fd() as u32;
    // SAFETY: only a process that has just been forked calls this, and it uses no other descriptor afterwards.
    unsafe {
        if kept > 3 {
            libc::syscall(libc::SYS_close_range, 3_u32, kept - 1, 0_u32);
        }
        libc::syscall(libc::SYS_close_range, kept.max(2) + 1, u32::MAX, 0_u32);
    }
    if let Ok(null) = File::options().read(true).write(true).open("/dev/null") {
        for stream in 0..3 {
            // SAFETY: both are plain descriptors of this process.
            unsafe { libc::dup2(null.as_raw_fd(), stream) };
        }
    }
}

/// Ignores the signals that a terminal or a shutdown sends, and holds SIGCHLD back for [`wait_for_child`].
pub fn set_signals() {
    let child = child_signal();
    // SAFETY: constants and pointers to values of this frame.
    unsafe {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGPIPE, libc::SIGTSTP] {
            libc::signal(signal, libc::SIG_IGN);
        }
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const child, ptr::null_mut());
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
pub fn wait_for_child(time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    let child = child_signal();
    // SAFETY: pointers to values of this frame; nothing is wanted of the signal but that it came.
    unsafe { libc::sigtimedwait(&raw const child, ptr::null_mut(), &raw const time) };
}

/// Reaps one child that has ended, of whatever kind: those made by `clone` with another signal than SIGCHLD too.
pub fn reap_any() -> Reaped {
    reap(-1)
}

/// The same of one child.
pub fn reap(pid: i32) -> Reaped {
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

/// The processors of the calling thread; none when the kernel does not say.
pub fn processors() -> Processors {
    let mut set = [0; size_of::<libc::cpu_set_t>()];
    // SAFETY: the kernel writes at most as many bytes as it is told.
    unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, set.len(), set.as_mut_ptr()) };
    set
}

/// Binds the calling thread to processors. A refusal is no harm: it stays where it was.
pub fn set_processors(set: &Processors) {
    // SAFETY: the kernel reads as many bytes as it is told.
    unsafe { libc::syscall(libc::SYS_sched_setaffinity, 0, set.len(), set.as_ptr()) };
}

/// Whether two processes share their memory, as a process and its child after `vfork` do. False when the kernel does not say.
pub fn same_memory(first: u32, second: u32) -> bool {
    const KCMP_VM: i32 = 1;
    // SAFETY: no pointers.
    unsafe { libc::syscall(libc::SYS_kcmp, first as i32, second as i32, KCMP_VM, 0, 0) == 0 }
}

/// Bytes of memory that wait in the buffers of a socket; `None` of what is no socket.
///
/// Source: Linux, `include/uapi/linux/sock_diag.h`: `SK_MEMINFO_RMEM_ALLOC` is the first, `SK_MEMINFO_WMEM_ALLOC` the third and
/// `SK_MEMINFO_WMEM_QUEUED` the sixth number.
pub fn socket_memory(fd: BorrowedFd<'_>) -> Option<u64> {
    let mut numbers = [0_u32; 9];
    let mut length = size_of_val(&numbers) as libc::socklen_t;
    // SAFETY: the kernel writes at most as many bytes as it is told.
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

    #[test]
    fn a_process_shares_its_memory_with_itself_alone() {
        let own = std::process::id();
        assert!(same_memory(own, own));
        assert!(!same_memory(own, std::os::unix::process::parent_id()));
    }
}
