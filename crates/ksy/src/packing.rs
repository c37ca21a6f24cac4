//! Bytes unpacked and packed: what `process` names.

use flate2::Compression;
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use std::io::{self, Read};
use std::sync::Arc;

/// An argument of a process.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(Arc<str>),
    /// Bytes, or a list of integers of 0 to 255.
    Bytes(Vec<u8>),
    /// A value that no process takes, such as a structure.
    Other,
}

/// A process that the user of a specification supplies: it gets packed bytes and the arguments, and returns unpacked bytes.
/// `None` if the bytes are not what it unpacks.
pub type CustomProcess = fn(&[u8], &[Argument]) -> Option<Vec<u8>>;

/// A way to unpack bytes.
#[derive(Debug, Clone, Copy)]
pub enum Unpacking {
    Xor,
    /// Bits rotated, to the left.
    RotateLeft,
    RotateRight,
    /// A zlib stream, and the level at which one is made; `None` for that of zlib itself.
    Zlib(Option<u8>),
    /// Supplied by the user of the specification.
    Custom(CustomProcess),
}

impl Unpacking {
    /// The bytes of a key that it uses at most, of packed bytes of this length.
    pub fn longest_key(self, length: usize) -> usize {
        if let Unpacking::Xor = self { length.max(1) } else { usize::MAX }
    }

    /// The bytes that unpack to others; `None` if it is not known how they are made.
    pub fn pack(self, content: &[u8], arguments: &[Argument]) -> Option<Vec<u8>> {
        match (self, arguments) {
            (Unpacking::Xor, _) => self.unpack(content, arguments, content.len()).ok(),
            (Unpacking::RotateLeft, _) => Unpacking::RotateRight.unpack(content, arguments, content.len()).ok(),
            (Unpacking::RotateRight, _) => Unpacking::RotateLeft.unpack(content, arguments, content.len()).ok(),
            (Unpacking::Zlib(level), _) => deflated(content, level),
            (Unpacking::Custom(_), _) => None,
        }
    }

    /// Unpacks bytes, of which at most `room` are made.
    ///
    /// # Errors
    /// A sentence about bytes that cannot be unpacked.
    pub fn unpack(self, packed: &[u8], arguments: &[Argument], room: usize) -> Result<Vec<u8>, String> {
        match (self, arguments) {
            (Unpacking::Zlib(_), _) => inflated(packed, room),
            (Unpacking::Custom(process), arguments) => {
                let made = process(packed, arguments).ok_or("the bytes are not what it unpacks")?;
                if made.len() > room { Err(too_many(room)) } else { Ok(made) }
            }
            (_, [_]) if packed.len() > room => Err(too_many(room)),
            (Unpacking::Xor, [Argument::Bytes(key)]) if !key.is_empty() => {
                Ok(packed.iter().zip(key.iter().cycle()).map(|(byte, key)| byte ^ key).collect())
            }
            (Unpacking::Xor, [Argument::Int(key)]) => match u8::try_from(*key) {
                Ok(key) => Ok(packed.iter().map(|byte| byte ^ key).collect()),
                Err(_) => Err(format!("the key {key} is no byte of 0 to 255")),
            },
            (Unpacking::RotateLeft, [Argument::Int(by)]) => Ok(rotated(packed, by.rem_euclid(8) as u32)),
            (Unpacking::RotateRight, [Argument::Int(by)]) => Ok(rotated(packed, (-by).rem_euclid(8) as u32)),
            _ => Err("the key is none of its kind".into()),
        }
    }
}

fn too_many(room: usize) -> String {
    format!("there is no room for more than {room} unpacked bytes")
}

fn rotated(bytes: &[u8], by: u32) -> Vec<u8> {
    bytes.iter().map(|byte| byte.rotate_left(by)).collect()
}

/// The bytes of a zlib stream.
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

/// A zlib stream of bytes.
fn deflated(content: &[u8], level: Option<u8>) -> Option<Vec<u8>> {
    let level = level.map_or_else(Compression::default, |level| Compression::new(level.into()));
    let mut packed = Vec::new();
    io::copy(&mut ZlibEncoder::new(content, level), &mut packed).ok()?;
    Some(packed)
}
