//! The field reference as text.

use crate::reference::{Book, FieldDoc, TypeKind};
use std::io::{self, Write};

pub fn print(book: &Book, out: &mut dyn Write) -> io::Result<()> {
    for page in &book.types {
        writeln!(out, "{}  {}", page.name, page.doc)?;
        match &page.kind {
            TypeKind::Structure(fields) => rows(&fields.iter().map(field).collect::<Vec<_>>(), "  ", out)?,
            TypeKind::Choice(variants) => {
                for variant in variants {
                    writeln!(out, "  {}  {}", variant.name, variant.doc)?;
                    rows(&variant.fields.iter().map(field).collect::<Vec<_>>(), "    ", out)?;
                }
            }
            TypeKind::Codes(codes) => {
                let code = |code: &crate::reference::CodeDoc| [code.number(), code.name.to_string(), code.purpose()];
                rows(&codes.iter().map(code).collect::<Vec<_>>(), "  ", out)?;
            }
            TypeKind::Bits(runs) => {
                let run = |run: &crate::reference::Bits| {
                    let last = run.first + run.width - 1;
                    let place = if run.width == 1 { last.to_string() } else { format!("{}..={last}", run.first) };
                    [format!("bits {place}"), run.name.to_string(), run.doc.to_string()]
                };
                rows(&runs.iter().map(run).collect::<Vec<_>>(), "  ", out)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns the name, the type and the description of a field.
fn field(field: &FieldDoc) -> [String; 3] {
    let ty = match (&field.count, &field.condition) {
        (Some(count), _) => format!("{count} × {}", field.type_name.trim_matches(['[', ']'])),
        (None, Some(condition)) => format!("{} if {condition}", field.type_name),
        (None, None) => field.type_name.clone(),
    };
    [field.name.to_string(), ty, field.purpose()]
}

fn rows(rows: &[[String; 3]], indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let [first, second] =
        [0, 1].map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default());
    for [one, two, three] in rows {
        writeln!(out, "{indent}{}", format!("{one:<first$}  {two:<second$}  {three}").trim_end())?;
    }
    Ok(())
}
