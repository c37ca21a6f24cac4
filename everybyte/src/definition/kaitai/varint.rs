//! The types of variable-length numbers.

use crate::coding::Coding;

/// The seven-bit groups of a number's value.
const GROUPS: usize = 5;

/// Returns the fields and the value of a number.
pub(super) fn varint(coding: Coding) -> String {
    let (seq, values) = match coding {
        Coding::Ebml => (EBML.to_owned(), format!("  value:\n    value: >-\n{}", ebml())),
        Coding::Leb128 => (SEQ.to_owned(), value("value", &lowest_first())),
        Coding::Zigzag => {
            let raw = value("raw", &lowest_first());
            (SEQ.to_owned(), format!("{raw}  value:\n    value: 'raw % 2 == 0 ? raw / 2 : -(raw + 1) / 2'\n"))
        }
        Coding::Sleb128 => {
            let raw = value("raw", &lowest_first());
            let sign = "groups[groups.size - 1] & 0x40 == 0 ? raw : raw - (1 << (7 * groups.size))";
            (SEQ.to_owned(), format!("{raw}  value:\n    value: '{sign}'\n"))
        }
        Coding::Vlq => (SEQ.to_owned(), value("value", &highest_first(0))),
        Coding::Git => (SEQ.to_owned(), value("value", &highest_first(1))),
    };
    format!("doc: \"{}\"\n{seq}instances:\n{values}    doc: \"The number.\"\n", coding.words())
}

/// The groups of LEB128: the highest bit of each byte shows whether another byte follows.
const SEQ: &str = "seq:\n  - id: groups\n    type: u1\n    repeat: until\n    repeat-until: '_ & 0x80 == 0'\n";

/// The groups of EBML: the leading zeros of the first byte are the number of further bytes (RFC 8794, section 4).
const EBML: &str = "seq:\n  - id: first\n    type: u1\n  - id: groups\n    type: u1\n    repeat: expr\n    \
                    repeat-expr: 'first >= 128 ? 0 : first >= 64 ? 1 : first >= 32 ? 2 : first >= 16 ? 3 : first >= 8 ? 4 : first \
                    >= 4 ? 5 : first >= 2 ? 6 : 7'\n";

fn value(name: &str, sum: &str) -> String {
    format!("  {name}:\n    value: >-\n{sum}    # NOT EXACT: groups after the fifth, from 2^35 on, are not added\n")
}

/// Returns the sum of the groups, lowest first.
fn lowest_first() -> String {
    let first = "      (groups[0] & 0x7f)\n".to_owned();
    let further = (1..GROUPS).map(|place| {
        format!("      + (groups.size > {place} ? (groups[{place}] & 0x7f) * {} : 0)\n", 1_u64 << (7 * place))
    });
    std::iter::once(first).chain(further).collect()
}

/// Returns the sum of the groups, lowest last, plus `more` for each group except the last.
fn highest_first(more: u64) -> String {
    let first = "      (groups[groups.size - 1] & 0x7f)\n".to_owned();
    let further = (1..GROUPS).map(|place| {
        let more = if more == 0 { String::new() } else { format!(" + {more}") };
        let group = format!("((groups[groups.size - {}] & 0x7f){more})", place + 1);
        format!("      + (groups.size > {place} ? {group} * {} : 0)\n", 1_u64 << (7 * place))
    });
    std::iter::once(first).chain(further).collect()
}

/// Returns the number without the bits that state how many bytes follow. Up to seven bytes can follow.
fn ebml() -> String {
    let of = |length: usize| {
        let mask = 0x7F_u64 >> length;
        let first = format!("(first & {mask}) * {}", 1_u64 << (8 * length));
        let further = (0..length).map(|place| format!(" + groups[{place}] * {}", 1_u64 << (8 * (length - 1 - place))));
        std::iter::once(first).chain(further).collect::<String>()
    };
    let all = (0..7).map(|length| format!("      groups.size == {length} ? {} :\n", of(length)));
    all.chain(std::iter::once(format!("      {}\n", of(7)))).collect()
}
