meta: {id: texts, encoding: UTF-8, endian: be}
seq:
  - {id: length, type: u1}
  - {id: counted, type: str, size: length}
  - {id: ended, type: strz}
  - {id: line, type: str, terminator: 0x0a, encoding: ASCII}
  - {id: name, type: strz, size: 8, encoding: ISO-8859-1}
  - {id: padded, type: str, size: 6, pad-right: 0x20}
  - {id: closed, type: strz, size: length}
  - {id: filled, type: str, size: length, pad-right: 0x2e}
  - {id: wide, type: str, size: 4, encoding: UTF-16LE}
  - {id: key, size: 4}
  - {id: raw, size: length + 1}
  - {id: rest, type: str, size-eos: true}
