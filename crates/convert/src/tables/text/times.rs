//! Times and durations as text: times as in ISO 8601, and durations as in .NET.

use ndbytes::{DateUnit, TimeUnit};

/// The number of nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// The number of seconds in a day.
const DAY: i128 = 86_400;

/// Writes a point in time without trailing zeros in the fraction: `2024-02-29T12:34:56.789`. `None` for `NaT`.
pub fn point(steps: i64, unit: DateUnit, count: u32) -> Option<String> {
    let mut text = TimeUnit { unit, count }.point(steps)?;
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    Some(text)
}

/// Writes a duration: `-1.02:03:04.5` is a day, 2 hours, 3 minutes and 4.5 seconds, all negative.
pub fn span(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let (seconds, part) = (nanoseconds.abs() / SECOND, nanoseconds.abs() % SECOND);
    let (days, clock) = (seconds / DAY, seconds % DAY);
    let days = if days == 0 { String::new() } else { format!("{days}.") };
    let text = format!("{sign}{days}{:02}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60);
    match part {
        0 => text,
        part => format!("{text}.{part:09}").trim_end_matches('0').to_owned(),
    }
}

/// Writes the offset of a clock from UTC: `+05:30`.
pub fn offset(minutes: i16) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.unsigned_abs() / 60, minutes.unsigned_abs() % 60)
}

/// A parsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Days since 1970.
    Date(i32),
    /// Nanoseconds since 1970.
    Point(i128),
    /// Nanoseconds since 1970 in UTC, and the number of minutes that the clock is ahead of UTC.
    Zoned(i128, i16),
    /// Nanoseconds.
    Span(i128),
}

impl Time {
    /// Parses exactly the forms that [`point`], [`span`] and [`offset`] write, so writing a parsed time produces the same text.
    pub fn of(text: &str) -> Option<Time> {
        let bytes = text.as_bytes();
        if !(8..=40).contains(&bytes.len()) || !bytes.is_ascii() {
            return None;
        }
        let is_date = bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-';
        if !is_date {
            return self::duration(text).map(Time::Span);
        }
        let day = days(number(&text[..4])?, number(&text[5..7])?, number(&text[8..10])?)?;
        let Some(clock) = text[10..].strip_prefix('T') else {
            return (text.len() == 10).then_some(Time::Date(day as i32));
        };
        let ends = clock.find(['+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(ends);
        let local = i128::from(day) * DAY * SECOND + self::clock(clock)?;
        if zone.is_empty() {
            return Some(Time::Point(local));
        }
        let (hours, minutes) = (number(zone.get(1..3)?)?, number(zone.get(4..)?)?);
        let magnitude = i16::try_from(hours * 60 + minutes).ok().filter(|_| hours <= 23 && minutes <= 59)?;
        let minutes = if zone.starts_with('-') { -magnitude } else { magnitude };
        (offset(minutes) == zone).then_some(Time::Zoned(local - i128::from(minutes) * 60 * SECOND, minutes))
    }
}

/// Parses a number that consists only of digits.
fn number(text: &str) -> Option<i64> {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| are_digits)
}

/// Returns the number of days from 1970 to a day in the years 0 to 9999.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    // If years begin in March, the leap day is at the end.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leaps + (153 * month + 2) / 5 + day - 719_469)
}

/// Parses `hh:mm:ss` with a fraction of 1 to 9 digits, whose last digit must not be 0, as nanoseconds.
fn clock(text: &str) -> Option<i128> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let bytes = clock.as_bytes();
    if bytes.len() != 8 || bytes[2] != b':' || bytes[5] != b':' {
        return None;
    }
    let (hours, minutes, seconds) = (number(&clock[..2])?, number(&clock[3..5])?, number(&clock[6..])?);
    let is_exact = text.len() == 8 || (fraction.len() <= 9 && !fraction.ends_with('0'));
    if hours > 23 || minutes > 59 || seconds > 59 || !is_exact {
        return None;
    }
    let part = i128::from(number(fraction)?) * 10_i128.pow(9 - fraction.len() as u32);
    Some(i128::from(hours * 3600 + minutes * 60 + seconds) * SECOND + part)
}

fn duration(text: &str) -> Option<i128> {
    let (sign, magnitude) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let before = magnitude.split(':').next()?;
    let (days, rest) = match before.split_once('.') {
        Some((days, _)) => (number(days)?, magnitude.get(days.len() + 1..)?),
        None => (0, magnitude),
    };
    let nanoseconds = sign * (i128::from(days) * DAY * SECOND + clock(rest)?);
    (span(nanoseconds) == text).then_some(nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        for seconds in (-62_135_596_800_i64..253_402_300_800).step_by(86_400 * 11 + 7) {
            let steps = seconds * 1_000_000 + seconds.rem_euclid(1_000_000);
            let text = point(steps, DateUnit::Microsecond, 1).unwrap();
            assert_eq!(Time::of(&text), Some(Time::Point(i128::from(steps) * 1000)), "{text}");
            let text = span(i128::from(steps) * 100);
            assert_eq!(Time::of(&text), Some(Time::Span(i128::from(steps) * 100)), "{text}");
        }
        assert_eq!(Time::of("1970-01-02"), Some(Time::Date(1)));
        assert_eq!(Time::of("1970-01-01T05:30:00+05:30"), Some(Time::Zoned(0, 330)));
        assert_eq!(Time::of("1970-01-01T00:00:00-00:30"), Some(Time::Zoned(1800 * SECOND, -30)));
    }

    #[test]
    fn other_forms_are_texts() {
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-1-01",
            "2024-01-01 12:00:00",
            "2024-01-01T24:00:00",
            "2024-01-01T12:00",
            "2024-01-01T12:00:00.50",
            "2024-01-01T12:00:00.",
            "2024-01-01T12:00:00Z",
            "2024-01-01T12:00:00+5:30",
            "2024-01-01T12:00:00-00:00",
            "12:00",
            "1.2.12:00:00",
            "0.12:00:00",
            "-00:00:00",
            "+1:00:00",
            "+1.12:00:00",
            "12:00:0\u{b2}",
            "2024-01-01T",
            "20240101T120000",
        ] {
            assert_eq!(Time::of(text), None, "{text}");
        }
    }
}
