//! Examples of the commands, for their help and their manual pages.

/// A command, and lines that a user types with what they do.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// The examples of each command that has some. A test parses all of them.
pub const EXAMPLES: [Examples; 13] = [
    (
        "info",
        &[
            ("ndbytes info field.b2nd", "type, shape, compression and metadata"),
            ("ndbytes info --json data/", "all files of a folder, an object a line"),
        ],
    ),
    (
        "check",
        &[
            ("ndbytes check data/", "every file of a folder"),
            ("ndbytes check --list data/", "a line with the verdict for each file"),
            ("ndbytes check --format sarif data/", "findings for services that show code"),
            ("ndbytes check --deny-warnings -q data/", "the exit status alone; warnings count"),
        ],
    ),
    (
        "fix",
        &[
            ("ndbytes fix --dry-run data/", "what can be repaired"),
            ("ndbytes fix data/ --out clean/", "repaired copies"),
        ],
    ),
    ("seal", &[("ndbytes seal data/", "digests, which `ndbytes check --sealed data/` compares")]),
    (
        "explain",
        &[
            ("ndbytes explain x-idx3-ubyte", "every byte, field by field"),
            ("ndbytes explain --html x.npy", "the same as a page"),
        ],
    ),
    ("cat", &[("ndbytes cat 'x.npy[0, 5:8]'", "a slice"), ("ndbytes cat -n 5 t.idv", "the first rows of a table")]),
    (
        "show",
        &[("ndbytes show field.npy", "in the terminal"), ("ndbytes show field.npy --out field.png", "as a picture")],
    ),
    (
        "stats",
        &[("ndbytes stats field.npy", "range, mean, NaN and a histogram"), ("ndbytes stats arrays.npz", "each member")],
    ),
    (
        "diff",
        &[
            ("ndbytes diff old.npy new.npy", "what differs, and where"),
            ("ndbytes diff --atol 1e-6 --sort abs old.npy new.npy", "beyond a tolerance, the largest first"),
            ("ndbytes diff --html runs.html old/ new/", "two folders as a page"),
        ],
    ),
    (
        "convert",
        &[
            ("ndbytes convert images-idx3-ubyte.gz images.npy", "for NumPy"),
            ("ndbytes convert t.idv t.parquet", "a table"),
            ("ndbytes convert --to parquet --out-dir tables/ data/", "each file of a folder"),
        ],
    ),
    ("merge", &[("ndbytes merge base.npy ours.npy theirs.npy --out merged.npy", "changes that do not overlap")]),
    ("forge", &[("ndbytes forge --broken all out/", "a file for each rule")]),
    ("rules", &[("ndbytes rules idx/", "the rules of IDX")]),
];

/// The examples of a command.
pub fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// The examples of a command as text, below its help.
pub fn text(command: &str) -> Option<String> {
    let examples = of(command);
    let width = examples.iter().map(|(line, _)| line.chars().count()).max()?;
    let lines = examples.iter().map(|(line, what)| format!("  {line:width$}  {what}"));
    Some(format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n")))
}
