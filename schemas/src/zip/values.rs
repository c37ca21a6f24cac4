//! Values of single fields: codes, times, text.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use everybyte::{Content, Form, Layout, Problem, RegionArgs, Value, bytes_left, codes, ensure_at_hand, layout};

codes! {
    /// Compression of an entry.
    pub struct Method(u16) {
        /// Not compressed.
        STORED = 0 => "stored";
        /// Shrinking, of PKZIP 1.
        SHRUNK = 1 => "shrunk";
        /// Imploding, of PKZIP 1.
        IMPLODED = 6 => "imploded";
        /// Deflate (RFC 1951).
        DEFLATED = 8 => "deflated";
        /// Deflate with a window of 64 KiB.
        DEFLATE64 = 9 => "deflate64";
        /// Bzip2.
        BZIP2 = 12 => "bzip2";
        /// LZMA.
        LZMA = 14 => "LZMA";
        /// Zstandard.
        ZSTD = 93 => "zstd";
        /// XZ.
        XZ = 95 => "XZ";
        /// PPMd, version I.
        PPMD = 98 => "PPMd";
        /// AES encryption: an extra field has the method.
        AES = 99 => "AES";
    }
}

codes! {
    /// The system of a writer.
    pub struct System(u8) {
        /// MS-DOS, OS/2 and Windows with FAT.
        DOS = 0 => "DOS";
        /// Unix.
        UNIX = 3 => "Unix";
        /// Windows with NTFS.
        NTFS = 10 => "NTFS";
        /// Windows with VFAT.
        VFAT = 14 => "VFAT";
        /// macOS.
        MACOS = 19 => "macOS";
    }
}

codes! {
    /// The content of an extra field.
    pub struct ExtraId(u16) {
        /// Sizes and offsets of 64 bits.
        ZIP64 = 0x0001 => "ZIP64";
        /// Times of NTFS.
        NTFS_TIMES = 0x000A => "NTFS times";
        /// Times, owner and group of Unix, PKWARE's.
        UNIX = 0x000D => "Unix";
        /// The header of strong encryption.
        STRONG_ENCRYPTION = 0x0017 => "strong encryption";
        /// Times in seconds since 1970.
        TIMES = 0x5455 => "times";
        /// Times, owner and group of Unix, Info-ZIP's first.
        OLD_UNIX = 0x5855 => "old Unix";
        /// The comment in UTF-8.
        UNICODE_COMMENT = 0x6375 => "Unicode comment";
        /// The name in UTF-8.
        UNICODE_NAME = 0x7075 => "Unicode name";
        /// Owner and group of Unix.
        OWNER = 0x7875 => "owner";
        /// The method and the strength of AES encryption.
        AES = 0x9901 => "AES";
        /// The mark of a Java archive.
        JAVA = 0xCAFE => "Java archive";
        /// Padding of Android archives.
        ALIGNMENT = 0xD935 => "alignment";
    }
}

/// A time of day as MS-DOS counts it, in steps of two seconds.
#[layout(meaning = format!("{:02}:{:02}:{:02}", self.0 >> 11, self.0 >> 5 & 0x3F, (self.0 & 0x1F) * 2))]
#[derive(Copy, Eq, Hash, Default)]
pub struct DosTime(pub u16);

/// A date as MS-DOS counts it, from the year 1980 on.
#[layout(meaning = format!("{}-{:02}-{:02}", 1980 + (self.0 >> 9), self.0 >> 5 & 0xF, self.0 & 0x1F))]
#[derive(Copy, Eq, Hash, Default)]
pub struct DosDate(pub u16);

/// Text of a declared length; UTF-8 if the flags say so. It is implemented by hand, since everybyte's `Text` has one encoding
/// for all values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, everybyte::Arbitrary)]
pub struct Text(Vec<u8>);

impl Text {
    /// Text of these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Text(bytes.into())
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl BinRead for Text {
    type Args<'a> = RegionArgs;

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, args: RegionArgs) -> BinResult<Self> {
        let (left, length) = (bytes_left(reader)?, args.length);
        if length > left {
            let err = Box::new(Problem::TooMany { count: length, element: 1, left });
            return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
        }
        ensure_at_hand(reader, length)?;
        Vec::read_options(reader, endian, VecArgs { count: length as usize, inner: () }).map(Text)
    }
}

impl BinWrite for Text {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&self.0)?)
    }
}

impl Layout for Text {
    const MIN_SIZE: u64 = 0;
    const SIZE: Option<u64> = None;

    fn type_name() -> String {
        "Text".into()
    }

    fn form() -> Form {
        Form::Sized(Content::Bytes)
    }

    fn value(&self) -> Value {
        match str::from_utf8(&self.0) {
            Ok(text) => Value::Text(text.into()),
            Err(_) => Value::bytes(&self.0),
        }
    }

    fn heap(&self) -> u64 {
        self.0.heap()
    }
}
