//! .NET's ticks of 100 ns, as Arrow's units of time and back.

use crate::choices::choices;
use arrow_schema::TimeUnit;

/// The ticks of .NET at the beginning of 1970.
pub const EPOCH: i64 = 621_355_968_000_000_000;

/// Ticks of a minute.
const TICKS_PER_MINUTE: i64 = 600_000_000;

/// Ticks of a day.
const TICKS_PER_DAY: i64 = 24 * 60 * TICKS_PER_MINUTE;

choices! {
    /// The unit of times and durations. .NET counts ticks of 100 ns from the year 1 to 9999: no unit of Arrow holds all of
    /// them.
    Times: "units of times" {
        /// Microseconds. A time that is no whole number of them is an error.
        #[default]
        Micros = "us",
        /// Microseconds, rounded down.
        MicrosFloor = "us-floor",
        /// Nanoseconds. A time before 1677-09-21 or after 2262-04-11 is an error.
        Nanos = "ns",
        /// The ticks, as integers of 64 bits.
        Ticks = "ticks",
    }
}

impl Times {
    /// The unit in Arrow, or `None` for ticks.
    pub(crate) fn unit(self) -> Option<TimeUnit> {
        match self {
            Times::Micros | Times::MicrosFloor => Some(TimeUnit::Microsecond),
            Times::Nanos => Some(TimeUnit::Nanosecond),
            Times::Ticks => None,
        }
    }

    /// Ticks in this unit.
    ///
    /// # Errors
    /// The reason why the unit cannot hold them, and what to choose.
    pub(crate) fn of_ticks(self, ticks: i64) -> Result<i64, String> {
        match self {
            Times::Micros if ticks % 10 != 0 => Err(format!(
                "has {ticks} ticks of 100 ns, which are no whole microseconds: choose the times us-floor, ns or ticks"
            )),
            Times::Micros => Ok(ticks / 10),
            Times::MicrosFloor => Ok(ticks.div_euclid(10)),
            Times::Nanos => ticks.checked_mul(100).ok_or_else(|| {
                format!(
                    "has {ticks} ticks of 100 ns, more nanoseconds than 64 bits hold: choose the times us, us-floor or ticks"
                )
            }),
            Times::Ticks => Ok(ticks),
        }
    }

    /// A time of .NET, which counts from the year 1, in this unit from 1970 on; ticks count from the year 1.
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

/// The ticks of a time in UTC, of a clock that is ahead of it.
pub(crate) fn to_utc(ticks: i64, offset_minutes: i16) -> Result<i64, String> {
    let utc = ticks.checked_sub(i64::from(offset_minutes) * TICKS_PER_MINUTE);
    utc.ok_or_else(|| format!("has the time {ticks}, which is not between the years 1 and 9999"))
}

/// The ticks on a clock that is ahead of UTC.
pub(crate) fn from_utc(ticks: i64, offset_minutes: i16) -> Result<i64, String> {
    let ticks = ticks.checked_add(i64::from(offset_minutes) * TICKS_PER_MINUTE);
    ticks.ok_or_else(|| "has a time that is not between the years 1 and 9999".to_owned())
}

/// Ticks of a duration in a unit of Arrow.
///
/// # Errors
/// The reason why ticks cannot hold it.
pub(crate) fn from_unit(value: i64, unit: TimeUnit) -> Result<i64, String> {
    let far = || format!("has the time {value} {}, more than 64 bits of ticks hold", name(unit));
    match unit {
        TimeUnit::Second => value.checked_mul(10_000_000).ok_or_else(far),
        TimeUnit::Millisecond => value.checked_mul(10_000).ok_or_else(far),
        TimeUnit::Microsecond => value.checked_mul(10).ok_or_else(far),
        TimeUnit::Nanosecond if value % 100 != 0 => {
            Err(format!("has the time {value} ns, which is no whole number of ticks of 100 ns"))
        }
        TimeUnit::Nanosecond => Ok(value / 100),
    }
}

/// A time of .NET out of a unit of Arrow, from 1970 on.
pub(crate) fn date_from_unit(value: i64, unit: TimeUnit) -> Result<i64, String> {
    let ticks = from_unit(value, unit)?.checked_add(EPOCH);
    ticks.ok_or_else(|| format!("has the time {value} {}, which is not between the years 1 and 9999", name(unit)))
}

/// A time of .NET out of days from 1970 on.
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
