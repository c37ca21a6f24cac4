//! The rules of zip archives, as far as a breach affects their members.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;

const NOTE: &str = "PKWARE's APPNOTE.TXT";

rules! {
    ALL of Scope::Zip, since "0.1.0";

    /// An archive ends with a directory of its entries, which can be read to its end and has as many entries as it
    /// declares. Without it, the content of the archive is unknown.
    BAD_DIRECTORY = error "zip/bad-directory", Refuses, "PKWARE's APPNOTE.TXT, section 4.3.16";

    /// ndbytes examines archives of up to 65,536 entries, and stores of as many files. The archive of a model has some
    /// tens of them.
    TOO_MANY_ENTRIES = error "zip/too-many-entries", NotConcerned, "ndbytes";

    /// At the offset that the directory gives, an entry has its own header, with the same name and the same method. As
    /// many bytes follow as the directory declares.
    BAD_ENTRY = error "zip/bad-entry", Refuses, "PKWARE's APPNOTE.TXT, section 4.3.7";

    /// No byte belongs to two entries, or to an entry and the directory. Overlapping entries are how a small archive
    /// becomes any amount of data.
    OVERLAP = error "zip/overlap", Accepts, "PKWARE's APPNOTE.TXT, section 4.3.6";

    /// ndbytes has no keys: an encrypted entry cannot be read. Neither ML.NET nor python-blosc2 writes one.
    ENCRYPTED = error "zip/encrypted", Refuses, "PKWARE's APPNOTE.TXT, section 4.4.4";

    /// An entry is stored uncompressed, or compressed with deflate. ML.NET and python-blosc2 write nothing else.
    METHOD = error "zip/method", Refuses, "PKWARE's APPNOTE.TXT, section 4.4.5";

    /// The deflate stream of an entry decodes to its end.
    CORRUPT_STREAM = error "zip/corrupt-stream", Refuses, "RFC 1951";

    /// An entry has as many bytes as the directory declares, before and after compression.
    LENGTH = error "zip/length", Accepts, "PKWARE's APPNOTE.TXT, sections 4.4.8 and 4.4.9";

    /// An entry of more than 16 MiB is not packed tighter than 100 to one, nor are the members of an archive together:
    /// their content is compressed already. Archives that expand without bound are made to harm their readers.
    RATIO = error "zip/ratio", NotConcerned, "ndbytes";

    /// The CRC-32 in the directory matches the unpacked bytes.
    CRC = error "zip/crc", Accepts, "PKWARE's APPNOTE.TXT, section 4.4.7";

    /// The entries of an archive have different names. Of those with the same name, the last one counts, as for ML.NET;
    /// other readers take the first. `/` and `\` are the same.
    DUPLICATE_NAME = warning "zip/duplicate-name", Accepts, NOTE;
}
