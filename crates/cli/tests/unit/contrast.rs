//! The contrast of colours of a terminal.

/// The contrast that text needs at least.
pub(crate) const READABLE: f64 = 4.5;

/// The contrast of two colours, from 1 to 21.
///
/// Source: WCAG 2.2, "contrast ratio" and "relative luminance".
pub(crate) fn ratio(one: &str, other: &str) -> f64 {
    let luminance = |colour: &str| {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// A colour of a terminal's 256, as `#rrggbb`, from 16 on, which are the same on all: a cube of 6 steps, then greys.
pub(crate) fn ansi(number: u8) -> String {
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
