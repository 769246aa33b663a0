//! `agon lab book --practise`: the openings played through by searches.

use std::io::Write as _;

use agon_engines::renju::book::{PractisedBook, notation};
use agon_game::Side;
use agon_proof::practised::{DropOutExpansion, LOST, practise};
use agon_search::evaluate::MAX_EVALUATION;
use anyhow::bail;
use serde_json::json;

use super::args::GrowArgs;
use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::options::Format;
use crate::progress::Bar;
use crate::show::{FAINT, STRONG, count, paint, signed};
use crate::{convert, signals};

pub(super) fn run(args: &GrowArgs) -> anyhow::Result<Exit> {
    let job = args.job()?;
    if job.book.exists() && !job.work.exists() {
        bail!(
            "`{}` would be overwritten: its work file `{}` is missing; name it with --work, or name another book",
            job.book.display(),
            job.work.display()
        );
    }
    let mut expansion = DropOutExpansion::new([]);
    let mut left_out = LeftOut::default();
    for games in &args.follow {
        let mut followed = 0;
        for moves in convert::games_of(games, &mut left_out)? {
            followed += u64::from(expansion.follow(&moves));
        }
        if followed == 0 {
            bail!("`{}` has no game of renju of three moves or more", games.display());
        }
    }
    let stop = signals::stop()?;
    let bar = Bar::new("{spinner} {human_pos} positions searched, {per_sec}, {elapsed}")?;
    let book = practise(&mut expansion, args.nodes, &job, &stop, &bar)?;
    drop(bar);
    report(&expansion, &book, args.output.format)?;
    let exit = left_out.exit();
    Ok(if stop.is_raised() { Exit::Stopped } else { exit })
}

fn report(expansion: &DropOutExpansion, book: &PractisedBook, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let values = Side::BOTH.map(|side| expansion.values(side));
    match format {
        Format::Json => {
            let [black, white] = values.map(|values| {
                let values = values.into_iter().map(|(stones, value)| (notation::stones(&stones), json!(value)));
                values.collect::<serde_json::Map<_, _>>()
            });
            let moves = book.moves().len();
            writeln!(
                out,
                "{}",
                crate::output::json(
                    json!({ "searched": expansion.len(), "moves": moves, "black": black, "white": white })
                )
            )?;
        }
        Format::Text => {
            for (side, values) in ["Black", "White"].into_iter().zip(values) {
                writeln!(out, "{}", paint(STRONG, format!("{side}, by the stones of the opening")))?;
                for (stones, value) in values {
                    let stones = notation::stones(&stones);
                    // At either end of the scale every searched move of a side loses.
                    let value = match value {
                        MAX_EVALUATION.. => "won".to_owned(),
                        ..=LOST => "lost".to_owned(),
                        _ => signed(f64::from(value) / 100.0, 2),
                    };
                    writeln!(out, "  {stones:<12} {value}")?;
                }
            }
            let (searched, moves) = (count(expansion.len() as u64), count(book.moves().len() as u64));
            writeln!(out, "{}", paint(FAINT, format!("{searched} positions searched, {moves} with a move that held")))?;
        }
    }
    Ok(())
}
