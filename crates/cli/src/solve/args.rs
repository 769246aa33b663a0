//! The arguments of `agon solve`.

use agon_catalog::{Capability, Game};
use clap::{Args, ValueEnum};

use crate::options::{self, game_of};
use crate::span::{A_DAY, TimeSpan, time};

#[derive(Args, Debug)]
#[command(after_help = SOLVE_HELP)]
pub(crate) struct SolveArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Proofs)))]
    pub game: Game,
    /// What to prove
    #[arg(long, value_name = "GOAL", default_value = "score", help_heading = options::only_for(Capability::Solving))]
    pub goal: GoalArg,
    /// Which wins to look for
    #[arg(long, value_name = "MODE", default_value = "any", help_heading = options::only_for(Capability::Threats))]
    pub mode: Threat,
    /// Time limit for one position [default: none]
    #[arg(long, value_name = "TIME", value_parser = time(0..=*A_DAY.end()))]
    pub time: Option<TimeSpan>,
    /// Prove each win again by the rules alone, against every answer
    #[arg(long, help_heading = options::only_for(Capability::Threats))]
    pub verify: bool,
}

const SOLVE_HELP: &str = "\
domineering:
  in   {\"board\": [[1,2,0],[3,1,1]], \"occupied\": [[1,1],[1,2]],
        \"to_move\": \"V\", \"last_pass\": false, \"lead\": -2.5}   (on one line)
       lead is first minus second so far, bonus included; without it -2.5, as at
       the start of a game
  out  {\"value\": -1, \"winner\": \"second\", \"best\": [[1,3]], \"nodes\": 2,
        \"ms\": 0.1, \"proved\": true}
       value is what first gets more than second from here on (null with --goal
       win); best lists every move that achieves the goal; winner is first,
       second or draw. Out of time, proved is false, value and winner are null
       and best is empty

renju: does the side to move win by continuous fours (vcf), by fours and threes
(vct), or by any stones that threaten a win by fours (any, which tries the
others first)?
  in   {\"black\": [[8,8]], \"white\": [[7,7]], \"turn\": \"black\"}
  out  {\"win\": true, \"line\": [[8,9],[8,4],[8,10]], \"nodes\": 3, \"ms\": 0.1}
       line ends with the winning stone and was checked by the rules; PASS is
       [-1,-1]. false: every order of such threats was tried and none wins.
       null: not decided; with --mode any, also when none of them wins
       with --verify a win is proved again by the rules alone, against every
       answer: verified is the number of moves that were checked, or null

An invalid line gets the answer {\"error\": …}; the next line is read as usual.

Examples:
  agon solve domineering --goal win < positions.jsonl
  agon solve renju --mode vct --time 1s < positions.jsonl
  agon solve renju --verify < problems.jsonl";

/// By which threats a win is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Threat {
    /// Continuous fours
    Vcf,
    /// Fours and threes
    Vct,
    /// Fours, else threes too, else any stones that threaten a win by fours
    Any,
}

/// What to prove of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GoalArg {
    /// Who wins
    Win,
    /// The best score
    Score,
}

impl From<Threat> for agon_proof::solution::ThreatMode {
    fn from(threat: Threat) -> Self {
        match threat {
            Threat::Vcf => Self::Fours,
            Threat::Vct => Self::Threats,
            Threat::Any => Self::Any,
        }
    }
}

impl From<GoalArg> for agon_engines::domineering::Goal {
    fn from(goal: GoalArg) -> Self {
        match goal {
            GoalArg::Win => Self::Win,
            GoalArg::Score => Self::Score,
        }
    }
}
