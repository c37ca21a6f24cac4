//! Arrays of any shape and content, for round trips.

use bytemuck::Pod;
use ndarray::{ArrayD, ArrayViewD, Axis, Dimension, IxDyn, Slice};
use ndbytes::npy::{NpyElement, Writer};
use ndbytes::{Checker, Error, Profile};
use proptest::prelude::*;
use std::fmt::Debug;
use std::fs;
use tempfile::TempDir;

/// An array of some shape, and a view of it that may be reversed, in steps, or with swapped axes.
#[derive(Debug, Clone)]
pub struct Case {
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
    /// For each axis: whether it is reversed, and the step.
    pub steps: Vec<(bool, isize)>,
    pub exchanged: bool,
}

impl Case {
    /// Creates an array whose elements have arbitrary bits: NaNs of every kind, negative zeros, and values that
    /// rounding never produces.
    pub fn array<T: Pod>(&self) -> ArrayD<T> {
        let count: usize = self.shape.iter().product();
        let bytes: Vec<u8> = self.bytes.iter().copied().cycle().take(count * size_of::<T>()).collect();
        ArrayD::from_shape_vec(IxDyn(&self.shape), bytemuck::pod_collect_to_vec(&bytes)).unwrap()
    }

    pub fn look<'a, T>(&self, array: &'a ArrayD<T>) -> ArrayViewD<'a, T> {
        let mut view = array.view();
        for (axis, &(backwards, step)) in self.steps.iter().enumerate().take(self.shape.len()) {
            view.slice_axis_inplace(Axis(axis), Slice::new(0, None, if backwards { -step } else { step }));
        }
        if self.exchanged { view.reversed_axes() } else { view }
    }
}

pub fn cases(axes: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    let step = (any::<bool>(), 1..3_isize);
    let shape = prop::collection::vec(prop_oneof![9 => 1..5_usize, 1 => Just(0)], axes);
    let parts = (shape, prop::collection::vec(any::<u8>(), 61..257), prop::collection::vec(step, 5), any::<bool>());
    parts.prop_map(|(shape, bytes, steps, exchanged)| Case { shape, bytes, steps, exchanged })
}

/// Returns the bits of the elements, in logical order.
pub fn bits<T: Pod, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    let elements: Vec<T> = array.iter().copied().collect();
    bytemuck::cast_slice(&elements).to_vec()
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn rule(error: Error) -> &'static str {
    error.finding().unwrap_or_else(|| panic!("{error}")).rule.id
}

pub fn names(folder: &TempDir) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder.path()).unwrap().map(name).collect();
    names.sort();
    names
}

/// Asserts that there are no findings except these.
pub fn assert_clean(bytes: &[u8], profile: Profile, expected: &[&str]) {
    let report = Checker::new().profile(profile).check_slice(bytes).unwrap();
    let rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, expected);
}

/// The `.npy` file that the writer creates for an array.
pub fn npy_file<T: NpyElement>(array: &ArrayD<T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new().write_to(&mut bytes, array).unwrap();
    bytes
}
