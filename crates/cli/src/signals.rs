//! Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::thread;

use agon_arena::runner::RunStop;
use agon_search::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

/// From now on a signal ends the running game INTERRUPTED, so that its record is still written; a second one exits
/// immediately.
pub(crate) fn watch() -> anyhow::Result<()> {
    make_spawner();
    on_signal(|count, signal| {
        agon_referee::process::interrupt();
        if count > 0 {
            exit(signal);
        }
    })
}

/// From now on the first signal lets the games in progress finish, the second kills them, and the third exits
/// immediately.
pub(crate) fn run_stop() -> anyhow::Result<RunStop> {
    run_stop_with(|| anstream::eprintln!("finishing the games in progress; once more to kill them"))
}

/// The same if there may be no games in progress: they are not mentioned.
pub(crate) fn quiet_run_stop() -> anyhow::Result<RunStop> {
    run_stop_with(|| ())
}

fn run_stop_with(say: impl Fn() + Send + 'static) -> anyhow::Result<RunStop> {
    make_spawner();
    let run_stop = RunStop::default();
    let pulled = run_stop.clone();
    on_signal(move |count, signal| match count {
        0 => {
            say();
            pulled.finish();
        }
        1 => pulled.cancel(),
        _ => exit(signal),
    })?;
    Ok(run_stop)
}

/// From now on the first signal raises the stop, and the second exits immediately.
pub(crate) fn stop() -> anyhow::Result<Stop> {
    let stop = Stop::default();
    let raised = stop.clone();
    on_signal(move |count, signal| match count {
        0 => raised.raise(),
        _ => exit(signal),
    })?;
    Ok(stop)
}

/// From now on a file that exceeds the user's size limit (`ulimit -f`) is an error of the write, which names the file;
/// otherwise the system would end the process silently. Child programs do not inherit this.
pub(crate) fn survive_file_limit() -> anyhow::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    Ok(())
}

/// The spawner of programs is a copy of this process, so it is created before there are threads and much memory. If
/// this fails, the first start of a program fails too, and says why.
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
