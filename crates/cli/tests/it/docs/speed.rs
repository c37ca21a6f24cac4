//! The charts on the page about speed match its tables.

use super::compare_picture;
use ndbytes_testkit::project;
use std::fs;

/// A row of the chart: the operation, the peer, and the ratios to the peer's speed on one thread and on two.
struct Measured {
    work: String,
    peer: String,
    ratios: Vec<f64>,
    /// True if the row is about one of the many kinds of b2nd arrays, which have their own chart.
    is_of_b2nd: bool,
}

/// The rows of the tables that compare reading with a peer on one thread and on two.
fn measured(speed: &str) -> Vec<Measured> {
    let mut rows = Vec::new();
    let (mut is_compared, mut before) = (false, "");
    for line in speed.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if !line.starts_with('|') {
            is_compared = false;
            if line.starts_with("## ") {
                before = if line.contains("Python") { "Python: " } else { "" };
            }
        } else if cells.contains(&"times as fast") {
            is_compared = cells.iter().any(|cell| cell.ends_with(", 2 threads"));
        } else if is_compared && !cells[0].starts_with("---") {
            let bold = |cell: &&str| cell.strip_prefix("**")?.split("**").next()?.replace(',', "").parse().ok();
            let ratios: Vec<f64> = cells.iter().filter_map(bold).collect();
            let is_of_b2nd = matches!(cells[1], "touched" | "fresh");
            let (work, peer) = match is_of_b2nd {
                true => of_b2nd(cells[0], cells[1]),
                false => (format!("{before}{}", cells[0].replace('`', "")), cells[1].replace('`', "")),
            };
            // A bound measured with ndbytes itself is not a peer.
            if peer.starts_with("ndbytes") {
                continue;
            }
            rows.push(Measured { work, peer, ratios, is_of_b2nd });
        }
    }
    rows
}

/// The two lines of a kind of array: `temperatures: float64 4096×8192, zstd, shuffle, chunks 512×1024, blocks 64×256`.
fn of_b2nd(description: &str, memory: &str) -> (String, String) {
    let (values, rest) = description.split_once(": ").unwrap();
    let (item_type, rest) = rest.split_once(' ').unwrap();
    let (shape, rest) = rest.split_once(", ").unwrap();
    let (pipeline, grid) = rest.split_once(", chunks").unwrap();
    (format!("{item_type}, {pipeline}, {memory} memory"), format!("{values} {shape}, chunks{grid}"))
}

/// Draws the chart of these rows: one bar per ratio, on a logarithmic scale, starting at 1.
fn chart(rows: &[Measured]) -> String {
    const LABEL: f64 = 384.0;
    const ROW: usize = 34;
    const WIDTH: f64 = 350.0;
    let most = rows.iter().flat_map(|row| &row.ratios).fold(1.0_f64, |most, &ratio| most.max(ratio));
    let x = |ratio: f64| LABEL + WIDTH * (ratio / 0.5).log10() / (most / 0.5).log10();
    let height = rows.len() * ROW + 60;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>How many times as fast as the peers, on one thread and on two</title>\n\
         <style>text{{fill:#1c2430}}.one{{fill:#3b6fb5}}.two{{fill:#8fb4e3}}line{{stroke:#9aa4b2}}@media (prefers-color-scheme:dark){{\
         text{{fill:#d8dee9}}.one{{fill:#8fb4e3}}.two{{fill:#3b6fb5}}}}</style>\n"
    );
    for (row, Measured { work, peer, ratios, .. }) in rows.iter().enumerate() {
        let top = 40 + row * ROW;
        let right = LABEL - 14.0;
        for (text, size, y) in [(work, 13, top + 14), (peer, 10, top + 26)] {
            svg += &format!("<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\" font-size=\"{size}\">{text}</text>\n");
        }
        for (thread, &ratio) in ratios.iter().enumerate() {
            let (left, right) = (x(ratio.min(1.0)), x(ratio.max(1.0)));
            let (class, y) = (["one", "two"][thread], top + 4 + thread * 12);
            svg += &format!(
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"10\"/>\n",
                right - left
            );
            svg += &format!("<text x=\"{:.1}\" y=\"{}\" font-size=\"10\">{ratio}</text>\n", right + 4.0, y + 9);
        }
    }
    let one = x(1.0);
    svg += &format!("<line x1=\"{one:.1}\" x2=\"{one:.1}\" y1=\"30\" y2=\"{}\"/>\n", height - 20);
    svg + "<text x=\"790\" y=\"20\" text-anchor=\"end\">the peer = 1; first bar one thread, second bar two; logarithmic</text>\n</svg>\n"
}

#[test]
fn charts_of_speed_show_the_tables() {
    let rows = measured(&fs::read_to_string(project().join("docs/src/internals/speed.md")).unwrap());
    let (kinds, works): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_of_b2nd);
    assert!(works.len() >= 20 && kinds.len() >= 41, "only {} and {} rows", works.len(), kinds.len());
    compare_picture("internals/speed.svg", &chart(&works));
    compare_picture("internals/speed-b2nd.svg", &chart(&kinds));
}
