//! Texts, names and lists in YAML.

use crate::escape::escape;

/// The arguments of a type, after its name.
pub fn given<T: AsRef<str>>(arguments: &[T]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) }
}

/// Bytes in a list.
pub fn list(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    format!("[{}]", bytes.join(", "))
}

/// The line of a documentation, if there is one: a reader refuses an empty one.
pub fn doc(text: &str, indent: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{indent}doc: {}\n", quoted(text)) }
}

/// A name, in quotation marks if YAML takes it for a value.
pub fn id(name: &str) -> String {
    let is_value = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&name);
    if is_value { quoted(name) } else { name.to_owned() }
}

/// A string of YAML.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Lines with spaces before each.
pub fn indented(text: &str, by: usize) -> String {
    text.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}
