//! Arrays of any shape that lie in memory in any way.

use arbitrary::{Arbitrary, Unstructured};
use bytemuck::Pod;
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn, ShapeBuilder, Slice};

/// The maximum number of elements of an array.
const ELEMENTS: usize = 1024;

/// The largest dimension of an array without elements: more than 32 bits hold.
const EMPTY_EXTENT: usize = 1 << 33;

/// A shape, and how the array lies in memory.
#[derive(Debug, Arbitrary)]
pub struct Arrangement {
    /// Length of each axis.
    pub shape: Shape,
    fortran: bool,
    /// The axis that is taken backwards and in steps, if there are any axes.
    axis: u8,
    backwards: bool,
    step: Step,
}

/// A shape without many elements.
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
        // A second zero does not make room for another product as large.
        let product = shape.iter().filter(|&&extent| extent > 0).try_fold(1, |all: usize, &one| all.checked_mul(one));
        if product.is_some_and(|product| product <= EMPTY_EXTENT * ELEMENTS) {
            Ok(Shape(shape))
        } else {
            Err(arbitrary::Error::IncorrectFormat)
        }
    }
}

/// Every how many elements of the axis are taken.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Step {
    One,
    Two,
    Three,
}

impl Arrangement {
    /// The memory of an array: elements whose bytes are `content` over and over.
    pub fn memory<T: Pod>(&self, content: &[u8]) -> ArrayD<T> {
        let mut extents = self.shape.0.clone();
        if let Some(axis) = self.axis() {
            extents[axis] *= self.step as usize + 1;
        }
        let elements = elements(content, extents.iter().product());
        ArrayD::from_shape_vec(IxDyn(&extents).set_f(self.fortran), elements).expect("the shape is small enough")
    }

    /// The array in this memory.
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

/// So many elements, whose bytes are `content` over and over.
pub fn elements<T: Pod>(content: &[u8], count: usize) -> Vec<T> {
    let mut elements = vec![T::zeroed(); count];
    let bytes = bytemuck::cast_slice_mut::<T, u8>(&mut elements).iter_mut();
    bytes.zip(content.iter().cycle()).for_each(|(byte, content)| *byte = *content);
    elements
}

/// The elements' bytes, in logical order.
pub fn bits<T: bytemuck::NoUninit, D: ndarray::Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    array.iter().flat_map(bytemuck::bytes_of).copied().collect()
}
