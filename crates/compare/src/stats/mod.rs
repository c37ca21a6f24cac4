//! Statistics of values: extremes, mean, deviation, missing values, and a histogram.
//!
//! Values are read once, in order, in bounded memory. Sums are exact, and mean and deviation are rounded only once. The result therefore
//! does not depend on the order of the values, or on how a file divides them.
//!
//! ```
//! # let file = [0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3, 2];
//! use ndbytes::{Array, Input, Limits, Options};
//! use ndbytes_compare::stats;
//!
//! let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new())?;
//! let series = stats::array(&array)?;
//! let statistics = &series[0].statistics;
//! assert_eq!((statistics.min, statistics.max), (Some(stats::Real::Int(1)), Some(stats::Real::Int(3))));
//! assert_eq!((statistics.mean, statistics.distinct), (Some(stats::Real::F64(2.0)), Some(3)));
//! # Ok::<(), ndbytes::Error>(())
//! ```

pub(crate) mod batch;
mod columns;
mod distinct;
pub(crate) mod exact;
mod histogram;
mod items;
mod long;
mod moments;
mod numbers;
mod outside;
mod real;
mod texts;

pub use columns::{ColumnCollector, column};
pub use distinct::MOST_DISTINCT;
pub use histogram::{Histogram, MOST_BINS};
pub use items::{Collector, MOST_SERIES, array, each_piece, items};
pub use outside::{AllOutside, Outside, outside};
pub use real::Real;
use serde::Serialize;

/// The statistics of a series of values. Serialized, it is an object in the output of `ndbytes stats --json`.
///
/// ```
/// use ndbytes_compare::stats::Collector;
///
/// let mut collector = Collector::new(&"[('x', '<i2'), ('y', '<i2')]".parse()?);
/// collector.add(&[1_i16, 10].map(i16::to_le_bytes).concat());
/// let [x, y] = &collector.finish()[..] else { panic!("one series per field") };
/// assert_eq!((&*x.name, x.statistics.sum), ("x", Some(1)));
/// assert_eq!((&*y.name, y.statistics.sum), ("y", Some(10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Series {
    /// The field of a structure, or the part of a complex number (`re`, `im`): `point.x`. Empty if the items are numbers.
    pub name: String,
    /// Its statistics.
    #[serde(flatten)]
    pub statistics: Statistics,
}

impl Series {
    /// Statistics with a name.
    pub fn new(name: impl Into<String>, statistics: Statistics) -> Self {
        Series { name: name.into(), statistics }
    }
}

/// The statistics of values of one type.
///
/// ```
/// use ndbytes_compare::stats::{Collector, Real};
///
/// let mut collector = Collector::new(&"<f4".parse()?);
/// collector.add(&[1.0, f32::NAN, 3.0, f32::INFINITY].map(f32::to_le_bytes).concat());
/// let statistics = collector.finish().remove(0).statistics;
/// assert_eq!((statistics.values, statistics.nan, statistics.infinite), (4, 1, 1));
/// assert_eq!(statistics.mean, Some(Real::F64(2.0))); // only finite numbers count
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of values, including those that are missing, NaN or infinite.
    pub values: u64,
    /// The number of values that the file marks as missing: nulls, keys without a category, and `NaT` times.
    pub missing: u64,
    /// The number of values that are NaN.
    pub nan: u64,
    /// The number of infinite values, of either sign.
    pub infinite: u64,
    /// The number of zeros, of either sign; for booleans, of false values.
    pub zeros: u64,
    /// The smallest finite number. `None` for values without an order, or without finite numbers.
    pub min: Option<Real>,
    /// The largest finite number.
    pub max: Option<Real>,
    /// The exact sum of integers. `None` for other values, and if it does not fit.
    pub sum: Option<i128>,
    /// The mean of the finite numbers, rounded once to the nearest [`Real::F64`] (for long doubles, to the nearest
    /// [`Real::Long`]). `None` for categories and times, and without finite numbers.
    pub mean: Option<Real>,
    /// The standard deviation of the finite numbers, rounded like the mean. It is the root of the mean squared distance
    /// from their exact mean, like NumPy's `std` (without correction).
    pub std: Option<Real>,
    /// The number of distinct values that are neither missing nor NaN. `None` if there are more than [`MOST_DISTINCT`].
    pub distinct: Option<u64>,
    /// The lengths of the shortest and the longest text, in characters.
    pub lengths: Option<(u64, u64)>,
    /// The number of finite values in bins of equal width. `None` for values that are not numbers, and if a long double
    /// is outside the range of doubles.
    pub histogram: Option<Histogram>,
}

impl Statistics {
    /// Adds the counts of each kind of value.
    fn add_counts(&mut self, other: &Self) {
        self.values += other.values;
        self.missing += other.missing;
        self.nan += other.nan;
        self.infinite += other.infinite;
        self.zeros += other.zeros;
    }
}
