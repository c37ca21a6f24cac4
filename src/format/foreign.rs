//! Recognizes files that are often mistaken for array files, so that a message can name their type.

use std::str::Utf8Error;

/// The maximum number of bytes that detection reads. Every input has them as soon as it is open.
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
    Foreign {
        matches: |head| head.get(257..262) == Some(b"ustar"),
        what: "a tar archive",
        help: "unpack it first: tar -xf",
    },
    Foreign {
        matches: |head| head.starts_with(b"7z\xbc\xaf\x27\x1c"),
        what: "a 7-Zip archive",
        help: "unpack it first: 7z x",
    },
    Foreign {
        matches: |head| head.starts_with(b"\x5d\0\0") && head.get(5..13).is_some_and(is_lzma_length),
        what: "LZMA-compressed data",
        help: "decompress it first: xz -d --format=lzma",
    },
    Foreign {
        matches: |head| head.starts_with(b"blpk"),
        what: "a Bloscpack file",
        help: "read it with bloscpack, and save its array as .npy: bp.unpack_ndarray_from_file",
    },
    Foreign {
        matches: |head| head.starts_with(b"\x04\x22\x4d\x18"),
        what: "LZ4-compressed data",
        help: "decompress it first: lz4 -d",
    },
    // Zip archives are examined further, so `unknown_format` describes them in more detail.
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
    Foreign {
        matches: |head| head.starts_with(b"# xet version "),
        what: "a Xet pointer, not the file itself",
        help: "fetch the content: git xet materialize",
    },
    Foreign {
        matches: is_hdf5,
        what: "an HDF5 file",
        help: "read it with h5py, or with xarray if it is NetCDF-4, and save its arrays as .npy",
    },
    Foreign {
        matches: super::rawarray::is_ancient,
        what: "a RawArray file from before the format had a magic number",
        help: "prepend the eight bytes `rawarray`",
    },
    Foreign { matches: |head| head.starts_with(b"\x89PNG\r\n\x1a\n"), what: "a PNG picture", help: ARRAYS },
    Foreign { matches: |head| head.starts_with(b"PAR1"), what: "a Parquet file", help: TABLE },
    Foreign { matches: |head| head.starts_with(b"ARROW1\0\0"), what: "an Arrow file", help: TABLE },
    Foreign {
        matches: |head| head.starts_with(b"\xff\xff\xff\xff") && head.get(6..8) == Some(&[0, 0]),
        what: "an Arrow stream",
        help: TABLE,
    },
    Foreign {
        matches: is_pickle,
        what: "a Python pickle",
        help: "pickles run code when loaded: save arrays as .npy, and tensors as safetensors",
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
        help: "read it with xarray or netCDF4, and save its arrays as .npy",
    },
    Foreign { matches: |head| head.get(344..348) == Some(b"n+1\0"), what: "a NIfTI file", help: NO_ARRAY },
    Foreign { matches: |head| head.starts_with(b"\xff\xd8\xff"), what: "a JPEG picture", help: NO_ARRAY },
    // Files that begin with a zero, as IDX does.
    Foreign {
        matches: |head| head.starts_with(b"\0\0\0\x01Bud1"),
        what: "a .DS_Store, where macOS stores how a folder is displayed",
        help: "it contains no data: delete it",
    },
    Foreign {
        matches: |head| head.starts_with(b"\0\x05\x16\x07") || head.starts_with(b"\0\x05\x16\0"),
        what: "an AppleDouble file, where macOS stores metadata of another file",
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
        what: "only zeros, at least at the beginning",
        help: "the file may have been allocated, but never written",
    },
];

const NO_ARRAY: &str = "it contains no array that ndbytes reads";
const ARRAYS: &str = "convert it to .npy or .npz with `ndbytes convert`";
const TABLE: &str = "convert it to .idv with `ndbytes convert`";

/// The content of a gzip file that was compressed twice.
pub(crate) const GZIP: &str = "gzip-compressed data";

/// Advice about text, which has no signature.
pub(crate) const TEXT: &str = "if it is CSV or JSON Lines, convert it to .idv with `ndbytes convert`";

/// Returns the name of the recognised file type, with advice.
pub(crate) fn recognise(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = beginning(head);
    FOREIGN.iter().find(|foreign| (foreign.matches)(head)).map(|foreign| (foreign.what, foreign.help))
}

/// Returns the bytes that determine a file's format. They are the same if the file is read in pieces.
fn beginning(head: &[u8]) -> &[u8] {
    &head[..head.len().min(BEGINNING)]
}

/// Returns whether bytes are the beginning of plain text: lines of characters, without other control characters.
pub(crate) fn is_text(head: &[u8]) -> bool {
    let head = beginning(head);
    let is_cut = |error: Utf8Error| error.error_len().is_none();
    let is_unicode = str::from_utf8(head).map_or_else(is_cut, |_| true);
    is_unicode && head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..))
}

/// Looks for the signature of HDF5 at each offset where it may be: MATLAB, for one, writes a header of its own before it.
fn is_hdf5(head: &[u8]) -> bool {
    [0, 512, 1024, 2048].into_iter().any(|at| head.get(at..at + 8) == Some(&b"\x89HDF\r\n\x1a\n"[..]))
}

/// Checks whether the length of LZMA's content is unknown or less than a tebibyte.
fn is_lzma_length(length: &[u8]) -> bool {
    length == [0xFF; 8] || length[5..] == [0; 3]
}

/// Returns whether a file is a Blosc chunk without a frame. It begins with a version and a width, followed by sizes, the last of
/// which is the length of the file.
pub(crate) fn is_blosc_chunk(head: &[u8], length: u64) -> bool {
    let Some((&[version, codec, _, width], sizes)) = head.split_first_chunk::<4>() else { return false };
    let Some((sizes, _)) = sizes.split_first_chunk::<12>() else { return false };
    let number = |at: usize| u32::from_le_bytes([sizes[at], sizes[at + 1], sizes[at + 2], sizes[at + 3]]);
    let (content, block) = (number(0), number(4));
    matches!(version, 1..=6) && codec == 1 && width > 0 && block <= content && u64::from(number(8)) == length
}

fn is_html(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).trim_ascii_start();
    let starts = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    [&b"<!doctype"[..], b"<html", b"<head", b"<?xml", b"<!--", b"<body"].into_iter().any(starts)
}

/// Checks for the opcode of protocol 2 or later, followed by the opcode of a frame or object.
fn is_pickle(head: &[u8]) -> bool {
    // Models of PyTorch before 1.6 begin with a long integer.
    matches!(head, [0x80, 2 | 3, b'c' | b'}' | b']' | b'(' | b'X' | 0x8A, ..] | [0x80, 4 | 5, 0x95, ..])
}

fn is_lush(head: &[u8], word: fn([u8; 4]) -> u32) -> bool {
    let magic = head.first_chunk().copied().map(word);
    magic.is_some_and(|magic| matches!(magic, 0x1E3D_4C51..=0x1E3D_4C5B | 0x2E4D_4154))
}

/// Checks the length and the type of the first box.
fn is_iso_media(head: &[u8]) -> bool {
    let Some((length, name)) = head.split_first_chunk::<4>() else { return false };
    let types = [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"];
    matches!(u32::from_be_bytes(*length), 1 | 8..) && types.into_iter().any(|known| name.starts_with(known))
}

/// Checks a reserved word, the kind, the number of pictures, and a byte of the first picture that must be zero.
fn is_icon(head: &[u8]) -> bool {
    matches!(head, [0, 0, 1 | 2, 0, count, 0, _, _, _, 0, ..] if *count > 0)
}

/// Checks for a start code, followed by a pack, a sequence, or a unit of parameters.
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
            (b"PAR1\x15", Some("a Parquet file")),
            (b"ARROW1\0\0\xff", Some("an Arrow file")),
            (b"\xff\xff\xff\xff\x80\x01\0\0", Some("an Arrow stream")),
            (b"\x80\x04\x95\x10\0", Some("a Python pickle")),
            (b"\x80\x02}q\0", Some("a Python pickle")),
            (b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.", Some("a Python pickle")),
            (b"MATLAB 5.0 MAT-file, Platform", Some("a MATLAB file")),
            (b"SIMPLE  =                    T", Some("a FITS file")),
            (b"MM\0*\0\0", Some("a TIFF picture")),
            (b"CDF\x05\0", Some("a NetCDF file")),
            (b"\x89HDF\r\n\x1a\n\0", Some("an HDF5 file")),
            (&[&b"MATLAB 7.3 MAT-file"[..], &[b' '; 493], b"\x89HDF\r\n\x1a\n"].concat(), Some("an HDF5 file")),
            (b"# xet version 0\nfilesize = 9\n", Some("a Xet pointer, not the file itself")),
            (b"# xet versions\n", None),
            (&nifti, Some("a NIfTI file")),
            (b"\xff\xd8\xff\xe0", Some("a JPEG picture")),
            (b"CDF\x09\0", None),
            (b"\x80\x04hello", None),
            (b"hello, world", None),
            (&[&[b'x'; 257][..], b"ustar\x0000"].concat(), Some("a tar archive")),
            (b"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", Some("LZMA-compressed data")),
            (b"blpk\x03\0", Some("a Bloscpack file")),
        ] {
            assert_eq!(recognise(head).map(|(what, _)| what), expected, "{head:?}");
        }
    }
}
