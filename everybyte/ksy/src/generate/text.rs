//! The text of generated code.

/// The maximum width of a line.
const WIDTH: usize = 100;

/// A field of a layout.
#[derive(Debug, Clone, Default)]
pub struct Item {
    pub doc: String,
    pub name: String,
    /// The name of the field in maps, if it differs.
    pub shown: Option<String>,
    pub ty: String,
    /// `big` or `little`.
    pub order: Option<&'static str>,
    /// The directives of `#[br(…)]`.
    pub br: Vec<String>,
    /// The options of `#[layout(…)]`.
    pub options: Vec<String>,
    /// The maximum number of bytes of the field, as declared and as a 128-bit number.
    pub size: Option<(String, String)>,
    /// The parameters of its type.
    pub parameters: Vec<String>,
}

impl Item {
    /// Returns the declaration, for a type with the byte order `around`.
    pub fn text(&self, around: Option<&str>, is_public: bool) -> String {
        let mut text = doc(&self.doc, "    ");
        if let Some(order) = self.order.filter(|&order| around != Some(order)) {
            text.push_str(&format!("    #[brw({order})]\n"));
        }
        if !self.br.is_empty() {
            text.push_str(&format!("    #[br({})]\n", self.br.join(", ")));
        }
        let name = self.shown.iter().map(|shown| format!("name = {shown:?}"));
        let size = self.size.iter().map(|(size, _)| format!("size = {size}"));
        for option in name.chain(self.options.iter().cloned()).chain(size) {
            text.push_str(&format!("    #[layout({option})]\n"));
        }
        let (before, ty) = (format!("    {}{}:", if is_public { "pub " } else { "" }, self.name), &self.ty);
        // A line that is too long is broken as rustfmt breaks it.
        let space = if before.len() + ty.len() + 2 > WIDTH { "\n        " } else { " " };
        text + &format!("{before}{space}{ty},\n")
    }
}

/// Returns a doc comment. Indented lines and fences would be code, which a user's tests would run.
pub fn doc(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    for line in text.trim().lines() {
        let line = line.trim().replace("```", "'''");
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        lines.push_str(format!("{indent}/// {line}").trim_end());
        lines.push('\n');
    }
    lines
}

/// Returns the message of a rule: a format string without arguments.
pub fn words(text: &str) -> String {
    format!("{:?}", text.replace('{', "{{").replace('}', "}}"))
}

/// Returns bytes as an array, or as text if they are letters.
pub fn array(bytes: &[u8]) -> String {
    if bytes.iter().all(|&byte| byte == b' ' || byte.is_ascii_graphic()) {
        return format!("*b\"{}\"", bytes.escape_ascii());
    }
    let all: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    format!("[{}]", all.join(", "))
}
