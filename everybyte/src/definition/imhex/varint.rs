//! The types of variable-length numbers.

use crate::coding::Coding;

/// The bytes of a number that continues while the highest bit is set.
const GROUPS: &str = "    u8 groups[while ($ == addressof(this) || std::mem::read_unsigned($ - 1, 1) >= 0x80)];\n";

/// Returns the fields and the value of a number.
pub(super) fn varint(coding: Coding) -> String {
    let lowest_first = || sum("value | ((groups[place] & 0x7f) << (7 * place))");
    let body = match coding {
        Coding::Leb128 => format!("{GROUPS}    u128 value = 0 [[export]];\n{}", lowest_first()),
        Coding::Zigzag => {
            let value = "    s128 value = (raw >> 1) ^ -(raw & 1) [[export]];\n";
            format!("{GROUPS}    u128 raw = 0;\n{}{value}", lowest_first().replace("value", "raw"))
        }
        Coding::Sleb128 => {
            let sign = "    if (groups[place - 1] & 0x40) {\n        value = value - (1 << (7 * place));\n    }\n";
            format!("{GROUPS}    s128 value = 0 [[export]];\n{}{sign}", lowest_first())
        }
        Coding::Vlq => {
            format!("{GROUPS}    u128 value = 0 [[export]];\n{}", sum("(value << 7) | (groups[place] & 0x7f)"))
        }
        Coding::Git => {
            let further = "((value + (place > 0 ? 1 : 0)) << 7) | (groups[place] & 0x7f)";
            format!("{GROUPS}    u128 value = 0 [[export]];\n{}", sum(further))
        }
        Coding::Ebml => {
            let length = "    u8 first;\n    u8 length = 0;\n    while (length < 7 && ((first << length) & 0x80) == 0) {\n        \
                          length = length + 1;\n    }\n    u8 groups[length];\n";
            let value = "    u128 value = first & (0x7f >> length) [[export]];\n";
            let place = "    u8 place = 0;\n    while (place < length) {\n        value = (value << 8) | groups[place];\n        \
                         place = place + 1;\n    }\n";
            format!("{length}{value}{place}")
        }
    };
    format!("    // {}\n{body}", coding.words())
}

/// Returns a loop over all groups; each group yields a new value.
fn sum(value: &str) -> String {
    format!(
        "    u8 place = 0;\n    while (place < sizeof(groups)) {{\n        value = {value};\n        place = place + 1;\n    }}\n"
    )
}
