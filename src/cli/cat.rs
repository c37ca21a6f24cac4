//! `ndbytes cat`

use super::numpy_text::{Stop, write_array};
use super::{Context, Outcome, array_json, complain, diagnostic, open, report, table_json, table_text};
use ndbytes::{Array, Error, Format, Input, Reference, Rule, Severity, b2nd, detect, idv};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the values: an array as NumPy would, a table row by row. Of many, the first and the last ones.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object, with all values.
    #[arg(long)]
    json: bool,
    /// Read a table, or a b2nd array, although it breaks this rule, such as `idv/trailing-bytes`. May be given several times.
    #[arg(long, value_name = "RULE", value_parser = parse_tolerable)]
    tolerate: Vec<&'static Rule>,
    /// The file; `-` is standard input.
    path: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    let input = match open(path, context.limits) {
        Ok(input) => input,
        Err(error) => return refuse(&error, arguments, context),
    };
    let format = detect(input.head(), input.length());
    if let Some(rule) =
        arguments.tolerate.iter().find(|rule| room(rule) != format.map(|format| format.to_string()).as_deref())
    {
        complain(&format!("the rule {} is about another format than this file is of", rule.id));
        return Ok(Outcome::Unreadable);
    }
    let array = match format {
        Some(Format::Idv) => return table(input, arguments, context),
        Some(Format::B2nd) => {
            let options = arguments.tolerate.iter().fold(b2nd::Options::new(), |options, rule| options.tolerate(rule));
            options.limits(context.limits).read(input).map(|array| Array::B2nd(Box::new(array)))
        }
        _ => Array::read(input, context.limits),
    };
    // What can be told before anything is printed.
    let first = array.and_then(|array| {
        let mut items = array.items();
        let count = items.count().min(1);
        items.read(0, count)?;
        drop(items);
        Ok(array)
    });
    let array = match first {
        Ok(array) => array,
        Err(error) => return refuse(&error, arguments, context),
    };
    if arguments.json {
        return match array_json::print(&array, &path.display().to_string(), context.out)? {
            Ok(()) => Ok(Outcome::Clean),
            Err(error) => refuse(&error, arguments, context),
        };
    }
    let mut text = Text { out: context.out, error: None };
    match write_array(&mut text, &mut *array.items()) {
        Ok(()) => {
            writeln!(context.out)?;
            if let Array::B2nd(array) = &array {
                diagnostic::print_tolerated(array.tolerated(), context.out)?;
            }
        }
        Err(Stop::Output) => return Err(text.error.unwrap_or_else(|| io::ErrorKind::Other.into())),
        Err(Stop::Input(error)) => return refuse(&error, arguments, context),
    }
    Ok(Outcome::Clean)
}

fn table(input: Input<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let options = arguments.tolerate.iter().fold(idv::Options::new(), |options, rule| options.tolerate(rule));
    let printed = match options.limits(context.limits).read(input) {
        Ok(table) if arguments.json => table_json::print(&table, context.out)?,
        Ok(table) => table_text::print(&table, context.out)?,
        Err(error) => Err(error),
    };
    match printed {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => refuse(&error, arguments, context),
    }
}

/// Reports why there are no values, or no more of them. What is printed for machines has nothing else in it.
fn refuse(error: &Error, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let limits = context.limits;
    context.out.flush()?;
    let mut with_option = None;
    if let Error::Invalid(finding) = error
        && is_tolerable(finding.rule)
    {
        let option = format!("`--tolerate {}` reads it all the same", finding.rule.id);
        let mut finding = finding.clone();
        finding.help = Some(finding.help.map_or(option.clone(), |help| format!("{help}; {option}")));
        with_option = Some(Error::Invalid(finding));
    }
    let error = with_option.as_ref().unwrap_or(error);
    match arguments.json {
        true => report(error, &arguments.path, &mut Context { limits, out: &mut anstream::stderr() }),
        false => report(error, &arguments.path, context),
    }
}

/// The format that a rule is about.
fn room(rule: &Rule) -> Option<&'static str> {
    rule.id.split_once('/').map(|(room, _)| room)
}

/// A rule that a file can be read without.
fn parse_tolerable(name: &str) -> Result<&'static Rule, String> {
    let rule = ndbytes::rules().find(|rule| rule.id == name || rule.id.strip_prefix("idv/") == Some(name));
    match rule {
        Some(rule) if is_tolerable(rule) => Ok(rule),
        Some(rule) if !matches!(room(rule), Some("idv" | "b2nd")) => {
            Err("only rules about IDV and b2nd can be tolerated, `idv/…` and `b2nd/…`".into())
        }
        Some(rule) if rule.severity != Some(Severity::Error) => Err("this is no error, and stops nobody".into()),
        Some(_) => Err("nothing can be read from a file that breaks this rule".into()),
        None => {
            let tolerable = ndbytes::rules().filter(|rule| is_tolerable(rule)).map(|rule| rule.id);
            Err(format!("there is no such rule; tolerable are {}", tolerable.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn is_tolerable(rule: &Rule) -> bool {
    match room(rule) {
        Some("idv") => rule.severity == Some(Severity::Error) && rule.reference == Reference::Accepts,
        Some("b2nd") => b2nd::is_tolerable(rule),
        _ => false,
    }
}

/// Lets text be written to a stream of bytes, and keeps the stream's error.
struct Text<'a> {
    out: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
