//! The rules of gzip files. The reference reader of a file inside gzip is that of its format, which demands the file itself.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;

const SOURCE: &str = "RFC 1952";

rules! {
    ALL of Scope::Gzip, since "0.1.0";

    /// Files travel inside gzip. ndbytes reads them directly; the reference readers of the formats demand decompressed ones.
    COMPRESSED = allowed "gzip/compressed", Refuses, "the MNIST distribution";

    /// A gzip member begins with a complete header. The method is deflate, and the three reserved flag bits are clear,
    /// since a reader cannot know their meaning.
    BAD_HEADER = error "gzip/bad-header", Refuses, "RFC 1952, section 2.3.1";

    /// If a gzip header has a checksum of itself, it has to be right.
    HEADER_CRC = error "gzip/header-crc", Refuses, "RFC 1952, section 2.3.1";

    /// The file ends inside a gzip member: part of it is missing.
    TRUNCATED = tolerable error "gzip/truncated", Refuses, SOURCE;

    /// The deflate stream of a member has to decode.
    CORRUPT_STREAM = error "gzip/corrupt-stream", Refuses, "RFC 1951";

    /// The CRC-32 in a member's trailer has to match the inflated bytes.
    WRONG_CRC = error "gzip/crc", Refuses, "RFC 1952, section 2.3.1";

    /// The length in a member's trailer has to match the inflated bytes, modulo 2^32.
    WRONG_LENGTH = error "gzip/length", Refuses, "RFC 1952, section 2.3.1";

    /// After a member, a gzip file ends or has another member.
    TRAILING_BYTES = error "gzip/trailing-bytes", Refuses, "RFC 1952, section 2.2";

    /// Zeros after the last member come from tape blocks and careless copies. They carry no data.
    ZERO_PADDING = warning "gzip/zero-padding", Refuses, "the manual of GNU gzip";

    /// A file whose name ends with `.gz` is compressed with gzip. Programs that go by the name fail on a file of a known format that is
    /// not. If the name before `.gz` is one of a known format, such as `x.npy.gz`, the rule is `misnamed`.
    NAME_MISMATCH = warning "gzip/name-mismatch", Accepts, "the manual of GNU gzip";
}
