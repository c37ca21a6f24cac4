//! `ndbytes schema`

use crate::context::{Context, Outcome};
use crate::show::schema_text::print_type;
use crate::show::style::HEADING;
use ndbytes::{LayoutReference, layouts};
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
    Zip,
}

impl FormatArgument {
    /// The name of its field reference.
    fn name(self) -> &'static str {
        match self {
            FormatArgument::Idx => "idx",
            FormatArgument::RawArray => "rawarray",
            FormatArgument::Idv => "idv",
            FormatArgument::B2nd => "b2nd",
            FormatArgument::Npy => "npy",
            FormatArgument::Gzip => "gzip",
            FormatArgument::Zip => "zip",
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let (terminal, out) = (context.width, &mut context.out);
    for LayoutReference { name, title, order, books, .. } in layouts() {
        if arguments.format.is_some_and(|wanted| wanted.name() != name) {
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
