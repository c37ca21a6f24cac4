//! The type of numbers in groups of seven bits.

/// Numbers of up to ten groups of seven bits.
pub(super) const LEB128: &str =
    "doc: \"Seven bits a byte, the lowest first; the highest bit says that another byte follows.\"
seq:
  - id: groups
    type: u1
    repeat: until
    repeat-until: '_ & 0x80 == 0'
instances:
  value:
    value: >-
      (groups[0] & 0x7f)
      + (groups.size > 1 ? (groups[1] & 0x7f) * 128 : 0)
      + (groups.size > 2 ? (groups[2] & 0x7f) * 16384 : 0)
      + (groups.size > 3 ? (groups[3] & 0x7f) * 2097152 : 0)
      + (groups.size > 4 ? (groups[4] & 0x7f) * 268435456 : 0)
    # NOT EXACT: groups after the fifth, from 2^35 on, are not added
    doc: \"The number.\"
";
