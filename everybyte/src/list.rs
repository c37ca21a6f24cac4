//! Parsers for lists whose length no field states, and lists that are located but not loaded.
//!
//! | parser or type | elements |
//! |---|---|
//! | [`rest`] | all remaining bytes |
//! | [`filling`] | consecutive elements for a number of bytes |
//! | [`until`], [`until_all`] | elements until a condition holds for the last one or for all of them |
//! | [`until_sum`] | elements until their numbers add up to a total |
//! | [`each`] | one element for each item of another list |
//! | [`Elements`] | as many elements of a fixed size as an argument states: located, but not loaded |
//! | [`Numbers`] | the same, but for numbers whose type is an argument |

pub use crate::fields::{
    Elements, ElementsArgs, Numbers, NumbersArgs, each, filling, rest, until, until_all, until_sum,
};
