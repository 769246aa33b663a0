#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod alternating;
pub mod evaluation;
pub mod game_state;
pub mod hash;
pub mod laws;
pub mod observer;
pub mod perft;
pub mod player;
pub mod position;
pub mod public;
pub mod score;
pub mod seed;
pub mod side;
pub mod text;
pub mod time;
pub mod view;

pub use agon_message::{English, IntoReason, Reason};
pub use alternating::Alternating;
pub use evaluation::{Evaluation, Score};
pub use game_state::{Ending, GameState, Interaction};
pub use observer::{Change, Observer};
pub use player::{Player, Stateless};
pub use position::{MoveError, Position, Show};
pub use public::{HIDDEN, Public};
pub use score::GameScore;
pub use side::{Outcome, Side};
pub use time::TimeControl;
pub use view::{
    CARD_HEIGHT, CardSpot, CardTable, Cell, FACE_DOWN, Gauge, GaugeName, Graph, GraphPlace, GridStyle, Hand, Mark,
    Outline, SeatName, Stack, View,
};
