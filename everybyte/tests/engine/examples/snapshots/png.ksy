# Not whole: 1 place, marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: png
  title: "PNG"
  endian: be
  bit-endian: le
doc: "A picture."
seq:
  - id: magic
    contents: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    doc: "Fixed: identifies this structure."
  - id: header
    type: "header_chunk"
  # NOT EXACT: the pieces in it are zlib, and unpack together into `rows`, which has parameters
  - id: chunks
    type: "chunk"
    repeat: until
    repeat-until: "(_.kind == [0x49, 0x45, 0x4e, 0x44])"
    doc: "The last chunk is the end."
types:
  header_chunk:
    meta:
      endian: be
    doc: "The first chunk."
    seq:
      - id: length
        type: u4
        doc: "Bytes of the body."
        -role: "extent of body"
      - id: kind
        type: "header_kind"
      - id: body
        type: "header"
        size: "length"
      - id: crc
        type: u4
        doc: "CRC-32 of the kind and the body."
        -role: "check of kind..body"
  header_kind:
    doc: "The kind of the first chunk."
    seq:
      - id: magic
        contents: [0x49, 0x48, 0x44, 0x52]
        doc: "Fixed: identifies this structure."
  header:
    meta:
      endian: be
    doc: "The header."
    seq:
      - id: width
        type: u4
        -role: "fact"
      - id: height
        type: u4
        -role: "fact"
      - id: depth
        type: u1
        doc: "Bits of a sample."
        -role: "fact"
      - id: colour
        type: u1
        enum: colour
        -role: "fact"
      - id: compression
        type: u1
        doc: "0: deflate."
        -role: "fact"
      - id: filter
        type: u1
        doc: "0: five filters, one for each row."
        -role: "fact"
      - id: interlace
        type: u1
        enum: interlace
        -role: "fact"
  rows:
    doc: "The rows of a picture whose pixels have `bits` bits."
    params:
      - id: width
        type: u8
      - id: height
        type: u8
      - id: bits
        type: u8
      - id: interlace
        type: u8
        enum: interlace
    seq:
      - id: rows_whole
        type: "rows_whole(width, height, bits, interlace)"
        if: "((interlace == interlace::none) and (bits > 0))"
      - id: rows_passes
        type: "rows_passes(width, height, bits, interlace)"
        if: "((interlace == interlace::adam7) and (bits > 0))"
      - id: rows_unknown
        type: "rows_unknown(width, height, bits, interlace)"
        if: "(not (((interlace == interlace::none) and (bits > 0)) or ((interlace == interlace::adam7) and (bits > 0))))"
        doc: "Rows whose length is not known."
    types:
      rows_whole:
        params:
          - id: width
            type: u8
          - id: height
            type: u8
          - id: bits
            type: u8
          - id: interlace
            type: u8
            enum: interlace
        seq:
          - id: rows
            type: "row((((width * bits) + 7) / 8))"
            repeat: expr
            repeat-expr: "height"
      rows_passes:
        params:
          - id: width
            type: u8
          - id: height
            type: u8
          - id: bits
            type: u8
          - id: interlace
            type: u8
            enum: interlace
        seq:
          - id: first
            type: "pass(((width + 7) / 8), ((height + 7) / 8), bits)"
          - id: second
            type: "pass(((width + 3) / 8), ((height + 7) / 8), bits)"
          - id: third
            type: "pass(((width + 3) / 4), ((height + 3) / 8), bits)"
          - id: fourth
            type: "pass(((width + 1) / 4), ((height + 3) / 4), bits)"
          - id: fifth
            type: "pass(((width + 1) / 2), ((height + 1) / 4), bits)"
          - id: sixth
            type: "pass((width / 2), ((height + 1) / 2), bits)"
          - id: seventh
            type: "pass(width, (height / 2), bits)"
      rows_unknown:
        params:
          - id: width
            type: u8
          - id: height
            type: u8
          - id: bits
            type: u8
          - id: interlace
            type: u8
            enum: interlace
        seq:
          - id: bytes
            size-eos: true
  row:
    doc: "A row of pixels."
    params:
      - id: length
        type: u8
    seq:
      - id: filter
        type: u1
        -role: "fact"
      - id: pixels
        size: "length"
        doc: "Differences from other pixels, which the filter says."
        -role: "payload"
  pass:
    doc: "The rows of a pass. One without columns has no rows."
    params:
      - id: width
        type: u8
      - id: height
        type: u8
      - id: bits
        type: u8
    seq:
      - id: rows
        type: "row((((width * bits) + 7) / 8))"
        repeat: expr
        repeat-expr: "((width == 0) ? 0 : height)"
  chunk:
    meta:
      endian: be
    doc: "A length, a kind, as many bytes, and a checksum."
    seq:
      - id: length
        type: u4
        doc: "Bytes of the body."
        -role: "extent of body"
      - id: kind
        size: 4
        doc: "A letter in lower case at the beginning: readers that do not know the kind pass over it."
        -role: "fact"
      - id: body
        type: "body(kind)"
        size: "length"
      - id: crc
        type: u4
        doc: "CRC-32 of the kind and the body."
        -role: "check of kind..body"
  body:
    meta:
      endian: be
    doc: "The content of a chunk."
    params:
      - id: kind
        type: bytes
    seq:
      - id: body_palette
        type: "body_palette(kind)"
        if: "(kind == [0x50, 0x4c, 0x54, 0x45])"
        doc: "The colours that indices stand for."
      - id: body_gamma
        type: "body_gamma(kind)"
        if: "(kind == [0x67, 0x41, 0x4d, 0x41])"
        doc: "The exponent of the brightness."
      - id: body_physical
        type: "body_physical(kind)"
        if: "(kind == [0x70, 0x48, 0x59, 0x73])"
        doc: "The size of a pixel."
      - id: body_text
        type: "body_text(kind)"
        if: "(kind == [0x74, 0x45, 0x58, 0x74])"
        doc: "A name, and what it stands for."
      - id: body_compressed_text
        type: "body_compressed_text(kind)"
        if: "(kind == [0x7a, 0x54, 0x58, 0x74])"
        doc: "A name, and what it stands for, compressed."
      - id: body_end
        type: "body_end(kind)"
        if: "(kind == [0x49, 0x45, 0x4e, 0x44])"
        doc: "Nothing: the end of the picture."
      - id: body_data
        type: "body_data(kind)"
        if: "(kind == [0x49, 0x44, 0x41, 0x54])"
        doc: "Compressed rows: all chunks of this kind together."
      - id: body_other
        type: "body_other(kind)"
        if: "(not (((((((kind == [0x50, 0x4c, 0x54, 0x45]) or (kind == [0x67, 0x41, 0x4d, 0x41])) or (kind == [0x70, 0x48, 0x59, 0x73])) or (kind == [0x74, 0x45, 0x58, 0x74])) or (kind == [0x7a, 0x54, 0x58, 0x74])) or (kind == [0x49, 0x45, 0x4e, 0x44])) or (kind == [0x49, 0x44, 0x41, 0x54])))"
        doc: "A kind that is not declared here."
    types:
      body_palette:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: colours
            type: "rgb"
            repeat: eos
      body_gamma:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: gamma
            type: u4
            doc: "Times 100,000."
            -role: "fact"
      body_physical:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: x
            type: u4
            doc: "Pixels a unit, from left to right."
            -role: "fact"
          - id: "y"
            type: u4
            doc: "Pixels a unit, from top to bottom."
            -role: "fact"
          - id: unit
            type: u1
            enum: unit
            -role: "fact"
      body_text:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: keyword
            type: strz
            encoding: ISO-8859-1
            -role: "fact"
          - id: text
            type: str
            encoding: ISO-8859-1
            size-eos: true
            -role: "fact"
      body_compressed_text:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: keyword
            type: strz
            encoding: ISO-8859-1
            -role: "fact"
          - id: method
            type: u1
            doc: "0: zlib."
            -role: "fact"
          - id: text
            size-eos: true
            process: zlib
            type: "words"
      body_end:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq: []
      body_data:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: data
            size-eos: true
      body_other:
        meta:
          endian: be
        params:
          - id: kind
            type: bytes
        seq:
          - id: bytes
            size-eos: true
            -role: "payload"
  rgb:
    doc: "A colour of a palette."
    seq:
      - id: red
        type: u1
      - id: green
        type: u1
      - id: blue
        type: u1
  words:
    doc: "A text that was compressed."
    seq:
      - id: text
        type: str
        encoding: ISO-8859-1
        size-eos: true
        -role: "fact"
enums:
  colour:
    0:
      id: grey
      doc: "The brightness."
    2:
      id: rgb
      doc: "Red, green and blue."
    3:
      id: palette
      doc: "An index into the palette."
    4:
      id: grey_alpha
      doc: "The brightness, and how opaque it is."
    6:
      id: rgba
      doc: "Red, green, blue, and how opaque they are."
  interlace:
    0:
      id: none
      doc: "From top to bottom."
    1:
      id: adam7
      doc: "Seven passes, each finer than the one before."
  unit:
    0:
      id: none
      doc: "None: the sizes are a ratio."
    1:
      id: metre
      doc: "The metre."
