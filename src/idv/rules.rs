//! What an IDV file may break.

use crate::rule::{Reference, Rule};

const DESC: &str = "the published description of the format";
const LOADER: &str = "ML.NET's `BinaryLoader`";
const SAVER: &str = "ML.NET's `BinarySaver`";
const CODEC: &str = "ML.NET's codecs";
const DEFLATE: &str = "RFC 1951";
const ZLIB_NOTES: &str = "the technical notes of zlib";

// The header.

/// The file ends inside its header of 256 bytes.
pub static TRUNCATED_HEADER: Rule =
    Rule::error("idv/truncated-header", Reference::Refuses, "The file ends inside its header of 256 bytes.", DESC);
/// A file begins with `CML`, 0, `DVB`, 0.
pub static BAD_MAGIC: Rule =
    Rule::error("idv/bad-magic", Reference::Refuses, "A file begins with `CML`, 0, `DVB`, 0.", DESC);
/// The lowest version whose readers can read the file is at most its own version, and at most 1.1.1.6, the newest that is known.
pub static INCOMPATIBLE_VERSION: Rule = Rule::error(
    "idv/incompatible-version",
    Reference::Refuses,
    "The lowest version whose readers can read the file is at most its own version, and at most 1.1.1.6, the newest \
     that is known.",
    DESC,
);
/// Files up to version 1.1.1.3 were never public.
pub static OLD_VERSION: Rule = Rule::warning(
    "idv/old-version",
    Reference::Refuses,
    "Files up to version 1.1.1.3 were never public. ndbytes reads them by what their description says; ML.NET refuses \
     them.",
    DESC,
);
/// The file is of a version that is not known, but says that readers of a known one can read it.
pub static NEW_VERSION: Rule = Rule::warning(
    "idv/new-version",
    Reference::Accepts,
    "The file is of a version that is not known, but says that readers of a known one can read it.",
    DESC,
);
/// The numbers of rows and of columns are not negative.
pub static NEGATIVE_COUNT: Rule = Rule::error(
    "idv/negative-count",
    Reference::Refuses,
    "The numbers of rows and of columns are not negative.",
    LOADER,
);
/// The last 204 bytes of the header are zero.
pub static RESERVED_BYTES: Rule = Rule::error(
    "idv/reserved-bytes",
    Reference::Accepts,
    "The last 204 bytes of the header are zero: nothing reads them, so they could only hide something.",
    SAVER,
);
/// The table of columns stands behind the header, inside the file.
pub static COLUMNS_OFFSET: Rule = Rule::error(
    "idv/columns-offset",
    Reference::Refuses,
    "The table of columns stands behind the header, inside the file.",
    LOADER,
);
/// The tail stands behind the header.
pub static TAIL_OFFSET: Rule =
    Rule::error("idv/tail-offset", Reference::Refuses, "The tail stands behind the header.", LOADER);
/// The file is as long as its header says.
pub static TRUNCATED: Rule = Rule::error(
    "idv/truncated",
    Reference::Refuses,
    "The file is as long as its header says: the tail is inside it.",
    LOADER,
);
/// A file ends with the bytes of its magic in reverse.
pub static BAD_TAIL: Rule =
    Rule::error("idv/bad-tail", Reference::Refuses, "A file ends with the bytes of its magic in reverse.", LOADER);
/// Nothing stands behind the tail.
pub static TRAILING_BYTES: Rule =
    Rule::error("idv/trailing-bytes", Reference::Accepts, "Nothing stands behind the tail.", SAVER);
/// The tail is the last thing in a file.
pub static AFTER_TAIL: Rule = Rule::error(
    "idv/after-tail",
    Reference::Accepts,
    "The tail is the last thing in a file: no table and no block stands behind it.",
    SAVER,
);
/// No byte belongs to two things.
pub static OVERLAP: Rule = Rule::error(
    "idv/overlap",
    Reference::Accepts,
    "No byte belongs to two things: tables and blocks neither overlap nor are shared.",
    SAVER,
);
/// Every byte belongs to something.
pub static GAP: Rule = Rule::error(
    "idv/gap",
    Reference::Accepts,
    "Every byte belongs to something: tables and blocks follow each other without gaps.",
    SAVER,
);
// The table of columns.

/// The table of columns has to be readable to its end.
pub static UNREADABLE_COLUMNS: Rule = Rule::error(
    "idv/unreadable-columns",
    Reference::Refuses,
    "The table of columns has to be readable to its end: each entry depends on the one before.",
    LOADER,
);
/// A column has a name.
pub static EMPTY_NAME: Rule = Rule::error("idv/empty-name", Reference::Refuses, "A column has a name.", LOADER);
/// Of several columns with the same name, the last is seen and the others are hidden.
pub static DUPLICATE_NAME: Rule = Rule::warning(
    "idv/duplicate-name",
    Reference::Accepts,
    "Of several columns with the same name, the last is seen and the others are hidden. ML.NET's public interface \
     does not write hidden columns.",
    SAVER,
);
/// Names and texts are UTF-8.
pub static BAD_UTF8: Rule = Rule::error(
    "idv/bad-utf8",
    Reference::Accepts,
    "Names and texts are UTF-8. ML.NET replaces what is not, and so loses it.",
    DESC,
);
/// LEB128 numbers are as short as they can be.
pub static OVERLONG_LEB128: Rule =
    Rule::warning("idv/overlong-leb128", Reference::Accepts, "LEB128 numbers are as short as they can be.", SAVER);
/// Blocks have at least one row, if there are rows.
pub static ROWS_PER_BLOCK: Rule =
    Rule::error("idv/rows-per-block", Reference::Refuses, "Blocks have at least one row, if there are rows.", LOADER);
/// The number of rows of a block is below 2^31.
pub static WRAPPED_ROWS_PER_BLOCK: Rule = Rule::error(
    "idv/wrapped-rows-per-block",
    Reference::Accepts,
    "The number of rows of a block is below 2^31. ML.NET takes the lowest 32 bits of a larger number, as ndbytes does \
     if it is asked to tolerate this.",
    LOADER,
);
/// All columns have the same number of rows in their blocks.
pub static MIXED_ROWS_PER_BLOCK: Rule = Rule::error(
    "idv/mixed-rows-per-block",
    Reference::Refuses,
    "All columns have the same number of rows in their blocks.",
    LOADER,
);
/// A column has at most 2^31 - 1 blocks.
pub static TOO_MANY_BLOCKS: Rule =
    Rule::error("idv/too-many-blocks", Reference::Refuses, "A column has at most 2^31 - 1 blocks.", LOADER);
/// Blocks are not declared to have more rows than the table.
pub static LARGE_ROWS_PER_BLOCK: Rule = Rule::warning(
    "idv/large-rows-per-block",
    Reference::Accepts,
    "Blocks are not declared to have more rows than the table.",
    SAVER,
);
/// A codec has a name.
pub static CODEC_NAME: Rule = Rule::error("idv/codec-name", Reference::Refuses, "A codec has a name.", CODEC);
/// The parameters of a codec take exactly the bytes that they are declared to take.
pub static CODEC_LENGTH: Rule = Rule::error(
    "idv/codec-length",
    Reference::Refuses,
    "The parameters of a codec take exactly the bytes that they are declared to take.",
    CODEC,
);
/// A column whose codec is not known cannot be read.
pub static UNKNOWN_CODEC: Rule = Rule::warning(
    "idv/unknown-codec",
    Reference::Accepts,
    "A column whose codec is not known cannot be read. The other columns can.",
    CODEC,
);
/// A vector or a key of a codec that is not known cannot be read.
pub static UNKNOWN_INNER_CODEC: Rule = Rule::warning(
    "idv/unknown-inner-codec",
    Reference::Refuses,
    "A vector or a key of a codec that is not known cannot be read. ML.NET then refuses the whole file; ndbytes reads \
     the other columns.",
    CODEC,
);
/// `UInt128` and `RowId` are the names that ML.NET up to 0.10 gave to the codec of row identifiers.
pub static OLD_ROW_ID: Rule = Rule::warning(
    "idv/old-row-id",
    Reference::Accepts,
    "`UInt128` and `RowId` are the names that ML.NET up to 0.10 gave to the codec of row identifiers. Today's ML.NET \
     leaves such columns out; ndbytes reads them.",
    CODEC,
);
/// Version 1.1.1.6 renamed the codecs of truth values and of times and brought others.
pub static CODEC_VERSION: Rule = Rule::warning(
    "idv/codec-version",
    Reference::Accepts,
    "Version 1.1.1.6 renamed the codecs of truth values and of times and brought others. A file uses those of its \
     version.",
    CODEC,
);
/// A key is stored as an unsigned integer.
pub static KEY_NUMBER: Rule =
    Rule::error("idv/key-number", Reference::Refuses, "A key is stored as an unsigned integer.", CODEC);
/// A key has at least one category, and no more than its number can tell apart.
pub static KEY_COUNT: Rule = Rule::error(
    "idv/key-count",
    Reference::Refuses,
    "A key has at least one category, and no more than its number can tell apart.",
    CODEC,
);
/// Keys of ML.NET up to 0.9 could begin at another number than 0, or have gaps.
pub static OLD_KEY: Rule = Rule::warning(
    "idv/old-key",
    Reference::Refuses,
    "Keys of ML.NET up to 0.9 could begin at another number than 0, or have gaps. Today's ML.NET refuses the whole \
     file; ndbytes reads it.",
    CODEC,
);
/// The items of a vector are no vectors.
pub static NESTED_VECTOR: Rule =
    Rule::error("idv/nested-vector", Reference::Refuses, "The items of a vector are no vectors.", CODEC);
/// The extents of a vector are not negative, and their product is below 2^31.
pub static VECTOR_DIMS: Rule = Rule::error(
    "idv/vector-dims",
    Reference::Refuses,
    "The extents of a vector are not negative, and their product is below 2^31.",
    CODEC,
);
/// A column whose compression is not known cannot be read.
pub static UNKNOWN_COMPRESSION: Rule = Rule::warning(
    "idv/unknown-compression",
    Reference::Accepts,
    "A column whose compression is not known cannot be read. The other columns can.",
    DESC,
);
/// The description of the format promises zlib as compression 2, but ML.NET never had it.
pub static ZLIB: Rule = Rule::warning(
    "idv/zlib",
    Reference::Accepts,
    "The description of the format promises zlib as compression 2, but ML.NET never had it: it leaves such columns \
     out. ndbytes reads them.",
    DESC,
);
// Where blocks stand.

/// The lookup table of a column stands between the header and the tail.
pub static LOOKUP_OFFSET: Rule = Rule::error(
    "idv/lookup-offset",
    Reference::Refuses,
    "The lookup table of a column stands between the header and the tail.",
    LOADER,
);
/// A block stands between the header and the tail.
pub static BLOCK_OFFSET: Rule =
    Rule::error("idv/block-offset", Reference::Refuses, "A block stands between the header and the tail.", LOADER);
/// A block's lengths are not negative.
pub static BLOCK_LENGTH: Rule =
    Rule::error("idv/block-length", Reference::Refuses, "A block's lengths are not negative.", LOADER);
/// A block that is not compressed has as many bytes in the file as it is declared to have.
pub static STORED_LENGTH: Rule = Rule::error(
    "idv/stored-length",
    Reference::Refuses,
    "A block that is not compressed has as many bytes in the file as it is declared to have.",
    LOADER,
);
/// A block that is not compressed takes no more bytes in the file than it is declared to have.
pub static EXCESS_STORED_LENGTH: Rule = Rule::error(
    "idv/excess-stored-length",
    Reference::Accepts,
    "A block that is not compressed takes no more bytes in the file than it is declared to have.",
    SAVER,
);
/// A block is not declared longer than its compressed bytes can become.
pub static IMPOSSIBLE_LENGTH: Rule = Rule::error(
    "idv/impossible-length",
    Reference::Refuses,
    "A block is not declared longer than its compressed bytes can become: deflate makes 1032 bytes out of one at the \
     most.",
    ZLIB_NOTES,
);
/// The slot names of a column of version 1.1.1.3 stand inside the file and take the bytes that they are declared to take.
pub static SLOT_NAMES: Rule = Rule::error(
    "idv/slot-names",
    Reference::Refuses,
    "The slot names of a column of version 1.1.1.3 stand inside the file and take the bytes that they are declared to \
     take.",
    DESC,
);
// Annotations.

/// The table of a column's annotations stands between the header and the tail.
pub static ANNOTATIONS_OFFSET: Rule = Rule::error(
    "idv/annotations-offset",
    Reference::Refuses,
    "The table of a column's annotations stands between the header and the tail.",
    LOADER,
);
/// The table of a column's annotations has to be readable to its end.
pub static UNREADABLE_ANNOTATIONS: Rule = Rule::error(
    "idv/unreadable-annotations",
    Reference::Refuses,
    "The table of a column's annotations has to be readable to its end.",
    LOADER,
);
/// A table of annotations has at least one entry.
pub static ANNOTATION_COUNT: Rule = Rule::error(
    "idv/annotation-count",
    Reference::Refuses,
    "A table of annotations has at least one entry: a column without annotations has no table.",
    LOADER,
);
/// An annotation says what it is.
pub static ANNOTATION_KIND: Rule =
    Rule::error("idv/annotation-kind", Reference::Refuses, "An annotation says what it is.", LOADER);
/// A column has at most one annotation of a kind.
pub static DUPLICATE_ANNOTATION: Rule = Rule::error(
    "idv/duplicate-annotation",
    Reference::Refuses,
    "A column has at most one annotation of a kind.",
    LOADER,
);
/// The block of an annotation stands between the header and the tail, and is not empty.
pub static ANNOTATION_BLOCK: Rule = Rule::error(
    "idv/annotation-block",
    Reference::Refuses,
    "The block of an annotation stands between the header and the tail, and is not empty.",
    LOADER,
);
/// An annotation whose codec or compression is not known cannot be read.
pub static UNKNOWN_ANNOTATION: Rule = Rule::warning(
    "idv/unknown-annotation",
    Reference::Refuses,
    "An annotation whose codec or compression is not known cannot be read. ML.NET means to pass over it, but fails on \
     its own message about that.",
    LOADER,
);
/// A vector of a fixed size has a name for every slot, or no names.
pub static SLOT_NAME_COUNT: Rule = Rule::warning(
    "idv/slot-name-count",
    Reference::Accepts,
    "A vector of a fixed size has a name for every slot, or no names.",
    SAVER,
);
/// A key has a value for every category, or no values.
pub static KEY_VALUE_COUNT: Rule = Rule::warning(
    "idv/key-value-count",
    Reference::Accepts,
    "A key has a value for every category, or no values.",
    SAVER,
);
// Compressed blocks.

/// The compressed bytes of a block decode.
pub static CORRUPT_STREAM: Rule =
    Rule::error("idv/corrupt-stream", Reference::Refuses, "The compressed bytes of a block decode.", DEFLATE);
/// The compressed bytes of a block become as many as the block is declared to have.
pub static SHORT_STREAM: Rule = Rule::error(
    "idv/short-stream",
    Reference::Refuses,
    "The compressed bytes of a block become as many as the block is declared to have.",
    LOADER,
);
/// The compressed bytes of a block do not become more than the block is declared to have.
pub static LONG_STREAM: Rule = Rule::error(
    "idv/long-stream",
    Reference::Accepts,
    "The compressed bytes of a block do not become more than the block is declared to have. ML.NET does not look at \
     what is left over.",
    SAVER,
);
/// The compressed bytes of a block are a whole stream, up to its end.
pub static UNENDED_STREAM: Rule = Rule::error(
    "idv/unended-stream",
    Reference::Accepts,
    "The compressed bytes of a block are a whole stream, up to its end. ML.NET stops when the block is full, and does \
     not see that the end is missing or broken.",
    DEFLATE,
);
/// Nothing stands behind the stream of a compressed block.
pub static STREAM_TRAILING_BYTES: Rule = Rule::error(
    "idv/stream-trailing-bytes",
    Reference::Accepts,
    "Nothing stands behind the stream of a compressed block.",
    SAVER,
);
// What is in blocks.

/// A block holds all values of its rows.
pub static SHORT_BLOCK: Rule =
    Rule::error("idv/short-block", Reference::Refuses, "A block holds all values of its rows.", CODEC);
/// A block holds nothing but the values of its rows.
pub static EXCESS_BLOCK_BYTES: Rule = Rule::error(
    "idv/excess-block-bytes",
    Reference::Accepts,
    "A block holds nothing but the values of its rows.",
    SAVER,
);
/// A block of texts has as many texts as it has rows, or items in its vectors.
pub static TEXT_COUNT: Rule = Rule::error(
    "idv/text-count",
    Reference::Refuses,
    "A block of texts has as many texts as it has rows, or items in its vectors.",
    CODEC,
);
/// The ends of the texts of a block do not decrease, a missing text has no length, and the last one ends with the text, counted in UTF-16 units.
pub static TEXT_BOUNDARIES: Rule = Rule::error(
    "idv/text-boundaries",
    Reference::Refuses,
    "The ends of the texts of a block do not decrease, a missing text has no length, and the last one ends with the \
     text, counted in UTF-16 units.",
    CODEC,
);
/// From version 1.1.1.6 on, texts are not missing but empty.
pub static MISSING_TEXT: Rule = Rule::warning(
    "idv/missing-text",
    Reference::Accepts,
    "From version 1.1.1.6 on, texts are not missing but empty. ndbytes reads a text that is marked as missing as \
     null, ML.NET as empty.",
    CODEC,
);
/// A block of vectors has as many vectors as it has rows.
pub static VECTOR_COUNT: Rule = Rule::error(
    "idv/vector-count",
    Reference::Refuses,
    "A block of vectors has as many vectors as it has rows.",
    CODEC,
);
/// A block of vectors of a fixed size gives this size; the lengths of other vectors are not negative.
pub static VECTOR_SIZE: Rule = Rule::error(
    "idv/vector-size",
    Reference::Refuses,
    "A block of vectors of a fixed size gives this size; the lengths of other vectors are not negative.",
    CODEC,
);
/// A vector stores all of its items, or fewer than it has, but not a negative number.
pub static SPARSE_COUNT: Rule = Rule::error(
    "idv/sparse-count",
    Reference::Refuses,
    "A vector stores all of its items, or fewer than it has, but not a negative number.",
    CODEC,
);
/// A block of vectors has an index for every item of a sparse vector.
pub static INDEX_COUNT: Rule = Rule::error(
    "idv/index-count",
    Reference::Refuses,
    "A block of vectors has an index for every item of a sparse vector.",
    CODEC,
);
/// A block of vectors has no more indices than its sparse vectors have items.
pub static EXCESS_INDICES: Rule = Rule::error(
    "idv/excess-indices",
    Reference::Accepts,
    "A block of vectors has no more indices than its sparse vectors have items.",
    SAVER,
);
/// The indices of a sparse vector increase, and are below its length.
pub static INDICES: Rule = Rule::error(
    "idv/indices",
    Reference::Refuses,
    "The indices of a sparse vector increase, and are below its length.",
    CODEC,
);
/// A key is not greater than the number of categories.
pub static KEY_VALUE: Rule = Rule::warning(
    "idv/key-value",
    Reference::Accepts,
    "A key is not greater than the number of categories. ML.NET hands it on.",
    CODEC,
);
/// The bits behind the last truth value of a block are zero.
pub static BOOL_PADDING: Rule = Rule::warning(
    "idv/bool-padding",
    Reference::Accepts,
    "The bits behind the last truth value of a block are zero.",
    SAVER,
);
/// A truth value of two bits is false, true or missing; the fourth pattern means nothing.
pub static BOOL_VALUE: Rule = Rule::error(
    "idv/bool-value",
    Reference::Refuses,
    "A truth value of two bits is false, true or missing; the fourth pattern means nothing.",
    CODEC,
);
/// A time lies between the years 1 and 9999, on its own clock and in UTC.
pub static DATE_TIME: Rule = Rule::error(
    "idv/date-time",
    Reference::Refuses,
    "A time lies between the years 1 and 9999, on its own clock and in UTC.",
    CODEC,
);
/// A clock is at most 14 hours ahead of UTC, or behind it.
pub static TIME_ZONE: Rule =
    Rule::error("idv/time-zone", Reference::Refuses, "A clock is at most 14 hours ahead of UTC, or behind it.", CODEC);
/// A time is the number that meant missing.
pub static MISSING_TIME: Rule = Rule::warning(
    "idv/missing-time",
    Reference::Accepts,
    "Up to version 1.1.1.5, the least 64-bit number meant that a time is missing, which ndbytes reads as null. Newer files \
     have no missing times, but ML.NET still reads the number as zero (durations in vectors excepted), and so does ndbytes.",
    CODEC,
);

pub(crate) static ALL: &[&Rule] = &[
    &TRUNCATED_HEADER,
    &BAD_MAGIC,
    &INCOMPATIBLE_VERSION,
    &OLD_VERSION,
    &NEW_VERSION,
    &NEGATIVE_COUNT,
    &RESERVED_BYTES,
    &COLUMNS_OFFSET,
    &TAIL_OFFSET,
    &TRUNCATED,
    &BAD_TAIL,
    &TRAILING_BYTES,
    &AFTER_TAIL,
    &OVERLAP,
    &GAP,
    &UNREADABLE_COLUMNS,
    &EMPTY_NAME,
    &DUPLICATE_NAME,
    &BAD_UTF8,
    &OVERLONG_LEB128,
    &ROWS_PER_BLOCK,
    &WRAPPED_ROWS_PER_BLOCK,
    &MIXED_ROWS_PER_BLOCK,
    &TOO_MANY_BLOCKS,
    &LARGE_ROWS_PER_BLOCK,
    &CODEC_NAME,
    &CODEC_LENGTH,
    &UNKNOWN_CODEC,
    &UNKNOWN_INNER_CODEC,
    &OLD_ROW_ID,
    &CODEC_VERSION,
    &KEY_NUMBER,
    &KEY_COUNT,
    &OLD_KEY,
    &NESTED_VECTOR,
    &VECTOR_DIMS,
    &UNKNOWN_COMPRESSION,
    &ZLIB,
    &LOOKUP_OFFSET,
    &BLOCK_OFFSET,
    &BLOCK_LENGTH,
    &STORED_LENGTH,
    &EXCESS_STORED_LENGTH,
    &IMPOSSIBLE_LENGTH,
    &SLOT_NAMES,
    &ANNOTATIONS_OFFSET,
    &UNREADABLE_ANNOTATIONS,
    &ANNOTATION_COUNT,
    &ANNOTATION_KIND,
    &DUPLICATE_ANNOTATION,
    &ANNOTATION_BLOCK,
    &UNKNOWN_ANNOTATION,
    &SLOT_NAME_COUNT,
    &KEY_VALUE_COUNT,
    &CORRUPT_STREAM,
    &SHORT_STREAM,
    &LONG_STREAM,
    &UNENDED_STREAM,
    &STREAM_TRAILING_BYTES,
    &SHORT_BLOCK,
    &EXCESS_BLOCK_BYTES,
    &TEXT_COUNT,
    &TEXT_BOUNDARIES,
    &MISSING_TEXT,
    &VECTOR_COUNT,
    &VECTOR_SIZE,
    &SPARSE_COUNT,
    &INDEX_COUNT,
    &EXCESS_INDICES,
    &INDICES,
    &KEY_VALUE,
    &BOOL_PADDING,
    &BOOL_VALUE,
    &DATE_TIME,
    &TIME_ZONE,
    &MISSING_TIME,
];
