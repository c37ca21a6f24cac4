//! The page that shows how two directories differ: a table, and the differences of some files. It has no script.

use crate::assets::FOLDERS;
use crate::page::MAKER;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use everybyte::page::{Escaped, Head, shown};
use ndbytes::everybyte::numerals::{counted, grouped};
use ndbytes_compare::diff::Diff;
use ndbytes_compare::folders::{Compared, Outcome, Row, Totals};
use ndbytes_pictures::Drawing;
use std::fmt::Write;

/// The maximum size of the table, and of the differences of single files: the page has at most 2 MiB.
const TABLE: usize = 900_000;
const DETAILS: usize = 1_000_000;

/// The maximum number of characters in a path, a line, and a title.
const PATH: usize = 1000;
const LINE: usize = 400;

/// The maximum size of a picture.
const PICTURE: usize = 300_000;

/// The maximum number of lines of one file's differences.
const LINES: usize = 40;

/// A page that is being built: files are added one by one.
///
/// ```
/// use ndbytes_page::Folders;
/// use ndbytes_compare::folders::Totals;
///
/// let page = Folders::new("old", "new").to_html(&Totals::default());
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("old → new"));
/// ```
#[derive(Debug)]
pub struct Folders {
    title: String,
    names: [String; 2],
    table: String,
    details: String,
    /// The number of differing files that are not in the table, or whose differences are not shown.
    left_out: u64,
    untold: u64,
}

impl Folders {
    /// Creates the page for two directories, with their names.
    pub fn new(old: &str, new: &str) -> Self {
        let names = [old, new].map(|name| shown(name, PATH));
        let title = names.join(" → ");
        Folders { title, names, table: String::new(), details: String::new(), left_out: 0, untold: 0 }
    }

    /// Returns whether there is room for the differences of another file.
    pub fn has_room(&self) -> bool {
        self.details.len() < DETAILS
    }

    /// Adds a file. Identical files are only counted. The picture is requested only if there is room for it.
    pub fn push(&mut self, compared: &Compared, picture: impl FnOnce(&Diff) -> Option<Drawing>) {
        let row = &compared.row;
        if row.outcome == Outcome::Same {
            return;
        }
        let diff = compared.diff.as_ref().filter(|_| !row.equal && row.known);
        let detail = diff.filter(|_| self.has_room()).map(|diff| detail(row, diff, picture(diff).as_ref(), self.at()));
        let detail = detail.filter(|detail| self.details.len() + detail.len() <= DETAILS);
        let line = line(row, &self.names, detail.is_some().then(|| self.at()));
        if self.table.len() + line.len() > TABLE {
            self.left_out += 1;
            return;
        }
        self.untold += u64::from(diff.is_some() && detail.is_none());
        self.table += &line;
        self.details += &detail.unwrap_or_default();
    }

    /// Returns the position of the next file on the page.
    fn at(&self) -> usize {
        self.details.len()
    }

    /// Returns the page as HTML.
    pub fn to_html(&self, totals: &Totals) -> String {
        let Folders { title, names, table, details, left_out, untold } = self;
        let mut page = Head { maker: MAKER, title, style: FOLDERS, scripts: "'none'" }.to_string();
        let mut put = |text: &str| page.push_str(text);
        put(&format!("<main>\n<h1><bdi>{}</bdi></h1>\n<p>{}</p>\n<ul class=\"sums\">", Escaped(title), files(totals)));
        for (outcome, count) in totals.counts().filter(|(_, count)| *count > 0) {
            put(&format!("<li><b>{}</b> {}</li>", grouped(count), Escaped(&outcome.in_words(&names[0], &names[1]))));
        }
        put("</ul>\n");
        if !table.is_empty() {
            put("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Files that differ\"><table>\n");
            put("<caption>Files that are not the same</caption>\n<thead><tr><th scope=\"col\">file</th>");
            put("<th scope=\"col\">outcome</th><th scope=\"col\">details</th></tr></thead>\n<tbody>\n");
            put(table);
            put("</tbody></table></div>\n");
        }
        for (count, words) in [(*left_out, "omitted from the table"), (*untold, "shown without details")] {
            if count > 0 {
                put(&format!("<p>{} more: {words}.</p>\n", counted(count, "file")));
            }
        }
        put(details);
        put("</main>\n</body>\n</html>\n");
        page
    }
}

fn files(totals: &Totals) -> String {
    let bytes = match totals.unknown {
        0 => String::new(),
        unknown => format!("; {} in unknown formats were compared by bytes", grouped(unknown)),
    };
    format!("{}{bytes}", counted(totals.files(), "file"))
}

/// Writes a row of the table, with a link to the differences if the page has them.
fn line(row: &Row, names: &[String; 2], place: Option<usize>) -> String {
    let path = shown(&row.path, PATH);
    let path = match place {
        Some(place) => format!("<a href=\"#at{place}\"><bdi>{}</bdi></a>", Escaped(&path)),
        None => format!("<bdi>{}</bdi>", Escaped(&path)),
    };
    let class = if row.equal { "ok" } else { "bad" };
    let (outcome, detail) = (row.outcome.in_words(&names[0], &names[1]), shown(&row.detail, LINE));
    format!(
        "<tr><th scope=\"row\">{path}</th><td class=\"{class}\">{}</td><td>{}</td></tr>\n",
        Escaped(&outcome),
        Escaped(&detail)
    )
}

/// Writes the differences of one file: their picture, and the report.
fn detail(row: &Row, diff: &Diff, picture: Option<&Drawing>, place: usize) -> String {
    let path = shown(&row.path, PATH);
    let mut text = format!("<section id=\"at{place}\">\n<h2><bdi>{}</bdi></h2>\n", Escaped(&path));
    if let Some(drawing) = picture.filter(|drawing| drawing.to_svg().len() <= PICTURE) {
        let (width, height) = drawing.outer_size();
        let _ = writeln!(
            text,
            "<img class=\"drawing\" width=\"{width}\" height=\"{height}\" alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">",
            Escaped(&drawing.caption().join("; ")),
            STANDARD.encode(drawing.to_svg())
        );
    }
    // The first line names both files.
    let report = diff.to_string();
    let mut lines: Vec<String> = report.lines().skip(1).take(LINES).map(|line| shown(line, LINE)).collect();
    lines.extend(report.lines().nth(LINES + 1).map(|_| "…".to_owned()));
    let _ = write!(text, "<pre tabindex=\"0\">{}</pre>\n</section>\n", Escaped(&lines.join("\n")));
    text
}
