//! The complete text.

use super::page::Page;
use super::{Choices, Values, facts, unknown};
use crate::digest;
use everybyte::map::Node;
use everybyte::numerals::{counted, grouped, with_groups};
use ndbytes::archive::Archive;
use ndbytes::internals::is_zip;
use ndbytes::{ByteMap, Checker, Error, File, Finding, Input, Options, Report, Result, Rule, Severity, info};
use std::ops::Range;

/// The maximum lengths of the sections, in bytes. With the lines about omissions, they stay below 256 KiB.
const HEAD: usize = 8 << 10;
const FINDINGS: usize = 24 << 10;
const FIELDS: usize = 64 << 10;
const VALUES: usize = 156 << 10;

/// The maximum number of findings that are listed.
const MOST_FINDINGS: usize = 100;

/// The maximum number of members of an archive whose values are read.
const MOST_MEMBERS: usize = 256;

/// A member whose values take more bytes than this is shown as a digest.
const MEMBER: usize = 16 << 10;

/// The text of an input.
pub fn of(input: &Input<'_>, choices: &Choices) -> Result<String> {
    let mut page = Page::default();
    page.section(HEAD);
    page.line(&first_line(input, choices)?);
    if input.length() == 0 {
        return Ok(page.finish());
    }
    let again = || input.again(choices.limits);
    let (report, map) = match Checker::new().limits(choices.limits).explain(&again()?) {
        Ok((report, map)) => (report, Some(map)),
        Err(error @ (Error::Io { .. } | Error::Time { .. })) => return Err(error),
        Err(_) => (Checker::new().limits(choices.limits).check_input(again()?)?, None),
    };
    // A text cut short by a time limit would differ from run to run.
    input.budget().ensure_time()?;
    let opened = open(again()?, &report, choices);
    if let Ok(file) = &opened {
        page.line(&described(file));
    }
    page.section(FINDINGS);
    findings(&report, &mut page);
    page.section(FIELDS);
    let mut used = vec![false; choices.redacted.len()];
    match &map {
        Some(map) if map.format.is_some() || map.is_archive => {
            facts::lines(map, choices, &mut used).iter().for_each(|line| page.line(line));
        }
        Some(_) => unknown::add(input, &mut page)?,
        None => page.line("fields not shown: their map exceeds the memory limit"),
    }
    if let Some(place) = used.iter().position(|used| !used) {
        return Err(Error::Unmatched { pattern: choices.redacted[place].to_string() });
    }
    page.section(VALUES);
    if let (Some(map), Ok(file)) = (&map, &opened) {
        stored(input, map, file, choices, &mut page)?;
    }
    values(input, opened, &report, choices, &mut page)?;
    input.budget().ensure_time()?;
    Ok(page.finish())
}

/// Writes format, version, size and digest.
fn first_line(input: &Input<'_>, choices: &Choices) -> Result<String> {
    let title = match ndbytes::internals::known_format(input) {
        _ if input.length() == 0 => "empty file".to_owned(),
        Some(format) => {
            let version = info(input.again(choices.limits)?, &choices.limits).ok().and_then(|info| info.version);
            version.map_or_else(|| format.title().to_owned(), |version| format!("{} {version}", format.title()))
        }
        None if is_zip(input.head()) => "zip archive".to_owned(),
        None => "unknown format".to_owned(),
    };
    if choices.is_without_sizes {
        return Ok(format!("{title}, {}", facts::REDACTED));
    }
    let digest = digest::bytes(&input.again(choices.limits)?)?;
    Ok(format!("{title}, {}, blake3 {digest}", counted(input.length(), "byte")))
}

/// Opens a file if its errors can be tolerated.
fn open<'a>(input: Input<'a>, report: &Report, choices: &Choices) -> Result<File<'a>> {
    let tolerable = errors(report).filter(|rule| rule.is_tolerable());
    tolerable.fold(Options::new().limits(choices.limits), Options::tolerate).read(input)
}

/// Writes the rules that prevent a file from being read.
fn errors(report: &Report) -> impl Iterator<Item = &'static Rule> {
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.rule)
}

fn described(file: &File<'_>) -> String {
    match file {
        File::Array(array) => {
            let shape = array.shape().iter().map(usize::to_string).collect::<Vec<_>>().join("×");
            let order = if array.is_fortran_order() { "F" } else { "C" };
            let parts = ["array".to_owned(), array.item_type().to_string(), shape, order.to_owned()];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        }
        File::Table(table) => {
            let columns = table.columns().len() as u64;
            format!("table, {}, {}", counted(table.rows(), "row"), counted(columns, "column"))
        }
    }
}

fn findings(report: &Report, page: &mut Page) {
    let all = report.findings();
    for Finding { severity, rule, member, field, message, .. } in all.iter().take(MOST_FINDINGS) {
        let member = member.as_ref().map_or_else(String::new, |member| format!(" in {member:?}"));
        let field = if field.is_empty() { String::new() } else { format!(" at {field}") };
        page.line(&format!("finding {severity} {}{member}{field}: {}", rule.id, with_groups(message)));
    }
    if all.len() > MOST_FINDINGS {
        page.line(&format!("… and {} more findings", grouped((all.len() - MOST_FINDINGS) as u64)));
    }
}

/// Adds the digest of the stored content, if it is encoded, so that different bytes for the same values are visible.
fn stored(input: &Input<'_>, map: &ByteMap, file: &File<'_>, choices: &Choices, page: &mut Page) -> Result<()> {
    let content = map.spaces[0].nodes.all().filter(|node| node.is_leaf() && facts::is_data(*node));
    let places: Vec<Range<u64>> = content.map(Node::place).collect();
    let length: u64 = places.iter().map(|place| place.end - place.start).sum();
    if length == 0 || Some(length) == decoded_length(file) {
        return Ok(());
    }
    if choices.is_without_sizes {
        page.line(&format!("stored {}", facts::REDACTED));
        return Ok(());
    }
    let mut hasher = blake3::Hasher::new();
    for place in &places {
        digest::update(&mut hasher, input, place.clone())?;
    }
    let hash = super::short(hasher.finalize().as_bytes());
    page.line(&format!("stored {}, blake3 {hash}", counted(length, "byte")));
    Ok(())
}

/// Returns the length of an array's items in bytes.
fn decoded_length(file: &File<'_>) -> Option<u64> {
    match file {
        File::Array(array) => array.items().count().checked_mul(array.item_type().stride()),
        File::Table(_) => None,
    }
}

fn values(
    input: &Input<'_>,
    opened: Result<File<'_>>,
    report: &Report,
    choices: &Choices,
    page: &mut Page,
) -> Result<()> {
    if choices.values == Values::None {
        return Ok(());
    }
    if report.format.is_none() {
        return members(input, choices, page);
    }
    match opened.and_then(|file| lines_of(file, input.length(), choices.values, VALUES, choices)) {
        Ok(lines) => lines.iter().for_each(|line| page.line(line)),
        // A file of several tensors.
        Err(Error::Archive { .. }) => return members(input, choices, page),
        Err(error @ Error::Io { .. }) => return Err(error),
        Err(error) => page.line(&not_read(&error)),
    }
    Ok(())
}

/// Adds the members of an archive: the values of small ones, and digests of the others.
fn members(input: &Input<'_>, choices: &Choices, page: &mut Page) -> Result<()> {
    let Ok(archive) = Archive::read(input.again(choices.limits)?, choices.limits) else { return Ok(()) };
    let values = if choices.form == 1 || choices.values == Values::Hash { Values::Hash } else { Values::Small };
    for (member, loaded) in archive.load_each().take(MOST_MEMBERS) {
        let name = member.name();
        let file = loaded.and_then(|input| {
            let length = input.length();
            Options::new().limits(choices.limits).read(input).map(|file| (length, file))
        });
        match file {
            Ok((length, file)) => {
                page.line(&format!("member {name:?}: {}", described(&file)));
                match lines_of(file, length, values, MEMBER, choices) {
                    Ok(lines) => lines.iter().for_each(|line| page.line(&format!("  {line}"))),
                    Err(error @ Error::Io { .. }) => return Err(error),
                    Err(error) => page.line(&not_read(&error)),
                }
            }
            Err(error @ Error::Io { .. }) => return Err(error),
            Err(error) => page.line(&format!("member {name:?}: {}", not_read(&error))),
        }
    }
    let left = archive.members().len().saturating_sub(MOST_MEMBERS);
    if left > 0 {
        page.line(&format!("… and {} more members", grouped(left as u64)));
    }
    Ok(())
}

fn lines_of(file: File<'_>, length: u64, values: Values, room: usize, choices: &Choices) -> Result<Vec<String>> {
    match file {
        File::Array(array) => super::array::lines(&array, length, values, choices, room),
        File::Table(table) => super::table::lines(&table, values, room),
    }
}

/// Writes why there are no values. For a finding, the rule is enough, since the message is already above.
fn not_read(error: &Error) -> String {
    match error {
        Error::Invalid(finding) => format!("values not read: {}", finding.rule.id),
        // The numbers of bytes depend on the number of threads.
        Error::Limit { what, .. } => format!("values not read: the memory limit is too low for {what}"),
        error => format!("values not read: {error}"),
    }
}
