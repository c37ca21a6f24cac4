//! The rules for the container of a b2nd file: the frame and its chunks.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

rules! {
    FRAME of Scope::Format(Format::B2nd), since "0.1.0";

    /// The file must contain `b2frame` and a zero byte from byte 2 on, which marks it as a Blosc2 frame. C-Blosc2 does
    /// not check.
    MAGIC = tolerable error "b2nd/magic", Accepts, "frame format, header";

    /// Every field of the header, the trailer and the metalayer must be a msgpack token of fixed width, which begins
    /// with its marker. C-Blosc2 reads by position, and checks only the markers around metalayers.
    WRONG_MARKER = tolerable error "b2nd/wrong-marker", Accepts, "frame format, header and trailer; b2nd metalayer";

    /// The file must have all bytes of its frame: the header, the chunks, the index and the trailer.
    TRUNCATED_FRAME = error "b2nd/truncated", Refuses, "frame format";

    /// The file should end with the frame. Readers ignore further bytes.
    TRAILING_BYTES = warning "b2nd/trailing-bytes", Accepts, "frame format, frame length";

    /// The length in the header must be that up to the end of its last metalayer, inside the frame.
    HEADER_LENGTH = tolerable error "b2nd/header-length", Refuses, "frame format, header";

    /// The version of the frame must be 1, 2 or 3, and its offsets must have 64 bits.
    FRAME_VERSION = tolerable error "b2nd/frame-version", Refuses, "frame format, general flags";

    /// A frame must be contiguous, with its chunks inside, or sparse: a directory with one file per chunk. A contiguous
    /// frame must not be in such a directory, and a sparse one must be.
    FRAME_TYPE = error "b2nd/frame-type", Refuses, "frame format, frame type";

    /// Undefined bits and bytes of the header should be zero.
    FRAME_RESERVED = warning "b2nd/reserved-bits", Accepts, "frame format, header";

    /// At most six filters may be applied in a row.
    FILTER_SLOTS = tolerable error "b2nd/filter-slots", Refuses, "frame format, filter pipeline";

    /// The filters that the header names for writers must be Blosc2's own or a plugin's: 0 to 4, 32 to 36, or 160 and
    /// above. Each chunk names its own.
    DEFAULT_FILTER = tolerable error "b2nd/default-filter", Refuses,
        "frame format, filter pipeline; C-Blosc2's registry";

    /// The parameters of the writer's filters in the header should be below 128. Larger ones are valid, for example for
    /// bytedelta on wide items, but python-blosc2 4.14.1 reads them as negative numbers and cannot open the frame.
    FILTER_PARAMETER = allowed "b2nd/filter-parameter", Refuses, "python-blosc2";

    /// The header's settings for writers should be valid: the codec, which it states twice, the level, the numbers of
    /// threads, the room for filters, and version 3 of the frame. Readers use those of the chunks instead.
    WRITER_SETTINGS = warning "b2nd/writer-settings", Accepts, "frame format, header";

    /// Lengths in the header must not be negative, and an item must have at least one byte. C-Blosc2 does not need all lengths.
    FRAME_SIZES = error "b2nd/frame-sizes", Refuses, "frame format, header";

    /// The chunks and blocks of an array must all have the same length. A frame that says otherwise contains something else.
    VARIABLE_CHUNKS = tolerable error "b2nd/variable-chunks", Accepts, "frame format, general flags";

    /// The length before the names of the metalayers should be that up to their end.
    METALAYER_DIRECTORY = warning "b2nd/metalayer-directory", Accepts, "frame format, metalayers";

    /// Every metalayer name must have a content. A header must have at most 16 metalayers, and writers stop at 16 in a
    /// trailer too. C-Blosc2 goes by position, and reads what the offsets lead to.
    METALAYER_COUNT = tolerable error "b2nd/metalayer-count", Unforeseen, "frame format, metalayers";

    /// The offset of a metalayer must lead to its content; contents must follow each other in the order of the names.
    METALAYER_OFFSET = tolerable error "b2nd/metalayer-offset", Refuses, "frame format, metalayers";

    /// The content of a metalayer must end before the surrounding structure does.
    METALAYER_LENGTH = error "b2nd/metalayer-length", Refuses, "frame format, metalayers";

    /// Names of metalayers must be UTF-8 and unique.
    METALAYER_NAME = tolerable error "b2nd/metalayer-name", Accepts, "frame format, metalayers";

    /// The length at the end of the trailer must lead to its first byte.
    TRAILER_LENGTH = tolerable error "b2nd/trailer-length", Refuses, "frame format, trailer";

    /// The version of the trailer must be 1.
    TRAILER_VERSION = tolerable error "b2nd/trailer-version", Accepts, "frame format, trailer";

    /// The only defined fingerprint has kind 0 and is all zeros. The format cannot prove that a file is intact.
    FINGERPRINT = warning "b2nd/fingerprint", Accepts, "frame format, trailer";

    /// The header should say whether the trailer has metalayers.
    ATTRIBUTES_FLAG = warning "b2nd/attributes-flag", Accepts, "frame format, header";

    /// A metalayer in the trailer must be one chunk of exactly its length.
    ATTRIBUTE_LENGTH = error "b2nd/attribute-length", Accepts, "frame format, trailer";

    /// A frame must have at most 268,435,455 chunks.
    CHUNK_COUNT = error "b2nd/chunk-count", Refuses, "C-Blosc2";

    /// The index must begin after the chunks (in a sparse frame, after the header) and end where the trailer begins.
    INDEX_PLACE = tolerable error "b2nd/index-place", Refuses, "frame format, chunks";

    /// An entry of the index must lead to a chunk, or say that all its items are zero, NaN or uninitialised.
    INDEX_ENTRY = error "b2nd/index-entry", Refuses, "frame format, chunks";

    /// Every chunk must have bytes, or a file, of its own. C-Blosc2 does not look for others that share them.
    OVERLAPPING_CHUNKS = error "b2nd/overlapping-chunks", Unforeseen, "frame format, chunks";

    /// The index should lead to all bytes between header and index. Arrays that were changed may contain chunks that
    /// are no longer used.
    DEAD_CHUNK = warning "b2nd/dead-chunk", Accepts, "frame format, chunks";

    /// Every chunk of a sparse frame must be a file in its directory, of exactly the chunk's length.
    CHUNK_FILE = tolerable error "b2nd/chunk-file", Refuses, "sparse frame format";

    /// The files of a sparse frame must be regular files in its directory. Symbolic links are not followed: they could
    /// lead to a file that is not meant to be read.
    LINKED_FILE = error "b2nd/linked-file", Accepts, "ndbytes";

    /// The chunks of a sparse frame should have as many bytes in total as its header declares.
    STORED_BYTES = warning "b2nd/stored-bytes", Accepts, "sparse frame format";

    /// Inside a chunk, and in a frame without chunks, every byte should belong to a structure.
    UNCLAIMED_BYTES = warning "b2nd/unclaimed-bytes", Accepts, "chunk format";
}

rules! {
    CHUNKS of Scope::Format(Format::B2nd), since "0.1.0";

    /// A chunk must have a header of 16 or 32 bytes.
    TRUNCATED_CHUNK = error "b2nd/truncated-chunk", Refuses, "chunk format, header";

    /// The version of a chunk's format must be 2 to 5. Blocks of different lengths (version 6) do not form an array.
    /// C-Blosc2 reads some chunks of other versions.
    CHUNK_VERSION = error "b2nd/chunk-version", Unforeseen, "chunk format, header";

    /// Chunks on disk must not be lazy, must contain items, and must have been written by little-endian machines. C-Blosc2 takes those of big-endian
    /// machines, and measurements, for items.
    CHUNK_KIND = error "b2nd/chunk-kind", Refuses, "chunk format, header";

    /// Undefined bits of a chunk's header should be zero, and the version of the codec's format 1.
    CHUNK_RESERVED = warning "b2nd/chunk-reserved", Accepts, "chunk format, header";

    /// A chunk must decode to as many bytes as the frame declares. C-Blosc2 accepts fewer bytes in as many blocks.
    CHUNK_LENGTH = error "b2nd/chunk-length", Refuses, "chunk format, header";

    /// A chunk must take as many bytes as its header declares, and its content must fill them.
    CHUNK_STORED_LENGTH = error "b2nd/chunk-stored-length", Refuses, "chunk format, header";

    /// The bytes of a chunk without streams are stored uncompressed or are all the same. Such a chunk may still claim
    /// that its streams need a dictionary. C-Blosc2 writes such chunks if dictionaries are requested and the bytes do
    /// not compress. It cannot read most of them.
    STORED_WITH_DICTIONARY = allowed "b2nd/stored-with-dictionary", Refuses, "C-Blosc2";

    /// A chunk may state in its own header, instead of in the index, that all its items are zero, NaN or uninitialised. It may also have
    /// the short header of Blosc 1. C-Blosc2 3.3.5 cannot read parts of such a chunk: it refuses special ones, and most of the others. It
    /// can read parts of the first chunk, and of chunks that are mostly padding.
    LAZY_CHUNK = allowed "b2nd/lazy-chunk", Refuses, "C-Blosc2";

    /// A chunk must declare the item size of the frame, or 1 if that exceeds 255 bytes.
    CHUNK_ITEM_SIZE = tolerable error "b2nd/chunk-item-size", Accepts, "chunk format, header";

    /// A chunk should not contradict itself: its codec should match the format of its streams, and the flag for delta
    /// should match its filters. Readers use the format and the filters.
    CHUNK_SETTINGS = warning "b2nd/chunk-settings", Accepts, "chunk format, header";

    /// A block must have 1 to 536,866,816 bytes, and the streams that it is split into must fit it. If a chunk is
    /// stored uncompressed, or all its items are the same, its blocks must have the frame's size.
    CHUNK_BLOCK_SIZE = error "b2nd/chunk-block-size", Refuses, "chunk format, header";

    /// A chunk whose items are all the same must state their value. It must be zero, NaN for items of 4 or 8 bytes, a
    /// value that fills the chunk, or uninitialised.
    SPECIAL_VALUE = error "b2nd/special-value", Refuses, "chunk format, special values";

    /// Delta must not be applied twice to a block, which is undefined: C-Blosc2 loses the items when it writes such a
    /// chunk, even if it stores the bytes uncompressed.
    DELTA_TWICE = tolerable error "b2nd/delta-twice", Accepts, "chunk format, filters; C-Blosc2";

    /// A chunk whose items are stored as differences (delta) should have one block. With several blocks, all but the
    /// first are differences from the first one. C-Blosc2 writes such chunks, and reads them correctly as a whole. If
    /// only some blocks are requested, it may read wrong items.
    DELTA_BLOCKS = warning "b2nd/delta-blocks", Accepts, "C-Blosc2";

    /// The chunks of an array should be made alike: filters, parameters and block size should be those of the frame's
    /// header, or of another chunk. A single chunk that differs was added with other settings, or is damaged.
    ODD_CHUNK = warning "b2nd/odd-chunk", Accepts, "chunk format, header; C-Blosc2";

    /// The codec must be one of Blosc2's own: blosclz, LZ4, LZ4HC, zlib, zstd. Others are plugins, which are never loaded. python-blosc2
    /// 4.14.1 includes ndlz and the three codecs of zfp, and reads what they wrote. ndbytes does not check it, so for these four, profile
    /// `reference` gives no verdict.
    PLUGIN_CODEC = error "b2nd/plugin-codec", Refuses, "chunk format; C-Blosc2's registry";

    /// The filters must be Blosc2's own: shuffle, bitshuffle, delta, bytedelta and the two truncations. Others are plugins, which are never
    /// loaded. python-blosc2 4.14.1 includes ndcell and ndmean, and reads what they wrote. ndbytes does not check it, so for these two,
    /// profile `reference` gives no verdict.
    PLUGIN_FILTER = error "b2nd/plugin-filter", Refuses, "chunk format; C-Blosc2's registry";

    /// Every block of a chunk must start after the table of block offsets (and the dictionary) and before the end of the chunk.
    /// C-Blosc2 decodes what is at the start that a block claims, if an item of it is needed.
    BLOCK_START = error "b2nd/block-start", Unforeseen, "chunk format, block starts";

    /// Every block of a chunk must have bytes of its own. C-Blosc2 does not look for others that share them.
    OVERLAPPING_BLOCKS = error "b2nd/overlapping-blocks", Unforeseen, "chunk format, block starts";

    /// A dictionary must have 1 to 32,768 bytes.
    DICTIONARY = error "b2nd/dictionary", Refuses, "chunk format, dictionaries";

    /// A chunk may have a dictionary for its streams. python-blosc2 4.14.1 does not load it when it reads
    /// a few blocks of the chunk.
    DICTIONARY_USED = allowed "b2nd/dictionary-used", Unforeseen, "python-blosc2";
}

rules! {
    STREAMS of Scope::Format(Format::B2nd), since "0.1.0";

    /// Every stream of a block must end before the next block starts, and decode to exactly its share of the block. C-Blosc2 reads
    /// on into the next block.
    BROKEN_STREAM = error "b2nd/broken-stream", Refuses, "chunk format, streams; the codecs";
}
