//! The text of a header, which is a dictionary.

use crate::types::item_type::leniency::Leniency;
use crate::types::item_type::{ItemTypeError, ItemTypeProblem, Literal, Value, quoted, read_as};
use ndbytes_schemas::npy::Npy;
use std::borrow::Cow;

/// The maximum number of characters that NumPy loads: the default of `max_header_size` in `numpy.load`. A longer text breaks the
/// `npy/long-header` rule.
pub const LONGEST: usize = 10_000;

/// The maximum number of bytes in the text of a header whose literals need not be debited.
const FREE: u64 = 16 << 10;

/// The maximum number of bytes in memory for the literals and types in a text, per byte of the text. A field of five characters
/// takes about 500 bytes in memory while a list of fields grows.
const PARSED: u64 = 160;

/// The maximum memory for the literals and types in a header.
pub(super) fn parsed(header: &Npy) -> u64 {
    (header.header.text().len() as u64).saturating_sub(FREE) * PARSED
}

const ZEROS: &str = "zero bytes follow the dictionary instead of spaces";
const INDENTED: &str = "white space begins a line, which Python reads as indented";

/// The decoded text of a header.
pub struct Text<'h> {
    text: Cow<'h, str>,
    is_latin: bool,
}

/// The entries of a dictionary, in file order.
pub struct Dictionary {
    pub entries: Vec<(Literal, Literal)>,
    /// The position of the first Python 2 suffix (`L`), in bytes of the header.
    pub first_long: Option<usize>,
    /// True if the text is what Python's `repr` would write, apart from spaces and a comma at the end.
    pub is_as_written: bool,
    /// True if the dictionary comes first, followed only by spaces and one newline.
    pub is_padded: bool,
}

/// The reason why a text is not a dictionary.
pub enum NoDictionary {
    /// A syntax error: the position in the header, in bytes, and the reason.
    Syntax(usize, String),
    /// The brackets are nested too deeply for this reader.
    TooDeep(usize, ItemTypeProblem),
}

impl<'h> Text<'h> {
    /// Decodes the text.
    ///
    /// # Errors
    /// In version 3, returns the position of the first byte that is not UTF-8.
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

    /// The position in the header of a byte of the decoded text.
    pub fn place(&self, at: usize) -> usize {
        if self.is_latin { self.text[..at].chars().count() } else { at }
    }

    /// Returns whether the last line is unterminated and begins with white space, which Python refuses. NumPy corrects this in
    /// versions 1 and 2, unless the line follows a lone carriage return.
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
        self.dictionary_as(&mut Leniency::strict())
    }

    /// Like `Text::dictionary`, but accepts additional spellings.
    pub fn dictionary_as(&self, leniency: &mut Leniency) -> Result<Dictionary, NoDictionary> {
        let mut text = &*self.text;
        if let Some(at) = text.find('\0') {
            let before = text.trim_end_matches(['\0', ' ', '\n']);
            if before.contains('\0') || !leniency.takes(ZEROS) {
                return Err(NoDictionary::Syntax(self.place(at), "a literal cannot contain a zero byte".into()));
            }
            text = before;
        }
        let (literal, first_long) =
            read_as(text, self.is_latin, leniency).map_err(|ItemTypeError { position, problem }| match problem {
                ItemTypeProblem::TooDeep { .. } => NoDictionary::TooDeep(self.place(position), problem),
                problem => NoDictionary::Syntax(self.place(position), problem.to_string()),
            })?;
        // Python treats white space at the beginning of a line as indentation, except in the first line of a literal.
        let before = text[..literal.position].trim_start_matches([' ', '\t']);
        let line = before.rsplit(['\n', '\r', '\x0c']).next().unwrap_or_default();
        if line.starts_with([' ', '\t']) && !leniency.takes(INDENTED) {
            return Err(NoDictionary::Syntax(self.place(literal.position), "the dictionary is indented".into()));
        }
        if self.ends_indented() && !leniency.takes(INDENTED) {
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

/// Returns a text without spaces and without a comma after the last entry.
fn squeezed(text: &str) -> String {
    let text: String = text.chars().filter(|&letter| letter != ' ').collect();
    match text.strip_suffix(",}") {
        Some(text) => format!("{text}}}"),
        None => text,
    }
}

/// Formats a literal as Python does. The depth of a literal is bounded.
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
