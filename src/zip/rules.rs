//! The rules of zip archives. The content of an archive determines which program reads it: NumPy reads `.npz`, `ZipArchive` of .NET
//! Core 3.1 reads the models of ML.NET 1.5, and python-blosc2 reads `.b2z`. Each rule states the reactions of all three.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

/// The contents of archives for which a reader is known.
pub const CONTENTS: [Format; 3] = [Format::Npy, Format::B2nd, Format::Idv];

/// The reader of archives with this content, to which the reactions in archive rules refer; `None` if no reader is known.
pub fn reader_of(content: Format) -> Option<&'static str> {
    match content {
        Format::Idv => Some(".NET Core 3.1"),
        Format::Npy | Format::B2nd => Some(content.reference_reader()),
        _ => None,
    }
}

/// The specification: <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>.
const NOTE: &str = "PKWARE's APPNOTE.TXT";

rules! {
    ALL of Scope::Zip, since "0.1.0";

    /// An archive must end with a central directory that can be read completely and has as many entries as it declares.
    /// Without it, the content of the archive is unknown.
    BAD_DIRECTORY = error "zip/bad-directory", { dotnet: Refuses, numpy: Refuses, blosc2: Refuses },
        "PKWARE's APPNOTE.TXT, section 4.3.16";

    /// An archive or a store must have at most 65,536 entries for ndbytes to examine it. The archive of an ML.NET model
    /// has a few dozen.
    TOO_MANY_ENTRIES = error "zip/too-many-entries", NotConcerned, "ndbytes";

    /// At the offset that the central directory gives, an entry must have its own header with the same name and method,
    /// followed by as many bytes as the directory declares.
    BAD_ENTRY = error "zip/bad-entry", { dotnet: Refuses, numpy: Refuses, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.7";

    /// No byte may belong to two entries, or to an entry and the central directory. With overlapping entries, a small archive
    /// can expand to any amount of data. Python's `zipfile` refuses them since 3.11.8, so profile `reference` gives no
    /// verdict for NumPy.
    OVERLAP = error "zip/overlap", { dotnet: Accepts, numpy: Unforeseen, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.6";

    /// Entries must not be encrypted: ndbytes has no keys. Neither ML.NET nor python-blosc2 encrypts.
    ENCRYPTED = error "zip/encrypted", { dotnet: Refuses, numpy: Refuses, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.4.4";

    /// An entry must be stored, or compressed with deflate. ML.NET and python-blosc2 use nothing else.
    METHOD = error "zip/method", { dotnet: Refuses, numpy: Refuses, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.4.5";

    /// The deflate stream of an entry must decode to its end.
    CORRUPT_STREAM = error "zip/corrupt-stream", { dotnet: Refuses, numpy: Refuses, blosc2: Accepts },
        "RFC 1951";

    /// An entry must have as many bytes as the central directory declares, before and after compression. NumPy accepts the
    /// bytes that match the checksum.
    LENGTH = error "zip/length", { dotnet: Accepts, numpy: Refuses, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, sections 4.4.8 and 4.4.9";

    /// The CRC-32 in the central directory must match the decompressed bytes.
    CRC = error "zip/crc", { dotnet: Accepts, numpy: Refuses, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.4.7";

    /// Entries should have different names; `/` and `\` are the same. If several have one name, ndbytes and ML.NET use
    /// the last one, other readers the first.
    DUPLICATE_NAME = warning "zip/duplicate-name", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        NOTE;

    /// The header of an entry must have the flags, checksum and sizes of the central directory. With a data descriptor,
    /// checksum and sizes are zero in the header. Streaming readers see only the headers; .NET and Python's `zipfile`
    /// use the directory.
    HEADER_MISMATCH = error "zip/header-mismatch", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.7";

    /// If the flags announce a data descriptor, one with the checksum and sizes of the central directory must follow
    /// the data. .NET and Python's `zipfile` do not check it.
    DATA_DESCRIPTOR = error "zip/data-descriptor", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.9";

    /// Every byte should belong to an entry, the central directory or the records at the end. Other bytes are left by
    /// deleted entries or by a program in front of the archive, and can hide content. If offsets do not count such
    /// bytes, Python's `zipfile` reads the archive and .NET refuses it.
    UNCLAIMED_BYTES = warning "zip/unclaimed-bytes", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.6";

    /// The archive should end with its comment.
    TRAILING_BYTES = warning "zip/trailing-bytes", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.3.16";

    /// The end record must state the size of the central directory. .NET ignores it; Python's `zipfile` refuses the
    /// archive.
    DIRECTORY_SIZE = error "zip/directory-size", { dotnet: Accepts, numpy: Refuses, blosc2: Refuses },
        "PKWARE's APPNOTE.TXT, section 4.4.23";

    /// The directory may have a signature after its last entry. Python's `zipfile` takes it for an entry, and refuses the archive.
    DIRECTORY_SIGNATURE = allowed "zip/directory-signature", { dotnet: Accepts, numpy: Refuses, blosc2: Refuses },
        "PKWARE's APPNOTE.TXT, section 4.3.13";

    /// A store of python-blosc2 has the entry `embed.b2e`, uncompressed. python-blosc2 reads it where it is in the archive, and
    /// opens no store without it. ndbytes reads the other entries.
    STORE = allowed "zip/store", { dotnet: Accepts, numpy: Accepts, blosc2: Refuses },
        "python-blosc2";

    /// An archive must be one file, with nothing on another disk. .NET refuses other archives; Python's `zipfile` does
    /// not check.
    MULTI_DISK = error "zip/multi-disk", { dotnet: Refuses, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.4.19";

    /// An entry should need at most version 6.3 of the specification, the last one that added a feature. Python's `zipfile`
    /// refuses entries that need a later one; .NET does not check.
    VERSION_NEEDED = warning "zip/version-needed", { dotnet: Accepts, numpy: Refuses, blosc2: Refuses },
        "PKWARE's APPNOTE.TXT, section 4.4.3";

    /// If all bits of a size or an offset are set, the ZIP64 extra field must have the number. .NET and Python's
    /// `zipfile` do not read this field in the header of an entry.
    ZIP64 = error "zip/zip64", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.5.3";

    /// The extra fields of an entry should be complete, and fill the declared length.
    EXTRA_FIELD = warning "zip/extra-field", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.5.1";

    /// The name of an entry should be a relative path without `..`, a drive or a zero byte. ndbytes writes no entry to
    /// disk, but careless programs unpack such an entry outside of the target directory.
    UNSAFE_NAME = warning "zip/unsafe-name", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, section 4.4.17";

    /// If a name is not ASCII, the flags should say that it is UTF-8, and it must be. Otherwise, each reader decodes
    /// the name differently. Python's `zipfile` refuses a name that is declared as UTF-8 but is not.
    NAME_ENCODING = warning "zip/name-encoding", { dotnet: Accepts, numpy: Accepts, blosc2: Accepts },
        "PKWARE's APPNOTE.TXT, appendix D";
}
