//! Reading lines of another program.

use std::io::{self, BufRead};

/// Maximum length of a line, in bytes. Neither protocol has lines a tenth as long, but both must survive one.
pub const KEPT: usize = 64 << 10;

/// Reads the next non-blank line, trimmed; `None` at the end of the input. Invalid UTF-8 is replaced, lines longer than
/// [`KEPT`] are truncated. A line may end in LF, CR LF, or CR, as lines of Gomocup engines may.
///
/// # Errors
/// The errors of the input.
///
/// ```
/// use agon_protocols::line::read;
/// let mut input = &b"  uai\r\n\n\rgo depth 3"[..];
/// assert_eq!(read(&mut input)?.as_deref(), Some("uai"));
/// assert_eq!(read(&mut input)?.as_deref(), Some("go depth 3"));
/// assert_eq!(read(&mut input)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        let ended = chunk.is_empty();
        let end = chunk.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let text = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&text[..text.len().min(KEPT - line.len())]);
        let used = text.len() + usize::from(end.is_some());
        input.consume(used);
        if !ended && end.is_none() {
            continue;
        }
        let text = line.trim_ascii();
        if !text.is_empty() {
            return Ok(Some(String::from_utf8_lossy(text).into_owned()));
        }
        if ended {
            return Ok(None);
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_never_refused() {
        let check = |input: &[u8], lines: &[&str]| {
            // A small buffer, so that lines come in pieces.
            let mut input = io::BufReader::with_capacity(3, input);
            let read: Vec<String> = std::iter::from_fn(|| read(&mut input).unwrap()).collect();
            assert_eq!(read, lines);
        };
        check(b"", &[]);
        check(b"\n \r\n\t\n", &[]);
        check(b"START 15\r\nBEGIN\rEND", &["START 15", "BEGIN", "END"]);
        check(b"\xff\n", &["\u{fffd}"]);
        let long = "x".repeat(KEPT + 100);
        check(format!("{long}\nquit\n").as_bytes(), &[&long[..KEPT], "quit"]);
    }
}
