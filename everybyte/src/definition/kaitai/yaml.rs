//! Strings, names and lists in YAML.

use crate::escape::escape;

/// Formats the arguments of a type, which follow its name.
pub fn given<T: AsRef<str>>(arguments: &[T]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) }
}

/// Formats bytes as a list.
pub fn list(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    format!("[{}]", bytes.join(", "))
}

/// The documentation line, or nothing if the text is empty, because readers refuse an empty line.
pub fn doc(text: &str, indent: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{indent}doc: {}\n", quoted(text)) }
}

/// Formats a name, with quotes if YAML would read it as a value.
pub fn id(name: &str) -> String {
    let is_value = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(&name);
    if is_value { quoted(name) } else { name.to_owned() }
}

/// Formats a YAML string.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Indents each line with spaces.
pub fn indented(text: &str, by: usize) -> String {
    text.lines().map(|line| format!("{:by$}{line}\n", "")).collect()
}
