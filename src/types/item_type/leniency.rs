//! Spellings that NumPy does not load although their meaning is clear. Only repairs accept them.

/// States whether such spellings are accepted, and records which ones occurred.
#[derive(Debug, Default)]
pub struct Leniency {
    is_lenient: bool,
    seen: Vec<&'static str>,
}

impl Leniency {
    /// Does not accept such spellings.
    pub fn strict() -> Self {
        Leniency::default()
    }

    /// Accepts all such spellings.
    pub fn lenient() -> Self {
        Leniency { is_lenient: true, seen: Vec::new() }
    }

    /// Returns whether a spelling is accepted. If so, records it.
    pub fn takes(&mut self, spelling: &'static str) -> bool {
        if self.is_lenient && !self.seen.contains(&spelling) {
            self.seen.push(spelling);
        }
        self.is_lenient
    }

    /// Returns whether such spellings are accepted.
    pub fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Descriptions of the accepted spellings that occurred.
    pub fn seen(&self) -> &[&'static str] {
        &self.seen
    }
}

/// Scalars as printed by NumPy 2.
pub const SCALAR: &str = "a value is spelled as NumPy 2 prints its scalars, such as `np.int64(3)`";
/// JSON constants.
pub const JSON: &str = "the dictionary is JSON";
/// Strings written as bytes.
pub const BYTES: &str = "texts are spelled as bytes of Python 3, such as `b'<f8'`";
/// Values that occur only in metadata.
pub const VALUE: &str = "metadata has values that are not literals";
