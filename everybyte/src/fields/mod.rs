//! Field types shared by formats: texts, padding, counted lists, variable-length integers and payloads.

mod align;
mod array;
mod elements;
mod filling;
#[cfg(feature = "json")]
mod json;
mod nul_string;
mod numbers;
mod numeral;
mod owned;
mod region;
mod text;
mod varint;
mod wide;
mod zeros;

pub use align::{Align, AlignArgs};
pub use elements::{Elements, ElementsArgs};
pub use filling::{each, filling, rest, until, until_all, until_sum};
#[cfg(feature = "json")]
pub use json::Json;
pub use nul_string::NulString;
pub use numbers::{Number, Numbers, NumbersArgs};
pub use numeral::{Decimal, Hex, Left, Numeral, Octal, Placed, Right, ZeroEnded, Zeroed};
pub(crate) use owned::counted_bytes;
#[doc(hidden)]
pub use owned::{Counted, OfBytes};
pub use region::{Bytes, Region, RegionArgs, Rest, bytes_left, ensure_at_hand};
#[cfg(feature = "forge")]
pub(crate) use text::JSON;
pub(crate) use text::decoded;
pub use text::{
    Ascii, Closed, ClosedIn, Encoding, Ended, Filled, Latin1, Padded, Padding, Text, TextError, Unpadded, Utf8,
    Utf16Be, Utf16Le,
};
pub use varint::{EbmlSize, GitOffset, Leb128, Sleb128, Varint, VarintKind, Vlq, Zigzag};
pub use wide::{I24, I48, OutOfRange, U24, U48};
pub use zeros::Zeros;
