//! The field reference as Markdown pages, with a text diagram of each structure.

use crate::show::field_offsets::offsets;
use crate::show::printer::Printer;
use crate::show::rule_markdown::cell;
use crate::show::style::{bit_range, counted};
use ndbytes::everybyte::{
    Endian,
    reference::{FieldDoc, TypeDoc, TypeKind},
};
use ndbytes::{LayoutReference, Rule};
use std::collections::HashSet;
use std::io;

/// Prints a table of all formats.
pub fn print_index(layouts: &[LayoutReference], out: &mut Printer<'_>) -> io::Result<()> {
    writeln!(out, "# Formats\n\nThese pages are generated from the declarations that the readers use.\n")?;
    writeln!(out, "| format | byte order | structures | rules |\n|---|---|---|---|")?;
    for layout in layouts {
        let (name, structures) = (layout.name, pages(layout).len());
        let rules = counted(rules(layout).len() as u64, "rule");
        writeln!(
            out,
            "| [{}]({name}.md) | {} | {structures} | [{rules}](../rules/index.md#{name}) |",
            layout.title, layout.order
        )?;
    }
    Ok(())
}

/// Prints the page of a format.
pub fn print(layout: &LayoutReference, out: &mut Printer<'_>) -> io::Result<()> {
    let (name, pages) = (layout.name, pages(layout));
    writeln!(out, "# {}\n\nByte order: {}.\n", layout.title, layout.order)?;
    if let Some(format) = layout.format {
        writeln!(out, "Reference reader: {}.\n", format.reference_reader())?;
    }
    writeln!(
        out,
        "Definitions for other programs: `ndbytes schema {name} --ksy` (Kaitai Struct), `--hexpat` (ImHex).\n"
    )?;
    let known: HashSet<&str> = pages.iter().map(|page| &*page.name).collect();
    for page in pages {
        print_page(page, &known, out)?;
    }
    let rules = rules(layout);
    if !rules.is_empty() {
        writeln!(out, "## Rules\n")?;
        rules.iter().try_for_each(|rule| writeln!(out, "* [{}](../rules/index.md#{name})", rule.id))?;
    }
    Ok(())
}

/// Returns the pages of all types, without duplicates.
fn pages(layout: &LayoutReference) -> Vec<&TypeDoc> {
    let mut seen = HashSet::new();
    layout.books.iter().flat_map(|book| &book.types).filter(|page| seen.insert(&*page.name)).collect()
}

fn rules(layout: &LayoutReference) -> Vec<&'static Rule> {
    ndbytes::rules().filter(|rule| rule.id.split_once('/').is_some_and(|(of, _)| of == layout.name)).collect()
}

fn print_page(page: &TypeDoc, known: &HashSet<&str>, out: &mut Printer<'_>) -> io::Result<()> {
    writeln!(out, "## {}\n\n{}\n", page.name, page.doc)?;
    if let Some(endian) = page.endian {
        writeln!(out, "{}-endian.\n", if endian == Endian::Big { "Big" } else { "Little" })?;
    }
    match &page.kind {
        TypeKind::Structure(fields) => print_fields(fields, known, out),
        TypeKind::Choice(variants) => variants.iter().try_for_each(|variant| {
            writeln!(out, "**{}**, if `{}`: {}\n", variant.name, variant.condition, variant.doc)?;
            print_fields(&variant.fields, known, out)
        }),
        TypeKind::Codes(codes) => {
            writeln!(out, "| code | name | meaning |\n|---|---|---|")?;
            let mut rows = codes.iter();
            rows.try_for_each(|it| writeln!(out, "| {} | {} | {} |", it.number(), cell(&it.name), cell(&it.doc)))?;
            writeln!(out)
        }
        TypeKind::Bits(runs) => {
            writeln!(out, "| bits | name | type | meaning |\n|---|---|---|---|")?;
            for run in runs {
                let bits = bit_range(run.first, run.width);
                writeln!(out, "| {bits} | `{}` | {} | {} |", run.name, linked(&run.type_name, known), cell(&run.doc))?;
            }
            writeln!(out)
        }
        other => unreachable!("{other:?} has no page"),
    }
}

fn print_fields(fields: &[FieldDoc], known: &HashSet<&str>, out: &mut Printer<'_>) -> io::Result<()> {
    if fields.is_empty() {
        return writeln!(out, "No bytes.\n");
    }
    writeln!(out, "```text\n{}```\n", picture(fields))?;
    writeln!(out, "| offset | bytes | field | type | meaning |\n|---|---|---|---|---|")?;
    for (field, start) in fields.iter().zip(offsets(fields)) {
        let size = field.size.map(|size| size.to_string()).unwrap_or_default();
        let mut ty = linked(field.type_name.trim_matches(['[', ']']), known);
        if let Some(count) = &field.count {
            ty = format!("`{}` × {ty}", cell(&count.text));
        }
        if let Some(condition) = &field.condition {
            ty += &format!(" if `{}`", cell(&condition.text));
        }
        writeln!(out, "| {start} | {size} | `{}` | {ty} | {} |", field.name, cell(&field.purpose()))?;
    }
    writeln!(out)
}

/// Returns the name of a type, with a link to its section if it has one.
fn linked(name: &str, known: &HashSet<&str>) -> String {
    match known.contains(name) {
        true => format!("[{name}](#{})", name.to_lowercase()),
        false if name.is_empty() => String::new(),
        false => format!("`{}`", cell(name)),
    }
}

/// The number of characters per byte in a picture, and the maximum number of bytes to draw for a field.
const BYTE: u64 = 3;
const WIDEST: u64 = 8;

/// The maximum width of a picture.
const LINE: usize = 96;

/// Draws fields side by side, each as wide as its bytes, up to a limit.
fn picture(fields: &[FieldDoc]) -> String {
    let mut text = String::new();
    let mut boxes: Vec<(String, String)> = Vec::new();
    let mut flush = |boxes: &mut Vec<(String, String)>| {
        let border: String = boxes.iter().map(|(name, _)| format!("+{}", "-".repeat(name.chars().count()))).collect();
        let row = |part: fn(&(String, String)) -> &String| {
            boxes.iter().map(|each| format!("|{}", part(each))).collect::<String>()
        };
        text += &format!("{border}+\n{}|\n{}|\n{border}+\n", row(|each| &each.0), row(|each| &each.1));
        boxes.clear();
    };
    let mut taken = 1;
    for field in fields {
        let amount = match (field.size, &field.count) {
            (Some(size), _) => counted(size, "byte"),
            (None, Some(count)) => format!("× {count}"),
            (None, None) => "…".to_owned(),
        };
        let amount = if field.condition.is_some() { format!("[{amount}]") } else { amount };
        let least = (field.size.unwrap_or(WIDEST).min(WIDEST) * BYTE) as usize;
        let width = least.max(field.name.chars().count() + 2).max(amount.chars().count() + 2);
        if taken + width + 1 > LINE && !boxes.is_empty() {
            flush(&mut boxes);
            taken = 1;
        }
        taken += width + 1;
        boxes.push((format!("{:^width$}", field.name), format!("{amount:^width$}")));
    }
    flush(&mut boxes);
    text
}
