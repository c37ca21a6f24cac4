meta: {id: nested, endian: be}
seq:
  - {id: kind, type: u1}
  - id: content
    type: {switch-on: kind, cases: {1: nested, 2: list}}
types:
  list:
    seq:
      - {id: count, type: u1}
      - {id: items, type: nested, repeat: expr, repeat-expr: count}
