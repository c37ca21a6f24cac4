# Not whole: 3 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: safetensors
  title: "safetensors"
  endian: le
  bit-endian: le
doc: "A directory in JSON, and the tensors."
params:
  - id: tensors_offset
    type: u8
    doc: "An expression of the declaration: `entry.data_offsets [0]`"
  - id: tensors_size
    type: u8
    doc: "An expression of the declaration: `entry.data_offsets [1] - entry.data_offsets [0]`"
seq:
  - id: length
    type: u8
    -role: "counts directory"
  - id: directory
    type: str
    encoding: UTF-8
    size: "length"
  - id: directory_mark
    size: 0
    if: directory_end >= 0
  # NOT EXACT: `tensors_offset` is a parameter in place of `entry.data_offsets [0]`
  # NOT EXACT: `tensors_size` is a parameter in place of `entry.data_offsets [1] - entry.data_offsets [0]`
  # NOT EXACT: the elements of `tensors` are omitted: their offsets are those of a list that a function gives
instances:
  directory_end:
    value: _io.pos
types:
  tensor:
    doc: "The elements of a tensor."
    seq:
      - id: elements
        size-eos: true
        -role: "payload"
