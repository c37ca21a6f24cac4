//! The trait of ways of packing, and a way of packing that a field has.

use std::fmt;

/// A way in which content is packed: how it is unpacked, and packed again after it was changed.
///
/// ```
/// use everybyte::packing::{Packing, Unpacked};
/// use everybyte::{Format, check, explain, layout, rest};
///
/// /// Each byte with its bits inverted.
/// struct Inverted;
///
/// impl Packing for Inverted {
///     const NAME: &'static str = "inverted";
///
///     fn unpack(bytes: &[u8], most: u64) -> Unpacked {
///         match bytes.len() as u64 > most {
///             true => Unpacked::TooMany,
///             false => Unpacked::Content(bytes.iter().map(|byte| !byte).collect()),
///         }
///     }
///
///     fn pack(content: &[u8]) -> Vec<u8> {
///         content.iter().map(|byte| !byte).collect()
///     }
/// }
///
/// #[layout]
/// struct Secret {
///     #[br(parse_with = rest)]
///     #[layout(opens(Inverted as Pair))]
///     bytes: Vec<u8>,
/// }
///
/// #[layout]
/// struct Pair {
///     first: u8,
///     second: u8,
/// }
///
/// impl Format for Secret {
///     const NAME: &'static str = "secret";
/// }
///
/// assert_eq!(check::<Secret>(b"\xfe\xfd"), []);
/// assert!(explain::<Secret>(b"\xfe\xfd").to_string().contains("second  2"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no way of packing",
    label = "this does not say how it is packed",
    note = "`Deflate`, `Zlib` and `Gzip` of `everybyte::packing` do, with the feature `packing`; or implement `Packing`"
)]
pub trait Packing {
    /// Its name, for people.
    const NAME: &'static str;

    /// Unpacks bytes into content of at most `most` bytes. It never panics, and takes memory for `most` bytes at most.
    fn unpack(bytes: &[u8], most: u64) -> Unpacked;

    /// Packs content. What it gives unpacks into the same content.
    fn pack(content: &[u8]) -> Vec<u8>;
}

/// The result of unpacking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unpacked {
    /// The content.
    Content(Vec<u8>),
    /// More bytes than may be unpacked.
    TooMany,
    /// Nothing: the reason, as a sentence without a full stop.
    Broken(String),
}

/// A way of packing that a field has.
#[derive(Clone, Copy)]
pub struct Codec {
    name: &'static str,
    unpack: fn(&[u8], u64) -> Unpacked,
    pack: fn(&[u8]) -> Vec<u8>,
}

impl Codec {
    /// That of a type.
    pub const fn of<P: Packing>() -> Self {
        Codec { name: P::NAME, unpack: P::unpack, pack: P::pack }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Unpacks bytes.
    pub fn unpack(&self, bytes: &[u8], most: u64) -> Unpacked {
        (self.unpack)(bytes, most)
    }

    /// The packed bytes of some content.
    pub fn pack(&self, content: &[u8]) -> Vec<u8> {
        (self.pack)(content)
    }
}

/// Ways of packing of one name are the same.
impl PartialEq for Codec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Codec").field(&self.name).finish()
    }
}
