//! `agon lab loss`: how well networks predict the results of games that they were not trained on.

use std::io::Write as _;
use std::path::PathBuf;

use agon_catalog::{Capability, Game};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_training::contender::read_network;
use agon_training::loss::{Loss, Phase, losses};
use agon_training::{TrainedGame, dataset};
use clap::Args;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::{Format, OutputArgs, game_of};
use crate::table::{TableLook, table};

#[derive(Args, Debug)]
#[command(after_help = LOSS_HELP)]
pub(crate) struct LossArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Networks)))]
    pub game: Game,
    /// Net files, or `champion`
    #[arg(required = true, value_name = "NET")]
    pub nets: Vec<String>,
    /// A file of positions that no network was trained on; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

const LOSS_HELP: &str = "\
For each network and phase of the game: the log-loss of its static values
against the results of the games, in nats, and the mean squared error against
the scores of the searches, in points. 0.693 is the log-loss of a coin toss.
Lower is better, but only games show which network plays better:
`agon lab duel`.

Examples:
  agon lab datagen bacteria --out test.positions --nodes 20000 --positions 50000
  agon lab loss bacteria champion nets/mine.net --data test.positions";

pub(crate) fn run(args: &LossArgs) -> anyhow::Result<Exit> {
    if args.game == Game::RENJU { measure::<Renju>(args) } else { measure::<Bacteria>(args) }
}

fn measure<G: TrainedGame>(args: &LossArgs) -> anyhow::Result<Exit> {
    let networks = args.nets.iter().map(|net| read_network::<G>(net)).collect::<Result<Vec<_>, _>>()?;
    let mut records = Vec::new();
    for path in &args.data {
        records.extend(dataset::read::<G::Record>(path)?.0);
    }
    anyhow::ensure!(!records.is_empty(), "no positions: make some with `agon lab datagen {}`", G::GAME.name());
    let measured: Vec<_> = networks.iter().map(|network| losses::<G>(network, &records)).collect();
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        for ((net, network), (all, phases)) in args.nets.iter().zip(&networks).zip(&measured) {
            let phases = phases.iter().map(|(phase, loss)| {
                json!({ "first_ply": phase.first, "last_ply": phase.last, "positions": loss.positions,
                    "log_loss": of_some(loss, loss.log_loss), "squared_error": of_some(loss, loss.squared_error) })
            });
            let phases: Vec<Value> = phases.collect();
            let line = json!({ "name": net, "net": network.hash(), "positions": all.positions, "log_loss": all.log_loss,
                "squared_error": all.squared_error, "phases": phases });
            writeln!(out, "{}", crate::output::json(line))?;
        }
        return Ok(Exit::Done);
    }
    let figure = |title, of: fn(&Loss) -> f64| {
        let heads = ["plies", "positions"].map(str::to_owned).into_iter().chain(args.nets.iter().cloned());
        let row = |name: String, losses: &[&Loss]| -> Vec<String> {
            let figures =
                losses.iter().map(|loss| if loss.positions > 0 { format!("{:.4}", of(loss)) } else { String::new() });
            [name, losses[0].positions.to_string()].into_iter().chain(figures).collect()
        };
        let phase = |at: usize, phase: &Phase| {
            let name =
                phase.last.map_or_else(|| format!("{} on", phase.first), |last| format!("{} to {last}", phase.first));
            row(name, &measured.iter().map(|(_, phases)| &phases[at].1).collect::<Vec<_>>())
        };
        let phases = measured[0].1.iter().enumerate().map(|(at, (known, _))| phase(at, known));
        let all = row("all".to_owned(), &measured.iter().map(|(all, _)| all).collect::<Vec<_>>());
        let rows: Vec<Vec<String>> = std::iter::once(heads.collect()).chain(phases).chain([all]).collect();
        format!("{title}\n{}", table(&rows, 2, &[0], TableLook::Plain(1)))
    };
    write!(out, "{}", figure("log-loss against the results, in nats", |loss| loss.log_loss))?;
    write!(out, "\n{}", figure("squared error against the scores, in points", |loss| loss.squared_error))?;
    Ok(Exit::Done)
}

/// A mean, where it is one of at least one position.
const fn of_some(loss: &Loss, mean: f64) -> Option<f64> {
    if loss.positions > 0 { Some(mean) } else { None }
}
