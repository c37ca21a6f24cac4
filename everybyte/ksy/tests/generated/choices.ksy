meta: {id: choices, endian: le, encoding: ASCII}
seq:
  - {id: chunks, type: chunk, repeat: until, repeat-until: _.kind == 0}
  - {id: tag, type: str, size: 2}
  - id: value
    type: {switch-on: tag, cases: {'"u1"': u1, '"u4"': u4, '"nm"': strz}}
  - id: mixed
    size: 4
    type: {switch-on: tag, cases: {'"u1"': u1, '"pt"': point}}
types:
  chunk:
    seq:
      - {id: kind, type: u1}
      - {id: length, type: u1}
      - id: body
        size: length
        type:
          switch-on: kind
          cases:
            1: point
            2: point
            3: named(length)
  point:
    seq:
      - {id: x, type: u1}
      - {id: y, type: u1}
  named:
    params:
      - {id: length, type: u1}
    seq:
      - {id: first, type: u1}
      - {id: name, type: str, size: length - 1}
