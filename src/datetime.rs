//! Points in time and durations, as NumPy's `datetime64` and `timedelta64` count them.

use std::fmt;
use std::str::FromStr;

/// What time is counted in.
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
    /// Not said.
    Generic,
}

/// All units, their names in types, and their names in words.
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
    (DateUnit::Generic, "generic", "generic time units"),
];

impl DateUnit {
    /// NumPy's name, such as `ns`.
    pub fn name(self) -> &'static str {
        UNITS[self as usize].1
    }
}

/// A unit, and how many of it make one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeUnit {
    /// The unit.
    pub unit: DateUnit,
    /// How many of it one step is; 1 where the unit is [`DateUnit::Generic`].
    pub count: u32,
}

impl TimeUnit {
    /// Steps of which nothing is known.
    pub const GENERIC: TimeUnit = TimeUnit { unit: DateUnit::Generic, count: 1 };
}

impl fmt::Display for TimeUnit {
    /// As in NumPy's names of types: `[ns]`, `[25s]`, nothing if generic.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.unit, self.count) {
            (DateUnit::Generic, _) => Ok(()),
            (unit, 1) => write!(f, "[{}]", unit.name()),
            (unit, count) => write!(f, "[{count}{}]", unit.name()),
        }
    }
}

/// A text that is no unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no unit of time such as [ns] or [25s]")]
pub struct UnknownUnit;

impl FromStr for TimeUnit {
    type Err = UnknownUnit;

    /// Reads `[ns]`, `[25s]` and the like; nothing is the generic unit. A step is 2,147,483,647 units at the most.
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
