//! One thread's walk through the tree.

use agon_game::Position;

use super::game::{Experience, Game, MoveOf, OUTLINES, Picker, Scene, Scored, Settled};
use super::reduction::Reductions;
use super::tuning::Tuning;
use super::{LONGEST, WIN, from_table, to_table};
use crate::evaluate::{Evaluate, LARGEST};
use crate::shared::{Bound, Entry, Shared};
use crate::{Meter, Stopped};

/// What a node is to the search, known when the program is compiled.
pub(super) trait Kind {
    /// The position asked about.
    const ROOT: bool = false;
    /// Its exact value may be wanted, not only on which side of a bound it lies.
    const PV: bool = false;
}

/// The position asked about.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node that is searched with a window of no width.
pub(super) struct Cut;

impl Kind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Kind for Pv {
    const PV: bool = true;
}

impl Kind for Cut {}

/// What is remembered of each node on the way from the root.
#[derive(Clone, Debug)]
struct Frame<M> {
    /// What the position seems to be worth.
    estimate: i32,
    /// Left out, to see what the others are worth.
    excluded: Option<M>,
    /// Whether nothing was played to come here.
    skipped: bool,
    /// The outline of the move that led here.
    last: usize,
    /// The best line from here, of nodes of the principal variation.
    line: Vec<M>,
}

/// A move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort<M> {
    pub m: M,
    /// The nodes spent on it in this iteration.
    pub nodes: u64,
}

/// What a thread keeps from one question to the next.
#[derive(Clone, Debug)]
pub(super) struct Memory<E> {
    pub evaluation: E,
    pub experience: Experience,
}

/// One thread's search of one position.
pub(super) struct Walk<'a, G: Game, E> {
    table: &'a Shared,
    tuning: &'a Tuning,
    reductions: &'a Reductions,
    evaluation: &'a mut E,
    experience: &'a mut Experience,
    pub meter: Meter,
    waiting: Vec<Scored<MoveOf<G>>>,
    /// Numbers and outlines of the moves tried at all nodes on the way from the root.
    tried: Vec<(u16, u16)>,
    frames: Vec<Frame<MoveOf<G>>>,
    /// Moves of the root whose values are known already.
    pub done: Vec<MoveOf<G>>,
    pub efforts: Vec<Effort<MoveOf<G>>>,
    pub deepest: usize,
}

/// Below every value.
pub(super) const NOTHING: i32 = -WIN - 1;

impl<'a, G: Game, E: Evaluate<G::Position>> Walk<'a, G, E> {
    pub fn new(
        table: &'a Shared,
        tuning: &'a Tuning,
        reductions: &'a Reductions,
        memory: &'a mut Memory<E>,
        meter: Meter,
    ) -> Self {
        let frame = Frame { estimate: 0, excluded: None, skipped: false, last: 0, line: Vec::new() };
        Self {
            table,
            tuning,
            reductions,
            evaluation: &mut memory.evaluation,
            experience: &mut memory.experience,
            meter,
            waiting: Vec::with_capacity(1 << 12),
            tried: Vec::with_capacity(1 << 12),
            frames: vec![frame; LONGEST + 2],
            done: Vec::new(),
            efforts: Vec::new(),
            deepest: 0,
        }
    }

    /// The best line found from the root.
    pub fn line(&self) -> &[MoveOf<G>] {
        &self.frames[0].line
    }

    /// Searches the root within a window.
    pub fn root(&mut self, position: &G::Position, alpha: i32, beta: i32, depth: i32) -> Result<i32, Stopped> {
        self.evaluation.set(position);
        self.waiting.clear();
        self.tried.clear();
        self.efforts.clear();
        self.frames[0].excluded = None;
        self.node::<Root>(position, alpha, beta, depth, 0, false)
    }

    /// Searches what lies behind a move.
    #[inline]
    fn child<K: Kind>(
        &mut self,
        position: &G::Position,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Stopped> {
        Ok(-self.node::<K>(position, -beta, -alpha, depth, ply + 1, cut)?)
    }

    /// The value of a node, at most `alpha` or at least `beta` where that is all that matters. `cut` says that the latter
    /// is expected.
    #[allow(clippy::too_many_lines, reason = "one node is one thing, and its order is what matters")]
    fn node<K: Kind>(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        if K::PV {
            self.frames[ply].line.clear();
            self.deepest = self.deepest.max(ply);
        }
        if !K::ROOT {
            if let Some(settled) = G::settled(position) {
                return Ok(value_of(settled, ply));
            }
            if depth <= 0 || ply >= LONGEST {
                return Ok(self.evaluation.value(position));
            }
            // Nothing here can be better than winning at once, or worse than having lost already.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        let tuning = self.tuning;
        let excluded = self.frames[ply].excluded;
        let key = G::key(position);
        let tabled = excluded.is_none() && depth >= tuning.table_depth;
        let known = if tabled { self.table.find(key) } else { None };
        if let Some(entry) = known
            && !K::PV
            && i32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply as i32);
            if if value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() && value <= alpha } {
                return Ok(value);
            }
        }
        let best = known.and_then(|entry| G::unpack(position, entry.best));

        let estimate = match known {
            _ if excluded.is_some() => self.frames[ply].estimate,
            Some(entry) => i32::from(entry.estimate),
            None => self.evaluation.value(position),
        };
        self.frames[ply].estimate = estimate;
        let improving = ply >= 2 && estimate > self.frames[ply - 2].estimate;
        // What the table says of the value is better than the estimate, as far as it says anything.
        let estimated = known.map_or(estimate, |entry| {
            let value = from_table(entry.value, ply as i32);
            let better = if value > estimate { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && value.abs() <= LARGEST { value } else { estimate }
        });

        if best.is_none() && excluded.is_none() && depth >= tuning.reduction_depth && (K::PV || cut) {
            depth -= 1;
        }

        if !K::PV && excluded.is_none() && beta.abs() <= LARGEST {
            let margin = tuning.reverse_margin * depth - if improving { tuning.reverse_improving } else { 0 };
            if depth <= tuning.reverse_depth && estimated - margin >= beta {
                return Ok(i32::midpoint(estimated, beta));
            }
            if depth >= tuning.null_depth
                && estimated >= beta + tuning.null_margin
                && !self.frames[ply].skipped
                && let Some(next) = G::skipped(position)
            {
                let behind = depth - tuning.null_base - depth / tuning.null_divisor;
                self.frames[ply + 1].skipped = true;
                self.frames[ply + 1].last = OUTLINES - 1;
                self.frames[ply + 1].excluded = None;
                self.evaluation.descend();
                let value = self.child::<Cut>(&next, (beta - 1, beta), behind, ply, !cut)?;
                self.evaluation.ascend();
                self.frames[ply + 1].skipped = false;
                if value >= beta {
                    // A win found by doing nothing is not proved.
                    return Ok(if value > LARGEST { beta } else { value });
                }
            }
        }

        let (waiting, tried) = (self.waiting.len(), self.tried.len());
        let scene = Scene { side: position.turn().index(), last: self.frames[ply].last };
        let mut picker = G::Picker::new(best, &self.waiting);
        let (mut value, mut chosen, mut count) = (NOTHING, None, 0);
        let first_alpha = alpha;
        while let Some(picked) = picker.next(position, &mut self.waiting, self.experience, scene, tuning) {
            let m = picked.m;
            if Some(m) == excluded || (K::ROOT && self.done.contains(&m)) {
                continue;
            }
            count += 1;
            let experience = self.experience.value::<G>(scene, m, tuning);
            let mut hundredths = self.reductions.of(depth, count) - 100 * experience / tuning.late_history;
            if K::PV {
                hundredths -= tuning.late_principal;
            }
            if cut {
                hundredths += tuning.late_cut;
            }
            if !improving {
                hundredths += tuning.late_worsening;
            }
            if !K::ROOT && value >= -LARGEST {
                if picked.late && depth <= tuning.minor_depth && count > tuning.minor_count {
                    break;
                }
                if !K::PV {
                    let limit = tuning.count_base + tuning.count_slope * depth * depth;
                    if depth <= tuning.count_depth && count > limit {
                        break;
                    }
                    if depth <= tuning.history_depth && experience < -tuning.history_margin * depth {
                        continue;
                    }
                    // Hundredths of a ply, too.
                    let left = (100 * depth - tuning.futility_reduced * hundredths.max(0) / 100).max(100);
                    let hope = estimate + picked.gain + tuning.futility_base + tuning.futility_margin * left / 100;
                    if left <= 100 * tuning.futility_depth && hope <= alpha {
                        value = value.max(hope);
                        continue;
                    }
                }
            }

            let mut extension = 0;
            if !K::ROOT
                && depth >= tuning.singular_depth
                && excluded.is_none()
                && Some(m) == best
                && let Some(entry) = known
                && entry.bound.is_lower()
                && i32::from(entry.depth) >= depth - 3
                && i32::from(entry.value).abs() <= LARGEST
                && ply < LONGEST / 2
            {
                let seen = from_table(entry.value, ply as i32);
                let bar = seen - tuning.singular_margin * depth;
                self.frames[ply].excluded = Some(m);
                let others = self.node::<Cut>(position, bar - 1, bar, (depth - 1) / 2, ply, cut);
                self.frames[ply].excluded = None;
                let others = others?;
                if others < bar {
                    extension = 1 + i32::from(!K::PV && others < bar - tuning.double_margin);
                } else if !K::PV && bar >= beta {
                    // Others are good enough, too.
                    return Ok(bar);
                } else if seen >= beta {
                    extension = -2;
                } else if cut {
                    extension = -1;
                }
            }

            let before = self.meter.nodes();
            let mut next = position.clone();
            self.evaluation.descend();
            next.play(m, self.evaluation);
            let full = depth - 1 + extension;
            self.frames[ply + 1].excluded = None;
            self.frames[ply + 1].last = G::outline(m);
            let mut found = NOTHING;
            let mut open = true;
            if count > 1 && depth >= 2 {
                let shallow = (full - hundredths / 100).clamp(full.min(1), full);
                found = self.child::<Cut>(&next, (alpha, alpha + 1), shallow, ply, true)?;
                open = found > alpha && shallow < full;
                if open {
                    found = self.child::<Cut>(&next, (alpha, alpha + 1), full, ply, !cut)?;
                }
                open = found > alpha;
            } else if !K::PV || count > 1 {
                found = self.child::<Cut>(&next, (alpha, alpha + 1), full, ply, !cut)?;
                open = found > alpha;
            }
            if K::PV && (count == 1 || (open && (found < beta || K::ROOT))) {
                found = self.child::<Pv>(&next, (alpha, beta), full, ply, false)?;
            }
            self.evaluation.ascend();
            if K::ROOT {
                self.efforts.push(Effort { m, nodes: self.meter.nodes() - before });
            }

            if found > value {
                value = found;
                if found > alpha {
                    alpha = found;
                    chosen = Some(m);
                }
                if K::PV && (found > first_alpha || (K::ROOT && count == 1)) {
                    let (above, below) = self.frames.split_at_mut(ply + 1);
                    let line = &mut above[ply].line;
                    line.clear();
                    line.push(m);
                    line.extend_from_slice(&below[0].line);
                }
                if found >= beta {
                    self.learn(scene, m, tried, depth);
                    break;
                }
            }
            self.tried.push((G::number(m) as u16, G::outline(m) as u16));
        }
        self.waiting.truncate(waiting);
        self.tried.truncate(tried);

        if count == 0 {
            // Only where moves were left out.
            return Ok(alpha);
        }
        if tabled && (!K::ROOT || self.done.is_empty()) {
            let bound = if value >= beta {
                Bound::Lower
            } else if value > first_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                best: chosen.map_or(0, G::pack),
                value: to_table(value, ply as i32),
                estimate: estimate as i16,
                depth: depth.clamp(0, 255) as u8,
                bound,
            };
            self.table.keep(key, entry);
        }
        Ok(value)
    }

    /// A move has brought a cut, and those before it have not.
    fn learn(&mut self, scene: Scene, m: MoveOf<G>, tried: usize, depth: i32) {
        let bonus = (self.tuning.bonus_slope * depth).min(self.tuning.bonus_most);
        self.experience.learn(scene, G::number(m), G::outline(m), bonus);
        for &(number, outline) in &self.tried[tried..] {
            self.experience.learn(scene, number.into(), outline.into(), -bonus);
        }
    }
}

/// The value at a node `ply` plies from the root.
fn value_of(settled: Settled, ply: usize) -> i32 {
    match settled {
        Settled::Win(plies) => WIN - ply as i32 - plies as i32,
        Settled::Loss(plies) => ply as i32 + plies as i32 - WIN,
        Settled::Draw => 0,
    }
}
