//! `ndbytes schema`

use super::style::{self, FAINT, HEADING};
use super::{Context, Outcome};
use ndbytes::schemas::{Book, FieldDoc, TypeDoc, TypeKind, b2nd, gzip, idv, idx, rawarray};
use std::collections::HashSet;
use std::io::{self, Write};

/// Print the field reference, out of the same declarations that files are read with.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The format; all of them if none is named.
    #[arg(value_enum)]
    format: Option<FormatArgument>,
}

#[derive(Debug, Clone, Copy, PartialEq, clap::ValueEnum)]
enum FormatArgument {
    Idx,
    #[value(name = "rawarray")]
    RawArray,
    Idv,
    B2nd,
    Gzip,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let books = [
        (FormatArgument::Idx, "IDX (big-endian)", vec![Book::of::<idx::Idx>()]),
        (
            FormatArgument::RawArray,
            "RawArray (little-endian, or all of it big-endian)",
            vec![Book::of::<rawarray::RawArray>()],
        ),
        (
            FormatArgument::Idv,
            "IDV (little-endian)",
            vec![
                Book::of::<idv::Header>(),
                Book::of::<idv::Columns>(),
                Book::of::<idv::Lookup>(),
                Book::of::<idv::Annotations>(),
                Book::of::<idv::SlotNames>(),
                Book::of::<idv::Block>(),
                Book::of::<idv::Tail>(),
            ],
        ),
        (
            FormatArgument::B2nd,
            "b2nd (header and trailer big-endian, chunks little-endian)",
            vec![
                Book::of::<b2nd::Header>(),
                Book::of::<b2nd::ArrayLayer>(),
                Book::of::<b2nd::ChunkHeader>(),
                Book::of::<b2nd::ChunkBody>(),
                Book::of::<b2nd::Stream>(),
                Book::of::<b2nd::Trailer>(),
            ],
        ),
        (FormatArgument::Gzip, "gzip, around IDX (little-endian)", vec![Book::of::<gzip::Member>()]),
    ];
    let out = &mut *context.out;
    for (format, title, books) in books {
        if arguments.format.is_some_and(|wanted| wanted != format) {
            continue;
        }
        writeln!(out, "{HEADING}{title}{HEADING:#}\n")?;
        // Types that several structures share have one page.
        let mut printed = HashSet::new();
        for page in books.iter().flat_map(|book| &book.types).filter(|page| printed.insert(page.name)) {
            print_type(page, out)?;
        }
    }
    Ok(Outcome::Clean)
}

fn print_type(page: &TypeDoc, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADING}{}{HEADING:#}  {}", page.name, page.doc)?;
    let mut table = Table::default();
    match &page.kind {
        TypeKind::Structure(fields) => print_fields(fields, &mut table),
        TypeKind::Choice(variants) => {
            for variant in variants {
                table.row(["", "", variant.name, "", variant.doc]);
                print_fields(&variant.fields, &mut table);
            }
        }
        TypeKind::Codes(codes) => {
            for code in codes {
                table.row(["", &format!("{:#04x}", code.code), code.name, "", code.doc]);
            }
        }
        TypeKind::Bits(runs) => {
            for run in runs {
                let bits = match run.width {
                    1 => format!("bit {}", run.first),
                    width => format!("bits {}..{}", run.first, run.first + width),
                };
                table.row(["", &bits, run.name, "", run.doc]);
            }
        }
        other => unreachable!("{other:?} has no page"),
    }
    table.print(out)?;
    writeln!(out)
}

/// Fields with their offsets, as far as those are always the same.
fn print_fields(fields: &[FieldDoc], table: &mut Table) {
    let mut offset = Some(0);
    for field in fields {
        let start = offset.map(|offset: u64| offset.to_string()).unwrap_or_default();
        let size = field.size.map(|size| style::counted(size, "byte")).unwrap_or_default();
        let ty = match (field.count, field.condition) {
            (Some(count), _) => format!("{count} × {}", field.type_name.trim_matches(['[', ']'])),
            (None, Some(condition)) => format!("{} if {condition}", field.type_name),
            (None, None) => field.type_name.clone(),
        };
        table.row([&start, &size, field.name, &ty, field.doc]);
        offset = offset.and_then(|offset| Some(offset + field.size?));
    }
}

/// A type that is longer has a line for itself.
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

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = |column: usize, most: usize| {
            let widths = self.rows.iter().map(|row| row[column].chars().count());
            widths.filter(|&width| width <= most).max().unwrap_or(0)
        };
        let widths = [width(0, usize::MAX), width(1, usize::MAX), width(2, usize::MAX), width(3, WIDEST_TYPE)];
        let indent: usize = 2 + widths.iter().filter(|&&width| width > 0).map(|width| width + 2).sum::<usize>();
        let room = style::terminal_width().unwrap_or(120).saturating_sub(indent).max(30);
        for row in &self.rows {
            let mut line = "  ".to_owned();
            for (column, width) in widths.into_iter().enumerate().filter(|(_, width)| *width > 0) {
                line += &match column {
                    0 => format!("{FAINT}{:>width$}{FAINT:#}  ", row[column]),
                    _ => format!("{:<width$}  ", row[column]),
                };
            }
            let mut lines = style::wrapped(&row[4], room);
            if row[3].chars().count() > widths[3] {
                // The type takes the room of the first line.
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
