//! The bytes of a file, read and sought arbitrarily.

use everybyte::Source;
use std::io::{Cursor, ErrorKind, Read, Seek, SeekFrom};

/// Asserts that a source reads and seeks like any other reader of these bytes. If only the beginning of a file is
/// available, it returns the same bytes, or reports that they are not available.
pub fn examine(bytes: &[u8]) {
    let (length, at_hand) = (bytes.len() as u64, bytes.len() / 2);
    let mut readers = (Source::new(bytes), Source::prefix(&bytes[..at_hand], length), Cursor::new(bytes));
    for step in bytes.chunks_exact(2).take(64) {
        let by = i64::from(step[1]) - 0x40;
        let target = match step[0] % 4 {
            0 => SeekFrom::Start(by.unsigned_abs()),
            1 => SeekFrom::Current(by),
            2 => SeekFrom::End(by),
            _ => {
                read(&mut readers, by.unsigned_abs() as usize, step[0] < 0x80);
                continue;
            }
        };
        let (whole, prefix, expected) = (readers.0.seek(target), readers.1.seek(target), readers.2.seek(target));
        assert_eq!(whole.as_ref().ok(), expected.as_ref().ok(), "{target:?}");
        assert_eq!(prefix.is_ok(), expected.is_ok(), "{target:?} where half of the bytes are at hand");
    }
}

/// Reads up to a number of bytes and asserts that all readers are at the same position afterwards.
fn read<'b>((whole, prefix, expected): &mut (Source<'b>, Source<'b>, Cursor<&'b [u8]>), count: usize, is_exact: bool) {
    let start = expected.position();
    let [mut found, mut known, mut right] = [vec![0; count], vec![0; count], vec![0; count]];
    if is_exact {
        let is_there = expected.read_exact(&mut right).is_ok();
        assert_eq!(whole.read_exact(&mut found).is_ok(), is_there, "{count} bytes from {start} on");
        match prefix.read_exact(&mut known) {
            Ok(()) => assert_eq!(known, right),
            Err(error) => assert!(!is_there || error.kind() == ErrorKind::WouldBlock, "{error}"),
        }
    } else {
        let taken = expected.read(&mut right).expect("memory is read");
        assert_eq!(whole.read(&mut found).expect("all bytes are at hand"), taken);
        match prefix.read(&mut known) {
            Ok(some) => assert_eq!(known[..some], right[..some]),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }
    assert_eq!(found, right);
    for reader in [whole, prefix] {
        reader.seek(SeekFrom::Start(start)).expect("the place is there");
    }
    expected.set_position(start);
}
