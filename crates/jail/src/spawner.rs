//! The spawner: a copy of the judge, made while it is small, that creates the keepers.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::UnshareFlags;

use super::cgroup;
use super::failure::{Facility, Step};
use super::jail::{Jail, Level};
use super::memory;
use super::message::{
    self, KEEPER, MAX_PACKET_BYTES, Reply, Request, push_jail, push_path, push_paths, receive, receive_reply, reply,
    reply_result, send,
};
use super::root::{Root, Views};
use super::service;
use super::space::Space;
use super::system::{self, Forked, Reaped};
use super::system_paths::system_paths;
use super::users;

/// Timeout of one try for a reply of the spawner or a keeper. They have little to do, but the machine may be loaded,
/// and a program may have stopped them.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// Number of tries without a reply after which the process is abandoned.
const MAX_TRIES: u32 = 4;

/// Interval at which the spawner reaps ended keepers, and kills what they left behind.
const SWEEP_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// Our end of its socket, and its process id.
static SPAWNER: Mutex<Option<(OwnedFd, u32)>> = Mutex::new(None);

/// Makes the spawner, if there is none. A program that will need one calls this before it starts threads and fills
/// memory.
///
/// # Errors
/// The errors of `fork` and `socketpair`.
pub fn prepare() -> io::Result<()> {
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    if spawner.is_none() {
        *spawner = Some(fork()?);
    }
    Ok(())
}

/// Creates a keeper in a jail, and returns its socket and process id. `groups` are the control groups that it enters,
/// `space` is the folder for temporary files of a program that has no root of its own.
///
/// # Errors
/// The errors of `fork` and of entering the groups; a [`JailError`](super::JailError) inside if the jail cannot be
/// built.
pub(crate) fn keeper<'a>(
    groups: impl Iterator<Item = &'a Path>,
    space: Option<&Path>,
    jail: &Jail,
) -> io::Result<(OwnedFd, u32)> {
    let mut request = vec![KEEPER];
    push_paths(&mut request, &groups.collect::<Vec<_>>());
    push_path(&mut request, space);
    push_jail(&mut request, jail);
    let mut spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner);
    // It may have been killed; then a new one is started.
    for _ in 0..2 {
        let (socket, spawner_pid) = match spawner.take() {
            Some(spawner) => spawner,
            None => fork()?,
        };
        let (ours, theirs) = pair()?;
        // A child of ours that has not been reaped keeps its number.
        let wake = || {
            if let Some(pid) = Pid::from_raw(spawner_pid as i32) {
                let _ = kill_process(pid, Signal::CONT);
            }
        };
        let made = send(socket.as_fd(), &request, &[theirs.as_fd()]).and_then(|()| reply_of(&socket, wake));
        drop(theirs);
        if let Ok(result) = made {
            *spawner = Some((socket, spawner_pid));
            return result.map(|([_, pid, _], _)| (ours, pid as u32));
        }
        system::reap(spawner_pid as i32);
    }
    Err(io::ErrorKind::BrokenPipe.into())
}

/// Leaves the spawner to the process from which this one was forked.
pub(crate) fn disown() {
    if let Ok(mut spawner) = SPAWNER.try_lock() {
        *spawner = None;
    }
}

/// Dismisses the spawner, with all remaining keepers, and waits for its end.
pub(crate) fn dismiss(deadline: Instant) {
    let spawner = SPAWNER.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((socket, pid)) = spawner {
        drop(socket);
        while system::reap(pid as i32) == Reaped::Running && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Waits for a reply of the process at the other end of this socket. After each timeout it calls `encourage`, which
/// should wake the process, in case a program has stopped it.
///
/// # Errors
/// The errors of `recvmsg`: `WouldBlock` if the process was abandoned, `UnexpectedEof` if it is gone. The inner error
/// is the one in its reply.
pub(crate) fn reply_of(socket: &OwnedFd, encourage: impl Fn()) -> io::Result<io::Result<(Reply, Option<OwnedFd>)>> {
    let mut tries = 1;
    loop {
        match receive_reply(socket.as_fd()) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && tries < MAX_TRIES => tries += 1,
            result => return result,
        }
        encourage();
    }
}

/// Returns a socket of ours with timeouts, and one of theirs.
fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = message::pair()?;
    set_socket_timeout(&ours, Timeout::Recv, Some(REPLY_TIMEOUT))?;
    set_socket_timeout(&ours, Timeout::Send, Some(REPLY_TIMEOUT))?;
    Ok((ours, theirs))
}

fn fork() -> io::Result<(OwnedFd, u32)> {
    let (ours, theirs) = pair()?;
    match system::fork()? {
        Forked::Parent(pid) => Ok((ours, pid)),
        Forked::Child => {
            // A panic must not unwind into a copy of the judge's stack.
            let _ = std::panic::catch_unwind(|| become_spawner(&theirs));
            system::exit(1)
        }
    }
}

fn become_spawner(socket: &OwnedFd) -> ! {
    system::keep_only(&[socket.as_fd()]);
    system::set_signals();
    // Away from the terminal's signals, which are for the judge; not into another session, whose processes the kernel
    // may schedule as a group of their own: the judge could then no longer offer its processor to a program by
    // yielding.
    let _ = rustix::process::setpgid(None, None);
    let _ = rustix::thread::set_name(c"spawner");
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let judge = cgroup::maker(rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get() as u32));
    let mut keepers = Vec::new();
    let mut space = vec![0; MAX_PACKET_BYTES];
    loop {
        let mut fds = [PollFd::new(socket, PollFlags::IN)];
        let waited = poll(&mut fds, Some(&SWEEP_INTERVAL));
        sweep(&mut keepers);
        match waited {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Some(request) = receive(socket.as_fd(), &mut space) else { break };
        let made = make_keeper(request).map(|kept| {
            let pid = kept.pid as i32;
            keepers.push(kept);
            (pid, None)
        });
        reply_result(socket.as_fd(), made);
    }
    // The keepers notice the end of the judge as well, but frozen processes do not die. After that, only those are left
    // whose keeper was killed.
    loop {
        if let Some(judge) = &judge {
            cgroup::thaw_all(judge);
        }
        if !sweep(&mut keepers) {
            break;
        }
        system::wait_for_child(Duration::from_millis(20));
    }
    if let Some(judge) = &judge {
        cgroup::remove_all(judge);
    }
    system::exit(0)
}

/// Inputs for a new keeper.
struct Birth {
    socket: OwnedFd,
    /// The channel for its report: ready, or why not.
    report: OwnedFd,
    /// The groups that it has yet to enter.
    groups: Vec<PathBuf>,
    space: Option<PathBuf>,
    jail: Jail,
}

/// A keeper that runs, and its groups.
struct Kept {
    pid: u32,
    groups: Vec<PathBuf>,
}

/// Makes a keeper, which has entered its groups and its jail when this returns.
fn make_keeper(mut request: Request) -> io::Result<Kept> {
    let refused = || io::Error::from(io::ErrorKind::InvalidData);
    if request.kind() != Some(KEEPER) {
        return Err(refused());
    }
    let groups = request.paths().ok_or_else(refused)?;
    let space = request.path().ok_or_else(refused)?;
    let space = Some(space).filter(|path| !path.as_os_str().is_empty());
    let jail = request.jail().ok_or_else(refused)?;
    let socket = request.descriptors.pop().ok_or_else(refused)?;
    let (ready, report) = message::pair()?;
    let full = jail.level == Level::Full;
    if jail.level != Level::None {
        // Every keeper has the paths found here.
        system_paths();
    }
    let mut birth = Birth { socket, report, groups: groups.clone(), space, jail };
    let birthplace = groups.first().and_then(|group| cgroup::birthplace(group));
    let born_inside = birthplace.and_then(|group| system::fork_into(group.as_fd()).ok());
    if born_inside.is_some() {
        birth.groups.remove(0);
    }
    match born_inside.map_or_else(system::fork, Ok)? {
        Forked::Parent(child) => {
            drop(birth);
            let pid = if full { await_full(child, &ready)? } else { receive_reply(ready.as_fd())?.map(|_| child)? };
            Ok(Kept { pid, groups })
        }
        Forked::Child => {
            drop(ready);
            let _ = std::panic::catch_unwind(|| if full { build_full(birth) } else { become_keeper(birth) });
            system::exit(1)
        }
    }
}

/// Requests and messages of the builder of a jail, before its keeper reports that it is ready.
const MAP: i32 = 1;
const BORN: i32 = 2;

/// Maps the users of a jail for its builder, and waits for its keeper, whose process id is returned.
fn await_full(builder: u32, ready: &OwnedFd) -> io::Result<u32> {
    let mut keeper = None;
    let mut serve = || {
        let mut built = false;
        // Two processes speak: the keeper may be ready before its builder has said that it was born.
        while !built || keeper.is_none() {
            match receive_reply(ready.as_fd())??.0 {
                [_, _, MAP] => {
                    let mapped = users::map(builder, users::INSIDE, users::own(builder));
                    let mapped = mapped.step(|| "map its users".to_owned());
                    reply_result(ready.as_fd(), mapped.map(|()| (0, None)).map_err(io::Error::from));
                }
                [_, pid, BORN] => keeper = Some(pid),
                _ => built = true,
            }
        }
        Ok(())
    };
    let served: io::Result<()> = serve();
    // Its own socket is no longer needed.
    let builder = Pid::from_raw(builder as i32).ok_or(io::ErrorKind::NotFound)?;
    let _ = rustix::process::waitpid(Some(builder), rustix::process::WaitOptions::empty());
    match (served, keeper) {
        (Ok(()), Some(pid)) => Ok(pid as u32),
        (served, _) => Err(served.err().unwrap_or(io::ErrorKind::BrokenPipe.into())),
    }
}

/// In the builder: creates the namespaces of a jail, and its process 1, which becomes the keeper.
fn build_full(birth: Birth) -> ! {
    let report = birth.report.as_fd();
    let failed = |error: io::Error| -> ! {
        reply_result(report, Err(error));
        system::exit(1)
    };
    begin(&birth);
    if let Err(error) = enter_groups(&birth) {
        failed(error);
    }
    let sources = match take_apart(&birth) {
        Ok(sources) => sources,
        Err(error) => failed(error),
    };
    match system::fork() {
        Ok(Forked::Parent(pid)) => {
            reply(report, [0, pid as i32, BORN]);
            system::exit(0)
        }
        Ok(Forked::Child) => {
            // Before it becomes another user, who does not own this file.
            let score = service::OomScore::open();
            let made = become_own_user().and_then(|()| Ok(Root::build(sources, &birth.jail)?));
            match made.and_then(|root| service::Service::new(birth.socket, birth.jail, Some(root), None, score)) {
                Ok(service) => {
                    reply(report, [0, 0, 0]);
                    drop(birth.report);
                    service.serve()
                }
                Err(error) => failed(error),
            }
        }
        Err(error) => failed(error),
    }
}

/// Enters new namespaces, and opens views of what the jail shows.
fn take_apart(birth: &Birth) -> io::Result<Views> {
    // Root may read anything before it has a user namespace of its own.
    let outside = users::own(std::process::id());
    let early = outside.and_then(|outside| {
        let same_user = users::root_is(outside).ok();
        Views::take(&birth.jail, same_user.as_ref()).ok()
    });
    let all = UnshareFlags::NEWUSER
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    system::unshare(UnshareFlags::NEWUSER).step_needing(Facility::Namespaces, || "make a user namespace".to_owned())?;
    reply(birth.report.as_fd(), [0, 0, MAP]);
    receive_reply(birth.report.as_fd())??;
    system::unshare(all - UnshareFlags::NEWUSER)
        .step_needing(Facility::Namespaces, || "make its namespaces".to_owned())?;
    match early {
        Some(sources) => Ok(sources),
        None => Ok(Views::take(&birth.jail, None)?),
    }
}

/// Becomes the jail's user, under another name of the machine.
fn become_own_user() -> io::Result<()> {
    system::become_user(users::INSIDE).step(|| "become its user".to_owned())?;
    Ok(rustix::system::sethostname(b"jail").step(|| "name the machine".to_owned())?)
}

/// First steps of every keeper.
fn begin(birth: &Birth) {
    let _ = rustix::thread::set_name(c"keeper");
    system::keep_only(&[birth.socket.as_fd(), birth.report.as_fd()]);
    // If its group is full, the kernel must not end the keeper. This needs a privilege.
    let _ = fs::write(service::SCORE, service::SPARED);
    // It does little, but would not get to run while a program with many processes leaves it thousands of dead ones. If
    // the judge itself is nice, so is it: otherwise its processes would start with a niceness of 0 again.
    if system::niceness() <= 0 {
        system::run_first();
    }
}

fn enter_groups(birth: &Birth) -> io::Result<()> {
    birth.groups.iter().try_for_each(|group| cgroup::enter(group))
}

/// Becomes a keeper without namespaces of its own.
fn become_keeper(birth: Birth) -> ! {
    begin(&birth);
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let entered = enter_groups(&birth).and_then(|()| match &birth.jail.folder {
        Some(folder) => Ok(std::env::set_current_dir(folder).step(|| format!("go to {}", folder.display()))?),
        None => Ok(()),
    });
    let score = service::OomScore::open();
    match entered
        .and_then(|()| service::Service::new(birth.socket, birth.jail, None, birth.space.map(Space::at), score))
    {
        Ok(service) => {
            reply(birth.report.as_fd(), [0, 0, 0]);
            drop(birth.report);
            service.serve()
        }
        Err(error) => {
            reply_result(birth.report.as_fd(), Err(error));
            system::exit(1)
        }
    }
}

/// Reaps ended keepers, and ends what killed ones have left; returns whether there are any children.
fn sweep(keepers: &mut Vec<Kept>) -> bool {
    loop {
        match system::reap_any() {
            Reaped::Child(pid, _) => {
                for kept in keepers.extract_if(.., |kept| kept.pid == pid) {
                    // Anything still in it goes with the judge's last groups.
                    kept.groups.iter().for_each(|group| cgroup::remove(group));
                }
            }
            Reaped::None => return false,
            Reaped::Running => break,
        }
    }
    for pid in
        memory::children(std::process::id()).into_iter().filter(|&pid| keepers.iter().all(|kept| kept.pid != pid))
    {
        if let Some(pid) = Pid::from_raw(pid as i32) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
    true
}
