//! How two files are compared.

use everybyte::diff::Pattern;
use ndbytes::Limits;

/// How much two numbers may differ and still count as equal. Tolerances apply to values only, never to structure.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_compare::diff::{Options, Tolerance, Verdict, diff};
///
/// let file = |number: f32| [&[0, 0, 13, 1, 0, 0, 0, 1][..], &number.to_be_bytes()].concat(); // IDX
/// let (a, b) = (file(100.0), file(100.01));
/// let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
/// let within = |tolerance| diff(&a, &b, &Options::new().tolerance(tolerance));
/// assert_eq!(within(Tolerance::exact())?.verdict, Verdict::ValuesDiffer);
/// assert_eq!(within(Tolerance::exact().relative(1e-3))?.verdict, Verdict::SameWithinTolerance);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// With distances, numbers are within the tolerance if |a − b| ≤ `absolute` + `relative` · max(|a|, |b|). Unlike
/// NumPy's `allclose`, which uses only |b|, the test is symmetric. `relative` and `ulp` apply only to floating-point
/// numbers; `absolute` also applies to integers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
    pub(crate) ulp: u64,
    pub(crate) bits: bool,
}

impl Tolerance {
    /// No tolerance: values differ if their bits do, except for the payloads of `NaN`.
    pub fn exact() -> Self {
        Tolerance::default()
    }

    /// Sets the absolute tolerance, in the unit of the values.
    #[must_use]
    pub fn absolute(self, absolute: f64) -> Self {
        Tolerance { absolute, ..self }
    }

    /// Sets the relative tolerance, a ratio.
    #[must_use]
    pub fn relative(self, relative: f64) -> Self {
        Tolerance { relative, ..self }
    }

    /// Sets the tolerance in steps between representable numbers of the items' width.
    #[must_use]
    pub fn ulp(self, ulp: u64) -> Self {
        Tolerance { ulp, ..self }
    }

    /// Also compares the payloads of `NaN`.
    #[must_use]
    pub fn bits(self, bits: bool) -> Self {
        Tolerance { bits, ..self }
    }

    /// Returns whether there is no tolerance.
    pub fn is_exact(&self) -> bool {
        self.absolute == 0.0 && self.relative == 0.0 && self.ulp == 0
    }
}

/// How to compare two files.
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
    /// Compares values and structure, exactly, and lists the first ten differences.
    pub fn new() -> Self {
        Options::default()
    }

    /// Limits the cost of each file.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Sets how much numbers may differ.
    #[must_use]
    pub fn tolerance(self, tolerance: Tolerance) -> Self {
        Options { tolerance, ..self }
    }

    /// Sets whether to compare values.
    #[must_use]
    pub fn values(self, values: bool) -> Self {
        Options { values, ..self }
    }

    /// Sets whether to compare structures.
    #[must_use]
    pub fn structure(self, structure: bool) -> Self {
        Options { structure, ..self }
    }

    /// Ignores differences in fields with these keys.
    #[must_use]
    pub fn ignore(mut self, pattern: Pattern) -> Self {
        self.ignore.push(pattern);
        self
    }

    /// Aligns the rows of tables by the values of a column. By default, they are aligned by content.
    #[must_use]
    pub fn key(self, column: impl Into<String>) -> Self {
        Options { key: Some(column.into()), ..self }
    }

    /// Sets the maximum number of differences, rows and findings of each kind to list. The default is 10.
    #[must_use]
    pub fn most(self, most: usize) -> Self {
        Options { most, ..self }
    }

    /// For two arrays of the same shape, lists items by the size of their difference, the largest first, instead of by
    /// position.
    #[must_use]
    pub fn largest_first(self, largest_first: bool) -> Self {
        Options { largest_first, ..self }
    }

    /// Also lists consequences of other differences.
    #[must_use]
    pub fn all(self, all: bool) -> Self {
        Options { all, ..self }
    }
}
