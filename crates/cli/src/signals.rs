//! Ctrl-C and SIGTERM.

use std::thread;

use agon_arena::runner::Brake;
use agon_search::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// From now on a signal to stop ends the running game INTERRUPTED, so that its record is still written; the second one
/// ends everything at once.
pub fn watch() -> anyhow::Result<()> {
    make_spawner();
    on_signal(|count, signal| {
        agon_referee::process::interrupt();
        if count > 0 {
            exit(signal);
        }
    })
}

/// From now on the first signal to stop lets the games that are being played finish, the second kills them, and the
/// third ends everything at once.
pub fn brake(brake: Brake) -> anyhow::Result<()> {
    make_spawner();
    on_signal(move |count, signal| match count {
        0 => {
            anstream::eprintln!("finishing the games in progress; once more to kill them");
            brake.finish();
        }
        1 => brake.cancel(),
        _ => exit(signal),
    })
}

/// From now on the first signal to stop raises this, the second ends everything at once.
pub fn stop(stop: Stop) -> anyhow::Result<()> {
    on_signal(move |count, signal| match count {
        0 => stop.raise(),
        _ => exit(signal),
    })
}

/// What starts the programs is a copy of this process, so it is made before there are threads and much memory. Where it fails, so
/// will the first start of a program, which says why.
fn make_spawner() {
    let _ = agon_jail::prepare();
}

fn on_signal(act: impl Fn(usize, i32) + Send + 'static) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || signals.forever().enumerate().for_each(|(count, signal)| act(count, signal)));
    Ok(())
}

fn exit(signal: i32) -> ! {
    agon_jail::retire_all();
    std::process::exit(128 + signal);
}
