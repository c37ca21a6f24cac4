//! `ndbytes rules`

use crate::context::{Context, Outcome};
use crate::show::rule_text::{reactions, weight};
use crate::show::style::{FAINT, HEADING};
use crate::show::{json, rule_markdown, text};
use crate::values::rule::{near, rule};
use ndbytes::Rule;
use ndbytes::archive::{CONTENTS, reader_of};
use std::io;

/// List the rules of all formats.
///
/// Shows the severity, requirement and source of each rule, and what the format's reference reader does with files that
/// violate it. `ndbytes explain RULE` describes one rule in detail.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// List only the rule with this name or, if there is none, rules whose names begin with PATTERN, contain it, or
    /// match its wildcards `*` and `?`.
    pattern: Option<String>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
    /// Print a Markdown page per rule or, without PATTERN, a table of all rules.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// Lists all rules, or those that match a pattern. A pattern without a match is an error.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let rules = match &arguments.pattern {
        Some(pattern) => matching(pattern),
        None => ndbytes::rules().collect(),
    };
    if let (true, Some(pattern)) = (rules.is_empty(), &arguments.pattern) {
        let near = near(pattern).map_or_else(String::new, |rule| format!("; did you mean {}?", rule.id));
        context.complain(&format!("no rule matches {pattern}{near}"))?;
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

/// Prints each rule with its severity, its explanation, and the reaction of the reference reader.
fn print(rules: &[&Rule], context: &mut Context<'_>) -> io::Result<()> {
    let (width, out) = (context.text_width() - 4, &mut context.out);
    for rule in rules {
        let (colour, severity) = weight(rule.severity);
        let reactions = reactions(rule);
        let reference = match rule.reference.verb() {
            Some(verb) => format!("the reference reader {verb} it"),
            None if !reactions.is_empty() => reactions,
            None => "not checked by reference readers".to_owned(),
        };
        writeln!(out, "{HEADING}{}{HEADING:#}  {colour}{severity}{colour:#}", rule.id)?;
        for line in text::wrapped(rule.doc, width) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {FAINT}source: {}; {reference}{FAINT:#}\n", rule.source)?;
    }
    let readers = ndbytes::Format::ALL.map(|format| format!("{}: {}", format.title(), format.reference_reader()));
    let of_archives = CONTENTS
        .into_iter()
        .filter_map(|content| Some(format!("zip archives of {}: {}", content.title(), reader_of(content)?)));
    let readers: Vec<String> = readers.into_iter().chain(of_archives).collect();
    writeln!(out, "Reference readers: {}.", readers.join("; "))
}

/// Returns the rules that a pattern selects: the rule with this name, or those that match its wildcards, begin with it
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

/// Returns whether a text matches a pattern, in which `*` matches any bytes and `?` one byte.
fn is_match(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // The last `*` and the end of the text that it matches.
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
