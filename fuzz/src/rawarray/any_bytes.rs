//! The guarantees for arbitrary bytes that may be in the format.

use crate::bounds::limits;
use crate::layout::read_in_every_way;
use crate::share::{Question, Share};
use crate::{bytes, reading, scratch};
use binrw::args;
use everybyte::{Endian, Source, write};
use half::{bf16, f16};
use ndbytes::rawarray::{Options, Order, RawArray, Writer};
use ndbytes::{Array, Element, ElementKind, Error, Format};
use ndbytes_schemas::rawarray as layout;
use num_complex::Complex;

/// Asserts the guarantees for arbitrary bytes that may be RawArray.
pub fn examine_bytes(file: &[u8]) {
    let share = Share::of(file);
    let report = bytes::examine_share(file, share);
    if ndbytes::is_gzip(file) {
        // The target `gzip_bytes` covers files inside gzip.
        return;
    }
    if share.asks(Question::Layouts) {
        let (source, endian) = (Source::new(file), endian(file));
        if let Ok(header) = read_in_every_way::<layout::RawArray>(source, endian, args! {}) {
            let stored = Some(header.data.present / 2);
            let _ = read_in_every_way::<layout::RawArray>(source, endian, args! { stored });
        }
    }
    let read = options().from_slice(file);
    if report.format == Some(Format::RawArray) {
        assert_eq!(read.is_ok(), bytes::is_accepted(&report), "{report:?} but {read:?}");
    }
    if let Ok(array) = read {
        write_back(file, &array, share);
        if share.asks(Question::Rewrite) {
            rewrite(&array, file.len().is_multiple_of(2));
        }
        if share.asks(Question::Elements) {
            examine_elements(&array);
            reading::examine(&Array::RawArray(array));
        }
    }
}

/// The byte order of a file with the magic.
fn endian(file: &[u8]) -> Endian {
    if file.starts_with(&layout::RawArray::magic(Endian::Big)) { Endian::Big } else { Endian::Little }
}

pub(super) fn options() -> Options {
    Options::new().limits(limits())
}

/// Asserts that an accepted file consists of its header, its data and its metadata.
fn write_back(file: &[u8], array: &RawArray<'_>, share: Share) {
    let (header, endian) = (array.header(), endian(file));
    let written = write(header, endian).expect("what was read can be written");
    let (data, metadata) = (header.data.range(), header.metadata.range());
    assert!(file.starts_with(&written), "the header is what its fields are written to");
    assert_eq!((data.start, metadata.start), (written.len() as u64, data.end));
    assert_eq!(metadata.end, file.len() as u64);
    assert!(array.metadata().expect("read before") == &file[metadata.start as usize..]);
    if share.asks(Question::Layouts) {
        let stored = Some(header.data.length);
        let read = read_in_every_way::<layout::RawArray>(Source::new(file), endian, args! { stored });
        assert_eq!(read.as_ref(), Ok(header));
    }
}

/// Asserts that a rewritten file has the same elements and metadata.
fn rewrite(array: &RawArray<'_>, lz4: bool) {
    let bytes = array.bytes().expect("what was accepted can be read");
    if bytes.len() > reading::SMALL {
        return;
    }
    let path = scratch::path();
    Writer::new().lz4(lz4).keep_metadata(true).rewrite(&path, array).expect("what was read can be written");
    let again = std::fs::read(&path).expect("it was written");
    let again = options().from_slice(&again).expect("what was written can be read");
    let kind = if array.dtype().kind == ElementKind::Bit { ElementKind::Bool } else { array.dtype().kind };
    assert_eq!((again.dims(), again.dtype().kind), (array.dims(), kind));
    assert!(again.bytes().expect("read") == reading::native(bytes, array.dtype()), "the elements stay the same");
    assert!(again.metadata().expect("read") == array.metadata().expect("read"), "the metadata stay the same");
}

/// Reads the elements as their type.
pub(super) fn examine_elements(array: &RawArray<'_>) {
    match array.dtype().kind {
        ElementKind::I8 => examine_typed::<i8>(array),
        ElementKind::I16 => examine_typed::<i16>(array),
        ElementKind::I32 => examine_typed::<i32>(array),
        ElementKind::I64 => examine_typed::<i64>(array),
        ElementKind::I128 => examine_typed::<i128>(array),
        ElementKind::U8 => examine_typed::<u8>(array),
        ElementKind::U16 => examine_typed::<u16>(array),
        ElementKind::U32 => examine_typed::<u32>(array),
        ElementKind::U64 => examine_typed::<u64>(array),
        ElementKind::U128 => examine_typed::<u128>(array),
        ElementKind::F16 => examine_typed::<f16>(array),
        ElementKind::Bf16 => examine_typed::<bf16>(array),
        ElementKind::F32 => examine_typed::<f32>(array),
        ElementKind::F64 => examine_typed::<f64>(array),
        ElementKind::Complex32 => examine_typed::<Complex<f16>>(array),
        ElementKind::Complex64 => examine_typed::<Complex<f32>>(array),
        ElementKind::Complex128 => examine_typed::<Complex<f64>>(array),
        ElementKind::Bool | ElementKind::Bit => examine_bools(array),
        ElementKind::Record(width) => examine_records(array, width),
        other => panic!("RawArray has no {other}"),
    }
}

fn examine_typed<T: Element>(array: &RawArray<'_>) {
    let bytes = array.bytes().expect("what was accepted can be read");
    if bytes.len() > reading::SMALL {
        return;
    }
    for order in [Order::Fortran, Order::C] {
        let elements = array.to_array::<T>(order).expect("there is memory for a small array");
        assert_eq!(elements.shape(), array.shape(order));
        reading::compare(elements.as_slice_memory_order().expect("in one piece"), bytes, array.dtype());
        match array.view::<T>(order) {
            Ok(view) => assert!(crate::arrangement::bits(&view) == crate::arrangement::bits(&elements)),
            Err(error) => assert!(matches!(error, Error::NoView(_)), "{error}"),
        }
    }
    let mut buffer = vec![T::zeroed(); bytes.len() / size_of::<T>()];
    array.read_into(&mut buffer).expect("the buffer has the right length");
    reading::compare(&buffer, bytes, array.dtype());
}

fn examine_bools(array: &RawArray<'_>) {
    let bytes = array.bytes().expect("what was accepted can be read");
    if bytes.len() > reading::SMALL {
        return;
    }
    for order in [Order::Fortran, Order::C] {
        let elements = array.to_bool_array(order).expect("there is memory for a small array");
        assert_eq!(elements.shape(), array.shape(order));
        let elements = elements.as_slice_memory_order().expect("in one piece");
        assert!(bytemuck::cast_slice::<bool, u8>(elements) == bytes, "every byte is 0 or 1");
    }
}

fn examine_records(array: &RawArray<'_>, width: u64) {
    let view = array.view_records::<[u8; 3]>(Order::Fortran);
    assert_eq!(view.is_ok(), width == 3);
}
