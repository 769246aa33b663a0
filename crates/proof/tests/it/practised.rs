//! The drop-out expansion of the openings, and the book that comes of it.

use std::collections::HashMap;

use agon_engines::renju::book::Symmetry;
use agon_engines::renju::book::notation::read_stones;
use agon_game::Side;
use agon_jobs::Stop;
use agon_proof::practised::{BookNode, DropOutExpansion};
use agon_rules::renju::{Move, Stones};

/// Nodes of a search: the first iterations.
const NODES: u64 = 3_000;

fn stones(text: &str) -> Stones {
    read_stones(text).expect(text)
}

fn examined(line: &str) -> BookNode {
    line.parse().expect(line)
}

/// Practises until `count` positions were searched; returns the tree, and the new searches.
fn practise(known: &[BookNode], positions: usize) -> (DropOutExpansion, Vec<BookNode>) {
    let (mut expansion, mut found) = (DropOutExpansion::new(known.to_vec()), Vec::new());
    while expansion.len() < positions {
        let Some(next) = expansion.next_search() else { break };
        let examined = BookNode::search(&next, NODES, &Stop::default()).expect("a search");
        assert_eq!(examined.stones, next);
        found.push(examined.clone());
        expansion.learn(examined);
    }
    (expansion, found)
}

#[test]
fn what_was_searched_is_read_as_it_is_written() {
    for line in ["H8I7/I9 G9:-279 H7:15", "H9H8/I9 A1:win O15:loss", "H8I7/I9"] {
        assert_eq!(examined(line).to_string(), line);
    }
    for line in ["", "H8I7", "H8I7/I9 G9", "H8I7/I9 G9:x", "H8I7/I9 H8:1", "H8I7/I9 G9:999999999", "H8I7J6/I9 G9:1"] {
        assert!(line.parse::<BookNode>().is_err(), "{line}");
    }
}

#[test]
fn expansion_goes_on_where_it_was() {
    let (expansion, found) = practise(&[], 60);
    assert_eq!((expansion.len(), found.len()), (60, 60));
    // Half of it known, the other half is the same.
    let (again, rest) = practise(&found[..30], 60);
    assert_eq!((again.len(), rest.len()), (60, 30));
    assert_eq!(rest, found[30..]);
    assert_eq!(again.book(), expansion.book());
    // Black's third move after both second moves, and White's answer to every third move but for symmetry.
    assert_eq!(expansion.values(Side::First).len(), 2);
    assert!(expansion.values(Side::Second).len() > 8);
}

/// A move that looked best and whose answer turns out bad gives way to the next.
#[test]
fn what_is_found_behind_a_move_counts() {
    let mut expansion = DropOutExpansion::new([]);
    let mut searches = HashMap::new();
    let mut rounds = 0;
    while rounds < 200 {
        rounds += 1;
        let Some(next) = expansion.next_search() else { break };
        let free: Vec<u8> = next.empties().iter().filter(|cell| (60..180).contains(cell)).collect();
        // The move that looks best to Black in its first positions is bad, the second best is good.
        let moves = match next.black.len() + next.white.len() {
            2 | 3 => vec![(free[0], 0)],
            4 => vec![(free[0], 500), (free[1], 400)],
            5 if next.black.contains(free[0] - 1) => vec![(free[0], 900)],
            _ => vec![(free[0], -600)],
        };
        searches.insert(next, moves.clone());
        expansion.learn(BookNode { stones: next, moves });
    }
    for (root, value) in expansion.values(Side::First) {
        // The tree says what the searches said, from the leaves up.
        assert_eq!(value, backed_up(&searches, &root, Side::First), "{root}");
    }
}

/// The value to `side` by plain recursion, where the tree's own positions may be turned.
fn backed_up(searches: &HashMap<Stones, Vec<(u8, i32)>>, at: &Stones, side: Side) -> i32 {
    let turn = if at.black.len() == at.white.len() { Side::First } else { Side::Second };
    let canonical = |stones: Stones| {
        let turned = Symmetry::ALL.into_iter().map(|symmetry| symmetry.stones(&stones));
        turned.min().expect("eight")
    };
    // Moves named by its own search, and moves to another searched position; the third move is in the middle.
    let named = searches[at].iter().copied();
    let near = |cell: &u8| at.len() > 2 || (5..10).contains(&(cell / 15)) && (5..10).contains(&(cell % 15));
    let linked = at.empties().iter().filter(near).map(|cell| (cell, i32::MIN));
    let best = named.chain(linked).map(|(cell, value)| {
        let after = canonical(at.with(turn, cell));
        if searches.contains_key(&after) { backed_up(searches, &after, turn) } else { value }
    });
    let value = best.max().expect("a move");
    if turn == side { value } else { -value }
}

#[test]
fn a_position_that_cannot_be_searched_is_not_asked_for_again() {
    let mut expansion = DropOutExpansion::new([]);
    for _ in 0..40 {
        let Some(next) = expansion.next_search() else { break };
        expansion.give_up(&next);
    }
    assert!(expansion.next_search().is_none());
    assert!(expansion.book().moves().is_empty());
}

/// A game is followed before anything else, and its moves count although no search considered them.
#[test]
fn games_are_followed() {
    let read =
        |text: &str| -> Vec<Move> { text.split(' ').map(|text| Move::from_letters(text).expect(text)).collect() };
    // White's fourth move and Black's fifth, mirrored, are none that the answers below name.
    let game = read("H8 I8 I9 C3 D4");
    let mut expansion = DropOutExpansion::new([]);
    assert!(!expansion.follow(&read("H8 I9 C3 D4")), "no third move that is legal");
    assert!(!expansion.follow(&read("H8 H9 I9").repeat(2)[..2]), "too short");
    assert!(expansion.follow(&game));
    let asked = |expansion: &mut DropOutExpansion, moves: &[(u8, i32)]| {
        let stones = expansion.next_search().expect("a position");
        expansion.learn(BookNode { stones, moves: moves.to_vec() });
        stones
    };
    // By Black: +100 after three stones, -300 by the game's fourth move, +700 by its fifth instead of -300.
    let opening = asked(&mut expansion, &[(100, -100)]);
    let fourth = asked(&mut expansion, &[(101, -300)]);
    let fifth = asked(&mut expansion, &[(102, 700)]);
    assert_eq!([opening, fourth, fifth].map(|stones| stones.len()), [3, 4, 5]);
    let value = expansion.values(Side::Second).into_iter().find(|&(root, _)| root == opening).expect("Kagetsu").1;
    assert_eq!(value, 300, "to White: the best of the search's move and the game's");
    // Without the game all of it is found again when it is known.
    let known = [(opening, (100, -100)), (fourth, (101, -300)), (fifth, (102, 700))];
    let mut again = DropOutExpansion::new(known.map(|(stones, m)| BookNode { stones, moves: vec![m] }));
    let mut asked = Vec::new();
    while again.len() < 20 {
        let stones = again.next_search().expect("a position");
        asked.push(stones);
        again.learn(BookNode { stones, moves: vec![(103, 0)] });
    }
    assert!(![opening, fourth].iter().any(|stones| asked.contains(stones)));
    // The opening's own search names another move, so that only the known position itself leads there.
    assert!(asked.len() <= again.len() - 2, "{} of {} asked", asked.len(), again.len());
}

#[test]
fn stops_and_losses_are_reported() {
    let stop = Stop::default();
    stop.raise();
    assert_eq!(BookNode::search(&stones("H8I7/I9"), NODES, &stop), None);
    // A search that is cut off in its first iteration keeps the value of the first line.
    let cut_off = BookNode::search(&stones("H8I7/G9"), 300, &Stop::default()).expect("a search");
    assert_ne!(cut_off.moves[0].1, 0, "{cut_off}");
    // A five: a win at once.
    let won = BookNode::search(&stones("H8I8J8K8/H9I9J9A1"), NODES, &Stop::default()).expect("a search");
    assert!(won.to_string().contains(":win"), "{won}");
    // White has two points for a five, and Black has nothing.
    let lost = BookNode::search(&stones("A1A15O1O15/H8I8J8K8"), NODES, &Stop::default()).expect("a search");
    assert!(lost.to_string().contains(":loss"), "{lost}");
}
