//! Rules that a file may break and be read nevertheless.

use crate::commands::rules::near;
use crate::context::Context;
use crate::show::style::WARNING;
use crate::show::text;
use ndbytes::{Finding, Format, Input, Options, Rule, Scope, Severity, detect, is_gzip};
use std::io;

/// The argument of all subcommands that read values.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Tolerate {
    /// Read files although they break this rule, such as `idx/trailing-bytes`; `trailing-bytes` is the rule of this name in every
    /// format. May be given several times.
    #[arg(long = "tolerate", value_name = "RULE", value_parser = parse)]
    rules: Vec<Named>,
    /// True if the files are several, so that a rule may be about one of the others.
    #[arg(skip)]
    are_several: bool,
}

/// The rules that a name means: one, or those of several formats.
#[derive(Debug, Clone)]
struct Named(Vec<&'static Rule>);

impl Tolerate {
    /// The options to open a file with.
    pub fn options(&self, context: &Context<'_>) -> Options {
        let rules = self.rules.iter().flat_map(|named| &named.0);
        rules.fold(Options::new().limits(context.limits), |options, rule| options.tolerate(rule))
    }

    /// The argument for a number of paths.
    pub fn among(&self, paths: usize) -> Self {
        Tolerate { are_several: paths > 1, ..self.clone() }
    }

    /// The reason why a rule cannot be about the only file, if there is one.
    pub fn refusal(&self, input: &Input<'_>) -> Option<String> {
        let format = match is_gzip(input.head()) {
            true => Some(Format::Idx),
            false => detect(input.head(), input.length()),
        };
        let is_about = |rule: &&Rule| {
            format.map(Scope::Format) == Some(rule.scope) || (format == Some(Format::Idx) && rule.scope == Scope::Gzip)
        };
        let is_other = |named: &&Named| !self.are_several && format.is_some() && !named.0.iter().any(is_about);
        let Named(rules) = self.rules.iter().find(is_other)?;
        let name = rules.first().map_or("", |rule| rule.id);
        Some(format!("the rule {name} is about another format than that of this file"))
    }
}

/// Lists on standard error the findings that were passed over.
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
