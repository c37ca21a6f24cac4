//! Converts enumerations to codes.

use super::model::Model;
use super::names::{camel, constant};
use super::text::doc;

impl Model<'_> {
    /// Returns the type of a code: an enumeration as an integer. `None` if none of its values fits the integer.
    pub fn code(&self, enumeration: usize, integer: &str) -> Option<String> {
        let key = (enumeration, integer.to_owned());
        if let Some(known) = self.names.borrow().codes.get(&key) {
            return Some(known.clone());
        }
        if !self.plan.enums[enumeration].labels.keys().any(|&value| fits(value, integer)) {
            return None;
        }
        let mut names = self.names.borrow_mut();
        let name = names.fresh(&camel(&self.plan.enums[enumeration].name));
        names.codes.insert(key, name.clone());
        Some(name)
    }

    /// Returns the declarations of all codes.
    pub fn codes(&self) -> Vec<String> {
        let names = self.names.borrow();
        let mut codes: Vec<_> = names.codes.iter().map(|((number, integer), name)| (name, *number, integer)).collect();
        codes.sort();
        codes.into_iter().map(|(name, number, integer)| self.declared_code(name, number, integer)).collect()
    }

    fn declared_code(&self, name: &str, number: usize, integer: &str) -> String {
        let own = &self.plan.enums[number];
        let mut labels: Vec<_> = own.labels.iter().filter(|(value, _)| fits(**value, integer)).collect();
        labels.sort_by_key(|(value, _)| **value);
        let mut text = format!(
            "everybyte::codes! {{\n    /// The values of `{}`.\n    pub struct {name}({integer}) {{\n",
            own.name
        );
        for (value, label) in labels {
            let about = doc(&label.doc, "        ");
            text.push_str(if about.is_empty() { "" } else { &about });
            if about.is_empty() {
                text.push_str(&format!("        /// `{}`.\n", label.name));
            }
            text.push_str(&format!("        {} = {value} => {:?};\n", constant(&label.name), label.name));
        }
        text + "    }\n}\n"
    }
}

/// Returns whether an integer of this type can have a value.
fn fits(value: i128, integer: &str) -> bool {
    match integer {
        "u8" => u8::try_from(value).is_ok(),
        "u16" => u16::try_from(value).is_ok(),
        "u32" => u32::try_from(value).is_ok(),
        "u64" => u64::try_from(value).is_ok(),
        "i8" => i8::try_from(value).is_ok(),
        "i16" => i16::try_from(value).is_ok(),
        "i32" => i32::try_from(value).is_ok(),
        "i64" => i64::try_from(value).is_ok(),
        _ => false,
    }
}
