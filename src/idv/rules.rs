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

    /// The file ends inside its header of 256 bytes.
    TRUNCATED_HEADER = error "idv/truncated-header", Refuses, DESC;

    /// A file begins with `CML`, 0, `DVB`, 0.
    BAD_MAGIC = error "idv/bad-magic", Refuses, DESC;

    /// The lowest version whose readers can read the file is at most its own version, and at most 1.1.1.6, the newest
    /// that is known.
    INCOMPATIBLE_VERSION = error "idv/incompatible-version", Refuses, DESC;

    /// Files up to version 1.1.1.3 were never public. ndbytes reads them as their description says; ML.NET refuses them.
    OLD_VERSION = warning "idv/old-version", Refuses, DESC;

    /// The file has an unknown version, but declares that readers of a known one can read it.
    NEW_VERSION = warning "idv/new-version", Accepts, DESC;

    /// The numbers of rows and of columns are not negative.
    NEGATIVE_COUNT = error "idv/negative-count", Refuses, LOADER;

    /// The last 204 bytes of the header are zero: no reader uses them, so they could only hide data.
    RESERVED_BYTES = tolerable error "idv/reserved-bytes", Accepts, SAVER;

    /// The table of columns is after the header, inside the file.
    COLUMNS_OFFSET = error "idv/columns-offset", Refuses, LOADER;

    /// The tail is after the header.
    TAIL_OFFSET = error "idv/tail-offset", Refuses, LOADER;

    /// The file is as long as its header declares: the tail is inside it.
    TRUNCATED = error "idv/truncated", Refuses, LOADER;

    /// A file ends with the bytes of its magic in reverse.
    BAD_TAIL = error "idv/bad-tail", Refuses, LOADER;

    /// The file ends with the tail.
    TRAILING_BYTES = tolerable error "idv/trailing-bytes", Accepts, SAVER;

    /// The tail is the last part of a file: no table and no block comes after it.
    AFTER_TAIL = tolerable error "idv/after-tail", Accepts, SAVER;

    /// No byte belongs to two structures: tables and blocks neither overlap nor are shared.
    OVERLAP = tolerable error "idv/overlap", Accepts, SAVER;

    /// Every byte belongs to a structure: tables and blocks follow each other without gaps.
    GAP = tolerable error "idv/gap", Accepts, SAVER;

    // The table of columns.

    /// The table of columns has to be readable to its end: each entry depends on the one before.
    UNREADABLE_COLUMNS = error "idv/unreadable-columns", Refuses, LOADER;

    /// A column has a name.
    EMPTY_NAME = error "idv/empty-name", Refuses, LOADER;

    /// Columns have different names. The last of several with the same name hides the others. ML.NET's public interface
    /// does not write hidden columns.
    DUPLICATE_NAME = warning "idv/duplicate-name", Accepts, SAVER;

    /// Names and texts are UTF-8. ML.NET replaces other bytes, and so loses them.
    BAD_UTF8 = tolerable error "idv/bad-utf8", Accepts, DESC;

    /// LEB128 numbers are as short as they can be.
    OVERLONG_LEB128 = warning "idv/overlong-leb128", Accepts, SAVER;

    /// Blocks have at least one row, if there are rows.
    ROWS_PER_BLOCK = error "idv/rows-per-block", Refuses, LOADER;

    /// The number of rows of a block is below 2^31. ML.NET takes the lowest 32 bits of a larger number, as ndbytes does
    /// if it is asked to tolerate this.
    WRAPPED_ROWS_PER_BLOCK = tolerable error "idv/wrapped-rows-per-block", Accepts, LOADER;

    /// All columns have the same number of rows in their blocks.
    MIXED_ROWS_PER_BLOCK = error "idv/mixed-rows-per-block", Refuses, LOADER;

    /// A column has at most 2^31 - 1 blocks.
    TOO_MANY_BLOCKS = error "idv/too-many-blocks", Refuses, LOADER;

    /// Blocks are not declared to have more rows than the table.
    LARGE_ROWS_PER_BLOCK = warning "idv/large-rows-per-block", Accepts, SAVER;

    /// A codec has a name.
    CODEC_NAME = error "idv/codec-name", Refuses, CODEC;

    /// The parameters of a codec take exactly the bytes that they are declared to take.
    CODEC_LENGTH = error "idv/codec-length", Refuses, CODEC;

    /// A column whose codec is unknown cannot be read. The other columns can.
    UNKNOWN_CODEC = warning "idv/unknown-codec", Accepts, CODEC;

    /// A vector or a key of an unknown codec cannot be read. ML.NET then refuses the whole file; ndbytes reads the other
    /// columns.
    UNKNOWN_INNER_CODEC = warning "idv/unknown-inner-codec", Refuses, CODEC;

    /// `UInt128` and `RowId` are the names that ML.NET up to 0.10 gave to the codec of row identifiers. Today's ML.NET
    /// leaves such columns out; ndbytes reads them.
    OLD_ROW_ID = warning "idv/old-row-id", Accepts, CODEC;

    /// Version 1.1.1.6 renamed the codecs of booleans and of times and added others. A file uses those of its version.
    CODEC_VERSION = warning "idv/codec-version", Accepts, CODEC;

    /// A key is stored as an unsigned integer.
    KEY_NUMBER = error "idv/key-number", Refuses, CODEC;

    /// A key has at least one category, and no more than its number can distinguish.
    KEY_COUNT = error "idv/key-count", Refuses, CODEC;

    /// Keys of ML.NET up to 0.9 could begin at another number than 0, or have gaps. Today's ML.NET refuses the whole
    /// file; ndbytes reads it.
    OLD_KEY = warning "idv/old-key", Refuses, CODEC;

    /// The items of a vector are not vectors.
    NESTED_VECTOR = error "idv/nested-vector", Refuses, CODEC;

    /// The dimensions of a vector are not negative, and their product is below 2^31.
    VECTOR_DIMS = error "idv/vector-dims", Refuses, CODEC;

    /// A column whose compression is unknown cannot be read. The other columns can.
    UNKNOWN_COMPRESSION = warning "idv/unknown-compression", Accepts, DESC;

    /// The description of the format promises zlib as compression 2, but ML.NET never had it: it leaves such columns
    /// out. ndbytes reads them.
    ZLIB = warning "idv/zlib", Accepts, DESC;

    // The places of blocks.

    /// The lookup table of a column is between the header and the tail.
    LOOKUP_OFFSET = error "idv/lookup-offset", Refuses, LOADER;

    /// A block is between the header and the tail.
    BLOCK_OFFSET = error "idv/block-offset", Refuses, LOADER;

    /// A block's lengths are not negative.
    BLOCK_LENGTH = error "idv/block-length", Refuses, LOADER;

    /// An uncompressed block has as many bytes in the file as it is declared to have.
    STORED_LENGTH = error "idv/stored-length", Refuses, LOADER;

    /// An uncompressed block takes no more bytes in the file than it is declared to have.
    EXCESS_STORED_LENGTH = tolerable error "idv/excess-stored-length", Accepts, SAVER;

    /// A block is not declared longer than its compressed bytes can expand to: deflate makes at most 1032 bytes out of one.
    IMPOSSIBLE_LENGTH = error "idv/impossible-length", Refuses, ZLIB_NOTES;

    /// The slot names of a column of version 1.1.1.3 are inside the file and take their declared number of bytes.
    SLOT_NAMES = error "idv/slot-names", Refuses, DESC;

    // Annotations.

    /// The table of a column's annotations is between the header and the tail.
    ANNOTATIONS_OFFSET = error "idv/annotations-offset", Refuses, LOADER;

    /// The table of a column's annotations has to be readable to its end.
    UNREADABLE_ANNOTATIONS = error "idv/unreadable-annotations", Refuses, LOADER;

    /// A table of annotations has at least one entry: a column without annotations has no table.
    ANNOTATION_COUNT = error "idv/annotation-count", Refuses, LOADER;

    /// An annotation has a kind.
    ANNOTATION_KIND = error "idv/annotation-kind", Refuses, LOADER;

    /// A column has at most one annotation of a kind.
    DUPLICATE_ANNOTATION = error "idv/duplicate-annotation", Refuses, LOADER;

    /// The block of an annotation is between the header and the tail, and is not empty.
    ANNOTATION_BLOCK = error "idv/annotation-block", Refuses, LOADER;

    /// An annotation whose codec or compression is unknown cannot be read. ML.NET leaves it out and reads the table. But if a
    /// program listens to its log, it fails on its own message about the annotation.
    UNKNOWN_ANNOTATION = warning "idv/unknown-annotation", Accepts, LOADER;

    /// A vector of a fixed size has a name for every slot, or no names.
    SLOT_NAME_COUNT = warning "idv/slot-name-count", Accepts, SAVER;

    /// A key has a value for every category, or no values.
    KEY_VALUE_COUNT = warning "idv/key-value-count", Accepts, SAVER;

    // Compressed blocks.

    /// The compressed bytes of a block decode.
    CORRUPT_STREAM = error "idv/corrupt-stream", Refuses, DEFLATE;

    /// The compressed bytes of a block expand to as many as the block is declared to have.
    SHORT_STREAM = error "idv/short-stream", Refuses, LOADER;

    /// The compressed bytes of a block do not expand to more than the block is declared to have. ML.NET ignores the rest.
    LONG_STREAM = tolerable error "idv/long-stream", Accepts, SAVER;

    /// The compressed bytes of a block are a whole stream, up to its end. ML.NET stops when the block is full, and does not
    /// notice that the end is missing or broken.
    UNENDED_STREAM = tolerable error "idv/unended-stream", Accepts, DEFLATE;

    /// A compressed block ends with its stream.
    STREAM_TRAILING_BYTES = tolerable error "idv/stream-trailing-bytes", Accepts, SAVER;

    // The content of blocks.

    /// A block holds all values of its rows.
    SHORT_BLOCK = error "idv/short-block", Refuses, CODEC;

    /// A block holds only the values of its rows.
    EXCESS_BLOCK_BYTES = tolerable error "idv/excess-block-bytes", Accepts, SAVER;

    /// A block of texts has as many texts as it has rows, or items in its vectors.
    TEXT_COUNT = error "idv/text-count", Refuses, CODEC;

    /// The ends of the texts of a block do not decrease, and a missing text has no length. The last one ends with the
    /// text, counted in UTF-16 units.
    TEXT_BOUNDARIES = error "idv/text-boundaries", Refuses, CODEC;

    /// From version 1.1.1.6 on, texts are not missing but empty. ndbytes reads a text that is marked as missing as
    /// null, ML.NET as empty.
    MISSING_TEXT = warning "idv/missing-text", Accepts, CODEC;

    /// A block of vectors has as many vectors as it has rows.
    VECTOR_COUNT = error "idv/vector-count", Refuses, CODEC;

    /// A block of vectors of a fixed size states this size; the lengths of other vectors are not negative.
    VECTOR_SIZE = error "idv/vector-size", Refuses, CODEC;

    /// A vector stores all of its items, or fewer than it has, but not a negative number.
    SPARSE_COUNT = error "idv/sparse-count", Refuses, CODEC;

    /// A block of vectors has an index for every item of a sparse vector.
    INDEX_COUNT = error "idv/index-count", Refuses, CODEC;

    /// A block of vectors has no more indices than its sparse vectors have items.
    EXCESS_INDICES = tolerable error "idv/excess-indices", Accepts, SAVER;

    /// The indices of a sparse vector increase, and are below its length.
    INDICES = error "idv/indices", Refuses, CODEC;

    /// A key is not greater than the number of categories. ML.NET hands it on.
    KEY_VALUE = warning "idv/key-value", Accepts, CODEC;

    /// The bits after the last boolean of a block are zero.
    BOOL_PADDING = warning "idv/bool-padding", Accepts, SAVER;

    /// A boolean of two bits is false, true or missing; the fourth pattern is not defined.
    BOOL_VALUE = error "idv/bool-value", Refuses, CODEC;

    /// A time lies between the years 1 and 9999, on its own clock and in UTC.
    DATE_TIME = error "idv/date-time", Refuses, CODEC;

    /// A clock differs from UTC by at most 14 hours.
    TIME_ZONE = error "idv/time-zone", Refuses, CODEC;

    /// Up to version 1.1.1.5, the least 64-bit number marked a missing time, which ndbytes reads as null. Newer
    /// files have no missing times, but ML.NET still reads the number as zero (durations in vectors excepted), and so
    /// does ndbytes.
    MISSING_TIME = warning "idv/missing-time", Accepts, CODEC;
}
