//! `ndbytes info`

use crate::commands::report::report;
use crate::context::{Context, Outcome, Paths};
use crate::show::style::{ERROR, FAINT, HEADING, counted, grouped};
use crate::show::text::{self, is_standard};
use crate::show::{info_text, json};
use ndbytes::archive::{self, Archive, Opened};
use ndbytes::{Error, Finding, Format, Info, Result};
use serde::Serialize;
use std::io;
use std::path::Path;

/// The widest description of a member that is not cut.
const WIDEST: usize = 40;

/// Describe files: format, element type and shape, or columns, sizes, compression. The payload is not read. The members
/// of a zip archive or a store are listed.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    paths: Paths,
}

#[derive(Serialize)]
struct InfoObject<'a> {
    path: String,
    #[serde(flatten)]
    info: &'a Info,
}

/// The output for a path that is not a file, or for a file that breaks a rule.
#[derive(Serialize)]
struct Refusal {
    path: String,
    format: Option<&'static str>,
    finding: Finding,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for (place, path) in arguments.paths.paths.iter().enumerate() {
        let opened = open(path, context);
        context.out.begin_room(match &opened {
            Ok(Opened::File(input)) => input.length(),
            Ok(Opened::Archive(archive)) => archive.length(),
            Err(_) => 0,
        });
        let looked = opened.and_then(|opened| match opened {
            Opened::File(input) => ndbytes::info(input, &context.limits).map(|info| Looked::File(info.into())),
            Opened::Archive(archive) => Ok(Looked::Archive(archive.into())),
        });
        if place > 0 && !arguments.json && looked.is_ok() {
            writeln!(context.out)?;
        }
        let ended = match looked {
            Ok(Looked::File(info)) => tell(Ok(*info), path, arguments, context)?,
            Ok(Looked::Archive(archive)) if arguments.json => {
                let mut worst = Outcome::Clean;
                for (member, loaded) in archive.load_each() {
                    let info = loaded.and_then(|input| ndbytes::info(input, &context.limits));
                    worst = worst.max(tell(info, &archive::address(path, member.name()), arguments, context)?);
                }
                worst
            }
            Ok(Looked::Archive(archive)) => print_members(path, &archive, context)?,
            Err(error) => tell(Err(error), path, arguments, context)?,
        };
        context.out.end_room()?;
        outcome = outcome.max(ended);
    }
    Ok(outcome)
}

/// The target of a path.
enum Looked {
    File(Box<Info>),
    /// An archive, or a store.
    Archive(Box<Archive<'static>>),
}

/// Opens a path, or standard input for `-`. The members of an archive are listed later.
fn open(path: &Path, context: &Context<'_>) -> Result<Opened<'static>> {
    match is_standard(path) {
        true => Opened::from_input(context.open(path)?, context.limits),
        false => Opened::open(path, context.limits),
    }
}

fn tell(info: Result<Info>, path: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    match info {
        Ok(info) if arguments.json => {
            json::line(context.out.machine(), &InfoObject { path: path.display().to_string(), info: &info })?;
        }
        Ok(info) => info_text::print(path, &info, context.width, &mut context.out)?,
        Err(Error::Invalid(finding)) if arguments.json => {
            let finding = json::finding(&finding);
            json::line(context.out.machine(), &Refusal { path: path.display().to_string(), format: None, finding })?;
            return Ok(Outcome::Findings);
        }
        Err(error) => return report(&error, path, context),
    }
    Ok(Outcome::Clean)
}

/// Prints a line for each member of an archive, and the findings about those that cannot be read.
fn print_members(path: &Path, archive: &Archive<'_>, context: &mut Context<'_>) -> io::Result<Outcome> {
    let what = if path.is_dir() { "store" } else { "zip archive" };
    let number = counted(archive.members().len() as u64, "member");
    writeln!(context.out, "{HEADING}{}{HEADING:#}  {what}  {number}\n", text::path(path))?;
    writeln!(context.out, "{FAINT}{:<8}  {:<WIDEST$}  {:>12}  address{FAINT:#}", "format", "holds", "bytes")?;
    let mut refused = Vec::new();
    for (member, loaded) in archive.load_each() {
        let address = archive::address(path, member.name());
        let name = text::path(&address);
        let size = grouped(member.length());
        let format = member.format().map_or("–", Format::title);
        match loaded.and_then(|input| ndbytes::info(input, &context.limits)) {
            Ok(info) => {
                let holds = text::cut(&info_text::holds(&info), WIDEST);
                let padding = WIDEST - text::width(&holds);
                writeln!(context.out, "{format:<8}  {holds}{:padding$}  {size:>12}  {name}", "")?;
            }
            Err(error) => {
                writeln!(context.out, "{format:<8}  {ERROR}{:<WIDEST$}{ERROR:#}  {size:>12}  {name}", "✗")?;
                refused.push((address, error));
            }
        }
    }
    if !refused.is_empty() {
        writeln!(context.out)?;
    }
    let mut outcome = Outcome::Clean;
    for (address, error) in refused {
        outcome = outcome.max(report(&error, &address, context)?);
    }
    Ok(outcome)
}
