# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: pcap
  title: "PCAP"
doc: "A header, and packets. The byte order is that in which the magic reads 0xA1B2C3D4."
seq:
  - id: body
    type: "pcap_body"
instances:
  order_mark:
    pos: 0
    size: 1
    doc: "The byte order of the file."
types:
  pcap_body:
    meta:
      endian:
        switch-on: _root.order_mark
        cases:
          '[0xa1]': be
          _: le
    seq:
      - id: magic
        type: u4
        enum: magic
      - id: major
        type: u2
      - id: minor
        type: u2
        -role: "fact"
      - id: zone
        type: s4
        doc: "The correction to UTC, which is always 0."
        -role: "fact"
      - id: accuracy
        type: u4
        doc: "The accuracy of times, which is always 0."
        -role: "fact"
      - id: snap_length
        type: u4
        doc: "Bytes of a packet that are kept at most."
        -role: "fact"
      - id: link_type
        type: u4
        enum: link_type
        -role: "fact"
      - id: packets
        type: "packet(((magic == magic::nanoseconds) ? 1000000000 : 1000000))"
        repeat: eos
    types:
      packet:
        doc: "One packet."
        params:
          - id: unit
            type: u4
        seq:
          - id: seconds
            type: u4
            doc: "Since 1970."
            -role: "fact"
          - id: fraction
            type: u4
            -role: "fact"
          - id: captured
            type: u4
            -role: "counts data"
          - id: original
            type: u4
            doc: "Bytes of the packet on the wire."
            -role: "fact"
          - id: data
            size: "captured"
            -role: "payload"
enums:
  magic:
    2712847316:
      id: microseconds
      doc: "A million to the second."
    2712812621:
      id: nanoseconds
      doc: "A thousand million to the second."
  link_type:
    0:
      id: "null"
      doc: "The family of addresses, for BSD's loopback."
    1:
      id: ethernet
      doc: "Ethernet."
    101:
      id: raw
      doc: "IP without a header before it."
    105:
      id: n_802_11
      doc: "Wi-Fi."
    113:
      id: linux_sll
      doc: "All devices of Linux."
