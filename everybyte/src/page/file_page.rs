//! The page of one file.

use super::assets::FILE;
use super::bytes::{Content, Run};
use super::card::Card;
use super::document::{Document, Summary};
use super::facts::Facts;
use super::links::links;
use super::rows::{Row, Rows};
use super::strings::shown;
use crate::finding::Severity;
use crate::format::Explained;
use crate::map::Space;
use crate::map::unclaimed;
use serde::Serialize;
use std::ops::Range;

/// The number of characters of a title that are shown.
const TITLE: usize = 200;

/// The maximum size in bytes of rows and strings, and of the bytes of the file.
const ROWS: usize = 1_100_000;
const BYTES: u64 = 256 << 10;

/// Returns the page that explains a file, in at most 2 MiB of HTML. `title` is the name of the file, and `maker` is
/// the name of the program.
pub fn page(explained: &Explained, file: &[u8], title: &str, maker: &str) -> String {
    let count = |severity| explained.findings.iter().filter(|finding| finding.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let facts = Facts {
        kind: explained.format.as_str().to_owned(),
        size: file.len() as u64,
        verdict: match (errors, warnings) {
            (0, 0) => "ok",
            (0, _) => "warning",
            _ => "error",
        },
        unclaimed: unclaimed(&explained.spaces),
        errors,
        warnings,
    };
    let read = |buffer: &mut [u8], offset: u64| {
        let bytes = usize::try_from(offset).ok().and_then(|offset| file.get(offset..)?.get(..buffer.len()));
        bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
    };
    let marks = explained.findings.iter().filter(|finding| finding.space == 0).map(|finding| finding.bytes.clone());
    FilePage {
        maker,
        title,
        facts,
        findings: Card::first(explained.findings.iter().map(Card::from)),
        all_findings: explained.findings.len(),
        pictures: None::<()>,
        spaces: &explained.spaces,
        marks: &marks.collect::<Vec<_>>(),
        content: Content { length: file.len() as u64, read: &read },
    }
    .to_html()
}

/// The parts of a page of one file, for programs that show their own pictures or findings. Other programs use
/// [`page`].
///
/// ```
/// use everybyte::page::{Card, Content, Facts, FilePage};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let file = [1, 2];
/// let explained = explain::<Pair>(&file);
/// let read = |buffer: &mut [u8], offset: u64| {
///     let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..buffer.len()));
///     bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
/// };
/// let content = Content { length: 2, read: &read };
/// let html = FilePage {
///     maker: "pairs",
///     title: "a.pair",
///     facts: Facts { kind: "pair".to_owned(), size: 2, verdict: "ok", unclaimed: 0, errors: 0, warnings: 0 },
///     findings: Card::first(explained.findings.iter().map(Card::from)),
///     all_findings: explained.findings.len(),
///     pictures: None::<()>,
///     spaces: &explained.spaces,
///     marks: &[],
///     content,
/// }
/// .to_html();
/// assert!(html.contains("pair, 2 bytes, ok"));
/// ```
pub struct FilePage<'a, P> {
    /// The name of the program that makes it.
    pub maker: &'a str,
    /// The name of the file.
    pub title: &'a str,
    /// The headline.
    pub facts: Facts,
    /// The findings that are shown.
    pub findings: Vec<Card>,
    /// The total number of findings.
    pub all_findings: usize,
    /// Pictures of the content, in the form that the script expects.
    pub pictures: Option<P>,
    /// The map.
    pub spaces: &'a [Space],
    /// The bytes of the file that findings refer to.
    pub marks: &'a [Range<u64>],
    /// The bytes of the file.
    pub content: Content<'a>,
}

impl<P: Serialize> FilePage<'_, P> {
    /// Returns the page, which is at most 2 MiB of HTML if the pictures take no more than 400 KB.
    pub fn to_html(self) -> String {
        let title = shown(self.title, TITLE);
        let summary = Summary::new(&title, self.facts.line(), &self.findings, self.all_findings);
        let island = Island {
            title: &title,
            facts: self.facts,
            findings: self.findings,
            pictures: self.pictures,
            bytes: Run::of(self.spaces, self.marks, self.content, BYTES),
            tree: Tree::linked(self.spaces, ROWS),
        };
        let island = serde_json::to_string(&island).expect("the page has no maps with odd keys");
        Document { maker: self.maker, summary, island: &island, look: FILE }.to_string()
    }
}

/// All data for the script.
#[derive(Serialize)]
struct Island<'a, P> {
    title: &'a str,
    facts: Facts,
    findings: Vec<Card>,
    pictures: Option<P>,
    bytes: Vec<Run>,
    tree: Tree,
}

/// The fields of a file.
///
/// ```
/// use everybyte::page::Tree;
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let explained = explain::<Pair>(&[1, 2]);
/// let json = serde_json::to_string(&Tree::unlinked(&explained.spaces, 10_000))?;
/// assert!(json.contains(r#""links":null"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Tree {
    strings: Vec<String>,
    rows: Vec<Row>,
    /// The links; `None` if they were not computed.
    links: Option<Vec<[usize; 2]>>,
}

impl Tree {
    /// Creates the fields, with links between numbers and fields. Rows and strings take at most about `room` bytes.
    pub fn linked(spaces: &[Space], room: usize) -> Self {
        let rows = Rows::new(spaces, room);
        let links = links(spaces, &rows);
        let (rows, strings) = rows.into_parts();
        Tree { strings, rows, links }
    }

    /// Creates the fields without links.
    pub fn unlinked(spaces: &[Space], room: usize) -> Self {
        let (rows, strings) = Rows::new(spaces, room).into_parts();
        Tree { strings, rows, links: None }
    }
}
