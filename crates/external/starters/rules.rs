// last-stone: from a heap of stones each side takes 1 to 3; whoever takes the last one wins.
use std::collections::HashMap;
use std::io::{self, BufRead, Write};

const GAME: &str = "name last-stone
title Last Stone
summary each side takes 1 to 3 stones from a heap; whoever takes the last one wins
rule MOVE n takes n stones, from 1 to 3.
rule Both are sent the line INFO stones N before READY.
seats First Second
parameter stones 5..60 21 stones in the heap
plies 60
has moves view save playout";

#[derive(Clone, Default)]
struct Game {
    stones: usize,
    turn: String,
}

impl Game {
    /// Sets up a game; all chance comes from the seed. Returns lines for the agents.
    fn start(&mut self, _seed: u64, parameters: &HashMap<&str, &str>) -> Vec<String> {
        self.stones = parameters.get("stones").and_then(|text| text.parse().ok()).unwrap_or(21);
        self.turn = "first".to_string();
        vec![format!("info both stones {}", self.stones)]
    }

    /// The legal moves of the side to move; none when the game is over.
    fn moves(&self) -> Vec<String> {
        (1..=3.min(self.stones)).map(|taken| taken.to_string()).collect()
    }

    /// Plays a move, or says why it is refused. What is random comes from the number `_chance`.
    fn play(&mut self, side: &str, _chance: u64, text: &str) -> Result<(), String> {
        if !self.moves().iter().any(|legal| legal == text) {
            return Err(format!("1 to 3 stones expected, and not more than are left: {}", self.stones));
        }
        self.stones -= text.parse::<usize>().unwrap();
        self.turn = if side == "first" { "second" } else { "first" }.to_string();
        Ok(())
    }

    /// Whose turn it is, or who has won and why.
    fn situation(&self) -> Vec<String> {
        if self.stones == 0 {
            let winner = if self.turn == "first" { "second" } else { "first" };
            return vec![format!("end {winner} the last stone is taken")];
        }
        vec![format!("turn {}", self.turn)]
    }

    fn save(&self) -> String {
        format!("{} {}", self.stones, self.turn)
    }

    /// Goes on from a saved state; says whether it is one.
    fn load(&mut self, text: &str) -> bool {
        let Some((stones, turn @ ("first" | "second"))) = text.split_once(' ') else { return false };
        let Some(stones) = stones.parse().ok().filter(|stones| *stones <= 60) else { return false };
        (self.stones, self.turn) = (stones, turn.to_string());
        true
    }

    fn view(&self, _watcher: &str) -> Vec<String> {
        vec![format!("row {}", if self.stones == 0 { ".".to_string() } else { "o".repeat(self.stones) })]
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
