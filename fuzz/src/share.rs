//! The share of inputs for which each costly question is asked. The input's bytes decide, so that a crash is reproducible.

use crate::random::Random;
use std::env;
use std::sync::LazyLock;

/// A question that is asked about only a share of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// A check of only the structure does not have a worse verdict.
    Structure,
    /// A stream has the same findings.
    Stream,
    /// A path has the same findings and the same values.
    Path,
    /// Every rule in profile strict is also in profile reference.
    Reference,
    /// Byte maps cover their spaces.
    Map,
    /// With little memory, the findings are the same, or report that there is not enough.
    Confined,
    /// A description matches the content.
    Info,
    /// Traced and untraced parsing agree, and parsed values are written back.
    Layouts,
    /// More lenient options do not change accepted files.
    Lenient,
    /// Elements are read in every way.
    Elements,
    /// Values are written to a scratch file and read again.
    Rewrite,
    /// The tool's `check` has the same result as text, and for standard input.
    ToolCheck,
    /// The tool's `info` keeps its guarantees.
    ToolInfo,
    /// The tool's `explain` keeps them.
    ToolExplain,
    /// The tool's `cat` keeps them.
    ToolCat,
    /// The tool's `show` keeps them.
    ToolShow,
    /// The tool's page keeps them.
    ToolPage,
}

impl Question {
    /// The question is asked about one input in this many.
    pub fn one_in(self) -> u64 {
        match self {
            Question::Structure | Question::Elements => 4,
            Question::ToolCheck | Question::ToolInfo | Question::ToolExplain => 4,
            Question::ToolCat | Question::ToolShow | Question::ToolPage => 4,
            Question::Stream | Question::Reference | Question::Info | Question::Lenient => 16,
            Question::Map | Question::Layouts => 32,
            Question::Path | Question::Confined | Question::Rewrite => 64,
        }
    }
}

/// Returns whether every question is asked about every input.
pub fn is_everything_asked() -> bool {
    static EVERYTHING: LazyLock<bool> = LazyLock::new(|| env::var_os("NDBYTES_FUZZ_EVERYTHING").is_some());
    *EVERYTHING
}

/// Asks one of the questions, or each of them if every question is asked.
pub fn ask_one_of<Q>(questions: impl AsRef<[Q]>, random: &mut Random, mut ask: impl FnMut(&Q, &mut Random)) {
    let questions = questions.as_ref();
    let chosen = random.below(questions.len() as u64) as usize;
    for (number, question) in questions.iter().enumerate() {
        if number == chosen || is_everything_asked() {
            ask(question, random);
        }
    }
}

/// The decisions for one input.
#[derive(Debug, Clone, Copy)]
pub struct Share(u64);

impl Share {
    /// Makes the decisions based on these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let (words, rest) = bytes.as_chunks::<8>();
        let word = |sum: u64, word: u64| (sum.rotate_left(29) ^ word).wrapping_mul(FACTOR);
        let sum = words.iter().fold(bytes.len() as u64, |sum, &bytes| word(sum, u64::from_le_bytes(bytes)));
        Share(rest.iter().fold(sum, |sum, &byte| word(sum, byte.into())))
    }

    /// Returns whether a question is asked. Questions are chosen independently of each other.
    pub fn asks(self, question: Question) -> bool {
        let mixed =
            (self.0 ^ (question as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x94D0_49BB_1331_11EB);
        is_everything_asked() || (mixed >> 40).is_multiple_of(question.one_in())
    }
}
