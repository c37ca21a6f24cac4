//! The page that shows two files side by side, with their differences.

mod structure;
mod values;

use crate::assets::DIFF;
use crate::content::{content, marks};
use crate::facts::facts;
use crate::findings::cards;
use crate::page::MAKER;
use crate::pictures::Drawn;
use everybyte::page::{Card, Content, Document, Facts, Run, Summary, Tree, shown};
use ndbytes::{ByteMap, Checker, Error, Finding, Format, Input, Limits, Report, Result};
use ndbytes_compare::diff::{Diff, MemberDiff};
use ndbytes_pictures::Drawing;
use serde::Serialize;
use std::cell::OnceCell;
use std::path::Path;
use structure::Structure;
use values::Values;

/// The maximum number of characters of a title.
const TITLE: usize = 200;

/// The maximum size of the rows of each file, and of the bytes that are shown.
const ROWS: usize = 500_000;
const BYTES: u64 = 96 << 10;

/// The maximum number of archive members that are listed, and of lines for each.
const MEMBERS: usize = 100;
const LINES: usize = 12;

/// The minimum number of differences of each kind to search for when a page is written.
pub const DIFFERENCES: usize = 200;

/// One of the two files, as [`ndbytes::Checker::explain`] explains it.
#[derive(Clone, Copy)]
pub struct Side<'p> {
    /// The map of its bytes.
    pub map: &'p ByteMap,
    /// Its findings.
    pub report: &'p Report,
    /// Its bytes.
    pub input: &'p Input<'p>,
    /// Its name.
    pub title: &'p str,
}

/// The maximum number of bytes in the picture: the page has no room for a larger one.
const PICTURE: usize = 400_000;

/// Returns the page that shows how two files differ: at most 2 MiB of HTML. `None` stands for a missing file or
/// picture.
///
/// ```
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
/// use ndbytes_compare::diff::{Options, diff};
/// use ndbytes::{Checker, Input, Limits};
/// use ndbytes_page::{Side, diff_page};
///
/// let input = Input::open(path, Limits::default())?;
/// let (report, map) = Checker::new().explain(&input)?;
/// let side = Side { map: &map, report: &report, input: &input, title: "surface.ra" };
/// let html = diff_page(&diff(&input, &input, &Options::new())?, Some(side), Some(side), None);
/// assert!(html.contains("identical"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub fn diff_page(diff: &Diff, a: Option<Side<'_>>, b: Option<Side<'_>>, picture: Option<&Drawing>) -> String {
    made(diff, [a, b], picture, &OnceCell::new())
}

/// Returns the page. `failed` receives the first error while reading one of the files.
fn made(diff: &Diff, [a, b]: [Option<Side<'_>>; 2], picture: Option<&Drawing>, failed: &OnceCell<Error>) -> String {
    let titles = [title_of(a, &diff.a), title_of(b, &diff.b)];
    let title = if titles[0] == titles[1] { titles[0].clone() } else { titles.join(" → ") };
    let new = cards(&diff.findings.new, diff.b.format, &|finding: &Finding| finding.help.clone());
    let gone = cards(&diff.findings.gone, diff.a.format, &|finding: &Finding| finding.help.clone());
    let summary = Summary::new(&title, diff.verdict.to_string(), &new, diff.findings.new.len());
    let island = Island {
        title: &title,
        names: &titles,
        picture: picture.map(Drawn::new).filter(|drawn| drawn.svg.len() <= PICTURE),
        verdict: diff.verdict.to_string(),
        is_equal: diff.is_equal(),
        first_byte: diff.first_byte,
        values: diff.values.as_ref().map(Values::new),
        structure: diff.structure.as_ref().map(Structure::new),
        new,
        gone,
        members: diff.members.iter().take(MEMBERS).map(Member::new).collect(),
        all_members: diff.members.len(),
        equal_members: diff.equal_members,
        sides: [(a, diff.a.format), (b, diff.b.format)].map(|(side, format)| Some(File::new(side?, format, failed))),
    };
    let island = serde_json::to_string(&island).expect("the page has no maps with odd keys");
    Document { maker: MAKER, summary, island: &island, look: DIFF }.to_string()
}

/// Returns the same page for two inputs, which are explained first.
///
/// # Errors
/// Any error from [`Checker::explain`], and the first error while reading one of the files for the page.
pub fn diff_page_of(
    diff: &Diff,
    names: [&str; 2],
    inputs: [Option<&Input<'_>>; 2],
    picture: Option<&Drawing>,
    limits: Limits,
) -> Result<String> {
    let checker = Checker::new().limits(limits);
    let explain = |input: Option<&Input<'_>>| input.map(|input| checker.explain(input)).transpose();
    let explained = [explain(inputs[0])?, explain(inputs[1])?];
    let side = |number: usize| {
        let (report, map) = explained[number].as_ref()?;
        Some(Side { map, report, input: inputs[number]?, title: names[number] })
    };
    let failed = OnceCell::new();
    let page = made(diff, [side(0), side(1)], picture, &failed);
    failed.into_inner().map_or(Ok(page), Err)
}

/// Returns the name of one of the two files. A store has no map, only members.
fn title_of(side: Option<Side<'_>>, compared: &ndbytes_compare::diff::Side) -> String {
    match (side, &compared.name) {
        (Some(side), _) => shown(side.title, TITLE),
        (None, Some(path)) if compared.exists => {
            let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
            shown(&name, TITLE)
        }
        (None, _) => "no file".to_owned(),
    }
}

/// All data for the script.
#[derive(Serialize)]
struct Island<'a> {
    title: &'a str,
    /// The names of both files.
    names: &'a [String; 2],
    picture: Option<Drawn>,
    verdict: String,
    is_equal: bool,
    first_byte: Option<u64>,
    values: Option<Values>,
    structure: Option<Structure>,
    new: Vec<Card>,
    gone: Vec<Card>,
    members: Vec<Member>,
    all_members: usize,
    equal_members: u64,
    sides: [Option<File>; 2],
}

/// A file: its properties, its bytes and its fields.
#[derive(Serialize)]
struct File {
    format: Option<Format>,
    facts: Facts,
    bytes: Vec<Run>,
    tree: Tree,
}

impl File {
    fn new(side: Side<'_>, format: Option<Format>, failed: &OnceCell<Error>) -> Self {
        let read = content(side.input, failed);
        let content = Content { length: side.input.length(), read: &read };
        File {
            format,
            facts: facts(side.map, side.report),
            bytes: Run::of(&side.map.spaces, &marks(side.report), content, BYTES),
            tree: Tree::unlinked(&side.map.spaces, ROWS),
        }
    }
}

/// A member that differs between two archives, as lines of text.
#[derive(Serialize)]
struct Member {
    name: String,
    verdict: String,
    lines: Vec<String>,
}

impl Member {
    fn new(member: &MemberDiff) -> Self {
        let text = member.diff.to_string();
        Member {
            name: shown(&member.name, TITLE),
            verdict: member.diff.verdict.to_string(),
            lines: text.lines().skip(2).take(LINES).map(|line| shown(line, TITLE)).collect(),
        }
    }
}
