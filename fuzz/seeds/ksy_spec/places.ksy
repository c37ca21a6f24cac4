meta:
  id: places
  endian: le
seq:
  - id: header
    type: header
instances:
  entries:
    pos: header.at
    type: entry(_index)
    repeat: expr
    repeat-expr: header.count
  last:
    io: _root._io
    pos: _io.size - 1
    type: u1
    if: _io.size > 0
types:
  header:
    seq:
      - {id: at, type: u4}
      - {id: count, type: u2}
  entry:
    params:
      - {id: number, type: u4}
    seq:
      - {id: offset, type: u4}
      - {id: length, type: u2}
    instances:
      body:
        pos: offset
        size: length
        process: xor(0x5a)
        type: body
        if: offset != 0
      is_first:
        value: number == 0
  body:
    seq:
      - {id: all, size-eos: true}
      - {id: rest, size: 0, if: _parent.is_first}
