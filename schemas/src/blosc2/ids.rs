//! The numbers shared by frames and chunks: codecs, filters, special values and versions.

use everybyte::{codes, layout, map::Value};

codes! {
    /// The number of a codec. Numbers from 32 on are plugins.
    pub struct Codec(u8) in 4 bits {
        /// Blosc's own variant of FastLZ.
        BLOSCLZ = 0 => "blosclz";
        /// LZ4.
        LZ4 = 1 => "LZ4";
        /// LZ4 from a slower, more thorough compressor; decoded as LZ4.
        LZ4HC = 2 => "LZ4HC";
        /// Deflate in the zlib format.
        ZLIB = 4 => "zlib";
        /// Zstandard.
        ZSTD = 5 => "zstd";
        /// A codec with a larger number, which is stated elsewhere in the header.
        REGISTERED = 6 => "registered";
        /// A plugin for arrays: LZ4 on cells of an array.
        NDLZ = 32 => "ndlz";
        /// A plugin for floats, with a bounded error.
        ZFP_FIXED_ACCURACY = 33 => "zfp (fixed accuracy)";
        /// A plugin for floats, with a fixed number of bits.
        ZFP_FIXED_PRECISION = 34 => "zfp (fixed precision)";
        /// A plugin for floats, with a fixed size.
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

    /// Returns whether python-blosc2 includes this plugin.
    pub fn is_brought(self) -> bool {
        (Codec::NDLZ..=Codec::ZFP_FIXED_RATE).contains(&self)
    }

    /// The format of its streams; `None` if the codec is a plugin.
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
    /// The format of a chunk's streams: codecs that can read each other's streams share a format.
    pub struct StreamFormat(u8) in 3 bits {
        /// Streams of blosclz.
        BLOSCLZ = 0 => "blosclz";
        /// Streams of LZ4 and LZ4HC.
        LZ4 = 1 => "LZ4";
        /// Streams of zlib.
        ZLIB = 3 => "zlib";
        /// Streams of zstd.
        ZSTD = 4 => "zstd";
        /// Streams of a plugin: the extension states the codec.
        REGISTERED = 6 => "registered";
    }
}

codes! {
    /// The number of a filter. Numbers from 160 on are assigned by users.
    pub struct FilterId(u8) {
        /// No filter.
        NONE = 0 => "none";
        /// The n-th bytes of all items next to each other.
        SHUFFLE = 1 => "shuffle";
        /// The n-th bits of all items next to each other.
        BITSHUFFLE = 2 => "bitshuffle";
        /// Differences from other items.
        DELTA = 3 => "delta";
        /// Floats with fewer bits.
        TRUNC_PREC = 4 => "trunc_prec";
        /// A plugin: cells of an array next to each other.
        NDCELL = 32 => "ndcell";
        /// A plugin: means of cells of an array.
        NDMEAN = 33 => "ndmean";
        /// Differences of bytes that restart at the wrong places.
        DEFECTIVE_BYTEDELTA = 34 => "bytedelta (defective)";
        /// Differences of bytes.
        BYTEDELTA = 35 => "bytedelta";
        /// Integers with fewer bits.
        INT_TRUNC = 36 => "int_trunc";
    }
}

impl FilterId {
    /// The first number for user-defined filters.
    const FIRST_OF_USERS: FilterId = FilterId(160);

    /// Returns whether it is a plugin that python-blosc2 includes.
    pub fn is_brought(self) -> bool {
        matches!(self, FilterId::NDCELL | FilterId::NDMEAN)
    }

    /// Returns whether the number is assigned by a user.
    pub fn is_of_user(self) -> bool {
        self >= FilterId::FIRST_OF_USERS
    }
}

/// The maximum number of filters in a row.
pub const FILTER_SLOTS: usize = 6;

/// The filters of a pipeline, in the order in which a writer applies them.
#[layout(value = Value::bytes(&self.0.map(|id| id.0)), meaning = self.words())]
#[derive(Copy, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FilterIds(pub [FilterId; FILTER_SLOTS]);

impl FilterIds {
    /// The slots that contain a filter.
    pub fn used(&self) -> impl Iterator<Item = FilterId> {
        self.0.into_iter().filter(|&id| id != FilterId::NONE)
    }

    fn words(&self) -> String {
        let names: Vec<&str> = self.used().map(FilterId::words).collect();
        if names.is_empty() { "no filter".into() } else { names.join(", then ") }
    }
}

codes! {
    /// The value of all items of a chunk, if nothing else is stored for it.
    pub struct Special(u8) in 3 bits {
        /// None: the items are stored.
        NONE = 0 => "none";
        /// All bytes are zero.
        ZEROS = 1 => "all zeros";
        /// All items are NaN.
        NAN = 2 => "all NaN";
        /// All items have one value, which follows the header.
        VALUE = 3 => "one value";
        /// The items were never written; they are read as zeros.
        UNINITIALISED = 4 => "uninitialised";
    }
}

codes! {
    /// The version of the chunk format.
    pub struct ChunkVersion(u8) {
        /// Blosc 1.
        BLOSC1 = 2 => "Blosc 1";
        /// The alpha version of Blosc 2, which had one filter fewer.
        ALPHA = 3 => "Blosc 2, alpha";
        /// The beta version of Blosc 2.
        BETA = 4 => "Blosc 2, beta";
        /// Blosc 2.
        BLOSC2 = 5 => "Blosc 2";
        /// Blosc 2 with blocks of different lengths.
        VARIABLE_BLOCKS = 6 => "Blosc 2, unequal blocks";
    }
}

codes! {
    /// The version of the frame format.
    pub struct FrameVersion(u8) in 4 bits {
        /// A beta.
        BETA = 1 => "beta";
        /// All chunks have the same length, and so have all blocks.
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
    /// Where a frame's chunks are.
    pub struct FrameKind(u8) in 4 bits {
        /// In this file, one after another.
        CONTIGUOUS = 0 => "contiguous";
        /// In separate files.
        SPARSE = 1 => "sparse";
    }
}

codes! {
    /// How the writer splits blocks into one stream per byte of an item.
    pub struct SplitMode(u8) in 2 bits {
        /// Every block is split.
        ALWAYS = 0 => "always";
        /// No block is split.
        NEVER = 1 => "never";
        /// The codec decides.
        AUTOMATIC = 2 => "automatic";
        /// Blocks are split so that older readers can read them.
        COMPATIBLE = 3 => "compatible";
    }
}
