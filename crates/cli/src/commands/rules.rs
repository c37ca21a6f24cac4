//! `ndbytes rules`

use crate::context::{Context, Outcome};
use crate::show::rule_text::weight;
use crate::show::style::{FAINT, HEADING};
use crate::show::{json, rule_markdown, text};
use crate::values::rule::{near, rule};
use ndbytes::Rule;
use ndbytes::archive::REFERENCE_READER;
use std::io;

/// List every rule: its severity, requirement and source, and the reaction of the format's reference reader.
/// `ndbytes explain RULE` describes one in detail.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Rules to list: a name, its beginning, a part of it, or a pattern with `*` and `?`.
    pattern: Option<String>,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Print a page of Markdown for each rule; without PATTERN, a table of all.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let rules = match &arguments.pattern {
        Some(pattern) => matching(pattern),
        None => ndbytes::rules().collect(),
    };
    if let (true, Some(pattern)) = (rules.is_empty(), &arguments.pattern) {
        let near = near(pattern).map_or_else(String::new, |rule| format!("; the nearest name is {}", rule.id));
        context.complain(&format!("no rule has a name like {pattern}{near}"))?;
        return Ok(Outcome::Findings);
    }
    if arguments.json {
        let out = context.out.machine();
        rules.iter().try_for_each(|rule| json::line(out, rule))?;
    } else if arguments.markdown {
        match arguments.pattern {
            Some(_) => rules.iter().try_for_each(|rule| rule_markdown::print(rule, &mut context.out))?,
            None => rule_markdown::print_index(&rules, &mut context.out)?,
        }
    } else {
        print(&rules, context)?;
    }
    Ok(Outcome::Clean)
}

fn print(rules: &[&Rule], context: &mut Context<'_>) -> io::Result<()> {
    let (width, out) = (context.text_width() - 4, &mut context.out);
    for rule in rules {
        let (colour, severity) = weight(rule.severity);
        let reference = rule.reference.verb().map_or_else(
            || "no reference reader is concerned".to_owned(),
            |verb| format!("the reference reader {verb} it"),
        );
        writeln!(out, "{HEADING}{}{HEADING:#}  {colour}{severity}{colour:#}", rule.id)?;
        for line in text::wrapped(rule.doc, width) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {FAINT}source: {}; {reference}{FAINT:#}\n", rule.source)?;
    }
    let readers = ndbytes::Format::ALL.map(|format| format!("{}: {}", format.title(), format.reference_reader()));
    writeln!(out, "Reference readers: {}; zip archives: {REFERENCE_READER}.", readers.join("; "))
}

/// The rules that a pattern selects: the rule of this name, those that match its wildcards, or those that begin with it
/// or contain it.
fn matching(pattern: &str) -> Vec<&'static Rule> {
    let pattern = pattern.to_lowercase();
    if let Some(rule) = rule(&pattern) {
        return vec![rule];
    }
    let those = |fits: &dyn Fn(&str) -> bool| ndbytes::rules().filter(|rule| fits(rule.id)).collect::<Vec<_>>();
    if pattern.contains(['*', '?']) {
        return those(&|id| is_match(pattern.as_bytes(), id.as_bytes()));
    }
    let beginning = those(&|id| id.starts_with(&pattern));
    if beginning.is_empty() { those(&|id| id.contains(&pattern)) } else { beginning }
}

/// Returns whether a text is what a pattern describes: `*` stands for any bytes, `?` for one.
fn is_match(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last `*`, and the place up to which it reaches.
    let mut star = None;
    while place < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(&letter) if letter == b'?' || letter == text[place] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((star_at, reached)) = star else { return false };
                star = Some((star_at, reached + 1));
                (at, place) = (star_at + 1, reached + 1);
            }
        }
    }
    pattern[at..].iter().all(|&letter| letter == b'*')
}
