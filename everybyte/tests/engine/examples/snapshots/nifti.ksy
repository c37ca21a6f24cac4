# Not whole: 2 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: nifti
  title: "NIfTI-1"
doc: "The header, extensions, and the values at an offset."
params:
  - id: extensions_present
    type: bool
    doc: "An expression of the declaration: `end.extended != 0 && vox_offset > 352.0`"
  - id: values_length
    type: u8
    doc: "An expression of the declaration: `dim [1 ..].iter().zip(0 .. dim [0]).fold(bits as u64 / 8, | all, (&extent, _) | all.saturating_mul(extent as u64))`"
seq:
  - id: body
    type: "nifti_body(extensions_present, values_length)"
instances:
  order_mark:
    pos: 0
    size: 1
    doc: "The byte order of the file."
types:
  nifti_body:
    meta:
      endian:
        switch-on: _root.order_mark
        cases:
          '[0x00]': be
          _: le
    params:
      - id: extensions_present
        type: bool
        doc: "An expression of the declaration: `end.extended != 0 && vox_offset > 352.0`"
      - id: values_length
        type: u8
        doc: "An expression of the declaration: `dim [1 ..].iter().zip(0 .. dim [0]).fold(bits as u64 / 8, | all, (&extent, _) | all.saturating_mul(extent as u64))`"
    seq:
      - id: header_size
        type: s4
        doc: "348, in the byte order of the file."
      - id: data_type
        size: 10
        doc: "Not used, as the fields after it: ANALYZE 7.5 had them."
        -role: "writer"
      - id: db_name
        size: 18
        -role: "writer"
      - id: extents
        type: s4
        -role: "writer"
      - id: session_error
        type: s2
        -role: "writer"
      - id: regular
        type: u1
        -role: "writer"
      - id: directions
        type: "directions"
        -role: "fact"
      - id: dim
        type: s2
        repeat: expr
        repeat-expr: 8
        doc: "The number of axes, and the extent of each."
      - id: intent
        type: f4
        repeat: expr
        repeat-expr: 3
        -role: "fact"
      - id: intent_code
        type: s2
        -role: "fact"
      - id: datatype
        type: u2
        enum: data_type
      - id: bits
        type: s2
        doc: "Bits of a value."
      - id: slice_start
        type: s2
        -role: "fact"
      - id: pixdim
        type: f4
        repeat: expr
        repeat-expr: 8
        doc: "The handedness, and the size of a voxel along each axis."
        -role: "fact"
      - id: vox_offset
        type: f4
        -role: "place of values"
      - id: slope
        type: f4
        -role: "fact"
      - id: intercept
        type: f4
        -role: "fact"
      - id: slice_end
        type: s2
        -role: "fact"
      - id: slice_code
        type: u1
        -role: "fact"
      - id: units
        type: "units"
        -role: "fact"
      - id: maximum
        type: f4
        -role: "fact"
      - id: minimum
        type: f4
        -role: "fact"
      - id: slice_duration
        type: f4
        -role: "fact"
      - id: time_offset
        type: f4
        -role: "fact"
      - id: gl_max
        type: s4
        -role: "writer"
      - id: gl_min
        type: s4
        -role: "writer"
      - id: description
        type: str
        encoding: ISO-8859-1
        size: 80
        terminator: 0x00
        -role: "fact"
      - id: aux_file
        type: str
        encoding: ISO-8859-1
        size: 24
        terminator: 0x00
        -role: "fact"
      - id: qform
        type: u2
        enum: transform
        -role: "fact"
      - id: sform
        type: u2
        enum: transform
        -role: "fact"
      - id: quaternion
        type: f4
        repeat: expr
        repeat-expr: 6
        doc: "Three numbers of a rotation, whose squares have a sum of at most 1, and a shift."
        -role: "fact"
      - id: affine
        type: items
        repeat: expr
        repeat-expr: 3
        -role: "fact"
      - id: intent_name
        type: str
        encoding: ISO-8859-1
        size: 16
        terminator: 0x00
        -role: "fact"
      - id: end
        type: "end"
      # NOT EXACT: `extensions_present` is a parameter in place of `end.extended != 0 && vox_offset > 352.0`
      - id: extensions
        type: extensions_of_extension
        size: "(vox_offset.to_i > 352 ? vox_offset.to_i - 352 : 0)"
        if: "extensions_present"
    instances:
      # NOT EXACT: `values_length` is a parameter in place of `dim [1 ..].iter().zip(0 .. dim [0]).fold(bits as u64 / 8, | all, (&extent, _) | all.saturating_mul(extent as u64))`
      values:
        io: _root._io
        pos: "vox_offset.to_i"
        type: "values(values_length)"
    types:
      directions:
        meta:
          bit-endian: le
        doc: "The axes of the scanner."
        seq:
          - id: frequency
            type: b2
          - id: phase
            type: b2
          - id: slice
            type: b2
          - id: unused
            type: b2
      units:
        meta:
          bit-endian: le
        doc: "The units of space and time."
        seq:
          - id: space
            type: b3
          - id: time
            type: b3
          - id: unused
            type: b2
      end:
        doc: "The end of the header. The magic says that the values stand in the same file."
        seq:
          - id: magic
            contents: [0x6e, 0x2b, 0x31, 0x00]
            doc: "Fixed: identifies this structure."
          - id: extended
            type: u1
            doc: "Other than 0 if extensions follow."
            -role: "fact"
          - id: reserved
            size: 3
      extension:
        doc: "Facts of a program."
        seq:
          - id: size
            type: u4
            doc: "Bytes with these 4, a multiple of 16."
            -role: "extent of size..content"
          - id: code
            type: u4
            enum: extension_code
            -role: "fact"
          - id: content
            type: str
            encoding: ISO-8859-1
            size: "(size - 8)"
            -role: "payload"
      values:
        doc: "The values, one after the other."
        params:
          - id: length
            type: u8
        seq:
          - id: bytes
            size: "length"
            -role: "payload"
          - id: after
            size-eos: true
            doc: "Bytes that some programs write after them."
      extensions_of_extension:
        seq:
          - id: extensions
            type: "extension"
            repeat: eos
      items:
        seq:
          - id: items
            type: f4
            repeat: expr
            repeat-expr: 4
enums:
  data_type:
    2:
      id: uint8
      doc: "8 bits."
    4:
      id: int16
      doc: "16 bits."
    8:
      id: int32
      doc: "32 bits."
    16:
      id: float32
      doc: "32 bits."
    32:
      id: complex64
      doc: "64 bits."
    64:
      id: float64
      doc: "64 bits."
    128:
      id: rgb
      doc: "24 bits."
    256:
      id: int8
      doc: "8 bits."
    512:
      id: uint16
      doc: "16 bits."
    768:
      id: uint32
      doc: "32 bits."
    1024:
      id: int64
      doc: "64 bits."
    1280:
      id: uint64
      doc: "64 bits."
    1792:
      id: complex128
      doc: "128 bits."
  transform:
    0:
      id: unknown
      doc: "None."
    1:
      id: scanner
      doc: "That of the scanner."
    2:
      id: aligned
      doc: "That of another file."
    3:
      id: talairach
      doc: "That of Talairach and Tournoux."
    4:
      id: mni_152
      doc: "That of the Montreal Neurological Institute."
  extension_code:
    2:
      id: dicom
      doc: "Elements of DICOM."
    4:
      id: afni
      doc: "XML of AFNI."
    6:
      id: comment
      doc: "A text."
