//! How two files are compared.

use everybyte::diff::Pattern;
use ndbytes::Limits;

/// How far two numbers may be apart and still count as equal. Tolerances apply to values only, never to structure.
///
/// With distances, numbers are within the tolerance if |a − b| ≤ `absolute` + `relative` · max(|a|, |b|). That is symmetric,
/// unlike NumPy's `allclose`, which takes |b| alone. `relative` and `ulp` apply to floating-point numbers, `absolute` to
/// integers too.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
    pub(crate) ulp: u64,
    pub(crate) bits: bool,
}

impl Tolerance {
    /// None: values differ if their bits do, but for the payloads of `NaN`.
    pub fn exact() -> Self {
        Tolerance::default()
    }

    /// Sets the absolute part, in the unit of the values.
    #[must_use]
    pub fn absolute(self, absolute: f64) -> Self {
        Tolerance { absolute, ..self }
    }

    /// Sets the relative part, a ratio.
    #[must_use]
    pub fn relative(self, relative: f64) -> Self {
        Tolerance { relative, ..self }
    }

    /// Sets the number of steps among the numbers of the items' own width.
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
/// let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
/// let [old, new] = [(); 2].map(|()| ndbytes::Input::open(sample, ndbytes::Limits::default()).unwrap());
/// assert!(ndbytes_compare::diff::diff(&old, &new, &options)?.is_equal());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) tolerance: Tolerance,
    pub(crate) values: bool,
    pub(crate) structure: bool,
    pub(crate) ignore: Vec<Pattern>,
    pub(crate) key: Option<String>,
    pub(crate) most: usize,
    pub(crate) largest_first: bool,
    pub(crate) all: bool,
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
            largest_first: false,
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

    /// Aligns the rows of tables by the values of a column. Without it, they are aligned by their content.
    #[must_use]
    pub fn key(self, column: impl Into<String>) -> Self {
        Options { key: Some(column.into()), ..self }
    }

    /// Sets the maximum number of differences, rows and findings that are listed of each kind. The default is 10.
    #[must_use]
    pub fn most(self, most: usize) -> Self {
        Options { most, ..self }
    }

    /// Lists the items of two arrays of one shape by their distance, the largest first, rather than by their place.
    #[must_use]
    pub fn largest_first(self, largest_first: bool) -> Self {
        Options { largest_first, ..self }
    }

    /// Lists what only follows from other differences, too.
    #[must_use]
    pub fn all(self, all: bool) -> Self {
        Options { all, ..self }
    }
}
