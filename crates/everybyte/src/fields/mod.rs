//! The vocabulary of field types that formats share.

mod align;
mod array;
mod elements;
mod filling;
#[cfg(feature = "json")]
mod json;
mod leb128;
mod nul_string;
mod numbers;
mod numeral;
mod owned;
mod region;
mod text;
mod wide;
mod zeros;

pub use align::{Align, AlignArgs};
pub use elements::{Elements, ElementsArgs};
pub use filling::{each, filling, rest, until};
#[cfg(feature = "json")]
pub use json::Json;
pub use leb128::Leb128;
pub use nul_string::NulString;
pub use numbers::{Number, Numbers, NumbersArgs};
pub use numeral::{Decimal, Hex, Left, Numeral, Octal, Placed, Right, ZeroEnded, Zeroed};
pub(crate) use owned::counted_bytes;
#[doc(hidden)]
pub use owned::{Counted, OfBytes};
pub use region::{Bytes, Region, RegionArgs, Rest, bytes_left, ensure_at_hand};
#[cfg(feature = "forge")]
pub(crate) use text::JSON;
pub use text::{
    Ascii, Closed, ClosedIn, Encoding, Ended, Filled, Latin1, Padded, Padding, Text, TextError, Unpadded, Utf8,
    Utf16Be, Utf16Le,
};
pub use wide::{I24, I48, OutOfRange, U24, U48};
pub use zeros::Zeros;
