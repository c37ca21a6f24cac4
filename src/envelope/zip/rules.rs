//! The rules of zip archives. Their reference reader is `ZipArchive` of .NET Core 3.1, with which ML.NET 1.5 reads models.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;

/// The reader whose reactions the rules of archives note.
pub const REFERENCE_READER: &str = ".NET Core 3.1";

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

    /// The CRC-32 in the directory matches the unpacked bytes.
    CRC = error "zip/crc", Accepts, "PKWARE's APPNOTE.TXT, section 4.4.7";

    /// The entries of an archive have different names. Of those with the same name, the last one counts, as for ML.NET;
    /// other readers take the first. `/` and `\` are the same.
    DUPLICATE_NAME = warning "zip/duplicate-name", Accepts, NOTE;

    /// The header of an entry has the flags, the checksum and the sizes that the directory has. A data descriptor may
    /// have the last three instead: then they are zero. Readers of streams see the headers alone; .NET and Python's
    /// `zipfile` go by the directory.
    HEADER_MISMATCH = error "zip/header-mismatch", Accepts, "PKWARE's APPNOTE.TXT, section 4.3.7";

    /// If the flags announce a data descriptor, one with the checksum and the sizes of the directory follows the data.
    /// .NET and Python's `zipfile` do not look at it.
    DATA_DESCRIPTOR = error "zip/data-descriptor", Accepts, "PKWARE's APPNOTE.TXT, section 4.3.9";

    /// Every byte belongs to an entry, the directory or the records at the end. Other bytes are what a deleted entry or a
    /// program before the archive leaves. They hide content from readers that follow the directory. An archive whose
    /// offsets leave out the bytes before it is read by Python's `zipfile`, and refused by .NET.
    UNCLAIMED_BYTES = warning "zip/unclaimed-bytes", Accepts, "PKWARE's APPNOTE.TXT, section 4.3.6";

    /// The archive ends with its comment.
    TRAILING_BYTES = warning "zip/trailing-bytes", Accepts, "PKWARE's APPNOTE.TXT, section 4.3.16";

    /// The end record has the size of the directory. .NET does not look at it; Python's `zipfile` refuses the archive.
    DIRECTORY_SIZE = error "zip/directory-size", Accepts, "PKWARE's APPNOTE.TXT, section 4.4.23";

    /// An archive is one file: nothing of it is on another disk. .NET refuses others; Python's `zipfile` does not look.
    MULTI_DISK = error "zip/multi-disk", Refuses, "PKWARE's APPNOTE.TXT, section 4.4.19";

    /// If all bits of a size or an offset are set, the ZIP64 extra field has the number. In the header of an entry, .NET and
    /// Python's `zipfile` do not look for it.
    ZIP64 = error "zip/zip64", Accepts, "PKWARE's APPNOTE.TXT, section 4.5.3";

    /// The extra fields of an entry are whole, and fill the length that is declared for them.
    EXTRA_FIELD = warning "zip/extra-field", Accepts, "PKWARE's APPNOTE.TXT, section 4.5.1";

    /// The name of an entry is a relative path, without `..`, without a drive and without a zero byte. ndbytes writes
    /// nothing to disk; careless programs unpack such an entry outside of their folder.
    UNSAFE_NAME = warning "zip/unsafe-name", Accepts, "PKWARE's APPNOTE.TXT, section 4.4.17";

    /// If a name has letters outside of ASCII, the flags say that it is UTF-8, and it is. Otherwise, each reader takes
    /// the name for another one. Python's `zipfile` refuses a name that is said to be UTF-8 and is not.
    NAME_ENCODING = warning "zip/name-encoding", Accepts, "PKWARE's APPNOTE.TXT, appendix D";
}
