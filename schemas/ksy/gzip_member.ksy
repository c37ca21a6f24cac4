meta:
  id: gzip_member
  title: A gzip file of one member
  file-extension: gz
  license: CC0-1.0
  ks-version: 0.11
  endian: le
doc: |
  RFC 1952. Where a member ends only inflating tells; this description takes the last eight bytes of the file for its
  trailer, so it fits files of a single member with nothing behind it.
seq:
  - id: header
    type: header
  - id: deflate
    size: _io.size - _io.pos - 8
  - id: trailer
    type: trailer
types:
  header:
    seq:
      - id: magic
        contents: [0x1f, 0x8b]
      - id: method
        type: u1
        valid: 8
      - id: flags
        type: u1
        valid:
          max: 0x1f
        doc: From bit 0 on, text, header_crc, extra, name, comment.
      - id: mtime
        type: u4
      - id: extra_flags
        type: u1
      - id: os
        type: u1
      - id: extra
        type: extra
        if: flags & 0x04 != 0
      - id: name
        type: strz
        encoding: ISO-8859-1
        if: flags & 0x08 != 0
      - id: comment
        type: strz
        encoding: ISO-8859-1
        if: flags & 0x10 != 0
      - id: header_crc
        type: u2
        if: flags & 0x02 != 0
  extra:
    seq:
      - id: length
        type: u2
      - id: fields
        size: length
  trailer:
    seq:
      - id: crc32
        type: u4
      - id: inflated_length
        type: u4
