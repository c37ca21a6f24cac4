//! Fields as their nodes repeat them.

use crate::packing::Codec;
use crate::role::Role;
use crate::sums::Sum;

/// The number of elements of a list that get a node of their own; the others share one.
pub(crate) const SHOWN_ELEMENTS: usize = 64;

/// The way a value is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Show {
    /// True if an integer is shown in base 16.
    pub is_hex: bool,
    /// True of a value that has no bytes of its own.
    pub is_computed: bool,
}

impl Show {
    /// A value that is shown as it is.
    pub const PLAIN: Self = Show { is_hex: false, is_computed: false };
}

/// The declaration of a field, as far as its node repeats it.
#[derive(Debug, Clone)]
pub struct Label {
    /// The name of the field.
    pub name: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// The role of its number.
    pub role: Option<Role>,
    /// True if it identifies the element of a list.
    pub is_key: bool,
    /// The checksum that it is.
    pub sum: Option<&'static Sum>,
    /// The way in which its bytes unpack into content.
    pub codec: Option<&'static Codec>,
    /// The way its value is shown.
    pub show: Show,
    /// The numbers in its assertions and rules.
    pub hints: &'static [u64],
    /// Texts that it may well have.
    pub examples: &'static [&'static str],
}
