//! The rules of the dish once more, written down word for word and without a thought for speed.

use std::collections::HashSet;

/// One cell, dead or alive; the index in [`Naive::cells`] is its age.
#[derive(Clone, Debug)]
pub struct Cell {
    pub seat: usize,
    pub x: i32,
    pub y: i32,
    pub hp: i32,
    pub energy: i32,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Naive {
    width: i32,
    height: i32,
    turns: u32,
    species: [[i32; 3]; 2],
    published: bool,
    cells: Vec<Cell>,
    corpses: HashSet<(i32, i32)>,
    /// Cells that have yet to act in this turn.
    queue: Vec<usize>,
    pub turn: u32,
    /// 0 for a draw, 1 or 2 for a winner.
    pub winner: Option<usize>,
}

const WAYS: [(&str, i32, i32); 8] =
    [("N", 0, -1), ("S", 0, 1), ("E", 1, 0), ("W", -1, 0), ("NE", 1, -1), ("NW", -1, -1), ("SE", 1, 1), ("SW", -1, 1)];

impl Naive {
    pub fn new(width: i32, height: i32, turns: u32, species: [[i32; 3]; 2], published: bool) -> Self {
        let cell = |seat: usize, x, y| Cell { seat, x, y, hp: species[seat][0], energy: species[seat][1] };
        let cells = vec![cell(0, 1, 1), cell(1, width - 2, height - 2)];
        let corpses = HashSet::new();
        let mut naive =
            Self { width, height, turns, species, published, cells, corpses, queue: Vec::new(), turn: 0, winner: None };
        naive.queue = naive.colony(0);
        naive
    }

    /// The living cells of a seat, oldest first.
    fn colony(&self, seat: usize) -> Vec<usize> {
        (0..self.cells.len()).filter(|&i| self.cells[i].seat == seat && self.cells[i].hp > 0).collect()
    }

    fn living_at(&self, x: i32, y: i32) -> Option<usize> {
        (0..self.cells.len()).find(|&i| self.cells[i].hp > 0 && (self.cells[i].x, self.cells[i].y) == (x, y))
    }

    /// The acting cell.
    pub fn actor(&self) -> Option<&Cell> {
        if self.winner.is_some() { None } else { self.queue.first().map(|&i| &self.cells[i]) }
    }

    /// Makes the next cell do what its program wrote; returns whether it was legal.
    pub fn answer(&mut self, output: &str) -> bool {
        let me = self.queue.remove(0);
        let legal = self.attempt(me, output);
        if !legal {
            self.feed(me, 2);
        }
        for i in 0..self.cells.len() {
            if self.cells[i].hp <= 0 && self.cells[i].hp > -1000 {
                self.corpses.insert((self.cells[i].x, self.cells[i].y));
                self.cells[i].hp = -1000;
            }
        }
        let cells = &self.cells;
        self.queue.retain(|&i| cells[i].hp > 0);
        let counts = [0, 1].map(|seat| self.colony(seat).len());
        if let [0, _] | [_, 0] = counts {
            self.turn += 1;
            self.winner = Some(match counts {
                [0, 0] => 0,
                [0, _] => 2,
                _ => 1,
            });
        } else if self.queue.is_empty() {
            self.turn += 1;
            if self.turn == 2 * self.turns {
                self.winner = Some(match counts[0].cmp(&counts[1]) {
                    std::cmp::Ordering::Greater => 1,
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 0,
                });
            } else {
                self.queue = self.colony(self.turn as usize % 2);
            }
        }
        legal
    }

    fn feed(&mut self, me: usize, amount: i32) {
        let most = self.species[self.cells[me].seat][1];
        self.cells[me].energy = (self.cells[me].energy + amount).min(most);
    }

    fn attempt(&mut self, me: usize, output: &str) -> bool {
        let mut output = output.to_uppercase();
        for _ in 0..2 {
            if output.ends_with('\n') {
                output.pop();
            }
        }
        let words: Vec<&str> = output.split(' ').collect();
        let Cell { x, y, hp, energy, seat } = self.cells[me];
        let target = words.get(1).and_then(|word| WAYS.iter().find(|(name, _, _)| name == word));
        let target = target.map(|(_, dx, dy)| (x + dx, y + dy));
        let target = target.filter(|(x, y)| (0..self.width).contains(x) && (0..self.height).contains(y));
        match words[0] {
            "REST" => self.feed(me, 2),
            "MOVE" => {
                let Some((x, y)) = target else { return false };
                if self.living_at(x, y).is_some() || (energy < 1 && !self.published) {
                    return false;
                }
                self.corpses.remove(&(x, y));
                self.cells[me].x = x;
                self.cells[me].y = y;
                self.cells[me].energy -= i32::from(!self.published);
            }
            "DIVIDE" => {
                let Some((x, y)) = target else { return false };
                if self.living_at(x, y).is_some() || energy < 5 {
                    return false;
                }
                self.corpses.remove(&(x, y));
                self.cells[me].energy -= 5;
                self.cells.push(Cell { seat, x, y, hp: self.species[seat][0], energy: energy - 5 });
            }
            "ATTACK" => {
                let Some((x, y)) = target else { return false };
                let strength = words.get(2).map_or(0, |word| strtol(word));
                let Some(victim) = self.living_at(x, y) else { return false };
                if !(1..=3).contains(&strength) || i64::from(energy) < strength {
                    return false;
                }
                self.cells[me].energy -= strength as i32;
                self.cells[victim].hp -= strength as i32;
            }
            "EAT" => {
                let Some((x, y)) = target else { return false };
                if !self.corpses.remove(&(x, y)) {
                    return false;
                }
                self.feed(me, 4);
            }
            "EXPLODE" => {
                if hp > 3 || energy <= hp {
                    return false;
                }
                self.explode(me);
            }
            _ => return false,
        }
        true
    }

    fn explode(&mut self, me: usize) {
        let Cell { x, y, hp, seat, .. } = self.cells[me];
        for dx in -1..=1 {
            for dy in -1..=1 {
                let Some(victim) = self.living_at(x + dx, y + dy) else { continue };
                if self.published {
                    // The damage is read anew each time, and the cell itself is one of those hurt.
                    let damage = self.cells[me].hp;
                    self.cells[victim].hp -= damage;
                } else if victim != me {
                    self.cells[victim].hp -= hp + self.species[seat][2];
                }
            }
        }
        self.cells[me].hp = 0;
    }

    /// The board and the living cells, as the dish writes them.
    pub fn state(&self) -> String {
        let glyph = |x, y| match self.living_at(x, y) {
            Some(cell) => ['1', '2'][self.cells[cell].seat],
            None if self.corpses.contains(&(x, y)) => 'c',
            None => '.',
        };
        let rows: Vec<String> = (0..self.height).map(|y| (0..self.width).map(|x| glyph(x, y)).collect()).collect();
        let cells = |seat| {
            let colony = self.colony(seat).into_iter().map(|i| &self.cells[i]);
            let texts: Vec<String> = colony.map(|c| format!("{},{},{},{}", c.x, c.y, c.hp, c.energy)).collect();
            texts.join(";")
        };
        format!("{}|{}|{}", rows.join("/"), cells(0), cells(1))
    }
}

fn strtol(word: &str) -> i64 {
    let word = word.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\x0b');
    let (sign, digits) = match word.chars().next() {
        Some('-') => (-1, &word[1..]),
        Some('+') => (1, &word[1..]),
        _ => (1, word),
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    sign * digits[..end].parse::<i64>().unwrap_or(0)
}
