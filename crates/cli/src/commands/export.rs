//! `ndbytes export`

use crate::commands::out::{Content, Out};
use crate::commands::report::{refuse, written};
use crate::context::{Context, Outcome};
use crate::show::text::{self, is_standard};
use ndbytes::{Array, Error, Options};
use std::io;
use std::path::PathBuf;

/// Write an array as NumPy's .npy: same shape, order, element type and values.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file; `-` is standard input.
    path: PathBuf,
    /// The file to write, which ends with `.npy`; `-` is standard output.
    out: PathBuf,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let Arguments { path, out, force } = arguments;
    let is_npy = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
    if !is_npy && !is_standard(out) {
        let what = "does not end with `.npy`, the only format that is written; `-` is standard output";
        context.complain(&format!("{} {what}", text::path(out)))?;
        return Ok(Outcome::Unreadable);
    }
    let guard = Out { path: out, input: path, force: *force, content: Content::Binary };
    if let Some(refusal) = guard.refusal(context) {
        context.complain(&refusal)?;
        return Ok(Outcome::Unreadable);
    }
    let array = match context.open(path).and_then(|input| Array::read(input, &Options::new().limits(context.limits))) {
        Ok(array) => array,
        Err(error @ Error::NoArray { .. }) => {
            let shown = text::path(path);
            context
                .complain(&format!("{shown}: {error}; `ndbytes cat --json {shown}` prints the values of a table"))?;
            return Ok(Outcome::Unreadable);
        }
        Err(error) => return refuse(&error, path, context),
    };
    let result = match is_standard(out) {
        true => array.write_npy(context.out.machine(), &context.limits),
        false => array.export(out, &context.limits),
    };
    written(result, path, context)
}
