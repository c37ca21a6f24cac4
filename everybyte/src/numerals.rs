//! Formats numbers for human readers.

/// Formats a number with its digits in groups of three: `60,000`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a number of things: `1 file`, `2,000 files`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Groups the digits of the longer integers in a string. Parts of words, fractions, dates and escapes are not changed.
pub fn with_groups(text: &str) -> String {
    let mut grouped_text = String::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let in_word = before.is_alphanumeric() || matches!(before, '.' | '_' | '{');
        let after = rest[digits..].chars().next().unwrap_or(' ');
        let is_year = matches!(rest.as_bytes()[digits..], [b'-', b'0'..=b'1', b'0'..=b'9', b'-', ..]);
        let (taken, shown) = match rest[..digits].parse::<u128>() {
            Ok(number) if digits > 3 && letter != '0' && !in_word && !is_year && !after.is_alphabetic() => {
                (digits, grouped(number))
            }
            _ if digits > 0 => (digits, rest[..digits].to_owned()),
            _ => (letter.len_utf8(), letter.to_string()),
        };
        before = rest[..taken].chars().next_back().unwrap_or(' ');
        grouped_text.push_str(&shown);
        rest = &rest[taken..];
    }
    grouped_text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_are_grouped_from_the_right() {
        let texts = [0_u64, 999, 1000, 12_345_678].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345,678"]);
    }
}
