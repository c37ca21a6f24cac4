//! `ndbytes export`

use super::{Context, Outcome, complain, open, report, written};
use ndbytes::{Array, Error};
use std::io;
use std::path::{Path, PathBuf};

/// Write an array as NumPy's .npy: same shape, order, element type and values.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file; `-` is standard input.
    path: PathBuf,
    /// The .npy file to write; `-` is standard output.
    out: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let Arguments { path, out } = arguments;
    let array = match open(path, context.limits).and_then(|input| Array::read(input, context.limits)) {
        Ok(array) => array,
        Err(error @ Error::NoArray { .. }) => {
            let shown = path.display();
            complain(&format!("{shown}: {error}; `ndbytes cat --json {shown}` prints the values of a table"));
            return Ok(Outcome::Unreadable);
        }
        Err(error) => return report(&error, path, context),
    };
    let result = if out == Path::new("-") { array.write_npy(io::stdout().lock()) } else { array.export(out) };
    written(result, out, context)
}
