//! A page in the making.

use crate::assets::FILE;
use crate::bytes::{Run, bytes};
use crate::document::{Document, Summary};
use crate::facts::Facts;
use crate::findings::{Card, cards};
use crate::links::links;
use crate::pictures::{Picture, pictures};
use crate::rows::{Row, Rows};
use crate::strings::shown;
use ndbytes::{ByteMap, Finding, Input, Limits, Report};
use serde::Serialize;

/// The letters of a title that are shown.
const TITLE: usize = 200;

/// The maximum number of bytes of rows and texts, and of bytes of the file.
const ROWS: usize = 1_100_000;
const BYTES: u64 = 256 << 10;

/// The page that explains a file. `title` is its name; the bytes of the file are read from `input`.
///
/// It reads the data for pictures within the default [`Limits`]; [`Page`] takes others.
pub fn page(map: &ByteMap, report: &Report, title: &str, input: &Input<'_>) -> String {
    Page::new(map, report, input).title(title).to_html()
}

/// A page that explains a file, with its options.
#[derive(Clone, Copy)]
pub struct Page<'p> {
    map: &'p ByteMap,
    report: &'p Report,
    input: &'p Input<'p>,
    title: &'p str,
    pictures: Option<Limits>,
    advice: &'p dyn Fn(&Finding) -> Option<String>,
}

impl<'p> Page<'p> {
    /// A page of a file that was [explained](ndbytes::Checker::explain).
    pub fn new(map: &'p ByteMap, report: &'p Report, input: &'p Input<'p>) -> Self {
        let advice = &|finding: &Finding| finding.help.clone();
        Page { map, report, input, title: "file", pictures: Some(Limits::default()), advice }
    }

    /// Names the file.
    #[must_use]
    pub fn title(self, title: &'p str) -> Self {
        Page { title, ..self }
    }

    /// Reads the data for pictures within these limits, from which the memory that the map takes is subtracted.
    #[must_use]
    pub fn pictures(self, limits: Limits) -> Self {
        Page { pictures: Some(limits), ..self }
    }

    /// Leaves the pictures out: no data are decoded.
    #[must_use]
    pub fn without_pictures(self) -> Self {
        Page { pictures: None, ..self }
    }

    /// Gives the advice on each finding, in place of its own.
    #[must_use]
    pub fn advice(self, advice: &'p dyn Fn(&Finding) -> Option<String>) -> Self {
        Page { advice, ..self }
    }

    /// The page: at most 2 MiB of HTML.
    pub fn to_html(self) -> String {
        let title = shown(self.title, TITLE);
        let facts = Facts::new(self.map, self.report);
        let findings = cards(self.report.findings(), self.report.format, self.advice);
        let summary = Summary::new(&title, facts.line(), &findings, self.report.findings().len());
        let island = Island {
            title: &title,
            facts,
            findings,
            pictures: self.pictures.map(|limits| pictures(self.map, self.report, self.input, limits)),
            bytes: bytes(self.map, self.report, self.input, BYTES),
            tree: Tree::new(self.map),
        };
        let island = serde_json::to_string(&island).expect("the page has no maps with odd keys");
        Document { summary, island: &island, look: FILE }.to_string()
    }
}

/// All that the script shows.
#[derive(Serialize)]
struct Island<'a> {
    title: &'a str,
    facts: Facts,
    findings: Vec<Card>,
    pictures: Option<Vec<Picture>>,
    bytes: Vec<Run>,
    tree: Tree,
}

/// The fields of a file.
#[derive(Serialize)]
pub struct Tree {
    pub strings: Vec<String>,
    pub rows: Vec<Row>,
    /// `None` if they were not looked for.
    pub links: Option<Vec<[usize; 2]>>,
}

impl Tree {
    fn new(map: &ByteMap) -> Self {
        let rows = Rows::new(map, ROWS);
        let links = links(map, &rows);
        let (rows, strings) = rows.into_parts();
        Tree { strings, rows, links }
    }
}
