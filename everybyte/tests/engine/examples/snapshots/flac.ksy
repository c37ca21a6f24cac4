# Not whole: 10 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: flac
  title: "FLAC"
  endian: be
  bit-endian: le
doc: "Blocks of metadata up to the one that says that it is the last, and frames."
params:
  - id: frames_number_more_count
    type: u8
    doc: "An expression of the declaration: `first.leading_ones().saturating_sub(1)`"
  - id: frames_subframes_bits_less_one
    type: u8
    doc: "An expression of the declaration: `stream.bits_less_one()`"
  - id: frames_subframes_header
    type: u8
    doc: "An expression of the declaration: `6 + number.more.len() as u64 + block_8.map_or(0, | _ | 1) + block_16.map_or(0, | _ | 2) + rate_8.map_or(0, | _ | 1) + rate_16.map_or(0, | _ | 2)`"
  - id: frames_subframes_bytes_length
    type: u8
    doc: "An expression of the declaration: the bytes that `subframes` reads"
seq:
  - id: magic
    contents: [0x66, 0x4c, 0x61, 0x43]
    doc: "Fixed: identifies this structure."
  - id: info
    type: "info_block"
  - id: blocks
    type: "block"
    repeat: until
    repeat-until: "_.head.is_last"
    if: "(not info.head.is_last)"
  # NOT EXACT: `number_more_count` is the same for all elements: `first.leading_ones().saturating_sub(1)`
  # NOT EXACT: `subframes_bits_less_one` is the same for all elements: `stream.bits_less_one()`
  # NOT EXACT: `subframes_header` is the same for all elements: `6 + number.more.len() as u64 + block_8.map_or(0, | _ | 1) + block_16.map_or(0, | _ | 2) + rate_8.map_or(0, | _ | 1) + rate_16.map_or(0, | _ | 2)`
  # NOT EXACT: `subframes_bytes_length` is the same for all elements: the bytes that `subframes` reads
  - id: frames
    type: "frame(frames_number_more_count, frames_subframes_bits_less_one, frames_subframes_header, frames_subframes_bytes_length)"
    repeat: eos
types:
  info_block:
    meta:
      endian: be
    doc: "8.2, \"Streaminfo\": the first block."
    seq:
      - id: head
        type: "block_head"
      - id: length
        type: b24be
      - id: least_block
        type: u2
      - id: most_block
        type: u2
      - id: least_frame
        type: b24be
        -role: "fact"
      - id: most_frame
        type: b24be
        -role: "fact"
      - id: stream
        type: "stream"
      - id: md5
        size: 16
        doc: "The MD5 sum of the samples."
        -role: "fact"
  block_head:
    meta:
      bit-endian: le
    doc: "The kind of a block."
    seq:
      - id: kind
        type: b7
        enum: block_kind
      - id: is_last
        type: b1
  stream:
    doc: "Facts about the samples."
    seq:
      - id: raw
        type: u8
    instances:
      samples:
        value: "(raw / 1) % 68719476736"
        doc: "0 if it is not known."
      bits_less_one:
        value: "(raw / 68719476736) % 32"
      channels_less_one:
        value: "(raw / 2199023255552) % 8"
      rate:
        value: "raw / 17592186044416"
  block:
    meta:
      endian: be
    doc: "8.1, \"Metadata Block Header\"."
    seq:
      - id: head
        type: "block_head"
      - id: length
        type: b24be
        -role: "extent of body"
      - id: body
        type: "body(head.kind)"
        size: "length"
  body:
    meta:
      endian: be
    doc: "The content of a block."
    params:
      - id: given_kind
        type: u8
        enum: block_kind
    seq:
      - id: body_seek_table
        type: "body_seek_table(given_kind)"
        if: "(given_kind == block_kind::seektable)"
        doc: "8.5."
      - id: body_comment
        type: "body_comment(given_kind)"
        if: "(given_kind == block_kind::vorbis_comment)"
        doc: "8.6, whose numbers are those of Vorbis."
      - id: body_cue_sheet
        type: "body_cue_sheet(given_kind)"
        if: "(given_kind == block_kind::cuesheet)"
        doc: "8.7."
      - id: body_picture
        type: "body_picture(given_kind)"
        if: "(given_kind == block_kind::picture)"
        doc: "8.8."
      - id: body_other
        type: "body_other(given_kind)"
        if: "(not ((((given_kind == block_kind::seektable) or (given_kind == block_kind::vorbis_comment)) or (given_kind == block_kind::cuesheet)) or (given_kind == block_kind::picture)))"
        doc: "Everything else."
    types:
      body_seek_table:
        meta:
          endian: be
        params:
          - id: given_kind
            type: u8
            enum: block_kind
        seq:
          - id: points
            type: "point"
            repeat: eos
      body_comment:
        meta:
          endian: be
        params:
          - id: given_kind
            type: u8
            enum: block_kind
        seq:
          - id: comment
            type: "comments"
      body_cue_sheet:
        meta:
          endian: be
        params:
          - id: given_kind
            type: u8
            enum: block_kind
        seq:
          - id: catalogue
            type: str
            encoding: ASCII
            size: 128
            terminator: 0x00
            -role: "fact"
          - id: lead_in
            type: u8
            -role: "fact"
          - id: flags
            type: u1
            doc: "128 for a CD."
            -role: "fact"
          - id: zeros
            size: 258
          - id: count
            type: u1
            -role: "counts tracks"
          - id: tracks
            type: "track"
            repeat: expr
            repeat-expr: "count"
      body_picture:
        meta:
          endian: be
        params:
          - id: given_kind
            type: u8
            enum: block_kind
        seq:
          - id: kind
            type: u4
            -role: "fact"
          - id: media_length
            type: u4
            -role: "counts media"
          - id: media
            type: str
            encoding: UTF-8
            size: "media_length"
            -role: "fact"
          - id: description_length
            type: u4
            -role: "counts description"
          - id: description
            type: str
            encoding: UTF-8
            size: "description_length"
            -role: "fact"
          - id: size
            type: u4
            repeat: expr
            repeat-expr: 4
            doc: "Columns, rows, bits of a pixel, and colours."
            -role: "fact"
          - id: length
            type: u4
            -role: "counts picture"
          - id: picture
            size: "length"
            -role: "payload"
      body_other:
        meta:
          endian: be
        params:
          - id: given_kind
            type: u8
            enum: block_kind
        seq:
          - id: bytes
            size-eos: true
            -role: "payload"
  point:
    doc: "The place of a frame."
    seq:
      - id: sample
        type: u8
        -role: "fact"
      - id: offset
        type: u8
        doc: "From the first frame."
        -role: "fact"
      - id: samples
        type: u2
        -role: "fact"
  comments:
    meta:
      endian: le
    doc: "Names and texts: `TITLE=…`."
    seq:
      - id: vendor
        type: "comment"
        -role: "writer"
      - id: count
        type: u4
        -role: "counts comments"
      - id: comments
        type: "comment"
        repeat: expr
        repeat-expr: "count"
  comment:
    meta:
      endian: le
    doc: "A text and its length."
    seq:
      - id: length
        type: u4
        -role: "counts text"
      - id: text
        type: str
        encoding: UTF-8
        size: "length"
        -role: "fact"
  track:
    doc: "A track of a CD."
    seq:
      - id: offset
        type: u8
        doc: "Samples before it."
        -role: "fact"
      - id: number
        type: u1
        -role: "fact"
      - id: code
        type: str
        encoding: ASCII
        size: 12
        terminator: 0x00
        -role: "fact"
      - id: flags
        type: u1
        -role: "fact"
      - id: zeros
        size: 13
      - id: count
        type: u1
        -role: "counts indices"
      - id: indices
        type: "track_index"
        repeat: expr
        repeat-expr: "count"
  track_index:
    doc: "A place in a track."
    seq:
      - id: offset
        type: u8
        -role: "fact"
      - id: number
        type: u1
        -role: "fact"
      - id: zeros
        size: 3
  frame:
    meta:
      endian: be
    doc: "9, \"Frame Structure\"."
    params:
      - id: number_more_count
        type: u8
        doc: "An expression of the declaration: `first.leading_ones().saturating_sub(1)`"
      - id: subframes_bits_less_one
        type: u8
        doc: "An expression of the declaration: `stream.bits_less_one()`"
      - id: subframes_header
        type: u8
        doc: "An expression of the declaration: `6 + number.more.len() as u64 + block_8.map_or(0, | _ | 1) + block_16.map_or(0, | _ | 2) + rate_8.map_or(0, | _ | 1) + rate_16.map_or(0, | _ | 2)`"
      - id: subframes_bytes_length
        type: u8
        doc: "An expression of the declaration: the bytes that `subframes` reads"
    seq:
      - id: head
        type: "frame_head"
      - id: number
        type: "coded(number_more_count)"
        doc: "The number of the frame, or of its first sample."
      - id: block_8
        type: u1
        if: "(head.block == 6)"
      - id: block_16
        type: u2
        if: "(head.block == 7)"
      - id: rate_8
        type: u1
        if: "(head.rate == 12)"
      - id: rate_16
        type: u2
        if: "((head.rate == 13) or (head.rate == 14))"
      - id: crc_8
        type: u1
        -role: "check of head..rate_16"
      # NOT EXACT: the value of `samples` is `match head.block() { 1 => 192, code @ 2 ..= 5 => 144 << code, 6 => u64::from(block_8.unwrap_or_default()) + 1, 7 => u64::from(block_16.unwrap_or_default()) + 1, code => 1 << code, }`
      # NOT EXACT: `subframes_bits_less_one` is a parameter in place of `stream.bits_less_one()`
      # NOT EXACT: `subframes_header` is a parameter in place of `6 + number.more.len() as u64 + block_8.map_or(0, | _ | 1) + block_16.map_or(0, | _ | 2) + rate_8.map_or(0, | _ | 1) + rate_16.map_or(0, | _ | 2)`
      - id: subframes
        type: "subframes(head.channels, subframes_bits_less_one, subframes_header, subframes_bytes_length)"
      - id: crc_16
        type: u2
        -role: "check of head..subframes"
  frame_head:
    doc: "9.1, \"Frame Header\"."
    seq:
      - id: raw
        type: u4
    instances:
      reserved:
        value: "(raw / 1) % 2 != 0"
      bits:
        value: "(raw / 2) % 8"
      channels:
        value: "(raw / 16) % 16"
      rate:
        value: "(raw / 256) % 16"
      block:
        value: "(raw / 4096) % 16"
      has_variable_blocks:
        value: "(raw / 65536) % 2 != 0"
      sync:
        value: "raw / 131072"
  coded:
    doc: "9.1.5, \"Coded Number\": as UTF-8 has the number of a letter, of up to 36 bits."
    params:
      - id: more_count
        type: u8
        doc: "An expression of the declaration: `first.leading_ones().saturating_sub(1)`"
    seq:
      - id: first
        type: u1
        -role: "counts more"
      # NOT EXACT: `more_count` is a parameter in place of `first.leading_ones().saturating_sub(1)`
      - id: more
        size: "more_count"
  subframes:
    doc: "9.2, \"Subframes\": one for each channel."
    params:
      - id: channels
        type: u1
      - id: bits_less_one
        type: u1
      - id: header
        type: u8
      - id: bytes_length
        type: u8
        doc: "An expression of the declaration: the bytes that `subframes` reads"
    seq:
      - id: subframes_constant
        type: "subframes_constant(channels, bits_less_one, header)"
        if: "((channels < 8) and ((bits_less_one % 8) == 7))"
        doc: "9.2.3: all samples of a channel have one value."
      # NOT EXACT: it is also read if an alternative before it cannot be read
      - id: subframes_other
        type: "subframes_other(channels, bits_less_one, header, bytes_length)"
        if: "(true and (not ((channels < 8) and ((bits_less_one % 8) == 7))))"
        doc: "Samples that are no whole bytes."
    types:
      subframes_constant:
        params:
          - id: channels
            type: u1
          - id: bits_less_one
            type: u1
          - id: header
            type: u8
        seq:
          - id: values
            type: "constant(((bits_less_one / 8) + 1))"
            repeat: expr
            repeat-expr: "(channels + 1)"
      subframes_other:
        params:
          - id: channels
            type: u1
          - id: bits_less_one
            type: u1
          - id: header
            type: u8
          - id: bytes_length
            type: u8
            doc: "An expression of the declaration: the bytes that `subframes` reads"
        seq:
          # NOT EXACT: `bytes_length` is a parameter in place of the bytes that `subframes` reads
          - id: bytes
            size: "bytes_length"
            -role: "payload"
  constant:
    doc: "A subframe with one value."
    params:
      - id: length
        type: u8
    seq:
      - id: magic
        type: u1
        valid: 0x0
        doc: "Fixed: identifies this structure."
      - id: value
        size: "length"
        -role: "fact"
enums:
  block_kind:
    0:
      id: streaminfo
      doc: "Facts about the stream."
    1:
      id: padding
      doc: "Zeros."
    2:
      id: application
      doc: "Facts for one program."
    3:
      id: seektable
      doc: "Places of frames."
    4:
      id: vorbis_comment
      doc: "Names and texts."
    5:
      id: cuesheet
      doc: "The tracks of a CD."
    6:
      id: picture
      doc: "A picture."
