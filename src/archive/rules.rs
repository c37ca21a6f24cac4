//! What a zip archive may break, as far as it stands in the way of the streams inside.

use crate::rule::{Reference, Rule};

const NOTE: &str = "PKWARE's APPNOTE.TXT";

/// An archive ends with a directory of its entries, which can be read to its end and has as many as it says.
pub static BAD_DIRECTORY: Rule = Rule::error(
    "zip/bad-directory",
    Reference::Refuses,
    "An archive ends with a directory of its entries, which can be read to its end and has as many as it says. Without \
     it nobody knows what is in the archive.",
    "PKWARE's APPNOTE.TXT, section 4.3.16",
);
/// ndbytes looks through archives of up to 65,536 entries.
pub static TOO_MANY_ENTRIES: Rule = Rule::error(
    "zip/too-many-entries",
    Reference::Accepts,
    "ndbytes looks through archives of up to 65,536 entries. The archive of a model has some tens of them.",
    "ndbytes",
);
/// Where the directory says that an entry begins, there is its own header, with the same name and the same method, and
/// as many bytes follow as the directory says.
pub static BAD_ENTRY: Rule = Rule::error(
    "zip/bad-entry",
    Reference::Refuses,
    "Where the directory says that an entry begins, there is its own header, with the same name and the same method, \
     and as many bytes follow as the directory says.",
    "PKWARE's APPNOTE.TXT, section 4.3.7",
);
/// No byte belongs to two entries, or to an entry and the directory.
pub static OVERLAP: Rule = Rule::error(
    "zip/overlap",
    Reference::Accepts,
    "No byte belongs to two entries, or to an entry and the directory. Overlapping entries are how a small archive \
     becomes any amount of data.",
    "PKWARE's APPNOTE.TXT, section 4.3.6",
);
/// ndbytes has no keys: an encrypted entry cannot be read.
pub static ENCRYPTED: Rule = Rule::error(
    "zip/encrypted",
    Reference::Refuses,
    "ndbytes has no keys: an encrypted entry cannot be read. ML.NET does not write any.",
    "PKWARE's APPNOTE.TXT, section 4.4.4",
);
/// An entry is stored as it is, or compressed with deflate.
pub static METHOD: Rule = Rule::error(
    "zip/method",
    Reference::Refuses,
    "An entry is stored as it is, or compressed with deflate. ML.NET writes nothing else.",
    "PKWARE's APPNOTE.TXT, section 4.4.5",
);
/// The deflate stream of an entry decodes to its end.
pub static CORRUPT_STREAM: Rule = Rule::error(
    "zip/corrupt-stream",
    Reference::Refuses,
    "The deflate stream of an entry decodes to its end.",
    "RFC 1951",
);
/// An entry has as many bytes as the directory says, before and after compression.
pub static LENGTH: Rule = Rule::error(
    "zip/length",
    Reference::Accepts,
    "An entry has as many bytes as the directory says, before and after compression.",
    "PKWARE's APPNOTE.TXT, sections 4.4.8 and 4.4.9",
);
/// An entry of more than 16 MiB is not packed tighter than 100 to one, nor are the streams of an archive together.
pub static RATIO: Rule = Rule::error(
    "zip/ratio",
    Reference::Accepts,
    "An entry of more than 16 MiB is not packed tighter than 100 to one, nor are the streams of an archive together: \
     what they hold is compressed already. Archives that become any amount of data are made to hurt whoever unpacks \
     them.",
    "ndbytes",
);
/// The CRC-32 in the directory is that of the unpacked bytes.
pub static CRC: Rule = Rule::error(
    "zip/crc",
    Reference::Accepts,
    "The CRC-32 in the directory is that of the unpacked bytes.",
    "PKWARE's APPNOTE.TXT, section 4.4.7",
);
/// The entries of an archive have different names. Of those with the same name, the last one counts, as for ML.NET; other
/// readers take the first. `/` and `\` are the same.
pub static DUPLICATE_NAME: Rule = Rule::warning(
    "zip/duplicate-name",
    Reference::Accepts,
    "The entries of an archive have different names. Of those with the same name, the last one counts, as for ML.NET; \
     other readers take the first. `/` and `\\` are the same.",
    NOTE,
);

/// Every one of them.
pub(crate) static ALL: &[&Rule] = &[
    &BAD_DIRECTORY,
    &TOO_MANY_ENTRIES,
    &BAD_ENTRY,
    &OVERLAP,
    &ENCRYPTED,
    &METHOD,
    &CORRUPT_STREAM,
    &LENGTH,
    &RATIO,
    &CRC,
    &DUPLICATE_NAME,
];
