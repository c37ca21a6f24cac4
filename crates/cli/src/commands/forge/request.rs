//! The values of the arguments of `ndbytes forge`.

use crate::context::Context;
use crate::show::text;
use ndbytes::Error;
use ndbytes_forge::{Recipe, Repair};
use std::path::Path;

/// A choice of what is mended.
pub fn repair(words: &str) -> Result<Repair, String> {
    words.replace(',', " ").parse::<Repair>().map_err(|error| error.to_string())
}

/// The bytes of a file, or why there are none.
pub fn file(path: &Path, context: &Context<'_>) -> Result<Vec<u8>, String> {
    let read = context.open(path).and_then(|input| input.bytes().map(<[u8]>::to_vec));
    read.map_err(|error| match error {
        // It names the path itself.
        Error::Io { .. } => error.to_string(),
        error => format!("{}: {error}", text::path(path)),
    })
}

/// The recipe in a file, or why there is none.
pub fn recipe(path: &Path, context: &Context<'_>) -> Result<Recipe, String> {
    let bytes = file(path, context)?;
    let read = String::from_utf8(bytes).map_err(|_| "the recipe is not UTF-8".to_owned());
    let read = read.and_then(|text| text.parse::<Recipe>().map_err(|error| error.to_string()));
    read.map_err(|error| format!("{}: {error}", text::path(path)))
}
