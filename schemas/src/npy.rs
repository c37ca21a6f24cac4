//! `.npy`, the format of NumPy's `save`: one n-dimensional array after a text header.
//!
//! Source of the rules: NEP 1 and the documentation of `numpy.lib.format`. The text is a Python dictionary literal with the keys `descr`,
//! `fortran_order` and `shape`. It determines the length of the elements, so a reader must parse it to locate the rest of the file.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use everybyte::{
    Layout,
    bytes::{Region, RegionArgs, Rest, bytes_left, ensure_at_hand},
    error::Problem,
    layout,
    map::Value,
    reference::{Content, Form},
};

/// A file with one array.
#[layout]
#[brw(little, magic = b"\x93NUMPY")]
#[br(import { elements: u64 = u64::MAX })]
pub struct Npy {
    /// The major version of the format; 1, 2 or 3.
    #[layout(steady)]
    pub major: u8,
    /// The minor version; 0.
    #[layout(steady)]
    pub minor: u8,
    /// The text that describes the array.
    #[br(args { major })]
    pub header: Header,
    /// The elements, one after another.
    #[layout(payload)]
    #[br(args { length: elements })]
    pub payload: Region,
    /// Any further bytes, which NumPy ignores.
    pub trailing: Rest,
}

/// A header: a Python dictionary literal, padded with spaces and terminated by a newline.
#[layout]
#[brw(little)]
#[br(import { major: u8 })]
pub enum Header {
    /// The form of version 1.
    #[br(pre_assert(major <= 1))]
    Short {
        /// Bytes of the text.
        #[layout(extent = text)]
        #[br(temp)]
        length: u16,
        /// The text, in Latin-1.
        #[br(args { length: length.into() })]
        text: Text<false>,
    },
    /// The form of version 2.
    #[br(pre_assert(major == 2))]
    Long {
        /// Bytes of the text.
        #[layout(extent = text)]
        #[br(temp)]
        length: u32,
        /// The text, in Latin-1.
        #[br(args { length: length.into() })]
        text: Text<false>,
    },
    /// The form of version 3 and later.
    #[br(pre_assert(major > 2))]
    Unicode {
        /// Bytes of the text.
        #[layout(extent = text)]
        #[br(temp)]
        length: u32,
        /// The text, in UTF-8.
        #[br(args { length: length.into() })]
        text: Text<true>,
    },
}

impl Header {
    /// The text.
    pub fn text(&self) -> &[u8] {
        match self {
            Header::Short { text } | Header::Long { text } => &text.0,
            Header::Unicode { text } => &text.0,
        }
    }
}

/// The text of a header, in UTF-8 or in Latin-1. It is implemented by hand, because everybyte's `Text` does not keep the encoding
/// when it is exported.
#[derive(Debug, Clone, PartialEq, Eq, everybyte::Arbitrary)]
pub struct Text<const IS_UTF8: bool>(pub Vec<u8>);

impl<const IS_UTF8: bool> BinRead for Text<IS_UTF8> {
    type Args<'a> = RegionArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, args: RegionArgs) -> BinResult<Self> {
        let (RegionArgs { length }, left) = (args, bytes_left(reader)?);
        if length > left {
            let err = Box::new(Problem::TooMany { count: length, element: 1, left });
            return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
        }
        ensure_at_hand(reader, length)?;
        Ok(Text(Vec::read_options(reader, endian, VecArgs { count: length as usize, inner: () })?))
    }
}

impl<const IS_UTF8: bool> BinWrite for Text<IS_UTF8> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&self.0)?)
    }
}

impl<const IS_UTF8: bool> Layout for Text<IS_UTF8> {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;

    fn type_name() -> String {
        if IS_UTF8 { "UTF-8" } else { "Latin-1" }.into()
    }

    fn form() -> Form {
        Form::Sized(if IS_UTF8 { Content::Utf8 } else { Content::Latin1 })
    }

    fn value(&self) -> Value {
        Value::Text(match IS_UTF8 {
            true => String::from_utf8_lossy(&self.0).into_owned(),
            false => self.0.iter().map(|&byte| char::from(byte)).collect(),
        })
    }

    fn heap(&self) -> u64 {
        self.0.heap()
    }
}
