//! `ndbytes explain`

use crate::commands::out::{Content, Out, page_beside};
use crate::commands::report::{self, written};
use crate::context::{Context, DepthArgument, Outcome};
use crate::show::map_text::{accounted_for, kind_of};
use crate::show::style::{HEADING, counted};
use crate::show::text::{self, is_standard};
use crate::show::{diagnostic, html, map_json, map_table};
use ndbytes::{ByteMap, Checker, Report, Verdict, archive};
use std::io;
use std::path::{Path, PathBuf};

/// Explain every byte of a file: its field, its value, its meaning. A broken file is explained up to the break. A zip
/// archive is explained with its first members; each member is explained by its address, too.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a page for the browser instead, with the bytes in colour: to OUT, or beside the file as `PATH.html`.
    #[arg(long, conflicts_with = "json")]
    html: bool,
    /// Replace a file that is not a page, even one of a format that ndbytes knows.
    #[arg(long, requires = "html")]
    force: bool,
    /// The extent of the check of the file.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    /// The file; `-` is standard input.
    path: PathBuf,
    /// The page to write; `-` is standard output, which is also the default if the file is standard input.
    #[arg(requires = "html")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    let page = arguments.html.then(|| arguments.out.clone().unwrap_or_else(|| page_beside(path)));
    if let Some(out) = &page {
        let content = if arguments.out.is_some() { Content::Page } else { Content::PageBeside };
        if let Some(refusal) = (Out { path: out, input: path, force: arguments.force, content }).refusal(context) {
            context.complain(&refusal)?;
            return Ok(Outcome::Unreadable);
        }
    }
    let checker = Checker::new().depth(arguments.depth.into()).limits(context.limits);
    let explained = context.open(path).and_then(|input| {
        let (report, map) = checker.explain(&input)?;
        Ok((map, report, input))
    });
    let (map, report, input) = match explained {
        Ok(explained) => explained,
        Err(error) => return report::report(&error, path, context),
    };
    if let Some(out) = &page {
        let page = html::page(&map, &report, &text::path(path), &input);
        let outcome = written(save(&page, out, context), path, context)?;
        if outcome != Outcome::Clean {
            return Ok(outcome);
        }
    } else if arguments.json {
        map_json::print(&map, &report, path, context.out.machine())?;
    } else {
        print(&map, &report, path, context)?;
    }
    Ok(if report.verdict() == Verdict::Error { Outcome::Findings } else { Outcome::Clean })
}

/// Writes a page, and prints its path.
fn save(page: &str, out: &Path, context: &mut Context<'_>) -> ndbytes::Result<()> {
    if is_standard(out) {
        return Ok(context.out.machine().write_all(page.as_bytes())?);
    }
    context.limits.ensure_output("the page", page.len() as u64)?;
    ndbytes::replace_file(out, page.as_bytes())?;
    // A failure here cannot be reported to anybody.
    let _ = writeln!(context.err, "the page is in {}", text::path(out));
    Ok(())
}

fn print(map: &ByteMap, report: &Report, path: &Path, context: &mut Context<'_>) -> io::Result<()> {
    let format = kind_of(map);
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
