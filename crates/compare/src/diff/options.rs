//! How two files are compared.

use everybyte::diff::Pattern;
use ndbytes::Limits;

/// How far two numbers may be apart and still count as equal. Tolerances apply to values only, never to structure.
///
/// With distances, numbers are within the tolerance if |a − b| ≤ `absolute` + `relative` · max(|a|, |b|). That is symmetric,
/// unlike NumPy's `allclose`, which takes |b| alone. `relative` and `ulp` apply to floating-point numbers, `absolute` to
/// integers too.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Tolerance {
    /// The absolute part, in the unit of the values.
    pub absolute: f64,
    /// The relative part: a ratio.
    pub relative: f64,
    /// Steps among the numbers of the items' own width.
    pub ulp: u64,
    /// True if `NaN`s with other payloads differ.
    pub bits: bool,
}

impl Tolerance {
    /// None: values differ if their bits do, but for the payloads of `NaN`.
    pub fn exact() -> Self {
        Tolerance::default()
    }

    /// Sets the absolute part.
    #[must_use]
    pub fn absolute(self, absolute: f64) -> Self {
        Tolerance { absolute, ..self }
    }

    /// Sets the relative part.
    #[must_use]
    pub fn relative(self, relative: f64) -> Self {
        Tolerance { relative, ..self }
    }

    /// Sets the number of steps.
    #[must_use]
    pub fn ulp(self, ulp: u64) -> Self {
        Tolerance { ulp, ..self }
    }

    /// Compares the payloads of `NaN`, too.
    #[must_use]
    pub fn bits(self, bits: bool) -> Self {
        Tolerance { bits, ..self }
    }

    /// Returns whether it allows nothing.
    pub fn is_exact(&self) -> bool {
        self.absolute == 0.0 && self.relative == 0.0 && self.ulp == 0
    }
}

/// How two files are compared.
///
/// ```
/// use ndbytes_compare::diff::{Options, Tolerance};
///
/// let options = Options::new().tolerance(Tolerance::exact().relative(1e-6)).most(100);
/// assert_eq!(options.most, 100);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The limits of each file.
    pub limits: Limits,
    /// How far numbers may be apart.
    pub tolerance: Tolerance,
    /// True if values are compared.
    pub values: bool,
    /// True if structures are compared.
    pub structure: bool,
    /// Keys of fields whose differences do not count.
    pub ignore: Vec<Pattern>,
    /// The column whose values align the rows of tables; without it they are aligned by their content.
    pub key: Option<String>,
    /// The maximum number of differences, rows and findings that are listed of each kind.
    pub most: usize,
    /// True if what only follows from other differences is listed, too.
    pub all: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limits: Limits::default(),
            tolerance: Tolerance::exact(),
            values: true,
            structure: true,
            ignore: Vec::new(),
            key: None,
            most: 10,
            all: false,
        }
    }
}

impl Options {
    /// Values and structure, exactly, with the first ten differences.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets what each of the files may cost.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Sets how far numbers may be apart.
    #[must_use]
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Options { tolerance, ..self }
    }

    /// Compares the values, or not.
    #[must_use]
    pub fn values(self, values: bool) -> Self {
        Options { values, ..self }
    }

    /// Compares the structures, or not.
    #[must_use]
    pub fn structure(self, structure: bool) -> Self {
        Options { structure, ..self }
    }

    /// Ignores differences of fields with these keys.
    #[must_use]
    pub fn ignore(mut self, pattern: Pattern) -> Self {
        self.ignore.push(pattern);
        self
    }

    /// Aligns the rows of tables by the values of a column.
    #[must_use]
    pub fn key(self, column: impl Into<String>) -> Self {
        Options { key: Some(column.into()), ..self }
    }

    /// Sets how many differences are listed of each kind.
    #[must_use]
    pub fn most(self, most: usize) -> Self {
        Options { most, ..self }
    }

    /// Lists what only follows from other differences, too.
    #[must_use]
    pub fn all(self, all: bool) -> Self {
        Options { all, ..self }
    }
}
