//! The text about the files of two commits, for a pull request. Names and values are escaped in it.

use std::fmt::Write as _;

/// GitHub takes 65,536 characters for a comment.
const MOST: usize = 60_000;
const MOST_OF_A_FILE: usize = 8000;
const MOST_OF_THE_TABLE: usize = 10_000;
const MOST_OF_A_NAME: usize = 300;
const MOST_OF_A_VERDICT: usize = 200;
const MOST_OF_A_TITLE: usize = 400;

/// A comparison as it is told.
pub struct Told {
    /// The path, or both of them if they differ.
    pub name: String,
    /// The line that says what is compared.
    pub title: String,
    pub verdict: String,
    pub text: String,
    pub is_different: bool,
}

/// The text in the making.
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

/// The beginning of a text, with whole letters.
fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The beginning of a text in an element whose content is no Markdown.
fn plain(text: &str, most: usize) -> String {
    cut(text, most).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The beginning of a text, of which nothing is markup: neither of HTML nor of Markdown, nor a link or a mention.
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
