//! The share of inputs that each costly question is asked of. The input's bytes decide, so that a crash repeats.

use crate::random::Random;
use std::env;
use std::sync::LazyLock;

/// A question that only a share of the inputs is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// A check of the structure alone gives no worse verdict.
    Structure,
    /// A stream gives the same findings.
    Stream,
    /// A path gives the same findings and the same values.
    Path,
    /// Profile strict has no rule that profile reference lacks.
    Reference,
    /// Byte maps tile their spaces.
    Map,
    /// Little memory gives the same findings, or says that there is not enough.
    Confined,
    /// A description fits the content.
    Info,
    /// Traced and untraced parsing agree, and what was parsed is written back.
    Layouts,
    /// Options that are more lenient change nothing that was accepted.
    Lenient,
    /// Elements are read in every way.
    Elements,
    /// Values are written to a scratch file and read again.
    Rewrite,
    /// The tool's `check` says the same to people, and about standard input.
    ToolCheck,
    /// The tool's `info` keeps its promises.
    ToolInfo,
    /// The tool's `explain` does.
    ToolExplain,
    /// The tool's `cat` does.
    ToolCat,
    /// The tool's `show` does.
    ToolShow,
    /// The tool's page does.
    ToolPage,
}

impl Question {
    /// One input in this number is asked.
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

/// Returns whether every question is asked of every input.
pub fn is_everything_asked() -> bool {
    static EVERYTHING: LazyLock<bool> = LazyLock::new(|| env::var_os("NDBYTES_FUZZ_EVERYTHING").is_some());
    *EVERYTHING
}

/// Asks one of some questions, or each of them if every question is asked.
pub fn ask_one_of<Q>(questions: impl AsRef<[Q]>, random: &mut Random, mut ask: impl FnMut(&Q, &mut Random)) {
    let questions = questions.as_ref();
    let chosen = random.below(questions.len() as u64) as usize;
    for (number, question) in questions.iter().enumerate() {
        if number == chosen || is_everything_asked() {
            ask(question, random);
        }
    }
}

/// The decisions about one input.
#[derive(Debug, Clone, Copy)]
pub struct Share(u64);

impl Share {
    /// Those that follow from these bytes.
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
