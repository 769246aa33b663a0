//! Ctrl-C and SIGTERM.

use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// From now on a signal to stop ends the running game INTERRUPTED, so that its record is still written; the second one
/// ends everything at once.
pub fn watch() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        for (count, signal) in signals.forever().enumerate() {
            agon_referee::process::interrupt();
            if count > 0 {
                agon_referee::process::cgroup::remove_all();
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(())
}
