//! The log: a line for each event, for people or for programs.

use std::io::{self, IsTerminal as _};

use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::options::LogFormat;

/// Writes the log in a format.
pub(crate) fn subscriber<W>(format: LogFormat, filter: EnvFilter, writer: W) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    // Colours are for a terminal, not for files and journals.
    let log =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer).with_ansi(io::stderr().is_terminal());
    match format {
        LogFormat::Text => Box::new(log.finish()),
        LogFormat::Json => {
            Box::new(log.json().flatten_event(true).with_current_span(true).with_span_list(false).finish())
        }
    }
}
