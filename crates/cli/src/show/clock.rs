//! Dates, times and durations as text, from .NET's ticks of 100 ns.

use ndbytes::idv::DateTimeOffset;

/// The number of ticks in a second.
const SECOND: u64 = 10_000_000;
/// The number of ticks in a day.
const DAY: u64 = 86_400 * SECOND;

/// The first tick after the year 9999.
const END: u64 = 3_652_059 * DAY;

/// Formats `2024-02-29 12:34:56.789`, or returns `None` for ticks outside the years 1 to 9999.
pub fn date_time(ticks: i64) -> Option<String> {
    let ticks = u64::try_from(ticks).ok().filter(|&ticks| ticks < END)?;
    let (year, month, day) = date(ticks / DAY);
    Some(format!("{year:04}-{month:02}-{day:02} {}", time(ticks % DAY)))
}

/// Formats `2024-02-29 12:34:56.789+05:30`: the local time, and its offset from UTC.
pub fn date_time_offset(time: DateTimeOffset) -> Option<String> {
    let minutes = time.offset_minutes.unsigned_abs();
    let sign = if time.offset_minutes < 0 { '-' } else { '+' };
    Some(format!("{}{sign}{:02}:{:02}", date_time(time.ticks)?, minutes / 60, minutes % 60))
}

/// Formats `1.02:03:04.5`: days, hours, minutes and seconds.
pub fn time_span(ticks: i64) -> String {
    let sign = if ticks < 0 { "-" } else { "" };
    let ticks = ticks.unsigned_abs();
    let days = match ticks / DAY {
        0 => String::new(),
        days => format!("{days}."),
    };
    format!("{sign}{days}{}", time(ticks % DAY))
}

/// Formats the time of day: `12:34:56.789`.
fn time(ticks: u64) -> String {
    let seconds = ticks / SECOND;
    let text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match ticks % SECOND {
        0 => text,
        fraction => format!("{text}.{fraction:07}").trim_end_matches('0').to_owned(),
    }
}

/// Converts the number of days since 1 January of the year 1 to year, month and day.
fn date(days: u64) -> (u64, u64, u64) {
    // If years begin in March, the leap day is at the end, and all 400-year cycles are the same.
    let days = days + 306;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    (400 * cycle + year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1, 1, 1);
        for number in 0..END / DAY {
            assert_eq!(date(number), (year, month, day), "day {number}");
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let last = match month {
                2 => 28 + u64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > last {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!((year, month, day), (10_000, 1, 1));
    }

    #[test]
    fn times_as_net_has_them() {
        assert_eq!(date_time(0).unwrap(), "0001-01-01 00:00:00");
        assert_eq!(date_time(3_155_378_975_999_999_999).unwrap(), "9999-12-31 23:59:59.9999999");
        assert_eq!(date_time(3_155_378_976_000_000_000), None);
        assert_eq!(date_time(-1), None);
        assert_eq!(date_time(638_448_068_967_890_000).unwrap(), "2024-02-29 12:34:56.789");
        let offset = |offset_minutes| DateTimeOffset { ticks: 638_448_068_960_000_000, offset_minutes };
        assert_eq!(date_time_offset(offset(330)).unwrap(), "2024-02-29 12:34:56+05:30");
        assert_eq!(date_time_offset(offset(-30)).unwrap(), "2024-02-29 12:34:56-00:30");
        assert_eq!(date_time_offset(offset(0)).unwrap(), "2024-02-29 12:34:56+00:00");
    }

    #[test]
    fn durations_as_net_has_them() {
        assert_eq!(time_span(0), "00:00:00");
        assert_eq!(time_span(937_845_000_000), "1.02:03:04.5");
        assert_eq!(time_span(-1), "-00:00:00.0000001");
        assert_eq!(time_span(i64::MAX), "10675199.02:48:05.4775807");
        assert_eq!(time_span(i64::MIN), "-10675199.02:48:05.4775808");
    }
}
