//! Pictures of boards for other sites: PNG, since few of these show SVG.

use agon_game::{Mark, Side};
use tiny_skia::{Color, FillRule, LineCap, Paint as Ink, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::shapes::{Form, Paint, Picture};

/// The size that sites show next to a link (Open Graph: 1.91 to 1).
pub const WIDTH: u32 = 1200;
pub const HEIGHT: u32 = 630;

/// The empty space around a board.
pub(super) const MARGIN: f32 = 36.0;

/// The colours of day, as the style sheet has them: a test compares them.
pub(super) const fn colour(paint: Paint) -> [u8; 3] {
    match paint {
        Paint::Paper | Paint::Point => [0xfb, 0xfa, 0xf7],
        Paint::Wood => [0xe6, 0xc7, 0x8c],
        Paint::Grid => [0xb9, 0xb4, 0xa7],
        Paint::WoodLine => [0x6b, 0x5a, 0x34],
        Paint::Side(Side::First) => [0x1f, 0x6f, 0xb2],
        Paint::Side(Side::Second) => [0xc4, 0x47, 0x3a],
        Paint::Stone(Side::First) => [0x22, 0x22, 0x22],
        Paint::Stone(Side::Second) | Paint::OnSide => [0xff, 0xff, 0xff],
        Paint::Last(Side::First) | Paint::Tint(Mark::Burst) => [0xff, 0xb3, 0xa8],
        Paint::Last(Side::Second) => [0x9c, 0x22, 0x18],
        Paint::Tint(Mark::Placed) => [0xff, 0xe2, 0x8a],
        Paint::Tint(Mark::Captured) => [0xff, 0xf3, 0xcd],
        Paint::Tint(Mark::Corpse) => [0xdd, 0xd8, 0xcc],
        Paint::Tint(_) => [0xee, 0xea, 0xe0],
        Paint::Mark => [0x3a, 0x3a, 0x3a],
    }
}

/// The ground of the picture, and the two halves of the ring, the mark of the site.
const GROUND: [u8; 3] = [0x17, 0x1b, 0x21];
const HALVES: [[u8; 3]; 2] = [[0x6c, 0xb0, 0xea], [0xf2, 0x8b, 0x7d]];

pub(super) fn ink([red, green, blue]: [u8; 3]) -> Ink<'static> {
    let mut ink = Ink { anti_alias: true, ..Ink::default() };
    ink.set_color_rgba8(red, green, blue, 255);
    ink
}

/// A rectangle with round corners; `None` of one without a size.
fn rounded(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
    // The distance of a cubic curve's handles from its ends for a quarter of a circle.
    const HANDLE: f32 = 0.552_284_8;
    let radius = radius.min(width / 2.0).min(height / 2.0);
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(Rect::from_xywh(x, y, width, height)?));
    }
    let (right, bottom, near) = (x + width, y + height, radius * (1.0 - HANDLE));
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.cubic_to(right - near, y, right, y + near, right, y + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
    path.line_to(x + radius, bottom);
    path.cubic_to(x + near, bottom, x, bottom - near, x, bottom - radius);
    path.line_to(x, y + radius);
    path.cubic_to(x, y + near, x + near, y, x + radius, y);
    path.close();
    path.finish()
}

fn path(form: Form) -> Option<Path> {
    match form {
        Form::Rect { x, y, width, height, radius } => rounded(x, y, width, height, radius),
        Form::Circle { x, y, radius } => PathBuilder::from_circle(x, y, radius),
        Form::Polygon { x, y, outline } => {
            let mut path = PathBuilder::new();
            for (number, (right, down)) in outline.points().enumerate() {
                if number == 0 { path.move_to(x + right, y + down) } else { path.line_to(x + right, y + down) }
            }
            path.close();
            path.finish()
        }
        Form::Line { from, to } => {
            let mut path = PathBuilder::new();
            path.move_to(from[0], from[1]);
            path.line_to(to[0], to[1]);
            path.finish()
        }
    }
}

/// The ring of the site: half of it belongs to one side, half to the other.
pub(super) fn ring(pixmap: &mut Pixmap, centre: [f32; 2], radius: f32) {
    let stroke = Stroke { width: radius * 0.5, line_cap: LineCap::Butt, ..Stroke::default() };
    for (side, colour) in HALVES.into_iter().enumerate() {
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let mut half = PathBuilder::new();
        let points = 24;
        for at in 0..=points {
            let angle = std::f32::consts::PI * (at as f32 / points as f32 - 0.5);
            let [x, y] = [centre[0] + sign * radius * angle.cos(), centre[1] + radius * angle.sin()];
            if at == 0 { half.move_to(x, y) } else { half.line_to(x, y) }
        }
        if let Some(half) = half.finish() {
            pixmap.stroke_path(&half, &ink(colour), &stroke, Transform::identity(), None);
        }
    }
}

/// A picture of [`WIDTH`] × [`HEIGHT`] with nothing on it.
pub(super) fn blank() -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(WIDTH, HEIGHT)?;
    let [red, green, blue] = GROUND;
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    Some(pixmap)
}

impl Picture {
    /// The board in the middle of a picture of [`WIDTH`] × [`HEIGHT`], as a PNG file; `None` if it cannot be written.
    pub fn png(&self) -> Option<Vec<u8>> {
        let mut pixmap = blank()?;
        let [wide, high] = [WIDTH as f32, HEIGHT as f32];
        let scale = ((wide - 2.0 * MARGIN) / self.width).min((high - 2.0 * MARGIN) / self.height);
        let left = (wide - self.width * scale) / 2.0;
        self.paint(&mut pixmap, scale, [left, (high - self.height * scale) / 2.0]);
        if left > 130.0 {
            ring(&mut pixmap, [left / 2.0, high / 2.0], 40.0);
        }
        pixmap.encode_png().ok()
    }

    /// Paints the board, enlarged by `scale`, with its left upper corner there.
    pub(super) fn paint(&self, pixmap: &mut Pixmap, scale: f32, [left, top]: [f32; 2]) {
        let transform = Transform::from_row(scale, 0.0, 0.0, scale, left, top);
        for shape in &self.shapes {
            let Some(path) = path(shape.form) else { continue };
            let ink = ink(colour(shape.paint));
            match shape.line {
                None => pixmap.fill_path(&path, &ink, FillRule::Winding, transform, None),
                Some(width) => {
                    let stroke = Stroke { width, ..Stroke::default() };
                    pixmap.stroke_path(&path, &ink, &stroke, transform, None);
                }
            }
        }
    }
}
