meta: {id: around, endian: be}
seq:
  - {id: header, type: header}
  - {id: tables, type: table(header.version), repeat: expr, repeat-expr: 2}
types:
  header:
    seq:
      - {id: version, type: u1}
      - {id: width, type: u1}
    instances:
      is_wide: {value: width > 1}
      columns: {value: '_root.header.is_wide ? 2 : 1'}
  table:
    params:
      - {id: version, type: u1}
    seq:
      - {id: rows, type: u1}
      - {id: name, size: rows, if: _root.header.is_wide}
      - {id: cells, type: cell, repeat: expr, repeat-expr: rows}
  cell:
    seq:
      - {id: mark, type: u1}
      - {id: flag, type: u1, if: _parent.version > 1}
      - {id: data, size: _root.header.columns}
