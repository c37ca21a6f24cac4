//! Values of single fields: codes, times and text.

use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian, VecArgs};
use everybyte::{
    Layout,
    bytes::{RegionArgs, bytes_left, ensure_at_hand},
    codes,
    error::Problem,
    layout,
    map::Value,
    reference::{Content, Form},
};

codes! {
    /// The compression method of an entry.
    pub struct Method(u16) {
        /// Not compressed.
        STORED = 0 => "stored";
        /// Shrinking, as in PKZIP 1.
        SHRUNK = 1 => "shrunk";
        /// Imploding, as in PKZIP 1.
        IMPLODED = 6 => "imploded";
        /// Deflate (RFC 1951).
        DEFLATED = 8 => "deflated";
        /// Deflate with a 64 KiB window.
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
        /// AES encryption; the method is in an extra field.
        AES = 99 => "AES";
    }
}

codes! {
    /// The writer's system.
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
        /// 64-bit sizes and offsets.
        ZIP64 = 0x0001 => "ZIP64";
        /// NTFS times.
        NTFS_TIMES = 0x000A => "NTFS times";
        /// Unix times, owner and group, as defined by PKWARE.
        UNIX = 0x000D => "Unix";
        /// The header of strong encryption.
        STRONG_ENCRYPTION = 0x0017 => "strong encryption";
        /// Times in seconds since 1970.
        TIMES = 0x5455 => "times";
        /// Unix times, owner and group, as first defined by Info-ZIP.
        OLD_UNIX = 0x5855 => "old Unix";
        /// The comment in UTF-8.
        UNICODE_COMMENT = 0x6375 => "Unicode comment";
        /// The name in UTF-8.
        UNICODE_NAME = 0x7075 => "Unicode name";
        /// Unix owner and group.
        OWNER = 0x7875 => "owner";
        /// The method and the strength of AES encryption.
        AES = 0x9901 => "AES";
        /// Marks a Java archive.
        JAVA = 0xCAFE => "Java archive";
        /// Padding of Android archives.
        ALIGNMENT = 0xD935 => "alignment";
    }
}

/// A time of day as in MS-DOS, in steps of two seconds.
#[layout(meaning = format!("{:02}:{:02}:{:02}", self.0 >> 11, self.0 >> 5 & 0x3F, (self.0 & 0x1F) * 2))]
#[derive(Copy, Eq, Hash, Default)]
pub struct DosTime(pub u16);

/// A date as in MS-DOS, starting with the year 1980.
#[layout(meaning = format!("{}-{:02}-{:02}", 1980 + (self.0 >> 9), self.0 >> 5 & 0xF, self.0 & 0x1F))]
#[derive(Copy, Eq, Hash, Default)]
pub struct DosDate(pub u16);

/// Text of a declared length; UTF-8 if the flags say so. It is implemented by hand, because everybyte's `Text` has one encoding for all
/// values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, everybyte::Arbitrary)]
pub struct Text(Vec<u8>);

impl Text {
    /// Creates a text from its bytes.
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
