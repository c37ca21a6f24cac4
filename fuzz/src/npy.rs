//! `.npy`.

use crate::arrangement::{Arrangement, bits, elements};
use crate::bounds::limits;
use crate::layout::read_in_every_way;
use crate::share::{Question, Share};
use crate::{bytes, reading, scratch};
use arbitrary::Arbitrary;
use binrw::args;
use everybyte::{Endian, Source, write};
use half::f16;
use ndarray::ArrayViewD;
use ndbytes::npy::{Npy, NpyElement, Options, Writer, write_items};
use ndbytes::{Array, Checker, Decoded, Element, ElementKind, Error, Format, ItemType, Limits, Profile};
use ndbytes_schemas::npy as layout;
use num_complex::Complex;
use std::fs;

/// Asserts the guarantees for arbitrary bytes that may be `.npy`.
pub fn examine_bytes(file: &[u8]) {
    let share = Share::of(file);
    let report = bytes::examine_share(file, share);
    if ndbytes::is_gzip(file) {
        // The target `gzip_bytes` covers files inside gzip.
        return;
    }
    if share.asks(Question::Layouts) {
        for elements in [u64::MAX, file.len() as u64 / 2] {
            let _ = read_in_every_way::<layout::Npy>(Source::new(file), Endian::Little, args! { elements });
        }
    }
    let read = options().from_slice(file);
    if report.format == Some(Format::Npy) {
        assert_eq!(read.is_ok(), bytes::is_accepted(&report), "{report:?} but {read:?}");
    }
    if let Ok(array) = read {
        write_back(file, &array, share);
        if share.asks(Question::Rewrite) {
            write_again(&array);
        }
        if share.asks(Question::Elements) {
            examine_elements(&array);
            reading::examine(&Array::Npy(array));
        }
    }
}

fn options() -> Options {
    Options::new().limits(limits())
}

/// Asserts that an accepted file consists of its header and its items.
fn write_back(file: &[u8], array: &Npy<'_>, share: Share) {
    let written = write(array.header(), Endian::Little).expect("what was read can be written");
    assert!(file.starts_with(&written), "the header is what its fields are written to");
    assert!(&file[written.len()..] == array.bytes().expect("what was accepted can be read"));
    if share.asks(Question::Layouts) {
        let elements = array.header().payload.length;
        let read = read_in_every_way::<layout::Npy>(Source::new(file), Endian::Little, args! { elements });
        assert_eq!(read.as_ref(), Ok(array.header()));
    }
}

/// Asserts that a file rewritten in C order has the same items, and no findings.
fn write_again(array: &Npy<'_>) {
    let mut items = array.items();
    let count = items.count();
    if array.bytes().expect("read before").len() > reading::SMALL {
        return;
    }
    let before = items.read(0, count).expect("what was accepted can be read").to_vec();
    let path = scratch::path();
    write_items(&path, &mut *items, &Limits::default()).expect("what was read can be written");
    let again = fs::read(&path).expect("it was written");
    let report = Checker::new().check_slice(&again).expect("bytes in memory can be read");
    let is_of_values = report.findings().iter().all(|finding| finding.rule.id == "npy/bool-value");
    assert!(is_of_values, "{report:?}");
    let again = Options::new().from_slice(&again).expect("what was written can be read");
    assert_eq!((again.shape(), again.item_type()), (array.shape(), array.item_type()));
    assert!(again.bytes().expect("read") == before, "the items stay the same");
}

/// Reads the items as their type.
fn examine_elements(array: &Npy<'_>) {
    match array.dtype().kind {
        ElementKind::I8 => examine_typed::<i8>(array),
        ElementKind::I16 => examine_typed::<i16>(array),
        ElementKind::I32 => examine_typed::<i32>(array),
        ElementKind::I64 => examine_typed::<i64>(array),
        ElementKind::U8 => examine_typed::<u8>(array),
        ElementKind::U16 => examine_typed::<u16>(array),
        ElementKind::U32 => examine_typed::<u32>(array),
        ElementKind::U64 => examine_typed::<u64>(array),
        ElementKind::F16 => examine_typed::<f16>(array),
        ElementKind::F32 => examine_typed::<f32>(array),
        ElementKind::F64 => examine_typed::<f64>(array),
        ElementKind::Complex64 => examine_typed::<Complex<f32>>(array),
        ElementKind::Complex128 => examine_typed::<Complex<f64>>(array),
        ElementKind::Bool => {
            let truths = array.to_bool_array().expect("there is memory for a small array");
            assert_eq!(truths.shape(), array.shape());
        }
        _ => assert!(matches!(array.to_array::<f32>(), Err(Error::WrongType { .. }))),
    }
}

fn examine_typed<T: Element>(array: &Npy<'_>) {
    let bytes = array.bytes().expect("what was accepted can be read");
    if bytes.len() > reading::SMALL {
        return;
    }
    let read = array.to_array::<T>().expect("there is memory for a small array");
    assert_eq!(read.shape(), array.shape());
    reading::compare(read.as_slice_memory_order().expect("in one piece"), bytes, array.dtype());
    match array.view::<T>() {
        Ok(view) => assert!(bits(&view) == bits(&read)),
        Err(error) => assert!(matches!(error, Error::NoView(_)), "{error}"),
    }
    let mut buffer = vec![T::zeroed(); bytes.len() / size_of::<T>()];
    array.read_into(&mut buffer).expect("the buffer has the right length");
    reading::compare(&buffer, bytes, array.dtype());
}

/// A value to write.
#[derive(Debug, Arbitrary)]
pub enum Sample<'a> {
    /// Any header, followed by bytes.
    Layout { header: layout::Npy, content: &'a [u8] },
    /// An array for the writer.
    Array { class: Class, array: Arrangement, fortran_order: bool, content: &'a [u8] },
    /// Items of any type, given by its text.
    Items { item_type: &'a str, shape: [u8; 2], content: &'a [u8] },
}

/// The Rust type of the elements.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub enum Class {
    I8,
    U16,
    I32,
    U64,
    F16,
    F32,
    F64,
    Complex64,
    Complex128,
}

impl Sample<'_> {
    /// Asserts the guarantees for any value.
    pub fn examine(self) {
        match self {
            Sample::Layout { header, content } => examine_layout(&header, content),
            Sample::Array { class, array, fortran_order, content } => match class {
                Class::I8 => examine_array::<i8>(&array, fortran_order, content),
                Class::U16 => examine_array::<u16>(&array, fortran_order, content),
                Class::I32 => examine_array::<i32>(&array, fortran_order, content),
                Class::U64 => examine_array::<u64>(&array, fortran_order, content),
                Class::F16 => examine_array::<f16>(&array, fortran_order, content),
                Class::F32 => examine_array::<f32>(&array, fortran_order, content),
                Class::F64 => examine_array::<f64>(&array, fortran_order, content),
                Class::Complex64 => examine_array::<Complex<f32>>(&array, fortran_order, content),
                Class::Complex128 => examine_array::<Complex<f64>>(&array, fortran_order, content),
            },
            Sample::Items { item_type, shape, content } => {
                if let Ok(item_type) = item_type.parse() {
                    examine_items(&item_type, shape.map(|extent| usize::from(extent % 8)), content);
                }
            }
        }
    }
}

/// Asserts that the layout reads back what it wrote, if the length of the header fits its version.
fn examine_layout(header: &layout::Npy, content: &[u8]) {
    let is_short = matches!(header.header, layout::Header::Short { .. });
    let suits = match header.header {
        layout::Header::Short { .. } => header.major <= 1,
        layout::Header::Long { .. } => header.major == 2,
        layout::Header::Unicode { .. } => header.major > 2,
    };
    let Ok(mut file) = write(header, Endian::Little) else {
        assert!(is_short && header.header.text().len() > usize::from(u16::MAX));
        return;
    };
    let start = file.len() as u64;
    file.extend(content);
    if suits {
        let elements = content.len() as u64;
        let read = read_in_every_way::<layout::Npy>(Source::new(&file), Endian::Little, args! { elements });
        let read = read.expect("what was written can be read");
        assert_eq!((read.major, read.minor, &read.header), (header.major, header.minor, &header.header));
        assert_eq!((read.payload.offset, read.payload.present, read.trailing.length), (start, elements, 0));
    }
    examine_bytes(&file);
}

/// Asserts that an array with at most 64 axes is written without findings, and read back bit for bit.
fn examine_array<T: NpyElement + Element>(array: &Arrangement, fortran_order: bool, content: &[u8]) {
    let memory = array.memory::<T>(content);
    let view: ArrayViewD<'_, T> = array.view(&memory);
    let mut file = Vec::new();
    match Writer::new().fortran_order(fortran_order).write_to(&mut file, &view) {
        Ok(()) => assert!(view.ndim() <= 64),
        Err(error) => return assert!(matches!(error, Error::Inexpressible { .. }) && view.ndim() > 64, "{error}"),
    }
    let report = Checker::new().profile(Profile::Reference).check_slice(&file).expect("bytes in memory can be read");
    assert!(report.findings().is_empty(), "{report:?}");
    let read = options().from_slice(&file).expect("what was written can be read");
    assert_eq!((read.shape(), read.is_fortran_order()), (view.shape(), fortran_order));
    assert!(bits(&read.to_array::<T>().expect("there is memory for a small array")) == bits(&view));
}

/// Asserts that items of any type are read back unchanged. Types that NumPy cannot express in this format are refused.
fn examine_items(item_type: &ItemType, shape: [usize; 2], content: &[u8]) {
    let length = item_type.stride().saturating_mul((shape[0] * shape[1]) as u64);
    if length > reading::SMALL as u64 {
        return;
    }
    let bytes: Vec<u8> = elements(content, length as usize);
    let mut items = Decoded::new(&bytes, item_type, &shape).expect("as many bytes as the shape has");
    let path = scratch::path();
    match write_items(&path, &mut items, &Limits::default()) {
        Ok(()) => {}
        Err(error) => return assert!(matches!(error, Error::Inexpressible { .. }), "{error}"),
    }
    let file = fs::read(&path).expect("it was written");
    match Options::new().from_slice(&file) {
        Ok(read) => assert!(read.bytes().expect("read") == bytes, "{item_type}"),
        // These are names with characters that Python does not support, and types that become nested too deeply in a
        // list of fields.
        Err(error) => assert_eq!(error.finding().map(|finding| finding.rule.id), Some("limit-exceeded"), "{item_type}"),
    }
}
