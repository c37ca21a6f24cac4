//! Rules that a file may break and be read nevertheless.

use super::rule::near;
use crate::context::Context;
use crate::show::style::WARNING;
use crate::show::text;
use ndbytes::everybyte::Endian;
use ndbytes::internals::known_format;
use ndbytes::{File, Finding, Input, Options, Rule, Scope, Severity, is_gzip};
use std::io;
use std::path::Path;

/// The argument of all subcommands that read values.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Tolerate {
    /// Read files although they break this rule, such as `idx/trailing-bytes`; `trailing-bytes` is the rule of this name in every
    /// format. May be given several times.
    #[arg(long = "tolerate", value_name = "RULE", value_parser = parse)]
    rules: Vec<Named>,
    /// Read the elements of IDX in this order of bytes. IDX is big-endian, and a file does not record that its writer
    /// used another order.
    #[arg(long, value_name = "ORDER", value_enum)]
    byte_order: Option<ByteOrder>,
    /// True if the files are several, so that a rule may be about one of the others.
    #[arg(skip)]
    are_several: bool,
}

/// An order of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ByteOrder {
    Big,
    Little,
}

/// The rules that a name means: one, or those of several formats.
#[derive(Debug, Clone)]
struct Named(Vec<&'static Rule>);

impl Tolerate {
    /// The options to open a file with.
    pub fn options(&self, context: &Context<'_>) -> Options {
        let rules = self.rules.iter().flat_map(|named| &named.0);
        let options = rules.fold(Options::new().limits(context.limits), |options, rule| options.tolerate(rule));
        match self.byte_order {
            Some(ByteOrder::Little) => options.byte_order(Endian::Little),
            Some(ByteOrder::Big) => options.byte_order(Endian::Big),
            None => options,
        }
    }

    /// The argument for a number of paths.
    pub fn among(&self, paths: usize) -> Self {
        Tolerate { are_several: paths > 1, ..self.clone() }
    }

    /// The reason why a rule, or an order of bytes, cannot be about the only file, if there is one.
    pub fn refusal(&self, input: &Input<'_>) -> Option<String> {
        let format = known_format(input);
        let is_gzip = is_gzip(input.head());
        let is_about =
            |rule: &&Rule| format.map(Scope::Format) == Some(rule.scope) || (is_gzip && rule.scope == Scope::Gzip);
        if let (Some(_), false, Some(format)) =
            (self.byte_order, self.are_several, format.filter(|it| it.states_byte_order()))
        {
            let format = format.title();
            return Some(format!(
                "`--byte-order` is for IDX, but this is {format}, which states the order of its bytes"
            ));
        }
        let is_other = |named: &&Named| !self.are_several && format.is_some() && !named.0.iter().any(is_about);
        let Named(rules) = self.rules.iter().find(is_other)?;
        let name = rules.first().map_or("", |rule| rule.id);
        Some(format!("the rule {name} is about another format than that of this file"))
    }
}

/// Says on standard error what is known of a file whose values were read: its warnings, and the errors that were tolerated.
pub fn print_known(path: &Path, file: &File<'_>, context: &mut Context<'_>) -> io::Result<()> {
    print_warnings(path, file.warnings(), context)?;
    print_tolerated(file.tolerated(), context)
}

/// Says warnings about a file on standard error, a line each.
pub fn print_warnings(path: &Path, findings: &[Finding], context: &mut Context<'_>) -> io::Result<()> {
    if context.quiet || findings.is_empty() {
        return Ok(());
    }
    context.out.flush()?;
    for finding in findings {
        let (path, message) = (text::path(path), text::readable(&finding.message));
        writeln!(context.err, "{WARNING}warning[{}]{WARNING:#}: {path}: {message}", finding.rule.id)?;
    }
    context.err.flush()
}

/// Says the warnings about the structure of a file. What cannot be read is reported by whoever reads it.
pub fn print_warnings_of(path: &Path, input: &Input<'_>, context: &mut Context<'_>) -> io::Result<()> {
    if context.quiet {
        return Ok(());
    }
    let limits = context.limits;
    let described = input.again(limits).and_then(|input| ndbytes::info_and_warnings(input, &limits));
    described.map_or(Ok(()), |(_, warnings)| print_warnings(path, &warnings, context))
}

/// Lists on standard error the findings that were tolerated.
pub fn print_tolerated(findings: &[Finding], context: &mut Context<'_>) -> io::Result<()> {
    context.out.flush()?;
    for finding in findings {
        let message = text::readable(&finding.message);
        writeln!(context.err, "{WARNING}tolerated[{}]{WARNING:#}: {message}", finding.rule.id)?;
    }
    context.err.flush()
}

/// The rules of a name, which files can be read without: one, or those whose name ends so.
fn parse(name: &str) -> Result<Named, String> {
    let found = match ndbytes::rules().find(|rule| rule.id == name) {
        Some(rule) => vec![rule],
        None => ndbytes::rules().filter(|rule| rule.id.rsplit('/').next() == Some(name)).collect(),
    };
    let tolerable: Vec<&Rule> = found.iter().copied().filter(|rule| rule.is_tolerable()).collect();
    if !tolerable.is_empty() {
        return Ok(Named(tolerable));
    }
    Err(match found.first() {
        Some(rule) if rule.severity != Some(Severity::Error) => {
            "this rule is not an error, so it stops no reader".into()
        }
        Some(_) => "a file that breaks this rule cannot be read".into(),
        None => match near(name) {
            Some(rule) => format!("there is no such rule; the nearest name is {}", rule.id),
            None => "there is no such rule; `ndbytes rules` lists them".into(),
        },
    })
}
