//! Generates definitions in ImHex's pattern language. See <https://docs.werwolv.net/pattern-language>.
//!
//! The language is imperative: a type must be declared before it is used, so types are sorted by their contents, and
//! types that contain each other get a forward declaration. It cannot read elements until a condition holds, so it
//! needs more parameters than Kaitai Struct.

mod places;
mod values;
mod varint;

use super::around::magic_of;
use super::elements::Amount;
use super::expression::Language;
use super::plan::{Condition, FieldPlan, Need, Parameter, Planner, Structure, is_signed};
use super::subject::{Subject, marked, snake_case};
use super::texts::{has_letters, lost_in_imhex};
use crate::byte_order::ByteOrder;
use crate::digits::Digits;
use crate::escape::escape;
use crate::reference::{Bits, CodeDoc, FieldDoc, TypeDoc, TypeKind};
use crate::role::Origin;
use crate::terms::{Content, Form, TextForm};
use binrw::Endian;
use std::collections::BTreeSet;
use std::fmt::Write;
use varint::varint;

/// The operators of ImHex's pattern language.
const LANGUAGE: Language = Language {
    and: "&&",
    or: "||",
    not: "!",
    value: ".value",
    text: ".text",
    marked: ".value",
    whole: "",
    code_type: str::to_owned,
    length_of: |field| format!("sizeof({field})"),
    element: |list| format!("parent.{list}[std::core::array_index()]"),
    has_elements: false,
};

/// Prints a format as a definition for ImHex.
///
/// Each structure is a `struct`; the first one is placed at the beginning of the file. Structures at offsets are included too,
/// so that you can place them: `Columns<…> columns @ header.columns_offset;`.
pub fn imhex(subject: Subject<'_>) -> String {
    let planner = Planner { language: &LANGUAGE, pages: subject.pages() };
    let Some(root) = planner.pages.first().copied() else { return String::new() };
    let mut file = File { planner: &planner, helpers: Vec::new() };
    // A type comes after the types that it uses.
    let (mut order, mut declared) = (Vec::new(), String::new());
    for page in &planner.pages {
        visit(&planner, page, &mut Vec::new(), &mut order);
    }
    // Types that contain each other are the exception.
    let is_later = |place: usize, field: &FieldDoc| {
        let target = planner.target(&field.form);
        target.filter(|target| order[place..].iter().any(|later| later.name == target.name))
    };
    let later = order.iter().enumerate().flat_map(|(place, page)| {
        let fields = super::plan::structures(page).into_iter().flat_map(|(_, fields)| fields);
        fields.filter_map(move |field| is_later(place, field))
    });
    let forward: BTreeSet<&str> = later.map(|page| page.name.as_str()).collect();
    for &page in &order {
        file.page(page, &mut declared);
    }
    let mut text = format!(
        "// Made from the declarations with which such files are read; not to be edited.\n\
         #pragma description {}\n#pragma endian {}\n\nimport std.core;\nimport std.mem;\n{}\n",
        line(subject.title),
        if subject.order(root) == Some(Endian::Big) { "big" } else { "little" },
        file.imports(),
    );
    text += &stated_order(root, subject.byte_order);
    for name in forward {
        writeln!(text, "using {name};").unwrap();
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    file.helpers.iter().for_each(|(_, helper)| text += helper);
    text += &declared;
    let given: Vec<String> = file.arguments_of(root);
    match given.is_empty() {
        true => writeln!(text, "{} {} @ 0x00;", root.name, snake_case(&root.name)).unwrap(),
        false => writeln!(
            text,
            "// Give it its parameters: {}<{}> {} @ 0x00;",
            root.name,
            given.join(", "),
            snake_case(&root.name)
        )
        .unwrap(),
    }
    marked("//", text)
}

/// Returns the lines for files that state their byte order.
fn stated_order(root: &TypeDoc, byte_order: ByteOrder) -> String {
    if root.endian.is_some() {
        return String::new();
    }
    if let ByteOrder::BigIf { at, bytes } = byte_order {
        let (size, mark) = (bytes.len(), bytes.iter().fold(0, |all, &byte| all << 8 | u128::from(byte)));
        return format!(
            "std::core::set_endian(std::mem::read_unsigned({at}, {size}, std::mem::Endian::Big) == {mark:#x} \
             ? std::mem::Endian::Big : std::mem::Endian::Little);\n\n"
        );
    }
    let words =
        "// NOT EXACT: a file may have the other byte order, which its magic shows. Then use `#pragma endian big`.\n\n";
    magic_of(root).map(|_| words.to_owned()).unwrap_or_default()
}

/// Adds the types that a page uses before the page itself.
fn visit<'b>(planner: &Planner<'_, 'b>, page: &'b TypeDoc, open: &mut Vec<&'b str>, order: &mut Vec<&'b TypeDoc>) {
    if open.contains(&page.name.as_str()) || order.iter().any(|known| known.name == page.name) {
        return;
    }
    open.push(&page.name);
    for field in super::plan::structures(page).into_iter().flat_map(|(_, fields)| fields) {
        if let Some(next) = planner.target(&field.form) {
            visit(planner, next, open, order);
        }
    }
    if let TypeKind::Bits(runs) = &page.kind {
        for next in runs.iter().filter_map(|run| planner.page(&run.type_name)) {
            visit(planner, next, open, order);
        }
    }
    open.pop();
    order.push(page);
}

/// A definition that is being written.
struct File<'p, 'l, 'b> {
    planner: &'p Planner<'l, 'b>,
    /// Helper types that no layout declares: the name and the text of each.
    helpers: Vec<(String, String)>,
}

impl<'b> File<'_, '_, 'b> {
    /// The names of a page's parameters.
    fn arguments_of(&self, page: &'b TypeDoc) -> Vec<String> {
        let declared = self.planner.parameters(page).into_iter().map(|parameter| parameter.id);
        declared.chain(self.planner.needs(page).into_iter().map(|need| need.name)).collect()
    }

    /// Writes a type.
    fn page(&mut self, page: &'b TypeDoc, text: &mut String) {
        if !matches!(page.kind, TypeKind::Structure(_)) {
            comment(&page.doc, "", text);
        }
        match &page.kind {
            TypeKind::Codes(codes) => enumeration(page, codes, self.code_size(page), text),
            TypeKind::Bits(runs) => bits(runs, page, text),
            TypeKind::Structure(_) => {
                let plans = self.planner.plan(page);
                self.structure((&page.name, &page.doc), page, &plans[0], text);
            }
            TypeKind::Choice(_) => self.choice(page, text),
        }
        text.push('\n');
    }

    /// The size of a code in bytes, in the fields that contain it.
    fn code_size(&self, page: &TypeDoc) -> u64 {
        let fields =
            self.planner.pages.iter().flat_map(|page| super::plan::structures(page)).flat_map(|(_, fields)| fields);
        let sizes = fields.filter_map(|field| match &field.form {
            Form::Page(name, size) if *name == page.name => *size,
            _ => None,
        });
        sizes.max().unwrap_or(1)
    }

    /// Writes the name of a type with its template parameters.
    fn head(&mut self, name: &str, parameters: &[Parameter<'_>], needs: &[Need], text: &mut String) {
        for need in needs {
            comment(&format!("Parameter `{}`, an expression of the declaration: {}", need.name, need.doc), "", text);
        }
        let names: Vec<String> = parameters
            .iter()
            .map(|parameter| parameter.id.as_str())
            .chain(needs.iter().map(|need| need.name.as_str()))
            .map(|name| format!("auto {name}"))
            .collect();
        match names.is_empty() {
            true => writeln!(text, "struct {name} {{").unwrap(),
            false => writeln!(text, "struct {name}<{}> {{", names.join(", ")).unwrap(),
        }
    }

    fn structure(
        &mut self,
        (name, doc): (&str, &str),
        page: &'b TypeDoc,
        structure: &Structure<'b>,
        text: &mut String,
    ) {
        let (endian, mut members) = (self.planner.order(page), String::new());
        if let Some(words) = self.planner.ambiguous_order(page) {
            comment(&format!("NOT EXACT: {words}"), "", text);
        }
        let is_in_file = self.planner.is_in_the_file(page);
        for plan in &structure.fields {
            match plan.place.as_ref().is_some_and(|place| place.each.is_some()) {
                true => self.each(name, plan, endian, (text, &mut members)),
                false => self.field(plan, endian, is_in_file, &mut members),
            }
        }
        comment(doc, "", text);
        self.head(name, &structure.parameters, &structure.needs, text);
        text.push_str(&members);
        text.push_str("};\n");
    }

    /// Writes one structure per alternative, and one that contains the alternative whose condition holds.
    fn choice(&mut self, page: &'b TypeDoc, text: &mut String) {
        let conditions = self.planner.conditions(page);
        let mut own = String::new();
        for (structure, Condition { variant, text: condition, inexact, .. }) in
            self.planner.plan(page).iter().zip(conditions)
        {
            let name = format!("{}{}", page.name, variant.name);
            self.structure((&name, &variant.doc), page, structure, text);
            let given: Vec<&str> = structure
                .parameters
                .iter()
                .map(|parameter| parameter.id.as_str())
                .chain(structure.needs.iter().map(|need| need.name.as_str()))
                .collect();
            let arguments = if given.is_empty() { String::new() } else { format!("<{}>", given.join(", ")) };
            if let Some(words) = inexact {
                comment(&format!("NOT EXACT: {words}"), "    ", &mut own);
            }
            let field = snake_case(&variant.name);
            writeln!(own, "    if ({condition}) {name}{arguments} {field};").unwrap();
        }
        self.head(&page.name, &self.planner.parameters(page), &self.planner.needs(page), text);
        text.push_str(&own);
        text.push_str("};\n");
    }

    /// Writes a field, with a comment for everything that the definition cannot express.
    fn field(&mut self, plan: &FieldPlan<'b>, endian: Option<Endian>, is_in_file: bool, text: &mut String) {
        let field = plan.field;
        for words in plan.inexact.iter().chain(&lost(plan, is_in_file)) {
            comment(&format!("NOT EXACT: {words}"), "    ", text);
        }
        if field.form != Form::Calculated || plan.value.is_some() {
            comment(&field.purpose(), "    ", text);
        }
        if field.form == Form::Calculated {
            return self.valued(plan, text);
        }
        if let Some(opens) = &field.opens {
            comment(&format!("NOT EXACT: {}", opens.words(&opens.content)), "    ", text);
        }
        let condition = plan.condition.as_ref().map(|condition| format!("if ({condition}) ")).unwrap_or_default();
        let (ty, length) = match &field.form {
            Form::List(element) if is_filling(plan, is_in_file) => {
                (self.element(element, &plan.arguments, endian), Some("while(!std::mem::eof())".to_owned()))
            }
            _ => self.kind(plan, endian),
        };
        let length = length.map(|length| format!("[{length}]")).unwrap_or_default();
        let place = plan.place.as_ref().map(|place| match place.origin {
            Origin::Space => format!(" @ {}", place.at),
            Origin::Structure(_) => format!(" @ addressof(this) + {}", place.at),
            Origin::After(after) => format!(" @ addressof({after}) + sizeof({after}) + {}", place.at),
        });
        let (place, format) = (place.unwrap_or_default(), self.format(plan));
        writeln!(text, "    {condition}{ty} {}{length}{place}{format};", field.name).unwrap();
        self.valued(plan, text);
    }

    /// Returns the type of a field and the number of its elements.
    pub(super) fn kind(&mut self, plan: &FieldPlan<'b>, endian: Option<Endian>) -> (String, Option<String>) {
        let field = plan.field;
        let bytes = |amount: &Amount| match (amount, &plan.space) {
            (Amount::Of(size), _) | (_, Some(size)) => size.clone(),
            _ => "std::mem::size() - $".to_owned(),
        };
        match &field.form {
            Form::Text(text) if text.size.is_none() && !text.is_ended => (letter(text), Some(bytes(&plan.amount))),
            _ if field.parser.is_some() || plan.is_opaque => ("u8".to_owned(), Some(bytes(&plan.amount))),
            Form::Sized(Content::Bytes) | Form::Rest | Form::Opaque(None) => {
                ("u8".to_owned(), Some(bytes(&plan.amount)))
            }
            Form::Sized(_) => ("char".to_owned(), Some(bytes(&plan.amount))),
            Form::List(element) => (self.element(element, &plan.arguments, endian), Some(bytes(&plan.amount))),
            Form::Numbers => match &plan.number {
                Some(number) => (self.simple(number, endian), Some(bytes(&plan.amount))),
                None => ("u8".to_owned(), Some(bytes(&plan.amount))),
            },
            form => match self.array(form, &plan.arguments, endian) {
                Some((element, length)) => (element, Some(length)),
                None => (self.element(form, &plan.arguments, endian), None),
            },
        }
    }

    /// Returns the type of the elements of a form that the language writes as an array, and their number.
    fn array(&mut self, form: &Form, arguments: &[String], endian: Option<Endian>) -> Option<(String, String)> {
        let bytes = |length: String| Some(("u8".to_owned(), length));
        match form {
            Form::Array(count, element) => Some((self.element(element, arguments, endian), count.to_string())),
            Form::Bytes(size) | Form::Opaque(Some(size)) => bytes(size.to_string()),
            Form::Align(multiple) => bytes(format!("({multiple} - $ % {multiple}) % {multiple}")),
            Form::Fixed(fixed) => bytes(fixed.len().to_string()),
            Form::Text(text @ TextForm { size: Some(size), .. }) => Some((letter(text), size.to_string())),
            Form::NulString | Form::Text(TextForm { end: Some(0), .. }) => Some(("char".to_owned(), String::new())),
            _ => None,
        }
    }

    /// The type of an element in this byte order.
    fn element(&mut self, form: &Form, arguments: &[String], endian: Option<Endian>) -> String {
        if let Some((element, length)) = self.array(form, arguments, endian) {
            return self.help("Items", &format!("    {element} items[{length}];\n"));
        }
        match form {
            Form::Text(TextForm { end: Some(end), .. }) => {
                let text = format!("    char text[while(std::mem::read_unsigned($, 1) != {end:#04x})];\n");
                self.help(&format!("Ended{end:02X}"), &format!("{text}    u8 end;\n"))
            }
            Form::Ordered(own, form) => self.element(form, arguments, Some(*own)),
            Form::Page(name, size) => {
                let given = if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
                let kind = self.planner.page(name).map(|page| &page.kind);
                let is_number = matches!(kind, Some(TypeKind::Codes(_) | TypeKind::Bits(_)));
                let is_long = size.is_some_and(|size| size > 1);
                let order = if is_number && is_long { order(endian) } else { "" };
                format!("{order}{name}{given}")
            }
            form => self.simple(form, endian),
        }
    }

    /// The type of a number or text.
    fn simple(&mut self, form: &Form, endian: Option<Endian>) -> String {
        match form {
            Form::Integer { size: 1, is_signed } => if *is_signed { "s8" } else { "u8" }.to_owned(),
            Form::Integer { size, is_signed } => {
                format!("{}{}{}", order(endian), if *is_signed { "s" } else { "u" }, size * 8)
            }
            Form::Constant(size, _) => format!("{}u{}", order(endian), size * 8),
            Form::Float { size } => format!("{}{}", order(endian), if *size == 4 { "float" } else { "double" }),
            Form::Marked(marker, number) => {
                let (number, name) = (self.element(number, &[], endian), format!("Marked{marker:02X}"));
                self.help(&name, &format!("    u8 marker; // always 0x{marker:02x}\n    {number} value;\n"))
            }
            Form::Varint(coding) => self.help(&capitalised(coding.name()), &varint(*coding)),
            Form::Digits(digits) => {
                let name = capitalised(&digits.type_name());
                let Digits { base, size, .. } = digits;
                let value = format!("s64 value = std::string::parse_int(text, {base}) [[export]];");
                self.help(&name, &format!("    char text[{size}];\n    {value}\n"))
            }
            Form::Counted(length, mask, content) => {
                let ty = self.simple(length, endian);
                let value = if matches!(**length, Form::Varint(_)) { "length.value" } else { "length" };
                let value = if *mask == u64::MAX { value.to_owned() } else { format!("{value} & {mask}") };
                let name = format!("Counted{}", if matches!(**length, Form::Varint(_)) { &ty } else { "Byte" });
                let letter = if *content == Content::Bytes { "u8" } else { "char" };
                self.help(&name, &format!("    {ty} length;\n    {letter} text[{value}];\n"))
            }
            _ => "u8".to_owned(),
        }
    }

    /// Adds a helper structure if it has not been added yet, and returns its name, which no other type has.
    fn help(&mut self, name: &str, body: &str) -> String {
        let (mut own, mut number) = (name.to_owned(), 1);
        loop {
            let helper = format!("struct {own} {{\n{body}}};\n\n");
            let is_page = self.planner.pages.iter().any(|page| page.name == own);
            match self.helpers.iter().find(|(known, _)| *known == own) {
                Some((_, known)) if *known == helper => return own,
                None if !is_page => {
                    self.helpers.push((own.clone(), helper));
                    return own;
                }
                _ => number += 1,
            }
            own = format!("{name}{number}");
        }
    }

    /// Adds a helper type if it has not been added yet.
    fn add(&mut self, name: &str, helper: String) {
        if !self.helpers.iter().any(|(known, _)| known == name) {
            self.helpers.push((name.to_owned(), helper));
        }
    }
}

/// Returns the type of the characters of a text.
fn letter(text: &TextForm) -> String {
    if has_letters(text) { "char" } else { "u8" }.to_owned()
}

/// Returns the prefix for a byte order.
fn order(endian: Option<Endian>) -> &'static str {
    match endian {
        Some(Endian::Big) => "be ",
        Some(Endian::Little) => "le ",
        None => "",
    }
}

/// Converts `decimal text` to `DecimalText`.
fn capitalised(words: &str) -> String {
    let words = words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// Returns the lines of a comment.
fn comment(words: &str, indent: &str, text: &mut String) {
    if !words.is_empty() {
        writeln!(text, "{indent}// {}", line(words)).unwrap();
    }
}

/// Returns text on one line.
fn line(text: &str) -> String {
    escape(text)
}

/// Returns an integer, with a sign if it is negative.
fn number(code: i128) -> String {
    if code < 0 { code.to_string() } else { format!("{code:#x}") }
}

/// Writes the codes of a type as an enumeration.
fn enumeration(page: &TypeDoc, codes: &[CodeDoc], size: u64, text: &mut String) {
    let sign = if is_signed(codes) { 's' } else { 'u' };
    writeln!(text, "enum {} : {sign}{} {{", page.name, size * 8).unwrap();
    for code in codes {
        comment(&code.doc, "    ", text);
        writeln!(text, "    {} = {},", snake_case(&code.name), number(code.code)).unwrap();
    }
    text.push_str("};\n");
}

/// Writes the bit runs of an integer as a bitfield.
fn bits(runs: &[Bits], page: &TypeDoc, text: &mut String) {
    writeln!(text, "bitfield {} {{", page.name).unwrap();
    for run in runs {
        comment(&run.doc, "    ", text);
        match (run.type_name.as_str(), run.width) {
            ("", 1) => writeln!(text, "    bool {} : 1;", run.name).unwrap(),
            ("", width) => writeln!(text, "    {} : {width};", run.name).unwrap(),
            (code, width) => writeln!(text, "    {code} {} : {width};", run.name).unwrap(),
        }
    }
    // The first bit field is the lowest.
    text.push_str("} [[bitfield_order(std::core::BitfieldOrder::LeastToMostSignificant, ");
    let width: u32 = runs.iter().map(|run| run.width).sum();
    writeln!(text, "{width})]];").unwrap();
}

/// Returns whether a field is a list of elements up to the end of the file.
fn is_filling(plan: &FieldPlan<'_>, is_in_file: bool) -> bool {
    let is_all = matches!(plan.amount, Amount::ToEnd) && plan.space.is_none() && plan.until.is_none();
    is_in_file && is_all && plan.place.is_none() && plan.is_list() && !plan.is_opaque
}

/// Returns what an ImHex pattern cannot express about a field that extends to the end of its space.
fn lost(plan: &FieldPlan<'_>, is_in_file: bool) -> Vec<String> {
    let is_read = plan.is_opaque || is_filling(plan, is_in_file);
    let are_bytes = plan.field.parser.is_some() && plan.is_list() && !is_read;
    let is_long = matches!(plan.amount, Amount::ToEnd) && plan.space.is_none() && !is_in_file;
    let is_bytes = is_read || plan.place.is_some() || matches!(plan.amount, Amount::ToEnd);
    let size = plan.space.as_ref().filter(|_| !is_bytes);
    let words = [
        are_bytes.then(|| "its elements are shown as bytes".to_owned()),
        is_long.then(|| "it ends with the enclosing space; here it extends to the end of the file".to_owned()),
        size.map(|size| format!("it takes `{size}` bytes; here it ends with its last part")),
        lost_in_imhex(&plan.field.form).filter(|_| !plan.is_opaque),
    ];
    words.into_iter().flatten().collect()
}
