//! Compares the RawArray reader with the format's own crate.

use crate::bounds::limits;
use crate::scratch;
use bytemuck::Pod;
use half::{bf16, f16};
use ndbytes::rawarray::{Options, Order};
use ndbytes::{Checker, Element, ElementKind, Profile, Verdict};
use num_complex::Complex;
use rawarray::{RawArray, RawArrayType};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

/// Compares the readers. The crate refuses most files with a panic, which is not a finding. It allocates the claimed
/// size, so it gets only files that profile strict accepts.
pub fn examine(bytes: &[u8]) {
    let checker = Checker::new().limits(limits());
    let report = checker.check_slice(bytes).expect("bytes in memory can be read");
    if report.verdict() == Verdict::Error || report.format != Some(ndbytes::Format::RawArray) {
        return;
    }
    let reference = checker.profile(Profile::Reference).check_slice(bytes).expect("bytes in memory can be read");
    let is_accepted = reference.verdict() < Verdict::Error;
    let read = Options::new().limits(limits()).from_slice(bytes).expect("no error was found");
    match read.dtype().kind {
        ElementKind::I8 => examine_typed::<i8>(bytes, &read, is_accepted),
        ElementKind::I16 => examine_typed::<i16>(bytes, &read, is_accepted),
        ElementKind::I32 => examine_typed::<i32>(bytes, &read, is_accepted),
        ElementKind::I64 => examine_typed::<i64>(bytes, &read, is_accepted),
        ElementKind::I128 => examine_typed::<i128>(bytes, &read, is_accepted),
        ElementKind::U8 => examine_typed::<u8>(bytes, &read, is_accepted),
        ElementKind::U16 => examine_typed::<u16>(bytes, &read, is_accepted),
        ElementKind::U32 => examine_typed::<u32>(bytes, &read, is_accepted),
        ElementKind::U64 => examine_typed::<u64>(bytes, &read, is_accepted),
        ElementKind::U128 => examine_typed::<u128>(bytes, &read, is_accepted),
        ElementKind::F16 => examine_typed::<f16>(bytes, &read, is_accepted),
        ElementKind::Bf16 => examine_typed::<bf16>(bytes, &read, is_accepted),
        ElementKind::F32 => examine_typed::<f32>(bytes, &read, is_accepted),
        ElementKind::F64 => examine_typed::<f64>(bytes, &read, is_accepted),
        ElementKind::Complex64 => examine_typed::<Complex<f32>>(bytes, &read, is_accepted),
        ElementKind::Complex128 => examine_typed::<Complex<f64>>(bytes, &read, is_accepted),
        _ => {}
    }
}

/// Asserts that both read the same dimensions and the same items. The crate reads files that profile reference accepts.
fn examine_typed<T: Element + Pod + RawArrayType>(
    bytes: &[u8],
    ours: &ndbytes::rawarray::RawArray<'_>,
    is_accepted: bool,
) {
    let path = scratch::path();
    fs::write(&path, bytes).expect("the scratch file can be written");
    let Some(theirs) = silently(|| RawArray::<T>::read(&path).ok()) else {
        return assert!(!is_accepted, "only the crate refuses it");
    };
    assert!(theirs.dims().iter().map(|&extent| extent as usize).eq(ours.dims().iter().copied()), "other dimensions");
    // The crate's empty vector is not aligned, so only its length may be requested.
    assert_eq!(theirs.data_as_ref().len(), ours.dims().iter().product::<usize>());
    if !theirs.data_as_ref().is_empty() {
        let ours = ours.to_array::<T>(Order::Fortran).expect("there is memory for a small array");
        let ours = ours.as_slice_memory_order().expect("in one piece");
        let of = bytemuck::cast_slice::<T, u8>;
        assert!(of(theirs.data_as_ref()) == of(ours), "other items");
    }
}

/// Runs a closure that may panic; `None` if it did. Nothing is printed, and the fuzzer's hook does not end the process.
fn silently<T>(run: impl FnOnce() -> Option<T>) -> Option<T> {
    let usual = take_hook();
    set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(run));
    set_hook(usual);
    result.ok().flatten()
}
