meta: {id: values, endian: le, encoding: ASCII}
seq:
  - {id: a, type: u1}
  - {id: b, type: s1}
  - {id: digits, type: str, size: 2}
  - {id: share, type: f4}
  - {id: half, size: a / 2}
  - {id: quarter, size: (b + 128) / 4 % 3}
  - {id: masked, size: (a & 3) | 1 << 1}
  - {id: optional, type: u1, if: a > 4 and not (b == 0 or a == 7)}
  - {id: more, size: optional % 4, if: a > 4 and not (b == 0 or a == 7)}
  - {id: parsed, size: digits.to_i, if: digits == "12"}
  - {id: padding, size: -total % 4}
  - {id: pair, type: pair}
  - {id: last, size: pair.sum % 5}
instances:
  total: {value: a + half.length + 2}
types:
  pair:
    seq:
      - {id: x, type: u1}
      - {id: y, type: u1}
    instances:
      sum: {value: x + y * 2}
