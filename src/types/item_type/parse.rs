//! Parses item types from the literals that NumPy writes.

use super::literal::{self, Literal, Value};
use super::{Field, ItemType, ItemTypeError, ItemTypeProblem as Problem, LONGEST, Structure, Subarray};
use crate::types::dtype::{Dtype, ElementKind};
use std::str::FromStr;

/// The maximum length in bytes of a string that is parsed, which is enough for about 50,000 fields. A longer one is
/// [`Problem::TooLong`].
const LONGEST_TEXT: usize = 1 << 20;

impl FromStr for ItemType {
    type Err = ItemTypeError;

    /// Parses the string that NumPy's `str` returns for a dtype, in linear time. It is the name of a plain type, or a list, tuple
    /// or dictionary literal. `names`, `formats`, `offsets` and `titles` are lists or tuples. Half characters (surrogates) in names
    /// are refused. A string may have up to 1 MiB, and brackets may be nested up to 32 levels deep.
    fn from_str(text: &str) -> Result<Self, ItemTypeError> {
        if text.len() > LONGEST_TEXT {
            return Err(ItemTypeError::new(0, Problem::TooLong { length: text.len(), most: LONGEST_TEXT }));
        }
        match text.trim_start_matches([' ', '\t']).chars().next() {
            Some('[' | '(' | '{' | '\'' | '"') => item_type(&literal::read(text)?, false),
            _ => plain(text, 0),
        }
    }
}

type Result<T, E = ItemTypeError> = std::result::Result<T, E>;

impl Literal {
    fn error(&self, problem: Problem) -> ItemTypeError {
        ItemTypeError::new(self.position, problem)
    }

    fn text(&self, expected: &'static str) -> Result<&str> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.error(Problem::Expected(expected))),
        }
    }

    fn integer(&self, expected: &'static str) -> Result<u64> {
        match self.value {
            // Sizes must not be negative, and must fit in an `i32`.
            Value::Integer(number) => match i32::try_from(number).map(u64::try_from) {
                Ok(Ok(number)) => Ok(number),
                _ => Err(self.error(Problem::Number)),
            },
            _ => Err(self.error(Problem::Expected(expected))),
        }
    }

    fn sequence(&self, expected: &'static str) -> Result<&[Literal]> {
        match &self.value {
            Value::List(items) | Value::Tuple(items) => Ok(items),
            _ => Err(self.error(Problem::Expected(expected))),
        }
    }

    /// The items of a list, which must have one for each name.
    fn items_of(&self, names: usize, expected: &'static str) -> Result<&[Literal]> {
        let items = self.sequence(expected)?;
        if items.len() == names {
            Ok(items)
        } else {
            Err(self.error(Problem::Length { expected: names, found: items.len() }))
        }
    }
}

fn plain(name: &str, position: usize) -> Result<ItemType> {
    // The error repeats only a part of a long name.
    let unknown = || Problem::UnknownDtype { name: name.chars().take(40).collect() };
    name.parse().map(ItemType::Plain).map_err(|_| ItemTypeError::new(position, unknown()))
}

/// `aligned` is passed on to nested structures.
fn item_type(literal: &Literal, aligned: bool) -> Result<ItemType> {
    match &literal.value {
        Value::Text(name) => plain(name, literal.position),
        Value::List(fields) => listed(literal, fields, aligned),
        Value::Tuple(parts) => match &parts[..] {
            [item, shape] => shaped(item_type(item, aligned)?, item, shape),
            _ => Err(literal.error(Problem::Expected("a tuple of a type and a shape"))),
        },
        Value::Dictionary(entries) => dictionary(literal, entries, aligned),
        _ => Err(literal.error(Problem::Expected("a type: a text, a list, a tuple or a dictionary"))),
    }
}

/// Returns a fixed-shape array; the item itself if the shape has no axes.
pub fn shaped(item: ItemType, literal: &Literal, shape: &Literal) -> Result<ItemType> {
    let is_unsized = item.size() == 0 && !matches!(item, ItemType::Structure(_));
    let shape = match (&shape.value, &item) {
        (Value::Integer(_), ItemType::Plain(dtype)) if is_unsized => {
            return sized(*dtype, shape.integer("a size in bytes")?, shape);
        }
        (Value::Integer(_), _) if is_unsized => return Ok(item),
        (Value::Integer(_), _) => vec![shape.integer("a dimension")?],
        _ => {
            let extents = shape.sequence("a shape: a tuple of integers")?;
            extents.iter().map(|extent| extent.integer("an integer")).collect::<Result<_>>()?
        }
    };
    if is_unsized {
        return Err(literal.error(Problem::Unsized));
    }
    if shape.is_empty() {
        return Ok(item);
    }
    Subarray::new(item, shape).map(ItemType::Subarray).map_err(|problem| literal.error(problem))
}

/// Adds a size to a type without one: `('S', 5)` is `'S5'`.
fn sized(dtype: Dtype, size: u64, literal: &Literal) -> Result<ItemType> {
    let kind = match dtype.kind {
        ElementKind::Bytes(_) => ElementKind::Bytes(size),
        ElementKind::Str(_) => ElementKind::Str(size),
        _ => ElementKind::Record(size),
    };
    if kind.size() > LONGEST {
        return Err(literal.error(Problem::TooLarge));
    }
    Ok(ItemType::Plain(Dtype { kind, ..dtype }))
}

/// Places fields in sequence.
#[derive(Default)]
struct Placer {
    aligned: bool,
    end: u64,
    /// The largest alignment, if fields are aligned.
    alignment: u64,
}

impl Placer {
    fn new(aligned: bool) -> Self {
        Placer { aligned, end: 0, alignment: 1 }
    }

    /// Places a field of this type at its stated offset, or after the previous one.
    fn place(&mut self, item_type: &ItemType, offset: Option<u64>) -> u64 {
        if self.aligned {
            self.alignment = self.alignment.max(item_type.alignment());
        }
        let alignment = if self.aligned { item_type.alignment() } else { 1 };
        // This cannot overflow, because sizes and offsets have 31 bits, and the length of the string limits the number of fields.
        let offset = offset.unwrap_or_else(|| self.end.next_multiple_of(alignment));
        self.end = self.end.max(offset + item_type.size());
        offset
    }

    fn size(&self) -> u64 {
        self.end.next_multiple_of(self.alignment)
    }
}

fn listed(literal: &Literal, list: &[Literal], aligned: bool) -> Result<ItemType> {
    const EXPECTED: &str = "a field: a tuple of a name, a type and perhaps a shape";
    let mut placer = Placer::new(aligned);
    let mut fields = Vec::new();
    for (place, entry) in list.iter().enumerate() {
        let Value::Tuple(parts) = &entry.value else { return Err(entry.error(Problem::Expected(EXPECTED))) };
        let (name, format, shape) = match &parts[..] {
            [name, format] => (name, format, None),
            [name, format, shape] => (name, format, Some(shape)),
            _ => return Err(entry.error(Problem::Expected(EXPECTED))),
        };
        let (title, name) = match &name.value {
            Value::Tuple(names) => match &names[..] {
                [title, name] => (optional_title(title)?, name),
                _ => return Err(name.error(Problem::Expected("a tuple of a title and a name"))),
            },
            _ => (None, name),
        };
        let name = match name.text("a name")? {
            "" if title.is_some() => return Err(entry.error(Problem::Unnamed)),
            "" => format!("f{place}"),
            name => name.to_owned(),
        };
        let mut item = item_type(format, aligned)?;
        if let Some(shape) = shape {
            item = shaped(item, format, shape)?;
        }
        let offset = placer.place(&item, None);
        fields.push(Field { name, title, offset, item_type: item });
    }
    structure(literal, fields, placer.size(), aligned)
}

fn optional_title(literal: &Literal) -> Result<Option<String>> {
    match literal.value {
        Value::None => Ok(None),
        _ => literal.text("a title").map(|title| Some(title.to_owned())),
    }
}

fn structure(literal: &Literal, fields: Vec<Field>, size: u64, aligned: bool) -> Result<ItemType> {
    Structure::new(fields, size, aligned).map(ItemType::Structure).map_err(|problem| literal.error(problem))
}

const KEYS: [&str; 6] = ["names", "formats", "offsets", "titles", "itemsize", "aligned"];

fn dictionary(literal: &Literal, entries: &[(Literal, Literal)], aligned: bool) -> Result<ItemType> {
    let mut known: [Option<&Literal>; 6] = [None; 6];
    for (key, value) in entries {
        let name = key.text("a key")?;
        let place = KEYS.iter().position(|&known| known == name).ok_or_else(|| key.error(Problem::Key))?;
        if known[place].replace(value).is_some() {
            return Err(key.error(Problem::Key));
        }
    }
    let [names, formats, offsets, titles, itemsize, declared] = known;
    let names = names.ok_or_else(|| literal.error(Problem::MissingKey("names")))?.sequence("a list of names")?;
    let formats = formats.ok_or_else(|| literal.error(Problem::MissingKey("formats")))?;
    let formats = formats.items_of(names.len(), "a list of types")?;
    let offsets = offsets.map(|list| list.items_of(names.len(), "a list of offsets")).transpose()?;
    let titles = titles.map(|list| list.items_of(names.len(), "a list of titles")).transpose()?;
    let aligned = match declared.map(|literal| (literal, &literal.value)) {
        Some((_, Value::Bool(declared))) => aligned || *declared,
        Some((literal, _)) => return Err(literal.error(Problem::Expected("True or False"))),
        None => aligned,
    };

    let mut placer = Placer::new(aligned);
    let mut fields = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let name = name.text("a name")?.to_owned();
        let title = titles.map(|titles| optional_title(&titles[place])).transpose()?.flatten();
        let item_type = item_type(&formats[place], aligned)?;
        let offset = offsets.map(|offsets| offsets[place].integer("an offset")).transpose()?;
        let offset = placer.place(&item_type, offset);
        fields.push(Field { name, title, offset, item_type });
    }
    let size = itemsize.map(|size| size.integer("a size in bytes")).transpose()?.unwrap_or(placer.size());
    structure(itemsize.unwrap_or(literal), fields, size, aligned)
}
