meta: {id: codes, endian: be}
seq:
  - {id: kind, type: u1, enum: kind, valid: {in-enum: true}}
  - {id: wide, type: u4, enum: kind}
  - {id: sign, type: s2, enum: sign}
  - {id: is_text, type: u1, if: kind == kind::text}
enums:
  kind:
    0: {id: none, doc: Nothing at all.}
    1: text
    0x1234: {id: wide, doc: Too wide for a byte.}
  sign:
    -1: minus
    1: plus
