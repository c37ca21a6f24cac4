//! IDX and RawArray: opening, single items, and whole arrays, read into new or already used memory.

use super::bench::{Case, REPEATED, numbers, repeated, timed};
use ndarray::{Axis, Ix2};
use ndbytes::{idx, rawarray};
use std::hint::black_box;

/// The number of random items to view in one request.
const VIEWS: u32 = 1 << 16;

pub const CASES: &[Case] = &[
    ("open-u8", |bench| {
        let path = bench.path("u8.idx");
        repeated(REPEATED, |_| Ok(black_box(idx::open(&path)?.view::<u8>()?).len()))
    }),
    ("open-f32", |bench| {
        let path = bench.path("f32.ra");
        repeated(REPEATED, |_| Ok(black_box(rawarray::open(&path)?.view::<f32>(rawarray::Order::C)?).len()))
    }),
    ("item-u8", |bench| {
        let images = idx::open(bench.path("u8.idx"))?;
        let images = images.items::<u8>()?;
        let indices = random_indices(images.len());
        repeated(VIEWS, |turn| Ok(black_box(images.get(indices[turn as usize])).is_some()))
    }),
    ("item-f32", |bench| {
        let array = rawarray::open(bench.path("f32.ra"))?;
        let rows = array.view::<f32>(rawarray::Order::C)?.into_dimensionality::<Ix2>()?;
        let indices = random_indices(rows.nrows());
        repeated(VIEWS, |turn| Ok(black_box(rows.index_axis(Axis(0), indices[turn as usize])).len()))
    }),
    ("load-u8", |bench| {
        let path = bench.path("u8.idx");
        timed(|| Ok(idx::open(&path)?.to_array::<u8>()?))
    }),
    ("load-u8-touched", |bench| {
        let path = bench.path("u8.idx");
        let mut memory = idx::open(&path)?.to_vec::<u8>()?;
        timed(|| Ok(idx::open(&path)?.read_into(&mut memory)?))
    }),
    ("load-f32", |bench| {
        let path = bench.path("f32.ra");
        timed(|| Ok(rawarray::open(&path)?.to_array::<f32>(rawarray::Order::C)?))
    }),
    ("load-f32-be", |bench| {
        let path = bench.path("f32-be.idx");
        timed(|| Ok(idx::open(&path)?.to_array::<f32>()?))
    }),
    ("load-f32-be-touched", |bench| {
        let path = bench.path("f32-be.idx");
        let mut memory = idx::open(&path)?.to_vec::<f32>()?;
        timed(|| Ok(idx::open(&path)?.read_into(&mut memory)?))
    }),
    ("load-f32-crate", |bench| {
        let path = bench.path("f32.ra");
        timed(|| Ok(::rawarray::RawArray::<f32>::read(&path)?))
    }),
];

fn random_indices(below: usize) -> Vec<usize> {
    numbers().take(VIEWS as usize).map(|number| number as usize % below).collect()
}
