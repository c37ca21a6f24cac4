# Not whole: 15 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: fits
  title: "FITS"
  endian: le
  bit-endian: le
doc: "3.1: the first unit, and extensions."
params:
  - id: primary_cards_length
    type: u8
    doc: "An expression of the declaration: the bytes that `until(| card : & Card | card.keyword.bytes() == b\"END \")` reads"
  - id: primary_cards_value_is_end
    type: bool
    doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
  - id: primary_cards_value_is_other
    type: bool
    doc: "An expression of the declaration: `otherwise`"
  - id: primary_data_count
    type: u8
    doc: "An expression of the declaration: `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`"
  - id: extensions_unit_cards_length
    type: u8
    doc: "An expression of the declaration: the bytes that `until(| card : & Card | card.keyword.bytes() == b\"END \")` reads"
  - id: extensions_unit_cards_value_is_end
    type: bool
    doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
  - id: extensions_unit_cards_value_is_other
    type: bool
    doc: "An expression of the declaration: `otherwise`"
  - id: extensions_unit_data_count
    type: u8
    doc: "An expression of the declaration: `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`"
seq:
  - id: magic
    contents: [0x53, 0x49, 0x4d, 0x50, 0x4c, 0x45, 0x20, 0x20, 0x3d, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x54]
    doc: "Fixed: identifies this structure."
  - id: comment
    type: "comment(50)"
  - id: primary
    type: "unit(false, primary_cards_length, primary_cards_value_is_end, primary_cards_value_is_other, primary_data_count)"
  # NOT EXACT: `unit_cards_length` is the same for all elements: the bytes that `until(| card : & Card | card.keyword.bytes() == b"END ")` reads
  # NOT EXACT: `unit_cards_value_is_end` is the same for all elements: `keyword.bytes() == b"END "`
  # NOT EXACT: `unit_cards_value_is_other` is the same for all elements: `otherwise`
  # NOT EXACT: `unit_data_count` is the same for all elements: `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`
  - id: extensions
    type: "extension(extensions_unit_cards_length, extensions_unit_cards_value_is_end, extensions_unit_cards_value_is_other, extensions_unit_data_count)"
    repeat: eos
types:
  comment:
    doc: "4.1.2.3: the letters after a value. A slash stands before a comment."
    params:
      - id: length
        type: u8
    seq:
      - id: slash
        size: 3
        -role: "steady"
      - id: words
        type: "words(slash, (length - 3))"
  words:
    params:
      - id: slash
        type: bytes
      - id: length
        type: u8
    seq:
      - id: words_usual
        type: "words_usual(slash, length)"
        if: "(slash == [0x20, 0x2f, 0x20])"
      - id: words_other
        type: "words_other(slash, length)"
        if: "(not (slash == [0x20, 0x2f, 0x20]))"
    types:
      words_usual:
        params:
          - id: slash
            type: bytes
          - id: length
            type: u8
        seq:
          - id: words
            type: str
            encoding: ISO-8859-1
            size: "length"
            pad-right: 0x20
            -role: "fact"
      words_other:
        params:
          - id: slash
            type: bytes
          - id: length
            type: u8
        seq:
          - id: words
            type: str
            encoding: ISO-8859-1
            size: "length"
            pad-right: 0x20
  unit:
    doc: "3.3 and 3.4: a header and data, each padded to blocks of 2,880 bytes."
    params:
      - id: is_extension
        type: bool
      - id: cards_length
        type: u8
        doc: "An expression of the declaration: the bytes that `until(| card : & Card | card.keyword.bytes() == b\"END \")` reads"
      - id: cards_value_is_end
        type: bool
        doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
      - id: cards_value_is_other
        type: bool
        doc: "An expression of the declaration: `otherwise`"
      - id: data_count
        type: u8
        doc: "An expression of the declaration: `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`"
    seq:
      - id: bits
        type: "bits"
      - id: rank
        type: "rank"
      - id: axes
        type: "axis((_index + 1))"
        repeat: expr
        repeat-expr: "(rank.axes.value - 1 + 1)"
      - id: groups
        type: "groups"
        if: "is_extension"
      # NOT EXACT: its elements are shown as bytes
      # NOT EXACT: `value_is_end` is the same for all elements: `keyword.bytes() == b"END "`
      # NOT EXACT: `value_is_other` is the same for all elements: `otherwise`
      # NOT EXACT: `cards_length` is a parameter in place of the bytes that `until(| card : & Card | card.keyword.bytes() == b"END ")` reads
      - id: cards
        size: "cards_length"
      # NOT EXACT: its multiples are counted from the beginning of the file
      - id: header_padding
        size: (-_io.pos) % 2880
      # NOT EXACT: `data_count` is a parameter in place of `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`
      - id: data
        size: "data_count"
        doc: "4.4.1.1: bytes of the array, and of what stands after it."
        -role: "payload"
      # NOT EXACT: its multiples are counted from the beginning of the file
      - id: padding
        size: (-_io.pos) % 2880
  bits:
    doc: "Bits of a value; those of a float are below zero."
    seq:
      - id: magic
        contents: [0x42, 0x49, 0x54, 0x50, 0x49, 0x58, 0x20, 0x20, 0x3d, 0x20]
        doc: "Fixed: identifies this structure."
      - id: value
        type: decimal_text_of_20_right
        -role: "steady"
      - id: comment
        type: "comment(50)"
  rank:
    doc: "The number of axes."
    seq:
      - id: magic
        contents: [0x4e, 0x41, 0x58, 0x49, 0x53, 0x20, 0x20, 0x20, 0x3d, 0x20]
        doc: "Fixed: identifies this structure."
      - id: axes
        type: decimal_text_of_20_right
        -role: "steady"
      - id: comment
        type: "comment(50)"
  axis:
    doc: "An axis of the array."
    params:
      - id: place
        type: s8
    seq:
      - id: magic
        contents: [0x4e, 0x41, 0x58, 0x49, 0x53]
        doc: "Fixed: identifies this structure."
      - id: number
        type: decimal_text_of_3_left
        -role: "steady"
      - id: equals
        contents: [0x3d, 0x20]
      - id: length
        type: decimal_text_of_20_right
        -role: "steady"
      - id: comment
        type: "comment(50)"
  groups:
    doc: "4.4.1.2: bytes after the array, and how many arrays there are."
    seq:
      - id: magic
        contents: [0x50, 0x43, 0x4f, 0x55, 0x4e, 0x54, 0x20, 0x20, 0x3d, 0x20]
        doc: "Fixed: identifies this structure."
      - id: parameters
        type: decimal_text_of_20_right
        -role: "steady"
      - id: parameters_comment
        type: "comment(50)"
      - id: keyword
        contents: [0x47, 0x43, 0x4f, 0x55, 0x4e, 0x54, 0x20, 0x20, 0x3d, 0x20]
      - id: count
        type: decimal_text_of_20_right
        -role: "steady"
      - id: comment
        type: "comment(50)"
  card:
    doc: "4.1: a line of 80 letters."
    params:
      - id: value_is_end
        type: bool
        doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
      - id: value_is_other
        type: bool
        doc: "An expression of the declaration: `otherwise`"
    seq:
      - id: keyword
        type: str
        encoding: ISO-8859-1
        size: 8
        pad-right: 0x20
        -role: "steady"
      - id: value
        type: "value(value_is_end, value_is_other)"
  value:
    doc: "The letters after a keyword."
    params:
      - id: is_end
        type: bool
        doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
      - id: is_other
        type: bool
        doc: "An expression of the declaration: `otherwise`"
    seq:
      # NOT EXACT: `is_end` is a parameter in place of `keyword.bytes() == b"END "`
      - id: value_end
        type: "value_end"
        if: "is_end"
      # NOT EXACT: `is_other` is a parameter in place of `otherwise`
      - id: value_other
        type: "value_other"
        if: "is_other"
        doc: "`= `, a value, and a comment after `/`."
    types:
      value_end:
        seq:
          - id: blank
            contents: [0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20]
      value_other:
        seq:
          - id: value
            type: str
            encoding: ISO-8859-1
            size: 72
            pad-right: 0x20
            -role: "fact"
  extension:
    doc: "3.4.1: a unit whose first card names its kind."
    params:
      - id: unit_cards_length
        type: u8
        doc: "An expression of the declaration: the bytes that `until(| card : & Card | card.keyword.bytes() == b\"END \")` reads"
      - id: unit_cards_value_is_end
        type: bool
        doc: "An expression of the declaration: `keyword.bytes() == b\"END \"`"
      - id: unit_cards_value_is_other
        type: bool
        doc: "An expression of the declaration: `otherwise`"
      - id: unit_data_count
        type: u8
        doc: "An expression of the declaration: `if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, | all | all.count.value()) * (groups.as_ref().map_or(0, | all | all.parameters.value()) + axes.iter().map(| axis | axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) }`"
    seq:
      - id: magic
        contents: [0x58, 0x54, 0x45, 0x4e, 0x53, 0x49, 0x4f, 0x4e, 0x3d, 0x20, 0x27]
        doc: "Fixed: identifies this structure."
      - id: kind
        type: str
        encoding: ASCII
        size: 8
        pad-right: 0x20
        -role: "steady"
      - id: quote
        contents: [0x27]
      - id: comment
        type: "comment(60)"
      - id: unit
        type: "unit(true, unit_cards_length, unit_cards_value_is_end, unit_cards_value_is_other, unit_data_count)"
  decimal_text_of_20_right:
    seq:
      - id: text
        type: str
        encoding: ASCII
        size: 20
    instances:
      value:
        value: text.to_i
        # NOT EXACT: some target languages cannot convert text with spaces around its digits
  decimal_text_of_3_left:
    seq:
      - id: text
        type: str
        encoding: ASCII
        size: 3
    instances:
      value:
        value: text.to_i
        # NOT EXACT: some target languages cannot convert text with spaces around its digits
