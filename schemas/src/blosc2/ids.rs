//! The numbers that frames and chunks share: codecs, filters, special values, versions.

use everybyte::{Value, codes, layout};

codes! {
    /// The number of a codec. From 32 on, it is a plugin.
    pub struct Codec(u8) in 4 bits {
        /// Blosc's own variant of FastLZ.
        BLOSCLZ = 0 => "blosclz";
        /// LZ4.
        LZ4 = 1 => "LZ4";
        /// LZ4 from a slower, more thorough writer; read as LZ4.
        LZ4HC = 2 => "LZ4HC";
        /// Deflate, in zlib's wrapper.
        ZLIB = 4 => "zlib";
        /// Zstandard.
        ZSTD = 5 => "zstd";
        /// A codec with a larger number, which a header states elsewhere.
        REGISTERED = 6 => "registered";
        /// A plugin for arrays: LZ4 for cells of an array.
        NDLZ = 32 => "ndlz";
        /// A plugin for floats, within an error.
        ZFP_FIXED_ACCURACY = 33 => "zfp (fixed accuracy)";
        /// A plugin for floats, with a number of bits.
        ZFP_FIXED_PRECISION = 34 => "zfp (fixed precision)";
        /// A plugin for floats, in a number of bytes.
        ZFP_FIXED_RATE = 35 => "zfp (fixed rate)";
        /// A plugin for JPEG 2000, by OpenHTJ2K.
        OPENHTJ2K = 36 => "openhtj2k";
        /// A plugin for JPEG 2000, by Grok.
        GROK = 37 => "grok";
        /// A plugin for typed data, by OpenZL.
        OPENZL = 38 => "openzl";
        /// A plugin for JPEG 2000.
        J2K = 39 => "j2k";
        /// A plugin for High-Throughput JPEG 2000.
        HTJ2K = 40 => "htj2k";
    }
}

impl Codec {
    /// The first number of plugins.
    const FIRST_PLUGIN: Codec = Codec(32);

    /// Returns whether it is a plugin.
    pub fn is_plugin(self) -> bool {
        self >= Codec::FIRST_PLUGIN
    }

    /// Returns whether python-blosc2 brings this plugin.
    pub fn is_brought(self) -> bool {
        (Codec::NDLZ..=Codec::ZFP_FIXED_RATE).contains(&self)
    }

    /// The format of its streams, or `None` if the codec is a plugin.
    pub fn format(self) -> Option<StreamFormat> {
        Some(match self {
            Codec::BLOSCLZ => StreamFormat::BLOSCLZ,
            Codec::LZ4 | Codec::LZ4HC => StreamFormat::LZ4,
            Codec::ZLIB => StreamFormat::ZLIB,
            Codec::ZSTD => StreamFormat::ZSTD,
            _ => return None,
        })
    }
}

codes! {
    /// The format of a chunk's streams: codecs that read each other's streams have one in common.
    pub struct StreamFormat(u8) in 3 bits {
        /// Streams of blosclz.
        BLOSCLZ = 0 => "blosclz";
        /// Streams of LZ4 and LZ4HC.
        LZ4 = 1 => "LZ4";
        /// Streams of zlib.
        ZLIB = 3 => "zlib";
        /// Streams of zstd.
        ZSTD = 4 => "zstd";
        /// Streams of a plugin: the codec of the extension.
        REGISTERED = 6 => "registered";
    }
}

codes! {
    /// The number of a filter. From 160 on, users give the numbers.
    pub struct FilterId(u8) {
        /// No filter.
        NONE = 0 => "none";
        /// Bytes of the same place in all items, side by side.
        SHUFFLE = 1 => "shuffle";
        /// Bits of the same place in all items, side by side.
        BITSHUFFLE = 2 => "bitshuffle";
        /// Differences from other items.
        DELTA = 3 => "delta";
        /// Floats with fewer bits.
        TRUNC_PREC = 4 => "trunc_prec";
        /// A plugin: cells of an array, side by side.
        NDCELL = 32 => "ndcell";
        /// A plugin: the means of cells of an array.
        NDMEAN = 33 => "ndmean";
        /// Differences of bytes, which start again where they should not.
        DEFECTIVE_BYTEDELTA = 34 => "bytedelta (defective)";
        /// Differences of bytes.
        BYTEDELTA = 35 => "bytedelta";
        /// Integers with fewer bits.
        INT_TRUNC = 36 => "int_trunc";
    }
}

impl FilterId {
    /// The first number that users give.
    const FIRST_OF_USERS: FilterId = FilterId(160);

    /// Returns whether it is a plugin that python-blosc2 brings.
    pub fn is_brought(self) -> bool {
        matches!(self, FilterId::NDCELL | FilterId::NDMEAN)
    }

    /// Returns whether a user gave the number.
    pub fn is_of_user(self) -> bool {
        self >= FilterId::FIRST_OF_USERS
    }
}

/// The number of filters that can be applied in a row.
pub const FILTER_SLOTS: usize = 6;

/// The filters of a pipeline, in the order in which a writer applies them.
#[layout(value = Value::bytes(&self.0.map(|id| id.0)), meaning = self.words())]
#[derive(Copy, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FilterIds(pub [FilterId; FILTER_SLOTS]);

impl FilterIds {
    /// The slots that have a filter.
    pub fn used(&self) -> impl Iterator<Item = FilterId> {
        self.0.into_iter().filter(|&id| id != FilterId::NONE)
    }

    fn words(&self) -> String {
        let names: Vec<&str> = self.used().map(FilterId::words).collect();
        if names.is_empty() { "no filter".into() } else { names.join(", then ") }
    }
}

codes! {
    /// The value that all items of a chunk have, where nothing else is stored of it.
    pub struct Special(u8) in 3 bits {
        /// None: the items are stored.
        NONE = 0 => "none";
        /// All bytes are zero.
        ZEROS = 1 => "all zeros";
        /// All items are NaN.
        NAN = 2 => "all NaN";
        /// All items are one value, which follows the header.
        VALUE = 3 => "one value";
        /// The items were never written; they are read as zeros.
        UNINITIALISED = 4 => "not initialised";
    }
}

codes! {
    /// The version of the chunk format.
    pub struct ChunkVersion(u8) {
        /// Blosc 1.
        BLOSC1 = 2 => "Blosc 1";
        /// The alpha of Blosc 2, which had one filter less.
        ALPHA = 3 => "Blosc 2, alpha";
        /// The beta of Blosc 2.
        BETA = 4 => "Blosc 2, beta";
        /// Blosc 2.
        BLOSC2 = 5 => "Blosc 2";
        /// Blosc 2, with blocks that differ in length.
        VARIABLE_BLOCKS = 6 => "Blosc 2, unequal blocks";
    }
}

codes! {
    /// The version of the frame format.
    pub struct FrameVersion(u8) in 4 bits {
        /// A beta.
        BETA = 1 => "beta";
        /// All chunks have one length, and all blocks.
        EQUAL = 2 => "equal chunks";
        /// Chunks or blocks differ in length.
        VARIABLE = 3 => "unequal chunks or blocks";
    }
}

codes! {
    /// The width of the offsets in an index.
    pub struct OffsetWidth(u8) in 2 bits {
        /// 64 bits.
        BITS_64 = 1 => "64 bits";
    }
}

codes! {
    /// The place of a frame's chunks.
    pub struct FrameKind(u8) in 4 bits {
        /// In this file, one after the other.
        CONTIGUOUS = 0 => "contiguous";
        /// In files beside it.
        SPARSE = 1 => "sparse";
    }
}

codes! {
    /// The writer's way to split blocks into a stream for each byte of an item.
    pub struct SplitMode(u8) in 2 bits {
        /// Every block is split.
        ALWAYS = 0 => "always";
        /// No block is split.
        NEVER = 1 => "never";
        /// The codec decides.
        AUTOMATIC = 2 => "automatic";
        /// Blocks are split as older readers can read them.
        COMPATIBLE = 3 => "compatible";
    }
}
