//! Decisions of an opening by value: which stones to place, whether to swap, what to offer.
//!
//! All values are Black's, in hundredths of the value of a point where a side would make a three. A decision is worth
//! what the rule makes of it, not what the bare stones are: if Black must offer two fifth moves, White takes the one
//! that is worse for Black, so the four stones are worth Black's *second* best fifth move; if the other player may swap
//! next, a player wants the stones to be even. The values of the last stones come from short searches.

use std::collections::HashMap;

use agon_game::Side;
use agon_game::seed::Stream;
use agon_rules::renju::opening_rules::{Decision, Layout, OpeningGame, OpeningRule, Player, Step};
use agon_rules::renju::{Board, Opening, Point, Renju, RuleSet};
use agon_search::{Engine, Score, SearchLimits, Stop, Task};

use super::opening_values::VALUES;

/// Value of a win, less its plies.
const WIN: i32 = 30_000;

/// Distance from a stone within which the next one is looked for, in king's steps.
const NEAR: u8 = 2;

/// Number of fourth stones that are looked at with all their fifth ones.
const FOURTHS: usize = 6;

/// Number of fifth moves that are searched longer: a few more than are ever offered.
const FINER: usize = 12;

/// Number of arrangements of stones drawn in search of an even one.
const DRAWN: usize = 16;

/// Nodes of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningNodes {
    /// Of one of many candidates.
    pub candidate: u64,
    /// Of one that may be decided for, and of each fifth move near the best.
    pub chosen: u64,
    /// Of a position with nothing left to decide but the colour.
    pub swap: u64,
}

impl Default for OpeningNodes {
    fn default() -> Self {
        Self { candidate: 600, chosen: 5_000, swap: 100_000 }
    }
}

impl OpeningNodes {
    /// The same searches with this many times the nodes.
    #[must_use]
    pub const fn times(self, factor: u64) -> Self {
        Self { candidate: self.candidate * factor, chosen: self.chosen * factor, swap: self.swap * factor }
    }
}

/// Chooses the decisions of openings.
pub struct OpeningPlayer {
    engine: Box<dyn Engine<Renju>>,
    nodes: OpeningNodes,
    stop: Stop,
    stream: Stream,
    /// The fifth moves that have been valued, the best first, by the stones before them.
    fifths: HashMap<Vec<Point>, Vec<(i32, Point)>>,
}

impl OpeningPlayer {
    /// Creates a player whose values come from this engine. The seed decides between openings that are equally even.
    pub fn new(engine: Box<dyn Engine<Renju>>, nodes: OpeningNodes, seed: u64) -> Self {
        let (stop, stream) = (Stop::default(), Stream::new(seed, "opening"));
        Self { engine, nodes, stop, stream, fifths: HashMap::new() }
    }

    /// Adds a flag that ends all searches when raised: decisions are then arbitrary.
    #[must_use]
    pub fn stopped_by(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// Returns a legal decision; `None` if the opening is complete.
    pub fn decide(&mut self, game: &OpeningGame) -> Option<Decision> {
        let (player, step) = game.turn()?;
        let decision = match step {
            Step::Stone { number, .. } => self.stone(game, number),
            Step::Swap | Step::SwapOrPlaceTwo => Some(self.colour(game, player)),
            Step::SwapOrOffer => self.swap_or_offer(game),
            Step::Announce { max } => Some(Decision::Announce(self.announce(game, max))),
            Step::Offer { .. } => {
                let fifths = self.fifths(game);
                let offers = fifths.iter().map(|&(_, point)| Decision::Offer(point));
                offers.into_iter().find(|&offer| game.check(offer).is_ok())
            }
            Step::Choose => self.choose(game),
        };
        let legal = decision.filter(|&decision| game.check(decision).is_ok());
        legal.or_else(|| game.legal_decisions().first().copied())
    }

    /// Returns the value of an opening in progress for Black, given what the rule leaves to decide. At its end, and in
    /// Swap2, it is that of a search.
    pub fn value(&mut self, game: &OpeningGame) -> i32 {
        let stones = game.stones().len();
        match game.rule() {
            OpeningRule::Rif | OpeningRule::Yamaguchi if stones == 3 => {
                let announced = usize::from(game.announced().max(1));
                let lists = self.fourths(game);
                let values = lists.iter().filter_map(|(_, fifths)| nth(fifths, announced));
                values.min().unwrap_or_default()
            }
            // Whoever holds White must make the stones even for the other to choose from.
            OpeningRule::Soosyrv8 if stones == 3 => {
                let lists = self.fourths(game);
                lists.iter().flat_map(|(_, fifths)| offered(fifths, 8)).map(i32::abs).min().unwrap_or_default()
            }
            OpeningRule::Soosyrv8 if stones == 4 => {
                let fifths = self.fifths(game);
                nth(&fifths, game.announced().into()).unwrap_or_default()
            }
            // Stones follow that the other player may answer by a swap, so these are worth nothing to either.
            OpeningRule::Taraguchi10 if stones < 4 => 0,
            _ => self.searched(&game.position(), self.nodes.swap),
        }
    }

    /// Returns the values of three stones for Black if it offers one to ten fifth moves, after White's best fourth
    /// stone.
    pub fn values(&mut self, stones: [Point; 3]) -> Option<[i32; 10]> {
        let mut game = OpeningGame::new(OpeningRule::Rif);
        for point in stones {
            game.apply(Decision::Stone(point)).ok()?;
        }
        let lists = self.fourths(&game);
        let value = |count| lists.iter().filter_map(|(_, fifths)| nth(fifths, count)).min().unwrap_or_default();
        Some(std::array::from_fn(|number| value(number + 1)))
    }

    /// Takes the colour with the better prospects.
    fn colour(&mut self, game: &OpeningGame, player: Player) -> Decision {
        let value = self.value(game);
        let holds = if game.colour(player) == Side::First { value } else { -value };
        if holds >= 0 { Decision::Keep } else { Decision::Swap }
    }

    /// After the fourth stone of Taraguchi-10: ten fifth moves, if the tenth best is still good for Black; else the
    /// other player may place the fifth, which is swapped if it is not even.
    fn swap_or_offer(&mut self, game: &OpeningGame) -> Option<Decision> {
        let fifths = self.fifths(game);
        let tenth = nth(&fifths, 10)?;
        let even = fifths.iter().map(|(value, _)| value.abs()).min()?;
        Some(if tenth > even { Decision::OfferTen } else { Decision::Swap })
    }

    fn stone(&mut self, game: &OpeningGame, number: u8) -> Option<Decision> {
        let point = match (game.rule(), number) {
            (OpeningRule::Swap2, 1..=3) => self.even_start(game)?,
            (OpeningRule::Swap2, _) => self.even_stone(game, self.nodes.chosen)?,
            (_, 1) => Point::CENTRE,
            (OpeningRule::Taraguchi10, 2) => self.drawn(game)?,
            (OpeningRule::Taraguchi10, 3) => self.even_stone(game, self.nodes.candidate)?,
            (OpeningRule::Taraguchi10, 4) => self.fourth(game, |fifths| nth(fifths, 10).map(|value| value.max(0)))?,
            (OpeningRule::Taraguchi10, _) => self.even_stone(game, self.nodes.chosen)?,
            (_, 2 | 3) => self.even_opening(game)?,
            (OpeningRule::Soosyrv8, _) => {
                self.fourth(game, |fifths| offered(fifths, 8).into_iter().map(i32::abs).min())?
            }
            _ => {
                let announced = usize::from(game.announced());
                self.fourth(game, |fifths| nth(fifths, announced))?
            }
        };
        Some(Decision::Stone(point))
    }

    /// The fourth stone whose list of fifth moves is worth least.
    fn fourth(&mut self, game: &OpeningGame, worth: impl Fn(&[(i32, Point)]) -> Option<i32>) -> Option<Point> {
        let lists = self.fourths(game);
        let valued = lists.iter().filter_map(|(point, fifths)| Some((worth(fifths)?, *point)));
        valued.min_by_key(|&(value, _)| value).map(|(_, point)| point)
    }

    /// The number of fifth moves that makes the position even.
    fn announce(&mut self, game: &OpeningGame, max: u8) -> u8 {
        let lists = if game.stones().len() == 3 {
            self.fourths(game).into_iter().map(|(_, fifths)| fifths).collect()
        } else {
            vec![self.fifths(game)]
        };
        let value = |number: u8| lists.iter().filter_map(|fifths| nth(fifths, number.into())).min().unwrap_or(WIN);
        (1..=max).min_by_key(|&number| value(number).abs()).unwrap_or(1)
    }

    /// White's choice: the offer that is worst for Black.
    fn choose(&mut self, game: &OpeningGame) -> Option<Decision> {
        let valued = game.offers().iter().map(|&offer| {
            let next = game.position_after(Decision::Choose(offer));
            (self.searched(&next, self.nodes.chosen), offer)
        });
        valued.min_by_key(|&(value, _)| value).map(|(_, offer)| Decision::Choose(offer))
    }

    /// One of the openings whose values are known to be even, turned at random; the second and the third stone follow
    /// the same one, as far as the second has been placed.
    fn even_opening(&mut self, game: &OpeningGame) -> Option<Point> {
        let stones = game.stones();
        let even: Vec<&(Opening, [i32; 10])> = match game.rule() {
            OpeningRule::Rif => even_by(|values| values[1]),
            OpeningRule::Yamaguchi => {
                even_by(|values| values.into_iter().min_by_key(|value| value.abs()).unwrap_or(WIN))
            }
            _ => VALUES.iter().collect(),
        };
        let legal = game.legal_decisions();
        let mut points: Vec<Point> = legal.into_iter().filter_map(Decision::point).collect();
        if let [first, second] = *stones {
            points.retain(|&third| {
                Opening::of([first, second, third])
                    .is_some_and(|opening| even.iter().any(|(known, _)| *known == opening))
            });
        }
        Some(*points.get(self.stream.below(points.len().max(1)))?)
    }

    /// Any legal point.
    fn drawn(&mut self, game: &OpeningGame) -> Option<Point> {
        let legal = game.legal_decisions();
        legal.get(self.stream.below(legal.len().max(1)))?.point()
    }

    /// The legal point near the stones after which neither side is ahead.
    fn even_stone(&mut self, game: &OpeningGame, nodes: u64) -> Option<Point> {
        let legal = game.legal_decisions().into_iter().filter_map(Decision::point).collect();
        let candidates = unequal(game, near(game, legal));
        let mut valued: Vec<(i32, Point)> = candidates
            .into_iter()
            .map(|point| {
                let next = game.position_after(Decision::Stone(point));
                (self.searched(&next, self.nodes.candidate).abs(), point)
            })
            .collect();
        valued.sort_by_key(|&(value, _)| value);
        valued.truncate(FOURTHS);
        let finer = valued.into_iter().map(|(_, point)| {
            let next = game.position_after(Decision::Stone(point));
            (self.searched(&next, nodes).abs(), point)
        });
        finer.min_by_key(|&(value, _)| value).map(|(_, point)| point)
    }

    /// The next stone of the most even of some starts of Swap2 that continue these stones.
    fn even_start(&mut self, game: &OpeningGame) -> Option<Point> {
        let mut found: Option<(i32, Point)> = None;
        for _ in 0..DRAWN {
            let mut start = game.clone();
            while start.stones().len() < 3 {
                // Within five steps of the centre there are neither wins at once nor stones that do not count.
                let reach = |point: &Point| point.distance_from_centre() <= 5 && !start.stones().contains(point);
                let points: Vec<Point> = Point::all().filter(reach).collect();
                let point = points[self.stream.below(points.len())];
                start.apply(Decision::Stone(point)).ok()?;
            }
            let value = self.searched(&start.position(), self.nodes.chosen).abs();
            let next = start.stones()[game.stones().len()];
            if found.is_none_or(|(least, _)| value < least) {
                found = Some((value, next));
            }
        }
        found.map(|(_, point)| point)
    }

    /// The fourth stones that look best for White, each with the fifth ones, the best first.
    fn fourths(&mut self, game: &OpeningGame) -> Vec<(Point, Vec<(i32, Point)>)> {
        let reach = if game.rule() == OpeningRule::Taraguchi10 { 3 } else { u8::MAX };
        let legal = Point::all()
            .filter(|point| !game.stones().contains(point) && point.distance_from_centre() <= reach)
            .collect();
        let mut valued: Vec<(i32, Point)> = unequal(game, near(game, legal))
            .into_iter()
            .map(|point| (self.searched(&game.position_after(Decision::Stone(point)), self.nodes.candidate), point))
            .collect();
        valued.sort_by_key(|&(value, _)| value);
        // Also some that are worse for White, for rules that ask for even stones.
        let step = if matches!(game.rule(), OpeningRule::Soosyrv8) { (valued.len() / FOURTHS).max(1) } else { 1 };
        let chosen: Vec<Point> = valued.into_iter().step_by(step).take(FOURTHS).map(|(_, point)| point).collect();
        chosen
            .into_iter()
            .map(|point| {
                let mut stones = game.stones().to_vec();
                stones.push(point);
                (point, self.fifths_after(game.rules(), &stones))
            })
            .collect()
    }

    /// The fifth moves that may be offered, unequal by symmetry, the best for Black first, and those that may be
    /// offered searched longer.
    fn fifths(&mut self, game: &OpeningGame) -> Vec<(i32, Point)> {
        self.fifths_after(game.rules(), game.stones())
    }

    fn fifths_after(&mut self, rules: RuleSet, stones: &[Point]) -> Vec<(i32, Point)> {
        if let Some(known) = self.fifths.get(stones) {
            return known.clone();
        }
        let taken = |point: &Point| stones.contains(point);
        let around = Point::all().filter(|point| !taken(point) && is_near(stones, *point));
        let candidates = unequal_after(stones, around.collect());
        let after = |point: Point| position(rules, stones, point);
        let mut valued: Vec<(i32, Point)> =
            candidates.into_iter().map(|point| (self.searched(&after(point), self.nodes.candidate), point)).collect();
        valued.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        for entry in valued.iter_mut().take(FINER) {
            entry.0 = self.searched(&after(entry.1), self.nodes.chosen);
        }
        valued.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        self.fifths.insert(stones.to_vec(), valued.clone());
        valued
    }

    /// Returns the value of a position for Black by a search.
    fn searched(&mut self, position: &Renju, nodes: u64) -> i32 {
        value_of(self.engine.as_mut(), position, nodes, &self.stop)
    }
}

/// Returns the value of a position for Black by a search of `nodes` nodes, without books.
pub fn searched(engine: &mut dyn Engine<Renju>, position: &Renju, nodes: u64) -> i32 {
    value_of(engine, position, nodes, &Stop::default())
}

fn value_of(engine: &mut dyn Engine<Renju>, position: &Renju, nodes: u64, stop: &Stop) -> i32 {
    use agon_game::Position as _;
    let mut score = Score::Centi(0);
    if stop.is_raised() {
        return 0;
    }
    let task = Task { stop: stop.clone(), ..Task::from(SearchLimits::nodes(nodes)) };
    engine.search(position, &task, &mut |info| {
        if info.multipv == 1 {
            score = info.score;
        }
    });
    let value = match score {
        Score::Centi(value) => value,
        Score::Win(plies) => WIN - plies as i32,
        Score::Loss(plies) => plies as i32 - WIN,
    };
    if position.turn() == Side::First { value } else { -value }
}

/// The value if the best `count` moves are offered, and White takes the worst of them.
fn nth(fifths: &[(i32, Point)], count: usize) -> Option<i32> {
    fifths.get(count.checked_sub(1)?).or_else(|| fifths.last()).map(|&(value, _)| value)
}

/// The values for each number of offers up to `max`.
fn offered(fifths: &[(i32, Point)], max: usize) -> Vec<i32> {
    fifths.iter().take(max).map(|&(value, _)| value).collect()
}

/// The openings whose value is nearest to even, a third of them.
fn even_by(value: impl Fn([i32; 10]) -> i32) -> Vec<&'static (Opening, [i32; 10])> {
    let mut all: Vec<_> = VALUES.iter().collect();
    all.sort_by_key(|(_, values)| value(*values).abs());
    all.truncate(VALUES.len() / 3);
    all
}

/// Returns true if a point is near a stone.
pub(super) fn is_near(stones: &[Point], point: Point) -> bool {
    stones.iter().any(|stone| stone.distance(point) <= NEAR)
}

/// Those of some points that are near a stone, or all if none is.
fn near(game: &OpeningGame, points: Vec<Point>) -> Vec<Point> {
    let close: Vec<Point> = points.iter().copied().filter(|&point| is_near(game.stones(), point)).collect();
    if close.is_empty() { points } else { close }
}

/// One of each set of points that symmetries take to each other.
fn unequal(game: &OpeningGame, points: Vec<Point>) -> Vec<Point> {
    unequal_after(game.stones(), points)
}

fn unequal_after(stones: &[Point], mut points: Vec<Point>) -> Vec<Point> {
    let mut seen = Vec::new();
    points.retain(|&point| {
        let sides = Side::BOTH.into_iter().cycle();
        let layout = Layout::new(sides.zip(stones.iter().copied().chain([point])));
        let is_new = !seen.contains(&layout);
        seen.push(layout);
        is_new
    });
    points
}

fn position(rules: RuleSet, stones: &[Point], next: Point) -> Renju {
    let mut board = Board::empty(rules);
    for (point, side) in stones.iter().copied().chain([next]).zip(Side::BOTH.into_iter().cycle()) {
        board.place(point, side);
    }
    let turn = if stones.len().is_multiple_of(2) { Side::Second } else { Side::First };
    Renju::new(board, turn, 0, stones.len() as u32 + 1).unwrap_or_else(|_| Renju::start(rules))
}
