//! Arrow times with offsets and zones.
//!
//! IDV counts offsets from UTC in minutes. Old times in named zones may also have seconds, such as +00:09:21 in Paris
//! until 1911. They are refused, not rounded; UTC can be chosen instead.

use super::options::Zones;
use crate::metadata::time_fields;
use crate::ticks::EPOCH;
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The number of ticks in a second, and of seconds in a minute.
const SECOND: i64 = 10_000_000;
const MINUTE: i32 = 60;

/// A time zone.
#[derive(Debug)]
pub(crate) enum Zone {
    /// A constant number of minutes ahead of UTC.
    Fixed(i16),
    /// A time zone whose offset from UTC changes.
    Named(String, TimeZone),
}

impl Zone {
    /// Returns the zone with this name.
    ///
    /// # Errors
    /// Returns the reason why it is invalid, and what to choose instead.
    pub fn of(name: &str, zones: Zones) -> Result<Self, String> {
        match (zones, offset_minutes(name)) {
            (Zones::Utc, _) => Ok(Zone::Fixed(0)),
            (Zones::Offset, Some(minutes)) => Ok(Zone::Fixed(minutes)),
            (Zones::Offset, None) => match TimeZone::get(name) {
                Ok(zone) => Ok(Zone::Named(name.to_owned(), zone)),
                Err(_) => Err(format!(
                    "has times in the zone {name:?}, which this system does not know: choose the zones utc"
                )),
            },
        }
    }

    /// Returns how many minutes its clocks are ahead of UTC at a time in UTC, given in ticks since the year 1.
    ///
    /// # Errors
    /// Returns the reason why the number does not exist, and what to choose instead.
    pub fn minutes(&self, utc: i64) -> Result<i16, String> {
        let (name, zone) = match self {
            Zone::Fixed(minutes) => return Ok(*minutes),
            Zone::Named(name, zone) => (name, zone),
        };
        let second = utc.checked_sub(EPOCH).map(|ticks| ticks.div_euclid(SECOND));
        let time = second.and_then(|second| Timestamp::from_second(second).ok());
        let time = time.ok_or_else(|| "has a time that is not between the years 1 and 9999".to_owned())?;
        let seconds = zone.to_offset(time).seconds();
        match (seconds % MINUTE, i16::try_from(seconds / MINUTE)) {
            (0, Ok(minutes)) => Ok(minutes),
            _ => Err(format!(
                "has a time at which {name} is {seconds} seconds ahead of UTC, which is not a whole number of minutes: choose the zones utc"
            )),
        }
    }
}

/// Returns the unit of a struct that is a time with an offset: `Some(None)` for ticks.
pub(crate) fn time_unit(data_type: &DataType) -> Option<Option<TimeUnit>> {
    let DataType::Struct(fields) = data_type else { return None };
    let [time, offset] = &fields[..] else { return None };
    if offset.name() != time_fields::OFFSET || offset.data_type() != &DataType::Int16 {
        return None;
    }
    match time.data_type() {
        DataType::Int64 if time.name() == time_fields::TICKS => Some(None),
        DataType::Timestamp(unit, Some(zone)) if time.name() == time_fields::TIMESTAMP => {
            (offset_minutes(zone) == Some(0)).then_some(Some(*unit))
        }
        _ => None,
    }
}

/// Returns how many minutes a zone is ahead of UTC, if that never changes.
pub(crate) fn offset_minutes(zone: &str) -> Option<i16> {
    if matches!(zone, "UTC" | "Z" | "utc" | "Etc/UTC") {
        return Some(0);
    }
    let (sign, rest) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(hours) || !digits(minutes) {
        return None;
    }
    Some(sign * (hours.parse::<i16>().ok()? * 60 + minutes.parse::<i16>().ok()?))
}
