//! The tests of this crate from outside, in one program: most of the cost of a test program is linking.

#![allow(unreachable_pub, reason = "a program has no outside")]

mod bacteria_champion;
mod bacteria_ending;
mod bacteria_network;
mod domineering;
mod domineering_champion;
mod domineering_large;
mod domineering_solver;
mod levels;
mod lines;
mod petri_champion;
mod petri_play;
mod petri_species;
mod pvs;
mod renju;
mod renju_board;
mod renju_book;
mod renju_champion;
mod renju_network;
mod renju_opening_player;
mod renju_rule_sets;
mod toy;
