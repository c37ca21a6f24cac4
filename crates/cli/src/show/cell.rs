//! Single values of tables, as text for people.

use crate::show::{clock, text as shown};
use ndbytes::Result;
use ndbytes::idv::{Column, ItemType, Text, Value, Values, Vector};
use std::ops::Range;

/// A missing key.
const MISSING: &str = "-";

/// A value that an old file marks as missing.
const NULL: &str = "null";

/// Returns some rows of a column as text. Vectors are cut to `room` characters, and texts to somewhat more.
///
/// # Errors
/// Any error while reading the column, whose type must be known.
pub fn cells(column: &Column<'_>, rows: Range<u64>, room: usize) -> Result<Vec<String>> {
    let Some(column_type) = column.column_type() else {
        return Err(ndbytes::Error::UnreadableColumn { name: column.name() });
    };
    let (cells, values) = (Cells::of(column, column_type.item)?, column.read_rows(rows)?);
    Ok(values.iter().map(|value| cells.text(&value, room)).collect())
}

/// Converts the values of a column to text.
pub struct Cells {
    item: ItemType,
    /// The values of the categories.
    categories: Option<(Values, ItemType)>,
}

/// The context of a value. Inside a vector, more texts need quotes.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Alone,
    InVector,
}

impl Cells {
    /// Creates the cells of a column with items of this type and reads the names of keys.
    ///
    /// # Errors
    /// Fails if the file breaks a rule there.
    pub fn of(column: &Column<'_>, item: ItemType) -> Result<Self> {
        let mut cells = Cells { item, categories: None };
        let names = column.annotation("KeyValues").filter(|_| matches!(item, ItemType::Key(_)));
        let names = names.and_then(|names| Some((names, names.value_type().filter(|names| names.dims.is_some())?)));
        if let Some((annotation, names)) = names {
            match annotation.read() {
                Ok(values) => cells.categories = Some((values, names.item)),
                Err(ndbytes::Error::UnreadableColumn { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(cells)
    }

    /// Returns the type of the shown values. For a column of keys, this is the type of their names.
    pub fn shown_type(&self) -> ItemType {
        self.categories.as_ref().map_or(self.item, |(_, item)| *item)
    }

    /// Returns the text of a value. Vectors are cut to `room` characters, and texts to somewhat more.
    pub fn text(&self, value: &Value<'_>, room: usize) -> String {
        match value {
            Value::Vector(vector) => self.vector(vector, room),
            value => self.item(value, room, Place::Alone),
        }
    }

    /// Returns an item as text.
    fn item(&self, value: &Value<'_>, room: usize, place: Place) -> String {
        match (self.item, value) {
            (ItemType::Key(_), Value::Uint(key)) => self.key(*key, room, place),
            (item, value) => plain(item, value, room, place),
        }
    }

    /// Returns a key as the name of its category. Key 0 means a missing value; categories are numbered from 1.
    fn key(&self, key: u64, room: usize, place: Place) -> String {
        let Some(category) = key.checked_sub(1) else { return MISSING.into() };
        let Some((names, item)) = &self.categories else { return key.to_string() };
        let names = names.vector(0);
        match names.and_then(|names| names.get(usize::try_from(category).ok()?)) {
            Some(name) => plain(*item, &name, room, place),
            None => format!("#{key}"),
        }
    }

    /// Returns a vector as text: `[0.1, 0.2, … +62]`, or `{7: 1, 77: -1} of 100` if only some items are stored.
    fn vector(&self, vector: &Vector<'_>, room: usize) -> String {
        let (open, close) = match vector.indices() {
            None => ("[", "]".to_owned()),
            Some(_) => ("{", format!("}} of {}", vector.len())),
        };
        let mut text = open.to_owned();
        let stored = vector.stored();
        let count = stored.len();
        for (place, item) in stored.enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            let index = vector.indices().map(|indices| format!("{}: ", indices[place])).unwrap_or_default();
            // At least the beginning of one item is always shown.
            let item = shown::cut(&self.item(&item, room, Place::InVector), room / 2);
            let left = count - place - 1;
            let more = if left > 0 { format!(", … +{left}") } else { String::new() };
            let width =
                [&text, comma, &index, &item, &more, &close].iter().map(|part| shown::width(part)).sum::<usize>();
            if place > 0 && width > room {
                return format!("{text}, … +{}{close}", left + 1);
            }
            text = [&text, comma, &index, &item].concat();
        }
        text + &close
    }
}

/// Writes a value that is not a key.
fn plain(item: ItemType, value: &Value<'_>, room: usize, place: Place) -> String {
    match (item, value) {
        (_, Value::Null) => NULL.into(),
        (ItemType::DateTime, Value::Int(ticks)) => clock::date_time(*ticks).unwrap_or_else(|| ticks.to_string()),
        (ItemType::TimeSpan, Value::Int(ticks)) => clock::time_span(*ticks),
        (_, Value::Int(number)) => number.to_string(),
        (_, Value::Uint(number)) => number.to_string(),
        (_, Value::RowId(id)) => format!("{id:032x}"),
        (_, Value::F32(number)) => float((*number).into(), number),
        (_, Value::F64(number)) => float(*number, number),
        (_, Value::Bool(value)) => if *value { "True" } else { "False" }.into(),
        (_, Value::DateTimeOffset(time)) => {
            clock::date_time_offset(*time).unwrap_or_else(|| format!("{}{:+}min", time.ticks, time.offset_minutes))
        }
        (_, Value::Text(text)) => quoted(*text, room, place),
        (_, other) => unreachable!("{other:?} is not an item"),
    }
}

/// Formats a float. `shown` is the number in its own width, so it has no more digits than it needs.
fn float(number: f64, shown: &dyn std::fmt::Debug) -> String {
    if number.is_nan() { "nan".into() } else { format!("{shown:?}") }
}

/// Writes the beginning of a text, in quotes if it could be mistaken for another value.
fn quoted(text: Text<'_>, room: usize, place: Place) -> String {
    let (mut plain, mut escaped) = (String::new(), String::new());
    let mut is_odd = matches!(text.as_bytes(), b"" | b"-" | b"null");
    for letter in char::decode_utf16(text.utf16()).take(room + 1) {
        let Ok(letter) = letter.map_err(|half| escaped += &format!("\\u{{{:x}}}", half.unpaired_surrogate())) else {
            is_odd = true;
            continue;
        };
        is_odd |= shown::is_unseen(letter) || (plain.is_empty() && matches!(letter, '"' | ' '));
        is_odd |= place == Place::InVector && matches!(letter, ',' | ':' | '…' | '[' | ']' | '{' | '}' | '"');
        plain.push(letter);
        match letter {
            '"' | '\\' => escaped.extend(['\\', letter]),
            letter => shown::push_letter(&mut escaped, letter),
        }
    }
    let is_whole = plain.chars().count() <= room;
    if is_odd || (is_whole && plain.ends_with(char::is_whitespace)) { format!("\"{escaped}\"") } else { plain }
}
