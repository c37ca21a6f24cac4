//! Converts .NET's ticks of 100 ns to Arrow's units of time and back.
//!
//! Arrow's nanoseconds in 64 bits cover 1677 to 2262, and its microseconds lose the last digit of a tick. No unit
//! covers all .NET times, so the user chooses one, and a value that does not fit is an error, never a rounded value.

use crate::choices::choices;
use arrow_schema::TimeUnit;

/// .NET's ticks at the beginning of 1970.
pub const EPOCH: i64 = 621_355_968_000_000_000;

/// The number of ticks in a minute.
const TICKS_PER_MINUTE: i64 = 600_000_000;

/// The number of ticks in a day.
const TICKS_PER_DAY: i64 = 24 * 60 * TICKS_PER_MINUTE;

choices! {
    /// The unit of times and durations. .NET counts ticks of 100 ns from year 1 to 9999, a range that no Arrow unit covers.
    ///
    /// ```
    /// use ndbytes_arrow::table::Times;
    ///
    /// assert_eq!("ticks".parse(), Ok(Times::Ticks));
    /// assert_eq!(Times::default().name(), "us");
    /// ```
    Times: "units of times" {
        /// Microseconds. A time that is not a whole number of microseconds is an error.
        #[default]
        Micros = "us",
        /// Microseconds, rounded down.
        MicrosFloor = "us-floor",
        /// Nanoseconds. A time before 1677-09-21 or after 2262-04-11 is an error.
        Nanos = "ns",
        /// The ticks, as 64-bit integers.
        Ticks = "ticks",
    }
}

impl Times {
    /// Returns the unit in Arrow, or `None` for ticks.
    pub(crate) fn unit(self) -> Option<TimeUnit> {
        match self {
            Times::Micros | Times::MicrosFloor => Some(TimeUnit::Microsecond),
            Times::Nanos => Some(TimeUnit::Nanosecond),
            Times::Ticks => None,
        }
    }

    /// Converts ticks to this unit.
    ///
    /// # Errors
    /// Returns a message that states why the unit cannot represent them, and what to choose.
    pub(crate) fn of_ticks(self, ticks: i64) -> Result<i64, String> {
        match self {
            Times::Micros if ticks % 10 != 0 => Err(format!(
                "has {ticks} ticks of 100 ns, not a whole number of microseconds: choose the times us-floor, ns or ticks"
            )),
            Times::Micros => Ok(ticks / 10),
            Times::MicrosFloor => Ok(ticks.div_euclid(10)),
            Times::Nanos => ticks.checked_mul(100).ok_or_else(|| {
                format!(
                    "has {ticks} ticks of 100 ns, which overflow 64-bit nanoseconds: choose the times us, us-floor or ticks"
                )
            }),
            Times::Ticks => Ok(ticks),
        }
    }

    /// Converts a .NET time, which counts from the year 1, to this unit since 1970; ticks count from the year 1.
    pub(crate) fn of_date(self, ticks: i64) -> Result<i64, String> {
        match self {
            Times::Ticks => Ok(ticks),
            _ => self.of_ticks(since_1970(ticks)?),
        }
    }
}

fn since_1970(ticks: i64) -> Result<i64, String> {
    ticks.checked_sub(EPOCH).ok_or_else(|| format!("has the time {ticks}, which is not between the years 1 and 9999"))
}

/// Converts ticks on a clock that is ahead of UTC to UTC.
pub(crate) fn to_utc(ticks: i64, offset_minutes: i16) -> Result<i64, String> {
    let utc = ticks.checked_sub(i64::from(offset_minutes) * TICKS_PER_MINUTE);
    utc.ok_or_else(|| format!("has the time {ticks}, which is not between the years 1 and 9999"))
}

/// Converts ticks in UTC to a clock that is ahead of UTC.
pub(crate) fn from_utc(ticks: i64, offset_minutes: i16) -> Result<i64, String> {
    let ticks = ticks.checked_add(i64::from(offset_minutes) * TICKS_PER_MINUTE);
    ticks.ok_or_else(|| "has a time that is not between the years 1 and 9999".to_owned())
}

/// Converts a duration in an Arrow unit to ticks.
///
/// # Errors
/// Returns a message that states why ticks cannot represent it.
pub(crate) fn from_unit(value: i64, unit: TimeUnit) -> Result<i64, String> {
    let far = || format!("has the time {value} {}, which overflows 64-bit ticks", name(unit));
    match unit {
        TimeUnit::Second => value.checked_mul(10_000_000).ok_or_else(far),
        TimeUnit::Millisecond => value.checked_mul(10_000).ok_or_else(far),
        TimeUnit::Microsecond => value.checked_mul(10).ok_or_else(far),
        TimeUnit::Nanosecond if value % 100 != 0 => {
            Err(format!("has the time {value} ns, which is not a whole number of 100 ns ticks"))
        }
        TimeUnit::Nanosecond => Ok(value / 100),
    }
}

/// Converts an Arrow time, counted in `unit` since 1970, to a .NET time.
pub(crate) fn date_from_unit(value: i64, unit: TimeUnit) -> Result<i64, String> {
    let ticks = from_unit(value, unit)?.checked_add(EPOCH);
    ticks.ok_or_else(|| format!("has the time {value} {}, which is not between the years 1 and 9999", name(unit)))
}

/// Converts days since 1970 to a .NET time.
pub(crate) fn date_from_days(days: i32) -> Result<i64, String> {
    let ticks = i64::from(days).checked_mul(TICKS_PER_DAY).and_then(|ticks| ticks.checked_add(EPOCH));
    ticks.ok_or_else(|| format!("has the day {days}, which is not between the years 1 and 9999"))
}

fn name(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}
