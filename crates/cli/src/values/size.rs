//! Numbers of bytes.

/// Parses a number of bytes, optionally with a fraction, and with `K`, `M`, `G` or `T` for powers of 1024: `1.5G`, `512MiB`.
pub fn number_of_bytes(text: &str) -> Result<u64, String> {
    let unexpected = || "expected a number of bytes, such as 1048576, 64M, 1.5G or 2GiB".to_owned();
    let letters = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..letters].trim_end(), text[letters..].to_ascii_uppercase());
    let shift = match unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        letter => 10 * (1 + ["K", "M", "G", "T"].iter().position(|known| *known == letter).ok_or_else(unexpected)?),
    };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return Err(unexpected());
    }
    if !number.contains('.') {
        let number: u64 = number.parse().map_err(|_| "too many bytes")?;
        return number.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into());
    }
    let number: f64 = number.parse().map_err(|_| unexpected())?;
    let bytes = (number * (1_u64 << shift) as f64).round();
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err("too many bytes".into()) }
}
