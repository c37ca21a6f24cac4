//! Rules that cannot be violated in isolation.

/// Rules that can be violated only together with another rule, that rule, and the reason.
pub const NEVER_ALONE: [(&str, &str, &str); 5] = [
    ("rawarray/bad-encoding", "rawarray/encoded", "there must be an encoding before it can be wrong"),
    ("rawarray/overlong-leb128", "rawarray/encoded", "there must be an encoding before it can be wrong"),
    ("rawarray/bit-padding", "rawarray/bit-array", "only a BitArray has padding"),
    ("rawarray/bool-value", "rawarray/disputed-type", "only Bool, which is disputed, has forbidden values"),
    ("idv/slot-names", "idv/old-version", "only version 1.1.1.3 has slot names of this kind"),
];

/// Returns whether a rule is always violated together with another one.
pub(super) fn comes_with(rule: &str, other: &str) -> bool {
    NEVER_ALONE.iter().any(|(one, two, _)| (*one, *two) == (rule, other))
}
