//! Campaigns: generation after generation of games, training and gates, in one folder.
//!
//! A [`Campaign`] repeats four steps until it has as many generations as were asked for:
//!
//! 1. *Self-play*: the newest accepted network plays itself ([`crate::selfplay`]); the positions are `NNN.positions`.
//! 2. *Training*: a network learns from the positions of the last generations ([`crate::network`]), `NNN.net`.
//! 3. *Gate*: it plays the newest accepted network, at a fixed number of nodes and, if asked, by the clock, until a
//!    sequential test has decided ([`gate`]).
//! 4. *Promotion*: if it is stronger, it plays the games of the next generation.
//!
//! `campaign.toml` contains everything that determines a campaign, `NNN.toml` the results of generation N, beside its
//! net. Each step is recorded when it is done and resumes after a stop or a kill: self-play at the block of games,
//! training at the epoch, a gate at the pair of games. The same options give the same networks, whatever stopped the
//! campaign and on however many cores, except where a gate is played by the clock.

pub mod gate;
pub mod options;
pub mod record;
pub mod run;
pub mod schedule;
pub mod status;

pub use gate::{GateVerdict, Judgement};
pub use options::{CampaignGames, CampaignOptions, option_flags};
pub use record::{CampaignFile, DataRecord, GateRecord, GenerationRecord, SelfplayRecord, TrainingRecord, ladder};
pub use run::{Campaign, CampaignError, CampaignEvent, CampaignLimits, CampaignStep, recorded_options};
pub use schedule::Schedule;
pub use status::{CampaignStatus, LiveStep};
