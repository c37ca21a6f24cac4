//! The trait of types in layouts: their size, their value in a map and their entry in the field reference.

use super::pages::{Bits, TypeDoc, TypeKind};
use crate::alignment::Alignment;
use crate::terms::Form;
use crate::value::Value;
use std::borrow::Cow;

/// A type that can be used in a layout. `#[layout]` implements it for every declared structure.
///
/// ```
/// use everybyte::{Layout, layout};
///
/// #[layout]
/// struct Entry {
///     offset: u32,
///     #[br(count = 2)]
///     sizes: Vec<u16>,
/// }
///
/// assert_eq!((Entry::MIN_SIZE, Entry::SIZE), (4, None));
/// assert_eq!(<[u16; 3]>::SIZE, Some(6));
/// ```
///
/// The [guide](crate::guide) shows how to implement it for your own field types: see “Fields of your own: hooks”.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a layout",
    label = "not a layout",
    note = "mark a type of yours with `#[layout]`; integers (of 24 and 48 bits: `U24`, `I48`), floats, and arrays, `Vec`, `Option` and `Box` of layouts are layouts"
)]
pub trait Layout {
    /// The minimum number of bytes that a value takes in a file.
    const MIN_SIZE: u64;
    /// The size of every value, if it is fixed.
    const SIZE: Option<u64>;

    /// True if a list of this type is a byte string.
    const IS_BYTE: bool = false;

    /// True if a value is a number. A declaration can state the [`Role`](crate::role::Role) of a number in the file.
    const IS_NUMBER: bool = false;

    /// True if a value has elements that a number can count.
    const IS_LIST: bool = false;

    /// True if invalid values can be read, in which case [`Layout::flaw`] describes the error.
    const MAY_BE_FLAWED: bool = false;

    /// Properties that let a reader save work.
    #[doc(hidden)]
    const NATURE: Nature = Nature::UNKNOWN;

    /// The type's name in the field reference.
    fn type_name() -> String;

    /// Returns how its bytes are computed, for code generators.
    fn form() -> Form {
        Form::Opaque(Self::SIZE)
    }

    /// The value as a byte map shows it; [`Value::None`] for a structure.
    fn value(&self) -> Value {
        Value::None
    }

    /// The value of a list of this type; [`Value::None`] if each element has its own node.
    fn list_value(_list: &[Self]) -> Value
    where
        Self: Sized,
    {
        Value::None
    }

    /// The meaning of the value, as text; may be empty.
    fn meaning(&self) -> Cow<'static, str> {
        Cow::Borrowed("")
    }

    /// A violation by a value that can be read: the rule and a description. `check` reports it as a finding.
    fn flaw(&self) -> Option<(&'static str, String)> {
        None
    }

    /// The number of bytes of the value that are missing from the space, for types that may be read partially.
    fn missing(&self) -> u64 {
        0
    }

    /// The heap memory in bytes that the value owns, in addition to `size_of`. This does not include the result of a field's `map`.
    fn heap(&self) -> u64 {
        0
    }

    /// The named bits of the value, lowest first.
    fn bits(&self) -> Vec<Bits> {
        Vec::new()
    }

    /// The named bits of any integer of this type, so that a map need not store them for each value.
    #[doc(hidden)]
    fn bits_of() -> Option<fn(u64) -> Vec<Bits>> {
        None
    }

    /// Returns how the meaning follows from the field, so that a map need not store it.
    #[doc(hidden)]
    fn said(&self) -> Said {
        Said::Own
    }

    /// The multiple that it fills up to, if it is padding with the correct bytes.
    fn alignment(&self) -> Option<Alignment> {
        None
    }

    /// Adds this type and the types of its fields to a field reference.
    fn describe(_book: &mut Book) {}
}

/// The properties of a type that let a reader save work.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nature {
    /// True if a value that was read cannot have errors: neither a [`flaw`](Layout::flaw) nor
    /// [`missing`](Layout::missing) bytes.
    pub is_sound: bool,
    /// True if its fields are consecutive: no byte between them is left out or read twice.
    pub is_sequential: bool,
    /// True if values have no fields.
    pub is_flat: bool,
    /// True if a value can contain values of the enclosing type.
    pub deepens: bool,
}

impl Nature {
    /// Nothing is known about the type.
    pub const UNKNOWN: Nature = Nature { is_sound: false, is_sequential: false, is_flat: false, deepens: true };
    /// A single value.
    pub const VALUE: Nature = Nature { is_sound: true, is_sequential: true, is_flat: true, deepens: false };
    /// A declared structure. It can contain another value of its type only through a list, an option or a box.
    pub const STRUCTURE: Nature = Nature { is_flat: false, ..Nature::VALUE };

    /// The properties of a type that contains values of this type.
    #[must_use]
    pub const fn held(self) -> Self {
        Nature { deepens: !self.is_flat, ..self }
    }

    /// The same properties, except that values can have flaws.
    #[must_use]
    pub const fn unsound(self) -> Self {
        Nature { is_sound: false, ..self }
    }

    /// The properties of a structure that also has a part with these properties.
    #[must_use]
    pub const fn and(self, part: Nature) -> Self {
        let is_sequential = self.is_sequential && part.is_sequential;
        Nature { is_sound: self.is_sound && part.is_sound, is_sequential, ..self }
    }

    /// The same properties, except that the declaration moves the reader.
    #[must_use]
    pub const fn moved(self) -> Self {
        Nature { is_sequential: false, ..self }
    }
}

/// How the meaning of a value follows from its field.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Said {
    /// It does not follow. The meaning is stored with the value.
    #[default]
    Own,
    /// The meaning is the field's length in bytes.
    Amount,
    /// The meaning is the field's length in bytes, or `none`.
    AmountOrNone,
    /// The meaning is the list of nonzero bit fields.
    Bits,
}

/// A field reference: the descriptions of all types.
///
/// ```
/// use everybyte::{layout, reference::Book};
///
/// /// A note.
/// #[layout]
/// struct Note {
///     /// Bytes of the text.
///     length: u8,
///     /// The text.
///     #[br(count = length)]
///     text: Vec<u8>,
/// }
///
/// let book = Book::of::<Note>();
/// let note = book.page("Note").unwrap();
/// assert_eq!((note.doc.as_str(), book.types.len()), ("A note.", 1));
/// ```
#[derive(Debug, Default)]
pub struct Book {
    /// One entry per type, the outermost type first.
    pub types: Vec<TypeDoc>,
}

impl Book {
    /// The field reference of one layout.
    pub fn of<T: Layout>() -> Self {
        let mut book = Book::default();
        T::describe(&mut book);
        book
    }

    /// The entry for a type, if there is one.
    pub fn page(&self, name: &str) -> Option<&TypeDoc> {
        self.types.iter().find(|page| page.name == name)
    }

    /// Adds an entry unless it already exists. Returns whether it was added.
    #[doc(hidden)]
    pub fn add(&mut self, name: &'static str, doc: &'static str, kind: impl FnOnce() -> TypeKind) -> bool {
        let (parameters, is_closed) = (Vec::new(), false);
        let page = || TypeDoc { name: name.into(), doc: doc.into(), endian: None, parameters, is_closed, kind: kind() };
        self.add_page(name, page)
    }

    /// Like `add`, but with a complete entry.
    #[doc(hidden)]
    pub fn add_page(&mut self, name: &'static str, page: impl FnOnce() -> TypeDoc) -> bool {
        let is_new = self.page(name).is_none();
        if is_new {
            self.types.push(page());
        }
        is_new
    }
}
