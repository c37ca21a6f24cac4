//! NumPy's time units, in every spelling that it accepts.

use crate::types::datetime::{DateUnit, TimeUnit};

/// Units, and the smaller units that they are divided into, starting with the largest. Here, a month has 30 days and a year 365.
const PARTS: [(DateUnit, &[(DateUnit, i64)]); 12] = [
    (DateUnit::Year, &[(DateUnit::Month, 12), (DateUnit::Week, 52), (DateUnit::Day, 365)]),
    (DateUnit::Month, &[(DateUnit::Week, 4), (DateUnit::Day, 30), (DateUnit::Hour, 720)]),
    (DateUnit::Week, &[(DateUnit::Day, 7), (DateUnit::Hour, 168), (DateUnit::Minute, 10_080)]),
    (DateUnit::Day, &[(DateUnit::Hour, 24), (DateUnit::Minute, 1440), (DateUnit::Second, 86_400)]),
    (DateUnit::Hour, &[(DateUnit::Minute, 60), (DateUnit::Second, 3600)]),
    (DateUnit::Minute, &[(DateUnit::Second, 60), (DateUnit::Millisecond, 60_000)]),
    (DateUnit::Second, &[(DateUnit::Millisecond, 1000), (DateUnit::Microsecond, 1_000_000)]),
    (DateUnit::Millisecond, &[(DateUnit::Microsecond, 1000), (DateUnit::Nanosecond, 1_000_000)]),
    (DateUnit::Microsecond, &[(DateUnit::Nanosecond, 1000), (DateUnit::Picosecond, 1_000_000)]),
    (DateUnit::Nanosecond, &[(DateUnit::Picosecond, 1000), (DateUnit::Femtosecond, 1_000_000)]),
    (DateUnit::Picosecond, &[(DateUnit::Femtosecond, 1000), (DateUnit::Attosecond, 1_000_000)]),
    (DateUnit::Femtosecond, &[(DateUnit::Attosecond, 1000)]),
];

/// The characters that C treats as white space.
pub const SPACES: [char; 6] = [' ', '\t', '\n', '\x0b', '\x0c', '\r'];

/// Parses an integer at the start of a string, as C does. Also returns the rest of the string; `None` if there is no integer.
pub fn integer(text: &str) -> Option<(i64, &str)> {
    let unsigned = text.trim_start_matches(SPACES);
    let (sign, digits) = match unsigned.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, unsigned.strip_prefix('+').unwrap_or(unsigned)),
    };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = digits.split_at(length);
    let number: i64 = if digits.is_empty() { return None } else { digits.parse().unwrap_or(i64::MAX) };
    Some((sign * number, rest))
}

/// Parses a step such as `[25s]` or `[D/24]`; `None` if NumPy would not accept it.
pub fn step(text: &str) -> Option<TimeUnit> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let (number, inner) = integer(inner).unwrap_or((1, inner));
    let number = i32::try_from(number).ok().filter(|number| *number >= 0)?;
    let (name, divisor) = match inner.split_once('/') {
        None => (inner, 1),
        Some((name, divisor)) => match integer(divisor)? {
            // NumPy truncates it to 32 bits. If it is then zero, NumPy divides by it and crashes.
            (divisor, "") => (name, divisor as i32),
            _ => return None,
        },
    };
    let TimeUnit { unit, count: 1 } = format!("[{name}]").parse().ok().filter(|_| !name.is_empty())? else {
        return None;
    };
    if divisor == 1 {
        let count = if unit == DateUnit::Generic { 1 } else { number.unsigned_abs() };
        return Some(TimeUnit { unit, count });
    }
    let divisor = i64::from(divisor);
    let parts = PARTS.iter().find(|(parted, _)| *parted == unit)?.1;
    let (unit, parts) = *parts.iter().find(|(_, parts)| divisor > 0 && parts % divisor == 0)?;
    let count =
        u32::try_from(i64::from(number) * (parts / divisor)).ok().filter(|count| i32::try_from(*count).is_ok())?;
    Some(TimeUnit { unit, count })
}
