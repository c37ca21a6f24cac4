meta: {id: rules, endian: le}
seq:
  - {id: magic, contents: RULE}
  - {id: mark, contents: [0x00, 0xff], if: version_is_next}
  - {id: version, type: u1, valid: 3}
  - {id: depth, type: u2, valid: {min: 1, max: 32}}
  - {id: kind, type: u1, valid: {any-of: [1, 2, 5]}}
  - {id: even, type: s1, valid: {expr: '_ % 2 == 0'}}
instances:
  version_is_next: {value: 'magic[0] == 0x52'}
