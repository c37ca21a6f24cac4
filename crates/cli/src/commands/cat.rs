//! `ndbytes cat`

use crate::commands::report::refuse;
use crate::context::{Context, Outcome};
use crate::show::numpy_text::{Stop, write_array};
use crate::show::printer::Text;
use crate::show::style::WARNING;
use crate::show::{array_json, table_json, table_text, text};
use ndbytes::idv::Table;
use ndbytes::{File, Finding, Format, Input, Options, Rule, Scope, Severity, detect, is_gzip};
use std::io;
use std::path::PathBuf;

/// Print the values: an array as NumPy would, a table row by row. If there are many, the first and the last ones.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object, with all values.
    #[arg(long)]
    json: bool,
    /// Read a file although it breaks this rule, such as `idv/trailing-bytes`. May be given several times.
    #[arg(long, value_name = "RULE", value_parser = parse_tolerable)]
    tolerate: Vec<&'static Rule>,
    /// The file; `-` is standard input.
    path: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let input = match context.open(&arguments.path) {
        Ok(input) => input,
        Err(error) => return refuse(&error, &arguments.path, context),
    };
    context.out.begin_room(input.length());
    let outcome = print(input, arguments, context)?;
    context.out.end_room()?;
    Ok(outcome)
}

fn print(input: Input<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let format = match is_gzip(input.head()) {
        true => Some(Format::Idx),
        false => detect(input.head(), input.length()),
    };
    let is_about = |rule: &&&Rule| {
        format.map(Scope::Format) == Some(rule.scope) || (format == Some(Format::Idx) && rule.scope == Scope::Gzip)
    };
    if let Some(rule) = arguments.tolerate.iter().find(|rule| !is_about(rule)) {
        context.complain(&format!("the rule {} is about another format than that of this file", rule.id))?;
        return Ok(Outcome::Unreadable);
    }
    let options = arguments.tolerate.iter().fold(Options::new(), |options, rule| options.tolerate(rule));
    let array = match options.limits(context.limits).read(input) {
        Ok(File::Table(table)) => return print_table(&table, arguments, context),
        Ok(file) => file.into_array(),
        Err(error) => Err(error),
    };
    // Errors that can be found before anything is printed.
    let first = array.and_then(|array| {
        let mut items = array.items();
        let count = items.count().min(1);
        items.read(0, count)?;
        drop(items);
        Ok(array)
    });
    let array = match first {
        Ok(array) => array,
        Err(error) => return refuse(&error, &arguments.path, context),
    };
    if arguments.json {
        // A value and its separator take at least two bytes.
        let shortest = array.items().count().saturating_mul(2);
        if let Err(error) = context.limits.ensure_output("the shortest JSON of the values", shortest) {
            return refuse(&error, &arguments.path, context);
        }
        return match array_json::print(&array, &arguments.path.display().to_string(), context.out.machine())? {
            Ok(()) => Ok(Outcome::Clean),
            Err(error) => refuse(&error, &arguments.path, context),
        };
    }
    let mut text = Text { printer: &mut context.out, error: None };
    match write_array(&mut text, &mut *array.items()) {
        Ok(()) => {
            writeln!(context.out)?;
            print_tolerated(array.tolerated(), context)?;
        }
        // Without an error of the stream, the room is used up.
        Err(Stop::Output) => text.error.map_or(Ok(()), Err)?,
        Err(Stop::Input(error)) => return refuse(&error, &arguments.path, context),
    }
    Ok(Outcome::Clean)
}

fn print_table(table: &Table<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let printed = match arguments.json {
        true => table_json::print(table, context.out.machine())?,
        false => match table_text::print(table, context.width, &mut context.out)? {
            Ok(()) => {
                print_tolerated(table.tolerated(), context)?;
                Ok(())
            }
            Err(error) => Err(error),
        },
    };
    match printed {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => refuse(&error, &arguments.path, context),
    }
}

/// Lists on standard error the findings that were passed over.
fn print_tolerated(findings: &[Finding], context: &mut Context<'_>) -> io::Result<()> {
    context.out.flush()?;
    for finding in findings {
        let message = text::readable(&finding.message);
        writeln!(context.err, "{WARNING}tolerated[{}]{WARNING:#}: {message}", finding.rule.id)?;
    }
    context.err.flush()
}

/// A rule that a file can be read without.
fn parse_tolerable(name: &str) -> Result<&'static Rule, String> {
    let rule = ndbytes::rules().find(|rule| rule.id == name || rule.id.strip_prefix("idv/") == Some(name));
    match rule {
        Some(rule) if rule.is_tolerable() => Ok(rule),
        Some(rule) if rule.severity != Some(Severity::Error) => {
            Err("this rule is not an error, so it stops no reader".into())
        }
        Some(_) => Err("a file that breaks this rule cannot be read".into()),
        None => {
            let tolerable = ndbytes::rules().filter(|rule| rule.is_tolerable()).map(|rule| rule.id);
            Err(format!("there is no such rule; tolerable are {}", tolerable.collect::<Vec<_>>().join(", ")))
        }
    }
}
