//! Input features of a network.

/// The features of a game's positions, each present or absent, as two views: the first side's and the second's. Seen
/// by its owner and seen by the other, a cell is another feature; so one set of weights serves both sides.
pub trait Features<P>: Send + Sync + 'static {
    /// Name that identifies the features in net files. It must change whenever the numbers change their meaning.
    const NAME: &'static str;

    /// Number of features, which are numbered from 0.
    const COUNT: usize;

    /// Number of features, the first ones, for which a new network gets random rows; they express what the others do,
    /// but less precisely.
    const DRAWN: usize = Self::COUNT;

    /// Maximum number of features in a view, at most [`List::CAPACITY`].
    const ACTIVE: usize;

    /// Number of stages of the game, each with its own output.
    const STAGES: usize;

    /// The part of a position that its features depend on, small enough to be kept for every ply.
    type Board: Copy + Send;

    /// Number of features of points, which a network may also see (see [`PointRows`]); 0 for a game without them.
    const POINTS: usize = 0;

    /// True if networks of these features are trained with rows of 8 bits. Networks with 16 bits can be read too.
    const NARROW: bool = false;

    /// Number of symmetries of the board under which its features are only permuted: [`SYMMETRIES`], or 1 for a game
    /// that has none or whose features are invariant.
    const SYMMETRIES: usize = 1;

    /// Returns the image of a feature under a symmetry below [`Self::SYMMETRIES`], 0 being the identity: the features
    /// of a board's image are the images of its features.
    fn image(feature: usize, _symmetry: usize) -> usize {
        feature
    }

    /// The board of a position.
    fn board(position: &P) -> Self::Board;

    /// The stage of a board, below [`Self::STAGES`].
    fn stage(board: Self::Board) -> usize;

    /// Lists the features present, in each side's view.
    fn present(board: Self::Board, views: &mut [List; 2]);

    /// Lists the points of the board that have features, each with its own below [`Self::POINTS`].
    fn points(_: &Self::Board, _: &mut Vec<PointRows>) {}

    /// Number of *joined* features, or 0. A joined feature stands for several that often occur together: a search adds
    /// a single row, their sum, instead of theirs. The network's value is the same.
    const JOINED: usize = 0;

    /// Lists the features that a joined one stands for. The parts of its image are the images of its parts.
    fn parts(_joined: usize, _parts: &mut List) {}

    /// Lists, for each side's view, joined features that together stand for all present features.
    fn joined(_board: Self::Board, _views: &mut [Joined; 2]) {}
}

/// The joined features of a view.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// Features that are permuted by the symmetries of the board.
    pub turning: Vec<Images>,
    /// Features that are invariant under all symmetries.
    pub fixed: List,
}

impl Joined {
    #[inline]
    pub fn clear(&mut self) {
        self.turning.clear();
        self.fixed.clear();
    }
}

/// Number of symmetries of a square, the maximum for any board.
pub const SYMMETRIES: usize = 8;

/// Image of a feature under each symmetry of the board; the first is the feature itself.
pub type Images = [u32; SYMMETRIES];

/// Features of one point of the board. Unlike those of a view, they are summed and clamped point by point before they
/// count, so that features on one point interact and features on different points do not.
pub type PointRows = [u16; 5];

#[derive(Clone, Debug)]
pub struct List {
    features: [u32; Self::CAPACITY],
    count: usize,
}

impl List {
    /// Maximum number of features; any more are dropped.
    pub const CAPACITY: usize = 256;

    #[inline]
    pub fn push(&mut self, feature: usize) {
        if let Some(slot) = self.features.get_mut(self.count) {
            *slot = feature as u32;
            self.count += 1;
        }
    }

    /// Adds one at the end if `wanted`, without a branch that a processor could guess wrong.
    #[inline]
    pub fn push_if(&mut self, wanted: bool, feature: usize) {
        if let Some(slot) = self.features.get_mut(self.count) {
            *slot = feature as u32;
            self.count += usize::from(wanted);
        }
    }

    #[inline]
    pub const fn clear(&mut self) {
        self.count = 0;
    }

    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.features[..self.count.min(Self::CAPACITY)]
    }
}

impl Default for List {
    fn default() -> Self {
        Self { features: [0; Self::CAPACITY], count: 0 }
    }
}
