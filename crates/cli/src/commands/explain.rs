//! `ndbytes explain`

use crate::commands::out::{Content, Out};
use crate::commands::page::{name_of, save};
use crate::context::{Context, DepthArgument, Outcome};
use crate::report::{self, written};
use crate::show::finding_text::help;
use crate::show::map_text::accounted_for;
use crate::show::style::{FAINT, HEADING, counted};
use crate::show::text::{self, Shown};
use crate::show::{diagnostic, json, map_json, map_table, rule_text};
use crate::values::open::Failure;
use crate::values::rule::{near, rule};
use crate::values::without_rules;
use ndbytes::everybyte::map::{is_below, part_of};
use ndbytes::{ByteMap, Checker, Depth, Finding, Input, Limits, Report, Result, Span, Verdict, archive};
use ndbytes_page::Page;
use std::io;
use std::path::{Path, PathBuf};

/// Explain every byte of a file, or a rule.
///
/// Shows the field, value and meaning of each byte. A broken file is explained up to the point where it breaks. For an
/// archive, the first members are also explained; name a member, such as `model.zip!Schema`, to see only that one.
///
/// `ndbytes explain RULE`, e.g. `ndbytes explain idx/trailing-bytes`, describes a rule and shows a file that violates it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write an HTML page that shows every byte in colour; `-` is standard output.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "part"])]
    html: Option<PathBuf>,
    /// Overwrite an existing file that is not an ndbytes page.
    #[arg(long, requires = "html")]
    force: bool,
    /// How much of the file to check.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    /// A file, `-` for standard input, or the name of a rule.
    #[arg(value_name = "PATH|RULE")]
    path: PathBuf,
    /// Explain only this field and everything below it. PART is a path, such as `columns[2]`, or a key, such as
    /// `columns["Label"]`.
    #[arg(value_name = "PART")]
    part: Option<String>,
}

/// Explains a file or, if the argument is the name of a rule, the rule.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    if let Some(outcome) = explain_rule(arguments, context)? {
        return Ok(outcome);
    }
    if let Some(out) = &arguments.html {
        let out = Out { path: out, input: path, is_walked: false, force: arguments.force, content: Content::Page };
        if let Some(refusal) = out.refusal(context) {
            context.complain(&refusal)?;
            return Ok(Outcome::Unreadable);
        }
    }
    context.begin();
    let explained = explained(arguments, context);
    let is_known = explained.as_ref().is_ok_and(|(_, report, _)| !report.is_foreign());
    if !is_known && let Some(failure) = refusal(path, context) {
        return failure.refuse(path, context);
    }
    let (map, report, input) = match explained {
        Ok(explained) => explained,
        Err(error) => return report::report(&error, path, context),
    };
    let part = arguments.part.as_deref().map(|part| (part, part_of(&map.spaces, part)));
    if let Some((part, _)) = part.as_ref().filter(|(_, spans)| spans.is_empty()) {
        context.complain(&no_field(part, &map))?;
        return Ok(Outcome::Unreadable);
    }
    if let Some(out) = &arguments.html {
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

/// Returns the map of a file, the report on it, and the file, showing progress.
fn explained(arguments: &Arguments, context: &mut Context<'_>) -> Result<(ByteMap, Report, Input<'static>)> {
    let checker = Checker::new().depth(arguments.depth.into()).limits(context.limits);
    let progress = context.progress();
    let input = context.open(&arguments.path)?;
    progress.expect(input.length());
    progress.all_found();
    let _at_hand = progress.begin(&arguments.path, input.length());
    let (report, map) = checker.explain(&input)?;
    Ok((map, report, input))
}

/// Returns why a file is not explained, if it is in a format without rules.
fn refusal(path: &Path, context: &Context<'_>) -> Option<Failure> {
    let what = "ndbytes does not know its bytes; `ndbytes info` and `ndbytes cat` show what it holds";
    without_rules::refusal(path, what, context)
}

/// Returns the page that explains a file.
fn page_of(map: &ByteMap, report: &Report, input: &Input<'_>, arguments: &Arguments, limits: Limits) -> Result<String> {
    let name = name_of(&arguments.path);
    let page = Page::new(map, report, input).title(&name).advice(&help);
    let page = match arguments.depth.into() {
        Depth::Payload => page.pictures(limits),
        Depth::Structure => page.without_pictures(),
    };
    page.try_to_html()
}

/// Explains the rule with this name, if there is no such file.
fn explain_rule(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Option<Outcome>> {
    let Some(name) = arguments.path.to_str().filter(|_| !arguments.path.exists()) else { return Ok(None) };
    match rule(name) {
        Some(rule) if arguments.json => json::line(context.out.machine(), rule)?,
        Some(rule) => rule_text::print(rule, context.text_width(), &mut context.out)?,
        None if is_like_a_rule(name) => {
            let near = near(name).map_or_else(String::new, |rule| format!("; did you mean {}?", rule.id));
            context.complain(&format!("no file and no rule is named {name}{near}"))?;
            return Ok(Some(Outcome::Unreadable));
        }
        None => return Ok(None),
    }
    Ok(Some(Outcome::Clean))
}

/// Returns whether a text begins like the name of a rule.
fn is_like_a_rule(name: &str) -> bool {
    let format = |name: &str| name.split_once('/').map(|(format, _)| format.to_owned());
    format(name).is_some_and(|of| ndbytes::rules().any(|rule| format(rule.id).as_ref() == Some(&of)))
}

/// The maximum number of fields in an error message.
const NAMED_FIELDS: usize = 12;

/// Returns the error for a path or key that matches no field. It lists some fields, since a typo is the usual cause.
fn no_field(part: &str, map: &ByteMap) -> String {
    let mut names: Vec<&str> = map.spaces.iter().flat_map(|space| &space.nodes).map(|node| node.name()).collect();
    names.dedup();
    let more = if names.len() > NAMED_FIELDS { ", …" } else { "" };
    names.truncate(NAMED_FIELDS);
    format!("no field has the path or key {part}; the fields are {}{more}", names.join(", "))
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

/// Prints the map as a table, with a heading. The output is limited in proportion to the size of the file.
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
