//! The cost of a large site: a store of any size, and a crowd that watches a game.
//!
//! ```text
//! cargo bench -p agon-web --bench load -- store DIR 10000 1000000     programs and games of Bacteria War
//! cargo bench -p agon-web --bench load -- rate DIR     all of them together
//! cargo bench -p agon-web --bench load -- watch DIR 127.0.0.1:8080 1000 120     watchers and seconds
//! cargo bench -p agon-web --bench load -- analyse DIR 127.0.0.1:8080 50 100000     visitors and nodes
//! ```
//!
//! `store` fills a new folder for `agon serve --data DIR` by the methods that the site itself uses, with games that
//! built-in players have really played. `watch` needs that site to run: its watchers follow one game, all together, and
//! the next one when it ends; it prints how late they got each move, and how many moves of the games that ended
//! meanwhile were disturbed. `analyse` lets visitors ask for an analysis of a number of nodes, all together, and prints
//! how evenly they get them. Pages are measured by a public load generator, as BENCHMARKS.md says.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod analyse;
mod store;
mod watch;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds `--bench` at the end.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u32>().map_err(|_| format!("`{word}` is not a number"));
    let done = match words[..] {
        ["store", folder, programs, games] => number(programs)
            .and_then(|programs| store::fill(Path::new(folder), programs, number(games)?).map_err(|e| e.to_string())),
        ["rate", folder] => store::rate(Path::new(folder)).map_err(|e| e.to_string()),
        ["watch", folder, address, watchers, seconds] => number(watchers).and_then(|watchers| {
            watch::watch(Path::new(folder), address, watchers as usize, number(seconds)?).map_err(|e| e.to_string())
        }),
        ["analyse", folder, address, visitors, nodes] => number(visitors).and_then(|visitors| {
            let nodes = number(nodes)?;
            analyse::analyse(Path::new(folder), address, visitors as usize, nodes).map_err(|e| e.to_string())
        }),
        _ => Err("usage: store DIR PROGRAMS GAMES | rate DIR | watch DIR ADDRESS WATCHERS SECONDS | \
             analyse DIR ADDRESS VISITORS NODES"
            .to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
