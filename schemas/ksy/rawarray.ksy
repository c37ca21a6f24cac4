meta:
  id: rawarray
  title: RawArray
  file-extension: ra
  license: CC0-1.0
  ks-version: 0.11
doc: |
  One array behind a header of 64-bit words, first axis fastest. The words are little-endian; where C or Julia wrote
  them on a big-endian host the whole file is reversed, and shows it by its magic.
seq:
  - id: magic
    size: 8
    valid:
      any-of:
        - '[0x72, 0x61, 0x77, 0x61, 0x72, 0x72, 0x61, 0x79]'
        - '[0x79, 0x61, 0x72, 0x72, 0x61, 0x77, 0x61, 0x72]'
    doc: '"rawarray", or "yarrawar" from a big-endian host.'
  - id: words
    type: words
types:
  words:
    meta:
      endian:
        switch-on: _root.magic
        cases:
          '[0x72, 0x61, 0x77, 0x61, 0x72, 0x72, 0x61, 0x79]': le
          '[0x79, 0x61, 0x72, 0x72, 0x61, 0x77, 0x61, 0x72]': be
    seq:
      - id: flags
        type: u8
        valid:
          max: 7
        doc: Bit 0 says that the elements are big-endian, bit 1 that they are encoded, bit 2 that each is one bit.
      - id: eltype
        type: u8
        enum: eltype
        valid:
          in-enum: true
      - id: elbyte
        type: u8
        valid:
          min: 1
      - id: size
        type: u8
      - id: ndims
        type: u8
      - id: dims
        type: 'dim(_index == 0 ? 1 : dims[_index - 1].elements)'
        repeat: expr
        repeat-expr: ndims
      - id: data
        type:
          switch-on: is_leb128
          cases:
            true: leb128_numbers(count)
            false: bytes(size)
      - id: metadata
        size-eos: true
        doc: Free-form.
    instances:
      is_encoded:
        value: flags & 2 != 0
      is_bits:
        value: flags & 4 != 0
      count:
        value: 'ndims == 0 ? 1 : dims[ndims - 1].elements'
        doc: Number of elements.
      has_decoded_size:
        value: is_encoded and not is_bits and size == count * elbyte
        doc: Julia leaves `size` at the length before encoding; the C program's LZ4 blocks give their own length.
      is_leb128:
        value: >-
          has_decoded_size
          and (eltype == eltype::signed or eltype == eltype::unsigned or eltype == eltype::disputed)
        doc: Julia sets the flag for floats too, and stores them as they are.
    types:
      dim:
        params:
          - id: elements_before
            type: u8
            doc: Product of the extents before this one.
        seq:
          - id: extent
            type: u8
        instances:
          elements:
            value: elements_before * extent
            doc: Product of the extents up to here.
      bytes:
        params:
          - id: length
            type: u8
        seq:
          - id: content
            size: length
      leb128_numbers:
        params:
          - id: count
            type: u8
        seq:
          - id: numbers
            type: leb128
            repeat: expr
            repeat-expr: count
      leb128:
        doc: Seven bits a byte, the lowest first; the highest bit says that another byte follows.
        seq:
          - id: groups
            type: u1
            repeat: until
            repeat-until: _ & 0x80 == 0
enums:
  eltype:
    0: record
    1: signed
    2: unsigned
    3: float
    4: complex
    5: disputed
