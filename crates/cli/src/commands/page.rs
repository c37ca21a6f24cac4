//! Writes pages about one or two files.

use crate::context::Context;
use crate::show::text::{self, is_standard};
use ndbytes::Input;
use ndbytes_compare::diff::Diff;
use ndbytes_page::diff_page_of;
use ndbytes_pictures::Drawing;
use std::path::Path;

/// Returns the name of a file, without its directories.
pub fn name_of(path: &Path) -> String {
    match path.file_name() {
        Some(name) if !is_standard(path) => name.to_string_lossy().into_owned(),
        _ => text::path(path),
    }
}

/// Writes a page and prints its path.
pub fn save(page: &str, out: &Path, context: &mut Context<'_>) -> ndbytes::Result<()> {
    if is_standard(out) {
        return Ok(context.out.machine().write_all(page.as_bytes())?);
    }
    context.limits.ensure_output("the page", page.len() as u64)?;
    ndbytes::replace_file(out, page.as_bytes())?;
    // There is nowhere to report a failure here.
    let _ = writeln!(context.err, "wrote the page {}", text::path(out));
    Ok(())
}

/// Returns the page of two compared files, each with its path, below the picture of their difference. `None` is a missing file.
pub fn of_two(
    found: &Diff,
    paths: [&Path; 2],
    inputs: [Option<&Input<'_>>; 2],
    picture: Option<&Drawing>,
    context: &Context<'_>,
) -> ndbytes::Result<String> {
    let [a, b] = paths.map(name_of);
    diff_page_of(found, [&a, &b], inputs, picture, context.limits)
}
