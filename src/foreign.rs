//! Things that people take for array files, recognised so that a message can say what they are.

/// A kind of file that ndbytes does not read.
struct Foreign {
    matches: fn(&[u8]) -> bool,
    what: &'static str,
    help: &'static str,
}

static FOREIGN: [Foreign; 12] = [
    Foreign {
        matches: |head| head.starts_with(b"\x1f\x8b"),
        what: "gzip-compressed data",
        help: "decompress it first, or read it without demanding raw bytes",
    },
    Foreign {
        matches: |head| head.starts_with(b"\xfd7zXZ\0"),
        what: "xz-compressed data",
        help: "decompress it first: xz -d",
    },
    Foreign {
        matches: |head| head.starts_with(b"\x28\xb5\x2f\xfd"),
        what: "zstd-compressed data",
        help: "decompress it first: zstd -d",
    },
    Foreign {
        matches: |head| head.starts_with(b"BZh"),
        what: "bzip2-compressed data",
        help: "decompress it first: bzip2 -d",
    },
    // Files are looked into: `unknown_format` says more of those.
    Foreign {
        matches: |head| head.starts_with(b"PK\x03\x04"),
        what: "a zip archive",
        help: "IDV streams are read out of archives that are files: save it, or unpack it first",
    },
    Foreign {
        matches: is_html,
        what: "a web page",
        help: "the download went wrong: the server sent a page instead of the file",
    },
    Foreign {
        matches: |head| head.starts_with(b"version https://git-lfs"),
        what: "a git-LFS pointer, not the file itself",
        help: "fetch the content: git lfs pull",
    },
    Foreign {
        matches: |head| is_lush(head, u32::from_le_bytes),
        what: "a Lush matrix in little-endian order (the format of small-NORB)",
        help: "Lush matrices are related to IDX, but are not IDX",
    },
    Foreign {
        matches: |head| is_lush(head, u32::from_be_bytes),
        what: "a Lush matrix in big-endian order",
        help: "Lush matrices are related to IDX, but are not IDX",
    },
    Foreign { matches: |head| head.starts_with(b"\x93NUMPY"), what: "a NumPy .npy file", help: "read it with NumPy" },
    Foreign { matches: |head| head.starts_with(b"\x89HDF\r\n"), what: "an HDF5 file", help: "read it with HDF5" },
    Foreign {
        matches: is_ancient_rawarray,
        what: "an ancestor of RawArray, from the days before the format had a magic",
        help: "put the eight bytes `rawarray` before it",
    },
];

/// What the bytes look like, and what to do about it.
pub(crate) fn recognise(head: &[u8]) -> Option<(&'static str, &'static str)> {
    FOREIGN.iter().find(|foreign| (foreign.matches)(head)).map(|foreign| (foreign.what, foreign.help))
}

fn is_html(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let starts = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    [&b"<!doctype"[..], b"<html", b"<head", b"<?xml", b"<!--", b"<body"].into_iter().any(starts)
}

fn is_lush(head: &[u8], word: fn([u8; 4]) -> u32) -> bool {
    let magic = head.first_chunk().copied().map(word);
    magic.is_some_and(|magic| matches!(magic, 0x1E3D_4C51..=0x1E3D_4C5B | 0x2E4D_4154))
}

/// Flags, eltype, elbyte, size and ndims as the file would begin with them, each with a value that it could have.
pub(crate) fn is_ancient_rawarray(head: &[u8]) -> bool {
    let Some(words) = head.as_chunks::<8>().0.first_chunk::<5>() else { return false };
    let [flags, eltype, elbyte, size, ndims] = words.map(u64::from_le_bytes);
    flags <= 1
        && eltype <= 5
        && (1..=16).contains(&elbyte)
        && size > 0
        && size % elbyte == 0
        && (1..=16).contains(&ndims)
}
