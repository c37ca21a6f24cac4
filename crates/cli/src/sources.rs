//! The kinds of sources that each command supports, as a table for the book, made from two lists. A test runs every
//! command on a source of every kind.

use std::fmt::Write;

/// The content of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// One array.
    Array,
    /// Several arrays; a path may select one.
    Arrays,
    /// One table.
    Table,
}

/// A kind of source that a path can name.
#[derive(Debug, Clone, Copy)]
pub struct SourceKind {
    /// The name in the book.
    pub name: &'static str,
    /// A path of this kind.
    pub example: &'static str,
    /// The content.
    pub holds: Holds,
    /// Whether ndbytes has rules for its bytes.
    pub has_rules: bool,
    /// Whether it is a complete file or directory, or a complete member, rather than a slice.
    pub is_whole: bool,
}

const fn source(name: &'static str, example: &'static str, holds: Holds, has_rules: bool) -> SourceKind {
    SourceKind { name, example, holds, has_rules, is_whole: true }
}

/// All kinds of sources.
pub const SOURCES: [SourceKind; 17] = [
    source("array", "a.npy", Holds::Array, true),
    source("table", "t.idv", Holds::Table, true),
    SourceKind { is_whole: false, ..source("slice", "a.npy[:2]", Holds::Array, true) },
    source("file in gzip", "a.npy.gz", Holds::Array, true),
    source("member of an archive", "all.npz!a.npy", Holds::Array, true),
    source("`.npz`", "all.npz", Holds::Arrays, true),
    source("Zarr array", "one.zarr", Holds::Array, false),
    source("Zarr store", "all.zarr", Holds::Arrays, false),
    source("array of a Zarr store", "all.zarr!a", Holds::Array, false),
    source("Zarr in a zip archive", "all.zarr.zip", Holds::Arrays, false),
    source("safetensors", "all.safetensors", Holds::Arrays, true),
    source("GGUF", "all.gguf", Holds::Arrays, true),
    source("tensor", "all.safetensors!a", Holds::Array, true),
    source("table of python-blosc2", "t.b2z", Holds::Table, true),
    source("Parquet", "t.parquet", Holds::Table, false),
    source("Arrow, Feather", "t.arrow", Holds::Table, false),
    source("CSV, JSON Lines", "t.jsonl", Holds::Table, false),
];

/// How a command handles a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The command works.
    Yes,
    /// The command refuses with a sentence that contains these words.
    Says(&'static str),
}

/// A command, and how it handles a kind of source.
pub type CommandAnswers = (&'static str, fn(&SourceKind) -> Answer);

/// Returns the answer of a command that accepts only a single array.
const fn one(source: &SourceKind) -> Answer {
    match (source.holds, source.has_rules) {
        (Holds::Arrays, true) => Answer::Says("name one of its members"),
        (Holds::Arrays, false) => Answer::Says("choose one"),
        _ => Answer::Yes,
    }
}

const WHOLE: Answer = Answer::Says("does not accept slices");

/// Returns the answer of a command that needs rules: what it says about a source without them.
const fn by_rules(source: &SourceKind, otherwise: &'static str) -> Answer {
    match (source.has_rules, source.is_whole) {
        (true, true) => Answer::Yes,
        (true, false) => WHOLE,
        (false, _) => Answer::Says(otherwise),
    }
}

/// All commands that read sources.
pub const COMMANDS: [CommandAnswers; 12] = [
    ("info", |it| if it.is_whole { Answer::Yes } else { WHOLE }),
    ("check", |it| if it.is_whole { Answer::Yes } else { WHOLE }),
    ("cat", one),
    ("stats", |_| Answer::Yes),
    ("show", |it| match it.holds {
        Holds::Table => Answer::Says("only arrays can be drawn"),
        Holds::Array | Holds::Arrays => one(it),
    }),
    ("diff", |_| Answer::Yes),
    ("explain", |it| by_rules(it, "does not know its bytes")),
    ("convert", |_| Answer::Yes),
    ("merge", |it| match (it.has_rules, it.is_whole) {
        // Tensors are merged one by one.
        (true, true) if it.holds == Holds::Arrays && it.name != "`.npz`" => one(it),
        (true, true) => Answer::Yes,
        (true, false) => WHOLE,
        (false, _) => Answer::Says("does not merge it"),
    }),
    ("seal", |it| match it.has_rules && it.example.contains('!') {
        true => Answer::Says("a seal covers complete files"),
        false => by_rules(it, "its parts are not known to a seal"),
    }),
    ("fix", |it| by_rules(it, "no rules to repair it by")),
    ("textconv", |it| if it.is_whole { Answer::Yes } else { WHOLE }),
];

/// Returns the table of commands and kinds of sources, in Markdown.
pub fn table() -> String {
    let mut text = String::from("| source | path |");
    let mut line = String::from("|---|---|");
    for (name, _) in COMMANDS {
        // Writing to a string cannot fail.
        let _ = write!(text, " `{name}` |");
        line += ":-:|";
    }
    let _ = writeln!(text, "\n{line}");
    for source in &SOURCES {
        let _ = write!(text, "| {} | `{}` |", source.name, source.example);
        for (_, answer) in COMMANDS {
            let cell = if answer(source) == Answer::Yes { "yes" } else { "no" };
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text
}
