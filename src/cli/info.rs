//! `ndbytes info`

use super::style::{self, HEADING};
use super::{Context, Outcome, Paths, json, open, report};
use ndbytes::{Error, Info};
use serde::Serialize;
use std::io;
use std::path::Path;

/// Say what files are: format, element type, shape, sizes, compression. The payload is not looked at.
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

/// What is printed of a file that is none, or breaks a rule.
#[derive(Serialize)]
struct Refusal<'a> {
    path: String,
    format: Option<&'static str>,
    finding: json::FindingObject<'a>,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for (place, path) in arguments.paths.paths.iter().enumerate() {
        let info = open(path, context.limits).and_then(|input| ndbytes::info(input, &context.limits));
        match info {
            Ok(info) if arguments.json => {
                json::line(context.out, &InfoObject { path: path.display().to_string(), info: &info })?;
            }
            Ok(info) => {
                if place > 0 {
                    writeln!(context.out)?;
                }
                print(path, &info, context)?;
            }
            Err(Error::Invalid(finding)) if arguments.json => {
                let finding = (&*finding).into();
                json::line(context.out, &Refusal { path: path.display().to_string(), format: None, finding })?;
                outcome = outcome.max(Outcome::Findings);
            }
            Err(error) => outcome = outcome.max(report(&error, path, context)?),
        }
    }
    Ok(outcome)
}

fn print(path: &Path, info: &Info, context: &mut Context<'_>) -> io::Result<()> {
    let out = &mut *context.out;
    writeln!(out, "{HEADING}{}{HEADING:#}", style::harmless(&super::shown(path)))?;
    let mut row = |name: &str, value: &str| writeln!(out, "  {name:<12} {value}");
    row("format", info.format.title())?;
    row("size", &style::counted(info.size, "byte"))?;
    if let Some(version) = &info.version {
        row("version", version)?;
    }
    if let Some(array) = &info.array {
        row("dtype", &array.dtype)?;
        row("shape", &style::shape(&array.shape))?;
        row(
            "order",
            if array.order == "F" { "F (first axis varies fastest)" } else { "C (last axis varies fastest)" },
        )?;
    }
    for (name, value) in &info.details {
        row(name, &style::readable(value))?;
    }
    Ok(())
}
