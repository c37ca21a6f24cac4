//! `ndbytes forge --mutate --in-place`, as honggfuzz calls it.

use super::arguments::Arguments;
use super::make::mutation;
use super::request::file;
use crate::context::{Context, Outcome};
use ndbytes::replace_file;
use ndbytes_forge::Forge;
use std::io;
use std::path::Path;

pub fn run(path: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let read = file(path, context);
    let replaced = read.and_then(|bytes| {
        let forged = Forge::new(arguments.seed).mutate(&bytes, &mutation(arguments, bytes.len()));
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
