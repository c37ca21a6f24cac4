//! Rules that never come alone.

/// Rules that bring a second finding with them by their nature, the rule that they come with, and why.
pub const NEVER_ALONE: [(&str, &str, &str); 5] = [
    ("rawarray/bad-encoding", "rawarray/encoded", "there must be an encoding before it can be wrong"),
    ("rawarray/overlong-leb128", "rawarray/encoded", "there must be an encoding before it can be wrong"),
    ("rawarray/bit-padding", "rawarray/bit-array", "only a BitArray has padding"),
    ("rawarray/bool-value", "rawarray/disputed-type", "only Bool, which is disputed, has forbidden values"),
    ("idv/slot-names", "idv/old-version", "only version 1.1.1.3 has slot names of this kind"),
];

/// Returns whether a rule comes with another one by its nature.
pub(super) fn comes_with(rule: &str, other: &str) -> bool {
    NEVER_ALONE.iter().any(|(one, two, _)| (*one, *two) == (rule, other))
}
