//! `ndbytes convert`: converts files to another format.
//!
//! The work is done by the crate `ndbytes-convert`. This module decides between one conversion (`single`) and one per
//! file (`batch`), and reports losses.

mod arguments;
mod batch;
mod opened;
mod single;
mod tables;

pub use arguments::Arguments;

use crate::context::{Context, Outcome};
use crate::show::style::grouped;
use ndbytes::walk::Starts;
use std::io;
use std::path::PathBuf;

/// Converts the inputs to one file or, with `--out-dir`, each of them into a directory.
pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let (inputs, out) = match arguments.inputs().and_then(|all| arguments.listed.refusal(all.0).map_or(Ok(all), Err)) {
        Ok(all) => all,
        Err(words) => return complain(words, context),
    };
    let starts = match arguments.listed.starts(inputs, context.input) {
        Ok(starts) => starts,
        Err(words) => return complain(&words, context),
    };
    match (out, &arguments.out_dir, arguments.to) {
        (None, Some(folder), Some(kind)) => batch::run(arguments, (starts, inputs), (folder, kind), context),
        (out, ..) => match all(starts) {
            Ok(inputs) => single::one(arguments, &inputs, out.unwrap_or("-".as_ref()), context),
            Err(words) => complain(&words, context),
        },
    }
}

/// Reports an error in the arguments.
fn complain(words: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(words)?;
    Ok(Outcome::Unreadable)
}

/// The maximum number of files that are joined into one.
const MOST: usize = 100_000;

/// Returns the paths of all files to join. An invalid path ends the conversion.
fn all(starts: Starts<'_>) -> Result<Vec<PathBuf>, String> {
    let mut inputs = Vec::new();
    for start in starts {
        let start = start.map_err(|problem| problem.reason)?;
        if inputs.len() == MOST {
            return Err(format!("at most {} files can be joined", grouped(MOST as u64)));
        }
        inputs.push(start.path);
    }
    match inputs.is_empty() {
        true => Err("the list is empty".to_owned()),
        false => Ok(inputs),
    }
}
