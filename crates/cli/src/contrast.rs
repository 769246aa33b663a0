//! How well colours of a terminal can be told apart.

pub use crate::picture::contrast as ratio;

/// The least contrast of what must be read.
pub const READABLE: f64 = 4.5;

/// A colour of a terminal's 256, as `#rrggbb`, from 16 on, which are the same on all: a cube of 6 steps, then greys.
pub fn ansi(number: u8) -> String {
    assert!(number >= 16, "the first 16 colours are the terminal's own");
    let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    let cube = number - 16;
    let [r, g, b] = match number {
        232.. => [8 + (number - 232) * 10; 3],
        _ => [step(cube / 36), step(cube / 6 % 6), step(cube % 6)],
    };
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[test]
fn colours_are_numbered_as_terminals_do() {
    assert_eq!([16, 214, 231, 240, 255].map(ansi), ["#000000", "#ffaf00", "#ffffff", "#585858", "#eeeeee"]);
}
