//! `agon play renju --opening-rule`: the decisions of an opening, by people and by the champion.

use std::io::Write as _;

use agon_catalog::{Capability, Game};
use agon_engines::renju::{Champion, OpeningNodes, OpeningPlayer};
use agon_game::Show as _;
use agon_referee::process;
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, Player, Step, StoneColour};
use agon_rules::renju::{Renju, RuleSet};
use anyhow::bail;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::draw;
use crate::show::{self, paint};

/// The option's values: one of the opening rules.
pub(super) fn rule(text: &str) -> Result<OpeningRule, String> {
    text.parse().map_err(|error: agon_rules::renju::opening_rules::OpeningRuleError| error.to_string())
}

const HELP: &str = "A point such as H8, or a word; ? lists what is legal, undo takes your last decision back, \
                    Ctrl-C stops the game.";

/// Who decides for a player.
pub(super) enum Decider {
    Person,
    /// A built-in player by its name; the champion's values decide.
    Engine(String),
}

impl Decider {
    const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    fn name(&self) -> &str {
        match self {
            Self::Person => "you",
            Self::Engine(name) => name,
        }
    }
}

/// Refuses --opening-rule for other games, and beside options that set the start.
pub(super) fn check(
    game: Game,
    parameters: &[(String, String)],
    texts: [&str; 2],
    built_in: bool,
) -> anyhow::Result<()> {
    if !game.can(Capability::GameFiles) {
        bail!("--opening-rule is for renju: leave it out");
    }
    if let Some((name, _)) = parameters.iter().find(|(name, _)| name == "opening" || name == "opening-rule") {
        bail!("--opening-rule and --set {name} both set the opening: leave one out");
    }
    if !built_in {
        let [first, second] = texts;
        bail!("--opening-rule is for people and built-in players, not for programs: `{first}` against `{second}`");
    }
    Ok(())
}

/// Opens a game: asks people, and lets engines decide by value. `None` if it was broken off.
pub(super) fn open(
    rule: OpeningRule,
    rules: Option<RuleSet>,
    deciders: &[Decider; 2],
    seed: u64,
    shown: bool,
) -> anyhow::Result<Option<OpeningGame>> {
    let mut game = OpeningGame::under(rule, rules.unwrap_or_else(|| rule.rules()));
    let mut engine = OpeningPlayer::new(Box::new(Champion::default()), OpeningNodes::default(), seed);
    let people = deciders.iter().any(Decider::is_person);
    let mut out: Box<dyn std::io::Write> =
        if shown || people { Box::new(anstream::stdout()) } else { Box::new(std::io::sink()) };
    writeln!(out, "{}", paint(show::STRONG, format!("Opening rule: {}", rule.title())))?;
    if people {
        writeln!(out, "{}", paint(show::FAINT, HELP))?;
    }
    while let Some((player, step)) = game.turn() {
        if process::interrupted() {
            return Ok(None);
        }
        let decider = &deciders[player as usize];
        let decision = match decider {
            Decider::Engine(_) => engine.decide(&game),
            Decider::Person => match ask(&mut game, player, step)? {
                Asked::Decided(decision) => Some(decision),
                Asked::TakenBack => continue,
                Asked::Stopped => return Ok(None),
            },
        };
        let Some(decision) = decision else { break };
        let colour = StoneColour::from(game.colour(player));
        if game.apply(decision).is_ok() {
            let title = if deciders.iter().all(Decider::is_person) { number(player) } else { decider.name() };
            writeln!(out, "{title} ({colour}): {}", said(decision))?;
        }
    }
    let black = &deciders[game.black() as usize];
    let holder = if deciders.iter().all(Decider::is_person) { number(game.black()) } else { black.name() };
    writeln!(out, "The opening is complete: {holder} {} Black, White is to move.", holds(holder))?;
    Ok(Some(game))
}

fn holds(holder: &str) -> &'static str {
    if holder == "you" { "hold" } else { "holds" }
}

const fn number(player: Player) -> &'static str {
    match player {
        Player::First => "player 1",
        Player::Second => "player 2",
    }
}

/// A decision in words.
fn said(decision: Decision) -> String {
    match decision {
        Decision::Stone(point) => point.letters(),
        Decision::Keep => "keeps the colours".to_owned(),
        Decision::Swap => "swaps the colours".to_owned(),
        Decision::OfferTen => "offers ten fifth moves".to_owned(),
        Decision::PlaceTwo => "places two more stones".to_owned(),
        Decision::Announce(1) => "announces one fifth move".to_owned(),
        Decision::Announce(number) => format!("announces {number} fifth moves"),
        Decision::Offer(point) => format!("offers {}", point.letters()),
        Decision::Choose(point) => format!("chooses {}", point.letters()),
    }
}

enum Asked {
    Decided(Decision),
    TakenBack,
    Stopped,
}

/// Asks a person for a decision.
fn ask(game: &mut OpeningGame, player: Player, step: Step) -> anyhow::Result<Asked> {
    let mut out = anstream::stdout();
    write!(out, "{}", draw::board(&view(game)))?;
    let seat = Renju::SEATS[game.colour(player).index()];
    writeln!(out, "{} ({seat}): {step}", number(player))?;
    let mut editor = DefaultEditor::new()?;
    loop {
        let line = match editor.readline(&format!("{}> ", words(step))) {
            Ok(line) => line.trim().to_owned(),
            Err(ReadlineError::Interrupted) => {
                process::interrupt();
                return Ok(Asked::Stopped);
            }
            Err(ReadlineError::Eof) => return Ok(Asked::Stopped),
            Err(error) => return Err(error.into()),
        };
        match &*line {
            "" => {}
            "?" => {
                let legal: Vec<String> = game.legal_decisions().iter().map(ToString::to_string).collect();
                writeln!(out, "{}", show::folded(&format!("{} legal   ", legal.len()), &legal.join("  ")))?;
            }
            "undo" => {
                let made = game.decisions().iter().rposition(|&(by, _)| by == player);
                let Some(made) = made else {
                    writeln!(out, "{} you have decided nothing", paint(show::WARN, "no:"))?;
                    continue;
                };
                while game.decisions().len() > made {
                    game.take_back();
                }
                return Ok(Asked::TakenBack);
            }
            _ => match game.read(&line) {
                Ok(decision) => return Ok(Asked::Decided(decision)),
                Err(refusal) => writeln!(out, "{} {refusal}", paint(show::WARN, "no:"))?,
            },
        }
    }
}

/// What can be typed at a step.
const fn words(step: Step) -> &'static str {
    match step {
        Step::Stone { .. } | Step::Offer { .. } | Step::Choose => "point",
        Step::Swap => "swap or keep",
        Step::SwapOrOffer => "swap, keep or ten",
        Step::SwapOrPlaceTwo => "swap, keep or two",
        Step::Announce { .. } => "number",
    }
}

/// The board with the offered fifth moves as small letters: `B` is a black stone.
fn view(game: &OpeningGame) -> agon_game::View {
    let mut view = game.position().view();
    if game.stones().len() < 5 {
        for (point, letter) in game.offers().iter().zip('a'..) {
            view.cells[point.index()].glyph = letter;
        }
    }
    for cell in &mut view.cells {
        if cell.mark == Some(agon_game::Mark::Forbidden) {
            cell.mark = None;
        }
    }
    view
}

/// The moves of the opening, for a record's parameter.
pub(super) fn parameter(game: &OpeningGame) -> String {
    format!("{} {}", game.rule(), game.text())
}

/// The seats of the game: the agent of the player who holds Black first.
pub(super) fn seats<T>(game: &OpeningGame, [first, second]: [T; 2]) -> [T; 2] {
    match game.black() {
        Player::First => [first, second],
        Player::Second => [second, first],
    }
}
