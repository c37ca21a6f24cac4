//! Fixed-length lists.

use crate::reference::{Book, Layout, Nature};
use crate::terms::Form;
use crate::value::Value;

impl<T: Layout, const N: usize> Layout for [T; N] {
    const MIN_SIZE: u64 = T::MIN_SIZE.saturating_mul(N as u64);
    const SIZE: Option<u64> = match T::SIZE {
        Some(size) => size.checked_mul(N as u64),
        None => None,
    };
    const IS_NUMBER: bool = T::IS_NUMBER && !T::IS_BYTE;
    const IS_LIST: bool = true;
    const NATURE: Nature = T::NATURE.held();

    fn type_name() -> String {
        format!("[{}; {N}]", T::type_name())
    }

    fn form() -> Form {
        if T::IS_BYTE { Form::Bytes(N as u64) } else { Form::Array(N as u64, Box::new(T::form())) }
    }

    fn value(&self) -> Value {
        T::list_value(self)
    }

    fn heap(&self) -> u64 {
        self.iter().map(T::heap).sum()
    }

    fn describe(book: &mut Book) {
        T::describe(book);
    }
}
