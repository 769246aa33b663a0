//! One output of several threads.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Says whole lines, one after the other, whichever thread says them. Clones share the output.
#[derive(Clone)]
pub struct Voice(Arc<Mutex<Box<dyn Write + Send>>>);

impl Voice {
    /// A voice on an output.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Says a line, at once.
    ///
    /// # Errors
    /// Those of the output: who listened has gone.
    pub fn say(&self, line: impl Display) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // In one write: a listener that reads in pieces must not see half a line.
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    }
}
