//! The text of a header: a dictionary.

use crate::types::item_type::{ItemTypeError, ItemTypeProblem, Literal, Value, quoted, read, read_python_2};
use ndbytes_schemas::npy::Npy;
use std::borrow::Cow;

/// The maximum number of characters that NumPy loads: the default of `max_header_size` of `numpy.load`. A longer text breaks the
/// rule `npy/long-header`.
pub const LONGEST: usize = 10_000;

/// The text of a header, decoded.
pub struct Text<'h> {
    text: Cow<'h, str>,
    is_latin: bool,
}

/// The entries of a dictionary, in the order of the file.
pub struct Dictionary {
    pub entries: Vec<(Literal, Literal)>,
    /// The place of the first suffix of Python 2, in bytes of the header.
    pub first_long: Option<usize>,
    /// True if the text is that of Python's `repr`, apart from spaces and a comma at the end.
    pub is_as_written: bool,
    /// True if the dictionary comes first, and only spaces and one newline after it.
    pub is_padded: bool,
}

/// Why a text is no dictionary.
pub enum NoDictionary {
    /// The place in the header, in bytes, and the reason.
    Syntax(usize, String),
    /// The brackets are nested too deep for this reader.
    TooDeep(usize, ItemTypeProblem),
}

impl<'h> Text<'h> {
    /// Decodes the text.
    ///
    /// # Errors
    /// The first byte that is not UTF-8, in version 3.
    pub fn of(header: &'h Npy) -> Result<Self, usize> {
        let bytes = header.header.text();
        let is_latin = header.major < 3;
        let text = match is_latin {
            true if bytes.is_ascii() => String::from_utf8_lossy(bytes),
            true => bytes.iter().map(|&byte| char::from(byte)).collect(),
            false => std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())?.into(),
        };
        Ok(Text { text, is_latin })
    }

    /// The number of characters.
    pub fn characters(&self) -> usize {
        self.text.chars().count()
    }

    /// The place of a byte of the decoded text in the header.
    pub fn place(&self, at: usize) -> usize {
        if self.is_latin { self.text[..at].chars().count() } else { at }
    }

    /// Returns whether white space stands at the beginning of a last line that nothing ends, which Python refuses.
    /// NumPy mends it in versions 1 and 2, unless a carriage return alone is before it.
    fn ends_indented(&self) -> bool {
        let Some(start) = self.text.rfind(['\n', '\r']).map(|end| end + 1) else { return false };
        let (before, line) = self.text.split_at(start);
        let indent = line.rsplit('\x0c').next().unwrap_or_default();
        let is_indent = !indent.is_empty() && line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\x0c'));
        let is_hidden = before.trim_end_matches(['\n', '\r']).ends_with('\\');
        is_indent && !is_hidden && (!self.is_latin || before.ends_with('\r'))
    }

    /// Parses the dictionary.
    pub fn dictionary(&self) -> Result<Dictionary, NoDictionary> {
        let text = &*self.text;
        if let Some(at) = text.find('\0') {
            return Err(NoDictionary::Syntax(self.place(at), "a zero byte is no part of a literal".into()));
        }
        let parsed = if self.is_latin { read_python_2(text) } else { read(text).map(|literal| (literal, None)) };
        let (literal, first_long) = parsed.map_err(|ItemTypeError { position, problem }| match problem {
            ItemTypeProblem::TooDeep { .. } => NoDictionary::TooDeep(self.place(position), problem),
            problem => NoDictionary::Syntax(self.place(position), problem.to_string()),
        })?;
        // White space at the beginning of a line counts in Python, but for the first line of a literal.
        let before = text[..literal.position].trim_start_matches([' ', '\t']);
        let line = before.rsplit(['\n', '\r', '\x0c']).next().unwrap_or_default();
        if line.starts_with([' ', '\t']) {
            return Err(NoDictionary::Syntax(self.place(literal.position), "the dictionary is indented".into()));
        }
        if self.ends_indented() {
            return Err(NoDictionary::Syntax(self.place(text.len() - 1), "the last line is only white space".into()));
        }
        let written = written(&literal);
        let Value::Dictionary(entries) = literal.value else {
            return Err(NoDictionary::Syntax(self.place(literal.position), "the header is not a dictionary".into()));
        };
        let first_long = first_long.map(|at| self.place(at));
        let padded = text.strip_suffix('\n').map(|text| text.trim_end_matches(' '));
        let is_padded = padded.is_some_and(|text| text.starts_with('{') && text.ends_with('}'));
        let is_as_written = squeezed(text.trim_matches([' ', '\t', '\r', '\n', '\x0c'])) == squeezed(&written);
        Ok(Dictionary { entries, is_as_written: is_as_written || first_long.is_some(), first_long, is_padded })
    }
}

/// A text without spaces, and without a comma after the last entry.
fn squeezed(text: &str) -> String {
    let text: String = text.chars().filter(|&letter| letter != ' ').collect();
    match text.strip_suffix(",}") {
        Some(text) => format!("{text}}}"),
        None => text,
    }
}

/// A literal as Python writes it. The depth of a literal is bounded.
pub fn written(literal: &Literal) -> String {
    let join = |items: &[Literal]| items.iter().map(written).collect::<Vec<_>>().join(", ");
    match &literal.value {
        Value::Text(text) => quoted(text.chars().map(u32::from)),
        Value::Integer(number) => number.to_string(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::None => "None".into(),
        Value::Tuple(items) if items.len() == 1 => format!("({},)", join(items)),
        Value::Tuple(items) => format!("({})", join(items)),
        Value::List(items) => format!("[{}]", join(items)),
        Value::Dictionary(entries) => {
            let entries = entries.iter().map(|(key, value)| format!("{}: {}", written(key), written(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
