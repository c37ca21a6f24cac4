//! `ndbytes forge --replay`

use super::arguments::Arguments;
use super::folder::{Folder, new_file, refuse};
use super::request::{file, recipe};
use crate::context::{Context, Outcome};
use crate::show::text;
use std::io;
use std::path::Path;

/// Builds the file that a recipe describes, byte for byte, and writes it to a new path.
pub fn run(path: &Path, out: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let read = recipe(path, context).and_then(|recipe| {
        let from = arguments.from.first().map(|from| file(from, context)).transpose()?;
        Ok((recipe, from))
    });
    let (recipe, from) = match read {
        Ok(read) => read,
        Err(message) => {
            context.complain(&message)?;
            return Ok(Outcome::Unreadable);
        }
    };
    match recipe.replay(from.as_deref()) {
        Ok(forged) if forged.others.is_empty() => new_file(out, &forged.bytes, context),
        Ok(forged) => {
            let written = Folder::new(out, context.limits.output)
                .and_then(|mut folder| forged.files().try_for_each(|(name, bytes)| folder.put_bytes(name, bytes)));
            written.map_or_else(|refusal| refuse(&refusal, context), |()| Ok(Outcome::Clean))
        }
        Err(error) => {
            context.complain(&format!("{}: {error}", text::path(path)))?;
            Ok(Outcome::Unreadable)
        }
    }
}
