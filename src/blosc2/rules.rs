//! The rules of a b2nd file's container: the frame, and the chunks in it.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

rules! {
    FRAME of Scope::Format(Format::B2nd), since "0.1.0";

    /// The file has to state that it is a Blosc2 frame: `b2frame` and a zero byte from byte 2 on. C-Blosc2 does not
    /// check.
    MAGIC = tolerable error "b2nd/magic", Accepts, "frame format, header";

    /// Every field of header, trailer and metalayer is a msgpack token of a fixed width, which begins with its marker.
    /// C-Blosc2 goes by position and checks only the markers around metalayers.
    WRONG_MARKER = tolerable error "b2nd/wrong-marker", Accepts, "frame format, header and trailer; b2nd metalayer";

    /// The file has to have all bytes of its frame: the header, the chunks, the index, the trailer.
    TRUNCATED_FRAME = error "b2nd/truncated", Refuses, "frame format";

    /// The file should end with the frame. Readers ignore further bytes.
    TRAILING_BYTES = warning "b2nd/trailing-bytes", Accepts, "frame format, frame length";

    /// The header's length leads from its first byte to the end of its last metalayer, inside the frame.
    HEADER_LENGTH = tolerable error "b2nd/header-length", Refuses, "frame format, header";

    /// The version of the frame is 1, 2 or 3, and its offsets have 64 bits.
    FRAME_VERSION = tolerable error "b2nd/frame-version", Refuses, "frame format, general flags";

    /// A frame is contiguous, with its chunks inside, or sparse, with chunks as files beside it in a folder of its own.
    /// It has to be in the place that its type demands.
    FRAME_TYPE = error "b2nd/frame-type", Refuses, "frame format, frame type";

    /// Undefined bits and bytes of the header should be zero.
    FRAME_RESERVED = warning "b2nd/reserved-bits", Accepts, "frame format, header";

    /// At most six filters can be applied in a row.
    FILTER_SLOTS = tolerable error "b2nd/filter-slots", Refuses, "frame format, filter pipeline";

    /// The filters that the header names for writers are Blosc2's own or a plugin's: 0 to 4, 32 to 36, or 160 and
    /// above. Each chunk names its own.
    DEFAULT_FILTER = tolerable error "b2nd/default-filter", Refuses,
        "frame format, filter pipeline; C-Blosc2's registry";

    /// The parameters of the filters that the header names for writers are below 128. Larger ones are valid, as bytedelta has
    /// them for wide items. But python-blosc2 4.14.1 takes them for signed numbers, and cannot open the frame.
    FILTER_PARAMETER = allowed "b2nd/filter-parameter", Refuses, "python-blosc2";

    /// The header's settings of its writer are valid. They are the codec, which it names twice, the level, the numbers
    /// of threads, the room for filters, and version 3 of the frame. Readers use those of the chunks instead.
    WRITER_SETTINGS = warning "b2nd/writer-settings", Accepts, "frame format, header";

    /// Lengths in the header are not negative, and an item has at least one byte. C-Blosc2 does not need all lengths: on the
    /// negative ones, profile `reference` gives no verdict.
    FRAME_SIZES = error "b2nd/frame-sizes", Refuses, "frame format, header";

    /// The chunks and blocks of an array all have the same length. A frame that says otherwise holds something else.
    /// If the length of a chunk is zero, profile `reference` gives no verdict.
    VARIABLE_CHUNKS = tolerable error "b2nd/variable-chunks", Accepts, "frame format, general flags";

    /// The length before the names of metalayers leads to their end.
    METALAYER_DIRECTORY = warning "b2nd/metalayer-directory", Accepts, "frame format, metalayers";

    /// Every name of a metalayer has a content. There are no more than 16 in a header, and writers stop at 16 in a
    /// trailer too.
    /// C-Blosc2 looks at some of these bytes late, or never: profile `reference` gives no verdict.
    METALAYER_COUNT = tolerable error "b2nd/metalayer-count", Unforeseen, "frame format, metalayers";

    /// The offset beside a metalayer's name leads to its content; contents follow each other in the order of the names.
    METALAYER_OFFSET = tolerable error "b2nd/metalayer-offset", Refuses, "frame format, metalayers";

    /// The content of a metalayer ends before the structure around it does. C-Blosc2 reads the trailer late, and the
    /// first metalayer early: on the others, profile `reference` gives no verdict.
    METALAYER_LENGTH = error "b2nd/metalayer-length", Refuses, "frame format, metalayers";

    /// Names of metalayers are UTF-8, and each is there only once.
    METALAYER_NAME = tolerable error "b2nd/metalayer-name", Accepts, "frame format, metalayers";

    /// The length at the end of the trailer leads to its first byte. Beside wrong markers, profile `reference` gives no verdict.
    TRAILER_LENGTH = tolerable error "b2nd/trailer-length", Refuses, "frame format, trailer";

    /// The version of the trailer is 1.
    TRAILER_VERSION = tolerable error "b2nd/trailer-version", Accepts, "frame format, trailer";

    /// A fingerprint of kind 0, all zeros, is the only defined one. The format cannot prove that a file is whole.
    FINGERPRINT = warning "b2nd/fingerprint", Accepts, "frame format, trailer";

    /// The header says whether the trailer has metalayers.
    ATTRIBUTES_FLAG = warning "b2nd/attributes-flag", Accepts, "frame format, header";

    /// A metalayer in the trailer is one chunk, of exactly its length.
    ATTRIBUTE_LENGTH = error "b2nd/attribute-length", Accepts, "frame format, trailer";

    /// A frame has no more than 268,435,455 chunks.
    CHUNK_COUNT = error "b2nd/chunk-count", Refuses, "C-Blosc2";

    /// The index begins after the chunks (in a sparse frame, after the header) and ends where the trailer begins.
    INDEX_PLACE = tolerable error "b2nd/index-place", Refuses, "frame format, chunks";

    /// An entry of the index leads to a chunk among the chunks, or says that all its items are zero, NaN or not
    /// initialised.
    INDEX_ENTRY = error "b2nd/index-entry", Refuses, "frame format, chunks";

    /// Every chunk has bytes, or a file, of its own. Profile `reference` gives no verdict.
    OVERLAPPING_CHUNKS = error "b2nd/overlapping-chunks", Unforeseen, "frame format, chunks";

    /// The index leads to all bytes among the chunks. Arrays that were changed may keep chunks that are no longer read.
    DEAD_CHUNK = warning "b2nd/dead-chunk", Accepts, "frame format, chunks";

    /// Every chunk of a sparse frame is a file in its folder, of exactly the chunk's length.
    CHUNK_FILE = tolerable error "b2nd/chunk-file", Refuses, "sparse frame format";

    /// The files of a sparse frame are regular files in its folder, not symbolic links. A link may lead out of the folder,
    /// to a file that is not meant to be read, and is not followed.
    LINKED_FILE = error "b2nd/linked-file", Accepts, "ndbytes";

    /// The chunks of a sparse frame together have as many bytes as its header declares.
    STORED_BYTES = warning "b2nd/stored-bytes", Accepts, "sparse frame format";

    /// Inside a chunk, and in a frame without chunks, every byte belongs to a structure.
    UNCLAIMED_BYTES = warning "b2nd/unclaimed-bytes", Accepts, "chunk format";
}

rules! {
    CHUNKS of Scope::Format(Format::B2nd), since "0.1.0";

    /// A chunk has a header of 16 or 32 bytes.
    TRUNCATED_CHUNK = error "b2nd/truncated-chunk", Refuses, "chunk format, header";

    /// The version of a chunk's format is 2 to 5. Blocks that differ in length, version 6, do not form an array.
    /// C-Blosc2 reads some chunks of other versions: profile `reference` gives no verdict.
    CHUNK_VERSION = error "b2nd/chunk-version", Unforeseen, "chunk format, header";

    /// Chunks on disk are not lazy, hold items, and were written by little-endian machines. On chunks of
    /// big-endian machines, and on measurements, profile `reference` gives no verdict.
    CHUNK_KIND = error "b2nd/chunk-kind", Refuses, "chunk format, header";

    /// Undefined bits of a chunk's header should be zero, and the version of the codec's format 1.
    CHUNK_RESERVED = warning "b2nd/chunk-reserved", Accepts, "chunk format, header";

    /// A chunk decodes to as many bytes as the frame declares. On fewer bytes in as many blocks, profile `reference` gives no
    /// verdict.
    CHUNK_LENGTH = error "b2nd/chunk-length", Refuses, "chunk format, header";

    /// A chunk takes as many bytes as its header declares, and its content fills them.
    CHUNK_STORED_LENGTH = error "b2nd/chunk-stored-length", Refuses, "chunk format, header";

    /// The bytes of a chunk without streams are stored uncompressed or are all the same. Such a chunk may claim that
    /// its streams need a dictionary, although it has none. C-Blosc2 writes such chunks if dictionaries are wanted and
    /// the bytes do not compress. It cannot read most of them.
    STORED_WITH_DICTIONARY = allowed "b2nd/stored-with-dictionary", Refuses, "C-Blosc2";

    /// A chunk may say in its own header, not in the index, that all its items are zero, NaN or not initialised. It may
    /// also have the short header of Blosc 1. C-Blosc2 3.3.5 cannot read a part of such a chunk: it refuses special ones,
    /// and most of the others. It reads a part of the first chunk, and of chunks that are mostly padding.
    LAZY_CHUNK = allowed "b2nd/lazy-chunk", Refuses, "C-Blosc2";

    /// A chunk declares the same size of an item as the frame, or 1 if that is more than 255 bytes.
    CHUNK_ITEM_SIZE = tolerable error "b2nd/chunk-item-size", Accepts, "chunk format, header";

    /// A chunk does not contradict itself: its codec matches the format of its streams, and the flag of delta matches the
    /// filters. Readers go by the format and by the filters.
    CHUNK_SETTINGS = warning "b2nd/chunk-settings", Accepts, "chunk format, header";

    /// A block has 1 to 536,866,816 bytes, and the streams that it is split into fit it. Chunks that are stored
    /// uncompressed, or whose items are all the same, have blocks of the frame's size.
    CHUNK_BLOCK_SIZE = error "b2nd/chunk-block-size", Refuses, "chunk format, header";

    /// A chunk whose items are all the same states their value. It is zero, NaN in items of 4 or 8 bytes, a value that
    /// fills it, or not initialised.
    SPECIAL_VALUE = error "b2nd/special-value", Refuses, "chunk format, special values";

    /// Delta is applied once to a block. Applied twice it is undefined: C-Blosc2 loses the items when it writes such a
    /// chunk, even if it stores the bytes uncompressed.
    DELTA_TWICE = tolerable error "b2nd/delta-twice", Accepts, "chunk format, filters; C-Blosc2";

    /// A chunk whose items are stored as differences (delta) has one block. Of several blocks, all but the first are
    /// differences from the first one. C-Blosc2 writes them and reads whole chunks right. If only some blocks are asked
    /// for, it may read wrong items.
    DELTA_BLOCKS = warning "b2nd/delta-blocks", Accepts, "C-Blosc2";

    /// The chunks of an array are made alike. Filters, parameters and the size of a block are those of the frame's
    /// header, or those of another chunk. A single chunk that differs from both was added with other settings, or a
    /// byte of it is damaged.
    ODD_CHUNK = warning "b2nd/odd-chunk", Accepts, "chunk format, header; C-Blosc2";

    /// The codec is one of Blosc2's own: blosclz, LZ4, LZ4HC, zlib, zstd. Others are plugins, which are never loaded.
    /// python-blosc2 4.14.1 brings ndlz and the three of zfp, and reads what they wrote. Nobody looks at it here: for these four,
    /// profile `reference` gives no verdict.
    PLUGIN_CODEC = error "b2nd/plugin-codec", Refuses, "chunk format; C-Blosc2's registry";

    /// The filters are Blosc2's own: shuffle, bitshuffle, delta, bytedelta and the two truncations. Others are plugins,
    /// which are never loaded. python-blosc2 4.14.1 brings ndcell and ndmean, and reads what they wrote. Nobody looks at
    /// it here: for these two, profile `reference` gives no verdict.
    PLUGIN_FILTER = error "b2nd/plugin-filter", Refuses, "chunk format; C-Blosc2's registry";

    /// Every block of a chunk starts after the table of the starts (and the dictionary) and before the end of the chunk.
    /// C-Blosc2 looks at some of these bytes late, or never: profile `reference` gives no verdict.
    BLOCK_START = error "b2nd/block-start", Unforeseen, "chunk format, block starts";

    /// Every block of a chunk has bytes of its own. Profile `reference` gives no verdict.
    OVERLAPPING_BLOCKS = error "b2nd/overlapping-blocks", Unforeseen, "chunk format, block starts";

    /// A dictionary has 1 to 32,768 bytes.
    DICTIONARY = error "b2nd/dictionary", Refuses, "chunk format, dictionaries";

    /// A chunk may have a dictionary, which its streams are compressed with. python-blosc2 4.14.1 cannot read some of the
    /// chunks that it writes so: profile `reference` gives no verdict.
    DICTIONARY_USED = allowed "b2nd/dictionary-used", Unforeseen, "python-blosc2";
}

rules! {
    STREAMS of Scope::Format(Format::B2nd), since "0.1.0";

    /// Every stream of a block ends before the next block starts and decodes to exactly its share of the block. Where C-Blosc2
    /// stops reading depends on the bytes after a stream that is cut off: on such streams, profile `reference` gives no verdict.
    BROKEN_STREAM = error "b2nd/broken-stream", Refuses, "chunk format, streams; the codecs";
}
