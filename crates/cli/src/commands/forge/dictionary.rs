//! `ndbytes forge --dictionary`

use super::folder::new_file;
use crate::context::{Context, Outcome};
use ndbytes_forge::DICTIONARIES;
use std::io;
use std::path::Path;

/// The names of the dictionaries, as the possible values of the argument.
pub const NAMES: [&str; DICTIONARIES.len()] = {
    let mut names = [""; DICTIONARIES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = DICTIONARIES[at].0;
        at += 1;
    }
    names
};

/// Writes the dictionary of a format to a new file.
pub fn run(name: &str, out: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let text = DICTIONARIES.iter().find(|(known, _)| *known == name).map(|(_, text)| text());
    new_file(out, text.unwrap_or_default().as_bytes(), context)
}
