//! The HTML document that contains the data of a page.
//!
//! The data is JSON in a script element that does not run. The characters `<`, `>` and `&` are escaped, so nothing in
//! a file can end the element. The content security policy names the script and the style by their hashes and allows
//! nothing else: even if text from a file became markup, it could neither run nor load anything.

use super::assets::{Look, hash};
use super::card::Card;
use std::fmt::{self, Display, Formatter, Write};

/// The number of findings that are listed if scripts do not run.
const LISTED: usize = 20;

/// Returns whether a file that begins with `head` is a page made by `maker`.
pub fn is_page(head: &[u8], maker: &str) -> bool {
    let mark = generator(maker);
    head.windows(mark.len()).any(|bytes| bytes == mark.as_bytes())
}

/// Returns the marker that distinguishes the pages of this program from other documents.
fn generator(maker: &str) -> String {
    format!("<meta name=\"generator\" content=\"{}\">", Escaped(maker))
}

/// The page as a skeleton that the script fills in.
///
/// ```
/// use everybyte::page::{Document, Summary, assets::FILE, is_page};
///
/// let summary = Summary::new("a.note", "note, 3 bytes, ok".to_owned(), &[], 0);
/// let html = Document { maker: "notes", summary, island: r#"{"title": "</script>"}"#, look: FILE }.to_string();
/// assert!(html.contains(r#"{"title": "\u003c/script\u003e"}"#), "data cannot end the script");
/// assert!(is_page(html.as_bytes(), "notes"));
/// ```
pub struct Document<'a> {
    /// The name of the program that makes the page.
    pub maker: &'a str,
    /// The summary for browsers that do not run scripts.
    pub summary: Summary,
    /// The data, as JSON.
    pub island: &'a str,
    /// The script and the style.
    pub look: Look,
}

/// The summary that is shown if scripts are disabled.
///
/// ```
/// use everybyte::page::{Document, Summary, assets::FILE};
///
/// let summary = Summary::new("a.note", "note, 3 bytes, ok".to_owned(), &[], 0);
/// let html = Document { maker: "notes", summary, island: "{}", look: FILE }.to_string();
/// assert!(html.contains("<noscript><h1><bdi>a.note</bdi></h1><p>note, 3 bytes, ok</p>"));
/// ```
pub struct Summary {
    title: String,
    facts: String,
    findings: Vec<String>,
}

impl Summary {
    /// Creates a summary from a title, a line of facts, and the first of `all` findings.
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

/// The beginning of a page, up to the start of its body.
///
/// ```
/// use everybyte::page::Head;
///
/// let head = Head { maker: "notes", title: "a < b", style: &["body { margin: 0 }"], scripts: "'none'" }.to_string();
/// assert!(head.contains("<title>a &lt; b</title>") && head.contains("script-src 'none'"));
/// ```
pub struct Head<'a> {
    /// The name of the program that makes the page.
    pub maker: &'a str,
    /// The title of the window.
    pub title: &'a str,
    /// The style, in parts.
    pub style: &'a [&'a str],
    /// The scripts that the policy allows, by hash; `'none'` if there are none.
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

/// Consecutive parts of one text.
///
/// ```
/// use everybyte::page::Parts;
///
/// assert_eq!(Parts(&["body {", " margin: 0 ", "}"]).to_string(), "body { margin: 0 }");
/// ```
pub struct Parts<'a>(pub &'a [&'a str]);

impl Display for Parts<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| f.write_str(part))
    }
}

/// Writes JSON so that nothing in it can be markup. Outside of strings, JSON does not contain the characters of markup.
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

/// Text with its markup escaped.
///
/// ```
/// use everybyte::page::Escaped;
///
/// assert_eq!(Escaped("<b> & \"c\"").to_string(), "&lt;b&gt; &amp; &quot;c&quot;");
/// ```
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
