//! `ndbytes forge`: generates files for tests and fuzzers.
//!
//! One module per mode: valid, broken and mutated files (`make`), recipes (`replay`, `minimise`), seeds and
//! dictionaries.

mod arguments;
mod dictionary;
mod folder;
mod in_place;
mod make;
mod minimise;
mod replay;
mod request;
mod seeds;

pub use arguments::Arguments;

use crate::context::{Context, Outcome};
use std::io;

/// Runs the requested mode. The modes exclude each other.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    if let Some(refusal) = arguments.refusal() {
        context.complain(refusal)?;
        return Ok(Outcome::Unreadable);
    }
    if let Some(recipe) = &arguments.minimise {
        return minimise::run(recipe, arguments, context);
    }
    if let Some(file) = &arguments.in_place {
        return in_place::run(file, arguments, context);
    }
    let Some(out) = &arguments.out else {
        context.complain("OUT is missing: name a directory, or a file, for the output")?;
        return Ok(Outcome::Unreadable);
    };
    match (&arguments.replay, &arguments.dictionary) {
        (Some(recipe), _) => replay::run(recipe, out, arguments, context),
        (_, Some(name)) => dictionary::run(name, out, context),
        _ if arguments.seeds => seeds::run(out, arguments, context),
        _ => make::run(out, arguments, context),
    }
}
