//! `ndbytes schema`

use crate::context::{Context, Outcome};
use crate::show::schema_text::print_type;
use crate::show::style::HEADING;
use crate::show::{json, schema_json, schema_markdown};
use clap::builder::{PossibleValue, PossibleValuesParser};
use ndbytes::everybyte::definition::{Subject, imhex, kaitai};
use ndbytes::internals::layout_names;
use ndbytes::{LayoutReference, layouts};
use std::collections::HashSet;
use std::io;

/// Print the layout of each format, field by field.
///
/// The field reference is generated from the declarations that the readers use. `--ksy` prints the layout for Kaitai
/// Struct, and `--hexpat` prints it for ImHex.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print only this format.
    #[arg(value_parser = names(), ignore_case = true)]
    format: Option<String>,
    /// Print one JSON object per format.
    #[arg(long, group = "form")]
    json: bool,
    /// Print a Markdown page or, without FORMAT, a table of all formats.
    #[arg(long, group = "form")]
    markdown: bool,
    /// Print a Kaitai Struct specification.
    #[arg(long, group = "form", requires = "format")]
    ksy: bool,
    /// Print an ImHex pattern.
    #[arg(long, group = "form", requires = "format")]
    hexpat: bool,
}

/// Returns the names of the field references, with titles as aliases. Every command needs them when it starts.
fn names() -> PossibleValuesParser {
    let value = |(name, title)| PossibleValue::new(name).alias(title);
    PossibleValuesParser::new(layout_names().map(value))
}

/// Returns whether a field reference has this name or this title, ignoring case.
fn is_named(layout: &LayoutReference, name: &str) -> bool {
    [layout.name, layout.title].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Prints the field reference of all formats, or of one.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let wanted = |layout: &LayoutReference| arguments.format.as_ref().is_none_or(|wanted| is_named(layout, wanted));
    let all: Vec<LayoutReference> = layouts().filter(wanted).collect();
    if arguments.markdown && arguments.format.is_none() {
        schema_markdown::print_index(&all, &mut context.out)?;
        return Ok(Outcome::Clean);
    }
    for layout in &all {
        let LayoutReference { name, title, books, .. } = layout;
        let subject = Subject { license: Some("MIT OR Apache-2.0"), ..Subject::new(name, title, books) };
        if arguments.json {
            json::line(context.out.machine(), &schema_json::object(layout))?;
        } else if arguments.markdown {
            schema_markdown::print(layout, &mut context.out)?;
        } else if arguments.ksy {
            context.out.text(&kaitai(subject))?;
        } else if arguments.hexpat {
            context.out.text(&imhex(subject))?;
        } else {
            print(layout, context)?;
        }
    }
    Ok(Outcome::Clean)
}

/// Prints the field reference of a format.
fn print(layout: &LayoutReference, context: &mut Context<'_>) -> io::Result<()> {
    let (terminal, out) = (context.width, &mut context.out);
    writeln!(out, "{HEADING}{} ({}){HEADING:#}\n", layout.title, layout.order)?;
    // A type that is used by several structures is printed only once.
    let mut printed = HashSet::new();
    for page in layout.books.iter().flat_map(|book| &book.types).filter(|page| printed.insert(&*page.name)) {
        print_type(page, terminal, out)?;
    }
    Ok(())
}
