//! Points in time and durations, counted as in NumPy's `datetime64` and `timedelta64`.

use std::fmt;
use std::str::FromStr;

/// A unit of time.
///
/// ```
/// use ndbytes::DateUnit;
///
/// assert_eq!((DateUnit::Nanosecond.name(), DateUnit::Nanosecond.words()), ("ns", "nanoseconds"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DateUnit {
    /// `Y`.
    Year,
    /// `M`.
    Month,
    /// `W`.
    Week,
    /// `D`.
    Day,
    /// `h`.
    Hour,
    /// `m`.
    Minute,
    /// `s`.
    Second,
    /// `ms`: 10⁻³ s.
    Millisecond,
    /// `us`: 10⁻⁶ s.
    Microsecond,
    /// `ns`: 10⁻⁹ s.
    Nanosecond,
    /// `ps`: 10⁻¹² s.
    Picosecond,
    /// `fs`: 10⁻¹⁵ s.
    Femtosecond,
    /// `as`: 10⁻¹⁸ s.
    Attosecond,
    /// The unit is not stated.
    Generic,
}

/// All units, each with its short name and its name in words.
const UNITS: [(DateUnit, &str, &str); 14] = [
    (DateUnit::Year, "Y", "years"),
    (DateUnit::Month, "M", "months"),
    (DateUnit::Week, "W", "weeks"),
    (DateUnit::Day, "D", "days"),
    (DateUnit::Hour, "h", "hours"),
    (DateUnit::Minute, "m", "minutes"),
    (DateUnit::Second, "s", "seconds"),
    (DateUnit::Millisecond, "ms", "milliseconds"),
    (DateUnit::Microsecond, "us", "microseconds"),
    (DateUnit::Nanosecond, "ns", "nanoseconds"),
    (DateUnit::Picosecond, "ps", "picoseconds"),
    (DateUnit::Femtosecond, "fs", "femtoseconds"),
    (DateUnit::Attosecond, "as", "attoseconds"),
    (DateUnit::Generic, "generic", "unitless times"),
];

impl DateUnit {
    /// NumPy's name, such as `ns`.
    pub fn name(self) -> &'static str {
        UNITS[self as usize].1
    }

    /// The name in words, such as `nanoseconds`.
    pub fn words(self) -> &'static str {
        UNITS[self as usize].2
    }
}

/// A unit, and the number of units in one step.
///
/// ```
/// use ndbytes::{DateUnit, TimeUnit};
///
/// let unit: TimeUnit = "[25s]".parse()?;
/// assert_eq!(unit, TimeUnit { unit: DateUnit::Second, count: 25 });
/// # Ok::<(), ndbytes::UnknownUnit>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeUnit {
    /// The unit.
    pub unit: DateUnit,
    /// The number of units in one step; 1 if the unit is [`DateUnit::Generic`].
    pub count: u32,
}

impl TimeUnit {
    /// Steps of unknown length.
    pub const GENERIC: TimeUnit = TimeUnit { unit: DateUnit::Generic, count: 1 };

    /// The time that is `steps` steps after the beginning of 1970, in ISO 8601 and with the precision of the unit: `1970-01`,
    /// `1970-01-01T00:00:00.000`. Years before 0 have a sign, and years have more than four digits if necessary. `None` for times
    /// without a unit, and for the smallest integer, `NaT`.
    pub fn point(self, steps: i64) -> Option<String> {
        if steps == i64::MIN {
            return None;
        }
        let count = i128::from(steps) * i128::from(self.count);
        let per_day = match self.unit {
            DateUnit::Generic => return None,
            DateUnit::Year => return Some(format!("{:04}", 1970 + count)),
            DateUnit::Month => {
                return Some(format!("{:04}-{:02}", 1970 + count.div_euclid(12), count.rem_euclid(12) + 1));
            }
            DateUnit::Week => return Some(date(count * 7)),
            DateUnit::Day => return Some(date(count)),
            DateUnit::Hour => 24,
            DateUnit::Minute => 24 * 60,
            _ => 86_400 * 1000_i128.pow(self.thousands()),
        };
        let (day, time) = (date(count.div_euclid(per_day)), count.rem_euclid(per_day));
        Some(match self.unit {
            DateUnit::Hour => format!("{day}T{time:02}"),
            DateUnit::Minute => format!("{day}T{:02}:{:02}", time / 60, time % 60),
            _ => {
                let (places, parts) = (self.thousands() as usize * 3, 1000_i128.pow(self.thousands()));
                let (seconds, part) = (time / parts, time % parts);
                let fraction = if places > 0 { format!(".{part:0places$}") } else { String::new() };
                format!("{day}T{:02}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
            }
        })
    }

    /// The exponent of the power of 1000 by which a second is divided to get this unit.
    fn thousands(self) -> u32 {
        (self.unit as u32).saturating_sub(DateUnit::Second as u32)
    }
}

impl fmt::Display for TimeUnit {
    /// Writes the unit as in NumPy's type names: `[ns]`, `[25s]`, or nothing for the generic unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.unit, self.count) {
            (DateUnit::Generic, _) => Ok(()),
            (unit, 1) => write!(f, "[{}]", unit.name()),
            (unit, count) => write!(f, "[{count}{}]", unit.name()),
        }
    }
}

/// The error for a string that is not a unit of time.
///
/// ```
/// use ndbytes::{TimeUnit, UnknownUnit};
///
/// assert_eq!("25 s".parse::<TimeUnit>(), Err(UnknownUnit));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not a unit of time such as [ns] or [25s]")]
pub struct UnknownUnit;

impl FromStr for TimeUnit {
    type Err = UnknownUnit;

    /// Parses `[ns]`, `[25s]` and so on. An empty string is the generic unit. A step has at most 2,147,483,647 units.
    fn from_str(text: &str) -> Result<Self, UnknownUnit> {
        if text.is_empty() {
            return Ok(TimeUnit::GENERIC);
        }
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or(UnknownUnit)?;
        let letters = inner.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let count = match &inner[..inner.len() - letters.len()] {
            "" => 1,
            digits => digits.parse::<i32>().map_err(|_| UnknownUnit)?.unsigned_abs(),
        };
        let name = if letters == "μs" { "us" } else { letters };
        let (unit, ..) = UNITS.into_iter().find(|unit| unit.1 == name).ok_or(UnknownUnit)?;
        Ok(if unit == DateUnit::Generic { TimeUnit::GENERIC } else { TimeUnit { unit, count } })
    }
}

/// Formats a date, given the number of days since `1970-01-01`.
fn date(days: i128) -> String {
    // If years begin in March, the leap day is their last day. All cycles of 400 such years are alike.
    let days = days + 719_468;
    let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}", 400 * cycle + year)
}
