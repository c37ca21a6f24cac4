//! The IDV streams in zip archives, to choose from.

use super::style::{self, ERROR, FAINT, HEADING};
use super::{Context, Outcome, report, shown};
use ndbytes::Archive;
use std::io;
use std::path::{Path, PathBuf};

/// Prints what the streams of an archive are: a line each, and what is wrong with those that cannot be read.
pub fn print(path: &Path, archive: &Archive<'_>, context: &mut Context<'_>) -> io::Result<Outcome> {
    let number = style::counted(archive.streams().len() as u64, "IDV stream");
    writeln!(context.out, "{HEADING}{}{HEADING:#}  zip archive  {number}\n", style::harmless(&shown(path)))?;
    writeln!(context.out, "{FAINT}{:>12}  {:>7}  {:>12}  address{FAINT:#}", "rows", "columns", "bytes")?;
    let mut refused = Vec::new();
    for (stream, loaded) in archive.load_each() {
        let address = archive.address(stream);
        let name = style::harmless(&shown(&address));
        let size = style::grouped(stream.length());
        match loaded.and_then(|input| ndbytes::info(input, &context.limits)) {
            Ok(info) => {
                let table = info.table.as_ref();
                let [rows, columns] = [table.map(|table| table.rows), table.map(|table| table.columns.len() as u64)]
                    .map(|number| number.map_or_else(|| "–".into(), style::grouped));
                writeln!(context.out, "{rows:>12}  {columns:>7}  {size:>12}  {name}")?;
            }
            Err(error) => {
                writeln!(context.out, "{ERROR}{:>12}  {:>7}{ERROR:#}  {size:>12}  {name}", "✗", "✗")?;
                refused.push((address, error));
            }
        }
    }
    if !refused.is_empty() {
        writeln!(context.out)?;
    }
    let mut outcome = Outcome::Clean;
    for (address, error) in refused {
        outcome = outcome.max(report(&error, &address, context)?);
    }
    Ok(outcome)
}

/// Says on standard error which streams there are.
pub fn list(streams: &[PathBuf], more: usize) {
    for address in streams {
        anstream::eprintln!("  {}", style::harmless(&address.display().to_string()));
    }
    match (streams.len(), more) {
        (0, _) => anstream::eprintln!("  there is no IDV stream in it"),
        (_, 0) => {}
        (_, more) => anstream::eprintln!("  and {more} more, which `ndbytes info` lists"),
    }
}
