//! The page that `explain --html` writes.

use super::described::Described;
use super::input::{read, shown};
use super::outcome::Outcome;
use super::whole;
use crate::page;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

/// The name of the program in pages.
const MAKER: &str = "everybyte";

/// The maximum length of a page. A longer file is not a page.
const LONGEST: u64 = 4 << 20;

/// The page and the file in the arguments of `explain`, if these are `--html OUT FILE` or `--html=OUT FILE`.
pub fn asked<'a>(arguments: &[&'a OsStr]) -> Option<[&'a OsStr; 2]> {
    match *arguments {
        [option, to, file] if option == "--html" => Some([to, file]),
        [option, file] => Some([OsStr::new(option.to_str()?.strip_prefix("--html=")?), file]),
        _ => None,
    }
}

/// Writes the page about a file; `-` is standard output.
pub fn run(
    format: &dyn Described,
    [to, path]: [&OsStr; 2],
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Outcome> {
    let Some(file) = read(path, err)? else { return Ok(Outcome::Unusable) };
    let explained = format.explain(&file);
    let title = Path::new(path).file_name().unwrap_or(path).to_string_lossy();
    let page = page::page(&explained, &file, &title, MAKER);
    if to == "-" {
        out.write_all(page.as_bytes())?;
    } else if let Err(error) = put(&page, to, err) {
        writeln!(err, "error: {}: {error}", shown(to))?;
        return Ok(Outcome::Unusable);
    } else {
        writeln!(err, "wrote the page {}", shown(to))?;
    }
    Ok(if explained.findings.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// Writes a page to a new file or in place of another page.
fn put(page: &str, to: &OsStr, err: &mut dyn Write) -> io::Result<()> {
    let path = Path::new(to);
    let Ok(found) = path.metadata() else { return whole::create(path, page.as_bytes()) };
    let is_page =
        found.is_file() && found.len() <= LONGEST && read(to, err)?.is_some_and(|old| page::is_page(&old, MAKER));
    match is_page {
        true => whole::replace(path, page.as_bytes()),
        false => Err(io::Error::other("it exists and is not a page of everybyte: name another file")),
    }
}
