//! RawArray files from values, which are written, read and compared.

use super::any_bytes::{examine_elements, options};
use crate::arrangement::{Arrangement, bits, elements};
use crate::bounds::limits;
use crate::{bytes, scratch};
use arbitrary::Arbitrary;
use everybyte::{Endian, Source, read, write};
use half::{bf16, f16};
use ndarray::ArrayViewD;
use ndbytes::rawarray::{self, Order, RawArrayElement, Writer};
use ndbytes::{Checker, Element};
use ndbytes_schemas::rawarray::{Eltype, Flags, RawArray};
use num_complex::Complex;
use std::fs;

/// The maximum length of the payload for a layout.
const PAYLOAD: u64 = 64 << 10;

/// A value to write.
#[derive(Debug, Arbitrary)]
pub enum Sample<'a> {
    /// Any header, valid or not (`mend` makes it nearly valid), and the bytes to fill its data with.
    Layout { mend: bool, big_endian: bool, metadata: u8, header: RawArray, content: &'a [u8] },
    /// An array for the writer.
    Array { class: Class, array: Arrangement, how: How, content: &'a [u8] },
}

/// The Rust type of the elements.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub enum Class {
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F16,
    Bf16,
    F32,
    F64,
    Complex32,
    Complex64,
    Complex128,
    Bool,
    Record3,
    Record8,
}

/// How an array is written.
#[derive(Debug, Arbitrary)]
pub struct How {
    c_order: bool,
    lz4: bool,
    metadata: u8,
}

impl Sample<'_> {
    /// Asserts the guarantees for any value.
    pub fn examine(self) {
        match self {
            Sample::Layout { mend, big_endian, metadata, header, content } => {
                let header = if mend { mended(header) } else { header };
                let endian = if big_endian { Endian::Big } else { Endian::Little };
                examine_layout(&header, endian, metadata, content);
            }
            Sample::Array { class, array, how, content } => examine_class(class, &array, &how, content),
        }
    }
}

/// Returns the header without encoding, with a valid width, and with the size that follows from its dimensions.
fn mended(header: RawArray) -> RawArray {
    let flags = Flags::from_raw(header.flags.raw() & 1);
    let elbyte = 1 << (header.elbyte % 5);
    let dims: Vec<u64> = header.dims.iter().map(|dim| dim % 10).collect();
    let size = dims.iter().fold(elbyte, |size: u64, &dim| size.saturating_mul(dim));
    RawArray { flags, elbyte, dims, size, ..header }
}

/// Asserts that the layout reads what it wrote and that, with data, a plain file is accepted if and only if the header is valid.
fn examine_layout(header: &RawArray, endian: Endian, metadata: u8, content: &[u8]) {
    let mut file = write(header, endian).expect("the layout has room for any values");
    let read = read::<RawArray>(Source::new(&file), endian, binrw::args! {}).expect("what was written can be read");
    assert_eq!((read.flags, read.eltype, read.elbyte), (header.flags, header.eltype, header.elbyte));
    assert_eq!((read.size, &read.dims), (header.size, &header.dims));
    assert_eq!((read.data.offset, read.data.length), (file.len() as u64, header.size));
    if header.size > PAYLOAD {
        assert!(options().from_slice(&file).is_err() || header.flags.encoded(), "there are no data");
        return;
    }
    let data: Vec<u8> = elements(content, header.size as usize);
    let metadata: Vec<u8> = elements(content, metadata.into());
    file.extend(&data);
    file.extend(&metadata);
    let report = Checker::new().limits(limits()).check_slice(&file).expect("bytes in memory can be read");
    let array = options().from_slice(&file);
    assert_eq!(bytes::is_accepted(&report), array.is_ok(), "{report:?}");
    if header.flags.raw() > 1 {
        return;
    }
    let legal = is_legal(header, &data);
    match array {
        Err(error) => assert!(!legal, "{error}"),
        Ok(array) => {
            assert!(legal, "{:?}", array.header());
            assert!(array.dims().iter().map(|&dim| dim as u64).eq(header.dims.iter().copied()));
            assert!(array.bytes().expect("what was accepted can be read") == data);
            assert!(array.metadata().expect("what was accepted can be read") == metadata);
            let swapped = endian == Endian::Big || header.flags.big_endian();
            assert_eq!(array.dtype().endian == Endian::Big, swapped);
        }
    }
}

/// Returns whether a file without encoding is valid.
fn is_legal(header: &RawArray, data: &[u8]) -> bool {
    let widths: &[u64] = match header.eltype {
        Eltype::Record => &[header.elbyte],
        Eltype::Signed | Eltype::Unsigned => &[1, 2, 4, 8, 16],
        Eltype::Float => &[2, 4, 8],
        Eltype::Complex => &[4, 8, 16],
        Eltype::Disputed => &[1, 2],
    };
    let nonempty = header.dims.iter().filter(|&&dim| dim > 0).map(|&dim| u128::from(dim));
    let product = nonempty.fold(u128::from(header.elbyte), u128::saturating_mul);
    let length = if header.dims.contains(&0) { 0 } else { product };
    let bools = (header.eltype, header.elbyte) == (Eltype::Disputed, 1);
    header.elbyte > 0
        && widths.contains(&header.elbyte)
        && product <= i64::MAX as u128
        && u128::from(header.size) == length
        && !(bools && data.iter().any(|&byte| byte > 1))
}

fn examine_class(class: Class, array: &Arrangement, how: &How, content: &[u8]) {
    match class {
        Class::I8 => examine_array::<i8>(array, how, content),
        Class::I16 => examine_array::<i16>(array, how, content),
        Class::I32 => examine_array::<i32>(array, how, content),
        Class::I64 => examine_array::<i64>(array, how, content),
        Class::I128 => examine_array::<i128>(array, how, content),
        Class::U8 => examine_array::<u8>(array, how, content),
        Class::U16 => examine_array::<u16>(array, how, content),
        Class::U32 => examine_array::<u32>(array, how, content),
        Class::U64 => examine_array::<u64>(array, how, content),
        Class::U128 => examine_array::<u128>(array, how, content),
        Class::F16 => examine_array::<f16>(array, how, content),
        Class::Bf16 => examine_array::<bf16>(array, how, content),
        Class::F32 => examine_array::<f32>(array, how, content),
        Class::F64 => examine_array::<f64>(array, how, content),
        Class::Complex32 => examine_array::<Complex<f16>>(array, how, content),
        Class::Complex64 => examine_array::<Complex<f32>>(array, how, content),
        Class::Complex128 => examine_array::<Complex<f64>>(array, how, content),
        Class::Bool => {
            let memory = array.memory::<u8>(content).mapv(|byte| byte & 1 == 1);
            let view = array.view(&memory);
            let write = |writer: &Writer, order| writer.write(scratch::path(), &view, order);
            examine_written(&view, how, content, write, |read, order| {
                bits(&read.to_bool_array(order).expect("a small array"))
            });
        }
        Class::Record3 => examine_records::<3>(array, how, content),
        Class::Record8 => examine_records::<8>(array, how, content),
    }
}

fn examine_array<T: RawArrayElement + Element>(array: &Arrangement, how: &How, content: &[u8]) {
    let memory = array.memory::<T>(content);
    let view = array.view(&memory);
    let write = |writer: &Writer, order| writer.write(scratch::path(), &view, order);
    examine_written(&view, how, content, write, |read, order| {
        assert_eq!(read.dtype().kind, T::KIND);
        bits(&read.to_array::<T>(order).expect("a small array"))
    });
}

fn examine_records<const N: usize>(array: &Arrangement, how: &How, content: &[u8])
where
    [u8; N]: bytemuck::Pod,
{
    let memory = array.memory::<[u8; N]>(content);
    let view = array.view(&memory);
    let write = |writer: &Writer, order| writer.write_records(scratch::path(), &view, order);
    examine_written(&view, how, content, write, |read, order| {
        bits(&read.view_records::<[u8; N]>(order).expect("bytes are always aligned"))
    });
}

/// Asserts that the writer's files are read back bit for bit. `typed` reads the elements as their type.
fn examine_written<T: bytemuck::NoUninit>(
    array: &ArrayViewD<'_, T>,
    how: &How,
    content: &[u8],
    write: impl FnOnce(&Writer, Order) -> ndbytes::Result<()>,
    typed: impl Fn(&rawarray::RawArray<'_>, Order) -> Vec<u8>,
) {
    let order = if how.c_order { Order::C } else { Order::Fortran };
    let metadata: Vec<u8> = elements(content, how.metadata.into());
    let writer = Writer::new().lz4(how.lz4).metadata(metadata.clone());
    write(&writer, order).expect("scratch files can be written");

    let file = fs::read(scratch::path()).expect("it was written");
    let report = Checker::new().limits(limits()).check_slice(&file).expect("bytes in memory can be read");
    assert!(bytes::is_accepted(&report), "{report:?}");
    let read = options().from_slice(&file).expect("what was written can be read");
    assert_eq!(read.shape(order), array.shape());
    assert!(typed(&read, order) == bits(array), "the array that was written");
    assert!(read.metadata().expect("read") == metadata);
    examine_elements(&read);

    let opened = options().open(scratch::path()).expect("what was written can be opened");
    assert!(opened.bytes().expect("read") == read.bytes().expect("read"));
    assert_eq!(opened.header(), read.header());
}
