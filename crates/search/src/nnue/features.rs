//! Input features of a network.

/// The features of a game's positions, each present or absent, as two views: the first side's and the second's. Seen
/// by its owner and seen by the other, a cell is another feature; so one set of weights serves both sides.
pub trait Features<P>: Send + Sync + 'static {
    /// The name by which net files know them. Another name whenever the numbers mean something else.
    const NAME: &'static str;

    /// How many features there are. A feature is a number below it.
    const COUNT: usize;

    /// How many of them, the first ones, a new network draws rows for: these say what the others do, but less exactly.
    const DRAWN: usize = Self::COUNT;

    /// How many a view can have at once, at most; not above [`List::CAPACITY`].
    const ACTIVE: usize;

    /// How many stages of the game have an output of their own.
    const STAGES: usize;

    /// All of a position that its features depend on, small enough to be kept for every ply.
    type Board: Copy + Send;

    /// How many features points have, which a network may see besides (see [`PointRows`]); 0 for a game without any.
    const POINTS: usize = 0;

    /// Whether networks of these features are trained with rows of 8 bits. Those with 16 are read, too.
    const NARROW: bool = false;

    /// How many symmetries the board has under which its features only change places: [`SYMMETRIES`], or 1 for a game
    /// that has none, or whose features are the same under all of them.
    const SYMMETRIES: usize = 1;

    /// What a feature becomes under a symmetry below [`Self::SYMMETRIES`], 0 being none: the features of a board's
    /// image are the images of the board's.
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

    /// How many *joined* features there are, 0 if there are none. A joined feature stands for several that are often
    /// present together: a search adds one row, their sum, instead of theirs. What a network says is the same.
    const JOINED: usize = 0;

    /// Lists the features that a joined one stands for. The parts of its image are the images of its parts.
    fn parts(_joined: usize, _parts: &mut List) {}

    /// Lists, in each side's view, joined features that together stand for all that are present.
    fn joined(_board: Self::Board, _views: &mut [Joined; 2]) {}
}

/// The joined features of a view.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// Those that change places under the symmetries of the board.
    pub turning: Vec<Images>,
    /// Those that are the same under all of them.
    pub fixed: List,
}

impl Joined {
    #[inline]
    pub fn clear(&mut self) {
        self.turning.clear();
        self.fixed.clear();
    }
}

/// How many symmetries a square has, which no board has more of.
pub const SYMMETRIES: usize = 8;

/// What a feature is under each symmetry of the board, itself under the first.
pub type Images = [u32; SYMMETRIES];

/// The features of one point of the board. Unlike those of a view, what the features of a point say is summed and
/// clamped point by point before it counts, so that features on one point count otherwise than features apart.
pub type PointRows = [u16; 5];

#[derive(Clone, Debug)]
pub struct List {
    features: [u32; Self::CAPACITY],
    count: usize,
}

impl List {
    /// The most features it holds; what comes after that is dropped.
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
