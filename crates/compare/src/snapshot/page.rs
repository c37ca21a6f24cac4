//! The text under construction: escaped lines of bounded length, in sections of bounded size.
//!
//! File content enters a snapshot only through [`Page`], which escapes and bounds it. So code that prints fields or
//! values cannot forget to do so.

use everybyte::numerals::grouped;

/// The longest line, in characters.
pub const LONGEST_LINE: usize = 2000;

/// Lines of a text. File content can reach the text only through it.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    /// The length at which the section ends.
    end: usize,
    /// The number of lines that did not fit into the section.
    left: u64,
}

impl Page {
    /// Begins a section of at most `bytes` bytes.
    pub fn section(&mut self, bytes: usize) {
        self.finish_section();
        self.end = self.text.len() + bytes;
    }

    /// Adds a line: invisible characters and those that control a terminal are escaped, and a long line is cut.
    pub fn line(&mut self, line: &str) {
        let line = shown(line);
        // Reserve room for the line that states how many are missing.
        if self.left > 0 || self.text.len() + line.len() + 64 > self.end {
            self.left += 1;
            return;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn finish_section(&mut self) {
        if self.left > 0 {
            let lines = if self.left == 1 { "line" } else { "lines" };
            self.text.push_str(&format!("… and {} more {lines}\n", grouped(self.left)));
        }
        self.left = 0;
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        self.finish_section();
        self.text
    }
}

/// Returns a line to show.
pub fn shown(line: &str) -> String {
    let mut letters = line.chars();
    let head: String = letters.by_ref().take(LONGEST_LINE).collect();
    let is_cut = letters.next().is_some();
    let escaped = everybyte::escape(&head);
    if !is_cut && escaped.chars().count() <= LONGEST_LINE {
        return escaped;
    }
    escaped.chars().take(LONGEST_LINE - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Page, shown};

    #[test]
    fn lines_are_escaped_and_cut() {
        assert_eq!(shown("a\u{1b}[31m\u{202e}\n\"é\""), "a\\u{1b}[31m\\u{202e}\\n\"é\"");
        let long = shown(&"\u{1}".repeat(LONGEST_LINE));
        assert_eq!((long.chars().count(), long.ends_with('…')), (LONGEST_LINE, true));
    }

    #[test]
    fn sections_say_what_they_leave_out() {
        let mut page = Page::default();
        page.section(100);
        (0..100).for_each(|line| page.line(&format!("line {line}")));
        page.section(200);
        page.line("next");
        assert_eq!(page.finish(), "line 0\nline 1\nline 2\nline 3\nline 4\n… and 95 more lines\nnext\n");
    }
}
