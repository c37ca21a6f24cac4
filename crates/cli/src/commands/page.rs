//! Writing the page of a file, or of two.

use crate::context::Context;
use crate::show::text::{self, is_standard};
use ndbytes::Input;
use ndbytes_compare::diff::Diff;
use ndbytes_page::diff_page_of;
use ndbytes_pictures::Drawing;
use std::path::Path;

/// The name of a file, without the folders that it is in.
pub fn name_of(path: &Path) -> String {
    match path.file_name() {
        Some(name) if !is_standard(path) => name.to_string_lossy().into_owned(),
        _ => text::path(path),
    }
}

/// Writes a page, and prints its path.
pub fn save(page: &str, out: &Path, context: &mut Context<'_>) -> ndbytes::Result<()> {
    if is_standard(out) {
        return Ok(context.out.machine().write_all(page.as_bytes())?);
    }
    context.limits.ensure_output("the page", page.len() as u64)?;
    ndbytes::replace_file(out, page.as_bytes())?;
    // A failure here cannot be reported to anybody.
    let _ = writeln!(context.err, "the page is in {}", text::path(out));
    Ok(())
}

/// The page of two files that were compared, each with its path, below the picture of their difference. `None` is no file.
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
