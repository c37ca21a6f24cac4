meta:
  id: choices
  bit-endian: le
seq:
  - {id: mark, type: u1}
  - {id: flags, type: b3}
  - {id: width, type: b13}
  - {id: parts, type: part, repeat: until, repeat-until: _.kind == kinds::end or _io.eof}
types:
  part:
    meta:
      endian: {switch-on: _root.mark, cases: {0x49: le, 0x4d: be, _: le}}
    seq:
      - {id: kind, type: u1, enum: kinds}
      - {id: length, type: u2}
      - id: body
        size: length * 2
        type: {switch-on: kind, cases: {'kinds::numbers': numbers, 'kinds::nested': part}}
  numbers:
    seq:
      - {id: list, type: f4be, repeat: eos, valid: {max: 1000}}
    instances:
      greatest: {value: list.max, if: list.size > 0}
enums:
  kinds: {0: end, 1: numbers, 2: nested}
