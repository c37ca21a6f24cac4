//! Values that bytes represent, calculated values, and values in hexadecimal.

use super::super::plan::FieldPlan;
use super::File;
use crate::terms::Form;
use std::fmt::Write;

/// A function that shows a number in base 16.
const IN_HEX: &str = "fn in_hex(auto number) {\n    return std::format(\"{:#x}\", number);\n};\n\n";

/// The libraries that helpers use: a name that each one defines, and its import.
const LIBRARIES: [(&str, &str); 2] = [("std::format", "import std.io;\n"), ("std::string", "import std.string;\n")];

impl<'b> File<'_, '_, 'b> {
    /// Returns the attribute of a field that is shown in base 16.
    pub(super) fn format(&mut self, plan: &FieldPlan<'b>) -> &'static str {
        if !plan.field.is_hex {
            return "";
        }
        self.add("in_hex", IN_HEX.to_owned());
        " [[format(\"in_hex\")]]"
    }

    /// Writes a variable with the value of a field, if the value differs from the bytes.
    pub(super) fn valued(&mut self, plan: &FieldPlan<'b>, text: &mut String) {
        let (Some(value), name) = (&plan.value, &plan.field.name) else { return };
        match plan.field.form {
            Form::Calculated => {
                let format = if self.format(plan).is_empty() { "" } else { ", format(\"in_hex\")" };
                writeln!(text, "    s128 {name} = {value} [[export{format}]];").unwrap();
            }
            _ => writeln!(text, "    s128 {name}_value = {value} [[export]];").unwrap(),
        }
    }

    /// Returns the lines for the libraries that helpers use.
    pub(super) fn imports(&self) -> String {
        let is_used = |name: &str| self.helpers.iter().any(|(_, helper)| helper.contains(name));
        LIBRARIES.iter().filter(|(name, _)| is_used(name)).map(|(_, import)| *import).collect()
    }
}
