//! What the judge, the spawner and a keeper say to each other over their sockets.
//!
//! Each message is one packet. A request of the judge is its kind, then:
//!
//! | request | to | content | descriptors | reply |
//! |---|---|---|---|---|
//! | `KEEPER` | spawner | group, the group to leave it for | the keeper's socket | result, pid |
//! | `PROGRAM` | keeper | path, arguments, environment | output, errors | none |
//! | `START` | keeper | processors, one more variable, 1 if the program is started again later | input | result, pid |
//! | `FREEZER` | keeper | the freezer's folder | none | none |
//! | `END` | keeper | nothing | none | exit, whether all is gone |
//!
//! Texts are preceded by their length. A reply is three numbers.

use std::ffi::CString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

use super::exit::ProcessExit;

pub const KEEPER: u8 = 1;
pub const PROGRAM: u8 = 2;
pub const START: u8 = 3;
pub const FREEZER: u8 = 4;
pub const END: u8 = 5;

/// More than a packet may have: the kernel's limit is 208 KiB with its own overhead in it.
pub const LONGEST: usize = 256 << 10;

/// A program to run: its path, its arguments (the first one is its name) and its whole environment as `NAME=value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The file to run.
    pub path: CString,
    /// Its name and its arguments.
    pub words: Vec<CString>,
    /// Its environment.
    pub environment: Vec<CString>,
}

/// A request as it was received.
pub struct Request {
    bytes: Vec<u8>,
    at: usize,
    /// The descriptors that came with it.
    pub descriptors: Vec<OwnedFd>,
}

/// Three numbers.
pub type Reply = [i32; 3];

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
pub fn push(request: &mut Vec<u8>, text: &[u8]) {
    request.extend((text.len() as u32).to_le_bytes());
    request.extend(text);
}

impl Request {
    /// The kind: the first byte.
    pub fn kind(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// The next text.
    pub fn text(&mut self) -> Option<&[u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    fn c_string(&mut self) -> Option<CString> {
        CString::new(self.text()?).ok()
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

/// Sends a packet.
///
/// # Errors
/// Those of `sendmsg`: a packet may be too long, or the other side gone.
pub fn send(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
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

/// Receives a request; `None` when the other side is gone.
pub fn receive(socket: BorrowedFd<'_>, space: &mut [u8]) -> Option<Request> {
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

/// Sends a reply; that nobody reads it is found when the next request is awaited.
pub fn reply(socket: BorrowedFd<'_>, numbers: Reply) {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let _ = send(socket, &bytes, &[]);
}

/// Waits for a reply, as long as the socket's timeout allows.
///
/// # Errors
/// Those of `recv`: `WouldBlock` when the time is over, `UnexpectedEof` when the other side is gone.
pub fn receive_reply(socket: BorrowedFd<'_>) -> io::Result<Reply> {
    let mut bytes = [0_u8; 12];
    loop {
        match rustix::net::recv(socket, &mut bytes[..], RecvFlags::empty()) {
            Ok((_, 12)) => break,
            Ok(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Ok([number(0), number(4), number(8)])
}

/// An exit in two numbers.
pub fn exit_numbers(exit: Option<ProcessExit>) -> [i32; 2] {
    match exit {
        Some(ProcessExit::Code(code)) => [0, code],
        Some(ProcessExit::Signal(signal)) => [1, signal],
        None => [2, 0],
    }
}

/// The exit that two numbers say.
pub fn exit_of(numbers: [i32; 2]) -> Option<ProcessExit> {
    match numbers {
        [0, code] => Some(ProcessExit::Code(code)),
        [1, signal] => Some(ProcessExit::Signal(signal)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    fn pair() -> (OwnedFd, OwnedFd) {
        socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).unwrap()
    }

    #[test]
    fn a_program_arrives_as_it_was_sent() {
        let text = |text: &str| CString::new(text).unwrap();
        let program = Program {
            path: text("/bin/true"),
            words: vec![text("true"), text(""), text("an argument")],
            environment: vec![text("A=1")],
        };
        let (ours, theirs) = pair();
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
        let (ours, theirs) = pair();
        send(ours.as_fd(), &[PROGRAM, 9, 0, 0, 0, b'x'], &[]).unwrap();
        let mut request = receive(theirs.as_fd(), &mut [0; 4096]).unwrap();
        request.kind();
        assert_eq!(Program::read(&mut request), None);
    }

    #[test]
    fn exits_and_replies_arrive() {
        for exit in [Some(ProcessExit::Code(3)), Some(ProcessExit::Signal(9)), None] {
            assert_eq!(exit_of(exit_numbers(exit)), exit);
        }
        let (ours, theirs) = pair();
        reply(theirs.as_fd(), [-1, 2, 3]);
        assert_eq!(receive_reply(ours.as_fd()).unwrap(), [-1, 2, 3]);
        drop(theirs);
        assert!(receive_reply(ours.as_fd()).is_err());
    }
}
