//! Drawings as SVG, which adapts to light or dark mode.

use super::paint::encoded;
use crate::drawing::{Drawing, Ink, MARGIN, Mark, Pixels};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write;

const STYLE: &str = "text{font:13px ui-monospace,Menlo,Consolas,monospace;white-space:pre}image{image-rendering:pixelated}\
    .paper{fill:#fff}.text{fill:#1c1f24}.faint{fill:#5b6470}.rule{fill:#d9dce1}.accent{fill:#2a6f97;stroke:#2a6f97}\
    .error{fill:#c62f2f}.accent path{stroke-width:1.2}\
    @media(prefers-color-scheme:dark){.paper{fill:#16181c}.text{fill:#e6e8ea}.faint{fill:#a3abb5}.rule{fill:#363b42}\
    .accent{fill:#6db3d6;stroke:#6db3d6}.error{fill:#ff7b72}}";

impl Drawing {
    /// Returns the drawing as SVG: one file that loads nothing from elsewhere.
    pub fn to_svg(&self) -> String {
        let (width, height) = self.outer_size();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"-{MARGIN} -{MARGIN} {width} {height}\">\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\"/>\n"
        );
        for mark in self.marks() {
            // Text takes all that is written to it.
            let _ = write_mark(&mut svg, mark);
        }
        svg + "</svg>\n"
    }
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Text => "text",
        Ink::Faint => "faint",
        Ink::Rule => "rule",
        Ink::Accent => "accent",
        Ink::Error => "error",
    }
}

fn write_mark(svg: &mut String, mark: &Mark) -> std::fmt::Result {
    match mark {
        Mark::Pixels(Pixels { x, y, width, height, columns, rows, colours, .. }) => {
            let image = encoded((*columns, *rows), colours.as_flattened(), png::ColorType::Rgba);
            writeln!(
                svg,
                "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
                 href=\"data:image/png;base64,{}\"/>",
                STANDARD.encode(image)
            )
        }
        Mark::Box([x, y, width, height], ink) => writeln!(
            svg,
            "<rect class=\"{}\" stroke=\"none\" style=\"stroke:none\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" \
             height=\"{height:.2}\"/>",
            class(*ink)
        ),
        Mark::Band(spans, ink) => {
            write!(svg, "<path class=\"{}\" stroke-width=\"1.2\" stroke-linejoin=\"round\" d=\"", class(*ink))?;
            let upper = spans.iter().map(|[x, top, _]| (x, top));
            let lower = spans.iter().rev().map(|[x, _, bottom]| (x, bottom));
            for (place, (x, y)) in upper.chain(lower).enumerate() {
                write!(svg, "{}{x:.2} {y:.2}", if place == 0 { 'M' } else { 'L' })?;
            }
            writeln!(svg, "Z\"/>")
        }
        Mark::Text { x, y, text, ink } => {
            writeln!(svg, "<text class=\"{}\" x=\"{x:.2}\" y=\"{:.2}\">{}</text>", class(*ink), y + 12.5, escaped(text))
        }
    }
}

/// Escapes markup in text, and replaces characters that XML forbids.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
