// Pig (John Scarne, 1945) for Agon, a game of chance: docs/own-game.md explains every line that is read and written.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

/// Moves after which the leader wins.
const PLIES: u32 = 2000;

const GAME: &str = "name pig
title Pig
summary roll a die as often as you dare; a 1 takes all of the turn; first to the goal wins
rule MOVE roll rolls the die: 2 to 6 are added to the points of the turn, 1 ends the turn without any.
rule MOVE hold keeps the points of the turn and ends it.
rule Before READY both are sent INFO goal N; each roll is sent to both as INFO rolled N.
rule Who holds the goal or more wins. After 2000 moves more points win.
seats First Second
parameter goal 20..200 100 points that win
plies 2000
has chance draws moves view save playout";

#[derive(Clone, Default)]
struct Game {
    goal: u32,
    points: [u32; 2],
    /// The side to move: 0 or 1.
    side: usize,
    /// Points of this turn that are not held yet.
    pot: u32,
    played: u32,
    /// What both learn from the last move.
    news: Option<String>,
    turn: String,
}

impl Game {
    fn start(&mut self, _seed: u64, parameters: &HashMap<&str, &str>) -> Vec<String> {
        let goal = parameters.get("goal").and_then(|text| text.parse().ok()).unwrap_or(100);
        *self = Self { goal, turn: "first".to_string(), ..Self::default() };
        vec![format!("info both goal {goal}")]
    }

    fn over(&self) -> bool {
        self.points.iter().any(|&points| points >= self.goal) || self.played >= PLIES
    }

    fn moves(&self) -> Vec<String> {
        let all = if self.over() { &[][..] } else { &["roll", "hold"][..] };
        all.iter().map(|text| text.to_string()).collect()
    }

    /// Plays a move, or says why it is refused. The die follows from the number `chance`.
    fn play(&mut self, _side: &str, chance: u64, text: &str) -> Result<(), String> {
        if self.over() {
            return Err("the game is over".to_string());
        }
        self.news = None;
        match text {
            "roll" => {
                let die = (chance % 6) as u32 + 1;
                self.news = Some(format!("info both rolled {die}"));
                if die == 1 {
                    self.pass();
                } else {
                    self.pot += die;
                }
            }
            "hold" => {
                self.points[self.side] += self.pot;
                self.pass();
            }
            _ => return Err("`roll` or `hold` expected".to_string()),
        }
        self.played += 1;
        Ok(())
    }

    fn pass(&mut self) {
        (self.pot, self.side) = (0, 1 - self.side);
        self.turn = ["first", "second"][self.side].to_string();
    }

    fn situation(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.news.iter().cloned().collect();
        let [first, second] = self.points;
        lines.push(format!("score {first} {second}"));
        if self.over() {
            let winner = if first > second { "first" } else if second > first { "second" } else { "draw" };
            let reason = if self.played >= PLIES { "2000 moves are played" } else { "the goal is reached" };
            lines.push(format!("end {winner} {reason}"));
        } else {
            lines.push(format!("turn {}", self.turn));
        }
        lines
    }

    fn save(&self) -> String {
        let [first, second] = self.points;
        format!("{} {first} {second} {} {} {}", self.goal, self.side, self.pot, self.played)
    }

    /// Goes on from a saved state; says whether it is one.
    fn load(&mut self, text: &str) -> bool {
        let numbers: Vec<Option<u32>> = text.split(' ').map(|word| word.parse().ok()).collect();
        let [Some(goal), Some(first), Some(second), Some(side @ 0..=1), Some(pot), Some(played)] = numbers[..] else {
            return false;
        };
        let turn = ["first", "second"][side as usize].to_string();
        *self = Self { goal, points: [first, second], side: side as usize, pot, played, news: None, turn };
        true
    }

    /// Three rows of digits: the points of both, and those of the turn.
    fn view(&self, _watcher: &str) -> Vec<String> {
        let [first, second] = self.points;
        [first, second, self.pot].iter().map(|points| format!("row {points:03}")).collect()
    }
}

// From here on it is the same for every game.

/// Random numbers from a number, the same on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn answer(game: &mut Game, line: &str) -> Vec<String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "GAME" => vec![GAME.to_string()],
        "START" => {
            let mut words = rest.split(' ');
            let seed = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
            let mut lines = game.start(seed, &words.filter_map(|word| word.split_once('=')).collect());
            lines.extend(game.situation());
            lines
        }
        "PLAY" => {
            let mut words = rest.splitn(3, ' ');
            let (side, chance) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            match game.play(side, chance.parse().unwrap_or(0), words.next().unwrap_or("")) {
                Ok(()) => game.situation(),
                Err(reason) => vec![format!("no {reason}")],
            }
        }
        "MOVES" => game.moves().iter().map(|text| format!("move {text}")).collect(),
        "VIEW" => game.view(rest),
        "SAVE" => vec![format!("state {}", game.save())],
        "LOAD" if game.load(rest) => game.situation(),
        "LOAD" => vec!["no this is no state that SAVE wrote".to_string()],
        "PLAYOUT" => {
            let (mut copy, mut draw) = (game.clone(), Numbers(rest.parse().unwrap_or(0)));
            loop {
                let list = copy.moves();
                if list.is_empty() {
                    return copy.situation();
                }
                let (turn, chance) = (copy.turn.clone(), draw.below(1 << 30));
                let _ = copy.play(&turn, chance, &list[draw.below(list.len() as u64) as usize]);
            }
        }
        _ => vec!["no such question".to_string()],
    }
}

fn main() {
    let mut game = Game::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let mut lines = answer(&mut game, &line);
        if !lines.first().is_some_and(|line| line.starts_with("no ")) {
            lines.push("ok".to_string());
        }
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{}", lines.join("\n"));
        let _ = out.flush();
    }
}
