//! Reads structures and writes them back.

use ndbytes::everybyte::{self, BinRead, BinWrite, Endian, Layout, Source};
use std::ops::Range;

/// A file, or bytes decompressed from it.
pub struct Space<'b> {
    pub bytes: &'b [u8],
    /// The name of the file, for messages.
    pub what: &'b dyn Fn() -> String,
}

impl Space<'_> {
    /// Reads a structure and returns it with its end.
    pub fn read<'a, T>(&self, endian: Endian, start: u64, args: T::Args<'a>) -> (T, u64)
    where
        T: BinRead + Layout,
        T::Args<'a>: Clone,
    {
        let mut source = Source::new(self.bytes).at(start);
        let value = everybyte::trace::read_next(&mut source, endian, args);
        (value.unwrap_or_else(|error| panic!("{}: {error}", (self.what)())), source.position())
    }

    /// Asserts that a structure, written back, equals the bytes at its position. The caller fills in regions.
    pub fn same<T>(&self, endian: Endian, place: Range<u64>, value: &T, regions: &[Range<u64>]) -> Range<u64>
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        let mut written = everybyte::write(value, endian).unwrap();
        let length = (place.end - place.start) as usize;
        assert!(written.len() <= length, "{}", (self.what)());
        // A region at the end is not written.
        written.resize(length, 0);
        for region in regions {
            let content = &self.bytes[region.start as usize..region.end as usize];
            written[(region.start - place.start) as usize..(region.end - place.start) as usize]
                .copy_from_slice(content);
        }
        assert_eq!(written, self.bytes[place.start as usize..place.end as usize], "{}", (self.what)());
        place
    }
}
