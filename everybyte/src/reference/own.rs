//! Rust's numbers, lists, options and boxes in layouts.

use super::layout::{Book, Layout, Nature, Said};
use super::pages::Bits;
use crate::terms::Form;
use crate::value::Value;
use std::borrow::Cow;

/// Returns the form of a Rust number.
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
            const NATURE: Nature = Nature::VALUE;

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
    const NATURE: Nature = Nature::VALUE;

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
    const NATURE: Nature = T::NATURE.held();

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
    const NATURE: Nature = T::NATURE.held();

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

    fn bits_of() -> Option<fn(u64) -> Vec<Bits>> {
        T::bits_of()
    }

    fn said(&self) -> Said {
        self.as_ref().map_or(Said::Own, T::said)
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}

/// Lets a structure contain itself, which would otherwise have an infinite size.
impl<T: Layout> Layout for Box<T> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = T::IS_NUMBER;
    const IS_LIST: bool = T::IS_LIST;
    const MAY_BE_FLAWED: bool = T::MAY_BE_FLAWED;
    const NATURE: Nature = T::NATURE.held();

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

    fn bits_of() -> Option<fn(u64) -> Vec<Bits>> {
        T::bits_of()
    }

    fn said(&self) -> Said {
        T::said(self)
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}
