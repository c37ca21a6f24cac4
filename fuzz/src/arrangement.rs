//! Arrays with arbitrary shapes and memory layouts.

use arbitrary::{Arbitrary, Unstructured};
use bytemuck::Pod;
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn, ShapeBuilder, Slice};

/// The maximum number of elements of an array.
const ELEMENTS: usize = 1024;

/// The largest dimension of an array without elements, which exceeds 32 bits.
const EMPTY_EXTENT: usize = 1 << 33;

/// A shape and a memory layout.
#[derive(Debug, Arbitrary)]
pub struct Arrangement {
    /// The length of each axis.
    pub shape: Shape,
    fortran: bool,
    /// The axis that is reversed or traversed in steps, if there are any axes.
    axis: u8,
    backwards: bool,
    step: Step,
}

/// A shape with few elements.
#[derive(Debug)]
pub struct Shape(pub Vec<usize>);

impl Arbitrary<'_> for Shape {
    fn arbitrary(unstructured: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let few = unstructured.ratio(31, 32)?;
        let axes = unstructured.int_in_range(0..=if few { 5 } else { 300 })?;
        let mut shape = Vec::new();
        let mut room = ELEMENTS;
        for _ in 0..axes {
            let extent = unstructured.int_in_range(0..=room)?;
            shape.push(extent);
            room = room.checked_div(extent).unwrap_or(EMPTY_EXTENT);
        }
        // The other dimensions must not have another product of that size, even if there is a second zero.
        let product = shape.iter().filter(|&&extent| extent > 0).try_fold(1, |all: usize, &one| all.checked_mul(one));
        if product.is_some_and(|product| product <= EMPTY_EXTENT * ELEMENTS) {
            Ok(Shape(shape))
        } else {
            Err(arbitrary::Error::IncorrectFormat)
        }
    }
}

/// The step along the axis.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Step {
    One,
    Two,
    Three,
}

impl Arrangement {
    /// Creates the memory of an array, filled with repetitions of `content`.
    pub fn memory<T: Pod>(&self, content: &[u8]) -> ArrayD<T> {
        let mut extents = self.shape.0.clone();
        if let Some(axis) = self.axis() {
            extents[axis] *= self.step as usize + 1;
        }
        let elements = elements(content, extents.iter().product());
        ArrayD::from_shape_vec(IxDyn(&extents).set_f(self.fortran), elements).expect("the shape is small enough")
    }

    /// Returns the array in this memory.
    pub fn view<'a, T>(&self, memory: &'a ArrayD<T>) -> ArrayViewD<'a, T> {
        let mut view = memory.view();
        if let Some(axis) = self.axis() {
            view.slice_axis_inplace(Axis(axis), Slice::new(0, None, self.step as isize + 1));
            if self.backwards {
                view.invert_axis(Axis(axis));
            }
        }
        assert_eq!(view.shape(), self.shape.0);
        view
    }

    fn axis(&self) -> Option<usize> {
        usize::from(self.axis).checked_rem(self.shape.0.len())
    }
}

/// Creates this many elements, filled with repetitions of `content`.
pub fn elements<T: Pod>(content: &[u8], count: usize) -> Vec<T> {
    let mut elements = vec![T::zeroed(); count];
    let bytes = bytemuck::cast_slice_mut::<T, u8>(&mut elements).iter_mut();
    bytes.zip(content.iter().cycle()).for_each(|(byte, content)| *byte = *content);
    elements
}

/// Returns the bytes of the elements, in logical order.
pub fn bits<T: bytemuck::NoUninit, D: ndarray::Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    array.iter().flat_map(bytemuck::bytes_of).copied().collect()
}
