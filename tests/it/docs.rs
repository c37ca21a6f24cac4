//! The book under `docs`: its links, its table of contents, its chart.

use crate::support::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of a folder and of those below it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// The text without blocks of code, in which brackets are no links.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap();
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.split('`').step_by(2).collect::<Vec<_>>().join("code")
}

/// The targets of the links in a page.
fn links(page: &Path) -> Vec<String> {
    let text = prose(page);
    text.match_indices("](").map(|(at, _)| text[at + 2..].split(')').next().unwrap().to_owned()).collect()
}

/// The anchors that mdBook and forges make of the headings of a page.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |letter: char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings.map(|heading| heading.to_lowercase().replace(|letter| !kept(letter), "").replace(' ', "-")).collect()
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    let mut broken = Vec::new();
    let mut checked = 0;
    let mut documents = pages(&project().join("docs/src"));
    documents
        .extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| project().join(name)));
    for page in documents {
        for link in links(&page).into_iter().filter(|link| !link.contains("://")) {
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_there = target.exists() && (anchor.is_empty() || anchors(&target).contains(anchor));
            if !is_there {
                broken.push(format!("{} -> {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(checked > 20, "only {checked} links");
}

#[test]
fn table_of_contents_has_every_page_once() {
    let source = project().join("docs/src");
    let contents = source.join("SUMMARY.md");
    let mut listed = links(&contents);
    listed.sort();
    let name = |page: &PathBuf| page.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
    let mut there: Vec<String> = pages(&source).iter().filter(|page| **page != contents).map(name).collect();
    there.sort();
    assert_eq!(listed, there);
}

/// A row of the chart: what is measured, beside which peer, and the ratios to its speed on one thread and on two.
struct Measured {
    work: String,
    peer: String,
    ratios: Vec<f64>,
}

/// The rows of the tables that compare with a peer on one thread and on two: of reading, not of writing.
fn measured(speed: &str) -> Vec<Measured> {
    let mut rows = Vec::new();
    let mut is_compared = false;
    let (mut peer_of_table, mut before) = (String::new(), "");
    for line in speed.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if !line.starts_with('|') {
            is_compared = false;
            if line.starts_with("## ") {
                before = if line.contains("Python") { "Python: " } else { "" };
            }
        } else if cells.contains(&"times as fast") && cells[0] != "what" {
            is_compared = true;
            peer_of_table = cells[2].split(',').next().unwrap().to_owned();
        } else if is_compared && !cells[0].starts_with("---") {
            let bold = |cell: &&str| cell.strip_prefix("**")?.split("**").next()?.replace(',', "").parse().ok();
            let ratios: Vec<f64> = cells.iter().filter_map(bold).collect();
            let is_memory = matches!(cells[1], "touched" | "fresh");
            let (work, peer) = match is_memory {
                true => (format!("b2nd, {}, {} memory", cells[0], cells[1]), peer_of_table.clone()),
                false => (format!("{before}{}", cells[0].replace('`', "")), cells[1].replace('`', "")),
            };
            // A limit that ndbytes itself sets is no peer.
            if peer.starts_with("ndbytes") {
                continue;
            }
            rows.push(Measured { work, peer, ratios });
        }
    }
    rows
}

/// The chart of these rows: a bar a ratio, on a logarithmic scale, from the line at 1.
fn chart(rows: &[Measured]) -> String {
    const LABEL: f64 = 384.0;
    const ROW: usize = 34;
    const DECADE: f64 = 110.0;
    let x = |ratio: f64| LABEL + DECADE * (ratio / 0.5).log10();
    let height = rows.len() * ROW + 60;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>How many times as fast as the peers, on one thread and on two</title>\n\
         <style>text{{fill:#1c2430}}.one{{fill:#3b6fb5}}.two{{fill:#8fb4e3}}line{{stroke:#9aa4b2}}@media (prefers-color-scheme:dark){{\
         text{{fill:#d8dee9}}.one{{fill:#8fb4e3}}.two{{fill:#3b6fb5}}}}</style>\n"
    );
    for (row, Measured { work, peer, ratios }) in rows.iter().enumerate() {
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
    svg += &format!(
        "<text x=\"{:.1}\" y=\"20\">the peer = 1; first bar one thread, second bar two; logarithmic</text>\n</svg>\n",
        one - 30.0
    );
    svg
}

#[test]
fn chart_of_speed_shows_the_tables() {
    let folder = project().join("docs/src");
    let rows = measured(&fs::read_to_string(folder.join("speed.md")).unwrap());
    assert!(rows.len() >= 12, "only {} rows", rows.len());
    let (path, drawn) = (folder.join("speed.svg"), chart(&rows));
    if std::env::var_os("UPDATE_CHART").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap() == drawn, "UPDATE_CHART=1 draws {} again", path.display());
}
