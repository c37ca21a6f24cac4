//! IDX files from values, which are written, read and compared.

use super::any_bytes::{examine_elements, options};
use crate::arrangement::{Arrangement, bits, elements};
use crate::bounds::limits;
use crate::{bytes, reading, scratch};
use arbitrary::Arbitrary;
use everybyte::{Endian, Source, read, write};
use ndbytes::idx::{IdxElement, StreamWriter, Writer};
use ndbytes::{Checker, ElementKind, Error};
use ndbytes_schemas::gzip::Header;
use ndbytes_schemas::idx::{ElementType, Idx};
use std::fs;
use std::io::Cursor;

/// The maximum length of the payload for a layout.
const PAYLOAD: u64 = 64 << 10;

/// A value to write.
#[derive(Debug, Arbitrary)]
pub enum Sample<'a> {
    /// Any header, valid or not, and the bytes to fill its payload with.
    Layout { header: Idx, content: &'a [u8] },
    /// An array for the writer.
    Array { element_type: ElementType, array: Arrangement, gzip: bool, content: &'a [u8] },
    /// The header of a gzip member.
    Gzip(Header),
}

impl Sample<'_> {
    /// Asserts the guarantees for any value.
    pub fn examine(self) {
        match self {
            Sample::Layout { header, content } => examine_layout(&header, content),
            Sample::Gzip(header) => examine_gzip_header(header),
            Sample::Array { element_type, array, gzip, content } => match element_type {
                ElementType::U8 => examine_array::<u8>(&array, gzip, content),
                ElementType::I8 => examine_array::<i8>(&array, gzip, content),
                ElementType::I16 => examine_array::<i16>(&array, gzip, content),
                ElementType::I32 => examine_array::<i32>(&array, gzip, content),
                ElementType::F32 => examine_array::<f32>(&array, gzip, content),
                ElementType::F64 => examine_array::<f64>(&array, gzip, content),
            },
        }
    }
}

/// Asserts that the layout reads what it wrote and that, with a payload, the file is accepted if and only if the header is valid.
fn examine_layout(header: &Idx, content: &[u8]) {
    let written = write(header, Endian::Big);
    assert_eq!(written.is_ok(), header.dims.len() <= 255, "the number of axes has one byte");
    let Ok(mut file) = written else { return };
    let read = read::<Idx>(Source::new(&file), Endian::Big, ()).expect("what was written can be read");
    assert_eq!((read.zero, read.element_type, &read.dims), (header.zero, header.element_type, &header.dims));
    assert_eq!(read.payload.offset, file.len() as u64);

    let nonempty = header.dims.iter().filter(|&&dim| dim > 0);
    let product =
        nonempty.map(|&dim| u128::from(dim)).fold(u128::from(header.element_type.size()), u128::saturating_mul);
    let length = if header.dims.contains(&0) { 0 } else { product };
    assert_eq!(u128::from(read.payload.length), length.min(u64::MAX.into()));
    if length > PAYLOAD.into() {
        assert!(options(0).from_slice(&file).is_err(), "there is no payload");
        return;
    }
    let payload: Vec<u8> = elements(content, length as usize);
    let header_length = file.len();
    file.extend(&payload);
    let legal = header.zero.are_zero() && product <= (i64::MAX as u64 - header_length as u64).into();
    match options(0).from_slice(&file) {
        Err(error) => assert!(!legal, "{error}"),
        Ok(idx) => {
            assert!(legal, "{:?}", idx.header());
            assert!(idx.bytes().expect("what was accepted can be read") == payload);
            assert!(idx.shape().iter().map(|&extent| extent as u64).eq(header.dims.iter().map(|&dim| u64::from(dim))));
        }
    }
    let report = Checker::new().limits(limits()).check_slice(&file).expect("bytes in memory can be read");
    assert_eq!(bytes::is_accepted(&report), legal, "{report:?}");
}

/// Asserts that a gzip header with consistent flags is read back as it was written.
fn examine_gzip_header(header: Header) {
    let flags = header.flags;
    let flags = flags.with_extra(header.extra.is_some()).with_name(header.name.is_some());
    let flags = flags.with_comment(header.comment.is_some()).with_header_crc(header.header_crc.is_some());
    let header = Header { flags, ..header };
    let too_long = header.extra.as_ref().is_some_and(|extra| extra.fields.len() > u16::MAX.into());
    let written = write(&header, Endian::Little);
    assert_eq!(written.is_err(), too_long);
    if let Ok(file) = written {
        assert_eq!(read(Source::new(&file), Endian::Little, ()), Ok(header));
    }
}

/// Asserts that the writer's files are read back bit for bit.
fn examine_array<T: IdxElement>(arrangement: &Arrangement, gzip: bool, content: &[u8]) {
    let shape = &arrangement.shape.0;
    let memory = arrangement.memory::<T>(content);
    let array = arrangement.view(&memory);
    let writer = Writer::new().gzip(gzip).scalars(true);
    let mut file = Vec::new();
    let fits = shape.len() <= 255 && shape.iter().all(|&extent| u32::try_from(extent).is_ok());
    match writer.write_to(&mut file, &array) {
        Ok(()) => assert!(fits),
        Err(error) => {
            assert!(!fits && matches!(error, Error::Inexpressible { .. }), "{error}");
            return;
        }
    }
    let mut again = Vec::new();
    writer.write_to(&mut again, &array).expect("it was written before");
    assert!(again == file, "the same array gives the same bytes");
    assert_eq!(Writer::new().write_to(Vec::new(), &array).is_err(), shape.is_empty(), "scalars on request only");

    let report = Checker::new().limits(limits()).check_slice(&file).expect("bytes in memory can be read");
    assert!(bytes::is_accepted(&report), "{report:?}");
    let idx = options(0).from_slice(&file).expect("what was written can be read");
    assert_eq!((idx.shape(), idx.dtype().kind), (shape.as_slice(), T::KIND));
    examine_elements::<T>(&idx);
    assert!(bits(&idx.to_array::<T>().expect("a small array")) == bits(&array), "the array that was written");
    let streamed = options(0).from_reader(Cursor::new(&file)).expect("what was written can be read");
    assert!(streamed.bytes().expect("read") == idx.bytes().expect("read"));
    assert!(T::KIND != ElementKind::U8 || reading::native(idx.bytes().expect("read"), idx.dtype()) == bits(&array));
    if !gzip {
        examine_stream_writer(&array, &file);
    }
}

/// Asserts that writing item by item produces the same file.
fn examine_stream_writer<T: IdxElement>(array: &ndarray::ArrayViewD<'_, T>, file: &[u8]) {
    if array.ndim() == 0 || array.is_empty() {
        return;
    }
    let path = scratch::path();
    let mut writer = StreamWriter::<T>::create(&path, &array.shape()[1..]).expect("the shape was accepted before");
    array.outer_iter().for_each(|item| writer.push(&item).expect("the item has the right shape"));
    writer.finish().expect("scratch files can be written");
    assert!(fs::read(&path).expect("it was written") == file, "the streamed file is the written file");
}
