//! `ndbytes schema`

use crate::context::{Context, Outcome};
use crate::show::schema_text::print_type;
use crate::show::style::HEADING;
use ndbytes::{Format, LayoutReference, layouts};
use std::collections::HashSet;
use std::io;

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
    Npy,
    Gzip,
}

impl FormatArgument {
    /// The format; `None` of gzip, which is around others.
    fn format(self) -> Option<Format> {
        match self {
            FormatArgument::Idx => Some(Format::Idx),
            FormatArgument::RawArray => Some(Format::RawArray),
            FormatArgument::Idv => Some(Format::Idv),
            FormatArgument::B2nd => Some(Format::B2nd),
            FormatArgument::Npy => Some(Format::Npy),
            FormatArgument::Gzip => None,
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let (terminal, out) = (context.width, &mut context.out);
    for LayoutReference { title, order, books, format, .. } in layouts() {
        if arguments.format.is_some_and(|wanted| wanted.format() != format) {
            continue;
        }
        writeln!(out, "{HEADING}{title} ({order}){HEADING:#}\n")?;
        // Types that several structures share have one page.
        let mut printed = HashSet::new();
        for page in books.iter().flat_map(|book| &book.types).filter(|page| printed.insert(page.name)) {
            print_type(page, terminal, out)?;
        }
    }
    Ok(Outcome::Clean)
}
