//! Things that people take for array files, recognised so that a message can say what they are.

/// A kind of file that ndbytes does not read.
struct Foreign {
    matches: fn(&[u8]) -> bool,
    what: &'static str,
    help: &'static str,
}

static FOREIGN: &[Foreign] = &[
    Foreign {
        matches: super::is_gzip,
        what: "gzip-compressed data",
        help: "decompress it first, or turn `Options::raw` off",
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
    // Zip archives are looked into: `unknown_format` says more about them.
    Foreign {
        matches: super::is_zip,
        what: "a zip archive",
        help: "archives inside archives are not opened: unpack it first",
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
    Foreign { matches: |head| head.starts_with(b"\x89HDF\r\n"), what: "an HDF5 file", help: "read it with HDF5" },
    Foreign {
        matches: super::rawarray::is_ancient,
        what: "a RawArray file from before the format had a magic number",
        help: "put the eight bytes `rawarray` before it",
    },
    // Files that begin with a zero, as IDX does.
    Foreign {
        matches: |head| head.starts_with(b"\0\0\0\x01Bud1"),
        what: "a .DS_Store, in which macOS keeps how a folder is shown",
        help: "it holds no data: delete it",
    },
    Foreign {
        matches: |head| head.starts_with(b"\0\x05\x16\x07") || head.starts_with(b"\0\x05\x16\0"),
        what: "an AppleDouble file, in which macOS keeps what belongs to another file",
        help: "the data is in the file of the same name without `._` before it",
    },
    Foreign { matches: is_iso_media, what: "an MP4 or QuickTime file", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\0\0\0\x0cjP  "), what: "a JPEG 2000 picture", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\0\0\0\x0cJXL "), what: "a JPEG XL picture", help: NO_ARRAY },
    Foreign { matches: is_icon, what: "a Windows icon or cursor", help: NO_ARRAY },
    Foreign { matches: is_mpeg, what: "an MPEG or H.264 video", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\0\x01\0\0\0"), what: "a TrueType font", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\0asm"), what: "a WebAssembly module", help: NO_ARRAY },
    Foreign {
        matches: |head| head.len() >= 16 && head.iter().all(|&byte| byte == 0),
        what: "nothing but zeros, at its beginning at least",
        help: "the file may have been given its length but not its content",
    },
];

const NO_ARRAY: &str = "it holds no array that ndbytes reads";

/// The name of the recognised file type, and advice.
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

/// The length of a first box, and its type.
fn is_iso_media(head: &[u8]) -> bool {
    let Some((length, name)) = head.split_first_chunk::<4>() else { return false };
    let types = [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"];
    matches!(u32::from_be_bytes(*length), 1 | 8..) && types.into_iter().any(|known| name.starts_with(known))
}

/// A reserved word, the kind, how many pictures follow, and of the first one a byte that is zero.
fn is_icon(head: &[u8]) -> bool {
    matches!(head, [0, 0, 1 | 2, 0, count, 0, _, _, _, 0, ..] if *count > 0)
}

/// A start code, and what may come first: a pack, a sequence, or a unit of parameters.
fn is_mpeg(head: &[u8]) -> bool {
    matches!(
        head,
        [0, 0, 1, 0xB0..=0xBF, ..] | [0, 0, 1, 0x67, ..] | [0, 0, 0, 1, 0x09 | 0x27 | 0x40 | 0x42 | 0x67, ..]
    )
}
