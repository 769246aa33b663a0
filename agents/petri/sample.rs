//! Battle for the Petri Dish: a sample species in Rust. Replace `choose` by your own idea.
//!
//! The program is run anew for every action of every cell: it reads one dish and prints one action, and keeps nothing.
//!
//! Build: rustc -O --edition 2021 sample.rs
//! Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | ./sample

use std::io::{self, Read};

const HP: i32 = 5;
const ENERGY: i32 = 7;
const ACIDITY: i32 = 0; // the three must add up to 12

const DIRECTIONS: [(&str, i32, i32); 8] =
    [("N", 0, -1), ("NE", 1, -1), ("E", 1, 0), ("SE", 1, 1), ("S", 0, 1), ("SW", -1, 1), ("W", -1, 0), ("NW", -1, -1)];

/// The squares, row by row; x goes right and y down, from 0.
struct Dish<'a> {
    rows: &'a [&'a str],
}

impl Dish<'_> {
    /// `o` own, `x` enemy, `.` empty, `c` corpse, `#` outside the dish.
    fn look(&self, x: i32, y: i32) -> u8 {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let square = row.zip(usize::try_from(x).ok()).and_then(|(row, x)| row.as_bytes().get(x));
        square.copied().unwrap_or(b'#')
    }

    fn is_free(&self, x: i32, y: i32) -> bool {
        matches!(self.look(x, y), b'.' | b'c')
    }

    /// How many neighbours of a square hold no living cell.
    fn room(&self, x: i32, y: i32) -> usize {
        DIRECTIONS.iter().filter(|(_, dx, dy)| self.is_free(x + dx, y + dy)).count()
    }
}

/// What the cell at (x, y) does: multiply first, then eat, then fight, and spread out while waiting for energy.
fn choose(dish: &Dish, x: i32, y: i32, _hp: i32, energy: i32) -> String {
    let towards = |wanted: u8| DIRECTIONS.iter().find(|(_, dx, dy)| dish.look(x + dx, y + dy) == wanted);
    // Of all free squares, the first one with the most room.
    let mut space = None;
    let mut most_room = 0;
    for (name, dx, dy) in DIRECTIONS {
        let room = dish.room(x + dx, y + dy);
        if dish.is_free(x + dx, y + dy) && (space.is_none() || room > most_room) {
            (space, most_room) = (Some(name), room);
        }
    }

    if let Some(name) = space.filter(|_| energy >= 5) {
        return format!("DIVIDE {name}");
    }
    // Hungry?
    if let Some((name, ..)) = towards(b'c').filter(|_| energy <= ENERGY - 2) {
        return format!("EAT {name}");
    }
    if let Some((name, ..)) = towards(b'x').filter(|_| energy >= 1) {
        return format!("ATTACK {name} {}", energy.min(3));
    }
    // Crowded here?
    if let Some(name) = space.filter(|_| energy >= 1 && most_room >= dish.room(x, y) + 3) {
        return format!("MOVE {name}");
    }
    "REST".to_string()
}

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.first() == Some(&"BEGIN") {
        println!("{HP} {ENERGY} {ACIDITY}");
    } else if words.len() > 6 {
        let (rows, cell) = words[2..].split_at(words.len() - 6);
        let numbers: Vec<i32> = cell.iter().filter_map(|word| word.parse().ok()).collect();
        if let [x, y, hp, energy] = numbers[..] {
            println!("{}", choose(&Dish { rows }, x, y, hp, energy));
        }
    }
    Ok(())
}
