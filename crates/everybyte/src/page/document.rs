//! The document around the data of a page.

use super::assets::{Look, hash};
use super::card::Card;
use std::fmt::{self, Display, Formatter, Write};

/// The findings that are listed where scripts do not run.
const LISTED: usize = 20;

/// Returns whether a file that begins with `head` is a page that `maker` made.
pub fn is_page(head: &[u8], maker: &str) -> bool {
    let mark = generator(maker);
    head.windows(mark.len()).any(|bytes| bytes == mark.as_bytes())
}

/// The mark that tells the pages of a program from those of others.
fn generator(maker: &str) -> String {
    format!("<meta name=\"generator\" content=\"{}\">", Escaped(maker))
}

/// The page: a skeleton, which the script fills.
pub struct Document<'a> {
    /// The name of the program that makes the page.
    pub maker: &'a str,
    /// The summary for those who run no scripts.
    pub summary: Summary,
    /// The data, as JSON.
    pub island: &'a str,
    /// The script and the style.
    pub look: Look,
}

/// The summary that is shown where scripts do not run.
pub struct Summary {
    title: String,
    facts: String,
    findings: Vec<String>,
}

impl Summary {
    /// A title, a line of facts, and the first ones of `all` findings.
    pub fn new(title: &str, facts: String, findings: &[Card], all: usize) -> Self {
        let mut listed: Vec<String> = findings.iter().take(LISTED).map(Card::line).collect();
        match all - listed.len() {
            0 => {}
            more => listed.push(format!("{more} more")),
        }
        Summary { title: title.to_owned(), facts, findings: listed }
    }
}

impl Display for Document<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Look { script, style } = self.look;
        let Summary { title, facts, findings } = &self.summary;
        write!(f, "{}", Head { maker: self.maker, title, style, scripts: &hash(script) })?;
        write!(f, "<noscript><h1><bdi>{}</bdi></h1><p>{}</p><ul>", Escaped(title), Escaped(facts))?;
        for finding in findings {
            write!(f, "<li>{}</li>", Escaped(finding))?;
        }
        write!(
            f,
            "</ul><p>The fields and bytes of this page need its script. \
             The command {} explain prints them as text.</p></noscript>\n\
             <script type=\"application/json\" id=\"data\">",
            Escaped(self.maker)
        )?;
        write_island(f, self.island)?;
        write!(f, "</script>\n<script>{}</script>\n</body>\n</html>\n", Parts(script))
    }
}

/// The beginning of a page, up to the first letter of its body.
pub struct Head<'a> {
    /// The name of the program that makes the page.
    pub maker: &'a str,
    /// The title of the window.
    pub title: &'a str,
    /// The style, in parts.
    pub style: &'a [&'a str],
    /// The scripts that the policy allows, by their hash: `'none'` for none.
    pub scripts: &'a str,
}

impl Display for Head<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Head { maker, title, style, scripts } = self;
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; \
             script-src {scripts}; img-src data:; base-uri 'none'; form-action 'none'\">\n\
             <title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
            generator(maker),
            hash(style),
            Escaped(title),
            Parts(style)
        )
    }
}

/// Parts of a text, one after the other.
pub struct Parts<'a>(pub &'a [&'a str]);

impl Display for Parts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| f.write_str(part))
    }
}

/// Writes JSON so that nothing in it is markup. Outside of texts it has none of these letters.
fn write_island(f: &mut Formatter<'_>, json: &str) -> fmt::Result {
    let is_special = |letter: char| matches!(letter, '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
    let mut rest = json;
    while let Some(at) = rest.find(is_special) {
        let letter = rest[at..].chars().next().expect("there is a letter");
        write!(f, "{}\\u{:04x}", &rest[..at], u32::from(letter))?;
        rest = &rest[at + letter.len_utf8()..];
    }
    f.write_str(rest)
}

/// Text without markup.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            letter => f.write_char(letter),
        })
    }
}
