//! Messages between the judge, the spawner and a keeper.
//!
//! Each message is one packet. A request of the judge is its kind, then:
//!
//! | request | to | content | descriptors | reply |
//! |---|---|---|---|---|
//! | `KEEPER` | spawner | groups, space, jail | the keeper's socket | result, pid |
//! | `PROGRAM` | keeper | path, arguments, environment | output, errors | none |
//! | `START` | keeper | one more variable, 1 if the program is started again later | input | result; a pidfd |
//! | `FOLDER` | keeper | `SPACE` or nothing | none | result; the space, or the program's folder |
//! | `END` | keeper | nothing | none | exit, what is left |
//!
//! A text follows its length. A reply is three numbers; the first is 0 or an error number. An error of the jail is
//! followed by the name of the step that failed.

use std::ffi::{CString, OsString};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};

use super::exit::ProcessExit;
use super::failure::{Facility, JailError};
use super::jail::{Jail, Level, Writes};

pub(crate) const KEEPER: u8 = 1;
pub(crate) const PROGRAM: u8 = 2;
pub(crate) const START: u8 = 3;
pub(crate) const FOLDER: u8 = 4;
pub(crate) const END: u8 = 5;

/// Requests the space instead of the program's folder.
pub(crate) const SPACE: u8 = 1;

/// Remains of a program after its end: a process that does not die, only changed files, or nothing.
pub(crate) const ALIVE: i32 = 0;
pub(crate) const CHANGED: i32 = 1;
pub(crate) const FRESH: i32 = 2;

/// More than a packet can hold: the kernel's limit is 208 KiB including its own overhead.
pub(crate) const MAX_PACKET_BYTES: usize = 256 << 10;

const MAX_STEP_BYTES: usize = 500;

/// A program to run: its path, its arguments (the first one is its name) and its whole environment as `NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    pub path: CString,
    /// Name and arguments.
    pub words: Vec<CString>,
    pub environment: Vec<CString>,
}

/// A request as it was received.
pub struct Request {
    bytes: Vec<u8>,
    at: usize,
    /// The descriptors that came with it.
    pub descriptors: Vec<OwnedFd>,
}

pub(crate) type Reply = [i32; 3];

impl Program {
    /// The program as a request.
    pub fn request(&self) -> Vec<u8> {
        let mut request = vec![PROGRAM];
        push(&mut request, self.path.as_bytes());
        for list in [&self.words, &self.environment] {
            request.extend((list.len() as u32).to_le_bytes());
            for text in list {
                push(&mut request, text.as_bytes());
            }
        }
        request
    }

    /// The program in a request.
    pub fn read(request: &mut Request) -> Option<Self> {
        let path = request.c_string()?;
        let mut list = || {
            let length = request.number()?;
            (0..length).map(|_| request.c_string()).collect::<Option<Vec<_>>>()
        };
        Some(Self { path, words: list()?, environment: list()? })
    }
}

/// Adds a text and its length.
pub(crate) fn push(request: &mut Vec<u8>, text: &[u8]) {
    request.extend((text.len() as u32).to_le_bytes());
    request.extend(text);
}

/// Adds a path, or none.
pub(crate) fn push_path(request: &mut Vec<u8>, path: Option<&Path>) {
    push(request, path.map_or(&[], |path| path.as_os_str().as_bytes()));
}

/// Adds paths and their number.
pub(crate) fn push_paths(request: &mut Vec<u8>, paths: &[impl AsRef<Path>]) {
    request.extend((paths.len() as u32).to_le_bytes());
    for path in paths {
        push_path(request, Some(path.as_ref()));
    }
}

pub(crate) fn push_jail(request: &mut Vec<u8>, jail: &Jail) {
    request.extend([jail.level as u8, u8::from(jail.writes == Writes::Kept)]);
    request.extend(jail.disk.to_le_bytes());
    request.extend(jail.processes.to_le_bytes());
    push_path(request, jail.folder.as_deref());
    push_paths(request, &jail.visible);
}

impl Request {
    /// The first byte.
    pub fn kind(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub fn text(&mut self) -> Option<&[u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    fn c_string(&mut self) -> Option<CString> {
        CString::new(self.text()?).ok()
    }

    /// The next path; empty when there is none.
    pub fn path(&mut self) -> Option<PathBuf> {
        Some(PathBuf::from(OsString::from_vec(self.text()?.to_vec())))
    }

    pub fn paths(&mut self) -> Option<Vec<PathBuf>> {
        let length = self.number()?;
        (0..length).map(|_| self.path()).collect()
    }

    /// The jail in a request.
    pub fn jail(&mut self) -> Option<Jail> {
        let [level, writes] = *self.take(2)? else { return None };
        let level = *Level::ALL.get(usize::from(level))?;
        let writes = if writes == 0 { Writes::Forgotten } else { Writes::Kept };
        let disk = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let processes = self.number()?;
        let folder = Some(self.path()?).filter(|path| !path.as_os_str().is_empty());
        let visible = self.paths()?;
        Some(Jail { level, visible, folder, writes, disk, processes })
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes)
    }

    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Option<&[u8]> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes)
    }
}

/// Two sockets that are connected.
///
/// # Errors
/// The errors of `socketpair`.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Sends a packet.
///
/// # Errors
/// The errors of `sendmsg`: a packet may be too long, or the other side gone.
pub(crate) fn send(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    loop {
        match sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL) {
            Err(Errno::INTR) => {}
            result => return result.map(drop).map_err(io::Error::from),
        }
    }
}

/// Receives a request; `None` if the other side is gone.
pub(crate) fn receive(socket: BorrowedFd<'_>, space: &mut [u8]) -> Option<Request> {
    let mut control = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut control);
    let length = loop {
        match recvmsg(socket, &mut [IoSliceMut::new(space)], &mut control, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) if message.bytes > 0 => break message.bytes,
            Err(Errno::INTR) => {}
            _ => return None,
        }
    };
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            descriptors.extend(received);
        }
    }
    Some(Request { bytes: space[..length].to_vec(), at: 0, descriptors })
}

/// Sends a reply. If the reader is gone, waiting for the next request will notice.
pub(crate) fn reply(socket: BorrowedFd<'_>, numbers: Reply) {
    reply_with(socket, numbers, "", None);
}

/// Sends the result of a request: a number and a descriptor, or an error, with the failed step of the jail.
pub(crate) fn reply_result(socket: BorrowedFd<'_>, result: io::Result<(i32, Option<OwnedFd>)>) {
    match result {
        Ok((number, descriptor)) => reply_with(socket, [0, number, 0], "", descriptor.as_ref().map(AsFd::as_fd)),
        Err(error) => {
            let failure = JailError::downcast(&error);
            let number = failure.map_or(&error, |failure| &failure.source).raw_os_error().unwrap_or(libc::EINVAL);
            let step = failure.map_or("", |failure| &failure.step);
            let needs = Facility::number(failure.and_then(|failure| failure.needs));
            reply_with(socket, [number, needs, 0], step.get(..MAX_STEP_BYTES).unwrap_or(step), None);
        }
    }
}

fn reply_with(socket: BorrowedFd<'_>, numbers: Reply, step: &str, descriptor: Option<BorrowedFd<'_>>) {
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend(step.as_bytes());
    let _ = send(socket, &bytes, descriptor.as_slice());
}

/// Waits for a reply until the socket's timeout, and returns it with its descriptor.
///
/// # Errors
/// The errors of `recvmsg`: `WouldBlock` after a timeout, `UnexpectedEof` if the other side is gone. The inner error is
/// the one in the reply.
pub(crate) fn receive_reply(socket: BorrowedFd<'_>) -> io::Result<io::Result<(Reply, Option<OwnedFd>)>> {
    let mut space = [0; 12 + MAX_STEP_BYTES];
    let mut control = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut control);
    let length = loop {
        match recvmsg(socket, &mut [IoSliceMut::new(&mut space)], &mut control, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) if message.bytes >= 12 => break message.bytes,
            Ok(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    let descriptor = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut received) => received.next(),
        _ => None,
    });
    let number = |at: usize| i32::from_le_bytes([space[at], space[at + 1], space[at + 2], space[at + 3]]);
    let numbers = [number(0), number(4), number(8)];
    if numbers[0] == 0 {
        return Ok(Ok((numbers, descriptor)));
    }
    let source = io::Error::from_raw_os_error(numbers[0]);
    let step = String::from_utf8_lossy(&space[12..length]).into_owned();
    let needs = Facility::by_number(numbers[1]);
    Ok(Err(if step.is_empty() { source } else { JailError { step, needs, source }.into() }))
}

/// An exit in one number: a code as it is, a signal 256 more; -1 when it is not known.
pub(crate) fn exit_number(exit: Option<ProcessExit>) -> i32 {
    match exit {
        Some(ProcessExit::Code(code)) => code & 0xFF,
        Some(ProcessExit::Signal(signal)) => 0x100 + signal,
        None => -1,
    }
}

/// The exit that a number says.
pub(crate) fn exit_of(number: i32) -> Option<ProcessExit> {
    match number {
        0..0x100 => Some(ProcessExit::Code(number)),
        0x100.. => Some(ProcessExit::Signal(number - 0x100)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_arrives_as_it_was_sent() {
        let text = |text: &str| CString::new(text).unwrap();
        let program = Program {
            path: text("/bin/true"),
            words: vec![text("true"), text(""), text("an argument")],
            environment: vec![text("A=1")],
        };
        let (ours, theirs) = pair().unwrap();
        let null = std::fs::File::open("/dev/null").unwrap();
        send(ours.as_fd(), &program.request(), &[null.as_fd()]).unwrap();
        let mut request = receive(theirs.as_fd(), &mut [0; 4096]).unwrap();
        assert_eq!((request.kind(), request.descriptors.len()), (Some(PROGRAM), 1));
        assert_eq!(Program::read(&mut request), Some(program));
        drop(ours);
        assert!(receive(theirs.as_fd(), &mut [0; 4096]).is_none());
    }

    #[test]
    fn a_request_that_is_cut_off_is_refused() {
        let (ours, theirs) = pair().unwrap();
        send(ours.as_fd(), &[PROGRAM, 9, 0, 0, 0, b'x'], &[]).unwrap();
        let mut request = receive(theirs.as_fd(), &mut [0; 4096]).unwrap();
        request.kind();
        assert_eq!(Program::read(&mut request), None);
    }

    #[test]
    fn a_jail_arrives_as_it_was_sent() {
        let jail = Jail {
            level: Level::Full,
            visible: vec!["/home/a/bot".into(), "/opt/b".into()],
            folder: Some("/home/a".into()),
            writes: Writes::Kept,
            disk: 5 << 32,
            processes: 64,
        };
        for jail in [jail, Jail::default()] {
            let mut request = vec![KEEPER];
            push_jail(&mut request, &jail);
            let (ours, theirs) = pair().unwrap();
            send(ours.as_fd(), &request, &[]).unwrap();
            let mut request = receive(theirs.as_fd(), &mut [0; 4096]).unwrap();
            request.kind();
            assert_eq!(request.jail(), Some(jail));
        }
    }

    #[test]
    fn exits_and_replies_arrive() {
        for exit in [Some(ProcessExit::Code(0)), Some(ProcessExit::Code(255)), Some(ProcessExit::Signal(9)), None] {
            assert_eq!(exit_of(exit_number(exit)), exit);
        }
        let (ours, theirs) = pair().unwrap();
        let null = || OwnedFd::from(std::fs::File::open("/dev/null").unwrap());
        reply_result(theirs.as_fd(), Ok((2, Some(null()))));
        let (numbers, descriptor) = receive_reply(ours.as_fd()).unwrap().unwrap();
        assert_eq!((numbers, descriptor.is_some()), ([0, 2, 0], true));
        let refused = || io::Error::from_raw_os_error(libc::EPERM);
        reply_result(theirs.as_fd(), Err(refused()));
        assert_eq!(receive_reply(ours.as_fd()).unwrap().unwrap_err().raw_os_error(), Some(libc::EPERM));
        for needs in [None, Some(Facility::Namespaces), Some(Facility::Overlays), Some(Facility::MountedRoot)] {
            let failure = JailError { step: "mount /proc".to_owned(), needs, source: refused() };
            let words = failure.to_string();
            reply_result(theirs.as_fd(), Err(failure.into()));
            let received = receive_reply(ours.as_fd()).unwrap().unwrap_err();
            assert_eq!((received.to_string(), JailError::downcast(&received).unwrap().needs), (words, needs));
        }
        drop(theirs);
        assert!(receive_reply(ours.as_fd()).is_err());
    }
}
