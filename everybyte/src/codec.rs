//! The trait for compression methods, and the codec of a compressed field.

use std::fmt;

/// A compression or encoding of content: how to unpack it and how to pack it again after a change.
///
/// ```
/// use everybyte::packing::{Packing, Unpacked};
/// use everybyte::{Format, check, explain, layout, list::rest};
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
    message = "`{Self}` is not a codec",
    label = "this does not say how it is packed",
    note = "`Deflate`, `Zlib` and `Gzip` of `everybyte::packing` do, with the feature `packing`; or implement `Packing`"
)]
pub trait Packing {
    /// Its human-readable name.
    const NAME: &'static str;

    /// Unpacks bytes into content of at most `most` bytes. Must not panic, and must not allocate memory for more than `most` bytes.
    fn unpack(bytes: &[u8], most: u64) -> Unpacked;

    /// Packs content. Unpacking the result must return the same content.
    fn pack(content: &[u8]) -> Vec<u8>;
}

/// The result of [`Packing::unpack`]. A codec must check the length against the maximum before it allocates memory.
///
/// ```
/// use everybyte::packing::Unpacked;
///
/// /// Unpacks one run: a length and the byte to repeat.
/// fn unpack(bytes: &[u8], most: u64) -> Unpacked {
///     let [length, byte] = bytes else { return Unpacked::Broken("a run takes two bytes".to_owned()) };
///     match u64::from(*length) > most {
///         true => Unpacked::TooMany,
///         false => Unpacked::Content(vec![*byte; usize::from(*length)]),
///     }
/// }
///
/// assert_eq!(unpack(b"\x03a", 10), Unpacked::Content(b"aaa".to_vec()));
/// assert_eq!(unpack(b"\xffa", 10), Unpacked::TooMany);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unpacked {
    /// The content.
    Content(Vec<u8>),
    /// The content exceeds the maximum length.
    TooMany,
    /// The content cannot be unpacked; a sentence without a full stop explains why.
    Broken(String),
}

/// The codec of a packed field.
///
/// ```
/// use everybyte::packing::{Codec, Packing, Unpacked};
///
/// /// Stored bytes.
/// struct Stored;
///
/// impl Packing for Stored {
///     const NAME: &'static str = "stored";
///
///     fn unpack(bytes: &[u8], most: u64) -> Unpacked {
///         if bytes.len() as u64 > most { Unpacked::TooMany } else { Unpacked::Content(bytes.to_vec()) }
///     }
///
///     fn pack(content: &[u8]) -> Vec<u8> {
///         content.to_vec()
///     }
/// }
///
/// let codec = Codec::of::<Stored>();
/// assert_eq!(codec.unpack(&codec.pack(b"abc"), 10), Unpacked::Content(b"abc".to_vec()));
/// ```
#[derive(Clone, Copy)]
pub struct Codec {
    name: &'static str,
    unpack: fn(&[u8], u64) -> Unpacked,
    pack: fn(&[u8]) -> Vec<u8>,
}

impl Codec {
    /// The codec of a type.
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

    /// Packs content.
    pub fn pack(&self, content: &[u8]) -> Vec<u8> {
        (self.pack)(content)
    }
}

/// Packings with the same name are equal.
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
