//! Answers requests as engines in a browser do, natively: a JSON request on each line of standard input, its messages
//! on standard output, then the time in milliseconds. Its twin in Node is `tests/it/ask.mjs`.

use std::io::{self, BufRead as _};
use std::thread::available_parallelism;
use std::time::Instant;

use agon_jobs::Stop;
use agon_wasm::Machine;

fn main() -> io::Result<()> {
    let machine = Machine { max_threads: available_parallelism()?.get(), draw: &|| 0, stop: Stop::default() };
    for line in io::stdin().lock().lines() {
        let begun = Instant::now();
        agon_wasm::answer(line?.as_bytes(), &machine, &mut |message| println!("{}", message.json()));
        println!("{{\"ms\":{}}}", begun.elapsed().as_millis());
    }
    Ok(())
}
