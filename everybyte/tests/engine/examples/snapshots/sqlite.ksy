# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: sqlite
  title: "SQLite"
  endian: be
  bit-endian: le
doc: "1.3: the header, and pages of one size. The first page begins with the header."
seq:
  - id: magic
    contents: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66, 0x6f, 0x72, 0x6d, 0x61, 0x74, 0x20, 0x33, 0x00]
    doc: "Fixed: identifies this structure."
  - id: page_size
    type: u2
    doc: "1 stands for 65,536."
  - id: write_version
    type: u1
    enum: journal
  - id: read_version
    type: u1
    enum: journal
  - id: reserved
    type: u1
    doc: "Bytes at the end of each page, for extensions."
  - id: most_fraction
    type: u1
  - id: least_fraction
    type: u1
  - id: leaf_fraction
    type: u1
  - id: changes
    type: u4
    -role: "fact"
  - id: page_count
    type: u4
    -role: "counts pages"
  - id: free_list
    type: u4
  - id: free_pages
    type: u4
  - id: schema_cookie
    type: u4
    -role: "fact"
  - id: schema_format
    type: u4
  - id: cache
    type: u4
    -role: "fact"
  - id: largest_root
    type: u4
  - id: encoding
    type: u4
    enum: encoding
    valid:
      in-enum: true
  - id: user_version
    type: u4
    -role: "fact"
  - id: is_incremental
    type: u4
  - id: application
    type: u4
    -role: "fact"
  - id: zeros
    size: 20
  - id: valid_for
    type: u4
    -role: "fact"
  - id: version
    type: u4
    -role: "writer"
  - id: first
    type: "page(((page_size == 1) ? 65436 : (page_size - 100)))"
  - id: pages
    type: "page(((page_size == 1) ? 65536 : page_size))"
    repeat: eos
types:
  page:
    doc: "One page."
    params:
      - id: length
        type: u8
    seq:
      - id: kind
        type: u1
        enum: page_kind
      - id: body
        type: "body(kind, (length - 1))"
  body:
    doc: "1.6, \"B-tree Pages\"."
    params:
      - id: kind
        type: u8
        enum: page_kind
      - id: length
        type: u8
    seq:
      - id: body_interior
        type: "body_interior(kind, length)"
        if: "((kind == page_kind::interior_index) or (kind == page_kind::interior_table))"
        doc: "A page that leads to others."
      - id: body_leaf
        type: "body_leaf(kind, length)"
        if: "((kind == page_kind::leaf_index) or (kind == page_kind::leaf_table))"
        doc: "A page with rows or entries."
      - id: body_other
        type: "body_other(kind, length)"
        if: "(not (((kind == page_kind::interior_index) or (kind == page_kind::interior_table)) or ((kind == page_kind::leaf_index) or (kind == page_kind::leaf_table))))"
        doc: "1.5 and 1.6.3: a page of the list of free pages, or of a long row."
    types:
      body_interior:
        params:
          - id: kind
            type: u8
            enum: page_kind
          - id: length
            type: u8
        seq:
          - id: first_free
            type: u2
          - id: count
            type: u2
            -role: "counts pointers"
          - id: content
            type: u2
            doc: "The first byte of a cell; 0 stands for 65,536."
          - id: fragments
            type: u1
          - id: right
            type: u4
            doc: "The page for what comes after all cells."
          - id: pointers
            type: u2
            repeat: expr
            repeat-expr: "count"
          - id: cells
            size: "((length - 11) - (2 * count))"
            doc: "Free bytes, and cells in any order."
            -role: "payload"
      body_leaf:
        params:
          - id: kind
            type: u8
            enum: page_kind
          - id: length
            type: u8
        seq:
          - id: first_free
            type: u2
          - id: count
            type: u2
            -role: "counts pointers"
          - id: content
            type: u2
          - id: fragments
            type: u1
          - id: pointers
            type: u2
            repeat: expr
            repeat-expr: "count"
          - id: cells
            size: "((length - 7) - (2 * count))"
            -role: "payload"
      body_other:
        params:
          - id: kind
            type: u8
            enum: page_kind
          - id: length
            type: u8
        seq:
          - id: bytes
            size: "length"
            -role: "payload"
enums:
  journal:
    1:
      id: legacy
      doc: "A copy of old pages."
    2:
      id: write_ahead_log
      doc: "A log of new pages."
  encoding:
    0:
      id: none
      doc: "The database is empty."
    1:
      id: utf8
    2:
      id: utf16_le
    3:
      id: utf16_be
  page_kind:
    0:
      id: other
      doc: "No page of a tree: free, or the rest of a long row."
    2:
      id: interior_index
      doc: "A page of an index that leads to others."
    5:
      id: interior_table
      doc: "A page of a table that leads to others."
    10:
      id: leaf_index
      doc: "A page of an index with entries."
    13:
      id: leaf_table
      doc: "A page of a table with rows."
