meta:
  id: packets
  title: Packets of words
  license: CC0-1.0
  endian: be
seq:
  - id: magic
    contents: PK1
  - id: count
    type: u1
  - id: packets
    type: packet
    repeat: expr
    repeat-expr: count
types:
  packet:
    seq:
      - id: kind
        type: u1
        enum: kinds
        valid:
          in-enum: true
      - id: length
        type: u2
        doc: Bytes of the packet, with the three before its text.
      - id: text
        type: str
        size: length - 3
        encoding: UTF-8
      - id: sum
        type: u4
        -check: crc32(kind..text)
enums:
  kinds:
    1: greeting
    2: farewell
