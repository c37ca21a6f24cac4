//! Times of Arrow with offsets and zones.

use super::options::Zones;
use crate::metadata::time_fields;
use crate::ticks::EPOCH;
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Ticks of a second, and seconds of a minute.
const SECOND: i64 = 10_000_000;
const MINUTE: i32 = 60;

/// A zone of times.
#[derive(Debug)]
pub(crate) enum Zone {
    /// So many minutes ahead of UTC, at any time.
    Fixed(i16),
    /// One whose distance from UTC changes.
    Named(String, TimeZone),
}

impl Zone {
    /// The zone of a name.
    ///
    /// # Errors
    /// The reason why it is none, and what to choose.
    pub fn of(name: &str, zones: Zones) -> Result<Self, String> {
        match (zones, offset_minutes(name)) {
            (Zones::Utc, _) => Ok(Zone::Fixed(0)),
            (Zones::Offset, Some(minutes)) => Ok(Zone::Fixed(minutes)),
            (Zones::Offset, None) => match TimeZone::get(name) {
                Ok(zone) => Ok(Zone::Named(name.to_owned(), zone)),
                Err(_) => Err(format!(
                    "has times of the zone {name:?}, which this system does not know: choose the zones utc"
                )),
            },
        }
    }

    /// The minutes that its clocks are ahead of UTC at a time, which is in ticks of UTC from the year 1 on.
    ///
    /// # Errors
    /// The reason why there is no such number, and what to choose.
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
                "has a time at which clocks of {name} are {seconds} seconds ahead of UTC, which are no whole minutes: choose the zones utc"
            )),
        }
    }
}

/// The unit of a struct that is a time with an offset: `Some(None)` for ticks.
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

/// The minutes that a zone is ahead of UTC, if they never change.
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
