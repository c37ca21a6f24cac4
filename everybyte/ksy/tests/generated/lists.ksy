meta: {id: lists, encoding: ASCII, endian: le}
seq:
  - {id: count, type: u1}
  - {id: pairs, type: pair, repeat: expr, repeat-expr: count}
  - {id: numbers, type: u2, repeat: expr, repeat-expr: count * 2}
  - {id: names, type: strz, repeat: expr, repeat-expr: 2}
  - {id: bounded, type: pair, size: 3, repeat: expr, repeat-expr: 2}
  - {id: sized, type: pair, size: count, repeat: expr, repeat-expr: 1, if: count > 3}
  - {id: until, type: pair, repeat: until, repeat-until: _.a == 0}
  - {id: bytes, type: u1, repeat: until, repeat-until: _ > 99}
  - {id: keys, size: 2, repeat: eos}
types:
  pair:
    seq:
      - {id: a, type: u1}
      - {id: b, type: u2}
