//! The origin of a forged file: a file that was there, a valid one, or one that suits a breaker.

use super::kind::Kind;
use super::register::breakers;
use super::whole::Whole;
use everybyte::forge::Choices;
use std::fmt;
use std::str::FromStr;

/// The first line of a recipe after its title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// `from file NAME blake3=…`: a file, its name for people, and the digest of its bytes.
    File {
        /// Its name; it has no effect.
        name: String,
        /// The BLAKE3 digest of its bytes, in hexadecimal; empty if none is known.
        digest: String,
    },
    /// `from valid size=… seed=…`: a whole valid file.
    Valid {
        /// About the maximum number of bytes that it has.
        size: usize,
        /// The seed of its choices.
        seed: u64,
    },
    /// `from choices size=… x"…"`: a whole valid file whose choices were bytes.
    Choices {
        /// About the maximum number of bytes that it has.
        size: usize,
        /// The bytes of the choices.
        bytes: Vec<u8>,
    },
    /// `from base RULE seed=…`: a file that suits the breaker of a rule.
    Base {
        /// The id of the rule.
        rule: &'static str,
        /// The seed of its choices.
        seed: u64,
    },
}

impl Origin {
    /// Makes the file; `None` if it is one that has to be given, or if these choices lead to none.
    pub(super) fn make(&self, kind: Kind) -> Option<Whole> {
        match self {
            Origin::File { .. } => None,
            Origin::Valid { size, seed } => Some((kind.craft().valid)(&mut Choices::seeded(*seed), *size)),
            Origin::Choices { size, bytes } => Some((kind.craft().valid)(&mut Choices::of_bytes(bytes), *size)),
            Origin::Base { rule, seed } => {
                let (_, breaker) = breakers(rule).find(|(of, _)| *of == kind)?;
                (breaker.from)(&mut Choices::seeded(*seed))
            }
        }
    }

    /// A file that is there.
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
                    breakers(id).next().ok_or_else(|| format!("no breaker is known of a rule {id:?}"))?;
                Ok(Origin::Base { rule: breaker.rule, seed: number(rest, "seed")? })
            }
            other => Err(format!("a file comes from `file`, `valid`, `choices` or `base`, not from {other:?}")),
        }
    }
}

fn size(words: &str) -> Result<usize, String> {
    let size = number(words, "size")?;
    usize::try_from(size).map_err(|_| format!("the size {size} is too large"))
}

/// The bytes of hexadecimal digits; `None` if they are something else.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()).collect()
}

/// The number after `NAME=`.
fn number(words: &str, name: &str) -> Result<u64, String> {
    let stated = words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let stated = stated.ok_or_else(|| format!("the line is missing `{name}=`"))?;
    stated.parse().map_err(|_| format!("{name} is {stated:?}, and has to be a number"))
}

/// The digest of a file, as recipes state it.
pub(super) fn digest(file: &[u8]) -> String {
    blake3::hash(file).to_hex().to_string()
}
