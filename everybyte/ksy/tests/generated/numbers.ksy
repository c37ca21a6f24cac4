meta: {id: numbers, title: Numbers of all types, license: CC0-1.0, endian: le}
doc: |
  Numbers, each once.

  Of 8, 16, 32 and 64 bits.
seq:
  - {id: a, type: u1, doc: The first one.}
  - {id: b, type: s1}
  - {id: c, type: u2}
  - {id: d, type: s2be}
  - {id: e, type: u4be}
  - {id: f, type: s4}
  - {id: g, type: u8}
  - {id: h, type: s8be}
  - {id: i, type: f4}
  - {id: j, type: f8be}
  - {id: type, type: u1}
