//! Renju's rules held against positions of other programs, a second implementation, and the laws of every game.

mod naive;

mod explanation;
mod forbidden;
mod games;
mod notation;
mod opening;
mod opening_rules;
mod records;
mod rule_sets;
mod stones;
