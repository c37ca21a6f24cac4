//! The field types of `#[layout(bits = N)]`: `bool`, [`B1`] to [`B64`] for numbers of that many bits, unsigned integers, and any
//! other [`Specifier`] from the crate [`modular_bitfield`], which defines these types.
//!
//! ```
//! use everybyte::bits::*;
//! use everybyte::layout;
//!
//! /// Colours of 5, 6 and 5 bits.
//! #[layout(bits = 16)]
//! struct Rgb565 {
//!     blue: B5,
//!     green: B6,
//!     red: B5,
//! }
//!
//! let pink = Rgb565::from_raw(0xF81F);
//! assert_eq!((pink.red(), pink.green(), pink.blue()), (31, 0, 31));
//! assert_eq!(pink.with_blue(0).raw(), 0xF800);
//! ```
//!
//! Your own enums can also be fields. The derive macro refers to `modular_bitfield` by name, so add that crate to your
//! dependencies. Bits that match none of the variants cannot be read:
//!
//! ```
//! use everybyte::bits::*;
//! use everybyte::{Endian, Source, layout, read};
//!
//! #[derive(Specifier, Debug, PartialEq)]
//! #[bits = 2]
//! enum Depth {
//!     Eight,
//!     Sixteen,
//!     Float = 3,
//! }
//!
//! #[layout(bits = 8)]
//! struct Pixels {
//!     depth: Depth,
//!     channels: B6,
//! }
//!
//! let pixels: Pixels = read(Source::new(&[0b000011_01]), Endian::Little, ())?;
//! assert_eq!((pixels.depth(), pixels.channels()), (Depth::Sixteen, 3));
//! let wrong = read::<Pixels>(Source::new(&[0b000011_10]), Endian::Little, ()).unwrap_err();
//! assert_eq!(wrong.problem.to_string(), "the bits of `depth` are 0x2, which stands for no value");
//! # Ok::<(), Box<everybyte::ParseError>>(())
//! ```

pub use modular_bitfield::Specifier;
pub use modular_bitfield::error::{InvalidBitPattern, OutOfBounds};
pub use modular_bitfield::specifiers::*;

use crate::reference::Book;

/// A run of bits with named values: a code that [`codes!`](crate::codes) declares `in N bits`.
pub trait Named: Specifier {
    /// The name of the type in the field reference.
    fn type_name() -> &'static str;

    /// The name of the code with these bits.
    fn meaning(bits: u64) -> &'static str;

    /// Writes the code into a field reference.
    fn describe(book: &mut Book);
}
