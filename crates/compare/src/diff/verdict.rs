//! The verdict of a comparison.

use serde::{Serialize, Serializer};
use std::fmt;

/// The verdict of a comparison, as text in JSON and in the output of the tool.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_compare::diff::{Options, Verdict, diff};
///
/// // The 16-bit numbers 7 and 8, in IDX and in .npy with the other byte order.
/// let idx = [0, 0, 11, 1, 0, 0, 0, 2, 0, 7, 0, 8];
/// let npy = b"\x93NUMPY\x01\0\x46\0{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }            \n\x07\0\x08\0";
/// let [a, b] = [&idx[..], npy].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// let verdict = diff(&a, &b, &Options::new())?.verdict;
/// assert_eq!((verdict, verdict.name()), (Verdict::SameValues, "same values"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Every byte is the same.
    Identical,
    /// The values are equal, but the encoding differs.
    SameValues,
    /// The values differ, but not beyond the tolerance.
    SameWithinTolerance,
    /// The same items in the same order, but with another shape.
    SameItemsOtherShape,
    /// The types of the items differ, but every value is the same in the smallest type that holds both.
    TypeDiffers,
    /// Some values differ.
    ValuesDiffer,
    /// A file is broken: the readable values of both are equal, but some are missing.
    Incomplete,
    /// Only the structures were compared, and they are the same.
    SameStructure,
    /// Only the structures were compared, and they differ.
    StructureDiffers,
    /// One of the two files is missing.
    OneSided,
    /// The values cannot be compared.
    Incomparable,
}

impl Verdict {
    /// The name, as used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::SameValues => "same values",
            Verdict::SameWithinTolerance => "same within tolerance",
            Verdict::SameItemsOtherShape => "same items, different shape",
            Verdict::TypeDiffers => "type differs, values equal",
            Verdict::ValuesDiffer => "values differ",
            Verdict::Incomplete => "incomplete",
            Verdict::SameStructure => "same structure",
            Verdict::StructureDiffers => "structure differs",
            Verdict::OneSided => "one-sided",
            Verdict::Incomparable => "incomparable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}
