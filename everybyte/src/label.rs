//! The constant facts about a field, which all of its nodes share.
//!
//! `#[layout]` generates one static label per field. Its address identifies the declaration, so a recorder finds the
//! facts of a field that it has seen before without comparing strings.

use crate::codec::Codec;
use crate::role::Role;
use crate::sums::Sum;

/// The maximum number of elements in a list that get their own nodes. The others share one node.
pub(crate) const SHOWN_ELEMENTS: usize = 64;

/// How a value is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Show {
    /// True if an integer is shown in hexadecimal.
    pub is_hex: bool,
    /// True if the value is computed and has no bytes.
    pub is_computed: bool,
}

impl Show {
    /// A value that is shown unchanged.
    pub const PLAIN: Self = Show { is_hex: false, is_computed: false };
}

/// The part of a field's declaration that is stored in its node.
#[derive(Debug, Clone)]
pub struct Label {
    /// The name of the field.
    pub name: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// The role of its number.
    pub role: Option<Role>,
    /// True if it identifies an element of a list.
    pub is_key: bool,
    /// The checksum, if the field is one.
    pub sum: Option<&'static Sum>,
    /// The codec that unpacks its bytes.
    pub codec: Option<&'static Codec>,
    /// How its value is shown.
    pub show: Show,
    /// The numbers in its assertions and rules.
    pub hints: &'static [u64],
    /// Typical texts for the field.
    pub examples: &'static [&'static str],
}
