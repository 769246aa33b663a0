//! Hash keys used for existing records, books and tables must not change.

use agon_game::Position;
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;

#[test]
fn the_keys_of_positions_are_pinned() {
    let check = |hash: u64, pinned: u64| assert_eq!(hash, pinned, "{hash:#018x}");
    check(Bacteria::start().hash(), 0x73d7_3b5e_646f_7220);
    check("xo5/7/7/7/7/7/7 o 0 2".parse::<Bacteria>().unwrap().hash(), 0x8232_30be_db5e_4402);
    check("331/012/120 <>^/.#v/... H 1 2.5 3".parse::<Domineering>().unwrap().hash(), 0x40a3_9882_2898_9d9b);
    check(
        "15/15/15/15/15/7B7/7W7/7B7/15/15/15/15/15/15/15 B 1 4".parse::<Renju>().unwrap().hash(),
        0x7ef5_f38c_8a63_4a9d,
    );
}
