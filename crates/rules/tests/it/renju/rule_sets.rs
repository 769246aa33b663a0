//! Rule sets other than ALPHANO's: which rows win, what is forbidden, and where a game may begin.

use agon_game::{Outcome, Position as _, Show as _, Side, laws};
use agon_rules::renju::{Move, Point, Renju, RuleSet};

#[test]
fn the_laws_hold_for_each_rule_set() {
    for rules in RuleSet::ALL {
        laws::obey(&Renju::start(rules), 6, 2);
        assert_eq!(rules.name().parse(), Ok(rules));
    }
}

/// Four black and white stones with a gap, filled to five or six.
#[test]
fn rows_win_by_the_rules() {
    let check = |row: &str, stone: usize, turn: char, expected: [Option<Side>; 4]| {
        for (rules, expected) in RuleSet::ALL.into_iter().zip(expected) {
            let name = if rules == RuleSet::Alphano { String::new() } else { format!(" {rules}") };
            let stones = row.chars().filter(char::is_ascii_uppercase).count();
            let text = format!("{}{row}/15/15/15/15/15/15/15 {turn}{name} 0 {stones}", "15/".repeat(7));
            let mut position: Renju = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(position.rules(), rules);
            assert_eq!(position.to_string(), text);
            let m = Move::Stone(Point::new(8, stone).expect("a point"));
            assert_eq!(position.wins().contains(m.point().expect("a stone")), expected.is_some(), "{text}");
            if position.is_legal(m) {
                position.play_unchecked(m, &mut ());
            }
            assert_eq!(position.outcome(), expected.map(Outcome::Win), "{text}");
            assert_eq!(position.end_reason().is_some(), expected.is_some());
        }
    };
    let [black, white] = [Some(Side::First), Some(Side::Second)];
    check("BBBB11", 5, 'B', [black; 4]);
    check("WWWW11", 5, 'W', [white; 4]);
    check("BBBB1B9", 5, 'B', [None, None, None, black]);
    check("WWWW1W9", 5, 'W', [white, white, None, white]);
}

#[test]
fn only_renju_forbids() {
    // A double three, a double four and an overline: renju forbids each to Black.
    let check = |text: &str, point: &str| {
        for rules in RuleSet::ALL {
            let position: Renju = text.replace(" B 0", &format!(" B {rules} 0")).parse().expect(text);
            let point = Point::from_letters(point).expect(point);
            let forbids = matches!(rules, RuleSet::Alphano | RuleSet::Renju);
            assert_eq!(position.forbidden(point).is_some(), forbids, "{rules}");
            assert_eq!(position.forbidden_points().contains(point), forbids, "{rules}");
            assert_eq!(position.is_legal(Move::Stone(point)), !forbids, "{rules}");
        }
    };
    check("15/15/15/15/15/7B7/7B7/5BB8/15/15/15/15/15/15/15 B 0 4", "H8");
    check("15/15/15/15/7B7/7B7/7B7/4BBB8/15/15/15/15/15/15/15 B 0 6", "H8");
    check("15/15/15/15/15/15/15/BBB1BBB8/15/15/15/15/15/15/15 B 0 6", "D8");
}

#[test]
fn a_game_begins_anywhere_but_in_a_contest() {
    let moves = ["H8", "F9"].map(|text| Move::from_letters(text).expect(text));
    assert!(Renju::after(&moves).is_err());
    for rules in [RuleSet::Renju, RuleSet::Standard, RuleSet::Freestyle] {
        let position = Renju::after_under(rules, &moves).expect("legal");
        assert_eq!(position.count_moves(), 224, "223 points and PASS");
        assert_eq!(position.preamble(), format!("POSITION {position}\n"));
    }
    assert_eq!(Renju::default().preamble(), "");
}

/// The same stones under other rules are another position.
#[test]
fn hashes_differ_by_rule_set() {
    let mut hashes: Vec<u64> = RuleSet::ALL.into_iter().map(|rules| Renju::start(rules).hash()).collect();
    assert_eq!(hashes[0], 0);
    hashes.dedup();
    assert_eq!(hashes.len(), 4);
}

#[test]
fn unknown_rule_sets_are_refused() {
    let error = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 B 0 0 caro".parse::<Renju>().expect_err("unknown");
    assert_eq!(error.to_string(), "unexpected text after the number of turns: `caro`");
    let error = "caro".parse::<RuleSet>().expect_err("unknown");
    assert_eq!(error.to_string(), "unknown rule set: `caro`; expected alphano, renju, standard or freestyle");
}
