//! The commands, with arguments for a file.

/// The placeholder for the file, and for another of its kind.
const FILE: &str = "{file}";
const OTHER: &str = "{other}";

/// The placeholder for a file to write, of a kind that can hold the same content.
const TARGET: &str = "{target}";

/// A command that reads files, with some of its options.
pub struct Question {
    pub arguments: &'static [&'static str],
}

/// All commands that read files. A command that reads files in several ways is listed once for each.
pub const QUESTIONS: [Question; 23] = [
    Question { arguments: &["info", FILE] },
    Question { arguments: &["info", "--digest", FILE] },
    Question { arguments: &["check", FILE] },
    Question { arguments: &["check", "--depth", "structure", FILE] },
    Question { arguments: &["seal", "--broken", "--out", "a.seal", FILE] },
    Question { arguments: &["explain", FILE] },
    Question { arguments: &["explain", "--html", "a.html", FILE] },
    Question { arguments: &["cat", FILE] },
    Question { arguments: &["cat", "--all", FILE] },
    Question { arguments: &["cat", "--json", FILE] },
    Question { arguments: &["stats", FILE] },
    Question { arguments: &["show", FILE] },
    Question { arguments: &["fix", "--all", "--force", "--out", "fixed", FILE] },
    Question { arguments: &["diff", FILE, OTHER] },
    Question { arguments: &["diff", "--structure-only", FILE, OTHER] },
    Question { arguments: &["diff", "--values-only", FILE, OTHER] },
    Question { arguments: &["convert", "--force", "--lossy", FILE, TARGET] },
    Question { arguments: &["merge", "--force", "--conflicts=ours", "--out", TARGET, FILE, OTHER, OTHER] },
    Question { arguments: &["forge", "--mutate", "--from", FILE, "mutants"] },
    Question { arguments: &["textconv", FILE] },
    Question { arguments: &["check", "--sealed=of.seal", FILE] },
    Question { arguments: &["check", "--config", "worst.toml", FILE] },
    // The last one changes the file.
    Question { arguments: &["forge", "--mutate", "--in-place", FILE] },
];

impl Question {
    /// The arguments for an array.
    pub fn about(&self, array: &str) -> Vec<String> {
        self.filled(array, array, "out/target.npy")
    }

    /// The arguments for a file, another file, and a target.
    pub fn filled(&self, file: &str, other: &str, target: &str) -> Vec<String> {
        let filled = |argument: &&str| match *argument {
            FILE => file.to_owned(),
            OTHER => other.to_owned(),
            TARGET => target.to_owned(),
            other => other.to_owned(),
        };
        self.arguments.iter().map(filled).collect()
    }

    pub fn command(&self) -> &'static str {
        self.arguments[0]
    }
}
