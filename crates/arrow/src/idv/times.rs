//! Times of Arrow with offsets and zones.

use crate::metadata::time_fields;
use arrow_schema::{DataType, TimeUnit};

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
