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

/// Print the field reference, out of the same declarations that files are read with.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The format; all of them if none is named.
    #[arg(value_parser = names(), ignore_case = true)]
    format: Option<String>,
    /// Print one JSON object a format.
    #[arg(long, group = "form")]
    json: bool,
    /// Print a page of Markdown for the format; without FORMAT, a table of all.
    #[arg(long, group = "form")]
    markdown: bool,
    /// Print a definition for Kaitai Struct.
    #[arg(long, group = "form", requires = "format")]
    ksy: bool,
    /// Print a definition for ImHex, in its pattern language.
    #[arg(long, group = "form", requires = "format")]
    hexpat: bool,
}

/// The names of the field references; the title of one is another name of it. Every command asks for them when it starts.
fn names() -> PossibleValuesParser {
    let value = |(name, title)| PossibleValue::new(name).alias(title);
    PossibleValuesParser::new(layout_names().map(value))
}

/// Returns whether a field reference has this name, or this title; capital letters make no difference.
fn is_named(layout: &LayoutReference, name: &str) -> bool {
    [layout.name, layout.title].iter().any(|known| known.eq_ignore_ascii_case(name))
}

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

fn print(layout: &LayoutReference, context: &mut Context<'_>) -> io::Result<()> {
    let (terminal, out) = (context.width, &mut context.out);
    writeln!(out, "{HEADING}{} ({}){HEADING:#}\n", layout.title, layout.order)?;
    // Types that several structures share have one page.
    let mut printed = HashSet::new();
    for page in layout.books.iter().flat_map(|book| &book.types).filter(|page| printed.insert(&*page.name)) {
        print_type(page, terminal, out)?;
    }
    Ok(())
}
