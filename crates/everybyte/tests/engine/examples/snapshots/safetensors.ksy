# Made from the declaration with which such files are read; not to be edited.
meta:
  id: safetensors
  title: "safetensors"
  endian: le
  bit-endian: le
# NOT EXACT: parameters stand for expressions that have no translation, and nobody gives their values.
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
    size: "length"
  - id: directory_mark
    size: 0
    if: directory_end >= 0
  # tensors: NOT EXACT: their offsets are those of a list that a function gives; they are not placed here
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
