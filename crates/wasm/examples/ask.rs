//! Answers requests as engines in a browser do, natively: a JSON request on each line of standard input, its messages
//! on standard output, then the time in milliseconds. Its twin in Node is `tests/it/ask.mjs`.

use std::io::{self, BufRead as _};
use std::time::Instant;

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let begun = Instant::now();
        agon_wasm::answer(line?.as_bytes(), || 0, &mut |message| println!("{}", message.json()));
        println!("{{\"ms\":{}}}", begun.elapsed().as_millis());
    }
    Ok(())
}
