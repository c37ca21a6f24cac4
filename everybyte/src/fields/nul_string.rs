//! Zero-terminated text.

use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// Bytes up to and including the first zero byte; the zero is not kept.
///
/// ```
/// use everybyte::{Endian, Source, read, text::NulString};
///
/// let name: NulString = read(Source::new(b"red\0green\0"), Endian::Little, ()).unwrap();
/// assert_eq!(name.bytes(), b"red");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NulString(Vec<u8>);

impl NulString {
    /// The text, without the zero byte.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The number of bytes that are read before memory is allocated, which is enough for most names.
const NAME: usize = 32;

impl BinRead for NulString {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let mut text = Vec::new();
        #[cfg(feature = "arbitrary")]
        if crate::generator::is_on() {
            crate::generator::put_text(reader.stream_position()?, 0);
        }
        let (mut block, mut held) = ([0; NAME], 0);
        loop {
            match u8::read_options(reader, endian, ())? {
                0 => {
                    text.extend_from_slice(&block[..held]);
                    // Free the unused capacity, because a name can be megabytes long.
                    text.shrink_to_fit();
                    return Ok(NulString(text));
                }
                byte => {
                    if held == NAME {
                        text.extend_from_slice(&block);
                        held = 0;
                    }
                    block[held] = byte;
                    held += 1;
                }
            }
        }
    }
}

impl BinWrite for NulString {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        writer.write_all(&self.0)?;
        Ok(writer.write_all(&[0])?)
    }
}

#[cfg(feature = "arbitrary")]
impl<'a> arbitrary::Arbitrary<'a> for NulString {
    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        let mut text: Vec<u8> = unstructured.arbitrary()?;
        text.retain(|&byte| byte != 0);
        Ok(NulString(text))
    }
}

impl Layout for NulString {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = None;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        "NulString".into()
    }

    fn form() -> Form {
        Form::NulString
    }

    fn value(&self) -> Value {
        Value::Text(self.0.iter().map(|&byte| char::from(byte)).collect())
    }

    fn heap(&self) -> u64 {
        self.0.heap()
    }
}
