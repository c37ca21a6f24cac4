//! Formats that a file may be in instead of the specified one, recognised by their first bytes.

/// First bytes and the formats that begin with them.
const KNOWN: [(&[u8], &str); 20] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "compressed with gzip"),
    (b"BZh", "compressed with bzip2"),
    (b"\xfd7zXZ\0", "compressed with xz"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x7fELF", "an ELF program"),
    (b"MZ", "a program of DOS or Windows"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"\x93NUMPY", "a .npy file"),
    (b"RIFF", "a RIFF file, such as WAV or WebP"),
    (b"OggS", "an Ogg file"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"version https://git-lfs", "a git-LFS pointer, not the file itself"),
];

/// Returns the kind of a file by its first bytes; `None` if they are unknown.
pub fn named(file: &[u8]) -> Option<&'static str> {
    KNOWN.iter().find(|(begin, _)| file.starts_with(begin)).map(|(_, what)| *what)
}
