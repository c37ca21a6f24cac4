meta: {id: roles, endian: le}
seq:
  - {id: choice, type: u1}
  - {id: count, type: u1}
  - {id: each, type: u1, -role: "extent of sizes[]"}
  - {id: sizes, type: u1, repeat: expr, repeat-expr: count}
  - {id: parts, type: part, repeat: eos}
instances:
  chosen: {value: "sizes[choice]"}
types:
  part:
    seq:
      - {id: kind, type: u1, -role: steady}
      - {id: body, type: {switch-on: kind, cases: {1: record, 2: entry, 3: end}}}
  record:
    seq:
      - {id: sum, type: u1, -role: sum8 of content}
      - {id: length, type: u1}
      - {id: content, size: length}
  entry:
    seq:
      - {id: at, type: u1, -role: place of parts}
      - {id: length, type: u1, -role: copy of parts.body.length}
  end:
    seq:
      - {id: entries, type: u1, -role: counts parts..}
      - {id: length, type: u1, -role: extent of parts..}
      - {id: at, type: u1, -role: place of parts}
