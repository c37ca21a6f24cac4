//! The type of numbers written as digits.

use super::super::subject::snake_case;
use super::File;
use crate::digits::{Digits, Placement};

impl File<'_, '_, '_> {
    /// Returns the name of the type for the text of a number.
    pub(super) fn digits(&mut self, digits: Digits) -> String {
        self.help(&snake_case(&digits.type_name()), &members(digits))
    }
}

/// Returns the members of a type for the text of a number.
fn members(digits: Digits) -> String {
    let Digits { base, size, placement } = digits;
    let (end, inexact) = match placement {
        Placement::ZeroEnded => ("    terminator: 0\n", ""),
        Placement::Zeroed => ("", ""),
        Placement::Right | Placement::Left => {
            ("", "    # NOT EXACT: some target languages cannot convert text with spaces around its digits\n")
        }
    };
    let radix = if base == 10 { String::new() } else { format!("({base})") };
    format!(
        "seq:\n  - id: text\n    type: str\n    encoding: ASCII\n    size: {size}\n{end}instances:\n  value:\n    value: text.to_i{radix}\n{inexact}"
    )
}
