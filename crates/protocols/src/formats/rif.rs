//! The database of the Renju International Federation, `.rif`: XML with lists of countries, cities, rules, openings,
//! players and tournaments, and games that refer to them by number.
//!
//! A game becomes the properties PB, PW, EV, RO, RU, ON, PC, DT, RE and GN. Its text `info` becomes the comment GC, to
//! which everything without a property is added as lines `name: value`: the clock times (`btime`, `wtime`), the
//! publisher, and anything else in the database.
//!
//! If the fifth moves offered (`alt`) and the swaps (`swap`, a digit for each chance: 1 for a swap) are decisions of
//! the game's opening rule, ON names the rule with all decisions ([`super::opening`]), LB marks the offers, and the
//! name of the opening goes into the comment. Otherwise they go into the comment as they are.

use std::collections::HashMap;

use agon_catalog::Game;
use agon_game::Side;
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, Step};
use agon_rules::renju::{Move, Point};
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::error::{FileError, FileProblem, Limits};
use super::tree::{Collection, GameTree, TreeMove};
use super::{opening, point};

/// The attributes of an element.
type Attributes = HashMap<String, String>;

/// Kinds of elements that games refer to.
const LISTS: [&str; 6] = ["country", "city", "rule", "opening", "player", "tournament"];

/// Attributes of a game that ON says with the decisions of its opening.
const DECIDED: [&str; 2] = ["alt", "swap"];

/// Stones that an opening has at most, and the number of the fifth one from 0.
const MAX_OPENING_STONES: usize = 5;
const FIFTH: usize = 4;

/// Attributes of a game that properties say.
const SAID: [&str; 9] = ["id", "tournament", "round", "rule", "black", "white", "bresult", "opening", "publisher"];

/// The charset that the declaration of an XML file names.
pub(super) fn charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let declared = head.trim_start().strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declared.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split_once(quote).map(|(name, _)| name.to_owned())
}

#[derive(Default)]
struct Database {
    lists: HashMap<(String, String), Attributes>,
}

/// A game whose elements are being read.
struct Open {
    attributes: Attributes,
    line: usize,
    moves: String,
    info: String,
}

/// Reads a database.
///
/// # Errors
/// [`FileError`] with the first line that is not valid XML. A game that cannot be read is refused on its own, unless
/// there is no other.
pub fn read(text: &str, limits: &Limits) -> Result<Collection, FileError> {
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let (mut database, mut collection) = (Database::default(), Collection::default());
    let mut game: Option<Open> = None;
    // The element whose text is read, and its text.
    let (mut inside, mut words) = (String::new(), String::new());
    let mut nodes = 0;
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or_default();
        let line = lines.of(at);
        let event = reader.read_event().map_err(|error| FileError::at(line, FileProblem::xml(&error)))?;
        match event {
            Event::Start(element) | Event::Empty(element) => {
                let name = element.name().as_ref().to_owned();
                let attributes = attributes(&element).map_err(|problem| FileError::at(line, problem))?;
                if name == "game" {
                    game = Some(Open { attributes, line, moves: String::new(), info: String::new() });
                } else if LISTS.contains(&&*name) && game.is_none() {
                    let id = attributes.get("id").cloned().unwrap_or_default();
                    database.lists.insert((name.clone(), id), attributes);
                }
                (inside, words) = (name, String::new());
            }
            Event::Text(more) => words.push_str(&more.xml10_content()),
            Event::CData(more) => words.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                words.push(character.or_else(|| entity(reference.as_ref())).unwrap_or('\u{fffd}'));
            }
            Event::End(element) => {
                match (element.name().as_ref(), &mut game) {
                    ("move", Some(game)) if inside == "move" => game.moves = std::mem::take(&mut words),
                    ("info", Some(game)) if inside == "info" => game.info = std::mem::take(&mut words),
                    ("game", _) => {}
                    _ => continue,
                }
                if element.name().as_ref() == "game"
                    && let Some(open) = game.take()
                {
                    let number = collection.count() + 1;
                    if number > limits.games {
                        return Err(FileError::at(open.line, FileProblem::TooManyGames { limit: limits.games }));
                    }
                    match database.game(&open) {
                        Ok(tree) => {
                            nodes += tree.nodes.len();
                            limits.check(open.line, nodes, tree.nodes.len() - 1)?;
                            collection.games.push(GameTree { number, ..tree });
                        }
                        Err(problem) => collection.refused.push((number, FileError::at(open.line, problem))),
                    }
                }
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    match collection.refused.first() {
        _ if !collection.games.is_empty() => Ok(collection),
        Some((_, error)) => Err(error.clone()),
        None => Err(FileError::whole(FileProblem::RifNoGames)),
    }
}

/// Line numbers of places in a text, requested in order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> usize {
        let at = at.min(self.text.len());
        if at > self.at {
            self.line += self.text.get(self.at..at).map_or(0, |passed| passed.matches('\n').count());
            self.at = at;
        }
        self.line
    }
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => return None,
    })
}

fn attributes(element: &BytesStart<'_>) -> Result<Attributes, FileProblem> {
    let mut all = Attributes::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| FileProblem::xml(&error))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| FileProblem::xml(&error))?;
        all.insert(attribute.key.as_ref().to_owned(), value.trim().to_owned());
    }
    Ok(all)
}

impl Database {
    /// Returns an attribute of a referenced element.
    fn of<'a>(&'a self, from: &'a Attributes, list: &str, reference: &str, name: &str) -> &'a str {
        let id = from.get(reference).map_or("", String::as_str);
        let found = self.lists.get(&(list.to_owned(), id.to_owned()));
        found.and_then(|found| found.get(name)).map_or("", String::as_str)
    }

    fn game(&self, open: &Open) -> Result<GameTree, FileProblem> {
        let mut tree = GameTree::new(Game::RENJU, open.line);
        let of = &open.attributes;
        for (number, word) in open.moves.split_whitespace().enumerate() {
            let m = Move::from_letters(word)
                .map_err(|_| FileProblem::OffBoard { number: number + 1, text: word.to_owned() })?;
            let made = TreeMove { side: Side::BOTH[number % 2], judged: m.to_string() };
            tree.push(number, Some(made), open.line);
        }
        for (property, reference) in [("PB", "black"), ("PW", "white")] {
            let names = ["name", "surname"].map(|name| self.of(of, "player", reference, name));
            tree.set_plain(0, property, names.join(" ").trim());
        }
        let tournament = self.lists.get(&("tournament".to_owned(), of.get("tournament").cloned().unwrap_or_default()));
        let empty = Attributes::new();
        let event = tournament.unwrap_or(&empty);
        let word = |from: &Attributes, name: &str| from.get(name).cloned().unwrap_or_default();
        let result = match of.get("bresult").map(String::as_str) {
            Some("1") => "B+",
            Some("0") => "W+",
            Some("0.5") => "Draw",
            _ => "",
        };
        let rule = if of.contains_key("rule") { of } else { event };
        let rule_name = self.of(rule, "rule", "rule", "name");
        let opened = opened(rule_name, &tree, &word(of, "swap"), &word(of, "alt"));
        let opening_name = self.of(of, "opening", "opening", "name");
        let place = [self.of(event, "city", "city", "name"), self.of(event, "country", "country", "name")];
        let place: Vec<&str> = place.into_iter().filter(|word| !word.is_empty()).collect();
        let mut comment = open.info.trim().to_owned();
        let publisher = ["name", "surname"].map(|name| self.of(of, "player", "publisher", name)).join(" ");
        let mut others: Vec<(&str, &str)> =
            of.iter().map(|(name, value)| (&**name, &**value)).filter(|(name, _)| !SAID.contains(name)).collect();
        others.push(("publisher", publisher.trim()));
        if opened.is_some() {
            others.retain(|(name, _)| !DECIDED.contains(name));
            others.push(("opening", opening_name));
        }
        others.sort_unstable();
        // The database uses 0 for an unknown time.
        for (name, value) in others.into_iter().filter(|(_, value)| !matches!(*value, "" | "0")) {
            if !comment.is_empty() {
                comment.push('\n');
            }
            comment.push_str(&format!("{name}: {value}"));
        }
        for (property, value) in [
            ("EV", word(event, "name")),
            ("RO", word(of, "round")),
            ("RU", rule_name.to_owned()),
            ("ON", opening_name.to_owned()),
            ("PC", place.join(", ")),
            ("DT", date(event)),
            ("RE", result.to_owned()),
            ("GN", of.get("id").map_or_else(String::new, |id| format!("RIF {id}"))),
            ("GC", comment),
        ] {
            tree.set_plain(0, property, &value);
        }
        if let Some(opened) = &opened {
            opening::name_opening(&mut tree, opened);
        }
        Ok(tree)
    }
}

/// Returns the opening of a game by the rule of this name; `None` if the swaps and offers are not those of its moves.
fn opened(rule: &str, tree: &GameTree, swaps: &str, offers: &str) -> Option<OpeningGame> {
    let plain: Vec<&str> =
        rule.split_whitespace().filter(|word| !["opening", "rule"].contains(&&*word.to_ascii_lowercase())).collect();
    let mut game = OpeningGame::new(plain.join(" ").parse::<OpeningRule>().ok()?);
    let stones = tree.main_moves().map_while(|made| point::judged(&made.judged)?.point());
    let stones: Vec<Point> = stones.take(MAX_OPENING_STONES).collect();
    let mut offers: Vec<Point> = offers
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(Point::from_letters)
        .collect::<Result<_, _>>()
        .ok()?;
    // Some databases list the moves that were not chosen only.
    let fifth = stones.get(FIFTH).copied();
    offers.extend(fifth.filter(|fifth| !offers.is_empty() && !offers.contains(fifth)));
    let mut swaps = swaps.chars();
    let mut swap = || match swaps.next()? {
        '0' => Some(Decision::Keep),
        '1' => Some(Decision::Swap),
        _ => None,
    };
    let mut offered = offers.iter().copied();
    while let Some((_, step)) = game.turn() {
        let decision = match step {
            Step::Stone { number, .. } => Decision::Stone(*stones.get(usize::from(number) - 1)?),
            Step::SwapOrOffer if !offers.is_empty() => {
                // The chance that was not taken may have a digit.
                let _ = swap();
                Decision::OfferTen
            }
            Step::Swap | Step::SwapOrOffer | Step::SwapOrPlaceTwo => swap()?,
            Step::Announce { .. } => Decision::Announce(u8::try_from(offers.len()).ok()?),
            Step::Offer { .. } => Decision::Offer(offered.next()?),
            Step::Choose => Decision::Choose(fifth?),
        };
        game.apply(decision).ok()?;
    }
    (swaps.next().is_none() && offered.next().is_none()).then_some(game)
}

/// Returns the start of a tournament: `start`, a date, or its year and month.
fn date(event: &Attributes) -> String {
    let word = |name: &str| event.get(name).map_or("", String::as_str);
    if word("start").len() > 4 {
        return word("start").to_owned();
    }
    match (word("year"), word("month").parse::<u8>()) {
        ("", _) => String::new(),
        (year, Ok(month)) => format!("{year}-{month:02}"),
        (year, Err(_)) => year.to_owned(),
    }
}
