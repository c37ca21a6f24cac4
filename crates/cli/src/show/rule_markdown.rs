//! Rules as Markdown pages.

use crate::show::printer::Printer;
use crate::show::rule_example::Example;
use crate::show::rule_text::{print_example, reaction, weight, weights};
use ndbytes::repair::mended_by;
use ndbytes::{Rule, Scope};
use std::io;

/// Prints the page of a rule.
pub fn print(rule: &Rule, out: &mut Printer<'_>) -> io::Result<()> {
    writeln!(out, "# {}\n\n{}\n", rule.id, rule.doc)?;
    writeln!(out, "| | |\n|---|---|")?;
    writeln!(out, "| severity | {} |", weights(rule))?;
    if rule.is_tolerable() {
        writeln!(out, "| tolerable | a caller may ignore a violation: the data can be read |")?;
    }
    writeln!(out, "| reference reader | {} |", reaction(rule))?;
    if let Some(mended) = mended_by(rule) {
        writeln!(out, "| `ndbytes fix` | {mended} |")?;
    }
    writeln!(out, "| source | {} |", cell(rule.source))?;
    writeln!(out, "| since | version {} |", rule.since)?;
    if let Some(layout) = layout_of(rule) {
        writeln!(out, "| layout | [{layout}](../../formats/{layout}.md) |")?;
    }
    writeln!(out)?;
    let Some(example) = Example::of(rule) else {
        return writeln!(out, "No small file violates only this rule.\n");
    };
    writeln!(out, "## Example\n\n{} (`corpus/{}`)\n\n```text", example.title, example.path)?;
    print_example(rule, &example, out)?;
    writeln!(out, "```\n")
}

/// Prints a table of rules.
pub fn print_index(rules: &[&Rule], out: &mut Printer<'_>) -> io::Result<()> {
    writeln!(
        out,
        "# Rules\n\nEvery finding names its rule. `ndbytes explain RULE` describes it, with a file that violates it."
    )?;
    let mut around = "";
    for rule in rules {
        let (group, name) = rule.id.split_once('/').unwrap_or(("general", rule.id));
        if group != around {
            writeln!(out, "\n## {group}\n\n| rule | severity | requirement |\n|---|---|---|")?;
            around = group;
        }
        let (_, word) = weight(rule.severity);
        let first = rule.doc.split_inclusive(". ").next().unwrap_or_default().trim_end();
        writeln!(out, "| `{name}` | {word} | {} |", cell(first))?;
    }
    Ok(())
}

/// Returns the name of the layout that a rule belongs to.
fn layout_of(rule: &Rule) -> Option<&'static str> {
    let layout = rule.id.split_once('/').map(|(layout, _)| layout);
    layout.filter(|_| rule.scope != Scope::Contract)
}

/// Escapes text for a cell of a table.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
