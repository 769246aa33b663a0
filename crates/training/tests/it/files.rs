//! Files of records: everything written can be read, whatever stopped the writing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agon_engines::bacteria::Windows;
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::BOARD;
use agon_search::Stop;
use agon_search::nnue::{Features, List};
use agon_training::bacteria::BacteriaRecord;
use agon_training::dataset::{DataError, Writer, read};
use agon_training::generate::generate;
use agon_training::record::PositionRecord;
use proptest::prelude::*;
use tempfile::TempDir;

fn any_record() -> impl Strategy<Value = BacteriaRecord> {
    (0..=BOARD, 0..=BOARD, any::<i16>(), 0..3_u8, 0..=400_u16).prop_map(|(own, other, value, half_points, ply)| {
        BacteriaRecord { cells: [own, other & !own], value, half_points, ply }
    })
}

proptest! {
    #[test]
    fn records_read_back(record in any_record()) {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        prop_assert_eq!(bytes.len(), BacteriaRecord::BYTES);
        prop_assert_eq!(BacteriaRecord::read(&bytes), Some(record));
    }

    /// The images of a board are as full as it is, all different ones lead back, and number 0 is the board itself.
    #[test]
    fn symmetries_move_cells(record in any_record()) {
        prop_assert_eq!(record.images(0), record.cells);
        for symmetry in 0..BacteriaRecord::SYMMETRIES {
            let image = record.images(symmetry);
            prop_assert_eq!(image.map(u64::count_ones), record.cells.map(u64::count_ones));
            let back = (0..8).any(|back| BacteriaRecord { cells: image, ..record }.images(back) == record.cells);
            prop_assert!(back);
            prop_assert_eq!(BacteriaRecord { cells: image, value: 0, ..record }.key(), record.key());
        }
    }
}

proptest! {
    /// A network's view of a board's image is the image of its view of the board.
    #[test]
    fn features_have_images(record in any_record()) {
        let seen = |symmetry| {
            let mut views = <[List; 2]>::default();
            <Windows as Features<Bacteria>>::present(record.board(symmetry), &mut views);
            views.map(|view| view.as_slice().to_vec())
        };
        for symmetry in 0..BacteriaRecord::SYMMETRIES {
            let image = |feature: u32| <Windows as Features<Bacteria>>::image(feature as usize, symmetry) as u32;
            for (of_image, of_board) in seen(symmetry).into_iter().zip(seen(0)) {
                let images: BTreeSet<u32> = of_board.into_iter().map(image).collect();
                prop_assert_eq!(of_image.into_iter().collect::<BTreeSet<u32>>(), images, "symmetry {}", symmetry);
            }
        }
    }
}

#[test]
fn other_boards_have_other_keys() {
    let record = BacteriaRecord { cells: [0b110, 0b1000], value: 0, half_points: 1, ply: 0 };
    let key = |cells| BacteriaRecord { cells, ..record }.key();
    for cells in [[0b1000, 0b110], [0b110, 0b10000], [0b10, 0b1000], [0b111, 0b1000], [0b110, 0]] {
        assert_ne!(key(cells), record.key(), "{cells:?}");
    }
}

#[test]
fn a_corner_has_eight_images_beside_it() {
    // The cell right of a corner: its images are the two neighbours along the edge of each corner.
    let record = BacteriaRecord { cells: [0b10, 0], value: 0, half_points: 1, ply: 0 };
    let images: BTreeSet<u64> = (0..8).map(|symmetry| record.images(symmetry)[0]).collect();
    let expected = [1, 5, 7, 13, 35, 41, 43, 47].map(|cell| 1_u64 << cell);
    assert!(images.into_iter().eq(expected));
}

/// The records of a block, some of them.
fn block(number: usize) -> Vec<BacteriaRecord> {
    let record = |i: usize| BacteriaRecord {
        cells: [1 << (i % 49), 0],
        value: number as i16,
        half_points: (i % 3) as u8,
        ply: i as u16,
    };
    (1..20 + number % 7).map(record).collect()
}

/// Creates or extends a file to at least `records` records.
fn make(path: &Path, jobs: usize, records: u64) {
    let mut writer = Writer::open::<BacteriaRecord>(path, "test").unwrap();
    let worker = || |number| Some(block(number));
    generate(&mut writer, jobs, records, &Stop::default(), worker, &()).unwrap();
    assert!(writer.records() >= records);
}

#[test]
fn any_number_of_hands_makes_the_same_file() {
    let folder = TempDir::new().unwrap();
    let files = [1, 2, 7].map(|jobs| {
        let path = folder.path().join(jobs.to_string());
        make(&path, jobs, 1_000);
        fs::read(&path).unwrap()
    });
    assert!(files[0] == files[1] && files[1] == files[2]);
    let (records, text) = read::<BacteriaRecord>(&folder.path().join("1")).unwrap();
    assert_eq!(text, "bacteria-1\ntest");
    let expected: Vec<BacteriaRecord> = (0..).flat_map(block).take(records.len()).collect();
    assert!(records == expected && records.len() >= 1_000 && records.len() < 1_030);
}

/// Wherever the writing was stopped, the same file comes out in the end.
#[test]
fn a_torn_file_is_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    make(&whole, 1, 200);
    let bytes = fs::read(&whole).unwrap();
    for length in (0..bytes.len()).step_by(3) {
        let torn = folder.path().join("torn");
        fs::write(&torn, &bytes[..length]).unwrap();
        make(&torn, 1, 200);
        assert!(fs::read(&torn).unwrap() == bytes, "torn after {length} of {} bytes", bytes.len());
    }
}

#[test]
fn a_block_that_is_given_up_is_not_kept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("stopped");
    let stop = Stop::default();
    let mut writer = Writer::open::<BacteriaRecord>(&path, "test").unwrap();
    let worker = || {
        |number| {
            if number == 3 {
                stop.raise();
            }
            (number < 3).then(|| block(number))
        }
    };
    generate(&mut writer, 1, 1_000_000, &stop, worker, &()).unwrap();
    assert_eq!(writer.blocks(), 3);
}

#[test]
fn other_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("file");
    make(&path, 1, 100);
    let other = Writer::open::<BacteriaRecord>(&path, "another test").unwrap_err();
    assert!(matches!(other, DataError::Other { .. }), "{other}");

    let bytes = fs::read(&path).unwrap();
    let check = |change: &dyn Fn(&mut Vec<u8>), expected: &str| {
        let mut changed = bytes.clone();
        change(&mut changed);
        fs::write(&path, changed).unwrap();
        let error = read::<BacteriaRecord>(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|bytes| bytes[0] = b'x', "no file of records");
    check(&|bytes| bytes[8] = 9, "another version");
    check(&|bytes| bytes[17] = b'x', "was made by");
    // Somewhere in the first block's frame, and its number of records.
    check(&|bytes| bytes[60] ^= 1, "block 0 is damaged");
    check(&|bytes| bytes[35] ^= 1, "block 0 is damaged");
    // A text in place of a file of records stays unchanged.
    fs::write(&path, "notes").unwrap();
    assert!(matches!(Writer::open::<BacteriaRecord>(&path, "test"), Err(DataError::Header(_))));
    assert_eq!(fs::read(&path).unwrap(), b"notes");
}
