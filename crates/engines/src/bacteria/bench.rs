//! The benchmark: node counts of fixed searches, which change only when the search does.

use agon_rules::bacteria::{Bacteria, FenError};
use agon_search::{Engine, Evaluate, SearchLimits};

use super::Champion;
use super::search::Tuning;

/// Positions of all stages of the game, from games between strong players and from openings at random.
pub const POSITIONS: [&str; 12] = [
    "x5o/7/7/7/7/7/o5x x 0 1",
    "xx4o/7/7/7/7/7/o5x o 0 1",
    "x4oo/5o1/7/2x4/3x3/5x1/o4xx x 0 4",
    "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10",
    "oo3xx/oo3x1/3x1x1/2xx3/2o2oo/2o2oo/7 o 0 12",
    "xxooo2/xxooo2/1xxoo2/1xxx3/7/oo3xx/oo3xx x 0 16",
    "ooo1xxx/oooxxxx/1ooxxx1/2oox2/2oo3/xx2oo1/xxx1ooo o 0 19",
    "xxxxooo/xxxxooo/xx2o2/x2oo2/2ooo2/xx1oxxx/xx2xxx x 0 22",
    "ooooxx1/oooxxx1/ooxxx2/oxxx3/xxx1ooo/xx1oooo/x1ooooo o 0 25",
    "xxxxxxx/xxxxxxx/oooxx2/ooooo2/ooooooo/ooooo1x/oooo1xx x 0 28",
    "ooooooo/oooxxxx/ooxxxxx/oxxxx1x/oxxx1xx/ooo1xxx/oo1xxxx o 0 30",
    "xxxxxxx/1xxxxxx/xx1xxxx/xxx1xxx/ooooooo/ooooooo/ooooooo o 0 40",
];

/// Default search depth, in plies.
pub const DEPTH: u32 = 14;

/// Default size of the table in bytes: fits into a processor's caches. It determines which entries are replaced, and
/// therefore the node count.
pub const TABLE_BYTES: usize = 16 << 20;

/// [`nodes`] with the champion's evaluation: compiled here, so that the benchmark measures the code that plays.
///
/// # Errors
/// See [`nodes`].
pub fn champion_nodes(tuning: Tuning, depth: u32, table_bytes: usize) -> Result<[u64; POSITIONS.len()], FenError> {
    nodes(&super::evaluation::built_in(), tuning, depth, table_bytes)
}

/// Searches each position from scratch, with an evaluation, a tuning and a table of at most `table_bytes`, and returns
/// the number of nodes.
///
/// # Errors
/// None, as all positions read.
pub fn nodes<E: Evaluate<Bacteria>>(
    evaluation: &E,
    tuning: Tuning,
    depth: u32,
    table_bytes: usize,
) -> Result<[u64; POSITIONS.len()], FenError> {
    let mut nodes = [0; POSITIONS.len()];
    for (nodes, text) in nodes.iter_mut().zip(POSITIONS) {
        let position: Bacteria = text.parse()?;
        let mut champion = Champion::new(evaluation.clone(), tuning);
        champion.set_memory(table_bytes);
        let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
        *nodes = champion.start(&position, &limits.into(), &mut |_| {}).map_or(0, |found| found.nodes);
    }
    Ok(nodes)
}
