meta: {id: bits, endian: be}
seq:
  - {id: version, type: b3}
  - {id: is_long, type: b1}
  - {id: size, type: b4}
  - {id: between, type: u1}
  - {id: first, type: b5}
  - {id: second, type: b6}
  - {id: body, size: size, if: is_long}
  - {id: wide, type: b24}
  - {id: low, type: lowest}
types:
  lowest:
    meta: {bit-endian: le}
    seq:
      - {id: a, type: b1}
      - {id: b, type: b30}
      - {id: c, type: b1}
