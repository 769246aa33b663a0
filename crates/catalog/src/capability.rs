//! Optional features of a game.

/// Something that commands and boards offer for some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    /// Each agent is one program for the whole game, on one clock.
    Turns,
    /// A program runs anew for every action.
    Actions,
    /// The size of its board can be set.
    Size,
    /// Its starting position is drawn from the seed.
    DrawnStart,
    /// An engine searches it by nodes and depth and reports lines.
    Lines,
    /// Its search can use several threads.
    ParallelSearch,
    /// Whole boards are solved.
    Solving,
    /// Positions near the end of a game are proved.
    Endings,
    /// Wins by a row of threats are proved.
    Threats,
    /// An analysis can be drawn.
    Picture,
    /// Positions are proved by `agon solve`.
    Proofs,
    /// `agon bench` measures its engines.
    Bench,
    /// Networks are trained for it.
    Networks,
    /// Games against itself are adjudicated by a lead.
    Adjudication,
    /// The first moves of games against itself are drawn in several ways.
    Beginnings,
    /// It has an opening book.
    Book,
    /// It has puzzles: positions in which only one move wins.
    Puzzles,
    /// Its games can be written as SGF, `.psq` and lines of moves.
    GameFiles,
    /// Some places are forbidden to a side.
    ForbiddenPoints,
}

impl Capability {
    pub const ALL: [Self; 19] = [
        Self::Turns,
        Self::Actions,
        Self::Size,
        Self::DrawnStart,
        Self::Lines,
        Self::ParallelSearch,
        Self::Solving,
        Self::Endings,
        Self::Threats,
        Self::Picture,
        Self::Proofs,
        Self::Bench,
        Self::Networks,
        Self::Adjudication,
        Self::Beginnings,
        Self::Book,
        Self::Puzzles,
        Self::GameFiles,
        Self::ForbiddenPoints,
    ];
}
