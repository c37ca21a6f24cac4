//! Things that people take for array files, recognised so that a message can say what they are.

use std::str::Utf8Error;

/// The bytes that tell what a file is, at most: as many as each input has at hand when it is opened.
pub(crate) const BEGINNING: usize = 4096;

/// A kind of file that ndbytes does not read.
struct Foreign {
    matches: fn(&[u8]) -> bool,
    what: &'static str,
    help: &'static str,
}

static FOREIGN: &[Foreign] = &[
    Foreign { matches: super::is_gzip, what: GZIP, help: "decompress it first" },
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
    Foreign { matches: |head| head.starts_with(b"\x89PNG\r\n\x1a\n"), what: "a PNG picture", help: ARRAYS },
    Foreign { matches: is_safetensors, what: "a safetensors file", help: ARRAYS },
    Foreign { matches: |head| head.starts_with(b"PAR1"), what: "a Parquet file", help: TABLE },
    Foreign { matches: |head| head.starts_with(b"ARROW1\0\0"), what: "an Arrow file", help: TABLE },
    Foreign {
        matches: |head| head.starts_with(b"\xff\xff\xff\xff") && head.get(6..8) == Some(&[0, 0]),
        what: "a stream of Arrow",
        help: TABLE,
    },
    Foreign {
        matches: is_pickle,
        what: "a pickle of Python",
        help: "pickles run code when they are loaded: save arrays as .npy",
    },
    Foreign {
        matches: |head| head.starts_with(b"MATLAB 5.0 MAT-file"),
        what: "a MATLAB file",
        help: "read it with MATLAB or SciPy, and save its arrays as .npy",
    },
    Foreign { matches: |head| head.starts_with(b"SIMPLE  ="), what: "a FITS file", help: NO_ARRAY },
    Foreign {
        matches: |head| [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"].iter().any(|start| head.starts_with(*start)),
        what: "a TIFF picture",
        help: NO_ARRAY,
    },
    Foreign {
        matches: |head| head.starts_with(b"CDF") && matches!(head.get(3), Some(1 | 2 | 5)),
        what: "a NetCDF file",
        help: NO_ARRAY,
    },
    Foreign { matches: |head| head.get(344..348) == Some(b"n+1\0"), what: "a NIfTI file", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"GGUF"), what: "a GGUF file", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\xff\xd8\xff"), what: "a JPEG picture", help: NO_ARRAY },
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
const ARRAYS: &str = "`ndbytes convert` reads it, and makes .npy or .npz of it, which the other commands read";
const TABLE: &str = "`ndbytes convert` reads it, and makes .idv of it, which the other commands read";

/// The content of a gzip file that was packed twice.
pub(crate) const GZIP: &str = "gzip-compressed data";

/// Advice about text, which has no signature.
pub(crate) const TEXT: &str =
    "`ndbytes convert` reads CSV and JSON Lines, which it knows by their names, and makes .idv of them";

/// The name of the recognised file type, and advice.
pub(crate) fn recognise(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = beginning(head);
    FOREIGN.iter().find(|foreign| (foreign.matches)(head)).map(|foreign| (foreign.what, foreign.help))
}

/// The bytes that tell what a file is. They are the same whether all bytes are in memory or are read in pieces.
fn beginning(head: &[u8]) -> &[u8] {
    &head[..head.len().min(BEGINNING)]
}

/// Returns whether bytes are the beginning of a text: lines of letters, without other control characters.
pub(crate) fn is_text(head: &[u8]) -> bool {
    let head = beginning(head);
    let is_cut = |error: Utf8Error| error.error_len().is_none();
    let is_unicode = str::from_utf8(head).map_or_else(is_cut, |_| true);
    is_unicode && head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..))
}

fn is_html(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let starts = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    [&b"<!doctype"[..], b"<html", b"<head", b"<?xml", b"<!--", b"<body"].into_iter().any(starts)
}

/// The length of a header in JSON, and its first letter.
fn is_safetensors(head: &[u8]) -> bool {
    let Some((length, header)) = head.split_first_chunk::<8>() else { return false };
    matches!(u64::from_le_bytes(*length), 2..=100_000_000) && header.starts_with(b"{\"")
}

/// The opcode of a protocol from 2 on, and that of its first frame or object.
fn is_pickle(head: &[u8]) -> bool {
    matches!(head, [0x80, 2 | 3, b'c' | b'}' | b']' | b'(' | b'X', ..] | [0x80, 4 | 5, 0x95, ..])
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

#[cfg(test)]
mod tests {
    use super::recognise;

    #[test]
    fn files_of_other_programs_are_named_by_their_first_bytes() {
        let nifti = [&[0x5c, 1, 0, 0][..], &[0; 340], b"n+1\0"].concat();
        for (head, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], Some("a PNG picture")),
            (b"\x40\0\0\0\0\0\0\0{\"a\":", Some("a safetensors file")),
            (b"PAR1\x15", Some("a Parquet file")),
            (b"ARROW1\0\0\xff", Some("an Arrow file")),
            (b"\xff\xff\xff\xff\x80\x01\0\0", Some("a stream of Arrow")),
            (b"\x80\x04\x95\x10\0", Some("a pickle of Python")),
            (b"\x80\x02}q\0", Some("a pickle of Python")),
            (b"MATLAB 5.0 MAT-file, Platform", Some("a MATLAB file")),
            (b"SIMPLE  =                    T", Some("a FITS file")),
            (b"MM\0*\0\0", Some("a TIFF picture")),
            (b"CDF\x05\0", Some("a NetCDF file")),
            (&nifti, Some("a NIfTI file")),
            (b"GGUF\x03", Some("a GGUF file")),
            (b"\xff\xd8\xff\xe0", Some("a JPEG picture")),
            (b"CDF\x09\0", None),
            (b"\x80\x04hello", None),
            (b"hello, world", None),
        ] {
            assert_eq!(recognise(head).map(|(what, _)| what), expected, "{head:?}");
        }
    }
}
