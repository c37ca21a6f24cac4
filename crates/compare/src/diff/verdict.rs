//! The verdict of a comparison.

use serde::{Serialize, Serializer};
use std::fmt;

/// The verdict of a comparison. Its text is what the JSON and the tool say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Every byte is the same.
    Identical,
    /// The values are equal; the encoding differs.
    SameValues,
    /// The values differ, but not beyond the tolerance.
    SameWithinTolerance,
    /// The same items in the same order, in another shape.
    SameItemsOtherShape,
    /// The types of the items differ, and every value is the same in the least type that holds those of both.
    TypeDiffers,
    /// Some values differ.
    ValuesDiffer,
    /// A file is broken: what can be read of both is equal, but values are missing.
    Incomplete,
    /// Only the structures were compared, and they are the same.
    SameStructure,
    /// Only the structures were compared, and they differ.
    StructureDiffers,
    /// One of the two is no file.
    OneSided,
    /// The values cannot be compared.
    Incomparable,
}

impl Verdict {
    /// The name, as the JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Identical => "identical",
            Verdict::SameValues => "same values",
            Verdict::SameWithinTolerance => "same within tolerance",
            Verdict::SameItemsOtherShape => "same items, other shape",
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
