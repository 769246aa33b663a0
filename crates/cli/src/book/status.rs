//! `agon lab book --status`: progress of the proof, and the estimated rest.

use std::io::Write as _;
use std::path::Path;

use agon_proof::proved::ProofStatus;
use agon_proof::proved::finding::Effort;
use agon_proof::proved::status::{OpeningStatus, name};
use serde_json::{Value, json};

use super::args::{OPENINGS, is_in_middle};
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{FAINT, STRONG, count, paint, span};
use crate::table::{TableLook, table};

pub(super) fn run(work: &Path, chosen: Option<usize>, format: Format) -> anyhow::Result<Exit> {
    let status = ProofStatus::read(work)?;
    let openings: Vec<(usize, &OpeningStatus)> = status
        .openings
        .iter()
        .enumerate()
        .filter(|(number, _)| chosen.is_none_or(|chosen| chosen == *number))
        .collect();
    let each = status.pace;
    let mut out = anstream::stdout();
    match format {
        Format::Json => {
            let (searched, won) = status.searched;
            let openings: Vec<Value> =
                openings.iter().map(|(number, opening)| as_json(*number, opening, each)).collect();
            writeln!(
                out,
                "{}",
                crate::output::json(
                    json!({ "positions": status.positions, "searched": searched, "won": won, "openings": openings })
                )
            )?;
        }
        Format::Text => {
            for (number, opening) in openings {
                write!(out, "{}", as_text(number, opening, each))?;
            }
            let (searched, won) = status.searched;
            let [positions, searched, won] = [status.positions, searched, won].map(|number| count(number as u64));
            let about = format!(
                "{positions} positions with named moves; of {searched} searched for threats {won} are won by them"
            );
            writeln!(out, "{}", paint(FAINT, about))?;
        }
    }
    Ok(Exit::Done)
}

/// Returns the number of refuted fourth moves in the middle, and of all there.
fn middle(opening: &OpeningStatus) -> [usize; 2] {
    let refuted = opening.refuted.iter().filter(|(cell, _)| is_in_middle(*cell)).count();
    [refuted, refuted + opening.open.iter().filter(|open| is_in_middle(open.cell)).count()]
}

fn as_text(number: usize, opening: &OpeningStatus, each: Option<f64>) -> String {
    let (refuted, all) = (opening.refuted.len(), opening.refuted.len() + opening.open.len());
    let [near, middle] = middle(opening);
    let mut text = format!(
        "{}   {refuted} of White's {all} fourth moves lose, {near} of the {middle} in the middle 11 x 11\n",
        paint(STRONG, OPENINGS.get(number).copied().unwrap_or("another opening"))
    );
    let begun = opening.open.iter().filter(|open| open.effort.searches > 0);
    let mut rows = vec![["open", "searches", "time", "proof number", "at half"].map(str::to_owned).to_vec()];
    rows.extend(begun.map(|open| {
        let Effort { searches, time, proof } = open.effort;
        let before = open.before.map_or_else(|| "–".to_owned(), |before| before.proof.to_string());
        vec![name(open.cell), count(searches), span(time as f64 / 1000.0), proof.to_string(), before]
    }));
    if rows.len() > 1 {
        text += &table(&rows, 1, &[0], TableLook::Plain(2));
    }
    let not_begun = opening.open.iter().filter(|open| open.effort.searches == 0).count();
    if not_begun > 0 {
        text += &format!("{not_begun} more were not searched yet\n");
    }
    let [on_refuted, on_open] = opening.spent();
    text += &format!(
        "spent: {} searches on refuted moves, {} on open ones\n",
        count(on_refuted.searches),
        count(on_open.searches)
    );
    text += &match (opening.open.is_empty(), opening.left, each) {
        (true, ..) => "nothing is left\n\n".to_owned(),
        (_, Some(left), Some(each)) => format!(
            "left, if each move is harder than the one before as the last twenty were: {} searches, {}\n\n",
            count(left as u64),
            span(left * each)
        ),
        _ => "too little is refuted to say what is left\n\n".to_owned(),
    };
    text
}

fn as_json(number: usize, opening: &OpeningStatus, each: Option<f64>) -> Value {
    let spent = |effort: Effort| json!({ "searches": effort.searches, "ms": effort.time, "proof": effort.proof });
    let open: Vec<Value> = opening
        .open
        .iter()
        .filter(|open| open.effort.searches > 0)
        .map(|open| json!({ "move": name(open.cell), "spent": spent(open.effort), "half": open.before.map(spent) }))
        .collect();
    let [near, middle] = middle(opening);
    json!({
        "opening": OPENINGS.get(number),
        "refuted": opening.refuted.len(),
        "middle": middle,
        "middle_refuted": near,
        "not_searched": opening.open.len() - open.len(),
        "open": open,
        "left_searches": opening.left,
        "left_s": opening.left.zip(each).map(|(left, each)| left * each),
    })
}
