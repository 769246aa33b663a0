//! One output that several threads write to.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes whole lines, one after the other, whichever thread writes them. Clones share the output.
#[derive(Clone)]
pub struct SharedWriter(Arc<Mutex<Box<dyn Write + Send>>>);

impl SharedWriter {
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Writes a line, and flushes it.
    ///
    /// # Errors
    /// The errors of the output: its reader is gone.
    pub fn write_line(&self, line: impl Display) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // In one write: a listener that reads in pieces must not see half a line.
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    }
}
