//! The benchmark: node counts of fixed searches, which change only when a search does.

use agon_game::{MoveError, Side};
use agon_rules::renju::{Move, MoveTextError, Renju};
use agon_search::{Engine, SearchLimits};

use super::search::SearchStats;
use super::{Champion, Evaluation, Fours, PatternBoard, Threats, Tuning};

/// Undecided positions, as the moves that lead to them: Kagetsu, Hogetsu and other openings.
pub const GAMES: [&str; 8] = [
    "H8 H9 I9 G9",
    "H8 I9 I7 I8 H7 G9",
    "H8 G7 H6 J9 I7 J6 J7",
    "H8 H7 J7 G9 I10 F9 I6 E9 D9",
    "H8 G7 H6 J9 I7 J6 J7 H5",
    "H8 I9 I7 I8 H7 G9 F9 J7 G10 I6 H10 H9 E10 F10 D11 G8",
    "H8 H9 I9 G9 J8 G7 G8 I8 J7 K7 I6 H5 J10 J6 I11 K11 I5 I4 K9",
    "H8 H9 I9 G9 J8 G7 G8 I8 J7 K7 I6 H5 J10 J6 I11 K11 I5 I4 K9 L8 H12 G13",
];

/// Default search depth, in plies.
pub const DEPTH: u32 = 4;

/// Size of the tables in bytes. It determines which entries are replaced, and therefore the node count.
pub const TABLE_BYTES: usize = 16 << 20;

/// A position of the benchmark.
///
/// # Errors
/// None, since all of them can be read.
pub fn position(game: &str) -> Result<Renju, BenchError> {
    let moves: Vec<Move> = game.split(' ').map(Move::from_letters).collect::<Result<_, _>>()?;
    Renju::after(&moves).map_err(|(_, error)| BenchError::Illegal(error))
}

/// Searches each position from scratch as the champion does, and returns the numbers of nodes.
///
/// # Errors
/// None, as all positions read.
pub fn search(depth: u32) -> Result<[u64; GAMES.len()], BenchError> {
    Ok(tuned_search(Tuning::default(), depth, TABLE_BYTES)?.nodes)
}

/// Node counts by position, and statistics of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Searched {
    pub nodes: [u64; GAMES.len()],
    pub stats: SearchStats,
}

/// The same with other parameters, and tables of at most `table_bytes`.
///
/// # Errors
/// None, as all positions read.
pub fn tuned_search(tuning: Tuning, depth: u32, table_bytes: usize) -> Result<Searched, BenchError> {
    let mut searched = Searched::default();
    for (nodes, game) in searched.nodes.iter_mut().zip(GAMES) {
        let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
        let mut champion = Champion::new(Evaluation::built_in(), tuning);
        champion.set_memory(table_bytes);
        let found = champion.start(&position(game)?, &limits.into(), &mut |_| {});
        *nodes = found.map_or(0, |found| found.nodes);
        searched.stats += champion.stats();
    }
    Ok(searched)
}

/// Looks in every position for a win by threats of either side, as if it were to move, and returns the nodes of all.
///
/// # Errors
/// None, as all positions read.
pub fn threats(most: u64) -> Result<u64, BenchError> {
    let mut nodes = 0;
    for game in GAMES {
        let mut board = PatternBoard::new(position(game)?.board());
        for side in Side::BOTH {
            let mut threats = Threats::new(TABLE_BYTES);
            // The result does not matter.
            let _ = threats.wins(&mut board, side, SearchLimits::nodes(most));
            nodes += threats.nodes();
        }
    }
    Ok(nodes)
}

/// Dense positions with a long search for fours and no win, one line each.
const FOURS: [&str; 3] = [
    "15/15/15/3BWWW3B4/4WBB1W1WWB2/3BBW1B1WBBW2/3BW1WWBBBWB2/3WBWBBBWWWWB1/5BWWBB1BW2/6WBW1W1W2/6B1BWB4/10B4/\
     15/15/15 W",
    "15/15/15/8W6/4WB1B7/5WB8/5BW1W6/5WBBBBW4/4BWWWBW5/5WBBBW5/4W1WBWW5/3W1B2BB5/2B3B2W5/15/15 B",
    "15/15/15/15/5B3B1W3/7W1WBB3/6WB1WWBW2/3W1W1BBWBBW2/5WBBWWB4/5BBBWB5/3BWW1WB6/4B1WW7/5B9/6W8/15 B",
];

/// Searches for wins by fours repeatedly, with a cleared table, and returns the total number of nodes.
///
/// # Errors
/// None, as all positions read.
pub fn fours(rounds: u32) -> Result<u64, BenchError> {
    let mut nodes = 0;
    for text in FOURS {
        let position: Renju = text.parse()?;
        let mut board = PatternBoard::new(position.board());
        for _ in 0..rounds {
            for side in Side::BOTH {
                let mut fours = Fours::new(1 << 16);
                let _ = fours.wins(&mut board, side, SearchLimits::default());
                nodes += fours.nodes();
            }
        }
    }
    Ok(nodes)
}

/// Places every possible stone of the last position and takes it back, `times` times; returns how many.
///
/// # Errors
/// None, as all positions read.
pub fn stones(rounds: u32) -> Result<u64, BenchError> {
    let mut board = PatternBoard::new(position(GAMES[GAMES.len() - 1])?.board());
    let (cells, mut placed, mut sum) = (board.empties(), 0, 0);
    for _ in 0..rounds {
        for cell in cells.iter() {
            for side in Side::BOTH {
                board.place(cell, side);
                sum ^= board.hash();
                board.take_back();
                placed += 1;
            }
        }
    }
    // Keeps the optimiser from removing the loop.
    std::hint::black_box(sum);
    Ok(placed)
}

/// A position of the benchmark that does not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Move(#[from] MoveTextError),
    #[error(transparent)]
    Illegal(MoveError),
    #[error(transparent)]
    Position(#[from] agon_rules::renju::RenjuTextError),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If a count changes, the search has changed: mention it where the change is described.
    #[test]
    fn searches_visit_the_nodes_that_they_did_and_say_where() {
        let Searched { nodes, stats } = tuned_search(Tuning::default(), DEPTH, TABLE_BYTES).expect("positions");
        assert_eq!(nodes, [452, 256_055, 539, 1_057, 191_168, 306_137, 3_612, 382_441]);
        let all: u64 = nodes.iter().sum();
        let tree = all - stats.root_nodes - stats.fours_nodes;
        assert!(stats.leaves + stats.expanded <= tree && stats.leaves > 0, "{tree} {stats:?}");
        assert!(stats.fours_wins <= stats.fours_searches && stats.fours_searches <= stats.fours_nodes, "{stats:?}");
        assert!(0 < stats.first_cutoffs && stats.first_cutoffs <= stats.cutoffs, "{stats:?}");
        assert!(stats.cutoffs <= stats.expanded && stats.expanded <= stats.moves, "{stats:?}");
        assert!(0 < stats.answering && stats.answering < stats.expanded, "{stats:?}");
    }
}
