//! Definitions for ImHex, in its pattern language.

mod places;
mod values;

use super::around::magic_of;
use super::expression::Language;
use super::plan::{Amount, FieldPlan, Need, Parameter, Planner, Structure, is_signed};
use super::subject::{Subject, snake_case};
use crate::byte_order::ByteOrder;
use crate::digits::Digits;
use crate::escape::escape;
use crate::reference::{Bits, CodeDoc, FieldDoc, TypeDoc, TypeKind};
use crate::role::Origin;
use crate::terms::Form;
use binrw::Endian;
use std::collections::BTreeSet;
use std::fmt::Write;

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

/// A definition of a format for ImHex.
///
/// Each structure is a `struct`; the first one is placed at the beginning of the file. Those that stand at offsets are there
/// too, for a reader to place: `Columns<…> columns @ header.columns_offset;`.
pub fn imhex(subject: Subject<'_>) -> String {
    let planner = Planner { language: &LANGUAGE, pages: subject.pages() };
    let Some(root) = planner.pages.first().copied() else { return String::new() };
    let mut file = File { planner: &planner, helpers: Vec::new() };
    // A type stands after those that it is made of.
    let (mut order, mut declared) = (Vec::new(), String::new());
    for page in &planner.pages {
        visit(&planner, page, &mut Vec::new(), &mut order);
    }
    // But where two contain each other.
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
    text
}

/// The lines for files that state their byte order.
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
        "// NOT EXACT: a file may have the other byte order; its magic tells. Then use `#pragma endian big`.\n\n";
    magic_of(root).map(|_| words.to_owned()).unwrap_or_default()
}

/// Puts the types of a page before it.
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

struct File<'p, 'l, 'b> {
    planner: &'p Planner<'l, 'b>,
    /// The types that declarations do not have: the name and the text of each.
    helpers: Vec<(String, String)>,
}

impl<'b> File<'_, '_, 'b> {
    /// The names of a page's parameters.
    fn arguments_of(&self, page: &'b TypeDoc) -> Vec<String> {
        let declared = self.planner.parameters(page).into_iter().map(|parameter| parameter.id);
        declared.chain(self.planner.needs(page).into_iter().map(|need| need.name)).collect()
    }

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

    /// The bytes of a code, as the fields have them that hold it.
    fn code_size(&self, page: &TypeDoc) -> u64 {
        let fields =
            self.planner.pages.iter().flat_map(|page| super::plan::structures(page)).flat_map(|(_, fields)| fields);
        let sizes = fields.filter_map(|field| match &field.form {
            Form::Page(name, size) if *name == page.name => *size,
            _ => None,
        });
        sizes.max().unwrap_or(1)
    }

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

    /// A structure for each alternative, and one that has the alternative whose condition holds.
    fn choice(&mut self, page: &'b TypeDoc, text: &mut String) {
        let conditions = self.planner.conditions(page);
        let mut own = String::new();
        for (structure, (variant, condition)) in self.planner.plan(page).iter().zip(conditions) {
            let name = format!("{}{}", page.name, variant.name);
            self.structure((&name, &variant.doc), page, structure, text);
            let given: Vec<&str> = structure
                .parameters
                .iter()
                .map(|parameter| parameter.id.as_str())
                .chain(structure.needs.iter().map(|need| need.name.as_str()))
                .collect();
            let arguments = if given.is_empty() { String::new() } else { format!("<{}>", given.join(", ")) };
            let (field, condition) = (snake_case(&variant.name), condition.unwrap_or_else(|need| need.name));
            writeln!(own, "    if ({condition}) {name}{arguments} {field};").unwrap();
        }
        self.head(&page.name, &self.planner.parameters(page), &self.planner.needs(page), text);
        text.push_str(&own);
        text.push_str("};\n");
    }

    fn field(&mut self, plan: &FieldPlan<'b>, endian: Option<Endian>, is_in_file: bool, text: &mut String) {
        for words in plan.inexact.iter().map(String::as_str).chain(lost(plan, is_in_file)) {
            comment(&format!("NOT EXACT: {words}"), "    ", text);
        }
        let field = plan.field;
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

    /// The type of a field, and the number of its elements.
    pub(super) fn kind(&mut self, plan: &FieldPlan<'b>, endian: Option<Endian>) -> (String, Option<String>) {
        let field = plan.field;
        let bytes = |amount: &Amount| match (amount, &plan.space) {
            (Amount::Of(size), _) | (_, Some(size)) => size.clone(),
            _ => "std::mem::size() - $".to_owned(),
        };
        if field.parser.is_some() {
            return ("u8".to_owned(), Some(bytes(&plan.amount)));
        }
        match &field.form {
            Form::Sized(crate::terms::Content::Bytes) | Form::Rest | Form::Opaque(None) => {
                ("u8".to_owned(), Some(bytes(&plan.amount)))
            }
            Form::Sized(_) => ("char".to_owned(), Some(bytes(&plan.amount))),
            Form::List(element) => (self.element(element, &plan.arguments, endian), Some(bytes(&plan.amount))),
            Form::Array(count, element) => (self.element(element, &plan.arguments, endian), Some(count.to_string())),
            Form::Numbers => match &plan.number {
                Some(number) => (self.simple(number, endian), Some(bytes(&plan.amount))),
                None => ("u8".to_owned(), Some(bytes(&plan.amount))),
            },
            Form::Bytes(size) | Form::Opaque(Some(size)) => ("u8".to_owned(), Some(size.to_string())),
            Form::Align(multiple) => ("u8".to_owned(), Some(format!("({multiple} - $ % {multiple}) % {multiple}"))),
            Form::Fixed(bytes) => ("u8".to_owned(), Some(bytes.len().to_string())),
            Form::NulString => ("char".to_owned(), Some(String::new())),
            form => (self.element(form, &plan.arguments, endian), None),
        }
    }

    fn element(&mut self, form: &Form, arguments: &[String], endian: Option<Endian>) -> String {
        match form {
            Form::Ordered(own, form) => self.element(form, arguments, Some(*own)),
            Form::Page(name, size) => {
                let given = if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) };
                let is_code = matches!(self.planner.page(name).map(|page| &page.kind), Some(TypeKind::Codes(_)));
                let is_long = size.is_some_and(|size| size > 1);
                let order = if is_code && is_long { order(endian) } else { "" };
                format!("{order}{name}{given}")
            }
            form => self.simple(form, endian),
        }
    }

    fn simple(&mut self, form: &Form, endian: Option<Endian>) -> String {
        match form {
            Form::Integer { size: 1, is_signed } => if *is_signed { "s8" } else { "u8" }.to_owned(),
            Form::Integer { size, is_signed } => {
                format!("{}{}{}", order(endian), if *is_signed { "s" } else { "u" }, size * 8)
            }
            Form::Constant(size, _) => format!("{}u{}", order(endian), size * 8),
            Form::Float { size } => format!("{}{}", order(endian), if *size == 4 { "float" } else { "double" }),
            Form::Marked(marker, number) => {
                let number = self.simple(number, endian);
                let name = format!("Marked{marker:02X}");
                self.help(&name, &format!("    u8 marker; // always 0x{marker:02x}\n    {number} value;\n"));
                name
            }
            Form::Leb128 => {
                self.help("Leb128", LEB128);
                "Leb128".to_owned()
            }
            Form::Digits(digits) => {
                let name = capitalised(&digits.type_name());
                let Digits { base, size, .. } = digits;
                let value = format!("s64 value = std::string::parse_int(text, {base}) [[export]];");
                self.help(&name, &format!("    char text[{size}];\n    {value}\n"));
                name
            }
            Form::Counted(length, mask, _) => {
                let ty = self.simple(length, endian);
                let value = if **length == Form::Leb128 { "length.value" } else { "length" };
                let value = if *mask == u64::MAX { value.to_owned() } else { format!("{value} & {mask}") };
                let name = format!("Counted{}", if ty == "Leb128" { "Leb128" } else { "Byte" });
                self.help(&name, &format!("    {ty} length;\n    char text[{value}];\n"));
                name
            }
            _ => "u8".to_owned(),
        }
    }

    fn help(&mut self, name: &str, body: &str) {
        self.add(name, format!("struct {name} {{\n{body}}};\n\n"));
    }

    fn add(&mut self, name: &str, helper: String) {
        if !self.helpers.iter().any(|(known, _)| known == name) {
            self.helpers.push((name.to_owned(), helper));
        }
    }
}

const LEB128: &str = "    // Seven bits a byte, the lowest first; the highest bit says that another byte follows.
    u8 groups[while ($ == addressof(this) || std::mem::read_unsigned($ - 1, 1) >= 0x80)];
    u128 value = 0 [[export]];
    u8 place = 0;
    while (place < sizeof(groups)) {
        value = value | ((groups[place] & 0x7f) << (7 * place));
        place = place + 1;
    }
";

fn order(endian: Option<Endian>) -> &'static str {
    match endian {
        Some(Endian::Big) => "be ",
        Some(Endian::Little) => "le ",
        None => "",
    }
}

/// `decimal text` as `DecimalText`.
fn capitalised(words: &str) -> String {
    let words = words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// Lines of a comment.
fn comment(words: &str, indent: &str, text: &mut String) {
    if !words.is_empty() {
        writeln!(text, "{indent}// {}", line(words)).unwrap();
    }
}

/// Text that stands on one line.
fn line(text: &str) -> String {
    escape(text)
}

/// A whole number, of which a negative one has its sign.
fn number(code: i128) -> String {
    if code < 0 { code.to_string() } else { format!("{code:#x}") }
}

fn enumeration(page: &TypeDoc, codes: &[CodeDoc], size: u64, text: &mut String) {
    let sign = if is_signed(codes) { 's' } else { 'u' };
    writeln!(text, "enum {} : {sign}{} {{", page.name, size * 8).unwrap();
    for code in codes {
        comment(&code.doc, "    ", text);
        writeln!(text, "    {} = {},", snake_case(&code.name), number(code.code)).unwrap();
    }
    text.push_str("};\n");
}

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
    // The first one is the lowest.
    text.push_str("} [[bitfield_order(std::core::BitfieldOrder::LeastToMostSignificant, ");
    let width: u32 = runs.iter().map(|run| run.width).sum();
    writeln!(text, "{width})]];").unwrap();
}

/// Returns whether a field is a list of elements up to the end of the file.
fn is_filling(plan: &FieldPlan<'_>, is_in_file: bool) -> bool {
    let is_all = matches!(plan.amount, Amount::ToEnd) && plan.space.is_none() && plan.until.is_none();
    is_in_file && is_all && plan.place.is_none() && plan.is_list()
}

/// The facts about a field that go up to an end, of which a pattern has nothing.
fn lost<'p>(plan: &'p FieldPlan<'_>, is_in_file: bool) -> impl Iterator<Item = &'p str> {
    let are_bytes = plan.field.parser.is_some() && plan.is_list() && !is_filling(plan, is_in_file);
    let is_long = matches!(plan.amount, Amount::ToEnd) && plan.space.is_none() && !is_in_file;
    let words = [
        (are_bytes, "its elements are shown as bytes"),
        (is_long, "it ends with the space around it; here it reaches to the end of the file"),
    ];
    words.into_iter().filter_map(|(is_so, words)| is_so.then_some(words))
}
