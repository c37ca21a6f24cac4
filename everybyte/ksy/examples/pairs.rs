//! Reads random pairs of a specification and a file: none may cause a panic or exceed a bound.
//!
//! `pairs SEED COUNT FOLDER…` changes the specifications in some folders, and prints a row of a table: the number of
//! pairs, of pairs whose specification loads, and of files that a bound cut short; the longest time of a pair, the peak
//! memory of the process in MiB, and the bounds that were exceeded. The status is 1 if a bound was exceeded.

#![allow(clippy::disallowed_methods, reason = "it trusts the files that it is given")]

use everybyte_ksy::Spec;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The number of expression steps that a file may take: per byte, and the fixed part.
const STEPS: [u64; 2] = [256, 16 << 20];

/// Words that change the meaning of a specification when they replace others.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "0x7fffffff",
    "0xffffffffffffffff",
    "_io.size",
    "_io.pos",
    "_io.eof",
    "_index",
    "_parent",
    "_root",
    "a",
    "b",
    "length",
    "count",
    "body",
    "u1",
    "u2le",
    "u4be",
    "s8le",
    "f4be",
    "b1",
    "b7",
    "b64",
    "str",
    "strz",
    "eos",
    "expr",
    "until",
    "size-eos: true",
    "repeat: eos",
    "repeat: expr",
    "repeat-expr: 3",
    "repeat-until: _ == 0",
    "size: 0",
    "size: 2",
    "type: u1",
    "type: b3",
    "pos: 0",
    "pos: _io.pos",
    "process: zlib",
    "process: xor(3)",
    "if: false",
    "enum: kinds",
    "encoding: UTF-16LE",
    "terminator: 0",
    "consume: false",
    "valid: 1",
    "contents: [1]",
    "parent: _root",
    "io: _root._io",
    "-check: crc32(a)",
    "-role: extent of body",
    "-role: counts body..",
    "? 1 : 2",
    " + ",
    " * ",
    " / ",
    " % ",
    " << ",
    ".size",
    ".first",
    "[0]",
    ".to_s",
    ".to_i",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ": ",
    ", ",
    "\n  ",
    "\n",
];

/// Words that can replace each other in most specifications.
const ALIKE: &[&[&str]] = &[
    &["0", "1", "2", "3", "7", "8", "16", "255", "256", "65535", "0x7fffffff", "0xffffffffffffffff", "-1"],
    &[
        "u1", "u2", "u4", "u8", "s1", "s2", "s4", "s8", "f4", "f8", "b1", "b3", "b8", "b13", "b64", "u2be", "u4le",
        "f8be",
    ],
    &["str", "strz"],
    &["le", "be"],
    &["true", "false"],
    &["UTF-8", "ASCII", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "IBM437", "SJIS"],
    &["_parent", "_root"],
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
    &["==", "!=", "<", ">", "<=", ">="],
    &["size", "pos", "eof", "length", "first", "last", "min", "max"],
    &["xor", "rol", "ror", "zlib"],
    &["size", "repeat-expr", "pos", "if"],
];

/// Random numbers, which are the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        // The step and the shifts of SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn pick<'l, T: ?Sized>(&mut self, list: &[&'l T]) -> &'l T {
        list[self.below(list.len())]
    }
}

/// Returns one of the specifications, changed in a few places.
fn specification(texts: &[String], chance: &mut Chance) -> String {
    let mut text = texts[chance.below(texts.len())].clone();
    for _ in 0..chance.below(5) {
        let lines: Vec<&str> = text.lines().collect();
        let line = chance.below(lines.len());
        let edited = match (chance.below(10), lines.get(line)) {
            (0, Some(_)) => [&lines[..line], &lines[line + 1..]].concat().join("\n"),
            (1, Some(again)) => [&lines[..line], &[again], &lines[line..]].concat().join("\n"),
            (2, Some(_)) => {
                let other: Vec<&str> = texts[chance.below(texts.len())].lines().collect();
                let other = other[chance.below(other.len())];
                [&lines[..line], &[other], &lines[line..]].concat().join("\n")
            }
            (3, _) => word(&text, chance),
            _ => alike(&text, chance),
        };
        text = edited + "\n";
    }
    text
}

/// Returns the text with a word replaced by a similar one.
fn alike(text: &str, chance: &mut Chance) -> String {
    let list = ALIKE[chance.below(ALIKE.len())];
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let is_whole = |place: usize, word: &str| {
        !text[..place].ends_with(is_part) && !text[place + word.len()..].starts_with(is_part)
    };
    let found: Vec<(usize, &str)> =
        list.iter().flat_map(|word| text.match_indices(word)).filter(|&(place, word)| is_whole(place, word)).collect();
    if found.is_empty() {
        return text.to_owned();
    }
    let (place, word) = found[chance.below(found.len())];
    format!("{}{}{}", &text[..place], chance.pick(list), &text[place + word.len()..])
}

/// Returns the text with a word replaced by any other one.
fn word(text: &str, chance: &mut Chance) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let starts: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    let Some(&at) = starts.get(chance.below(starts.len())) else { return text.to_owned() };
    let begin = text[..at].rfind(|letter| !is_part(letter)).map_or(0, |place| place + 1);
    let begin = (begin..=at).find(|&place| text.is_char_boundary(place)).unwrap_or(at);
    let end = text[at..].find(|letter| !is_part(letter)).map_or(text.len(), |length| at + length);
    format!("{}{}{}", &text[..begin], chance.pick(WORDS), &text[end.max(begin)..])
}

/// Creates a file: random bytes, small numbers, or one byte repeated.
fn file(chance: &mut Chance) -> Vec<u8> {
    let most = *[&16, &256, &4096][chance.below(3)];
    let length = chance.below(most);
    let byte = chance.next() as u8;
    let kind = chance.below(3);
    let bytes = (0..length).map(|_| match kind {
        0 => chance.next() as u8,
        1 => (chance.next() % 5) as u8,
        _ => byte,
    });
    bytes.collect()
}

/// Returns the peak memory of the process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or_default() << 10
}

fn texts(folders: &[String]) -> Vec<String> {
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ksy"))
        .collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(seed), Some(count)) = (number(&arguments, 0), number(&arguments, 1)) else {
        eprintln!("pairs SEED COUNT FOLDER…");
        return ExitCode::from(2);
    };
    let texts = texts(&arguments[2..]);
    if texts.is_empty() {
        eprintln!("no folder has a specification");
        return ExitCode::from(2);
    }
    let mut chance = Chance(seed);
    let (mut loaded, mut limited, mut slowest, mut crossed) = (0, 0, Duration::ZERO, 0);
    for pair in 0..count {
        let (text, file) = (specification(&texts, &mut chance), file(&mut chance));
        let began = Instant::now();
        let Ok(spec) = text.parse::<Spec>() else { continue };
        loaded += 1;
        let findings = spec.explain(&file).findings;
        let took = began.elapsed();
        limited += u64::from(findings.iter().any(|finding| finding.rule == "limit"));
        slowest = slowest.max(took);
        let steps = STEPS[0] * file.len() as u64 + STEPS[1];
        if took > Duration::from_secs(1) + Duration::from_micros(steps) {
            crossed += 1;
            eprintln!("pair {pair} of seed {seed} takes {took:?}: {} bytes\n{text}", file.len());
        }
    }
    // The longest file has 4 KiB; the program itself also takes some memory.
    let memory = peak();
    crossed += u64::from(memory > (64 << 20) + 32 * 4096 + (16 << 20));
    let seconds = slowest.as_secs_f64();
    println!("| {seed} | {count} | {loaded} | {limited} | {seconds:.3} | {} | {crossed} |", memory >> 20);
    ExitCode::from(u8::from(crossed > 0))
}

fn number(arguments: &[String], place: usize) -> Option<u64> {
    arguments.get(place)?.parse().ok()
}
