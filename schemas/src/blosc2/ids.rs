//! The numbers of codecs and filters, which frames and chunks share.

use binrw::{BinRead, BinWrite};
use everybyte::{Layout, Value};
use std::borrow::Cow;

/// The number of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BinRead, BinWrite, everybyte::Arbitrary)]
pub struct Codec(pub u8);

impl Codec {
    /// Blosc's own variant of FastLZ.
    pub const BLOSCLZ: Codec = Codec(0);
    /// LZ4.
    pub const LZ4: Codec = Codec(1);
    /// LZ4 from a slower, more thorough writer; read as LZ4.
    pub const LZ4HC: Codec = Codec(2);
    /// Deflate, in zlib's wrapper.
    pub const ZLIB: Codec = Codec(4);
    /// Zstandard.
    pub const ZSTD: Codec = Codec(5);

    /// The format of its streams, as the flags of a chunk state it, or `None` if the codec is a plugin.
    pub fn format(self) -> Option<u8> {
        Some(match self {
            Codec::BLOSCLZ => 0,
            Codec::LZ4 | Codec::LZ4HC => 1,
            Codec::ZLIB => 3,
            Codec::ZSTD => 4,
            _ => return None,
        })
    }

    /// Its name, or `None` if the number is not defined.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "blosclz",
            1 => "LZ4",
            2 => "LZ4HC",
            4 => "zlib",
            5 => "zstd",
            32 => "ndlz",
            33 => "zfp (fixed accuracy)",
            34 => "zfp (fixed precision)",
            35 => "zfp (fixed rate)",
            36 => "openhtj2k",
            37 => "grok",
            38 => "openzl",
            39 => "j2k",
            40 => "htj2k",
            _ => return None,
        })
    }
}

impl Layout for Codec {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "Codec".into()
    }

    fn value(&self) -> Value {
        Value::Uint(self.0.into())
    }

    fn meaning(&self) -> Cow<'static, str> {
        self.name().unwrap_or("not defined").into()
    }
}

/// The filters of a pipeline, in the order in which a writer applies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BinRead, BinWrite, everybyte::Arbitrary)]
pub struct FilterIds(pub [u8; 6]);

/// The name of a filter, or `None` if its number is not defined.
pub fn filter_name(id: u8) -> Option<&'static str> {
    Some(match id {
        0 => "none",
        1 => "shuffle",
        2 => "bitshuffle",
        3 => "delta",
        4 => "trunc_prec",
        32 => "ndcell",
        33 => "ndmean",
        34 => "bytedelta (defective)",
        35 => "bytedelta",
        36 => "int_trunc",
        _ => return None,
    })
}

impl Layout for FilterIds {
    const MIN_SIZE: u64 = 6;
    const SIZE: Option<u64> = Some(6);

    fn type_name() -> String {
        "FilterIds".into()
    }

    fn value(&self) -> Value {
        Value::bytes(&self.0)
    }

    fn meaning(&self) -> Cow<'static, str> {
        let names = self.0.iter().filter(|&&id| id != 0).map(|&id| filter_name(id).unwrap_or("undefined"));
        let names: Vec<&str> = names.collect();
        if names.is_empty() { "no filter".into() } else { names.join(", then ").into() }
    }
}
