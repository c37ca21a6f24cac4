//! The field reference as tables.

use crate::show::field_offsets::offsets;
use crate::show::printer::Printer;
use crate::show::style::{self, FAINT, HEADING};
use crate::show::text;
use ndbytes::everybyte::reference::{FieldDoc, TypeDoc, TypeKind};
use std::io;

/// Prints the page of a type.
pub fn print_type(page: &TypeDoc, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}  {}", page.name, page.doc)?;
    let mut table = Table::default();
    match &page.kind {
        TypeKind::Structure(fields) => print_fields(fields, &mut table),
        TypeKind::Choice(variants) => {
            for variant in variants {
                table.row(["", "", &variant.name, "", &variant.doc]);
                print_fields(&variant.fields, &mut table);
            }
        }
        TypeKind::Codes(codes) => {
            for code in codes {
                table.row(["", &code.number(), &code.name, "", &code.doc]);
            }
        }
        TypeKind::Bits(runs) => {
            for run in runs {
                table.row(["", &style::bit_range(run.first, run.width), &run.name, &run.type_name, &run.doc]);
            }
        }
        other => unreachable!("{other:?} has no page"),
    }
    table.print(terminal, out)?;
    writeln!(out)
}

/// Prints fields with their offsets, if these are fixed.
fn print_fields(fields: &[FieldDoc], table: &mut Table) {
    for (field, start) in fields.iter().zip(offsets(fields)) {
        let size = field.size.map(|size| style::counted(size, "byte")).unwrap_or_default();
        let ty = match (&field.count, &field.condition) {
            (Some(count), _) => format!("{count} × {}", field.type_name.trim_matches(['[', ']'])),
            (None, Some(condition)) => format!("{} if {condition}", field.type_name),
            (None, None) => field.type_name.clone(),
        };
        table.row([&start, &size, &field.name, &ty, &field.purpose()]);
    }
}

/// A type that is wider than this gets its own line.
const WIDEST_TYPE: usize = 32;

/// Columns as wide as their widest cell.
#[derive(Default)]
struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    fn row(&mut self, cells: [&str; 5]) {
        self.rows.push(cells.map(str::to_owned));
    }

    fn print(&self, terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
        let width = |column: usize, most: usize| {
            let widths = self.rows.iter().map(|row| row[column].chars().count());
            widths.filter(|&width| width <= most).max().unwrap_or(0)
        };
        let widths = [width(0, usize::MAX), width(1, usize::MAX), width(2, usize::MAX), width(3, WIDEST_TYPE)];
        let indent: usize = 2 + widths.iter().filter(|&&width| width > 0).map(|width| width + 2).sum::<usize>();
        let room = terminal.unwrap_or(120).saturating_sub(indent).max(30);
        for row in &self.rows {
            let mut line = "  ".to_owned();
            for (column, width) in widths.into_iter().enumerate().filter(|(_, width)| *width > 0) {
                line += &match column {
                    0 => format!("{FAINT}{:>width$}{FAINT:#}  ", row[column]),
                    _ => format!("{:<width$}  ", row[column]),
                };
            }
            let mut lines = text::wrapped(&row[4], room);
            if row[3].chars().count() > widths[3] {
                // The type takes up the first line.
                lines.insert(0, String::new());
            }
            writeln!(out, "{}", format!("{line}{}", lines[0]).trim_end())?;
            for line in &lines[1..] {
                writeln!(out, "{:indent$}{line}", "")?;
            }
        }
        Ok(())
    }
}
