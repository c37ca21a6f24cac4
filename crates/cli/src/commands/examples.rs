//! Examples of the commands, for their help and their man pages.

/// A command, with lines that a user can type and their descriptions.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// The examples of each command that has any. A test parses all of them.
pub const EXAMPLES: [Examples; 15] = [
    (
        "info",
        &[
            ("ndbytes info field.b2nd", "type, shape, compression and metadata"),
            ("ndbytes info --json data/", "all files of a directory, one object per line"),
        ],
    ),
    (
        "check",
        &[
            ("ndbytes check data/", "every file of a directory"),
            ("ndbytes check --list data/", "one verdict line per file"),
            ("ndbytes check --format sarif data/", "findings for code scanning"),
            ("ndbytes check --deny-warnings -q data/", "only the exit status; fail on warnings"),
        ],
    ),
    (
        "fix",
        &[
            ("ndbytes fix --dry-run data/", "what can be repaired"),
            ("ndbytes fix data/ --out clean/", "repaired copies"),
        ],
    ),
    ("seal", &[("ndbytes seal data/", "then `ndbytes check --sealed data/` detects changes")]),
    (
        "explain",
        &[
            ("ndbytes explain x-idx3-ubyte", "every byte, field by field"),
            ("ndbytes explain --html=x.html x.npy", "the same as a page for the browser"),
            ("ndbytes explain idx/trailing-bytes", "a rule, with a file that violates it"),
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
            ("ndbytes diff --atol 1e-6 --sort abs old.npy new.npy", "with a tolerance, largest differences first"),
            ("ndbytes diff --html=runs.html old/ new/", "two directories, as a page for the browser"),
        ],
    ),
    (
        "convert",
        &[
            ("ndbytes convert images-idx3-ubyte.gz images.npy", "for NumPy"),
            ("ndbytes convert t.idv t.parquet", "a table"),
            ("ndbytes convert --to parquet --out-dir tables/ data/", "each file of a directory"),
        ],
    ),
    ("merge", &[("ndbytes merge base.npy ours.npy theirs.npy --out merged.npy", "combine the changes of two people")]),
    (
        "forge",
        &[
            ("ndbytes forge --broken all out/", "a broken file for each rule"),
            ("ndbytes forge --mutate --from x.npy --count 100 out/", "100 mutants of a file"),
        ],
    ),
    ("rules", &[("ndbytes rules idx/", "the rules of IDX")]),
    (
        "schema",
        &[
            ("ndbytes schema npy", "the fields of .npy files"),
            ("ndbytes schema --ksy b2nd", "the layout for Kaitai Struct"),
        ],
    ),
    ("git", &[("ndbytes git setup", "in a repository, once per clone"), ("ndbytes git check", "what git will use")]),
];

/// Returns the examples of a command.
pub fn of(command: &str) -> &'static [(&'static str, &'static str)] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// Returns the examples of a command as text, which is shown below its help.
pub fn text(command: &str) -> Option<String> {
    let examples = of(command);
    let width = examples.iter().map(|(line, _)| line.chars().count()).max()?;
    let lines = examples.iter().map(|(line, what)| format!("  {line:width$}  {what}"));
    Some(format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n")))
}
