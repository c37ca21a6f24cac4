//! The role of a number: what it says about the rest of the file.

use crate::name::Name;
use std::fmt;

/// The role of a number in a file, as `#[layout(…)]` on its field states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// The offset at which another field begins.
    Place {
        /// The field.
        target: Target,
        /// The origin of the offset.
        origin: Origin,
    },
    /// The number of bytes that a field takes.
    Extent {
        /// The field.
        target: Target,
    },
    /// The number of elements of a list.
    Counts {
        /// The list.
        target: Target,
    },
    /// A number that another field states too.
    CopyOf {
        /// The other field.
        target: Target,
    },
    /// The number of an element of a list.
    IndexOf {
        /// The list.
        target: Target,
    },
    /// A checksum.
    CheckOf {
        /// The field whose bytes it is made of.
        target: Target,
    },
    /// A note of the writer, without effect on the content.
    Writer,
    /// A choice of the file's author: it follows from nothing else.
    Fact,
    /// A part of the content itself.
    Payload,
    /// A number by which others are read, such as a byte order: it has one value that is right.
    Steady,
}

/// The field that a number is about, as seen from the number: a field beside it, or beside a structure around it.
///
/// The name of a type is the structure of that type around the number. `shape.extents` is a field of a field, `block!` the
/// content that a field decompresses into, `head..names` a run of fields. `entries[]` is each element of a list, and `entries..` the
/// run of elements up to the one around the number. Where the number sees a place of the same field, the field at that place is
/// meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Target {
    /// The name of the field, or its path.
    pub path: Name,
    /// True if the field is declared in the same structure as the number.
    pub is_beside: bool,
    /// The sum and the product that make bytes, elements or an offset out of the number.
    pub affine: Affine,
}

impl Target {
    /// A field beside a number, or beside a structure around it.
    pub const fn new(path: &'static str) -> Self {
        Target { path: Name::new(path), is_beside: false, affine: Affine::SAME }
    }

    /// A field in the same structure as a number.
    pub const fn beside(path: &'static str) -> Self {
        Target { path: Name::new(path), is_beside: true, affine: Affine::SAME }
    }

    /// A field whose name is known at run time.
    pub fn to(path: impl Into<Name>, is_beside: bool) -> Self {
        Target { path: path.into(), is_beside, affine: Affine::SAME }
    }

    /// The same field, about which the number says a product and a sum.
    #[must_use]
    pub fn with(self, affine: Affine) -> Self {
        Target { affine, ..self }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        let Affine { times, plus } = self.affine;
        if times != 1 {
            write!(f, " × {times}")?;
        }
        match plus {
            0 => Ok(()),
            1.. => write!(f, " + {plus}"),
            _ => write!(f, " − {}", plus.unsigned_abs()),
        }
    }
}

/// The bytes, elements or offset of a number that counts in units, or with what stands around: `number × times + plus`.
///
/// ```
/// use everybyte::role::Affine;
///
/// let words = Affine { times: 4, plus: 8 };
/// assert_eq!(words.apply(2), Some(16));
/// assert_eq!((words.invert(16), words.invert(17)), (Some(2), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The factor; at least 1.
    pub times: u16,
    /// The summand beside the product.
    pub plus: i16,
}

impl Affine {
    /// The number itself.
    pub const SAME: Self = Affine { times: 1, plus: 0 };

    /// The bytes, elements or offset that a number says; `None` beyond 127 bits.
    pub fn apply(self, number: i128) -> Option<i128> {
        number.checked_mul(self.times.into())?.checked_add(self.plus.into())
    }

    /// The number that says this; `None` if no whole number does.
    pub fn invert(self, said: i128) -> Option<i128> {
        let product = said.checked_sub(self.plus.into())?;
        let times = i128::from(self.times);
        (times > 0 && product % times == 0).then(|| product / times)
    }
}

impl Default for Affine {
    fn default() -> Self {
        Affine::SAME
    }
}

/// The offset from which a place counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The start of the space.
    Space,
    /// The start of the structure of this type around the number; the start of the space if there is none.
    Structure(Name),
    /// The end of this field.
    After(Name),
}

impl Role {
    /// Its name, as a declaration has it.
    pub fn name(&self) -> &'static str {
        match self {
            Role::Place { .. } => "place",
            Role::Extent { .. } => "extent",
            Role::Counts { .. } => "counts",
            Role::CopyOf { .. } => "copy_of",
            Role::IndexOf { .. } => "index_of",
            Role::CheckOf { .. } => "check_of",
            Role::Writer => "writer",
            Role::Fact => "fact",
            Role::Payload => "payload",
            Role::Steady => "steady",
        }
    }

    /// The field that it is about; `None` if it is about none.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Role::Place { target, .. }
            | Role::Extent { target }
            | Role::Counts { target }
            | Role::CopyOf { target }
            | Role::IndexOf { target }
            | Role::CheckOf { target } => Some(target),
            Role::Writer | Role::Fact | Role::Payload | Role::Steady => None,
        }
    }

    /// The origin of a place in words; `None` if it counts from the start of its space, and of other roles.
    pub fn origin(&self) -> Option<String> {
        match self {
            Role::Place { origin: Origin::Structure(around), .. } => Some(format!("start of {around}")),
            Role::Place { origin: Origin::After(field), .. } => Some(format!("end of {field}")),
            _ => None,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Place { target, origin: Origin::Space } => write!(f, "place of {target}"),
            Role::Place { target, origin: Origin::Structure(around) } => write!(f, "place of {target} in {around}"),
            Role::Place { target, origin: Origin::After(field) } => write!(f, "place of {target} after {field}"),
            Role::Extent { target } => write!(f, "extent of {target}"),
            Role::Counts { target } => write!(f, "counts {target}"),
            Role::CopyOf { target } => write!(f, "copy of {target}"),
            Role::IndexOf { target } => write!(f, "index of {target}"),
            Role::CheckOf { target } => write!(f, "check of {target}"),
            role => f.write_str(role.name()),
        }
    }
}
