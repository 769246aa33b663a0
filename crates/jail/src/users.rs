//! The user that programs of a jail run as.
//!
//! In a jail it is always the same one. Outside, a judge that may assign user ids takes an unused one for each jail, so
//! that the kernel's limits per user are limits per jail, and it owns no file of the machine. Any other judge can only
//! assign its own id: files visible in the jail are then readable as they are for the judge. Source: the manual page
//! `user_namespaces`.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::UnshareFlags;

use super::system::{self, Forked};

/// The user and the group in a jail. Not 0, because `exec` would restore capabilities for it.
pub(crate) const INSIDE: u32 = 1000;

/// The first id outside, above all that systems and containers assign (systemd's containers end at 0x6FFFFFFF); each
/// jail uses this one plus the process id of its builder.
const FIRST_OUTSIDE: u32 = 0x7A00_0000;

/// The id outside for the jail that this process builds, if the judge is root.
pub(crate) fn own(builder: u32) -> Option<u32> {
    rustix::process::geteuid().is_root().then_some(FIRST_OUTSIDE + builder)
}

/// Maps the ids of a process's new user namespace: `inside` becomes `outside`, or the judge's own id if the judge may
/// not assign that one, as in a container with few ids.
///
/// # Errors
/// The errors of writing `/proc/PID/uid_map`.
pub(crate) fn map(pid: u32, inside: u32, outside: Option<u32>) -> io::Result<()> {
    let write = |file: &str, id: u32| fs::write(format!("/proc/{pid}/{file}"), format!("{inside} {id} 1\n"));
    if let Some(id) = outside
        && write("uid_map", id).is_ok()
    {
        return write("gid_map", id);
    }
    // A process without privileges must first give up `setgroups`.
    fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    write("uid_map", rustix::process::geteuid().as_raw())?;
    write("gid_map", rustix::process::getegid().as_raw())
}

/// Returns a user namespace in which root is this user outside: a mount seen through it shows root's files as that
/// user's.
///
/// # Errors
/// The errors of `fork`, of `unshare` and of mapping users.
pub(crate) fn root_is(outside: u32) -> io::Result<OwnedFd> {
    let (ready, report) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    match system::fork()? {
        Forked::Child => {
            if system::unshare(UnshareFlags::NEWUSER).is_ok() {
                let _ = rustix::io::write(&report, &[1]);
                // Until it is killed.
                system::wait_for_child(std::time::Duration::from_mins(1));
            }
            system::exit(1)
        }
        Forked::Parent(pid) => {
            drop(report);
            let made = match rustix::io::read(&ready, &mut [0_u8; 1]) {
                Ok(1) => map(pid, 0, Some(outside)).and_then(|()| File::open(format!("/proc/{pid}/ns/user"))),
                _ => Err(io::ErrorKind::PermissionDenied.into()),
            };
            if let Some(child) = Pid::from_raw(pid as i32) {
                let _ = kill_process(child, Signal::KILL);
                let _ = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty());
            }
            made.map(OwnedFd::from)
        }
    }
}
