//! The rules of gzip files. The reference reader of a gzip-compressed file is that of the format inside, which requires the
//! uncompressed file.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;

/// The specification: <https://www.rfc-editor.org/rfc/rfc1952>.
const SOURCE: &str = "RFC 1952";

rules! {
    ALL of Scope::Gzip, since "0.1.0";

    /// The file is compressed with gzip. ndbytes reads it directly; the reference readers need it decompressed.
    COMPRESSED = allowed "gzip/compressed", Refuses, "the MNIST distribution";

    /// A gzip member must begin with a complete header, with the method deflate. The three reserved flag bits must be
    /// clear: a reader cannot know what they mean.
    BAD_HEADER = error "gzip/bad-header", Refuses, "RFC 1952, section 2.3.1";

    /// The optional checksum of a gzip header must match the header.
    HEADER_CRC = error "gzip/header-crc", Refuses, "RFC 1952, section 2.3.1";

    /// The file must not end inside a gzip member.
    TRUNCATED = tolerable error "gzip/truncated", Refuses, SOURCE;

    /// The deflate stream of a member must decode.
    CORRUPT_STREAM = error "gzip/corrupt-stream", Refuses, "RFC 1951";

    /// The CRC-32 in a member's trailer must match the decompressed bytes.
    WRONG_CRC = error "gzip/crc", Refuses, "RFC 1952, section 2.3.1";

    /// The length in a member's trailer must match the decompressed bytes, modulo 2^32.
    WRONG_LENGTH = error "gzip/length", Refuses, "RFC 1952, section 2.3.1";

    /// After a gzip member, the file must end or contain another member.
    TRAILING_BYTES = error "gzip/trailing-bytes", Refuses, "RFC 1952, section 2.2";

    /// The file should end after the last member. Zeros there come from tape blocks or careless copies, and carry no
    /// data.
    ZERO_PADDING = warning "gzip/zero-padding", Refuses, "the manual of GNU gzip";

    /// A file in a known format whose name ends with `.gz` must be compressed with gzip: programs that trust the name
    /// fail. If the rest of the name is reserved, as in `x.npy.gz`, the rule is `misnamed` instead.
    NAME_MISMATCH = warning "gzip/name-mismatch", Accepts, "the manual of GNU gzip";
}
