//! The options that bound what a file may cost.

use crate::limits::Limits;
use std::ffi::OsString;

/// The options, as the help shows them.
pub const HELP: &str = "
Limits of the map, for all commands but forge:
  --max-fields N         Fields of the map of a file; further ones share one field
  --max-depth N          Structures inside structures
  --max-spaces N         Contents that are unpacked
";

/// Takes the options of limits out of the arguments. Returns the limits, and the other arguments.
///
/// # Errors
/// A sentence about an option whose number is missing or is none.
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
