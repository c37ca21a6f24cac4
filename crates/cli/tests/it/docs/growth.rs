//! The plots on the page about growth match its tables.

use super::compare_picture;
use ndbytes_testkit::project;
use std::fs;

/// A table: the thing that grows, its sizes, and the seconds for each operation at each size.
#[derive(Default)]
struct Series {
    title: String,
    /// The labels, as in the table.
    labels: Vec<String>,
    sizes: Vec<f64>,
    works: Vec<(String, Vec<f64>)>,
}

/// Parses a number with thousands separators and a unit.
fn number(cell: &str) -> f64 {
    let (digits, unit) = cell.split_once(' ').unwrap_or((cell, ""));
    let scale = match unit {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        _ => panic!("{unit} is not a unit"),
    };
    digits.replace(',', "").parse::<f64>().unwrap() * scale
}

fn all_series(page: &str) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if let Some(title) = line.strip_prefix("### ") {
            all.push(Series { title: title.to_owned(), ..Series::default() });
        } else if let (true, Some(series)) = (line.starts_with('|'), all.last_mut()) {
            // The last cells are the exponent and the memory.
            let of_sizes = &cells[1..cells.len() - 2];
            let numbers = || of_sizes.iter().map(|cell| number(cell)).collect();
            match cells[0] {
                "work" => {
                    series.labels = of_sizes.iter().map(|cell| (*cell).to_owned()).collect();
                    series.sizes = numbers();
                }
                "---" => {}
                work => series.works.push((work.to_owned(), numbers())),
            }
        }
    }
    all
}

const WIDTH: f64 = 390.0;
const HEIGHT: f64 = 300.0;

/// The positions of a panel's axes: left, top, right and bottom.
const FRAME: [f64; 4] = [48.0, 34.0, 272.0, 262.0];

/// The minimum and maximum seconds that a panel shows.
const SECONDS: [f64; 2] = [1e-3, 1e3];

const COLOURS: [&str; 7] = ["#3b6fb5", "#c2571a", "#3f8f4f", "#a23b72", "#7a6a1f", "#5a5f9e", "#2b8a8a"];

/// Returns the relative position of a value between two others, on a logarithmic scale.
fn share(value: f64, [least, most]: [f64; 2]) -> f64 {
    (value / least).ln() / (most / least).ln()
}

fn panel(series: &Series, left: f64, top: f64) -> String {
    let sizes = [series.sizes[0], *series.sizes.last().unwrap()];
    let x = |size: f64| left + FRAME[0] + share(size, sizes) * (FRAME[2] - FRAME[0]);
    let y = |seconds: f64| top + FRAME[3] - share(seconds.max(SECONDS[0]), SECONDS) * (FRAME[3] - FRAME[1]);
    let mut svg = format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\">{}</text>\n",
        left + FRAME[0],
        top + 20.0,
        series.title
    );
    for (seconds, label) in
        [(1e-3, "1 ms"), (1e-2, "10 ms"), (0.1, "0.1 s"), (1.0, "1 s"), (10.0, "10 s"), (100.0, "100 s"), (1e3, "")]
    {
        let (right, y) = (left + FRAME[2], y(seconds));
        svg += &format!(
            "<line class=\"grid\" x1=\"{:.1}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n",
            left + FRAME[0]
        );
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
            left + FRAME[0] - 5.0,
            y + 3.5
        );
    }
    for (&size, label) in series.sizes.iter().zip(&series.labels) {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>\n",
            x(size),
            top + FRAME[3] + 16.0
        );
    }
    // Linear growth follows these lines: one decade of time per decade of size.
    let growth = sizes[1] / sizes[0];
    for seconds in [1e-3, 1e-2, 1e-1, 1.0] {
        let end = growth.min(SECONDS[1] / seconds);
        svg += &format!(
            "<line class=\"linear\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\n",
            x(sizes[0]),
            x(sizes[0] * end),
            y(seconds),
            y(seconds * end)
        );
    }
    for (number, (work, times)) in series.works.iter().enumerate() {
        let colour = COLOURS[number];
        let points: Vec<_> = series
            .sizes
            .iter()
            .zip(times)
            .map(|(&size, &seconds)| format!("{:.1},{:.1}", x(size), y(seconds)))
            .collect();
        svg += &format!("<polyline points=\"{}\" stroke=\"{colour}\"/>\n", points.join(" "));
        let (label, line) = (left + FRAME[2] + 26.0, top + FRAME[1] + 12.0 + number as f64 * 16.0);
        svg += &format!(
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            label - 16.0,
            label - 4.0,
            line - 3.5,
            line - 3.5
        );
        svg += &format!("<text x=\"{label:.1}\" y=\"{line:.1}\">{work}</text>\n");
    }
    svg
}

/// Draws all series, two side by side.
fn plots(all: &[Series]) -> String {
    let height = all.len().div_ceil(2) as f64 * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <title>Seconds by size, both on logarithmic scales; dashed lines are linear growth</title>\n\
         <style>text{{fill:#1c2430}}polyline{{fill:none;stroke-width:2}}.grid{{stroke:#d4d9e0}}.linear{{stroke:#9aa4b2;stroke-dasharray:2 4}}\
         @media (prefers-color-scheme:dark){{text{{fill:#d8dee9}}.grid{{stroke:#3a424d}}}}</style>\n",
        WIDTH * 2.0
    );
    for (number, series) in all.iter().enumerate() {
        svg += &panel(series, (number % 2) as f64 * WIDTH, (number / 2) as f64 * HEIGHT);
    }
    svg + "</svg>\n"
}

#[test]
fn plots_of_growth_show_the_tables() {
    let all = all_series(&fs::read_to_string(project().join("docs/src/internals/growth.md")).unwrap());
    assert!(all.len() >= 7, "only {} series", all.len());
    compare_picture("internals/growth.svg", &plots(&all));
}
