//! Answers: what the tool would say, in the form that the page shows.

use crate::question::{Ask, Named, Question};
use ndbytes::archive::Archive;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Checker, Error, File, Input, Limits, Options, Report, Result, Severity};
use ndbytes_compare::diff::{self, diff};
use ndbytes_page::{DIFFERENCES, Page, diff_page_of};
use ndbytes_pictures::{Choice, Medium, PictureBudget, choose, difference_of, draw};
use ndbytes_text::diagnostic::{Held, print_held};
use ndbytes_text::finding_text::help;
use ndbytes_text::printer::Printer;
use ndbytes_text::style::{counted, heading};
use ndbytes_text::text::Shown;
use serde_json::{Value, json};

/// The maximum number of bytes of a file, and of additional memory for working on it. A browser gives WebAssembly at most 4 GiB:
/// enough for two files and the work on both.
pub const MOST: u64 = 512 << 20;

/// The maximum number of findings that are printed.
const FINDINGS: usize = 200;

/// The maximum number of members that are listed.
const MEMBERS: usize = 1000;

/// Why there is no answer, as a sentence.
struct Refusal(String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal(error.to_string())
    }
}

impl From<ndbytes_pictures::Error> for Refusal {
    fn from(error: ndbytes_pictures::Error) -> Self {
        Refusal(error.to_string())
    }
}

/// Answers a question about files with a JSON object. `files` are their bytes, in the order of the question. If there is no answer,
/// `refused` is the reason.
pub fn answer(question: &Question, files: &[Vec<u8>]) -> Value {
    answered(question, files).unwrap_or_else(|Refusal(reason)| json!({ "refused": reason }))
}

fn answered(question: &Question, files: &[Vec<u8>]) -> std::result::Result<Value, Refusal> {
    let limits = Limits::default().memory(MOST);
    if question.files.len() != files.len() {
        return Err(Refusal("each file of a question needs its bytes".into()));
    }
    if let Some(file) = files.iter().find(|file| file.len() as u64 > MOST) {
        let (size, most) = (counted(file.len() as u64, "byte"), counted(MOST, "byte"));
        return Err(Refusal(format!(
            "the file has {size}, and this page takes {most} at most; the tool takes larger ones"
        )));
    }
    let opened = |place: usize| opened(&question.files[place], &files[place], limits);
    match (question.ask, files.len()) {
        (Ask::Check, 1) => check(&question.files[0], &files[0], limits),
        (Ask::Explain, 1) => Ok(json!({ "html": explain(&title(&question.files[0]), &opened(0)?, limits)? })),
        (Ask::Show, 1) => show(question, opened(0)?, limits),
        (Ask::Diff, 2) => {
            let titles = [0, 1].map(|place| title(&question.files[place]));
            Ok(differences([&titles[0], &titles[1]], &opened(0)?, &opened(1)?, limits)?)
        }
        (Ask::Diff, _) => Err(Refusal("two files are compared".into())),
        _ => Err(Refusal("the question is about one file".into())),
    }
}

fn title(file: &Named) -> String {
    match &file.member {
        Some(member) => format!("{}!{member}", file.name),
        None => file.name.clone(),
    }
}

/// Returns the bytes that a question is about.
fn opened<'f>(file: &Named, bytes: &'f [u8], limits: Limits) -> Result<Input<'f>> {
    let whole = Input::from_slice(bytes, limits);
    match &file.member {
        Some(member) => member_of(whole, member, limits),
        None => Ok(whole),
    }
}

fn member_of<'f>(whole: Input<'f>, name: &str, limits: Limits) -> Result<Input<'f>> {
    let archive = Archive::read(whole, limits)?;
    let names = || archive.members().iter().take(MEMBERS).map(|member| member.name().into()).collect();
    let missing = || Error::NoEntry { entry: name.to_owned(), members: names(), more: 0 };
    archive.load(archive.members().iter().find(|member| member.name() == name).ok_or_else(missing)?)
}

/// Returns the findings, as the tool prints them on a terminal with colours.
fn check(file: &Named, bytes: &[u8], limits: Limits) -> std::result::Result<Value, Refusal> {
    let input = Input::from_slice(bytes, limits);
    let report = Checker::new().limits(limits).check_input(input.again(limits)?)?;
    let archive = Archive::read(input, limits).ok();
    let mut members: Vec<&str> =
        archive.iter().flat_map(Archive::members).take(MEMBERS).map(|member| member.name()).collect();
    members.dedup();
    let mut text = Vec::new();
    print(&report, file, bytes, archive.as_ref(), limits, &mut Printer::new(&mut text, true))?;
    let all = report.findings();
    let count = |severity| all.iter().filter(|finding| finding.severity == severity).count();
    let kind = report.format.map(|format| format.to_string());
    Ok(json!({
        "verdict": report.verdict().to_string(),
        "kind": kind.or_else(|| archive.is_some().then(|| "zip".to_owned())),
        "errors": count(Severity::Error),
        "findings": all.len(),
        "members": members,
        "text": String::from_utf8_lossy(&text),
        "more": all.len().saturating_sub(FINDINGS),
    }))
}

/// Prints the first findings of each part of a report.
fn print(
    report: &Report,
    file: &Named,
    bytes: &[u8],
    archive: Option<&Archive<'_>>,
    limits: Limits,
    out: &mut Printer<'_>,
) -> Result<()> {
    let mut left = FINDINGS;
    for part in report.parts() {
        let findings = &part.findings[..part.findings.len().min(left)];
        left -= findings.len();
        if findings.is_empty() {
            continue;
        }
        let named = part.member.and_then(|name| {
            let member = archive?.members().iter().find(|member| member.name() == name)?;
            archive?.load(member).ok()
        });
        let content = named.as_ref().and_then(|input| input.bytes().ok()).unwrap_or_default();
        let held = Held { name: &file.name, file: bytes, member: part.member.map(|name| (name, content)) };
        print_held(findings, held, part.format, limits, out)?;
    }
    Ok(())
}

fn explain(title: &str, input: &Input<'_>, limits: Limits) -> Result<String> {
    let (report, map) = Checker::new().limits(limits).explain(input)?;
    Ok(Page::new(&map, &report, input).title(title).advice(&help).pictures(limits).to_html())
}

/// Returns the picture of an array, or of the items at an index of its first axes.
fn show(question: &Question, input: Input<'_>, limits: Limits) -> std::result::Result<Value, Refusal> {
    let File::Array(array) = Options::new().limits(limits).read(input)? else {
        return Err(Refusal("pictures are made of arrays, and this is a table: its page has its histograms".into()));
    };
    let shape = array.shape().to_vec();
    let all = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
    let index = |&index: &usize| isize::try_from(index).map_or(all, SliceInfoElem::Index);
    let mut chosen: Vec<SliceInfoElem> = question.index.iter().take(shape.len()).map(index).collect();
    #[expect(clippy::disallowed_methods, reason = "the axes are those of an array that is open")]
    chosen.resize_with(shape.len(), || all);
    let mut items = array.select(&chosen)?;
    let name = Shown(&title(&question.files[0])).to_string();
    let heading = heading(&name, &items.item_type().to_string(), items.shape());
    let choice = Choice::new(Medium::IMAGE.room()).scaling(question.scaling());
    let choice = question.kind.map_or(choice, |kind| choice.kind(kind.into()));
    let drawing = draw(&choose(&mut *items, &choice, limits)?, &heading, Medium::IMAGE);
    Ok(
        json!({ "svg": drawing.to_svg(), "words": drawing.caption().join("; "), "size": drawing.outer_size(), "shape": shape }),
    )
}

/// Returns the page for two files, and the tool's report.
fn differences(titles: [&str; 2], a: &Input<'_>, b: &Input<'_>, limits: Limits) -> Result<Value> {
    let found = diff(a, b, &diff::Options::new().limits(limits).most(DIFFERENCES))?;
    let files = [Some(a), Some(b)];
    // A page without a picture says enough.
    let picture = difference_of(&found, titles, files, PictureBudget::PAGE_DIFFERENCE, limits).ok();
    let html = diff_page_of(&found, titles, files, picture.as_ref(), limits)?;
    Ok(json!({ "html": html, "equal": found.is_equal(), "conclusion": found.conclusion() }))
}
