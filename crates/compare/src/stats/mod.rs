//! Statistics of values: extremes, mean, deviation, what is missing, and a histogram.
//!
//! Values are read once, from the first to the last, in bounded memory. Sums are exact, and mean and deviation are rounded
//! once. So the result depends neither on the order of the values nor on how a file cuts them into pieces.
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

mod columns;
mod distinct;
pub(crate) mod exact;
mod histogram;
mod items;
mod long;
mod moments;
mod numbers;
mod real;
mod texts;

pub use columns::{ColumnCollector, column};
pub use distinct::MOST_DISTINCT;
pub use histogram::{Histogram, MOST_BINS};
pub use items::{Collector, MOST_SERIES, array, items};
pub use real::Real;
use serde::Serialize;

/// The statistics of one series of values. Serialised, it is an object of `ndbytes stats --json`.
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
    /// Statistics under a name.
    pub fn new(name: impl Into<String>, statistics: Statistics) -> Self {
        Series { name: name.into(), statistics }
    }
}

/// The statistics of values of one type.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of values, with those that are missing, NaN or infinite.
    pub values: u64,
    /// Values that the file marks as missing: nulls, keys without a category, times that are `NaT`.
    pub missing: u64,
    /// Values that are not a number.
    pub nan: u64,
    /// Values that are infinite, of either sign.
    pub infinite: u64,
    /// Values that are zero, of either sign; of booleans, those that are false.
    pub zeros: u64,
    /// The least finite number. `None` for values without an order, or without finite numbers.
    pub min: Option<Real>,
    /// The greatest finite number.
    pub max: Option<Real>,
    /// The exact sum of integers. `None` for other values, and if it does not fit.
    pub sum: Option<i128>,
    /// The mean of the finite numbers, rounded once: to the nearest [`Real::F64`], that of long doubles to the nearest
    /// [`Real::Long`]. `None` for categories and times, and without finite numbers.
    pub mean: Option<Real>,
    /// The standard deviation of the finite numbers, rounded as the mean. It is the root of the mean squared distance
    /// from their exact mean, as NumPy's `std` (no correction).
    pub std: Option<Real>,
    /// The number of different values that are neither missing nor NaN. `None` if there are more than [`MOST_DISTINCT`].
    pub distinct: Option<u64>,
    /// The letters of the shortest and of the longest text.
    pub lengths: Option<(u64, u64)>,
    /// The numbers of finite values in ranges of equal width. `None` for values that are not numbers, and if a long double is beyond
    /// all doubles.
    pub histogram: Option<Histogram>,
}
