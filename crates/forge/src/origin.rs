//! The origin of a forged file: a given file, a valid one, or the base of a breaker.

use super::forged_file::ForgedFile;
use super::kind::Kind;
use super::register::breakers;
use everybyte::forge::Choices;
use std::fmt;
use std::str::FromStr;

/// The first line of a recipe after its title: the file that the steps start from.
///
/// ```
/// use ndbytes_forge::Origin;
///
/// let origin: Origin = "from valid size=4096 seed=7".parse()?;
/// assert_eq!(origin, Origin::Valid { size: 4096, seed: 7 });
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// `from file NAME blake3=…`: a file, with its name for people and the digest of its bytes.
    File {
        /// Its name, which has no effect.
        name: String,
        /// The BLAKE3 digest of its bytes in hexadecimal; empty if it is unknown.
        digest: String,
    },
    /// `from valid size=… seed=…`: a complete valid file.
    Valid {
        /// Its approximate maximum size in bytes.
        size: usize,
        /// The seed of its choices.
        seed: u64,
    },
    /// `from choices size=… x"…"`: a complete valid file whose choices come from bytes.
    Choices {
        /// Its approximate maximum size in bytes.
        size: usize,
        /// The bytes for the choices.
        bytes: Vec<u8>,
    },
    /// `from base RULE seed=…`: a file for the breaker of a rule.
    Base {
        /// The id of the rule.
        rule: &'static str,
        /// The seed of its choices.
        seed: u64,
    },
}

impl Origin {
    /// Creates the file; `None` if it must be given, or if these choices do not produce one.
    pub(super) fn make(&self, kind: Kind) -> Option<ForgedFile> {
        match self {
            Origin::File { .. } => None,
            Origin::Valid { size, seed } => Some((kind.driver().valid)(&mut Choices::seeded(*seed), *size)),
            Origin::Choices { size, bytes } => Some((kind.driver().valid)(&mut Choices::of_bytes(bytes), *size)),
            Origin::Base { rule, seed } => {
                let (_, breaker) = breakers(rule).find(|(of, _)| *of == kind)?;
                (breaker.from)(&mut Choices::seeded(*seed))
            }
        }
    }

    /// An existing file.
    pub(super) fn of_file(name: &str, file: &[u8]) -> Self {
        Origin::File { name: name.to_owned(), digest: digest(file) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { name, digest } if digest.is_empty() => write!(f, "from file {}", everybyte::escape(name)),
            Origin::File { name, digest } => write!(f, "from file {} blake3={digest}", everybyte::escape(name)),
            Origin::Valid { size, seed } => write!(f, "from valid size={size} seed={seed}"),
            Origin::Choices { size, bytes } => {
                write!(f, "from choices size={size} x\"")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                f.write_str("\"")
            }
            Origin::Base { rule, seed } => write!(f, "from base {rule} seed={seed}"),
        }
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let words = line.strip_prefix("from ").ok_or("the line does not begin with `from`")?;
        let (what, rest) = words.split_once(' ').unwrap_or((words, ""));
        match what {
            "file" => {
                let (name, digest) = rest.rsplit_once(" blake3=").unwrap_or((rest, ""));
                Ok(Origin::File { name: name.to_owned(), digest: digest.to_owned() })
            }
            "valid" => Ok(Origin::Valid { size: size(rest)?, seed: number(rest, "seed")? }),
            "choices" => {
                let stated = rest.split(' ').next_back().and_then(|word| word.strip_prefix("x\"")?.strip_suffix('"'));
                let bytes = stated.and_then(bytes).ok_or("the line is missing the bytes of the choices, x\"…\"")?;
                Ok(Origin::Choices { size: size(rest)?, bytes })
            }
            "base" => {
                let id = rest.split(' ').next().unwrap_or_default();
                let (_, breaker) =
                    breakers(id).next().ok_or_else(|| format!("no breaker exists for the rule {id:?}"))?;
                Ok(Origin::Base { rule: breaker.rule, seed: number(rest, "seed")? })
            }
            other => Err(format!("expected `file`, `valid`, `choices` or `base`, not {other:?}")),
        }
    }
}

fn size(words: &str) -> Result<usize, String> {
    let size = number(words, "size")?;
    usize::try_from(size).map_err(|_| format!("the size {size} is too large"))
}

/// Parses hexadecimal digits; `None` if they are anything else.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()).collect()
}

/// Parses the number after `NAME=`.
fn number(words: &str, name: &str) -> Result<u64, String> {
    let stated = words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let stated = stated.ok_or_else(|| format!("the line is missing `{name}=`"))?;
    stated.parse().map_err(|_| format!("{name} must be a number, not {stated:?}"))
}

/// Returns the digest of a file, as stated in recipes.
pub(super) fn digest(file: &[u8]) -> String {
    blake3::hash(file).to_hex().to_string()
}
