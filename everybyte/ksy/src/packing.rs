//! Packs and unpacks bytes as `process` specifies.

use flate2::Compression;
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use std::io::{self, Read};
use std::sync::Arc;

/// An argument of a process, as your own process receives it.
///
/// ```
/// use everybyte_ksy::{Argument, Loader};
///
/// /// Adds a number to each byte.
/// fn shifted(bytes: &[u8], arguments: &[Argument]) -> Option<Vec<u8>> {
///     let [Argument::Int(by)] = arguments else { return None };
///     let by = u8::try_from(*by).ok()?;
///     Some(bytes.iter().map(|byte| byte.wrapping_add(by)).collect())
/// }
///
/// let text = "{meta: {id: note}, seq: [{id: text, size: 2, process: shift(1), type: str, encoding: ASCII}]}";
/// let spec = Loader::new().process("shift", shifted).parse("note.ksy", text)?;
/// assert_eq!(spec.values(b"gh", &["text"])?[0].as_ref().unwrap().to_string(), "\"hi\"");
/// # Ok::<(), everybyte_ksy::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A string.
    Text(Arc<str>),
    /// Bytes or a list of integers of 0 to 255.
    Bytes(Vec<u8>),
    /// A value that no process accepts, such as a structure.
    Other,
}

/// A process that you supply for a specification: it receives packed bytes and the arguments, and returns the unpacked bytes, or
/// `None` if it cannot unpack them.
pub type CustomProcess = fn(&[u8], &[Argument]) -> Option<Vec<u8>>;

/// A way to unpack bytes.
#[derive(Debug, Clone, Copy)]
pub enum Unpacking {
    Xor,
    /// Bits are rotated to the left.
    RotateLeft,
    RotateRight,
    /// A zlib stream and the level for creating one; `None` for zlib's default.
    Zlib(Option<u8>),
    /// Supplied by the user of the specification.
    Custom(CustomProcess),
}

/// The processes of Kaitai Struct, by their names.
pub const PROCESSES: [(&str, Unpacking); 4] = [
    ("xor", Unpacking::Xor),
    ("rol", Unpacking::RotateLeft),
    ("ror", Unpacking::RotateRight),
    ("zlib", Unpacking::Zlib(None)),
];

impl Unpacking {
    /// Returns the maximum number of key bytes that it uses for packed bytes of this length.
    pub fn longest_key(self, length: usize) -> usize {
        if let Unpacking::Xor = self { length.max(1) } else { usize::MAX }
    }

    /// Returns bytes that unpack to the given ones; `None` if it is not known how to create them.
    pub fn pack(self, content: &[u8], arguments: &[Argument]) -> Option<Vec<u8>> {
        match (self, arguments) {
            (Unpacking::Xor, _) => self.unpack(content, arguments, content.len()).ok(),
            (Unpacking::RotateLeft, _) => Unpacking::RotateRight.unpack(content, arguments, content.len()).ok(),
            (Unpacking::RotateRight, _) => Unpacking::RotateLeft.unpack(content, arguments, content.len()).ok(),
            (Unpacking::Zlib(level), _) => deflated(content, level),
            (Unpacking::Custom(_), _) => None,
        }
    }

    /// Unpacks bytes into at most `room` bytes.
    ///
    /// # Errors
    /// Fails with a message if the bytes cannot be unpacked.
    pub fn unpack(self, packed: &[u8], arguments: &[Argument], room: usize) -> Result<Vec<u8>, String> {
        match (self, arguments) {
            (Unpacking::Zlib(_), _) => inflated(packed, room),
            (Unpacking::Custom(process), arguments) => {
                let made = process(packed, arguments).ok_or("the bytes cannot be unpacked by it")?;
                if made.len() > room { Err(too_many(room)) } else { Ok(made) }
            }
            (_, [_]) if packed.len() > room => Err(too_many(room)),
            (Unpacking::Xor, [Argument::Bytes(key)]) if !key.is_empty() => {
                Ok(packed.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect())
            }
            (Unpacking::Xor, [Argument::Int(key)]) => match u8::try_from(*key) {
                Ok(key) => Ok(packed.iter().map(|byte| byte ^ key).collect()),
                Err(_) => Err(format!("the key {key} is not a byte from 0 to 255")),
            },
            (Unpacking::RotateLeft, [Argument::Int(by)]) => Ok(rotated(packed, by.rem_euclid(8) as u32)),
            (Unpacking::RotateRight, [Argument::Int(by)]) => Ok(rotated(packed, (-by).rem_euclid(8) as u32)),
            _ => Err("the key has the wrong type".into()),
        }
    }
}

/// Returns the error for content above the limit.
fn too_many(room: usize) -> String {
    format!("unpacking makes more than the allowed {room} bytes")
}

/// Rotates the bits of each byte.
fn rotated(bytes: &[u8], by: u32) -> Vec<u8> {
    bytes.iter().map(|byte| byte.rotate_left(by)).collect()
}

/// Returns the content of a zlib stream.
fn inflated(packed: &[u8], room: usize) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let read = io::copy(&mut ZlibDecoder::new(packed).take(room as u64 + 1), &mut out);
    let made = out.len();
    match read {
        Ok(_) if made > room => Err(too_many(room)),
        Ok(_) => Ok(out),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Err(format!("the zlib stream ends too early, after {made} bytes"))
        }
        Err(_) => Err(format!("the zlib stream is broken after {made} bytes")),
    }
}

/// Returns a zlib stream of bytes.
fn deflated(content: &[u8], level: Option<u8>) -> Option<Vec<u8>> {
    let level = level.map_or_else(Compression::default, |level| Compression::new(level.into()));
    let mut packed = Vec::new();
    io::copy(&mut ZlibEncoder::new(content, level), &mut packed).ok()?;
    Some(packed)
}
