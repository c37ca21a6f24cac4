# Not whole: 5 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: gguf
  title: "GGUF"
  endian: le
  bit-endian: le
doc: "Facts, the directory of tensors, and the tensors."
params:
  - id: data_alignment
    type: u8
    doc: "An expression of the declaration: `alignment`"
  - id: data_length
    type: u8
    doc: "An expression of the declaration: `tensor.extents.iter().product::<u64>() / tensor.element.block() * tensor.element.bytes()`"
seq:
  - id: magic
    contents: [0x47, 0x47, 0x55, 0x46]
    doc: "Fixed: identifies this structure."
  - id: version
    type: u4
    -role: "steady"
  - id: tensor_count
    type: u8
    -role: "counts tensors"
  - id: fact_count
    type: u8
    -role: "counts facts"
  - id: facts
    type: "fact"
    repeat: expr
    repeat-expr: "fact_count"
  - id: tensors
    type: "tensor"
    repeat: expr
    repeat-expr: "tensor_count"
  # NOT EXACT: the value of `alignment` is `facts.iter().find_map(| fact | match(fact.key.text.bytes(), &fact.value) { (b"general.alignment", Value::U32 { value : value @ 1 .. }) => Some(u64::from(*value)), _ => None, }).unwrap_or(32)`
  # NOT EXACT: 32 is used for `alignment`, at a multiple of which it ends
  - id: padding
    size: (-_io.pos) % 32
  - id: padding_mark
    size: 0
    if: padding_end >= 0
  # NOT EXACT: `data_alignment` is a parameter in place of `alignment`
  # NOT EXACT: `data_length` is a parameter in place of `tensor.extents.iter().product::<u64>() / tensor.element.block() * tensor.element.bytes()`
  - id: data
    type: "data_at(padding_end + tensors[_index].offset, data_alignment, data_length)"
    repeat: expr
    repeat-expr: "tensors.size"
instances:
  padding_end:
    value: _io.pos
types:
  fact:
    doc: "A name, and what it stands for."
    seq:
      - id: key
        type: "string64"
      - id: kind
        type: u4
        enum: kind
        valid:
          in-enum: true
        -role: "steady"
      - id: value
        type: "value(kind)"
  string64:
    doc: "A text and its length."
    seq:
      - id: length
        type: u8
        -role: "counts text"
      - id: text
        type: str
        encoding: UTF-8
        size: "length"
        -role: "fact"
  value:
    doc: "A value of a type that stands before it."
    params:
      - id: kind
        type: u8
        enum: kind
    seq:
      - id: value_u8
        type: "value_u8(kind)"
        if: "(kind == kind::u8)"
      - id: value_i8
        type: "value_i8(kind)"
        if: "(kind == kind::i8)"
      - id: value_u16
        type: "value_u16(kind)"
        if: "(kind == kind::u16)"
      - id: value_i16
        type: "value_i16(kind)"
        if: "(kind == kind::i16)"
      - id: value_u32
        type: "value_u32(kind)"
        if: "(kind == kind::u32)"
      - id: value_i32
        type: "value_i32(kind)"
        if: "(kind == kind::i32)"
      - id: value_f32
        type: "value_f32(kind)"
        if: "(kind == kind::f32)"
      - id: value_bool
        type: "value_bool(kind)"
        if: "(kind == kind::bool)"
      - id: value_string
        type: "value_string(kind)"
        if: "(kind == kind::string)"
      - id: value_array
        type: "value_array(kind)"
        if: "(kind == kind::array)"
      - id: value_u64
        type: "value_u64(kind)"
        if: "(kind == kind::u64)"
      - id: value_i64
        type: "value_i64(kind)"
        if: "(kind == kind::i64)"
      - id: value_f64
        type: "value_f64(kind)"
        if: "(kind == kind::f64)"
    types:
      value_u8:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: u1
            -role: "fact"
      value_i8:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: s1
            -role: "fact"
      value_u16:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: u2
            -role: "fact"
      value_i16:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: s2
            -role: "fact"
      value_u32:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: u4
            -role: "fact"
      value_i32:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: s4
            -role: "fact"
      value_f32:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: f4
            -role: "fact"
      value_bool:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: u1
      value_string:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: "string64"
      value_array:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: item_kind
            type: u4
            enum: kind
            valid:
              in-enum: true
            -role: "steady"
          - id: count
            type: u8
            -role: "counts items"
          - id: items
            type: "value(item_kind)"
            repeat: expr
            repeat-expr: "count"
      value_u64:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: u8
            -role: "fact"
      value_i64:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: s8
            -role: "fact"
      value_f64:
        params:
          - id: kind
            type: u8
            enum: kind
        seq:
          - id: value
            type: f8
            -role: "fact"
  tensor:
    doc: "An entry of the directory."
    seq:
      - id: name
        type: "string64"
      - id: rank
        type: u4
        -role: "counts extents"
      - id: extents
        type: u8
        repeat: expr
        repeat-expr: "rank"
        -role: "steady"
      - id: element
        type: u4
        enum: element
        -role: "steady"
      - id: offset
        type: u8
        doc: "From the beginning of the data."
        -role: "place of data after padding"
  data:
    doc: "The elements of a tensor."
    params:
      - id: alignment
        type: u8
      - id: length
        type: u8
    seq:
      - id: elements
        size: "length"
        -role: "payload"
      # NOT EXACT: 32 is used for `alignment`, at a multiple of which it ends
      - id: padding
        size: (-_io.pos) % 32
  data_at:
    params:
      - id: pos
        type: u8
      - id: element_alignment
        type: u8
      - id: element_length
        type: u8
    instances:
      value:
        pos: pos
        type: "data(element_alignment, element_length)"
enums:
  kind:
    0:
      id: u8
    1:
      id: i8
    2:
      id: u16
    3:
      id: i16
    4:
      id: u32
    5:
      id: i32
    6:
      id: f32
    7:
      id: bool
    8:
      id: string
    9:
      id: array
    10:
      id: u64
    11:
      id: i64
    12:
      id: f64
  element:
    0:
      id: f32
      doc: "Single precision."
    1:
      id: f16
      doc: "Half precision."
    2:
      id: q4_0
      doc: "4 bits each, and a scale for the block."
    3:
      id: q4_1
      doc: "4 bits each, a scale and an offset for the block."
    6:
      id: q5_0
      doc: "5 bits each, and a scale for the block."
    7:
      id: q5_1
      doc: "5 bits each, a scale and an offset for the block."
    8:
      id: q8_0
      doc: "8 bits each, and a scale for the block."
    24:
      id: i8
      doc: "Whole numbers."
    25:
      id: i16
      doc: "Whole numbers."
    26:
      id: i32
      doc: "Whole numbers."
    27:
      id: i64
      doc: "Whole numbers."
    28:
      id: f64
      doc: "Double precision."
    30:
      id: bf16
      doc: "The upper half of single precision."
