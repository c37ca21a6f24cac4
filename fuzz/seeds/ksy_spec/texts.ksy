meta:
  id: texts
  encoding: UTF-8
seq:
  - {id: name, type: strz}
  - {id: wide, type: strz, encoding: UTF-16LE}
  - {id: padded, type: str, size: 8, pad-right: 0x20, terminator: 0, encoding: IBM437}
  - {id: number, type: str, terminator: 0x3b, valid: {expr: _.length < 5}}
  - {id: packed, size: number.to_i, process: zlib, type: texts, if: number.length > 0}
instances:
  greeting: {value: 'f"{name}, {number.length}" + name.reverse.substring(0, 3)'}
