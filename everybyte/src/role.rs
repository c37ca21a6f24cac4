//! The role of a number: the information that it gives about the rest of the file.

use crate::name::Name;
use std::fmt;

/// The role of a number in a file, as declared by `#[layout(…)]` on its field.
///
/// ```
/// use everybyte::role::Role;
/// use everybyte::{Format, explain, layout};
///
/// #[layout]
/// struct Note {
///     #[layout(writer)]
///     version: u8,
///     length: u8,
///     #[br(count = length)]
///     text: Vec<u8>,
/// }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let explained = explain::<Note>(b"\x01\x02hi");
/// let roles: Vec<Option<String>> = explained.spaces[0].nodes.iter().map(|node| Some(node.role()?.to_string())).collect();
/// assert_eq!(roles, [Some("writer".to_owned()), Some("counts text".to_owned()), None]);
/// assert_eq!(explained.spaces[0].nodes.root().role(), Some(&Role::Writer));
/// ```
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
    /// The length of a field in bytes.
    Extent {
        /// The field.
        target: Target,
    },
    /// The length of a list.
    Counts {
        /// The list.
        target: Target,
    },
    /// A number that duplicates another field.
    CopyOf {
        /// The other field.
        target: Target,
    },
    /// An index into a list.
    IndexOf {
        /// The list.
        target: Target,
    },
    /// A checksum.
    CheckOf {
        /// The field that it covers.
        target: Target,
    },
    /// A note by the writer that has no effect on the content.
    Writer,
    /// A choice of the file's author, which does not follow from anything else.
    Fact,
    /// A part of the content itself.
    Payload,
    /// A number that determines how others are read, such as a byte order. Only one value is correct.
    Steady,
}

/// The field that a number refers to, as seen from the number: a field of its structure or of an enclosing one.
///
/// ```
/// use everybyte::role::{Affine, Role, Target};
///
/// // A length in words of four bytes, which counts itself.
/// let target = Target::beside("body").with(Affine { times: 4, plus: -4 });
/// assert_eq!(Role::Extent { target }.to_string(), "extent of body × 4 − 4");
/// ```
///
/// The name of a type means the enclosing structure of that type. `shape.extents` is a field of a field, `block!` is the content
/// that a field decompresses into, and `head..names` is a run of fields. `entries[]` means each element of a list, and `entries..`
/// means the elements up to the one that contains the number. If an offset of the same field is visible from the number, the
/// target is the field at that offset.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Target {
    /// The name of the field or its path.
    pub path: Name,
    /// True if the field is declared in the same structure as the number.
    pub is_beside: bool,
    /// The conversion of the number to bytes, elements or an offset.
    pub affine: Affine,
}

impl Target {
    /// Names a field of the same structure as the number, or of an enclosing one.
    pub const fn new(path: &'static str) -> Self {
        Target { path: Name::new(path), is_beside: false, affine: Affine::SAME }
    }

    /// Names a field in the same structure as the number.
    pub const fn beside(path: &'static str) -> Self {
        Target { path: Name::new(path), is_beside: true, affine: Affine::SAME }
    }

    /// Names a field whose name is only known at run time.
    pub fn to(path: impl Into<Name>, is_beside: bool) -> Self {
        Target { path: path.into(), is_beside, affine: Affine::SAME }
    }

    /// The same field, with a factor and an addend for the number.
    #[must_use]
    pub const fn with(mut self, affine: Affine) -> Self {
        self.affine = affine;
        self
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

/// Converts a number to bytes, elements or an offset if it counts larger units or includes other bytes: `number × times + plus`.
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
    /// The addend.
    pub plus: i16,
}

impl Affine {
    /// The number itself.
    pub const SAME: Self = Affine { times: 1, plus: 0 };

    /// The bytes, elements or offset that a number represents; `None` beyond 127 bits.
    pub fn apply(self, number: i128) -> Option<i128> {
        number.checked_mul(self.times.into())?.checked_add(self.plus.into())
    }

    /// The number that represents this value; `None` if no integer represents it.
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

/// The position that an offset is relative to.
///
/// ```
/// use everybyte::role::{Origin, Role, Target};
///
/// let role = Role::Place { target: Target::new("cell"), origin: Origin::Structure("Page".into()) };
/// assert_eq!(role.to_string(), "place of cell in Page");
/// assert_eq!(role.origin().as_deref(), Some("start of Page"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// The start of the space.
    Space,
    /// The start of the enclosing structure of this type, or of the space if there is none.
    Structure(Name),
    /// The end of this field.
    After(Name),
}

impl Role {
    /// Its name in a declaration.
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

    /// The field that it refers to, if any.
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

    /// The origin of an offset as text; `None` for other roles and for offsets that are relative to the start of the space.
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
