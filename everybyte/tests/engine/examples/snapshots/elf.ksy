# Not whole: 2 places, each marked below with NOT EXACT.
# Generated from the declaration that the reader uses. Do not edit.
meta:
  id: elf
  title: "ELF"
doc: "\"ELF Header\"."
seq:
  - id: body
    type: "elf_body"
instances:
  order_mark:
    pos: 5
    size: 1
    doc: "The byte order of the file."
types:
  elf_body:
    meta:
      endian:
        switch-on: _root.order_mark
        cases:
          '[0x02]': be
          _: le
    seq:
      - id: magic
        contents: [0x7f, 0x45, 0x4c, 0x46]
        doc: "Fixed: identifies this structure."
      - id: file_class
        type: u1
        doc: "2: 64 bits."
      - id: data
        type: u1
        enum: data
        valid:
          in-enum: true
      - id: ident_version
        type: u1
      - id: abi
        type: u1
        enum: abi
        -role: "fact"
      - id: abi_version
        type: u1
        -role: "fact"
      - id: reserved
        size: 7
      - id: kind
        type: u2
        enum: kind
        -role: "fact"
      - id: machine
        type: u2
        enum: machine
        -role: "fact"
      - id: version
        type: u4
      - id: entry
        type: u8
        doc: "The address of the first instruction."
        -role: "fact"
      - id: segments_offset
        type: u8
        -role: "place of segments"
      - id: sections_offset
        type: u8
        -role: "place of sections"
      - id: flags
        type: u4
        -role: "fact"
      - id: header_size
        type: u2
      - id: segment_size
        type: u2
      - id: segment_count
        type: u2
        -role: "counts segments"
      - id: section_size
        type: u2
      - id: section_count
        type: u2
        -role: "counts sections"
      - id: names
        type: u2
        doc: "The section with the names of sections."
        -role: "fact"
      - id: contents
        type: "contents_at(sections[_index].offset, (((sections[_index].kind == section_kind::null) or (sections[_index].kind == section_kind::nobits)) ? 0 : sections[_index].size), sections[_index].kind)"
        repeat: expr
        repeat-expr: "sections.size"
    instances:
      segments:
        io: _root._io
        pos: "segments_offset"
        type: "segment"
        repeat: expr
        repeat-expr: "segment_count"
        if: "(segment_count > 0)"
      sections:
        io: _root._io
        pos: "sections_offset"
        type: "section"
        repeat: expr
        repeat-expr: "section_count"
        if: "(section_count > 0)"
    types:
      segment:
        doc: "\"Program Header\": what is mapped into memory."
        seq:
          - id: kind
            type: u4
            enum: segment_kind
            -role: "fact"
          - id: flags
            type: "segment_flags"
            -role: "fact"
          - id: offset
            type: u8
            doc: "Its first byte in the file, which is one of a section, too."
            -role: "fact"
          - id: address
            type: u8
            -role: "fact"
          - id: physical
            type: u8
            -role: "fact"
          - id: file_size
            type: u8
            -role: "fact"
          - id: memory_size
            type: u8
            -role: "fact"
          - id: alignment
            type: u8
            -role: "fact"
      segment_flags:
        doc: "The rights of a segment."
        seq:
          - id: raw
            type: u4
        instances:
          execute:
            value: "(raw / 1) % 2 != 0"
          write:
            value: "(raw / 2) % 2 != 0"
          read:
            value: "(raw / 4) % 2 != 0"
          other:
            value: "raw / 8"
      section:
        doc: "\"Sections\"."
        seq:
          - id: name
            type: u4
            doc: "An offset in the section with the names."
            -role: "fact"
          - id: kind
            type: u4
            enum: section_kind
            -role: "fact"
          - id: flags
            type: "section_flags"
            -role: "fact"
          - id: address
            type: u8
            -role: "fact"
          - id: offset
            type: u8
            -role: "place of contents"
          - id: size
            type: u8
            -role: "extent of contents"
          - id: link
            type: u4
            doc: "Another section, such as that with the names of symbols."
            -role: "fact"
          - id: info
            type: u4
            -role: "fact"
          - id: alignment
            type: u8
            -role: "fact"
          - id: entry_size
            type: u8
            -role: "fact"
      section_flags:
        doc: "The attributes of a section."
        seq:
          - id: raw
            type: u8
        instances:
          write:
            value: "(raw / 1) % 2 != 0"
          allocated:
            value: "(raw / 2) % 2 != 0"
          execute:
            value: "(raw / 4) % 2 != 0"
          unused:
            value: "(raw / 8) % 2 != 0"
          merge:
            value: "(raw / 16) % 2 != 0"
          strings:
            value: "(raw / 32) % 2 != 0"
          info_link:
            value: "(raw / 64) % 2 != 0"
          link_order:
            value: "(raw / 128) % 2 != 0"
          system:
            value: "(raw / 256) % 2 != 0"
          group:
            value: "(raw / 512) % 2 != 0"
          thread:
            value: "(raw / 1024) % 2 != 0"
          compressed:
            value: "(raw / 2048) % 2 != 0"
          other:
            value: "raw / 4096"
      content:
        doc: "The content of a section."
        params:
          - id: kind
            type: u8
            enum: section_kind
        seq:
          - id: content_nothing
            type: "content_nothing(kind)"
            if: "((kind == section_kind::null) or (kind == section_kind::nobits))"
            doc: "Nothing stands in the file."
          - id: content_symbols
            type: "content_symbols(kind)"
            if: "((kind == section_kind::symtab) or (kind == section_kind::dynsym))"
            doc: "\"Symbol Table\"."
          - id: content_strings
            type: "content_strings(kind)"
            if: "(kind == section_kind::strtab)"
            doc: "\"String Table\"."
          - id: content_relocations
            type: "content_relocations(kind)"
            if: "(kind == section_kind::rela)"
            doc: "\"Relocation\"."
          - id: content_dynamic
            type: "content_dynamic(kind)"
            if: "(kind == section_kind::dynamic)"
            doc: "\"Dynamic Section\"."
          - id: content_notes
            type: "content_notes(kind)"
            if: "(kind == section_kind::note)"
            doc: "\"Note Section\"."
          - id: content_functions
            type: "content_functions(kind)"
            if: "((kind == section_kind::init_array) or (kind == section_kind::fini_array))"
            doc: "Addresses of functions."
          - id: content_other
            type: "content_other(kind)"
            if: "(not ((((((((kind == section_kind::null) or (kind == section_kind::nobits)) or ((kind == section_kind::symtab) or (kind == section_kind::dynsym))) or (kind == section_kind::strtab)) or (kind == section_kind::rela)) or (kind == section_kind::dynamic)) or (kind == section_kind::note)) or ((kind == section_kind::init_array) or (kind == section_kind::fini_array))))"
            doc: "Everything else."
        types:
          content_nothing:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq: []
          content_symbols:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: symbols
                type: "symbol"
                repeat: eos
          content_strings:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: strings
                type: strz
                encoding: ISO-8859-1
                repeat: eos
          content_relocations:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: relocations
                type: "relocation"
                repeat: eos
          content_dynamic:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: entries
                type: "dynamic_entry"
                repeat: eos
          content_notes:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: notes
                type: "note"
                repeat: eos
          content_functions:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: functions
                type: u8
                repeat: eos
          content_other:
            params:
              - id: kind
                type: u8
                enum: section_kind
            seq:
              - id: bytes
                size-eos: true
                -role: "payload"
      symbol:
        doc: "An entry of a symbol table."
        seq:
          - id: name
            type: u4
            doc: "An offset in the section with the names of symbols."
            -role: "fact"
          - id: info
            type: "symbol_info"
            -role: "fact"
          - id: visibility
            type: u1
            -role: "fact"
          - id: section
            type: u2
            -role: "fact"
          - id: value
            type: u8
            -role: "fact"
          - id: size
            type: u8
            -role: "fact"
      symbol_info:
        meta:
          bit-endian: le
        doc: "The kind of a symbol, and who sees it."
        seq:
          - id: kind
            type: b4
          - id: binding
            type: b4
      relocation:
        doc: "A place in the program that depends on a symbol."
        seq:
          - id: offset
            type: u8
            -role: "fact"
          - id: kind
            type: u4
            -role: "fact"
          - id: symbol
            type: u4
            -role: "fact"
          - id: addend
            type: s8
            -role: "fact"
      dynamic_entry:
        doc: "A fact for the linker."
        seq:
          - id: tag
            type: u8
            -role: "fact"
          - id: value
            type: u8
            -role: "fact"
      note:
        doc: "A note of a tool."
        seq:
          - id: name_length
            type: u4
            -role: "counts name"
          - id: length
            type: u4
            -role: "counts description"
          - id: kind
            type: u4
            -role: "fact"
          - id: name
            size: "name_length"
          # NOT EXACT: its multiples are counted from the beginning of the file
          - id: name_padding
            size: (-_io.pos) % 4
          - id: description
            size: "length"
          # NOT EXACT: its multiples are counted from the beginning of the file
          - id: padding
            size: (-_io.pos) % 4
      contents_at:
        params:
          - id: pos
            type: u8
          - id: size
            type: u8
          - id: element_kind
            type: u8
            enum: section_kind
        instances:
          value:
            io: _root._io
            pos: pos
            size: size
            type: "content(element_kind)"
enums:
  data:
    1:
      id: little
    2:
      id: big
  abi:
    0:
      id: system_v
      doc: "Unix."
    3:
      id: gnu
      doc: "Linux."
  kind:
    1:
      id: relocatable
      doc: "An object."
    2:
      id: executable
      doc: "A program at a fixed address."
    3:
      id: shared
      doc: "A library, or a program at any address."
    4:
      id: core
      doc: "The memory of a program."
  machine:
    3:
      id: x86
      doc: "Intel 80386."
    62:
      id: x86_64
      doc: "AMD x86-64."
    183:
      id: aarch64
      doc: "ARM of 64 bits."
    243:
      id: risc_v
      doc: "RISC-V."
    247:
      id: bpf
      doc: "Programs in Linux's kernel."
  segment_kind:
    0:
      id: "null"
      doc: "Unused."
    1:
      id: load
      doc: "Mapped."
    2:
      id: dynamic
      doc: "For the linker."
    3:
      id: interp
      doc: "The path of the linker."
    4:
      id: note
      doc: "Notes."
    6:
      id: phdr
      doc: "The table of segments."
    7:
      id: tls
      doc: "Variables of each thread."
    1685382480:
      id: gnu_eh_frame
      doc: "Frames for exceptions."
    1685382481:
      id: gnu_stack
      doc: "The rights of the stack."
    1685382482:
      id: gnu_relro
      doc: "Read-only after relocation."
    1685382483:
      id: gnu_property
      doc: "Properties."
  section_kind:
    0:
      id: "null"
      doc: "Unused."
    1:
      id: progbits
      doc: "Instructions and data of the program."
    2:
      id: symtab
      doc: "Symbols."
    3:
      id: strtab
      doc: "Texts."
    4:
      id: rela
      doc: "Relocations."
    5:
      id: hash
      doc: "A hash table."
    6:
      id: dynamic
      doc: "For the linker."
    7:
      id: note
      doc: "Notes."
    8:
      id: nobits
      doc: "Zeros, which the file does not have."
    9:
      id: rel
      doc: "Relocations without addends."
    11:
      id: dynsym
      doc: "Symbols for the linker."
    14:
      id: init_array
      doc: "Functions that run first."
    15:
      id: fini_array
      doc: "Functions that run last."
    17:
      id: group
      doc: "Sections that belong together."
    1879048182:
      id: gnu_hash
      doc: "A hash table of GNU."
    1879048190:
      id: gnu_verneed
      doc: "Versions that are needed."
    1879048191:
      id: gnu_versym
      doc: "The versions of symbols."
