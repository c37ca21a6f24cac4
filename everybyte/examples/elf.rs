//! 64-bit ELF: programs, libraries and objects. `cargo run -p everybyte-tests --example elf -- explain FILE`
//!
//! Source: System V Application Binary Interface, generic part, chapters 4 and 5, and `elf(5)`.

use everybyte::bits::*;
use everybyte::{
    Format,
    bytes::{Align, Zeros},
    codes, layout,
    list::{filling, rest},
    text::NulString,
    view::ByteOrder,
};

/// "ELF Header".
#[layout(view)]
#[brw(magic = b"\x7fELF")]
pub struct Elf {
    /// 2: 64 bits.
    #[br(assert(file_class == 2, "only files of 64 bits are declared"))]
    file_class: u8,
    data: Data,
    #[layout(rule("elf/version", error, ident_version == 1, "version {ident_version} is not defined"))]
    ident_version: u8,
    #[layout(fact)]
    abi: Abi,
    #[layout(fact)]
    abi_version: u8,
    reserved: Zeros<7>,
    #[layout(fact)]
    kind: Kind,
    #[layout(fact)]
    machine: Machine,
    #[layout(rule("elf/version", error, version == 1, "version {version} is not defined"))]
    version: u32,
    /// The address of the first instruction.
    #[layout(fact)]
    entry: u64,
    segments_offset: u64,
    sections_offset: u64,
    #[layout(fact)]
    flags: u32,
    #[layout(rule("elf/size", error, header_size == 64, "a header has 64 bytes"))]
    header_size: u16,
    #[layout(rule("elf/size", error, segment_size == if segments_offset == 0 { 0 } else { 56 } || segment_size == 56, "a segment has 56 bytes"))]
    segment_size: u16,
    #[br(temp)]
    segment_count: u16,
    #[layout(rule("elf/size", error, section_size == if sections_offset == 0 { 0 } else { 64 } || section_size == 64, "a section has 64 bytes"))]
    section_size: u16,
    #[br(temp)]
    section_count: u16,
    /// The section with the names of sections.
    #[layout(fact)]
    #[layout(rule("elf/names", error, names == 0 || names < section_count, "there is no section {names}"))]
    names: u16,
    #[br(if(segment_count > 0), count = segment_count)]
    #[layout(at = segments_offset)]
    #[layout(rule("elf/segments", error, if segments.is_empty() { segments_offset == 0 } else { segment_size == 56 }, "there are {} segments of {segment_size} bytes at {segments_offset}", segments.len()))]
    segments: Vec<Segment>,
    #[br(if(section_count > 0), count = section_count)]
    #[layout(at = sections_offset)]
    #[layout(rule("elf/sections", error, if sections.is_empty() { sections_offset == 0 } else { section_size == 64 }, "there are {} sections of {section_size} bytes at {sections_offset}", sections.len()))]
    #[layout(rule("elf/names", error, match sections.get(usize::from(names)) {
        Some(section) => section.kind == if names == 0 { SectionKind::NULL } else { SectionKind::STRTAB },
        None => names == 0,
    }, "the names of sections do not stand in section {names}"))]
    #[layout(rule("elf/link", error, sections.iter().all(|section| match (section.kind, sections.get(section.link as usize).map(|linked| linked.kind)) {
        (SectionKind::SYMTAB | SectionKind::DYNSYM | SectionKind::DYNAMIC | SectionKind::VERNEED, linked) => linked == Some(SectionKind::STRTAB),
        (SectionKind::HASH | SectionKind::GNU_HASH | SectionKind::VERSYM, linked) => matches!(linked, Some(SectionKind::SYMTAB | SectionKind::DYNSYM)),
        _ => true,
    }), "a section leads to another one of the wrong kind"))]
    sections: Vec<Section>,
    #[br(args(section.kind))]
    #[layout(each(section in sections), at = section.offset, size = match section.kind { SectionKind::NULL | SectionKind::NOBITS => 0, _ => section.size })]
    contents: Vec<Content>,
}

/// The byte order.
#[layout]
#[brw(repr = u8)]
enum Data {
    Little = 1,
    Big = 2,
}

codes! {
    /// The system.
    struct Abi(u8) {
        /// Unix.
        SYSV = 0 => "System V";
        /// Linux.
        GNU = 3 => "GNU";
    }
}

codes! {
    /// The kind of file.
    struct Kind(u16) {
        /// An object.
        REL = 1 => "relocatable";
        /// A program at a fixed address.
        EXEC = 2 => "executable";
        /// A library, or a program at any address.
        DYN = 3 => "shared";
        /// The memory of a program.
        CORE = 4 => "core";
    }
}

codes! {
    /// The processor.
    struct Machine(u16) {
        /// Intel 80386.
        X86 = 3 => "x86";
        /// AMD x86-64.
        X86_64 = 62 => "x86-64";
        /// ARM of 64 bits.
        AARCH64 = 183 => "aarch64";
        /// RISC-V.
        RISCV = 243 => "risc-v";
        /// Programs in Linux's kernel.
        BPF = 247 => "bpf";
    }
}

/// "Program Header": what is mapped into memory.
#[layout(view)]
struct Segment {
    #[layout(fact)]
    kind: SegmentKind,
    #[layout(fact)]
    flags: SegmentFlags,
    /// Its first byte in the file, which is one of a section, too.
    #[layout(fact)]
    offset: u64,
    #[layout(fact)]
    address: u64,
    #[layout(fact)]
    physical: u64,
    #[layout(fact)]
    file_size: u64,
    #[layout(fact)]
    memory_size: u64,
    #[layout(fact)]
    alignment: u64,
}

codes! {
    /// The kind of a segment.
    struct SegmentKind(u32) {
        /// Unused.
        NULL = 0 => "null";
        /// Mapped.
        LOAD = 1 => "load";
        /// For the linker.
        DYNAMIC = 2 => "dynamic";
        /// The path of the linker.
        INTERP = 3 => "interp";
        /// Notes.
        NOTE = 4 => "note";
        /// The table of segments.
        PHDR = 6 => "phdr";
        /// Variables of each thread.
        TLS = 7 => "tls";
        /// Frames for exceptions.
        EH_FRAME = 0x6474_E550 => "gnu-eh-frame";
        /// The rights of the stack.
        STACK = 0x6474_E551 => "gnu-stack";
        /// Read-only after relocation.
        RELRO = 0x6474_E552 => "gnu-relro";
        /// Properties.
        PROPERTY = 0x6474_E553 => "gnu-property";
    }
}

/// The rights of a segment.
#[layout(bits = 32)]
struct SegmentFlags {
    execute: bool,
    write: bool,
    read: bool,
    other: B29,
}

/// "Sections".
#[layout(view)]
struct Section {
    /// An offset in the section with the names.
    #[layout(fact)]
    name: u32,
    #[layout(fact)]
    #[layout(rule("elf/unused", error, kind != SectionKind::NULL || name == 0, "an unused section has a name"))]
    kind: SectionKind,
    #[layout(fact)]
    flags: SectionFlags,
    #[layout(fact)]
    address: u64,
    #[layout(place = outer::contents)]
    offset: u64,
    #[layout(extent = outer::contents)]
    size: u64,
    /// Another section, such as that with the names of symbols.
    #[layout(fact)]
    link: u32,
    #[layout(fact)]
    info: u32,
    #[layout(fact)]
    alignment: u64,
    #[layout(fact)]
    #[layout(rule("elf/entry", error, match kind {
        SectionKind::SYMTAB | SectionKind::DYNSYM | SectionKind::RELA => entry_size == 24,
        SectionKind::REL | SectionKind::DYNAMIC => entry_size == 16,
        _ => true,
    }, "entries of this kind do not have {entry_size} bytes"))]
    entry_size: u64,
}

codes! {
    /// The kind of a section.
    struct SectionKind(u32) {
        /// Unused.
        NULL = 0 => "null";
        /// Instructions and data of the program.
        PROGBITS = 1 => "progbits";
        /// Symbols.
        SYMTAB = 2 => "symtab";
        /// Texts.
        STRTAB = 3 => "strtab";
        /// Relocations.
        RELA = 4 => "rela";
        /// A hash table.
        HASH = 5 => "hash";
        /// For the linker.
        DYNAMIC = 6 => "dynamic";
        /// Notes.
        NOTE = 7 => "note";
        /// Zeros, which the file does not have.
        NOBITS = 8 => "nobits";
        /// Relocations without addends.
        REL = 9 => "rel";
        /// Symbols for the linker.
        DYNSYM = 11 => "dynsym";
        /// Functions that run first.
        INIT_ARRAY = 14 => "init-array";
        /// Functions that run last.
        FINI_ARRAY = 15 => "fini-array";
        /// Sections that belong together.
        GROUP = 17 => "group";
        /// A hash table of GNU.
        GNU_HASH = 0x6FFF_FFF6 => "gnu-hash";
        /// Versions that are needed.
        VERNEED = 0x6FFF_FFFE => "gnu-verneed";
        /// The versions of symbols.
        VERSYM = 0x6FFF_FFFF => "gnu-versym";
    }
}

/// The attributes of a section.
#[layout(bits = 64)]
struct SectionFlags {
    write: bool,
    allocated: bool,
    execute: bool,
    unused: bool,
    merge: bool,
    strings: bool,
    info_link: bool,
    link_order: bool,
    system: bool,
    group: bool,
    thread: bool,
    compressed: bool,
    other: B52,
}

/// The content of a section.
#[layout(match = kind, view)]
#[br(import(kind: SectionKind))]
enum Content {
    /// Nothing stands in the file.
    #[when(SectionKind::NULL | SectionKind::NOBITS)]
    Nothing {},
    /// "Symbol Table".
    #[when(SectionKind::SYMTAB | SectionKind::DYNSYM)]
    Symbols {
        #[br(parse_with = filling(u64::MAX))]
        symbols: Vec<Symbol>,
    },
    /// "String Table".
    #[when(SectionKind::STRTAB)]
    Strings {
        #[br(parse_with = filling(u64::MAX))]
        strings: Vec<NulString>,
    },
    /// "Relocation".
    #[when(SectionKind::RELA)]
    Relocations {
        #[br(parse_with = filling(u64::MAX))]
        relocations: Vec<Relocation>,
    },
    /// "Dynamic Section".
    #[when(SectionKind::DYNAMIC)]
    Dynamic {
        #[br(parse_with = filling(u64::MAX))]
        entries: Vec<DynamicEntry>,
    },
    /// "Note Section".
    #[when(SectionKind::NOTE)]
    Notes {
        #[br(parse_with = filling(u64::MAX))]
        notes: Vec<Note>,
    },
    /// Addresses of functions.
    #[when(SectionKind::INIT_ARRAY | SectionKind::FINI_ARRAY)]
    Functions {
        #[br(parse_with = filling(u64::MAX))]
        functions: Vec<u64>,
    },
    /// Everything else.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// An entry of a symbol table.
#[layout(view)]
struct Symbol {
    /// An offset in the section with the names of symbols.
    #[layout(fact)]
    name: u32,
    #[layout(fact)]
    info: SymbolInfo,
    #[layout(fact)]
    visibility: u8,
    #[layout(fact)]
    section: u16,
    #[layout(fact)]
    value: u64,
    #[layout(fact)]
    size: u64,
}

/// The kind of a symbol, and who sees it.
#[layout(bits = 8)]
struct SymbolInfo {
    kind: B4,
    binding: B4,
}

/// A place in the program that depends on a symbol.
#[layout(view)]
struct Relocation {
    #[layout(fact)]
    offset: u64,
    #[layout(fact)]
    kind: u32,
    #[layout(fact)]
    symbol: u32,
    #[layout(fact)]
    addend: i64,
}

/// A fact for the linker.
#[layout(view)]
struct DynamicEntry {
    #[layout(fact)]
    tag: u64,
    #[layout(fact)]
    value: u64,
}

/// A note of a tool.
#[layout(view)]
struct Note {
    #[br(temp)]
    name_length: u32,
    #[br(temp)]
    length: u32,
    #[layout(fact)]
    kind: u32,
    #[br(count = name_length)]
    name: Vec<u8>,
    name_padding: Align<4>,
    #[br(count = length)]
    description: Vec<u8>,
    padding: Align<4>,
}

impl Format for Elf {
    const NAME: &'static str = "ELF";
    const PADDING: Option<u8> = Some(0);
    const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 5, bytes: b"\x02" };
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Elf>()
}
