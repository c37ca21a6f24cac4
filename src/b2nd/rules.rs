//! What a b2nd file may break.

use crate::{Reference, Rule};

/// The file has to say that it is a Blosc2 frame: `b2frame` and a zero byte from byte 2 on.
pub static MAGIC: Rule = Rule::error(
    "b2nd/magic",
    Reference::Accepts,
    "The file has to say that it is a Blosc2 frame: `b2frame` and a zero byte from byte 2 on. C-Blosc2 does not \
     look.",
    "frame format, header",
);

/// Every field of header, trailer and metalayer is a msgpack token of a fixed width, which begins with its marker.
pub static WRONG_MARKER: Rule = Rule::error(
    "b2nd/wrong-marker",
    Reference::Accepts,
    "Every field of header, trailer and metalayer is a msgpack token of a fixed width, which begins with its \
     marker. C-Blosc2 goes by position and looks at the markers around metalayers only.",
    "frame format, header and trailer; b2nd metalayer",
);

/// The file has to have all bytes of its frame: the header, the chunks, the index, the trailer.
pub static TRUNCATED_FRAME: Rule = Rule::error(
    "b2nd/truncated",
    Reference::Refuses,
    "The file has to have all bytes of its frame: the header, the chunks, the index, the trailer.",
    "frame format",
);

/// Nothing should follow the frame.
pub static TRAILING_BYTES: Rule = Rule::warning(
    "b2nd/trailing-bytes",
    Reference::Accepts,
    "Nothing should follow the frame. Readers ignore what does.",
    "frame format, frame length",
);

/// The header's length leads from its first byte to the end of its last metalayer, inside the frame.
pub static HEADER_LENGTH: Rule = Rule::error(
    "b2nd/header-length",
    Reference::Refuses,
    "The header's length leads from its first byte to the end of its last metalayer, inside the frame.",
    "frame format, header",
);

/// The version of the frame is 1, 2 or 3, and its offsets have 64 bits.
pub static FRAME_VERSION: Rule = Rule::error(
    "b2nd/frame-version",
    Reference::Refuses,
    "The version of the frame is 1, 2 or 3, and its offsets have 64 bits.",
    "frame format, general flags",
);

/// A frame is contiguous, with its chunks inside, or sparse, with chunks as files beside it in a folder of its own.
pub static FRAME_TYPE: Rule = Rule::error(
    "b2nd/frame-type",
    Reference::Refuses,
    "A frame is contiguous, with its chunks inside, or sparse, with chunks as files beside it in a folder of its \
     own. It has to stand where its type says.",
    "frame format, frame type",
);

/// Bits and bytes of the header that nobody has defined should be zero.
pub static FRAME_RESERVED: Rule = Rule::warning(
    "b2nd/reserved-bits",
    Reference::Accepts,
    "Bits and bytes of the header that nobody has defined should be zero.",
    "frame format, header",
);

/// At most six filters can be applied in a row.
pub static FILTER_SLOTS: Rule = Rule::error(
    "b2nd/filter-slots",
    Reference::Refuses,
    "At most six filters can be applied in a row.",
    "frame format, filter pipeline",
);

/// The filters that the header names for writers are Blosc2's own or a plugin's: 0 to 4, 32 to 36, or 160 and above.
pub static DEFAULT_FILTER: Rule = Rule::error(
    "b2nd/default-filter",
    Reference::Refuses,
    "The filters that the header names for writers are Blosc2's own or a plugin's: 0 to 4, 32 to 36, or 160 and \
     above. Each chunk names its own.",
    "frame format, filter pipeline; C-Blosc2's registry",
);

/// What the header says of its writer means something.
pub static WRITER_SETTINGS: Rule = Rule::warning(
    "b2nd/writer-settings",
    Reference::Accepts,
    "What the header says of its writer means something: the codec, which it names twice, the level, the numbers of \
     threads, the room for filters, version 3 of the frame. Readers look at the chunks instead.",
    "frame format, header",
);

/// Lengths in the header are not negative, and an item has at least one byte.
pub static FRAME_SIZES: Rule = Rule::error(
    "b2nd/frame-sizes",
    Reference::Refuses,
    "Lengths in the header are not negative, and an item has at least one byte.",
    "frame format, header",
);

/// The chunks and blocks of an array all have the same length.
pub static VARIABLE_CHUNKS: Rule = Rule::error(
    "b2nd/variable-chunks",
    Reference::Accepts,
    "The chunks and blocks of an array all have the same length. A frame that says otherwise holds something \
     else.",
    "frame format, general flags",
);

/// The length before the names of metalayers leads to their end.
pub static METALAYER_DIRECTORY: Rule = Rule::warning(
    "b2nd/metalayer-directory",
    Reference::Accepts,
    "The length before the names of metalayers leads to their end.",
    "frame format, metalayers",
);

/// Every name of a metalayer has a content.
pub static METALAYER_COUNT: Rule = Rule::error(
    "b2nd/metalayer-count",
    Reference::Refuses,
    "Every name of a metalayer has a content. There are no more than 16 in a header, and writers stop at 16 in a \
     trailer too.",
    "frame format, metalayers",
);

/// The offset beside a metalayer's name leads to its content; contents follow each other in the order of the names.
pub static METALAYER_OFFSET: Rule = Rule::error(
    "b2nd/metalayer-offset",
    Reference::Refuses,
    "The offset beside a metalayer's name leads to its content; contents follow each other in the order of the \
     names.",
    "frame format, metalayers",
);

/// The content of a metalayer ends before the structure around it does.
pub static METALAYER_LENGTH: Rule = Rule::error(
    "b2nd/metalayer-length",
    Reference::Refuses,
    "The content of a metalayer ends before the structure around it does.",
    "frame format, metalayers",
);

/// Names of metalayers are UTF-8, and each is there only once.
pub static METALAYER_NAME: Rule = Rule::error(
    "b2nd/metalayer-name",
    Reference::Accepts,
    "Names of metalayers are UTF-8, and each is there only once.",
    "frame format, metalayers",
);

/// The length at the end of the trailer leads to its first byte.
pub static TRAILER_LENGTH: Rule = Rule::error(
    "b2nd/trailer-length",
    Reference::Refuses,
    "The length at the end of the trailer leads to its first byte.",
    "frame format, trailer",
);

/// The version of the trailer is 1.
pub static TRAILER_VERSION: Rule = Rule::error(
    "b2nd/trailer-version",
    Reference::Accepts,
    "The version of the trailer is 1.",
    "frame format, trailer",
);

/// A fingerprint of kind 0, all zeros, is the only one that is defined: nothing in the format proves that a file is
/// whole.
pub static FINGERPRINT: Rule = Rule::warning(
    "b2nd/fingerprint",
    Reference::Accepts,
    "A fingerprint of kind 0, all zeros, is the only one that is defined: nothing in the format proves that a \
     file is whole.",
    "frame format, trailer",
);

/// The header says whether the trailer has metalayers.
pub static ATTRIBUTES_FLAG: Rule = Rule::warning(
    "b2nd/attributes-flag",
    Reference::Accepts,
    "The header says whether the trailer has metalayers.",
    "frame format, header",
);

/// A metalayer in the trailer is one chunk, of exactly its length.
pub static ATTRIBUTE_LENGTH: Rule = Rule::error(
    "b2nd/attribute-length",
    Reference::Accepts,
    "A metalayer in the trailer is one chunk, of exactly its length.",
    "frame format, trailer",
);

/// A frame has no more than 268,435,455 chunks.
pub static CHUNK_COUNT: Rule =
    Rule::error("b2nd/chunk-count", Reference::Refuses, "A frame has no more than 268,435,455 chunks.", "C-Blosc2");

/// The index begins behind the chunks (in a sparse frame, behind the header) and ends where the trailer begins.
pub static INDEX_PLACE: Rule = Rule::error(
    "b2nd/index-place",
    Reference::Refuses,
    "The index begins behind the chunks (in a sparse frame, behind the header) and ends where the trailer begins.",
    "frame format, chunks",
);

/// An entry of the index leads to a chunk among the chunks, or says that all its items are zero, NaN or not
/// initialised.
pub static INDEX_ENTRY: Rule = Rule::error(
    "b2nd/index-entry",
    Reference::Refuses,
    "An entry of the index leads to a chunk among the chunks, or says that all its items are zero, NaN or not \
     initialised.",
    "frame format, chunks",
);

/// Every chunk has bytes, or a file, of its own.
pub static OVERLAPPING_CHUNKS: Rule = Rule::error(
    "b2nd/overlapping-chunks",
    Reference::Accepts,
    "Every chunk has bytes, or a file, of its own.",
    "frame format, chunks",
);

/// The index leads to everything that stands among the chunks.
pub static DEAD_CHUNK: Rule = Rule::warning(
    "b2nd/dead-chunk",
    Reference::Accepts,
    "The index leads to everything that stands among the chunks. Arrays that were changed may keep what nobody \
     reads any more.",
    "frame format, chunks",
);

/// Every chunk of a sparse frame is a file in its folder, of exactly the chunk's length.
pub static CHUNK_FILE: Rule = Rule::error(
    "b2nd/chunk-file",
    Reference::Refuses,
    "Every chunk of a sparse frame is a file in its folder, of exactly the chunk's length.",
    "sparse frame format",
);

/// The chunks of a sparse frame have as many bytes together as its header says.
pub static STORED_BYTES: Rule = Rule::warning(
    "b2nd/stored-bytes",
    Reference::Accepts,
    "The chunks of a sparse frame have as many bytes together as its header says.",
    "sparse frame format",
);

/// Inside a chunk, and in a frame without chunks, every byte belongs to something.
pub static UNCLAIMED_BYTES: Rule = Rule::warning(
    "b2nd/unclaimed-bytes",
    Reference::Accepts,
    "Inside a chunk, and in a frame without chunks, every byte belongs to something.",
    "chunk format",
);

/// A frame is an array if one of its metalayers is called `b2nd`, or `caterva` as it was before.
pub static NO_ARRAY: Rule = Rule::error(
    "b2nd/no-array",
    Reference::Refuses,
    "A frame is an array if one of its metalayers is called `b2nd`, or `caterva` as it was before.",
    "b2nd metalayer",
);

/// Lazy expressions, proxies and other objects of python-blosc2 are saved as arrays whose chunks are empty.
pub static OTHER_OBJECT: Rule = Rule::error(
    "b2nd/other-object",
    Reference::Refuses,
    "Lazy expressions, proxies and other objects of python-blosc2 are saved as arrays whose chunks are empty. \
     Read as arrays, they would be all zero.",
    "python-blosc2",
);

/// The metalayer of the array has exactly the bytes of its parts.
pub static LAYER_LENGTH: Rule = Rule::error(
    "b2nd/array-length",
    Reference::Refuses,
    "The metalayer of the array has exactly the bytes of its parts.",
    "b2nd metalayer",
);

/// The version of the array's metalayer is 0.
pub static LAYER_VERSION: Rule = Rule::error(
    "b2nd/array-version",
    Reference::Accepts,
    "The version of the array's metalayer is 0.",
    "b2nd metalayer",
);

/// An array has no more than 16 axes.
pub static TOO_MANY_AXES: Rule =
    Rule::error("b2nd/too-many-axes", Reference::Refuses, "An array has no more than 16 axes.", "C-Blosc2");

/// Extents are not negative, and an axis that has items has chunks and blocks with an extent.
pub static EXTENTS: Rule = Rule::error(
    "b2nd/extents",
    Reference::Refuses,
    "Extents are not negative, and an axis that has items has chunks and blocks with an extent.",
    "b2nd metalayer",
);

/// A block is not larger than a chunk along any axis.
pub static BLOCK_BEYOND_CHUNK: Rule = Rule::warning(
    "b2nd/block-beyond-chunk",
    Reference::Accepts,
    "A block is not larger than a chunk along any axis.",
    "python-blosc2",
);

/// A block has no more than 536,866,816 bytes, a chunk no more than 2^31 - 33, and all chunks together no more than
/// 2^63 - 1.
pub static TOO_LARGE: Rule = Rule::error(
    "b2nd/too-large",
    Reference::Refuses,
    "A block has no more than 536,866,816 bytes, a chunk no more than 2^31 - 33, and all chunks together no more \
     than 2^63 - 1.",
    "C-Blosc2",
);

/// The lengths in the header of the frame are those that the shapes of array, chunks and blocks come to.
pub static GEOMETRY: Rule = Rule::error(
    "b2nd/geometry",
    Reference::Accepts,
    "The lengths in the header of the frame are those that the shapes of array, chunks and blocks come to.",
    "b2nd metalayer",
);

/// The dtype is in NumPy's words, format 0.
pub static DTYPE_FORMAT: Rule =
    Rule::error("b2nd/dtype-format", Reference::Refuses, "The dtype is in NumPy's words, format 0.", "b2nd metalayer");

/// The dtype is one that NumPy knows: its name, or the literal of a structure.
pub static DTYPE: Rule = Rule::error(
    "b2nd/dtype",
    Reference::Refuses,
    "The dtype is one that NumPy knows: its name, or the literal of a structure.",
    "b2nd metalayer; NumPy",
);

/// An item of the dtype has as many bytes as the frame says.
pub static ITEM_SIZE: Rule = Rule::warning(
    "b2nd/item-size",
    Reference::Refuses,
    "An item of the dtype has as many bytes as the frame says. Writers in C that give no dtype leave `|u1` for \
     items of any size: these are raw bytes.",
    "b2nd metalayer",
);

/// A chunk has a header of 16 or 32 bytes.
pub static TRUNCATED_CHUNK: Rule = Rule::error(
    "b2nd/truncated-chunk",
    Reference::Refuses,
    "A chunk has a header of 16 or 32 bytes.",
    "chunk format, header",
);

/// The version of a chunk's format is 2 to 5; blocks that differ in length, version 6, make no array.
pub static CHUNK_VERSION: Rule = Rule::error(
    "b2nd/chunk-version",
    Reference::Accepts,
    "The version of a chunk's format is 2 to 5; blocks that differ in length, version 6, make no array.",
    "chunk format, header",
);

/// Chunks on disk are not lazy, hold items, and were written by little-endian machines.
pub static CHUNK_KIND: Rule = Rule::error(
    "b2nd/chunk-kind",
    Reference::Refuses,
    "Chunks on disk are not lazy, hold items, and were written by little-endian machines.",
    "chunk format, header",
);

/// Bits of a chunk's header that nobody has defined should be zero, and the version of the codec's format 1.
pub static CHUNK_RESERVED: Rule = Rule::warning(
    "b2nd/chunk-reserved",
    Reference::Accepts,
    "Bits of a chunk's header that nobody has defined should be zero, and the version of the codec's format 1.",
    "chunk format, header",
);

/// A chunk decodes to as many bytes as the frame says.
pub static CHUNK_LENGTH: Rule = Rule::error(
    "b2nd/chunk-length",
    Reference::Refuses,
    "A chunk decodes to as many bytes as the frame says.",
    "chunk format, header",
);

/// A chunk takes as many bytes as its header says, and these are as many as what it holds.
pub static CHUNK_STORED_LENGTH: Rule = Rule::error(
    "b2nd/chunk-stored-length",
    Reference::Refuses,
    "A chunk takes as many bytes as its header says, and these are as many as what it holds.",
    "chunk format, header",
);

/// A chunk whose bytes are stored as they are may say that its streams need a dictionary: it has none.
pub static STORED_WITH_DICTIONARY: Rule = Rule::allowed(
    "b2nd/stored-with-dictionary",
    "A chunk whose bytes are stored as they are may say that its streams need a dictionary: it has none. C-Blosc2 \
     writes such chunks where dictionaries are wanted and nothing can be compressed, and cannot read them.",
    "C-Blosc2",
);

/// A chunk says that an item has as many bytes as the frame says, or 1 if that is more than 255.
pub static CHUNK_ITEM_SIZE: Rule = Rule::error(
    "b2nd/chunk-item-size",
    Reference::Accepts,
    "A chunk says that an item has as many bytes as the frame says, or 1 if that is more than 255.",
    "chunk format, header",
);

/// What a chunk says twice it says alike: its codec and the format of its streams, the flag of delta and the filters.
pub static CHUNK_SETTINGS: Rule = Rule::warning(
    "b2nd/chunk-settings",
    Reference::Accepts,
    "What a chunk says twice it says alike: its codec and the format of its streams, the flag of delta and the \
     filters. Readers go by the format and by the filters.",
    "chunk format, header",
);

/// A block has 1 to 536,866,816 bytes, and as many streams as it is split into fit it.
pub static CHUNK_BLOCK_SIZE: Rule = Rule::error(
    "b2nd/chunk-block-size",
    Reference::Refuses,
    "A block has 1 to 536,866,816 bytes, and as many streams as it is split into fit it. Chunks that are stored \
     as they are, or all of whose items are the same, have blocks of the frame's size.",
    "chunk format, header",
);

/// A chunk whose items are all the same says which value that is: zero, NaN in items of 4 or 8 bytes, a value that
/// fills it, or none at all.
pub static SPECIAL_VALUE: Rule = Rule::error(
    "b2nd/special-value",
    Reference::Refuses,
    "A chunk whose items are all the same says which value that is: zero, NaN in items of 4 or 8 bytes, a value \
     that fills it, or none at all.",
    "chunk format, special values",
);

/// The codec is one of Blosc2's own: blosclz, LZ4, LZ4HC, zlib, zstd.
pub static PLUGIN_CODEC: Rule = Rule::error(
    "b2nd/plugin-codec",
    Reference::Refuses,
    "The codec is one of Blosc2's own: blosclz, LZ4, LZ4HC, zlib, zstd. Others are plugins, which are never \
     looked for.",
    "chunk format; C-Blosc2's registry",
);

/// The filters are Blosc2's own: shuffle, bitshuffle, delta, bytedelta and the two truncations.
pub static PLUGIN_FILTER: Rule = Rule::error(
    "b2nd/plugin-filter",
    Reference::Refuses,
    "The filters are Blosc2's own: shuffle, bitshuffle, delta, bytedelta and the two truncations. Others are \
     plugins, which are never looked for.",
    "chunk format; C-Blosc2's registry",
);

/// Every block of a chunk starts behind the table of the starts (and the dictionary) and before the end of the
/// chunk.
pub static BLOCK_START: Rule = Rule::error(
    "b2nd/block-start",
    Reference::Refuses,
    "Every block of a chunk starts behind the table of the starts (and the dictionary) and before the end of the \
     chunk.",
    "chunk format, block starts",
);

/// Every block of a chunk has bytes of its own.
pub static OVERLAPPING_BLOCKS: Rule = Rule::error(
    "b2nd/overlapping-blocks",
    Reference::Accepts,
    "Every block of a chunk has bytes of its own.",
    "chunk format, block starts",
);

/// A dictionary has 1 to 32,768 bytes.
pub static DICTIONARY: Rule = Rule::error(
    "b2nd/dictionary",
    Reference::Refuses,
    "A dictionary has 1 to 32,768 bytes.",
    "chunk format, dictionaries",
);

/// Items of a block that lie beyond the array are zero, or all the same.
pub static PADDING: Rule = Rule::warning(
    "b2nd/padding",
    Reference::Accepts,
    "Items of a block that lie beyond the array are zero, or all the same. Others may be what was there before \
     the array shrank: no reader shows them.",
    "b2nd metalayer; C-Blosc2",
);

/// Every stream of a block ends before the next block starts and decodes to exactly its share of the block.
pub static BROKEN_STREAM: Rule = Rule::error(
    "b2nd/broken-stream",
    Reference::Refuses,
    "Every stream of a block ends before the next block starts and decodes to exactly its share of the block.",
    "chunk format, streams; the codecs",
);

/// Every rule about b2nd.
pub(crate) static ALL: &[&Rule] = &[
    &MAGIC,
    &WRONG_MARKER,
    &TRUNCATED_FRAME,
    &TRAILING_BYTES,
    &HEADER_LENGTH,
    &FRAME_VERSION,
    &FRAME_TYPE,
    &FRAME_RESERVED,
    &FILTER_SLOTS,
    &DEFAULT_FILTER,
    &WRITER_SETTINGS,
    &FRAME_SIZES,
    &VARIABLE_CHUNKS,
    &METALAYER_DIRECTORY,
    &METALAYER_COUNT,
    &METALAYER_OFFSET,
    &METALAYER_LENGTH,
    &METALAYER_NAME,
    &TRAILER_LENGTH,
    &TRAILER_VERSION,
    &FINGERPRINT,
    &ATTRIBUTES_FLAG,
    &ATTRIBUTE_LENGTH,
    &CHUNK_COUNT,
    &INDEX_PLACE,
    &INDEX_ENTRY,
    &OVERLAPPING_CHUNKS,
    &DEAD_CHUNK,
    &CHUNK_FILE,
    &STORED_BYTES,
    &UNCLAIMED_BYTES,
    &NO_ARRAY,
    &OTHER_OBJECT,
    &LAYER_LENGTH,
    &LAYER_VERSION,
    &TOO_MANY_AXES,
    &EXTENTS,
    &BLOCK_BEYOND_CHUNK,
    &TOO_LARGE,
    &GEOMETRY,
    &DTYPE_FORMAT,
    &DTYPE,
    &ITEM_SIZE,
    &TRUNCATED_CHUNK,
    &CHUNK_VERSION,
    &CHUNK_KIND,
    &CHUNK_RESERVED,
    &CHUNK_LENGTH,
    &CHUNK_STORED_LENGTH,
    &STORED_WITH_DICTIONARY,
    &CHUNK_ITEM_SIZE,
    &CHUNK_SETTINGS,
    &CHUNK_BLOCK_SIZE,
    &SPECIAL_VALUE,
    &PLUGIN_CODEC,
    &PLUGIN_FILTER,
    &BLOCK_START,
    &OVERLAPPING_BLOCKS,
    &DICTIONARY,
    &PADDING,
    &BROKEN_STREAM,
];
