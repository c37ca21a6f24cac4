//! Detection of formats. Content decides, and files that only begin like a format are identified correctly.

use ndbytes::{Checker, Format, Report, detect};
use ndbytes_testkit::look_alikes::file;

fn check(bytes: &[u8]) -> Report {
    Checker::new().check_slice(bytes).unwrap()
}

/// Beginnings of files with one or two leading zeros, as in IDX, and their formats.
const OTHERS: [(&[u8], &str); 19] = [
    (b"\0\0\0\x01Bud1\0\0\x10\0", ".DS_Store"),
    (b"\0\x05\x16\x07\0\x02\0\0Mac OS X", "AppleDouble"),
    (b"\0\0\0\x18ftypmp42", "MP4"),
    (b"\0\0\0\x20ftypheic", "MP4"),
    (b"\0\0\0\x08wide\0\0\x10\0mdat", "QuickTime"),
    (b"\0\0\0\x01mdat\0\0\0\0", "QuickTime"),
    (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0", "icon"),
    (b"\0\0\x02\0\x01\0\x20\x20\0\0\x0f\0\x0f\0", "cursor"),
    (b"\0\0\x01\xba\x44\0\x04\0", "MPEG"),
    (b"\0\0\x01\xb3\x14\0\xf0\x13", "MPEG"),
    (b"\0\0\0\x01\x67\x64\0\x1f", "H.264"),
    (b"\0\0\x01\x67\x42\0\x1e", "H.264"),
    (b"\0\x01\0\0\0\x0f\0\x80\0\x03\0\x70", "TrueType"),
    (b"\0asm\x01\0\0\0", "WebAssembly"),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
    (&[0; 6148], "only zeros"),
    (b"\0\0\x1a\0\0\x10\x04\0", ""),
    (b"\0\0\0\0\x62\x31\x05\0\x09", ""),
];

#[test]
fn files_that_begin_with_zeros_are_not_idx_for_that() {
    for (beginning, name) in OTHERS {
        let bytes = file(beginning);
        let report = check(&bytes);
        assert_eq!(detect(&bytes, bytes.len() as u64), None, "{beginning:?}");
        assert_eq!(report.format, None);
        let [finding] = report.findings() else { panic!("{:?}", report.findings()) };
        assert_eq!(finding.rule.id, "unknown-format");
        let expected = if name.is_empty() { "the format is unknown" } else { name };
        assert!(finding.message.contains(expected), "{beginning:?}: {finding}");
        // Opening it as IDX reports the actual format.
        let error = ndbytes::idx::from_slice(&bytes).unwrap_err();
        assert!(error.to_string().contains(if name.is_empty() { "idx/" } else { name }), "{error}");
    }
}

#[test]
fn a_file_is_named_alike_in_memory_and_in_pieces() {
    let beginnings: [&[u8]; 3] = [b"5 0 4 1\n", &[0; 8], "\u{e9}".as_bytes()];
    for beginning in beginnings {
        for after in [&b"\0"[..], b"\x01", b"\xff", b"5"] {
            for length in [4090, 4095, 4096, 4097, 5000] {
                let mut bytes: Vec<u8> = beginning.iter().copied().cycle().take(length).collect();
                bytes.extend(after);
                let file = tempfile::NamedTempFile::new().unwrap();
                std::fs::write(file.path(), &bytes).unwrap();
                let in_memory = check(&bytes);
                assert_eq!(
                    in_memory,
                    Checker::new().check_reader(&bytes[..]).unwrap(),
                    "{beginning:?} {after:?} {length}"
                );
                assert_eq!(in_memory, Checker::new().check(file.path()).unwrap(), "{beginning:?} {after:?} {length}");
            }
        }
    }
}

#[test]
fn an_element_type_that_is_wrong_is_still_idx() {
    // One axis of three elements, of every possible size.
    for size in [1, 2, 4, 8] {
        for code in [0, 7, 0x0A, 0x0F, 0xFF] {
            let mut bytes = vec![0, 0, code, 1, 0, 0, 0, 3];
            bytes.extend(vec![5; 3 * size]);
            assert_eq!(detect(&bytes, bytes.len() as u64), Some(Format::Idx), "{bytes:?}");
            assert_eq!(check(&bytes).findings()[0].rule.id, "idx/unknown-type");
            // With a byte more or less, nothing identifies it.
            bytes.push(5);
            let fits = matches!((size, bytes.len() - 8), (_, 3 | 6 | 12 | 24));
            assert_eq!(detect(&bytes, bytes.len() as u64).is_some(), fits, "{bytes:?}");
        }
    }
}

#[test]
fn an_element_type_that_is_right_is_idx_whatever_follows() {
    for code in [0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E] {
        let header = [0, 0, code, 2, 0, 0, 0, 9, 0xFF, 0xFF, 0xFF, 0xFF, 1];
        for length in 3..header.len() {
            assert_eq!(detect(&header[..length], length as u64), Some(Format::Idx), "{code:#x}, {length} bytes");
        }
    }
    assert_eq!(detect(&[0, 0], 2), Some(Format::Idx), "the beginning of a file that was cut off");
    assert_eq!(detect(&[0, 0, 7], 3), None);
}
