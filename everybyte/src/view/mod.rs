//! Views, which read single fields of a layout directly from the bytes, without reading the others.
//!
//! `#[layout(view)]` adds a second, borrowing reader to a layout. Its view has a method for each field. Nothing is copied or
//! allocated, and nothing is read until you call a method, so opening a view costs the same for a file of any length.
//!
//! ```
//! use everybyte::{Format, layout, text::Text, view::{ByteOrder, Viewed}};
//!
//! #[layout(view)]
//! #[brw(magic = b"SHOP")]
//! struct Shop {
//!     #[br(temp)]
//!     count: u16,
//!     #[br(count = count)]
//!     items: Vec<Item>,
//!     #[br(temp)]
//!     length: u8,
//!     #[br(count = length)]
//!     name: Text,
//! }
//!
//! #[layout(view)]
//! struct Item {
//!     number: u16,
//!     price: u32,
//! }
//!
//! impl Format for Shop {
//!     const NAME: &'static str = "shop";
//! }
//!
//! let file = b"SHOP\x02\0\x01\0\x05\0\0\0\x02\0\x07\0\0\0\x04Shoe";
//! let shop = Shop::view(file)?;
//! let prices: Result<Vec<u32>, _> = shop.items()?.iter().map(|item| item?.price()).collect();
//! assert_eq!(prices?, [5, 7]);
//! assert_eq!(shop.items()?.get(1)?.unwrap().number()?, 2);
//! assert_eq!(shop.name()?.text().as_deref(), Some("Shoe"));
//!
//! // A method whose bytes are missing returns an error; the others still work.
//! let cut = Shop::view(&file[..file.len() - 1])?;
//! assert_eq!(cut.name().unwrap_err().to_string(), "name at byte 19: 4 elements of at least 1 byte each do not fit: 3 bytes are left");
//! assert_eq!(cut.items()?.len(), 2);
//! # Ok::<(), Box<everybyte::ParseError>>(())
//! ```
//!
//! The path in an error starts at the structure whose method was called, and the offset is relative to the beginning of the bytes.

mod agreement;
mod frame;
mod list;
mod numbers;
mod text;
mod values;
mod viewed;

pub use crate::byte_order::ByteOrder;
pub use agreement::agreement;
#[doc(hidden)]
pub use frame::{Frame, element, field, magic, offsets};
pub use list::{Filling, Iter, List};
#[doc(hidden)]
pub use text::OfBytesViewed;
pub use text::TextView;
#[doc(hidden)]
pub use values::{value, value_length};
pub use viewed::{Viewed, view};
