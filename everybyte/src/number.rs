//! Numbers as fields, for types that Rust does not have.
//!
//! | type | what it is |
//! |---|---|
//! | [`U24`], [`I24`], [`U48`], [`I48`] | integers of three and six bytes |
//! | [`Decimal<N>`](Decimal), [`Hex<N>`](Hex), [`Octal<N>`](Octal) | a number written as `N` bytes of digits |
//! | `Decimal<N, Left>` | the same, but with the digits on the [left](Left); also [`Right`], [`Zeroed`] and [`ZeroEnded`] |
//! | [`Number`] | the type of the numbers in a list, if the file states it: see [`list::Numbers`](crate::list::Numbers) |
//!
//! Integers of variable length are in [`varint`](crate::varint), and numbers of less than a byte are in [`bits`](crate::bits).

pub use crate::digits::{Digits, Placement};
pub use crate::fields::{
    Decimal, Hex, I24, I48, Left, Number, Numeral, Octal, OutOfRange, Placed, Right, U24, U48, ZeroEnded, Zeroed,
};
