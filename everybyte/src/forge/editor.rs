//! Sets fields of a file to other values and updates the rest according to the declaration.
//!
//! The editor uses the forge for the opposite purpose: a user changes a file and wants it to be valid. So everything
//! is repaired, and [`Editor::write`] checks three things before it returns the result. Each field must read back as
//! the value that it was set to, there may be no new findings, and the number of bytes without a field may not
//! increase. A file that was already broken may remain as broken as it was.

use super::apply::{Terms, apply, holds};
use super::grammar::Grammar;
use super::layout_grammar::Of;
use super::mapped_file::MappedFile;
use super::number::{Body, Shape};
use super::recipe::{Repair, Setting, Step};
use super::recompute::set_right;
use super::shapes::Shapes;
use crate::error::amount;
use crate::escape::escape;
use crate::finding::Finding;
use crate::format::Format;
use crate::map::unclaimed;
use crate::reference::CodeDoc;
use crate::terms::Content;
use crate::value::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A file that is edited through its declaration: fields are set by path, and lengths, counts, offsets, padding and checksums
/// follow. The file is written completely or not at all.
///
/// ```
/// use everybyte::forge::{Editor, Of};
/// use everybyte::sums::crc32;
/// use everybyte::{Format, bytes::Bytes, layout};
///
/// /// A text and its checksum.
/// #[layout]
/// #[brw(big)]
/// struct Note {
///     #[layout(extent = text)]
///     length: u8,
///     #[br(args { length: length.into() })]
///     text: Bytes,
///     #[layout(check_of = text, sum = crc32)]
///     sum: u32,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let stale = b"\x02hi\0\0\0\0";
/// let fixed = Editor::new(Box::new(Of::<Note>::new()), stale).fix().write()?;
/// assert_eq!(fixed, b"\x02hi\xd8\x93\x2a\xac");
/// # Ok::<(), everybyte::forge::EditError>(())
/// ```
pub struct Editor<'g> {
    grammar: Box<dyn Grammar + 'g>,
    /// The original file.
    file: Vec<u8>,
    bytes: Vec<u8>,
    /// The fields that were set.
    set: Vec<Wanted>,
}

/// The value that a field was set to.
#[derive(Debug)]
struct Wanted {
    key: String,
    value: Setting,
    /// The name of the value, if it is a code.
    code: Option<String>,
}

/// The maximum number of code names in a message.
const MOST_NAMES: usize = 16;

/// The reason why a field may not have the value that it was set to.
const OTHER_TEXT: &str = "its size is fixed, or it is not in UTF-8: another encoding takes bytes, such as x\"e9\"";
const OTHER_VALUE: &str =
    "its size is fixed, it shares bytes with other bits, or its value follows from other fields: set those";

/// The reason why a file cannot be edited: the field, the values that it accepts, and what to do.
///
/// ```
/// use everybyte::forge::edit;
/// # use everybyte::{Format, bytes::Bytes, layout};
/// # #[layout]
/// # struct Note {
/// #     #[layout(extent = text)]
/// #     length: u8,
/// #     #[br(args { length: length.into() })]
/// #     text: Bytes,
/// # }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let error = edit::<Note>(b"\x02hi").set("length", "256").unwrap_err();
/// assert_eq!(error.to_string(), "`length` has no room for 256: it takes 0 to 255");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditError(String);

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditError {}

/// Creates an editor for a file of a format. Requires the feature `forge`.
///
/// ```
/// use everybyte::{Format, bytes::Bytes, forge::edit, layout};
///
/// /// A counted text.
/// #[layout]
/// #[brw(little)]
/// struct Note {
///     #[layout(extent = text)]
///     length: u16,
///     #[br(args { length: length.into() })]
///     text: Bytes,
///     lines: u8,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let file = b"\x02\x00hi\x01";
/// let made = edit::<Note>(file).set("text", "hello")?.set("lines", "2")?.write()?;
/// assert_eq!(made, b"\x05\x00hello\x02");
/// let refused = edit::<Note>(file).set("lines", "256").unwrap_err();
/// assert_eq!(refused.to_string(), "`lines` has no room for 256: it takes 0 to 255");
/// # Ok::<(), everybyte::forge::EditError>(())
/// ```
pub fn edit<'f, F: Format + 'f>(file: impl Into<Vec<u8>>) -> Editor<'f> {
    Editor::new(Box::new(Of::<F>::new()), file)
}

impl fmt::Debug for Editor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor").field("grammar", &self.grammar.name()).field("set", &self.set).finish_non_exhaustive()
    }
}

impl<'g> Editor<'g> {
    /// Creates an editor for a file of any grammar.
    pub fn new(grammar: Box<dyn Grammar + 'g>, file: impl Into<Vec<u8>>) -> Self {
        let file = file.into();
        Editor { grammar, bytes: file.clone(), file, set: Vec::new() }
    }

    /// Sets a field, named as in a recipe. A number is `640`, `-3`, `0xff`, `1.5`, or the name of a code; text is
    /// written as it is; bytes are `x"00ff"` or text.
    ///
    /// # Errors
    /// Fails if the file does not have the field or if the value does not fit.
    pub fn set(mut self, path: &str, value: &str) -> Result<Self, EditError> {
        let shapes = Shapes::new(self.grammar.books());
        let mapped = MappedFile::new(&*self.grammar, &shapes, &self.bytes);
        let wanted = wanted(&shapes, &mapped, path, value).map_err(EditError)?;
        let step = Step::Set { key: wanted.key.clone(), value: wanted.value.clone() };
        let mut terms = Terms { repair: Repair::Everything, decide: &mut |_| true };
        let bytes = apply(&*self.grammar, &mapped, &step, &mut terms).map_err(EditError)?;
        drop((mapped, shapes));
        self.bytes = bytes;
        self.set.push(wanted);
        Ok(self)
    }

    /// Corrects all lengths, counts, copies and checksums: see [`set_right`].
    #[must_use]
    pub fn fix(mut self) -> Self {
        self.bytes = set_right(&*self.grammar, &self.bytes, Repair::Everything);
        self
    }

    /// Writes the edited file.
    ///
    /// # Errors
    /// Fails if a field does not have the value that it was set to, if the file violates a rule that it did not violate before, or if more
    /// bytes than before belong to no field.
    pub fn write(self) -> Result<Vec<u8>, EditError> {
        let shapes = Shapes::new(self.grammar.books());
        let mapped = MappedFile::new(&*self.grammar, &shapes, &self.bytes);
        for (place, wanted) in self.set.iter().enumerate() {
            let Wanted { key, value, .. } = wanted;
            let is_last = self.set[place + 1..].iter().all(|later| later.key != *key);
            if is_last && !(holds(&*self.grammar, &mapped, key, value) && reads_as(&mapped, wanted)) {
                let why = if matches!(value, Setting::Text(_)) { OTHER_TEXT } else { OTHER_VALUE };
                return Err(EditError(format!("`{}` does not keep {value}: {why}", escape(key))));
            }
        }
        let added = added(
            self.grammar.findings(&self.file).unwrap_or_default(),
            self.grammar.findings(&self.bytes).unwrap_or_default(),
        );
        if let [first, rest @ ..] = &added[..] {
            let rest = if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) };
            let first = escape(&format!("{}: {}: {}", first.rule, first.path, first.message));
            let message = format!("the file would be broken: {first}{rest}; set what it names too, or another value");
            return Err(EditError(message));
        }
        let [before, after] = [unclaimed(&self.grammar.map(&self.file)), unclaimed(&mapped.table.spaces)];
        if after > before {
            let lost = amount(after - before);
            let message = format!("{lost} would be left without a field; set what leads there too, or another value");
            return Err(EditError(message));
        }
        Ok(self.bytes)
    }
}

/// Returns the findings that are new in a file: each rule of each field, repeated by how much its count has increased.
fn added(before: Vec<Finding>, after: Vec<Finding>) -> Vec<Finding> {
    let mut known = BTreeMap::<(String, String), usize>::new();
    for finding in before {
        *known.entry((finding.rule.to_string(), finding.path)).or_default() += 1;
    }
    let mut is_new = |finding: &Finding| match known.get_mut(&(finding.rule.to_string(), finding.path.clone())) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    after.into_iter().filter(|finding| is_new(finding)).collect()
}

/// Parses a word as the value for a field.
fn wanted(shapes: &Shapes<'_>, mapped: &MappedFile<'_>, path: &str, word: &str) -> Result<Wanted, String> {
    let table = &mapped.table;
    let name = escape(path);
    let found = table.find(path).into_iter().next();
    let spot = found.ok_or_else(|| format!("the file has no field `{name}`; `explain` lists its fields"))?;
    let node = table.node(spot.field);
    if spot.bits.is_none() && !node.is_leaf() {
        let part = escape(&table.key(spot.field + 1));
        return Err(format!("`{name}` is a structure: set its fields, such as `{part}`"));
    }
    let shape = table.slot(spot.field).map_or(Shape::BYTES, |slot| slot.shape);
    let is_shown_as_number =
        matches!(node.value(), Value::Uint(_) | Value::Int(_) | Value::Single(_) | Value::Float(_) | Value::Flags(_));
    let as_bytes = super::parse::setting(word).ok().filter(|value| matches!(value, Setting::Bytes(_)));
    let is_number = spot.bits.is_some() || shape.is_number();
    let (value, code) = if is_number || is_shown_as_number && as_bytes.is_none() {
        let run = spot.bits.and_then(|(first, _)| node.bits().into_iter().find(|run| run.first == first));
        let codes = match (run, shape.body) {
            (Some(run), _) => shapes.codes(&run.type_name),
            (None, Body::Integer { codes, .. }) => codes,
            _ => &[],
        };
        number(codes, word).ok_or_else(|| {
            format!("`{name}` takes a number, such as 12 or 0xff{}; `{}` is not one", choices(codes), escape(word))
        })?
    } else {
        (as_bytes.map_or_else(|| text(&shape, &name, word), Ok)?, None)
    };
    Ok(Wanted { key: path.to_owned(), value, code })
}

/// Parses a word as a number. If the word is the name of a code, returns the name too.
fn number(codes: &[CodeDoc], word: &str) -> Option<(Setting, Option<String>)> {
    let parsed = super::parse::setting(word).ok();
    if let Some(Setting::Integer(_)) = parsed {
        return parsed.map(|number| (number, None));
    }
    let is_it = |code: &&CodeDoc| !word.is_empty() && [&code.constant, &code.name].iter().any(|name| ***name == *word);
    match codes.iter().find(is_it) {
        Some(code) => Some((Setting::Integer(code.code), Some(code.name.to_string()))),
        None => parsed.filter(|value| matches!(value, Setting::Float(_))).map(|number| (number, None)),
    }
}

/// Returns the names of codes as part of a sentence; empty if there are no codes.
fn choices(codes: &[CodeDoc]) -> String {
    let name = |code: &CodeDoc| if code.constant.is_empty() { code.name.clone() } else { code.constant.clone() };
    let names: Vec<String> = codes.iter().take(MOST_NAMES).map(|code| escape(&name(code))).collect();
    match codes.len().saturating_sub(MOST_NAMES) {
        _ if names.is_empty() => String::new(),
        0 => format!(", or one of {}", names.join(", ")),
        more => format!(", or one of {} and {more} more, which `schema` lists", names.join(", ")),
    }
}

/// Parses a word as text.
fn text(shape: &Shape<'_>, name: &str, word: &str) -> Result<Setting, String> {
    match shape.body {
        Body::NulString if word.contains('\0') => Err(format!("`{name}` ends at a zero byte: its text has none")),
        Body::Bytes { content: Some(Content::Latin1), .. } => {
            let bytes = word.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect::<Option<Vec<u8>>>();
            bytes
                .map(Setting::Bytes)
                .ok_or_else(|| format!("`{name}` is in Latin-1, which has not all letters of `{}`", escape(word)))
        }
        _ => Ok(Setting::Text(word.to_owned())),
    }
}

/// Returns whether the map shows a field with this value, if it shows values of this kind.
fn reads_as(mapped: &MappedFile<'_>, Wanted { key, value, code }: &Wanted) -> bool {
    let Some(spot) = mapped.table.find(key).into_iter().next() else { return false };
    let node = mapped.table.node(spot.field);
    let run = spot.bits.and_then(|(first, _)| node.bits().into_iter().find(|run| run.first == first));
    if spot.bits.is_none() && spot.bytes != node.place() {
        return true;
    }
    let shown = run.as_ref().map_or_else(|| node.value(), |run| Value::Uint(run.value.into()));
    let meaning = run.map_or_else(|| node.meaning().into_owned(), |run| run.meaning.to_string());
    // Two types with the same name share a page, so the code may belong to the other type.
    let is_meant = |name: &str| meaning.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    let is_shown = |name: &str| matches!(&shown, Value::Name(shown) if **shown == *name);
    if code.as_deref().is_some_and(|name| !is_meant(name) && !is_shown(name)) {
        return false;
    }
    match (value, shown) {
        (Setting::Integer(set), Value::Uint(shown)) => u128::try_from(*set) == Ok(shown),
        (Setting::Integer(set), Value::Int(shown)) => *set == shown,
        (Setting::Integer(set), Value::Flags(shown)) => *set == i128::from(shown),
        (Setting::Text(set), Value::Text(shown)) => *set == shown,
        // In 32 bits, a number that is too large becomes infinite, and one that is too small becomes zero.
        (Setting::Float(set), Value::Single(shown)) => {
            set.is_finite() == shown.is_finite() && (*set == 0.0) == (shown == 0.0)
        }
        // An integer that the map does not show as a number, such as nonzero reserved bytes.
        (Setting::Integer(_), _) => mapped.table.slot(spot.field).is_some_and(|slot| slot.shape.is_number()),
        _ => true,
    }
}
