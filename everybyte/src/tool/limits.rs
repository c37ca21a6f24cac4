//! The options that limit the cost of reading a file.

use crate::limits::Limits;
use std::ffi::OsString;

/// The options as shown in the help.
pub const HELP: &str = "
Limits of the byte map, for all commands except forge:
  --max-fields N         Maximum number of fields; further ones share one field
  --max-depth N          Maximum depth of nested structures
  --max-spaces N         Maximum number of decompressed spaces

Limit for all commands:
  --max-time SECONDS     Time after which the command stops with status 2
";

/// Removes the options for limits from the arguments. Returns the limits and the remaining arguments.
///
/// # Errors
/// Returns an error for an option whose number is missing or invalid.
pub fn take(arguments: &[OsString], mut limits: Limits) -> Result<(Limits, Vec<OsString>), String> {
    let (mut arguments, mut others) = (arguments.iter(), Vec::new());
    while let Some(argument) = arguments.next() {
        let option = argument.to_str().unwrap_or_default();
        limits = match option {
            "--max-fields" => limits.nodes(number(option, arguments.next())?),
            "--max-depth" => limits.depth(number(option, arguments.next())?),
            "--max-spaces" => limits.spaces(number(option, arguments.next())?),
            _ => {
                others.push(argument.clone());
                limits
            }
        };
    }
    Ok((limits, others))
}

fn number<N: TryFrom<u64>>(option: &str, value: Option<&OsString>) -> Result<N, String> {
    let value = value.and_then(|value| value.to_str()).unwrap_or_default();
    let number = value.parse::<u64>().ok().and_then(|number| number.try_into().ok());
    number.ok_or_else(|| format!("{option} takes a number, not {value:?}"))
}
