//! The lines of a list of files and their contents.

use crate::context::Context;
use crate::show::style::{ERROR, FAINT, grouped};
use crate::show::text;
use ndbytes_compare::digest::Digest;
use std::io;
use std::path::Path;

/// The maximum width of a member's description before it is cut.
const WIDEST: usize = 40;

/// Prints the column headings of a list.
pub fn print_heads(has_digest: bool, context: &mut Context<'_>) -> io::Result<()> {
    let digest = if has_digest { format!("{:<32}  ", "digest") } else { String::new() };
    writeln!(context.out, "{FAINT}{:<8}  {:<WIDEST$}  {:>12}  {digest}address{FAINT:#}", "format", "holds", "bytes")
}

/// A line of a list.
pub struct Line<'l> {
    pub path: &'l Path,
    pub format: &'l str,
    pub size: u64,
    /// A short description of the content, or the reason why there is none.
    pub holds: Result<String, &'l str>,
    pub digest: Option<Digest>,
}

impl Line<'_> {
    /// Prints the line, with the reason in place of the content if the file cannot be read.
    pub fn print(self, has_digest: bool, context: &mut Context<'_>) -> io::Result<()> {
        let (name, size, format) = (text::address(self.path), grouped(self.size), self.format);
        let (style, holds) = match self.holds {
            Ok(holds) => (None, holds),
            Err(reason) => (Some(ERROR), format!("✗ {reason}")),
        };
        let holds = text::cut(&holds, WIDEST);
        let padding = WIDEST - text::width(&holds);
        let style = style.unwrap_or_default();
        let digest = self.digest.map_or_else(|| "–".to_owned(), |digest| digest.to_string());
        let digest = if has_digest { format!("{digest:<32}  ") } else { String::new() };
        writeln!(context.out, "{format:<8}  {style}{holds}{style:#}{:padding$}  {size:>12}  {digest}{name}", "")
    }
}
