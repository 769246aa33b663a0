//! The readers and writers of files of games: SGF, `RenLib`, RIF, PSQ, `.pos`, texts, positions, records.
#![no_main]

use agon_protocols::formats::{self, FileFormat, Limits, renlib, sgf};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits { games: 50, nodes: 2_000, line_moves: 300, lines: 400 };

fuzz_target!(|bytes: &[u8]| {
    let format = FileFormat::of_content(bytes);
    for format in [format, FileFormat::Pos, FileFormat::Text] {
        let Ok(mut collection) = formats::read(bytes, format, None, &LIMITS) else { continue };
        // What is written can be read, and means the same.
        if let Ok(text) = sgf::write(&collection) {
            let again = sgf::read(&text, &Limits::FILE).expect("SGF that was written");
            assert_eq!(sgf::write(&again).as_ref(), Ok(&text));
        }
        if let Ok((library, _)) = renlib::write(&collection) {
            let again = renlib::read(&library, None, &Limits::FILE).expect("a library that was written");
            assert_eq!(renlib::write(&again).map(|(bytes, _)| bytes), Ok(library));
        }
        for game in &mut collection.games {
            let _ = game.check();
            let (begun, _) = game.split_setups();
            for game in begun.iter().chain([&*game]) {
                let lines = game.lines();
                assert_eq!(lines.iter().map(|line| line.nodes.len()).sum::<usize>(), moves(game));
            }
        }
        for (ending, _, is_written) in FileFormat::ENDINGS {
            if is_written {
                let _ = formats::write(&collection, ending);
            }
        }
    }
});

fn moves(game: &formats::GameTree) -> usize {
    game.nodes.iter().filter(|node| node.made.is_some()).count()
}
