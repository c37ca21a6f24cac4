//! `ndbytes export`

use crate::commands::out::{Content, Out};
use crate::commands::report::written;
use crate::context::{Context, Outcome};
use crate::show::text::{self, is_standard};
use crate::values::open::{Failure, Values, values};
use crate::values::tolerate::{Tolerate, print_tolerated};
use ndbytes::{Array, Error, File, npy};
use std::io;
use std::path::{Path, PathBuf};

/// Write an array as NumPy's .npy: same shape, order, element type and values. A slice of an array is written in C order.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    tolerate: Tolerate,
    /// The file; `-` is standard input. It may end with a slice in NumPy's syntax: `x.b2nd[6:12, :]`.
    path: PathBuf,
    /// The file to write, which ends with `.npy`; `-` is standard output.
    out: PathBuf,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let Arguments { path, out, force, tolerate } = arguments;
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
    let values = match values(path, tolerate, context) {
        Ok(values) => values,
        Err(failure) => return failure.refuse(path, context),
    };
    // The path of the file is known only now, if a slice followed it.
    if let Some(refusal) = (Out { input: &values.path, ..guard }).refusal(context) {
        context.complain(&refusal)?;
        return Ok(Outcome::Unreadable);
    }
    let array = match &values.file {
        File::Array(array) => array,
        other => {
            let (shown, error) = (text::path(path), Error::NoArray { format: other.format() });
            context
                .complain(&format!("{shown}: {error}; `ndbytes cat --json {shown}` prints the values of a table"))?;
            return Ok(Outcome::Unreadable);
        }
    };
    let progress = context.progress();
    progress.expect(values.length);
    progress.all_found();
    let result = {
        let _at_hand = progress.begin(path, values.length);
        write(array, &values, out, context)
    };
    drop(progress);
    let outcome = match result {
        Ok(result) => written(result, path, context)?,
        Err(failure) => failure.refuse(path, context)?,
    };
    if outcome == Outcome::Clean {
        print_tolerated(array.tolerated(), context)?;
    }
    Ok(outcome)
}

/// Writes the array, or the slice of it.
fn write(
    array: &Array<'_>,
    values: &Values,
    out: &Path,
    context: &mut Context<'_>,
) -> Result<ndbytes::Result<()>, Failure> {
    if values.slice.is_none() {
        return Ok(match is_standard(out) {
            true => array.write_npy(context.out.machine(), &context.limits),
            false => array.export(out, &context.limits),
        });
    }
    let mut items = array.select(values.chosen()?.elements())?;
    Ok(match is_standard(out) {
        true => items.write_npy(context.out.machine(), &context.limits),
        false => npy::write_items(out, &mut *items, &context.limits),
    })
}
