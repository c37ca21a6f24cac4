//! Rules that a file may violate and still be read.
//!
//! A tolerance names a rule, and never means "read it somehow". The user states which error is acceptable; any other
//! error still stops the command. A rule that cannot apply to the only file is refused, since it is probably a typo.

use super::rule::near;
use crate::context::Context;
use crate::show::style::WARNING;
use crate::show::text;
use ndbytes::everybyte::Endian;
use ndbytes::internals::known_format;
use ndbytes::{Dtype, ElementKind, File, Finding, Input, Options, Rule, Scope, Severity, is_gzip};
use std::io;
use std::path::Path;

/// The arguments of all subcommands that read values.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Broken files")]
pub struct Tolerate {
    /// Read files even if they violate this rule, e.g. `idx/trailing-bytes`, or `trailing-bytes` for every format. May be repeated.
    #[arg(long = "tolerate", value_name = "RULE", value_parser = parse)]
    rules: Vec<Named>,
    /// Read IDX elements in this byte order. IDX is big-endian, but some writers used their machine's byte order, which
    /// the file does not record.
    #[arg(long, value_name = "ORDER", value_enum)]
    byte_order: Option<ByteOrder>,
    /// Read items of raw bytes, such as `|V2`, as numbers of this type, e.g. `bfloat16`, `f2` or `>u2`. ml_dtypes saves
    /// bfloat16 as raw bytes.
    #[arg(long, value_name = "TYPE", value_parser = type_of_raw_bytes)]
    void_as: Option<Dtype>,
    /// Whether there are several files, so that a rule may apply to another one.
    #[arg(skip)]
    are_several: bool,
}

/// A byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ByteOrder {
    Big,
    Little,
}

/// The rules with a name: a single one, or one for each of several formats.
#[derive(Debug, Clone)]
struct Named(Vec<&'static Rule>);

impl Tolerate {
    /// Returns the options for opening a file.
    pub fn options(&self, context: &Context<'_>) -> Options {
        let rules = self.rules.iter().flat_map(|named| &named.0);
        let options = rules.fold(Options::new().limits(context.limits), |options, rule| options.tolerate(rule));
        let options = match self.void_as {
            Some(dtype) => options.void_as(dtype),
            None => options,
        };
        match self.byte_order {
            Some(ByteOrder::Little) => options.byte_order(Endian::Little),
            Some(ByteOrder::Big) => options.byte_order(Endian::Big),
            None => options,
        }
    }

    /// Returns the arguments for this number of paths.
    pub fn among(&self, paths: usize) -> Self {
        Tolerate { are_several: paths > 1, ..self.clone() }
    }

    /// Returns why a rule or a byte order cannot apply to the only file, or `None` if it can.
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
                "`--byte-order` works only with IDX, but this is {format}, which states its byte order"
            ));
        }
        let is_other = |named: &&Named| !self.are_several && format.is_some() && !named.0.iter().any(is_about);
        let Named(rules) = self.rules.iter().find(is_other)?;
        let name = rules.first().map_or("", |rule| rule.id);
        Some(format!("the rule {name} belongs to another format"))
    }
}

/// Prints to standard error the known problems of a file whose values were read: its warnings and the tolerated errors.
pub fn print_known(path: &Path, file: &File<'_>, context: &mut Context<'_>) -> io::Result<()> {
    print_warnings(path, file.warnings(), context)?;
    print_tolerated(file.tolerated(), context)
}

/// Prints warnings about a file to standard error, one per line.
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

/// Prints the warnings about the structure of a file. If the file cannot be read, the reader reports that.
pub fn print_warnings_of(path: &Path, input: &Input<'_>, context: &mut Context<'_>) -> io::Result<()> {
    if context.quiet {
        return Ok(());
    }
    let limits = context.limits;
    let described = input.again(limits).and_then(|input| ndbytes::info_and_warnings(input, &limits));
    described.map_or(Ok(()), |(_, warnings)| print_warnings(path, &warnings, context))
}

/// Lists the tolerated findings on standard error.
pub fn print_tolerated(findings: &[Finding], context: &mut Context<'_>) -> io::Result<()> {
    context.out.flush()?;
    for finding in findings {
        let message = text::readable(&finding.message);
        writeln!(context.err, "{WARNING}tolerated[{}]{WARNING:#}: {message}", finding.rule.id)?;
    }
    context.err.flush()
}

/// Returns the type with a name, for items of raw bytes.
///
/// # Errors
/// A message about why items cannot be read as this type.
pub fn type_of_raw_bytes(name: &str) -> Result<Dtype, String> {
    let brain = |endian| Ok(Dtype::new(ElementKind::Bf16, endian));
    match name {
        "bfloat16" | "<bfloat16" => brain(Endian::Little),
        ">bfloat16" => brain(Endian::Big),
        _ if name.contains("float8") || name.contains("int4") => {
            Err("ndbytes does not read the values of this type: `u1` shows their bits".into())
        }
        _ => name.parse().map_err(|error| format!("this is {error}, and not bfloat16")),
    }
}

/// Parses the name of a rule whose violation can be tolerated, or the end of the names of several such rules.
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
            "this rule is not an error, so files that violate it are read anyway".into()
        }
        Some(_) => "files that violate this rule cannot be read".into(),
        None => match near(name) {
            Some(rule) => format!("unknown rule; did you mean {}?", rule.id),
            None => "unknown rule; `ndbytes rules` lists all rules".into(),
        },
    })
}
