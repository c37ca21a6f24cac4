//! Files as text that diffs.

use crate::bounds::limits;
use ndbytes::Input;
use ndbytes_compare::{digest, snapshot};

/// The maximum number of bytes of a text, and characters of a line.
const LONGEST: usize = 256 << 10;
const LONGEST_LINE: usize = 2000;

/// Any bytes have a text that harms nobody, and that other bytes do not have.
pub fn examine(bytes: &[u8]) {
    // A few bytes stand for any number of zeros.
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
