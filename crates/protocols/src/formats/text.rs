//! Moves as texts: one after the other (`h8h9i8`), numbered (`1. h8 h9 2. i8`), a move a line, with the tags of PGN
//! ([`pgn`]), with comments in braces and variations in round brackets; and lists of openings
//! as offsets from the centre, the column first, as Gomocup has them (`0,0, 0,-1, 1,1`).
//!
//! A variation follows the move that it replaces, as in PGN and on the boards of Agon: `H8 H9 (G8 I7) I9`. A time in
//! parentheses, `H8(0.5s)`, is the duration of the move, and becomes a comment.

use agon_catalog::{Capability, Game, Setup};
use agon_game::{Outcome, Side};
use agon_rules::renju::{Move, Point};

use super::error::{FileError, FileProblem, Limits};
use super::pgn::{self, Tags};
use super::tree::{Collection, GameTree, TreeMove};
use super::{point, positions, psq};

/// Reads the games of a text, whose moves belong to this game unless a header FEN has a position of another one. A game
/// with headers that cannot be read is refused on its own.
///
/// # Errors
/// [`FileError`] with the first invalid line.
pub fn read(text: &str, game: Game, limits: &Limits) -> Result<Collection, FileError> {
    let text = linked(text).unwrap_or(text);
    if let Some(games) = of_offsets(text, game, limits)? {
        return Ok(Collection::from_games(games));
    }
    let mut reader = TextReader {
        game,
        limits,
        open: GameTree::new(game, 1),
        first: Side::First,
        at: 0,
        line: 1,
        plies: vec![0],
        brackets: Vec::new(),
        tags: Tags::default(),
        result: None,
        is_over: false,
        collection: Collection::default(),
        is_agons: Vec::new(),
        nodes: 0,
    };
    let apart = lines_apart(text, game);
    let is_header = |words: &str| words.trim_start().starts_with('[');
    // PGN's way to put other things into a file.
    let is_escaped = |words: &str| words.starts_with('%');
    let has_headers = text.lines().any(is_header);
    let mut comment: Option<(usize, String)> = None;
    // The lines of a refused game are skipped: the rest of its headers, and its moves.
    let (mut refused, mut after_headers) = (false, false);
    for (line, words) in (1..).zip(text.lines()) {
        reader.line = line;
        if refused && !(after_headers && is_header(words)) {
            after_headers |= !words.trim().is_empty() && !is_header(words);
            continue;
        }
        refused = false;
        if comment.is_none() && is_escaped(words) {
            continue;
        }
        if apart && !words.trim().is_empty() && !reader.open.main_line().is_empty() {
            reader.finish()?;
        }
        match reader.line_of_text(words, &mut comment) {
            Err(error) if has_headers && !reader.is_too_much() => {
                reader.refuse(error);
                (refused, after_headers, comment) = (true, !is_header(words), None);
            }
            read => read?,
        }
    }
    if let Some((line, _)) = comment {
        return Err(FileError::at(line, FileProblem::OpenComment));
    }
    if let Some(error) = reader.open_variation().filter(|_| !has_headers) {
        return Err(error);
    }
    reader.finish()?;
    let TextReader { mut collection, is_agons, .. } = reader;
    if collection.games.is_empty() {
        return Err(match collection.refused.drain(..).next() {
            Some((_, error)) => error,
            None => FileError::whole(FileProblem::NoMoves),
        });
    }
    pgn::settle(&mut collection, &is_agons);
    Ok(collection)
}

/// Returns the openings of a text that contains only comma-separated numbers, one per line; `None` for other texts.
fn of_offsets(text: &str, game: Game, limits: &Limits) -> Result<Option<Vec<GameTree>>, FileError> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut games = Vec::new();
    for (number, line) in lines {
        let words = line.trim_end_matches(',').split(',').map(|word| word.trim().parse::<i64>().ok());
        let numbers: Vec<i64> = match words.collect::<Option<_>>() {
            Some(numbers) if line.contains(',') && game.can(Capability::GameFiles) => numbers,
            _ => return Ok(None),
        };
        let stones: Option<Vec<String>> = numbers.chunks(2).map(of_offset).collect();
        let moves = stones.ok_or_else(|| FileError::at(number, FileProblem::Offsets { line: line.to_owned() }))?;
        limits.check(number, (games.len() + 1) * moves.len(), moves.len())?;
        if games.len() >= limits.games {
            return Err(FileError::at(number, FileProblem::TooManyGames { limit: limits.games }));
        }
        games.push(GameTree { place: number.into(), ..GameTree::of_moves(game, moves) });
    }
    Ok(Some(games).filter(|games| !games.is_empty()))
}

/// The stone so far from the centre, as the judge writes it.
fn of_offset(pair: &[i64]) -> Option<String> {
    let &[column, row] = pair else { return None };
    let centre = i64::from(Point::CENTRE.row());
    Some(Move::Stone(Point::new(centre.checked_add(row)?, centre.checked_add(column)?)?).to_string())
}

/// Returns the moves of a link to gomocalc, after its last slash: `https://gomocalc.com/#/h8h9i8`.
fn linked(text: &str) -> Option<&str> {
    let link = text.trim();
    let is_link = (link.starts_with("https://") || link.starts_with("http://")) && !link.contains(char::is_whitespace);
    let (_, moves) = link.split_once('#').filter(|_| is_link)?.1.rsplit_once('/')?;
    split(moves).is_some().then_some(moves)
}

/// Returns true if each line is a game of its own: several lines of several moves that all start with the same one.
fn lines_apart(text: &str, game: Game) -> bool {
    if !game.can(Capability::GameFiles) {
        return false;
    }
    let mut first: Option<&str> = None;
    let mut lines = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words = points(line);
        match words[..] {
            [one, _, ..] if first.is_none_or(|first| first.eq_ignore_ascii_case(one)) => first = Some(one),
            _ => return false,
        }
        lines += 1;
    }
    lines > 1
}

/// Returns the points at the start of a line; none if anything else precedes the second.
fn points(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        match split(word) {
            Some(more) => words.extend(more),
            None => break,
        }
    }
    words
}

/// Splits a word that consists only of points, `h8h9i8`.
fn split(word: &str) -> Option<Vec<&str>> {
    let starts: Vec<usize> = word.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([word.len()]);
    let parts: Vec<&str> = starts.iter().zip(ends).map(|(&start, end)| &word[start..end]).collect();
    let is_point = |part: &&str| (2..=3).contains(&part.len()) && part[1..].bytes().all(|byte| byte.is_ascii_digit());
    (starts.first() == Some(&0) && parts.iter().all(is_point)).then_some(parts)
}

/// Returns true for a time such as `12`, `0.5s`, `1:05` or `3 min`.
fn is_time(text: &str) -> bool {
    let unit = text.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ':'));
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && matches!(unit.trim_start(), "" | "s" | "sec" | "ms" | "m" | "min" | "h")
}

/// Notations of programs for a PASS.
const PASSES: [&str; 5] = ["--", "0000", "Z0", "@@@@", "null"];

/// Finds an annotation of PGN that is a word of its own: the length before it, its glyph, and its end.
fn sign_at(text: &str) -> (usize, Option<u8>, usize) {
    let end = text.find(|c: char| c.is_whitespace() || "(){};".contains(c)).unwrap_or(text.len());
    let (bare, glyph) = pgn::signed(&text[..end]);
    (bare.len(), glyph, end)
}

struct TextReader<'a> {
    game: Game,
    limits: &'a Limits,
    open: GameTree,
    /// The side that moves first in the open game.
    first: Side,
    at: usize,
    line: usize,
    plies: Vec<usize>,
    /// Where to continue after each open variation.
    brackets: Vec<usize>,
    tags: Tags,
    /// Result after the moves, if given.
    result: Option<Outcome>,
    /// True if a result has ended the moves of the current game.
    is_over: bool,
    collection: Collection,
    /// For each game, whether Agon has written it.
    is_agons: Vec<bool>,
    nodes: usize,
}

impl TextReader<'_> {
    fn refused<T>(&self, problem: FileProblem) -> Result<T, FileError> {
        Err(FileError::at(self.line, problem))
    }

    /// Returns true if the file exceeds the limits.
    fn is_too_much(&self) -> bool {
        self.nodes > self.limits.nodes || self.collection.count() >= self.limits.games
    }

    /// Returns the error of a variation that is not closed.
    fn open_variation(&self) -> Option<FileError> {
        let place = self.open.nodes[*self.brackets.last()?].place;
        Some(FileError::at(place, FileProblem::OpenVariation))
    }

    /// Ends a game, if one has started, and starts the next.
    fn finish(&mut self) -> Result<(), FileError> {
        if let Some(error) = self.open_variation() {
            self.refuse(error);
            return Ok(());
        }
        if self.open.nodes.len() > 1 || self.open.position.is_some() {
            self.tags.apply(&mut self.open, self.result);
            self.is_agons.push(self.tags.is_agons());
            if self.collection.count() >= self.limits.games {
                return self.refused(FileProblem::TooManyGames { limit: self.limits.games });
            }
            let number = self.collection.count() + 1;
            let game = self.next_game().in_order();
            self.collection.games.push(GameTree { number, ..game });
        } else if !self.tags.is_empty() {
            let error = FileError::at(self.open.place, FileProblem::NoMovesInGame);
            self.refuse(error);
        }
        self.next_game();
        Ok(())
    }

    /// Begins the next game, and returns the one before.
    fn next_game(&mut self) -> GameTree {
        (self.at, self.plies, self.first) = (0, vec![0], Side::First);
        (self.tags, self.result, self.is_over) = (Tags::default(), None, false);
        self.brackets.clear();
        // If the first games of a file name their game, the others belong to it as well.
        let next = GameTree::new(self.open.game, self.line);
        std::mem::replace(&mut self.open, next)
    }

    /// Leaves the open game out.
    fn refuse(&mut self, error: FileError) {
        self.collection.refused.push((self.collection.count() + 1, error));
        self.next_game();
    }

    fn line_of_text(&mut self, mut words: &str, comment: &mut Option<(usize, String)>) -> Result<(), FileError> {
        if comment.is_none() && words.trim_start().starts_with('[') {
            words = self.header(words.trim())?;
        }
        let mut rest = words;
        loop {
            if let Some((_, text)) = comment {
                let Some((more, after)) = rest.split_once('}') else {
                    text.push_str(rest);
                    text.push('\n');
                    return Ok(());
                };
                let text = std::mem::take(text) + more;
                *comment = None;
                self.comment(&text);
                rest = after;
            }
            rest = rest.trim_start();
            let Some(c) = rest.chars().next() else { return Ok(()) };
            match c {
                '{' => {
                    *comment = Some((self.line, String::new()));
                    rest = &rest[1..];
                }
                '(' => {
                    if self.at == 0 {
                        return self.refused(FileProblem::NoMoveToReplace);
                    }
                    // Numbers alone may be a move of another game.
                    let is_renju = self.open.game.can(Capability::GameFiles);
                    let is_time = |inside: &str| is_time(inside) && (is_renju || inside.ends_with(char::is_alphabetic));
                    if let Some((time, after)) = rest[1..].split_once(')').filter(|(inside, _)| is_time(inside)) {
                        self.open.append_plain(self.at, "C", time.trim());
                        rest = after;
                        continue;
                    }
                    self.brackets.push(self.at);
                    self.at = self.open.nodes[self.at].parent;
                    rest = &rest[1..];
                }
                ')' => {
                    let Some(at) = self.brackets.pop() else {
                        return self.refused(FileProblem::UnexpectedBracket);
                    };
                    self.at = at;
                    rest = &rest[1..];
                }
                '#' => return Ok(()),
                // Between points a semicolon parts them; else a comment begins.
                ';' => {
                    rest = rest[1..].trim();
                    let is_moves = !rest.is_empty() && rest.split_whitespace().all(|word| split(word).is_some());
                    if !is_moves {
                        self.open.append_plain(self.at, "C", rest);
                        return Ok(());
                    }
                }
                _ => {
                    // Before points are split at slashes.
                    if let Some((end, outcome)) = pgn::result_at(rest) {
                        if self.brackets.is_empty() {
                            (self.result, self.is_over) = (outcome.or(self.result), true);
                        }
                        rest = &rest[end..];
                        continue;
                    }
                    // An annotation may contain slashes.
                    if let (0, Some(glyph), end) = sign_at(rest) {
                        self.glyph(glyph);
                        rest = &rest[end..];
                        continue;
                    }
                    // The first number again begins another game.
                    let is_first = rest.strip_prefix("1.").is_some_and(|rest| !rest.starts_with('.'));
                    if is_first && rest.len() == words.trim_start().len() && self.is_behind_moves() {
                        self.finish()?;
                    }
                    let ends = |c: char| c.is_whitespace() || "(){};,/".contains(c);
                    let end = self.pair(rest).or_else(|| rest.find(ends)).unwrap_or(rest.len());
                    let (word, after) = rest.split_at(end.max(usize::from(end == 0)));
                    self.word(word)?;
                    rest = after;
                }
            }
        }
    }

    /// Parses tags `[Name "value"]`; the first one after moves starts the next game. Returns the rest of the line.
    fn header<'a>(&mut self, line: &'a str) -> Result<&'a str, FileError> {
        if self.open.nodes.len() > 1 || self.is_over {
            self.finish()?;
        }
        let Some((tags, rest)) = Tags::line(line) else {
            return self.refused(FileProblem::Header { line: line.to_owned() });
        };
        for (name, value) in tags {
            let fen = (name.eq_ignore_ascii_case("FEN") && !value.is_empty()).then(|| value.clone());
            self.tags.push(name, value);
            if let (None, Some(game)) = (&self.open.position, self.tags.game()) {
                self.open.game = game;
            }
            if let Some(fen) = fen {
                self.position(&fen)?;
            }
        }
        Ok(rest)
    }

    /// Returns true if there are moves of the main line before this place.
    fn is_behind_moves(&self) -> bool {
        self.brackets.is_empty() && self.plies[self.at] > 1 && self.open.game.can(Capability::GameFiles)
    }

    /// Parses a comment, in which `[%emt 0:00:01.5]` is the time of the move.
    fn comment(&mut self, text: &str) {
        const COMMAND: &str = "[%emt ";
        let mut plain = text.trim().to_owned();
        if let Some(begun) = plain.find(COMMAND)
            && let Some(length) = plain[begun..].find(']')
            && let Some(seconds) = pgn::command_seconds(&plain[begun + COMMAND.len()..begun + length])
        {
            self.open.set_plain(self.at, psq::MOVE_TIME, &seconds);
            plain = format!("{}{}", &plain[..begun], plain[begun + length + 1..].trim_start());
        }
        let plain = plain.trim();
        if !plain.is_empty() {
            self.open.append_plain(self.at, "C", plain);
        }
    }

    /// The position at which the open game begins.
    fn position(&mut self, text: &str) -> Result<(), FileError> {
        let (game, state) = match positions::start_of(text, Some(self.game)) {
            Ok(start) => start,
            Err(problem) => return self.refused(problem),
        };
        let usual = game.initial_state(&Setup::default()).ok().map(|start| start.position());
        self.open.game = game;
        self.open.position = Some(state.position()).filter(|position| usual.as_ref() != Some(position));
        self.first = state.turn().unwrap_or(Side::First);
        Ok(())
    }

    /// Returns the length of a text that starts like `3,4`, in a game with this notation.
    fn pair(&self, text: &str) -> Option<usize> {
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let first = digits(text);
        let second = digits(text[first..].strip_prefix(',')?);
        (first > 0 && second > 0 && !self.open.game.can(Capability::GameFiles)).then_some(first + 1 + second)
    }

    fn word(&mut self, word: &str) -> Result<(), FileError> {
        if matches!(word, "," | "/") {
            return Ok(());
        }
        // Numbers of moves, `12.` or `12...`, alone or before the move.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        // The row and the column of domineering as one word, `3.4` or `3,4`.
        let numbers = word.split_once(['.', ',']).filter(|_| !self.open.game.can(Capability::GameFiles));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((row, column)) = numbers.filter(|(row, column)| is_number(row) && is_number(column)) {
            return self.make(&format!("{row} {column}"));
        }
        let numbered = digits.len() < word.len() && digits.starts_with('.');
        let word = if numbered { digits.trim_start_matches('.') } else { word };
        if word.is_empty() {
            return Ok(());
        }
        if let Some(number) = word.strip_prefix('$') {
            return self.glyph_number(number);
        }
        let (bare, glyph) = pgn::signed(word);
        let moves = match split(bare) {
            Some(parts) if self.open.game.can(Capability::GameFiles) => parts,
            _ if bare.is_empty() => Vec::new(),
            _ => vec![bare],
        };
        for m in moves {
            self.make(m)?;
        }
        if let Some(glyph) = glyph {
            self.glyph(glyph);
        }
        Ok(())
    }

    /// A numeric annotation glyph of PGN.
    fn glyph_number(&mut self, number: &str) -> Result<(), FileError> {
        match number.parse() {
            Ok(0) => {}
            Ok(number) => self.glyph(number),
            Err(_) => return self.refused(FileProblem::Glyph { number: number.to_owned() }),
        }
        Ok(())
    }

    fn glyph(&mut self, number: u8) {
        let (name, value) = pgn::property_of_glyph(number);
        if !self.open.property(self.at, name).is_some_and(|property| property.values.contains(&value)) {
            self.open.add_value(self.at, name, value);
        }
    }

    fn make(&mut self, text: &str) -> Result<(), FileError> {
        if self.is_over && self.brackets.is_empty() {
            self.finish()?;
        }
        let plies = self.plies[self.at];
        let text = if PASSES.contains(&text) { "PASS" } else { text };
        let judged = if self.open.game.can(Capability::GameFiles) {
            match Move::from_letters(text) {
                Ok(m) => Ok(m.to_string()),
                // A text that starts with a move is a game, whose other moves are read.
                Err(error) if self.at > 0 => Err(FileProblem::rules(&error)),
                Err(error) => return self.refused(FileProblem::rules(&error)),
            }
        } else {
            Ok(pgn::judged_of_word(text).unwrap_or_else(|| text.to_owned()))
        };
        self.nodes += 1;
        self.limits.check(self.line, self.nodes, plies + 1)?;
        let side = if plies.is_multiple_of(2) { self.first } else { self.first.other() };
        self.at = match judged {
            Ok(judged) => self.open.push(self.at, Some(TreeMove { side, judged }), self.line),
            Err(problem) => self.open.push_unread(self.at, problem, self.line),
        };
        self.plies.push(plies + 1);
        Ok(())
    }
}

/// Writes the main line, a move a line as people write it.
///
/// # Errors
/// [`FileError`] when the game is not of renju.
pub fn write(game: &GameTree) -> Result<String, FileError> {
    let mut text = String::new();
    for made in game.main_moves() {
        let m = point::judged(&made.judged);
        let m = m.ok_or_else(|| FileError::whole(FileProblem::NotRenju { judged: made.judged.clone() }))?;
        text += &(m.letters() + "\n");
    }
    Ok(text)
}
