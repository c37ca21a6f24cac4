//! Checksums: of nothing, of bytes that are not in the value, and in elements that a map does not show.

use crate::sampler::own::{Again, Stamp};
use everybyte::bits::B7;
use everybyte::sums::{sum8, sum16};
use everybyte::{Format, bytes::Bytes, layout};

/// Postings, each with the sum of the total, and notes with sums of their own.
#[layout]
#[brw(big)]
pub struct Ledger {
    number: u8,
    /// The other side of the equation is not a number.
    #[layout(rule("ledger/last", error, marks.is_last() == is_large(number), "{number} does not fit the mark"))]
    marks: Marks,
    /// Another number states the same bits.
    #[layout(copy_of = marks)]
    marks_again: u8,
    total: u16,
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    postings: Vec<Posting>,
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    note: Vec<u8>,
    #[layout(check_of = note, sum = sum8)]
    note_sum: u8,
    again: Again,
    stamp: Stamp,
    #[br(temp)]
    #[layout(check_of = "again..stamp", sum = sum16)]
    sum: u16,
}

fn is_large(number: u8) -> bool {
    number > 3
}

#[layout(bits = 8)]
struct Marks {
    is_last: bool,
    rest: B7,
}

#[layout]
#[brw(big)]
struct Posting {
    amount: u8,
    #[layout(check_of = outer::total, sum = sum8)]
    total_sum: u8,
}

impl Format for Ledger {
    const NAME: &'static str = "ledger";
}

/// Bytes that the value does not have, and their sum.
#[layout]
pub struct Sealed {
    length: u8,
    #[br(args { length: length.into() })]
    pub bytes: Bytes,
    #[br(temp)]
    #[layout(check_of = bytes, sum = sum8)]
    seal: u8,
}
