//! The diff-friendly text form of files.

use crate::bounds::limits;
use ndbytes::Input;
use ndbytes_compare::{digest, snapshot};

/// The maximum length of a text in bytes, and of a line in characters.
const LONGEST: usize = 256 << 10;
const LONGEST_LINE: usize = 2000;

/// Asserts that arbitrary bytes have a text that is safe to print and that differs from the text of other bytes.
pub fn examine(bytes: &[u8]) {
    // A few bytes can expand to any number of zeros.
    let limits = limits().output(64 << 20);
    let of = |bytes: &[u8]| snapshot::text(bytes).limits(limits).render().expect("any bytes have a text");
    let text = of(bytes);
    assert!(text.len() <= LONGEST && text.ends_with('\n'));
    for line in text.lines() {
        assert!(line.chars().count() <= LONGEST_LINE);
        assert_eq!(everybyte::escape(line), line);
    }
    let digest = digest::bytes(&Input::from_slice(bytes, limits)).expect("they are in memory");
    let first = text.lines().next().expect("a text has a line");
    assert!(first.ends_with(&format!("blake3 {digest}")), "{first}");
    assert_eq!(of(bytes), text);
}
