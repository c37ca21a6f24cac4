meta:
  id: idx
  title: IDX, the n-dimensional arrays of the MNIST data set
  license: CC0-1.0
  ks-version: 0.11
  endian: be
doc: |
  One array, everything big-endian, last axis fastest. There is no version, no checksum and no padding: the header
  gives the exact length of the file.
seq:
  - id: zero
    contents: [0, 0]
    doc: The two bytes that every IDX file begins with.
  - id: element_type
    type: u1
    enum: element_type
    valid:
      in-enum: true
  - id: ndim
    type: u1
    doc: 0 is a scalar.
  - id: dims
    type: 'dim(_index == 0 ? 1 : dims[_index - 1].elements)'
    repeat: expr
    repeat-expr: ndim
  - id: payload
    size: count * element_size
instances:
  count:
    value: 'ndim == 0 ? 1 : dims[ndim - 1].elements'
    doc: Number of elements.
  element_size:
    value: >-
      element_type == element_type::f64 ? 8
      : element_type == element_type::i32 or element_type == element_type::f32 ? 4
      : element_type == element_type::i16 ? 2
      : 1
types:
  dim:
    params:
      - id: elements_before
        type: u8
        doc: Product of the extents before this one.
    seq:
      - id: extent
        type: u4
    instances:
      elements:
        value: elements_before * extent
        doc: Product of the extents up to here.
enums:
  element_type:
    0x08: u8
    0x09: i8
    0x0b: i16
    0x0c: i32
    0x0d: f32
    0x0e: f64
