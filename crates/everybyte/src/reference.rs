//! The trait of types that stand in layouts: their size, their value in a map, their page in the field reference.

use crate::name::Name;
use crate::role::Role;
use crate::terms::{ArgumentDoc, Expression, Form, ParameterDoc};
use crate::value::Value;
use binrw::Endian;
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

    /// True if a value is a number, whose role in the file a declaration can state: a [`Role`].
    const IS_NUMBER: bool = false;

    /// True if a value has elements that a number can count.
    const IS_LIST: bool = false;

    /// True if a value can be read that is not as it should be: [`Layout::flaw`] says what is wrong.
    const MAY_BE_FLAWED: bool = false;

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

    /// Writes this type, and those it is made of, into a field reference.
    fn describe(_book: &mut Book) {}
}

/// A run of bits inside an integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    /// The name of the run.
    pub name: Name,
    /// Its lowest bit, counted from the integer's lowest.
    pub first: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value; 0 in a field reference.
    pub value: u64,
    /// The name of its value, if it is a code; else empty.
    pub meaning: Name,
    /// The name of its type, if it is a code; else empty.
    pub type_name: Name,
    /// The purpose of the run.
    pub doc: Name,
}

/// A field reference: the pages of all types that were described.
#[derive(Debug, Default)]
pub struct Book {
    /// One page a type, the outermost first.
    pub types: Vec<TypeDoc>,
}

/// One type's page in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeDoc {
    /// The type's name.
    pub name: Name,
    /// The purpose of the type.
    pub doc: Name,
    /// The byte order, if the declaration states one; else it is that of the structure around it.
    pub endian: Option<Endian>,
    /// The parameters that a reader needs.
    pub parameters: Vec<ParameterDoc>,
    /// Its parts.
    pub kind: TypeKind,
}

/// The parts of a declared type.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeKind {
    /// Fields, in file order.
    Structure(Vec<FieldDoc>),
    /// Alternatives, tried in order.
    Choice(Vec<VariantDoc>),
    /// A code whose values have names.
    Codes(Vec<CodeDoc>),
    /// An integer whose bits have names.
    Bits(Vec<Bits>),
}

/// One field in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldDoc {
    /// The field's name.
    pub name: Name,
    /// The name of its type.
    pub type_name: String,
    /// Its size, where it is fixed.
    pub size: Option<u64>,
    /// How its bytes are made.
    pub form: Form,
    /// The expression that counts its elements.
    pub count: Option<Expression>,
    /// The condition under which it is present.
    pub condition: Option<Expression>,
    /// The arguments that its type is read with.
    pub arguments: Vec<ArgumentDoc>,
    /// The function that reads it in place of its type, as declared.
    pub parser: Option<Expression>,
    /// The number of bytes that it may take.
    pub space: Option<Expression>,
    /// The role of its number, if one is declared.
    pub role: Option<Role>,
    /// True if its value identifies the element of a list that it is in.
    pub is_key: bool,
    /// True if it is a number, or a list of numbers.
    pub is_number: bool,
    /// The purpose of the field.
    pub doc: Name,
}

impl FieldDoc {
    /// The purpose of the field, and its role: `Bytes of the text. (extent of text)`.
    pub fn purpose(&self) -> String {
        let role = self.role.as_ref().map(Role::to_string);
        let notes: Vec<String> = role.into_iter().chain(self.is_key.then(|| "key".to_owned())).collect();
        match (notes.is_empty(), self.doc.is_empty()) {
            (true, _) => self.doc.as_str().to_owned(),
            (false, true) => format!("({})", notes.join(", ")),
            (false, false) => format!("{} ({})", self.doc, notes.join(", ")),
        }
    }
}

/// One alternative in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct VariantDoc {
    /// The name of the alternative.
    pub name: Name,
    /// The case in which it is taken.
    pub doc: Name,
    /// The condition under which it is tried.
    pub condition: Expression,
    /// Its fields, in file order.
    pub fields: Vec<FieldDoc>,
}

/// One code in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeDoc {
    /// The code as it stands in the file.
    pub code: i128,
    /// Its name.
    pub name: Name,
    /// Its meaning.
    pub doc: Name,
}

impl CodeDoc {
    /// The code as people read it: `0x0a`, or `-1`.
    pub fn number(&self) -> String {
        if self.code < 0 { self.code.to_string() } else { format!("{:#04x}", self.code) }
    }
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

/// The sum of sizes, or `None` if one of them is not known.
#[doc(hidden)]
pub const fn sum(sizes: &[Option<u64>]) -> Option<u64> {
    let mut total = 0;
    let mut at = 0;
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => total += size,
            None => return None,
        }
        at += 1;
    }
    Some(total)
}

/// The least of some sizes.
#[doc(hidden)]
pub const fn least(sizes: &[u64]) -> u64 {
    let mut least = u64::MAX;
    let mut at = 0;
    while at < sizes.len() {
        if sizes[at] < least {
            least = sizes[at];
        }
        at += 1;
    }
    least
}

/// The size that all have in common, or `None` if they differ.
#[doc(hidden)]
pub const fn same(sizes: &[Option<u64>]) -> Option<u64> {
    let mut at = 0;
    while at < sizes.len() {
        match (sizes[at], sizes[0]) {
            (Some(size), Some(first)) if size == first => at += 1,
            _ => return None,
        }
    }
    if sizes.is_empty() { Some(0) } else { sizes[0] }
}

/// Places runs of bits one after the other.
#[doc(hidden)]
pub fn place_bits(mut runs: Vec<Bits>) -> Vec<Bits> {
    let mut first = 0;
    for run in &mut runs {
        run.first = first;
        first += run.width;
    }
    runs
}

/// The runs that are not zero, in words.
#[doc(hidden)]
pub fn set_bits(bits: &[Bits]) -> Cow<'static, str> {
    let set = bits.iter().filter(|bits| bits.value != 0).map(|bits| match (bits.width, bits.meaning.as_str()) {
        (1, "") => bits.name.as_str().to_owned(),
        (_, "") => format!("{} = {:#x}", bits.name, bits.value),
        (_, meaning) => format!("{} = {meaning}", bits.name),
    });
    set.collect::<Vec<_>>().join(", ").into()
}

/// The form of a number of Rust.
fn number_form(name: &str, size: u64) -> Form {
    match name.as_bytes()[0] {
        b'f' => Form::Float { size },
        first => Form::Integer { size, is_signed: first == b'i' },
    }
}

macro_rules! integers {
    ($($integer:ident => $value:ident as $wide:ident),* $(,)?) => {$(
        impl Layout for $integer {
            const MIN_SIZE: u64 = size_of::<$integer>() as u64;
            const SIZE: Option<u64> = Some(Self::MIN_SIZE);
            const IS_NUMBER: bool = true;

            fn type_name() -> String {
                stringify!($integer).into()
            }

            fn form() -> Form {
                number_form(stringify!($integer), Self::MIN_SIZE)
            }

            fn value(&self) -> Value {
                Value::$value($wide::from(*self))
            }
        }
    )*};
}

impl Layout for u8 {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);
    const IS_BYTE: bool = true;
    const IS_NUMBER: bool = true;

    fn type_name() -> String {
        "u8".into()
    }

    fn form() -> Form {
        Form::Integer { size: 1, is_signed: false }
    }

    fn value(&self) -> Value {
        Value::Uint(u128::from(*self))
    }

    fn list_value(list: &[Self]) -> Value {
        Value::bytes(list)
    }
}

integers! {
    u16 => Uint as u128, u32 => Uint as u128, u64 => Uint as u128, u128 => Uint as u128,
    i8 => Int as i128, i16 => Int as i128, i32 => Int as i128, i64 => Int as i128, i128 => Int as i128,
    f32 => Single as f32, f64 => Float as f64,
}

impl<T: Layout> Layout for Vec<T> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = T::IS_NUMBER && !T::IS_BYTE;
    const IS_LIST: bool = true;

    fn type_name() -> String {
        format!("[{}]", T::type_name())
    }

    fn form() -> Form {
        Form::List(Box::new(T::form()))
    }

    fn value(&self) -> Value {
        T::list_value(self)
    }

    fn heap(&self) -> u64 {
        (self.capacity() * size_of::<T>()) as u64 + self.iter().map(T::heap).sum::<u64>()
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}

impl<T: Layout> Layout for Option<T> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = T::IS_NUMBER;
    const IS_LIST: bool = T::IS_LIST;
    const MAY_BE_FLAWED: bool = T::MAY_BE_FLAWED;

    fn type_name() -> String {
        T::type_name()
    }

    fn form() -> Form {
        T::form()
    }

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::value)
    }

    fn meaning(&self) -> Cow<'static, str> {
        self.as_ref().map_or(Cow::Borrowed(""), T::meaning)
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        self.as_ref().and_then(T::flaw)
    }

    fn missing(&self) -> u64 {
        self.as_ref().map_or(0, T::missing)
    }

    fn heap(&self) -> u64 {
        self.as_ref().map_or(0, T::heap)
    }

    fn bits(&self) -> Vec<Bits> {
        self.as_ref().map_or_else(Vec::new, T::bits)
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}

/// The type in which a structure contains itself. Its size would be defined by itself.
impl<T: Layout> Layout for Box<T> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = T::IS_NUMBER;
    const IS_LIST: bool = T::IS_LIST;
    const MAY_BE_FLAWED: bool = T::MAY_BE_FLAWED;

    fn type_name() -> String {
        T::type_name()
    }

    fn form() -> Form {
        T::form()
    }

    fn value(&self) -> Value {
        T::value(self)
    }

    fn meaning(&self) -> Cow<'static, str> {
        T::meaning(self)
    }

    fn flaw(&self) -> Option<(&'static str, String)> {
        T::flaw(self)
    }

    fn missing(&self) -> u64 {
        T::missing(self)
    }

    fn heap(&self) -> u64 {
        size_of::<T>() as u64 + T::heap(self)
    }

    fn bits(&self) -> Vec<Bits> {
        T::bits(self)
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}
