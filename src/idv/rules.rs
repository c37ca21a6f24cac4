//! The rules of IDV files.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const DESC: &str = "the published description of the format";
const LOADER: &str = "ML.NET's `BinaryLoader`";
const SAVER: &str = "ML.NET's `BinarySaver`";
const CODEC: &str = "ML.NET's codecs";
const DEFLATE: &str = "RFC 1951";
const ZLIB_NOTES: &str = "the technical notes of zlib";

rules! {
    ALL of Scope::Format(Format::Idv), since "0.1.0";

    // The header.

    /// The header must have all of its 256 bytes.
    TRUNCATED_HEADER = error "idv/truncated-header", Refuses, DESC;

    /// A file must begin with `CML`, 0, `DVB`, 0.
    BAD_MAGIC = error "idv/bad-magic", Refuses, DESC;

    /// The oldest version whose readers can read the file must be at most its own version, and at most 1.1.1.6, the
    /// newest known one.
    INCOMPATIBLE_VERSION = error "idv/incompatible-version", Refuses, DESC;

    /// Files up to version 1.1.1.3 were never public. ndbytes reads them according to their description; ML.NET refuses
    /// them.
    OLD_VERSION = warning "idv/old-version", Refuses, DESC;

    /// The version of the file is unknown, but the file declares that readers of a known version can read it.
    NEW_VERSION = warning "idv/new-version", Accepts, DESC;

    /// The numbers of rows and columns must not be negative.
    NEGATIVE_COUNT = error "idv/negative-count", Refuses, LOADER;

    /// The last 204 bytes of the header must be zero. No reader uses them, so they could only hide data.
    RESERVED_BYTES = tolerable error "idv/reserved-bytes", Accepts, SAVER;

    /// The table of columns must be after the header, inside the file.
    COLUMNS_OFFSET = error "idv/columns-offset", Refuses, LOADER;

    /// The tail must be after the header.
    TAIL_OFFSET = error "idv/tail-offset", Refuses, LOADER;

    /// The file must be as long as its header declares: the tail must be inside it.
    TRUNCATED = error "idv/truncated", Refuses, LOADER;

    /// A file must end with the bytes of its magic in reverse.
    BAD_TAIL = error "idv/bad-tail", Refuses, LOADER;

    /// The file must end with the tail.
    TRAILING_BYTES = tolerable error "idv/trailing-bytes", Accepts, SAVER;

    /// The tail must be the last part of a file: no table or block may follow it.
    AFTER_TAIL = tolerable error "idv/after-tail", Accepts, SAVER;

    /// No byte may belong to two structures: tables and blocks must not overlap or be shared.
    OVERLAP = tolerable error "idv/overlap", Accepts, SAVER;

    /// Every byte must belong to a structure: tables and blocks follow each other without gaps.
    GAP = tolerable error "idv/gap", Accepts, SAVER;

    // The table of columns.

    /// The table of columns must be readable to its end, because each entry depends on the previous one.
    UNREADABLE_COLUMNS = error "idv/unreadable-columns", Refuses, LOADER;

    /// A column must have a name.
    EMPTY_NAME = error "idv/empty-name", Refuses, LOADER;

    /// Columns should have different names. The last of several with the same name hides the others. ML.NET's public
    /// interface does not write hidden columns.
    DUPLICATE_NAME = warning "idv/duplicate-name", Accepts, SAVER;

    /// Names and texts must be UTF-8. ML.NET replaces other bytes, and so loses them.
    BAD_UTF8 = tolerable error "idv/bad-utf8", Accepts, DESC;

    /// LEB128 numbers should be as short as possible.
    OVERLONG_LEB128 = warning "idv/overlong-leb128", Accepts, SAVER;

    /// Blocks must have at least one row, unless the table is empty.
    ROWS_PER_BLOCK = error "idv/rows-per-block", Refuses, LOADER;

    /// The number of rows per block must be below 2^31. ML.NET uses the lowest 32 bits of a larger number, as does
    /// ndbytes if the rule is tolerated.
    WRAPPED_ROWS_PER_BLOCK = tolerable error "idv/wrapped-rows-per-block", Accepts, LOADER;

    /// All columns must have the same number of rows per block.
    MIXED_ROWS_PER_BLOCK = error "idv/mixed-rows-per-block", Refuses, LOADER;

    /// A column must have at most 2^31 - 1 blocks.
    TOO_MANY_BLOCKS = error "idv/too-many-blocks", Refuses, LOADER;

    /// The declared number of rows per block should not exceed that of the table.
    LARGE_ROWS_PER_BLOCK = warning "idv/large-rows-per-block", Accepts, SAVER;

    /// A codec must have a name.
    CODEC_NAME = error "idv/codec-name", Refuses, CODEC;

    /// The parameters of a codec must take exactly their declared number of bytes.
    CODEC_LENGTH = error "idv/codec-length", Refuses, CODEC;

    /// The codec of a column should be known. Other columns can be read without it.
    UNKNOWN_CODEC = warning "idv/unknown-codec", Accepts, CODEC;

    /// The codec of the items of a vector or a key should be known. ML.NET refuses the whole file; ndbytes reads the
    /// other columns.
    UNKNOWN_INNER_CODEC = warning "idv/unknown-inner-codec", Refuses, CODEC;

    /// `UInt128` and `RowId` are the names that ML.NET up to 0.10 used for the codec of row identifiers. Current
    /// versions skip such columns; ndbytes reads them.
    OLD_ROW_ID = warning "idv/old-row-id", Accepts, CODEC;

    /// A file should use the codecs of its version. Version 1.1.1.6 renamed those of booleans and times, and added
    /// others.
    CODEC_VERSION = warning "idv/codec-version", Accepts, CODEC;

    /// A key must be stored as an unsigned integer.
    KEY_NUMBER = error "idv/key-number", Refuses, CODEC;

    /// A key must have at least one category, and no more than its integer type can number.
    KEY_COUNT = error "idv/key-count", Refuses, CODEC;

    /// Keys of ML.NET up to 0.9 could start at a number other than 0, or have gaps. Current versions refuse the whole
    /// file; ndbytes reads it.
    OLD_KEY = warning "idv/old-key", Refuses, CODEC;

    /// The items of a vector must not be vectors.
    NESTED_VECTOR = error "idv/nested-vector", Refuses, CODEC;

    /// The dimensions of a vector must not be negative, and their product must be below 2^31.
    VECTOR_DIMS = error "idv/vector-dims", Refuses, CODEC;

    /// The compression of a column should be known. Other columns can be read without it.
    UNKNOWN_COMPRESSION = warning "idv/unknown-compression", Accepts, DESC;

    /// The description of the format promises zlib as compression 2, but ML.NET never supported it, and skips such
    /// columns. ndbytes reads them.
    ZLIB = warning "idv/zlib", Accepts, DESC;

    // The positions of blocks.

    /// The lookup table of a column must be between the header and the tail.
    LOOKUP_OFFSET = error "idv/lookup-offset", Refuses, LOADER;

    /// A block must be between the header and the tail.
    BLOCK_OFFSET = error "idv/block-offset", Refuses, LOADER;

    /// The lengths of a block must not be negative.
    BLOCK_LENGTH = error "idv/block-length", Refuses, LOADER;

    /// An uncompressed block must have as many bytes in the file as declared.
    STORED_LENGTH = error "idv/stored-length", Refuses, LOADER;

    /// An uncompressed block must not take more bytes in the file than declared.
    EXCESS_STORED_LENGTH = tolerable error "idv/excess-stored-length", Accepts, SAVER;

    /// The declared length of a block must not exceed what its compressed bytes can expand to: deflate produces at most
    /// 1,032 bytes from one.
    IMPOSSIBLE_LENGTH = error "idv/impossible-length", Refuses, ZLIB_NOTES;

    /// The slot names of a column of version 1.1.1.3 must be inside the file and take their declared number of bytes.
    SLOT_NAMES = error "idv/slot-names", Refuses, DESC;

    // Annotations.

    /// The table of a column's annotations must be between the header and the tail.
    ANNOTATIONS_OFFSET = error "idv/annotations-offset", Refuses, LOADER;

    /// The table of a column's annotations must be readable to its end.
    UNREADABLE_ANNOTATIONS = error "idv/unreadable-annotations", Refuses, LOADER;

    /// A table of annotations must have at least one entry: a column without annotations has no table.
    ANNOTATION_COUNT = error "idv/annotation-count", Refuses, LOADER;

    /// An annotation must have a kind.
    ANNOTATION_KIND = error "idv/annotation-kind", Refuses, LOADER;

    /// A column must have at most one annotation of each kind.
    DUPLICATE_ANNOTATION = error "idv/duplicate-annotation", Refuses, LOADER;

    /// The block of an annotation must be between the header and the tail, and must not be empty.
    ANNOTATION_BLOCK = error "idv/annotation-block", Refuses, LOADER;

    /// The codec and the compression of an annotation should be known. ML.NET skips the annotation and reads the table,
    /// but if a program subscribes to its log, ML.NET fails while it logs this.
    UNKNOWN_ANNOTATION = warning "idv/unknown-annotation", Accepts, LOADER;

    /// A fixed-size vector should have a name for every slot, or no names.
    SLOT_NAME_COUNT = warning "idv/slot-name-count", Accepts, SAVER;

    /// A key should have a value for every category, or no values.
    KEY_VALUE_COUNT = warning "idv/key-value-count", Accepts, SAVER;

    // Compressed blocks.

    /// The compressed bytes of a block must decode.
    CORRUPT_STREAM = error "idv/corrupt-stream", Refuses, DEFLATE;

    /// The compressed bytes of a block must not expand to fewer bytes than declared.
    SHORT_STREAM = error "idv/short-stream", Refuses, LOADER;

    /// The compressed bytes of a block must not expand to more bytes than declared. ML.NET ignores the rest.
    LONG_STREAM = tolerable error "idv/long-stream", Accepts, SAVER;

    /// The compressed bytes of a block must be a complete stream. ML.NET stops when the block is full, and does not
    /// notice that the end is missing or broken.
    UNENDED_STREAM = tolerable error "idv/unended-stream", Accepts, DEFLATE;

    /// A compressed block must end with its stream.
    STREAM_TRAILING_BYTES = tolerable error "idv/stream-trailing-bytes", Accepts, SAVER;

    // The content of blocks.

    /// A block must hold all values of its rows.
    SHORT_BLOCK = error "idv/short-block", Refuses, CODEC;

    /// A block must hold only the values of its rows.
    EXCESS_BLOCK_BYTES = tolerable error "idv/excess-block-bytes", Accepts, SAVER;

    /// A block of texts must have one text per row, or per item of its vectors.
    TEXT_COUNT = error "idv/text-count", Refuses, CODEC;

    /// The end offsets of the texts in a block must not decrease, and a missing text must be empty. The last offset
    /// must be the length of the whole text in UTF-16 units.
    TEXT_BOUNDARIES = error "idv/text-boundaries", Refuses, CODEC;

    /// From version 1.1.1.6 on, a text can be empty, but not missing. ndbytes reads a text that is marked as missing as
    /// null, ML.NET as empty.
    MISSING_TEXT = warning "idv/missing-text", Accepts, CODEC;

    /// A block of vectors must have one vector per row.
    VECTOR_COUNT = error "idv/vector-count", Refuses, CODEC;

    /// A block of fixed-size vectors must state this size; the lengths of other vectors must not be negative.
    VECTOR_SIZE = error "idv/vector-size", Refuses, CODEC;

    /// A vector must store all of its items, or a number of items from 0 to its length.
    SPARSE_COUNT = error "idv/sparse-count", Refuses, CODEC;

    /// A block of vectors must have an index for every item of a sparse vector.
    INDEX_COUNT = error "idv/index-count", Refuses, CODEC;

    /// A block of vectors must not have more indices than its sparse vectors have items.
    EXCESS_INDICES = tolerable error "idv/excess-indices", Accepts, SAVER;

    /// The indices of a sparse vector must increase, and stay below its length.
    INDICES = error "idv/indices", Refuses, CODEC;

    /// A key should not exceed the number of categories. ML.NET does not check it.
    KEY_VALUE = warning "idv/key-value", Accepts, CODEC;

    /// The bits after the last boolean of a block should be zero.
    BOOL_PADDING = warning "idv/bool-padding", Accepts, SAVER;

    /// A two-bit boolean must be false, true or missing; the fourth pattern is undefined.
    BOOL_VALUE = error "idv/bool-value", Refuses, CODEC;

    /// A time must be between the years 1 and 9999, in local time and in UTC.
    DATE_TIME = error "idv/date-time", Refuses, CODEC;

    /// The offset of a time from UTC must be at most 14 hours.
    TIME_ZONE = error "idv/time-zone", Refuses, CODEC;

    /// Up to version 1.1.1.5, the smallest 64-bit integer marked a missing time; ndbytes reads it as null. Newer files
    /// have no missing times, but ML.NET still reads this integer as zero (except durations in vectors), and so does
    /// ndbytes.
    MISSING_TIME = warning "idv/missing-time", Accepts, CODEC;
}
