//! `ndbytes forge --mutate --in-place`, as honggfuzz calls it.

use super::arguments::Arguments;
use super::make::mutation;
use super::request::{ensure_matches, file};
use crate::context::{Context, Outcome};
use ndbytes::replace_file;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;

/// Replaces a file with a mutant of itself.
pub fn run(path: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let read = file(path, context);
    let replaced = read.and_then(|bytes| {
        let mut forge = arguments.forge();
        // Engines call this repeatedly, and the same file must get another mutant each time.
        forge.reseed(arguments.seed.unwrap_or_else(|| RandomState::new().hash_one(&bytes)));
        ensure_matches(&mut forge, path, &bytes, arguments.only.as_ref())?;
        let forged = forge.mutate(&bytes, &mutation(arguments, bytes.len()));
        replace_file(path, &forged.bytes).map_err(|error| error.to_string())
    });
    match replaced {
        Ok(()) => Ok(Outcome::Clean),
        Err(message) => {
            context.complain(&message)?;
            Ok(Outcome::Unreadable)
        }
    }
}
