# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: msgpack
  title: "MessagePack"
  endian: be
  bit-endian: le
doc: "Values, one after the other."
seq:
  - id: values
    type: "value"
    repeat: eos
types:
  value:
    doc: "A tag, and what follows it. \"Overview\": a table of all tags."
    seq:
      - id: tag
        type: u1
        doc: "With a small number, or a small length."
        -role: "steady"
      - id: body
        type: "body(tag)"
  body:
    doc: "The content of a value."
    params:
      - id: tag
        type: u1
    seq:
      - id: body_small
        type: "body_small(tag)"
        if: "(((tag >= 0) and (tag <= 127)) or ((tag >= 224) and (tag <= 255)))"
        doc: "\"int format family\": 0 to 127, and -32 to -1."
      - id: body_small_map
        type: "body_small_map(tag)"
        if: "((tag >= 128) and (tag <= 143))"
        doc: "\"map format family\": up to 15 pairs."
      - id: body_small_array
        type: "body_small_array(tag)"
        if: "((tag >= 144) and (tag <= 159))"
        doc: "\"array format family\": up to 15 values."
      - id: body_small_text
        type: "body_small_text(tag)"
        if: "((tag >= 160) and (tag <= 191))"
        doc: "\"str format family\": up to 31 bytes."
      - id: body_constant
        type: "body_constant(tag)"
        if: "(((tag == 192) or (tag == 194)) or (tag == 195))"
        doc: "\"nil format\" and \"bool format family\"."
      - id: body_bin8
        type: "body_bin8(tag)"
        if: "(tag == 196)"
        doc: "\"bin format family\"."
      - id: body_bin16
        type: "body_bin16(tag)"
        if: "(tag == 197)"
      - id: body_bin32
        type: "body_bin32(tag)"
        if: "(tag == 198)"
      - id: body_ext8
        type: "body_ext8(tag)"
        if: "(tag == 199)"
        doc: "\"ext format family\"."
      - id: body_ext16
        type: "body_ext16(tag)"
        if: "(tag == 200)"
      - id: body_ext32
        type: "body_ext32(tag)"
        if: "(tag == 201)"
      - id: body_f32
        type: "body_f32(tag)"
        if: "(tag == 202)"
        doc: "\"float format family\"."
      - id: body_f64
        type: "body_f64(tag)"
        if: "(tag == 203)"
      - id: body_u8
        type: "body_u8(tag)"
        if: "(tag == 204)"
      - id: body_u16
        type: "body_u16(tag)"
        if: "(tag == 205)"
      - id: body_u32
        type: "body_u32(tag)"
        if: "(tag == 206)"
      - id: body_u64
        type: "body_u64(tag)"
        if: "(tag == 207)"
      - id: body_i8
        type: "body_i8(tag)"
        if: "(tag == 208)"
      - id: body_i16
        type: "body_i16(tag)"
        if: "(tag == 209)"
      - id: body_i32
        type: "body_i32(tag)"
        if: "(tag == 210)"
      - id: body_i64
        type: "body_i64(tag)"
        if: "(tag == 211)"
      - id: body_small_ext
        type: "body_small_ext(tag)"
        if: "((tag >= 212) and (tag <= 216))"
        doc: "1, 2, 4, 8 or 16 bytes."
      - id: body_text8
        type: "body_text8(tag)"
        if: "(tag == 217)"
      - id: body_text16
        type: "body_text16(tag)"
        if: "(tag == 218)"
      - id: body_text32
        type: "body_text32(tag)"
        if: "(tag == 219)"
      - id: body_array16
        type: "body_array16(tag)"
        if: "(tag == 220)"
      - id: body_array32
        type: "body_array32(tag)"
        if: "(tag == 221)"
      - id: body_map16
        type: "body_map16(tag)"
        if: "(tag == 222)"
      - id: body_map32
        type: "body_map32(tag)"
        if: "(tag == 223)"
    types:
      body_small:
        params:
          - id: tag
            type: u1
        seq: []
      body_small_map:
        params:
          - id: tag
            type: u1
        seq:
          - id: pairs
            type: "pair"
            repeat: expr
            repeat-expr: "(tag & 15)"
      body_small_array:
        params:
          - id: tag
            type: u1
        seq:
          - id: items
            type: "value"
            repeat: expr
            repeat-expr: "(tag & 15)"
      body_small_text:
        params:
          - id: tag
            type: u1
        seq:
          - id: text
            type: str
            encoding: UTF-8
            size: "(tag & 31)"
            -role: "fact"
      body_constant:
        params:
          - id: tag
            type: u1
        seq: []
      body_bin8:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u1
            -role: "counts bytes"
          - id: bytes
            size: "length"
      body_bin16:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u2
            -role: "counts bytes"
          - id: bytes
            size: "length"
      body_bin32:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u4
            -role: "counts bytes"
          - id: bytes
            size: "length"
      body_ext8:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u1
            -role: "counts bytes"
          - id: kind
            type: s1
            enum: extension
            -role: "fact"
          - id: bytes
            size: "length"
      body_ext16:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u2
            -role: "counts bytes"
          - id: kind
            type: s1
            enum: extension
            -role: "fact"
          - id: bytes
            size: "length"
      body_ext32:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u4
            -role: "counts bytes"
          - id: kind
            type: s1
            enum: extension
            -role: "fact"
          - id: bytes
            size: "length"
      body_f32:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: f4
            -role: "fact"
      body_f64:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: f8
            -role: "fact"
      body_u8:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: u1
            -role: "fact"
      body_u16:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: u2
            -role: "fact"
      body_u32:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: u4
            -role: "fact"
      body_u64:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: u8
            -role: "fact"
      body_i8:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: s1
            -role: "fact"
      body_i16:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: s2
            -role: "fact"
      body_i32:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: s4
            -role: "fact"
      body_i64:
        params:
          - id: tag
            type: u1
        seq:
          - id: number
            type: s8
            -role: "fact"
      body_small_ext:
        params:
          - id: tag
            type: u1
        seq:
          - id: kind
            type: s1
            enum: extension
            -role: "fact"
          - id: bytes
            size: "(1 << (tag - 212))"
      body_text8:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u1
            -role: "counts text"
          - id: text
            type: str
            encoding: UTF-8
            size: "length"
            -role: "fact"
      body_text16:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u2
            -role: "counts text"
          - id: text
            type: str
            encoding: UTF-8
            size: "length"
            -role: "fact"
      body_text32:
        params:
          - id: tag
            type: u1
        seq:
          - id: length
            type: u4
            -role: "counts text"
          - id: text
            type: str
            encoding: UTF-8
            size: "length"
            -role: "fact"
      body_array16:
        params:
          - id: tag
            type: u1
        seq:
          - id: count
            type: u2
            -role: "counts items"
          - id: items
            type: "value"
            repeat: expr
            repeat-expr: "count"
      body_array32:
        params:
          - id: tag
            type: u1
        seq:
          - id: count
            type: u4
            -role: "counts items"
          - id: items
            type: "value"
            repeat: expr
            repeat-expr: "count"
      body_map16:
        params:
          - id: tag
            type: u1
        seq:
          - id: count
            type: u2
            -role: "counts pairs"
          - id: pairs
            type: "pair"
            repeat: expr
            repeat-expr: "count"
      body_map32:
        params:
          - id: tag
            type: u1
        seq:
          - id: count
            type: u4
            -role: "counts pairs"
          - id: pairs
            type: "pair"
            repeat: expr
            repeat-expr: "count"
  pair:
    doc: "A key, and what it stands for."
    seq:
      - id: key
        type: "value"
      - id: value
        type: "value"
enums:
  extension:
    -1:
      id: timestamp
      doc: "Seconds since 1970, with nanoseconds if there are 8 or 12 bytes. \"Timestamp extension type\"."
