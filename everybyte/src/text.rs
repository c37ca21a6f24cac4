//! Texts as fields.
//!
//! A [`Text`] consists of bytes in an encoding. The padding determines how many bytes there are:
//!
//! | type | bytes |
//! |---|---|
//! | `Text` | as many bytes of UTF-8 as `count` states, or all remaining bytes |
//! | `Text<Latin1>` | the same, but as [`Ascii`], [`Latin1`], [`Utf8`], [`Utf16Le`], [`Utf16Be`], [`Json`] or your own encoding |
//! | `Text<Utf8, Padded<8, 0>>` | 8 bytes; zeros at the end are padding: [`Padded`] |
//! | `Text<Utf8, Closed<0>>` | as many bytes as `count` states; the first 0 [closes](Closed) the text |
//! | `Text<Utf8, ClosedIn<8, 0>>` | 8 bytes; the first 0 [closes](ClosedIn) the text |
//! | `Text<Utf8, Ended<0>>` | all bytes up to and including the first 0, which [ends](Ended) the field |
//! | `Text<Utf8, Filled<32>>` | as many bytes as `count` states; spaces at the end [fill](Filled) the field |
//! | [`NulString`] | all bytes up to and including the first 0, in any encoding |

#[cfg(feature = "json")]
pub use crate::fields::Json;
pub use crate::fields::{
    Ascii, Closed, ClosedIn, Encoding, Ended, Filled, Latin1, NulString, Padded, Padding, Text, TextError, Unpadded,
    Utf8, Utf16Be, Utf16Le,
};
