//! The format used in tests. It shows how much code a format needs, and each operation is tested with it.
//!
//! A file consists of `TOY!`, a little-endian number, and that many bytes.

mod array;
mod tests;

use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::declare::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::{Depth, Scope};
use crate::format::Format;
use crate::format::info::{ArrayInfo, Info};
use crate::format_driver::{Described, Examined, FormatDriver, Question};
use everybyte::{Endian, Source, bytes::Region, layout, read, reference::Book, trace::trace};
use std::collections::BTreeMap;

pub(crate) use array::Toy;

/// A file.
#[layout]
#[brw(little, magic = b"TOY!")]
pub(crate) struct Layout {
    /// The number of items.
    count: u32,
    /// The items.
    #[layout(payload)]
    #[br(args { length: count.into() })]
    items: Region,
}

rules! {
    ALL of Scope::Format(Format::Toy), since "0.1.0";

    /// The header is whole.
    HEADER = error "toy/header", Refuses, "this module";
    /// The file has as many items as its header counts.
    LENGTH = tolerable error "toy/length", Refuses, "this module";
}

/// The driver of the test format, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Toy,
    rules: &[ALL],
    examine,
    info,
    layouts: ("little-endian", || vec![Book::of::<Layout>()]),
    promise: |_, _| None,
};

/// Reads the header and checks the length.
fn judge(source: Source<'_>) -> (Option<Layout>, Vec<Finding>) {
    let header = match read::<Layout>(source, Endian::Little, ()) {
        Ok(header) => header,
        Err(error) => return (None, vec![Finding::unreadable(&HEADER, &error, "the header cannot be read")]),
    };
    let end = header.items.offset + header.items.length;
    let is_whole = end == source.length();
    let finding = || Finding::new(&LENGTH, "items", header.items.range(), format!("the file does not end at {end}"));
    let findings = if is_whole { Vec::new() } else { vec![finding()] };
    (Some(header), findings)
}

fn examine(input: Input<'_>, _: Depth, _: Limits, question: Question) -> Result<Examined<'_>> {
    let (_, findings) = judge(input.source());
    let (_, nodes) = trace::<Layout>(input.source(), Endian::Little, ());
    let spaces = question.map.then(|| input.space(0, "file", nodes.into_parts()).map(|space| vec![space]));
    Ok(Examined { format: Some(Format::Toy), findings, spaces, input: Some(input) })
}

fn info(input: Input<'_>, _: Limits) -> Described {
    let size = input.length();
    let (header, findings) = judge(input.source());
    let warnings = refuse_errors(findings)?;
    let count = header.expect("a header that could not be read is an error").count;
    let array = ArrayInfo { shape: vec![count.into()], dtype: "|u1".to_owned(), order: "C" };
    let info = Info {
        format: Format::Toy,
        size,
        version: None,
        array: Some(array),
        table: None,
        details: BTreeMap::new(),
        metadata: Vec::new(),
    };
    Ok((info, warnings))
}
