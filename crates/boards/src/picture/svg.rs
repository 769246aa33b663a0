//! Pictures of boards in pages: SVG, with the colours of the style sheet.

use agon_game::{Mark, Side};
use maud::{Markup, html};

use super::shapes::{Form, Paint, Picture, Shape};

impl Paint {
    /// The name of the colour in the style sheet.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Paper | Self::Point => "board",
            Self::Wood => "wood",
            Self::Grid => "grid",
            Self::WoodLine => "wood-line",
            Self::Side(Side::First) => "side0",
            Self::Side(Side::Second) => "side1",
            Self::Stone(Side::First) => "stone0",
            Self::Stone(Side::Second) => "stone1",
            Self::OnSide => "on-side",
            Self::Last(Side::First) => "last1",
            Self::Last(Side::Second) => "last2",
            Self::Tint(Mark::Placed) => "placed",
            Self::Tint(Mark::Captured) => "captured",
            Self::Tint(Mark::Burst) => "burst",
            Self::Tint(Mark::Corpse) => "corpse",
            Self::Tint(Mark::Vacated | Mark::Forbidden | Mark::Star | Mark::Won) => "vacated",
            Self::Mark => "mark",
        }
    }
}

/// The order of layers: ground, lines, points and marked squares, pieces, and marks on them. Places do not overlap, so
/// all shapes with the same paint in a layer can be one path, which makes a page a quarter as large.
fn layer(shape: &Shape) -> u8 {
    match (shape.paint, shape.line) {
        (Paint::Paper | Paint::Wood, _) => 0,
        (Paint::Grid | Paint::WoodLine, Some(_)) => 1,
        (Paint::Tint(_) | Paint::WoodLine | Paint::Point, _) => 2,
        (Paint::Side(_) | Paint::Stone(_), _) => 3,
        _ => 4,
    }
}

/// A form as the data of a path.
fn data(form: Form) -> String {
    match form {
        Form::Polygon { x, y, outline } => {
            let corners = outline.points().map(|(right, down)| format!("{:.2} {:.2}", x + right, y + down));
            format!("M{}z", corners.collect::<Vec<_>>().join("L"))
        }
        Form::Line { from: [x1, y1], to: [x2, y2] } => format!("M{x1} {y1}L{x2} {y2}"),
        Form::Circle { x, y, radius } => {
            let wide = 2.0 * radius;
            format!("M{} {y}a{radius} {radius} 0 1 0 {wide} 0a{radius} {radius} 0 1 0 -{wide} 0", x - radius)
        }
        Form::Rect { x, y, width, height, radius } => {
            let (across, down, corner) =
                (width - 2.0 * radius, height - 2.0 * radius, format!("{radius} {radius} 0 0 1"));
            format!(
                "M{} {y}h{across}a{corner} {radius} {radius}v{down}a{corner} -{radius} {radius}h-{across}\
                 a{corner} -{radius} -{radius}v-{down}a{corner} {radius} -{radius}",
                x + radius
            )
        }
    }
}

/// The paths of a picture: class, width of the line, data.
fn paths(shapes: &[Shape]) -> Vec<(String, Option<f32>, String)> {
    let mut sorted: Vec<&Shape> = shapes.iter().collect();
    sorted.sort_by_key(|shape| layer(shape));
    let mut paths: Vec<(u8, String, Option<f32>, String)> = Vec::new();
    for shape in sorted {
        let class = format!("{}-{}", if shape.line.is_some() { "l" } else { "f" }, shape.paint.name());
        let (at, width) = (layer(shape), shape.line.filter(|width| *width > 1.0));
        let known = paths.iter_mut().find(|(layer, name, line, _)| *layer == at && *name == class && *line == width);
        match known {
            Some((.., path)) => path.push_str(&data(shape.form)),
            None => paths.push((at, class, width, data(shape.form))),
        }
    }
    paths.into_iter().map(|(_, class, width, path)| (class, width, path)).collect()
}

impl Picture {
    /// The picture as part of a page; `label` describes it, and without one it is only decoration.
    pub fn svg(&self, label: Option<&str>) -> Markup {
        let role = label.map(|_| "img");
        let hidden = label.is_none().then_some("true");
        html! {
            svg.picture viewBox={ "0 0 " (self.width) " " (self.height) } role=[role] aria-label=[label]
                aria-hidden=[hidden] {
                @for (class, width, path) in paths(&self.shapes) {
                    path class=(class) stroke-width=[width] d=(path) {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_paint_are_one_path() {
        let circle = |x| Form::Circle { x, y: 5.0, radius: 2.0 };
        let shape = |form, paint, line| Shape { form, paint, line };
        let shapes = [
            shape(circle(5.0), Paint::Side(Side::First), None),
            // A marked square is below the piece on it, wherever that comes in the order.
            shape(Form::Rect { x: 0.0, y: 0.0, width: 8.0, height: 8.0, radius: 1.0 }, Paint::Tint(Mark::Placed), None),
            shape(circle(15.0), Paint::Side(Side::First), None),
            shape(circle(15.0), Paint::Mark, Some(2.0)),
        ];
        let drawn = paths(&shapes);
        let names: Vec<(&str, Option<f32>)> = drawn.iter().map(|(class, width, _)| (class.as_str(), *width)).collect();
        assert_eq!(names, [("f-placed", None), ("f-side0", None), ("l-mark", Some(2.0))]);
        assert_eq!(drawn[0].2, "M1 0h6a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-6a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1");
        assert_eq!(drawn[1].2.matches('M').count(), 2);
        assert!(drawn[1].2.starts_with("M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M13 5"), "{}", drawn[1].2);
    }
}
