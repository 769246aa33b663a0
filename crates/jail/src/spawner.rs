//! The spawner: a copy of the judge, made while it is small, that makes the keepers.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::Signal;

use super::cgroup;
use super::memory;
use super::message::{KEEPER, LONGEST, Reply, Request, push, receive, receive_reply, reply, send};
use super::service;
use super::system::{self, Forked, Reaped};

/// How long a reply of the spawner or a keeper is waited for before something is done about it: they have little to do, but the
/// machine may be loaded, and a program may have stopped them.
const REPLY: Duration = Duration::from_secs(2);

/// How often that is done before they are given up.
const TRIES: u32 = 4;

/// How often the spawner reaps keepers that have ended, and ends what they left behind.
const SWEEPING: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// Our end of its socket, and its process id.
static SPAWNER: Mutex<Option<(OwnedFd, u32)>> = Mutex::new(None);

/// Makes the spawner, if there is none. A program that will need one calls this before it starts threads and fills memory.
///
/// # Errors
/// Those of `fork` and `socketpair`.
pub fn prepare() -> io::Result<()> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if spawner.is_none() {
        *spawner = Some(fork()?);
    }
    Ok(())
}

/// A new keeper: its socket and its process id. `group` is the control group it enters, and the file by which it leaves it.
pub fn keeper(group: Option<(&Path, &Path)>) -> io::Result<(OwnedFd, u32)> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    // It may have been killed; then there is another one.
    for _ in 0..2 {
        let (socket, spawner_pid) = match spawner.take() {
            Some(spawner) => spawner,
            None => fork()?,
        };
        let (ours, theirs) = pair()?;
        let mut request = vec![KEEPER];
        let (inside, home) = group.unwrap_or((Path::new(""), Path::new("")));
        push(&mut request, inside.as_os_str().as_bytes());
        push(&mut request, home.as_os_str().as_bytes());
        let made =
            send(socket.as_fd(), &request, &[theirs.as_fd()]).and_then(|()| reply_of(spawner_pid, &socket, || ()));
        drop(theirs);
        if let Ok([error, pid, _]) = made {
            *spawner = Some((socket, spawner_pid));
            return if error == 0 { Ok((ours, pid as u32)) } else { Err(io::Error::from_raw_os_error(error)) };
        }
        system::reap(spawner_pid as i32);
    }
    Err(io::ErrorKind::BrokenPipe.into())
}

/// Lets the spawner go, with all keepers that are left, and waits for its end.
pub fn dismiss(deadline: Instant) {
    let spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((socket, pid)) = spawner {
        drop(socket);
        while system::reap(pid as i32) == Reaped::Running && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Waits for a reply of the process that has this socket. While there is none, `encourage` is called every now and then, and the
/// process is told to go on, should somebody have stopped it.
///
/// # Errors
/// Those of `recv`: `WouldBlock` when the process has been given up, `UnexpectedEof` when it is gone.
pub fn reply_of(pid: u32, socket: &OwnedFd, encourage: impl Fn()) -> io::Result<Reply> {
    let mut tries = 1;
    loop {
        match receive_reply(socket.as_fd()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && tries < TRIES => tries += 1,
            result => return result,
        }
        encourage();
        if let Some(pid) = rustix::process::Pid::from_raw(pid as i32) {
            let _ = rustix::process::kill_process(pid, Signal::CONT);
        }
    }
}

/// A socket of ours that does not wait for ever, and one of theirs.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    set_socket_timeout(&ours, Timeout::Recv, Some(REPLY))?;
    set_socket_timeout(&ours, Timeout::Send, Some(REPLY))?;
    Ok((ours, theirs))
}

fn fork() -> io::Result<(OwnedFd, u32)> {
    let (ours, theirs) = pair()?;
    match system::fork()? {
        Forked::Parent(pid) => Ok((ours, pid)),
        Forked::Child => {
            // A panic must not run on in a copy of somebody else's stack.
            let _ = std::panic::catch_unwind(|| become_spawner(&theirs));
            system::exit(1)
        }
    }
}

fn become_spawner(socket: &OwnedFd) -> ! {
    system::keep_only(socket.as_fd());
    system::set_signals();
    // Away from the terminal's signals, which are for the judge; not into another session, whose processes the kernel may
    // schedule as a group of their own: the judge could then no longer offer its processor to a program by yielding.
    let _ = rustix::process::setpgid(None, None);
    let _ = rustix::thread::set_name(c"spawner");
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let mut keepers = Vec::new();
    let mut space = vec![0; LONGEST];
    loop {
        let mut fds = [PollFd::new(socket, PollFlags::IN)];
        let waited = poll(&mut fds, Some(&SWEEPING));
        sweep(&mut keepers);
        match waited {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Some(request) = receive(socket.as_fd(), &mut space) else { break };
        let numbers = match make_keeper(request) {
            Ok(pid) => {
                keepers.push(pid);
                [0, pid as i32, 0]
            }
            Err(error) => [error.raw_os_error().unwrap_or(libc::EINVAL), 0, 0],
        };
        reply(socket.as_fd(), numbers);
    }
    // The keepers see the end of the judge, too; here are only those that are left when one of them was killed.
    while sweep(&mut keepers) {
        system::wait_for_child(Duration::from_millis(100));
    }
    system::exit(0)
}

/// Forks a keeper, which has entered its group when this returns.
fn make_keeper(mut request: Request) -> io::Result<u32> {
    let refused = || io::Error::from(io::ErrorKind::InvalidData);
    let path = |text: &[u8]| Some(PathBuf::from(OsString::from_vec(text.to_vec()))).filter(|_| !text.is_empty());
    if request.kind() != Some(KEEPER) {
        return Err(refused());
    }
    let inside = path(request.text().ok_or_else(refused)?);
    let home = path(request.text().ok_or_else(refused)?);
    let socket = request.descriptors.pop().ok_or_else(refused)?;
    // It says over this that it is ready, or why not.
    let (ready, told) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    match system::fork()? {
        Forked::Parent(pid) => {
            drop(told);
            match receive_reply(ready.as_fd())? {
                [0, ..] => Ok(pid),
                [error, ..] => Err(io::Error::from_raw_os_error(error)),
            }
        }
        Forked::Child => {
            let _ = std::panic::catch_unwind(|| become_keeper(socket, &told, inside, home));
            system::exit(1)
        }
    }
}

fn become_keeper(socket: OwnedFd, told: &OwnedFd, inside: Option<PathBuf>, home: Option<PathBuf>) -> ! {
    let _ = rustix::thread::set_name(c"keeper");
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let group = inside.zip(home);
    let entered = group.as_ref().map_or(Ok(()), |(group, _)| cgroup::enter(group));
    let error = entered.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EINVAL));
    reply(told.as_fd(), [error, 0, 0]);
    system::keep_only(socket.as_fd());
    if error != 0 {
        system::exit(1);
    }
    service::serve(socket, group)
}

/// Reaps keepers that have ended, and ends what those that were killed have left; whether there are any children.
fn sweep(keepers: &mut Vec<u32>) -> bool {
    loop {
        match system::reap_any() {
            Reaped::Child(pid, _) => keepers.retain(|&keeper| keeper != pid),
            Reaped::None => return false,
            Reaped::Running => break,
        }
    }
    for pid in memory::children(std::process::id()).into_iter().filter(|pid| !keepers.contains(pid)) {
        if let Some(pid) = rustix::process::Pid::from_raw(pid as i32) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
    true
}
