//! The report on the files of two commits, for a pull request, with names and values escaped.
//!
//! Paths, column names and values come from a stranger's commit, and GitHub renders them as Markdown on behalf of a
//! bot. Everything is escaped as HTML, cut, and put into `<pre>`. Each part is bounded, so one huge difference cannot
//! displace the others from the comment.

use std::fmt::Write as _;

/// The maximum length of a comment. GitHub accepts 65,536 characters.
const MOST: usize = 60_000;
/// The maximum number of bytes of the report on one file. GitHub refuses comments of more than 65,536 characters, so
/// the parts must be short enough for several files to fit.
const MOST_OF_A_FILE: usize = 8000;
/// The maximum number of bytes of the table of all files.
const MOST_OF_THE_TABLE: usize = 10_000;
/// The maximum number of bytes of a path. Paths come from the proposed commit, and may have any length.
const MOST_OF_A_NAME: usize = 300;
/// The maximum number of bytes of a verdict.
const MOST_OF_A_VERDICT: usize = 200;
/// The maximum number of bytes of a title, which may contain two paths.
const MOST_OF_A_TITLE: usize = 400;

/// A comparison in the report.
pub struct Told {
    /// The path, or both paths if they differ.
    pub name: String,
    /// The line that names the compared files.
    pub title: String,
    pub verdict: String,
    pub text: String,
    pub is_different: bool,
}

/// The report under construction.
#[derive(Default)]
pub struct Comment {
    pub compared: u64,
    pub different: u64,
    differing: String,
    same: String,
    rows_left_out: u64,
    parts: String,
    parts_left_out: u64,
}

impl Comment {
    /// Adds the comparison of a file: a row of the table, and a folded section if there is room.
    pub fn add(&mut self, told: &Told) {
        // The first file that differs is unfolded.
        let open = if told.is_different && self.different == 0 { " open" } else { "" };
        self.compared += 1;
        self.different += u64::from(told.is_different);
        let (name, verdict) = (escaped(&told.name, MOST_OF_A_NAME), escaped(&told.verdict, MOST_OF_A_VERDICT));
        let row = format!("| <code>{name}</code> | {verdict} |\n");
        if self.differing.len() + self.same.len() + row.len() <= MOST_OF_THE_TABLE {
            if told.is_different { self.differing += &row } else { self.same += &row }
        } else {
            self.rows_left_out += 1;
        }
        let (title, verdict) = (escaped(&told.title, MOST_OF_A_TITLE), escaped(&told.verdict, MOST_OF_A_TITLE));
        let text = plain(&told.text, MOST_OF_A_FILE);
        let part = format!(
            "<details{open}><summary><code>{title}</code>: {verdict}</summary>\n\n<pre>\n{text}\n</pre>\n</details>\n\n"
        );
        if self.parts.len() + part.len() <= MOST { self.parts += &part } else { self.parts_left_out += 1 }
    }

    /// Returns the comment in Markdown. Its first line marks it, so that a workflow can find and replace its own
    /// comment.
    pub fn text(&self) -> String {
        let mut text = "<!-- ndbytes -->\n### Binary array files\n\n".to_owned();
        if self.compared == 0 {
            text += "No binary array file has changed.\n";
            return text;
        }
        let Comment { compared, different, differing, same, rows_left_out, parts, parts_left_out } = self;
        let _ = write!(
            text,
            "Compared: {compared}. Different: {different}.\n\n| file | verdict |\n|---|---|\n{differing}{same}"
        );
        if *rows_left_out > 0 {
            let _ = writeln!(text, "| … {rows_left_out} more | |");
        }
        text += "\n";
        text += parts;
        if *parts_left_out > 0 {
            let _ = writeln!(text, "Not shown here: {parts_left_out}. The pages of this run have them.");
        }
        text
    }
}

/// Returns the beginning of a text, without splitting a character.
fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Puts the beginning of a text in an element whose content is not Markdown.
fn plain(text: &str, most: usize) -> String {
    cut(text, most).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the beginning of a text, escaped so that it contains no HTML, Markdown, link or mention.
fn escaped(text: &str, most: usize) -> String {
    let (text, mut escaped, mut before) = (cut(text, most), String::new(), "");
    for (place, letter) in text.char_indices() {
        let is_link = (letter == '/' && before.ends_with('/')) || (letter == '.' && before.ends_with("www"));
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '|' | '*' | '_' | '`' | '[' | ']' | '!' | '~' | '#' | '@' | '\\' | '$' | '^' => {
                let _ = write!(escaped, "&#{};", letter as u32);
            }
            _ if is_link => {
                let _ = write!(escaped, "&#{};", letter as u32);
            }
            _ => escaped.push(letter),
        }
        before = &text[..place + letter.len_utf8()];
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escaped, plain};

    #[test]
    fn a_text_is_cut_between_letters() {
        for most in 0..7 {
            let whole = "é".repeat(most / 2);
            assert_eq!((plain("éééé", most), escaped("éééé", most)), (whole.clone(), whole));
        }
    }

    #[test]
    fn a_link_and_a_mention_are_none() {
        assert_eq!(escaped("https://e.org www.e.org @all", 99), "https:/&#47;e.org www&#46;e.org &#64;all");
        assert_eq!(escaped("![a](b)|**c**", 99), "&#33;&#91;a&#93;(b)&#124;&#42;&#42;c&#42;&#42;");
    }
}
