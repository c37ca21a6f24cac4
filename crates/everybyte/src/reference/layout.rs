//! The trait of types that stand in layouts: their size, their value in a map, their page in the field reference.

use super::pages::{Bits, TypeDoc, TypeKind};
use crate::alignment::Alignment;
use crate::terms::Form;
use crate::value::Value;
use std::borrow::Cow;

/// A type that can stand in a layout. `#[layout]` implements it for every declared structure.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a layout",
    label = "not a layout",
    note = "mark a type of yours with `#[layout]`; integers (of 24 and 48 bits: `U24`, `I48`), floats, and arrays, `Vec`, `Option` and `Box` of layouts are layouts"
)]
pub trait Layout {
    /// The fewest bytes that a value takes in a file.
    const MIN_SIZE: u64;
    /// The size of every value, where it is fixed.
    const SIZE: Option<u64>;

    /// True if a list of this type is a byte string.
    const IS_BYTE: bool = false;

    /// True if a value is a number, whose role in the file a declaration can state: a [`Role`](crate::Role).
    const IS_NUMBER: bool = false;

    /// True if a value has elements that a number can count.
    const IS_LIST: bool = false;

    /// True if a value can be read that is not as it should be: [`Layout::flaw`] says what is wrong.
    const MAY_BE_FLAWED: bool = false;

    /// The properties by which a reader saves work.
    #[doc(hidden)]
    const NATURE: Nature = Nature::UNKNOWN;

    /// The type's name in the field reference.
    fn type_name() -> String;

    /// How its bytes are made, for generators of other languages.
    fn form() -> Form {
        Form::Opaque(Self::SIZE)
    }

    /// The value as a byte map shows it; [`Value::None`] for a structure.
    fn value(&self) -> Value {
        Value::None
    }

    /// The value of a list of this type; [`Value::None`] where each element has a node of its own.
    fn list_value(_list: &[Self]) -> Value
    where
        Self: Sized,
    {
        Value::None
    }

    /// The meaning of the value, in words; may be empty.
    fn meaning(&self) -> Cow<'static, str> {
        Cow::Borrowed("")
    }

    /// A violation of a value that can be read: the rule and a description. It is a finding of `check`.
    fn flaw(&self) -> Option<(&'static str, String)> {
        None
    }

    /// Bytes that the value should have and the space does not, for a type that may be read in part.
    fn missing(&self) -> u64 {
        0
    }

    /// Bytes of memory that the value holds beside its own `size_of`. The result of a field's `map` is not counted.
    fn heap(&self) -> u64 {
        0
    }

    /// The named bits of the value, lowest first.
    fn bits(&self) -> Vec<Bits> {
        Vec::new()
    }

    /// The named bits of any integer of this type, so that a map need not keep those of each.
    #[doc(hidden)]
    fn bits_of() -> Option<fn(u64) -> Vec<Bits>> {
        None
    }

    /// How the meaning follows from the field, so that a map need not keep it.
    #[doc(hidden)]
    fn said(&self) -> Said {
        Said::Own
    }

    /// The multiple up to which it goes, if it is padding with the right bytes.
    fn alignment(&self) -> Option<Alignment> {
        None
    }

    /// Writes this type, and those it is made of, into a field reference.
    fn describe(_book: &mut Book) {}
}

/// The properties of a type by which a reader saves work.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nature {
    /// True if nothing can be wrong with a value that was read: neither a [`flaw`](Layout::flaw) nor
    /// [`missing`](Layout::missing) bytes.
    pub is_sound: bool,
    /// True if its fields follow each other: no byte between them is left out or read twice.
    pub is_sequential: bool,
    /// True if a value has no fields.
    pub is_flat: bool,
    /// True if a value may hold others of the type that it stands in.
    pub deepens: bool,
}

impl Nature {
    /// Nothing is known of the type.
    pub const UNKNOWN: Nature = Nature { is_sound: false, is_sequential: false, is_flat: false, deepens: true };
    /// A single value.
    pub const VALUE: Nature = Nature { is_sound: true, is_sequential: true, is_flat: true, deepens: false };
    /// A structure that is declared. It holds one of its type by way of a list, an option or a box.
    pub const STRUCTURE: Nature = Nature { is_flat: false, ..Nature::VALUE };

    /// The same for a type that holds values of this type.
    #[must_use]
    pub const fn held(self) -> Self {
        Nature { deepens: !self.is_flat, ..self }
    }

    /// The same for values of which something can be wrong.
    #[must_use]
    pub const fn unsound(self) -> Self {
        Nature { is_sound: false, ..self }
    }

    /// The same for a structure, some of whose parts have these properties.
    #[must_use]
    pub const fn and(self, part: Nature) -> Self {
        let is_sequential = self.is_sequential && part.is_sequential;
        Nature { is_sound: self.is_sound && part.is_sound, is_sequential, ..self }
    }

    /// The same for a structure whose declaration moves its reader.
    #[must_use]
    pub const fn moved(self) -> Self {
        Nature { is_sequential: false, ..self }
    }
}

/// How the meaning of a value follows from its field.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Said {
    /// It does not: the value says it.
    #[default]
    Own,
    /// It is the number of the field's bytes.
    Amount,
    /// The same, or `none`.
    AmountOrNone,
    /// It has the runs of bits that are not zero.
    Bits,
}

/// A field reference: the pages of all types that were described.
#[derive(Debug, Default)]
pub struct Book {
    /// One page a type, the outermost first.
    pub types: Vec<TypeDoc>,
}

impl Book {
    /// The field reference of one layout.
    pub fn of<T: Layout>() -> Self {
        let mut book = Book::default();
        T::describe(&mut book);
        book
    }

    /// The page of a type, if there is one.
    pub fn page(&self, name: &str) -> Option<&TypeDoc> {
        self.types.iter().find(|page| page.name == name)
    }

    /// Adds a page unless it is there already. Returns whether it was added.
    #[doc(hidden)]
    pub fn add(&mut self, name: &'static str, doc: &'static str, kind: impl FnOnce() -> TypeKind) -> bool {
        let page =
            || TypeDoc { name: name.into(), doc: doc.into(), endian: None, parameters: Vec::new(), kind: kind() };
        self.add_page(name, page)
    }

    /// The same with a whole page.
    #[doc(hidden)]
    pub fn add_page(&mut self, name: &'static str, page: impl FnOnce() -> TypeDoc) -> bool {
        let is_new = self.page(name).is_none();
        if is_new {
            self.types.push(page());
        }
        is_new
    }
}
