//! `ndbytes explain`

use crate::commands::out::{Content, Out, page_beside};
use crate::commands::page::{name_of, save};
use crate::context::{Context, DepthArgument, Outcome};
use crate::report::{self, written};
use crate::show::finding_text::help;
use crate::show::map_text::accounted_for;
use crate::show::style::{FAINT, HEADING, counted};
use crate::show::text::{self, Shown};
use crate::show::{diagnostic, json, map_json, map_table, rule_text};
use crate::values::rule::{near, rule};
use ndbytes::everybyte::map::{is_below, part_of};
use ndbytes::{ByteMap, Checker, Depth, Finding, Input, Limits, Report, Result, Span, Verdict, archive};
use ndbytes_page::Page;
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Explain every byte of a file: its field, its value, its meaning. A broken file is explained up to the break. For a zip
/// archive, the first members are included. The address of a member explains that member alone.
///
/// `ndbytes explain RULE`, such as `ndbytes explain idx/trailing-bytes`, explains a rule: its requirement, and a file that breaks
/// it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a page for the browser instead, with the bytes in colour: to OUT, or beside the file as `PATH.html`.
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Replace a file that is not a page of ndbytes, even one of a format that it knows.
    #[arg(long, requires = "html")]
    force: bool,
    /// How much of the file to check.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    /// The file; `-` is standard input. Or the name of a rule, if there is no such file.
    #[arg(value_name = "PATH|RULE")]
    path: PathBuf,
    /// Explain only this field, and everything below it: its path, such as `columns[2]`, or its key, such as
    /// `columns["Label"]`. With --html, the page to write; `-` is standard output, which is also the default if the file is
    /// standard input.
    #[arg(value_name = "PART|OUT")]
    second: Option<PathBuf>,
}

impl Arguments {
    /// The page to write, if one is named.
    fn out(&self) -> Option<&PathBuf> {
        self.second.as_ref().filter(|_| self.html)
    }

    /// The field that alone is explained.
    fn part(&self) -> Option<Cow<'_, str>> {
        self.second.as_ref().filter(|_| !self.html).map(|part| part.to_string_lossy())
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    if let Some(outcome) = explain_rule(arguments, context)? {
        return Ok(outcome);
    }
    let page = arguments.html.then(|| arguments.out().cloned().unwrap_or_else(|| page_beside(path)));
    if let Some(out) = &page {
        let out = Out { path: out, input: path, is_walked: false, force: arguments.force, content: Content::Page };
        if let Some(refusal) = out.refusal(context) {
            context.complain(&refusal)?;
            return Ok(Outcome::Unreadable);
        }
    }
    context.begin();
    let checker = Checker::new().depth(arguments.depth.into()).limits(context.limits);
    let progress = context.progress();
    let explained = context.open(path).and_then(|input| {
        progress.expect(input.length());
        progress.all_found();
        let _at_hand = progress.begin(path, input.length());
        let (report, map) = checker.explain(&input)?;
        Ok((map, report, input))
    });
    drop(progress);
    let (map, report, input) = match explained {
        Ok(explained) => explained,
        Err(error) => return report::report(&error, path, context),
    };
    let part = arguments.part().map(|part| {
        let spans = part_of(&map.spaces, &part);
        (part, spans)
    });
    if let Some((part, _)) = part.as_ref().filter(|(_, spans)| spans.is_empty()) {
        context.complain(&no_field(part, &map))?;
        return Ok(Outcome::Unreadable);
    }
    if let Some(out) = &page {
        let page = page_of(&map, &report, &input, arguments, context.limits);
        let outcome = written(page.and_then(|page| save(&page, out, context)), path, context)?;
        if outcome != Outcome::Clean {
            return Ok(outcome);
        }
    } else if arguments.json {
        let spans = part.as_ref().map(|(_, spans)| &spans[..]);
        map_json::print(&map, spans, &report, path, context.out.machine())?;
    } else if let Some((part, spans)) = &part {
        print_part(&map, (part, spans), &report, path, context)?;
    } else {
        print(&map, &report, path, context)?;
    }
    Ok(if report.verdict() == Verdict::Error { Outcome::Findings } else { Outcome::Clean })
}

/// The page that explains a file.
fn page_of(map: &ByteMap, report: &Report, input: &Input<'_>, arguments: &Arguments, limits: Limits) -> Result<String> {
    let name = name_of(&arguments.path);
    let page = Page::new(map, report, input).title(&name).advice(&help);
    let page = match arguments.depth.into() {
        Depth::Payload => page.pictures(limits),
        Depth::Structure => page.without_pictures(),
    };
    page.try_to_html()
}

/// Explains the rule that a path names, if there is no such file.
fn explain_rule(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Option<Outcome>> {
    let Some(name) = arguments.path.to_str().filter(|_| !arguments.path.exists()) else { return Ok(None) };
    match rule(name) {
        Some(rule) if arguments.json => json::line(context.out.machine(), rule)?,
        Some(rule) => rule_text::print(rule, context.text_width(), &mut context.out)?,
        None if is_like_a_rule(name) => {
            let near = near(name).map_or_else(String::new, |rule| format!("; the nearest rule is {}", rule.id));
            context.complain(&format!("there is neither a file nor a rule {name}{near}"))?;
            return Ok(Some(Outcome::Unreadable));
        }
        None => return Ok(None),
    }
    Ok(Some(Outcome::Clean))
}

/// Returns whether a name begins as rules do.
fn is_like_a_rule(name: &str) -> bool {
    let format = |name: &str| name.split_once('/').map(|(format, _)| format.to_owned());
    format(name).is_some_and(|of| ndbytes::rules().any(|rule| format(rule.id).as_ref() == Some(&of)))
}

/// The maximum number of fields that a complaint names.
const NAMED_FIELDS: usize = 12;

fn no_field(part: &str, map: &ByteMap) -> String {
    let mut names: Vec<&str> = map.spaces.iter().flat_map(|space| &space.nodes).map(|node| node.name()).collect();
    names.dedup();
    let more = if names.len() > NAMED_FIELDS { ", …" } else { "" };
    names.truncate(NAMED_FIELDS);
    format!("no field has the path or the key {part}; the file has {}{more}", names.join(", "))
}

/// Prints the fields of a part, and the findings about it.
fn print_part(
    map: &ByteMap,
    (part, spans): (&str, &[Span<'_>]),
    report: &Report,
    path: &Path,
    context: &mut Context<'_>,
) -> io::Result<()> {
    let is_of_part = |finding: &&Finding| {
        let holds = |span: &Span<'_>| (span.node.start()..span.node.end()).contains(&finding.offset);
        is_below(&finding.field, part) || spans.iter().any(|span| span.space == finding.space && holds(span))
    };
    let findings: Vec<Finding> = report.findings().iter().filter(is_of_part).cloned().collect();
    context.out.begin_room(report.size);
    writeln!(context.out, "{HEADING}{}{HEADING:#}  {}  {}\n", text::path(path), map.kind(), Shown(part))?;
    map_table::print(map, spans, context.width, &mut context.out)?;
    diagnostic::print_mapped(&findings, path, report.format, context.limits, &map.spans(), &mut context.out)?;
    let others = (report.findings().len() - findings.len()) as u64;
    if others > 0 {
        writeln!(context.out, "{FAINT}{} about the rest of the file{FAINT:#}", counted(others, "finding"))?;
    }
    context.out.end_room()
}

fn print(map: &ByteMap, report: &Report, path: &Path, context: &mut Context<'_>) -> io::Result<()> {
    let format = map.kind();
    let (name, size) = (text::path(path), counted(report.size, "byte"));
    context.out.begin_room(report.size);
    writeln!(context.out, "{HEADING}{name}{HEADING:#}  {format}  {size}\n")?;
    let spans = map.spans();
    map_table::print(map, &spans, context.width, &mut context.out)?;
    for part in report.parts() {
        let Some(member) = part.member else {
            diagnostic::print_mapped(part.findings, path, part.format, context.limits, &spans, &mut context.out)?;
            continue;
        };
        let address = archive::address(path, member);
        diagnostic::print_all(part.findings, &address, part.format, context.limits, &mut context.out)?;
    }
    let (weight, words) = accounted_for(&spans, report);
    writeln!(context.out, "{weight}{words}{weight:#}")?;
    context.out.end_room()
}
