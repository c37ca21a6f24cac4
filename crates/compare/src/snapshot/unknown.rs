//! Files in unknown formats, as text or as bytes.

use super::page::Page;
use super::short;
use crate::digest;
use ndbytes::internals::Debit;
use ndbytes::{Input, Result};

/// Files up to this length are shown completely.
const MOST_SHOWN: u64 = 4096;

/// The number of bytes that are shown of longer files.
const SHOWN: u64 = 256;

/// The maximum number of folds in longer files.
const MOST_FOLDS: u64 = 64;

/// The number of bytes on a line.
const A_LINE: usize = 16;

/// Adds the content: text as lines or bytes in hexadecimal, followed by folds if the file is long.
pub fn add(input: &Input<'_>, page: &mut Page) -> Result<()> {
    let shown = if input.length() <= MOST_SHOWN { input.length() } else { SHOWN };
    let debit = Debit::new(input.budget());
    let head = &input.seen(0..shown, &debit)?[..];
    let text = std::str::from_utf8(head).ok().filter(|text| text.chars().all(is_written));
    match text {
        Some(text) => text.lines().for_each(|line| page.line(&format!("  {line}"))),
        None => dump(head, page),
    }
    if shown == input.length() {
        return Ok(());
    }
    let step = (input.length().next_power_of_two() / MOST_FOLDS).max(1);
    let mut start = 0;
    while start < input.length() {
        let end = input.length().min(start + step);
        let mut hasher = blake3::Hasher::new();
        digest::update(&mut hasher, input, start..end)?;
        page.line(&format!("  bytes {start:#x}..{end:#x} {}", short(hasher.finalize().as_bytes())));
        start = end;
    }
    Ok(())
}

fn is_written(letter: char) -> bool {
    matches!(letter, '\n' | '\t' | '\r') || !letter.is_control()
}

/// Writes sixteen bytes per line. Lines that repeat the previous one are counted.
fn dump(bytes: &[u8], page: &mut Page) {
    let mut lines = bytes.chunks(A_LINE).peekable();
    while let Some(line) = lines.next() {
        let mut times = 1;
        while lines.next_if_eq(&line).is_some() {
            times += 1;
        }
        let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
        let letters: String = line.iter().map(|&byte| if is_seen(byte) { byte as char } else { '.' }).collect();
        let times = if times > 1 { format!("  ({times} times)") } else { String::new() };
        page.line(&format!("  {:<47}  {letters}{times}", hex.join(" ")));
    }
}

fn is_seen(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_graphic()
}
