//! A stand-in for another version of binrw: its `Endian` is another type.

extern crate binrw as real;
extern crate self as binrw;

pub use real::{BinRead, BinResult, BinWrite, binrw, io};

pub enum Endian {}

#[everybyte::layout(bits = 8)]
struct Flags {
    all: everybyte::bits::B8,
}

fn main() {}
