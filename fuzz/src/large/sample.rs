//! A large array and the questions about it.

use super::axis_selection::{AxisSelection, Places, is_limit, looked_at};
use super::source::{Computed, Fault, Head};
use super::{axis_selection, chunks, pattern};
use crate::bounds::{limits, side_by_side};
use crate::reading::native;
use crate::scratch;
use arbitrary::Arbitrary;
use ndbytes::everybyte::Endian;
use ndbytes::{
    Array, Dtype, ElementKind, Error, File, Input, ItemType, Items, Limits, Options, Result, idx, npy, rawarray,
};
use std::fs;

/// The longest axis.
const LONGEST: u16 = 4096;

/// Arrays up to this many bytes are also exported.
const EXPORTED: u64 = 1 << 20;

/// Arrays up to this many bytes are also written to a file, and read from there.
const ON_DISK: u64 = 9 << 20;

/// The number of bytes to request first, at the end, and as a page.
const PAGES: [[u64; 3]; 4] = [[4096, 65_568, 16_384], [4096, 64, 512], [4096, 4096, 4096], [8192, 1024, 65_536]];

/// The number of bytes at each end to compare as numbers.
const END: usize = 64 << 10;

/// A large array, some of its items, and the way to read them.
#[derive(Debug, Arbitrary)]
pub struct Sample {
    kind: Kind,
    item: Item,
    extents: [u16; 3],
    picks: [AxisSelection; 3],
    pages: u8,
    cut: u16,
    fault: Option<(u8, Fault)>,
    /// True if the array is also exported, unless it is too large.
    is_exported: bool,
}

/// The format and special properties of the file.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Kind {
    Npy { is_fortran_order: bool },
    RawArray,
    Idx,
    B2nd { number: u8 },
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Item {
    Byte,
    Short,
    Float,
    Structure,
}

impl Item {
    /// Returns the item type. IDX is big-endian and has no structures.
    fn item_type(self, kind: Kind) -> ItemType {
        let endian = if matches!(kind, Kind::Idx) { Endian::Big } else { Endian::Little };
        let plain = |kind| ItemType::Plain(Dtype::new(kind, endian));
        match self {
            Item::Byte => plain(ElementKind::U8),
            Item::Short => plain(ElementKind::I16),
            Item::Structure if !matches!(kind, Kind::Idx | Kind::RawArray) => {
                "[('a', '<i2'), ('b', 'u1')]".parse().expect("NumPy writes it so")
            }
            Item::Float | Item::Structure => plain(ElementKind::F32),
        }
    }
}

impl Sample {
    /// Asserts that the items of a large array match the pattern, and that the error of a failing source is returned.
    pub fn examine(self) {
        side_by_side(|| match self.kind {
            Kind::B2nd { number } => chunks::examine(usize::from(number), &self.picks, PAGES[self.page()], self.cut),
            _ => self.examine_computed(),
        });
    }

    fn page(&self) -> usize {
        usize::from(self.pages) % PAGES.len()
    }

    fn examine_computed(&self) {
        let item_type = self.item.item_type(self.kind);
        let shape = self.extents.map(|extent| usize::from(1 + extent % LONGEST));
        let head = self.head(&item_type, &shape).expect("the header can be written");
        let file = Computed::new(head, shape.iter().product::<usize>() as u64 * item_type.stride());
        let open = |file: &Computed| {
            let input = Input::from_source_in_pages(file.clone(), limits(), PAGES[self.page()])?;
            Options::new().limits(limits()).read(input)?.into_array()
        };
        let array = open(&file).expect("the source does not fail, and the header is a writer's");
        assert_eq!((array.shape().len(), array.item_type().stride()), (3, item_type.stride()));
        axis_selection::examine(&array, &self.picks, self.cut)
            .unwrap_or_else(|error| assert!(is_limit(&error), "{error}"));
        if let Some((after, fault)) = self.fault {
            let faulty = file.clone().with_fault(u64::from(after % 8), fault);
            let read = open(&faulty).and_then(|array| axis_selection::examine(&array, &self.picks, self.cut));
            assert!(matches!(&read, Ok(()) | Err(Error::Io { .. })) || read.as_ref().is_err_and(is_limit), "{read:?}");
        }
        if self.is_exported && file.payload() <= EXPORTED {
            array.export(scratch::path(), &Limits::default()).expect("the scratch file can be written");
            examine_exported(&array);
            npy::write_items(scratch::path(), &mut *array.items(), &Limits::default()).expect("as before");
            examine_exported(&array);
        }
        if file.payload() <= ON_DISK && self.cut.is_multiple_of(16) {
            examine_whole(&file, array.dtype());
        }
    }

    /// The bytes before the payload, from the format's writer.
    fn head(&self, item_type: &ItemType, shape: &[usize]) -> Result<Vec<u8>> {
        let (mut head, mut items) = (Head::default(), Unwritten { item_type, shape });
        let limits = Limits::default().output(u64::MAX);
        let written = match self.kind {
            Kind::Npy { is_fortran_order } => {
                npy::Writer::new().fortran_order(is_fortran_order).write_items_to(&mut head, &mut items, &limits)
            }
            Kind::RawArray => rawarray::Writer::new().write_items_to(&mut head, &mut items, &limits),
            _ => idx::Writer::new().write_items_to(&mut head, &mut items, &limits),
        };
        match head.into_bytes() {
            bytes if bytes.is_empty() => Err(written.expect_err("it has no header")),
            bytes => Ok(bytes),
        }
    }
}

/// Asserts that an exported array has the same items, in C order.
fn examine_exported(array: &Array<'_>) {
    let exported = Options::new().open(scratch::path()).and_then(File::into_array).expect("it was written");
    assert_eq!((exported.shape(), exported.item_type().stride()), (array.shape(), array.item_type().stride()));
    let size = array.item_type().stride() as usize;
    // The file may be in the other byte order.
    let is_swapped = exported.dtype() != array.dtype();
    let bytes = exported.bytes().expect("it is there");
    let (from, to) = (Places::whole(array), Places::whole(&exported));
    for number in looked_at(array.items().count()) {
        let (from, to) = (from.of_item(number), to.of_item(number));
        assert!(pattern::is_item(&bytes[to as usize * size..][..size], from, is_swapped), "item {from} as item {to}");
    }
}

/// Asserts that a source and a file on disk, mapped or read in pieces, have the same bytes and numbers.
fn examine_whole(file: &Computed, dtype: Dtype) {
    let path = scratch::path();
    let whole = file.whole();
    fs::write(&path, &whole).expect("the scratch file can be written");
    let input = Input::from_source(file.clone(), Limits::default()).expect("the source does not fail");
    assert!(input.bytes().expect("there is memory for it") == whole, "the bytes of the source");
    let (options, mapped) = (Options::new(), Options::new().mapped());
    for array in [options.from_source(file.clone()), options.open(&path), mapped.open(&path)] {
        let array = array.and_then(File::into_array).expect("its header is a writer's");
        if dtype.kind == ElementKind::I16 {
            let numbers = array.to_array::<i16>().expect("it has such numbers");
            let numbers: &[u8] = bytemuck::cast_slice(numbers.as_slice_memory_order().expect("in one piece"));
            for start in [0, numbers.len().saturating_sub(END) / 2 * 2] {
                let end = numbers.len().min(start + END);
                assert!(pattern::is_at(&native(&numbers[start..end], dtype), start as u64), "the numbers on disk");
            }
        }
        assert!(pattern::is_at(&array.bytes().expect("it is there"), 0), "the bytes on disk");
    }
}

/// Items that have not been requested yet.
struct Unwritten<'a> {
    item_type: &'a ItemType,
    shape: &'a [usize],
}

impl Items for Unwritten<'_> {
    fn item_type(&self) -> &ItemType {
        self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn read(&mut self, start: u64, _: u64) -> Result<&[u8]> {
        Err(Error::OutOfRange { index: start, length: 0 })
    }
}
