//! Definitions for Kaitai Struct.

mod bits;
mod digits;
mod leb128;
mod marks;
mod order;
mod places;
mod values;
mod yaml;

use super::expression::Language;
use super::plan::{Amount, FieldPlan, Need, Parameter, Planner, Structure, is_signed};
use super::subject::{Subject, snake_case};
use crate::escape::escape;
use crate::reference::{CodeDoc, ContentDoc, FieldDoc, TypeDoc, TypeKind};
use crate::role::Role;
use crate::terms::{Content, Form};
use binrw::Endian;
use leb128::LEB128;
use marks::{Mark, mark, marks};
use order::{Stated, has_order};
use std::collections::BTreeMap;
use std::fmt::Write;
use values::{representation, unvalued, valued};
use yaml::{doc, given, id, indented, list, quoted};

/// A definition of a format for Kaitai Struct, in YAML.
///
/// Each structure is a type. Those that stand at offsets are there too, for a reader to place.
pub fn kaitai(subject: Subject<'_>) -> String {
    let planner = Planner { language: &Language::KAITAI, pages: subject.pages() };
    let Some(root) = planner.pages.first().copied() else { return String::new() };
    let stated = order::stated(root, subject.byte_order).filter(|_| planner.pages.iter().any(|page| has_order(page)));
    let endian = match stated {
        Some(_) => None,
        None => Some(subject.order(root).unwrap_or(Endian::Little)),
    };
    let mut file = File { planner: &planner, helpers: BTreeMap::new(), endian };
    let mut text = head(subject, endian);
    let mut types = String::new();
    for page in &planner.pages[1..] {
        file.page(page, &mut types);
    }
    let mut own = String::new();
    if !planner.needs(root).is_empty() {
        text +=
            "# NOT EXACT: parameters stand for expressions that have no translation, and nobody gives their values.\n";
    }
    file.members(root, &mut own);
    for helper in file.helpers.values() {
        types += helper;
    }
    if let Some(stated) = stated {
        let mut parameters = String::new();
        file.parameters(&planner.parameters(root), &planner.needs(root), &mut parameters);
        let given = given(&planner.given(root).into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        (own, types) = after(&stated, &format!("{}_body", snake_case(&root.name)), (&parameters, &given), &own, &types);
    }
    text += &doc(&root.doc, "");
    text += &own;
    if !types.is_empty() {
        write!(text, "types:\n{}", indented(&types, 2)).unwrap();
    }
    text += &enumerations(&planner.pages);
    text
}

/// The lines about the definition.
fn head(subject: Subject<'_>, endian: Option<Endian>) -> String {
    let mut text = "# Made from the declaration with which such files are read; not to be edited.\n".to_owned();
    writeln!(text, "meta:\n  id: {}\n  title: {}", id(&snake_case(subject.name)), quoted(subject.title)).unwrap();
    if let Some(license) = subject.license {
        writeln!(text, "  license: {}", quoted(license)).unwrap();
    }
    if let Some(endian) = endian {
        writeln!(text, "  endian: {}\n  bit-endian: le", order::word(endian)).unwrap();
    }
    text
}

/// The members of a file that states its byte order, and the type that is the rest of it, with all other types.
fn after(
    stated: &Stated,
    name: &str,
    (parameters, given): (&str, &str),
    members: &str,
    types: &str,
) -> (String, String) {
    let ty = quoted(&format!("{name}{given}"));
    let own = format!("{parameters}seq:\n{}  - id: body\n    type: {ty}\n{}", stated.before, stated.instances);
    let mut body = format!("meta:\n  endian:\n    switch-on: {}\n    cases:\n{}", stated.by, stated.cases);
    body += members;
    // They have the byte order of the structure that they stand in.
    if !types.is_empty() {
        write!(body, "types:\n{}", indented(types, 2)).unwrap();
    }
    (own, format!("{name}:\n{}", indented(&body, 2)))
}

struct File<'p, 'l, 'b> {
    planner: &'p Planner<'l, 'b>,
    /// The types that declarations do not have, by name.
    helpers: BTreeMap<String, String>,
    /// The byte order of the type at hand, if the declaration states it.
    endian: Option<Endian>,
}

impl<'b> File<'_, '_, 'b> {
    /// The type of a page; a code has none.
    fn page(&mut self, page: &'b TypeDoc, text: &mut String) {
        if matches!(page.kind, TypeKind::Codes(_)) {
            return;
        }
        let endian = self.planner.order(page);
        // That of the file need not be said again.
        let said = endian.filter(|_| page.endian.is_some() || endian != self.endian);
        let mut meta = said.map(|endian| format!("  endian: {}\n", order::word(endian))).unwrap_or_default();
        if let TypeKind::Bits(runs) = &page.kind {
            meta += bits::order(runs, endian);
        }
        let mut own = if meta.is_empty() { meta } else { format!("meta:\n{meta}") };
        own += &doc(&page.doc, "");
        let outer = self.endian;
        self.endian = endian.or(outer);
        self.members(page, &mut own);
        self.endian = outer;
        if endian.is_none() && has_order(page) && self.planner.orders(page).len() > 1 {
            text.push_str("# NOT EXACT: its byte order is that of the field in which it stands\n");
        }
        write!(text, "{}:\n{}", id(&snake_case(&page.name)), indented(&own, 2)).unwrap();
    }

    /// Parameters, fields and the types of alternatives.
    fn members(&mut self, page: &'b TypeDoc, text: &mut String) {
        let parameters = self.planner.parameters(page);
        let needs = self.planner.needs(page);
        self.parameters(&parameters, &needs, text);
        match &page.kind {
            TypeKind::Structure(_) => {
                let plans = self.planner.plan(page);
                self.sequence(&plans[0], text);
            }
            TypeKind::Choice(_) => self.choice(page, &needs, text),
            TypeKind::Bits(runs) => text.push_str(&bits::members(runs, self.planner.order(page))),
            _ => {}
        }
    }

    fn parameters(&mut self, parameters: &[Parameter<'_>], needs: &[Need], text: &mut String) {
        if parameters.is_empty() && needs.is_empty() {
            return;
        }
        text.push_str("params:\n");
        for Parameter { id, form, .. } in parameters {
            writeln!(text, "  - id: {}\n    type: {}", self::id(id), self.parameter(form)).unwrap();
        }
        for need in needs {
            let ty = if need.is_bool { "bool" } else { "u8" };
            let words = doc(&format!("An expression of the declaration: {}", need.doc), "    ");
            write!(text, "  - id: {}\n    type: {ty}\n{words}", id(&need.name)).unwrap();
        }
    }

    /// The codes of a type, if it is one of codes.
    fn codes(&self, name: &str) -> Option<&'b [CodeDoc]> {
        match &self.planner.page(name)?.kind {
            TypeKind::Codes(codes) => Some(codes),
            _ => None,
        }
    }

    /// The type of a parameter.
    pub(super) fn parameter(&mut self, form: &Form) -> String {
        match form {
            Form::Bytes(_) => "bool".to_owned(),
            Form::Opaque(_) => "bytes".to_owned(),
            Form::Page(name, _) => match self.codes(name) {
                Some(codes) => format!("{}\n    enum: {}", code_type(codes, 8), snake_case(name)),
                None => snake_case(name),
            },
            form => self.simple(form),
        }
    }

    fn sequence(&mut self, structure: &Structure<'b>, text: &mut String) {
        let (mut own, mut placed) = (String::new(), String::new());
        let marks = marks(&structure.fields);
        if marks.contains(&Mark::Start) {
            own += &mark("start_mark", "own_start", &mut placed);
        }
        for plan in &structure.fields {
            let name = &plan.field.name;
            if marks.contains(&Mark::Before(name)) {
                own += &mark(&format!("{name}_start_mark"), &format!("{name}_start"), &mut placed);
            }
            match &plan.place {
                Some(place) if place.each.is_none() => self.instance(plan, place, &mut placed),
                Some(place) => self.each(plan, place, &mut own),
                // The magic of a file whose byte order it states stands before.
                None if matches!(plan.field.form, Form::Constant(..)) => {}
                None if plan.field.form == Form::Calculated => own += &unvalued(plan),
                None => self.field(plan, &mut own),
            }
            placed += &valued(plan);
            if marks.contains(&Mark::End(name)) {
                own += &mark(&format!("{name}_mark"), &format!("{name}_end"), &mut placed);
            }
        }
        text.push_str(&representation(&structure.fields));
        self.put_sequence(&own, text);
        if !placed.is_empty() {
            write!(text, "instances:\n{}", indented(&placed, 2)).unwrap();
        }
    }

    /// Fields one after the other.
    fn put_sequence(&self, own: &str, text: &mut String) {
        let mut own = own.to_owned();
        if own.is_empty() {
            own.push_str("[]\n");
            write!(text, "seq: {own}").unwrap();
        } else {
            write!(text, "seq:\n{}", indented(&own, 2)).unwrap();
        }
    }

    /// The alternatives of a choice: a field for each, one of which is there.
    fn choice(&mut self, page: &'b TypeDoc, needs: &[Need], text: &mut String) {
        let (mut own, mut types) = (String::new(), String::new());
        let conditions = self.planner.conditions(page);
        for (structure, (variant, condition)) in self.planner.plan(page).iter().zip(conditions) {
            let name = format!("{}_{}", snake_case(&page.name), snake_case(&variant.name));
            let mut names: Vec<&str> = structure.parameters.iter().map(|parameter| parameter.id.as_str()).collect();
            names.extend(structure.needs.iter().map(|need| need.name.as_str()));
            debug_assert!(structure.needs.iter().all(|need| needs.contains(need)));
            let condition = condition.unwrap_or_else(|need| need.name);
            let (ty, words) = (quoted(&(name.clone() + &given(&names))), doc(&variant.doc, "  "));
            write!(own, "- id: {name}\n  type: {ty}\n  if: {}\n{words}", quoted(&condition)).unwrap();
            let mut body = String::new();
            if let Some(endian) = page.endian {
                writeln!(body, "meta:\n  endian: {}", order::word(endian)).unwrap();
            }
            self.parameters(&structure.parameters, &structure.needs, &mut body);
            self.sequence(structure, &mut body);
            write!(types, "{name}:\n{}", indented(&body, 2)).unwrap();
        }
        write!(text, "seq:\n{}types:\n{}", indented(&own, 2), indented(&types, 2)).unwrap();
    }

    fn field(&mut self, plan: &FieldPlan<'b>, text: &mut String) {
        let field = plan.field;
        for words in &plan.inexact {
            writeln!(text, "# NOT EXACT: {}", escape(words)).unwrap();
        }
        let condition =
            plan.condition.as_ref().map(|condition| format!("  if: {}\n", quoted(condition))).unwrap_or_default();
        if let Form::Marked(marker, _) = &field.form {
            write!(text, "- id: {}_marker\n  contents: [0x{marker:02x}]\n{condition}", field.name).unwrap();
        }
        let kind = match &field.opens {
            // The process of Kaitai Struct that has the same name.
            Some(ContentDoc { packing: "zlib", content, is_joined: false })
                if !plan.is_opaque && !self.has_parameters(content) =>
            {
                format!("{}  process: zlib\n  type: {}\n", self.kind(plan), quoted(&snake_case(content)))
            }
            Some(opens) => {
                let parameters = if self.has_parameters(&opens.content) { ", which has parameters" } else { "" };
                let words = opens.words(&snake_case(&opens.content));
                writeln!(text, "# NOT EXACT: {words}{parameters}").unwrap();
                self.kind(plan)
            }
            None => self.kind(plan),
        };
        write!(text, "- id: {}\n{kind}{condition}{}", id(&field.name), doc(&field.doc, "  ")).unwrap();
        if let Some(role) = &field.role {
            writeln!(text, "  -role: {}", quoted(&role_text(role))).unwrap();
        }
    }

    /// Returns whether a type is read with arguments.
    fn has_parameters(&self, name: &str) -> bool {
        self.planner.page(name).is_some_and(|page| !page.parameters.is_empty() || !self.planner.needs(page).is_empty())
    }

    /// The lines that say how the bytes of a field are read.
    fn kind(&mut self, plan: &FieldPlan<'b>) -> String {
        if plan.is_opaque {
            return size(&plan.amount);
        }
        match &plan.space {
            Some(space) if plan.is_list() => self.window(plan, space),
            Some(space) if matches!(plan.amount, Amount::ToEnd) => size(&Amount::Of(space.clone())),
            Some(space) => format!("{}  size: {}\n", self.unlimited(plan), quoted(space)),
            None => self.unlimited(plan),
        }
    }

    /// The lines of a list in a space of its own, which is a type.
    fn window(&mut self, plan: &FieldPlan<'b>, space: &str) -> String {
        let field = plan.field;
        let (elements, element) = (self.unlimited(plan), plan.field.type_name.trim_matches(['[', ']']));
        // A parameter of the elements is a field beside the list.
        if !plan.arguments.is_empty() {
            return format!("  size: {}\n", quoted(space));
        }
        let name = format!("{}_of_{}", snake_case(&field.name), snake_case(element));
        self.help(&name, &format!("seq:\n  - id: {}\n{}", id(&field.name), indented(&elements, 2)));
        format!("  type: {name}\n  size: {}\n", quoted(space))
    }

    /// The same without the bytes that it may take.
    fn unlimited(&mut self, plan: &FieldPlan<'b>) -> String {
        let field = plan.field;
        match &field.form {
            Form::Sized(Content::Bytes) | Form::Rest | Form::Opaque(None) => size(&plan.amount),
            Form::Sized(content) => format!("  type: str\n  encoding: {}\n{}", encoding(*content), size(&plan.amount)),
            Form::List(element) if **element == (Form::Integer { size: 1, is_signed: false }) => size(&plan.amount),
            Form::List(element) => {
                let repeat = match (&plan.until, &plan.amount) {
                    (Some(until), _) => format!("  repeat: until\n  repeat-until: {}\n", quoted(until)),
                    (None, Amount::Of(count)) => format!("  repeat: expr\n  repeat-expr: {}\n", quoted(count)),
                    _ => "  repeat: eos\n".to_owned(),
                };
                format!("{}{repeat}", self.element(element, field, &plan.arguments))
            }
            Form::Numbers => match (&plan.number, &plan.amount) {
                (Some(number), Amount::Of(count)) => {
                    format!("  type: {}\n  repeat: expr\n  repeat-expr: {}\n", self.simple(number), quoted(count))
                }
                (_, amount) => size(amount),
            },
            Form::Array(count, element) => {
                format!("{}  repeat: expr\n  repeat-expr: {count}\n", self.element(element, field, &plan.arguments))
            }
            Form::Marked(_, number) => format!("  type: {}\n", self.simple(number)),
            form => self.element(form, field, &plan.arguments),
        }
    }

    /// The lines that say how one value is read.
    fn element(&mut self, form: &Form, field: &FieldDoc, arguments: &[String]) -> String {
        match form {
            Form::Ordered(order, page) if let Form::Page(name, length) = &**page => {
                self.page_or_code(name, length.or(field.size).unwrap_or(1), order::word(*order), arguments)
            }
            Form::Bytes(size) | Form::Opaque(Some(size)) => format!("  size: {size}\n"),
            Form::Align(multiple) => format!("  size: (-_io.pos) % {multiple}\n"),
            Form::Fixed(bytes) => format!("  contents: {}\n", list(bytes)),
            Form::Rest => size(&Amount::ToEnd),
            Form::NulString => "  type: strz\n  encoding: ISO-8859-1\n".to_owned(),
            Form::Page(name, length) => self.page_or_code(name, length.or(field.size).unwrap_or(1), "", arguments),
            form => format!("  type: {}\n", self.simple(form)),
        }
    }

    /// The lines for a type with a page: a structure with its arguments, or a code of `size` bytes in an order of its own.
    fn page_or_code(&self, name: &str, size: u64, order: &str, arguments: &[String]) -> String {
        let Some(codes) = self.codes(name) else {
            return format!("  type: {}\n", quoted(&(snake_case(name) + &given(arguments))));
        };
        let order = if size > 1 { order } else { "" };
        format!("  type: {}{order}\n  enum: {}\n", code_type(codes, size), snake_case(name))
    }

    /// The type of a number, or of a value that needs no arguments.
    fn simple(&mut self, form: &Form) -> String {
        match form {
            Form::Integer { size: size @ (1 | 2 | 4 | 8), is_signed } => {
                format!("{}{size}", if *is_signed { "s" } else { "u" })
            }
            // Integers of three and six bytes are runs of bits.
            Form::Integer { size, is_signed: false } if self.endian.is_some() => {
                format!("b{}{}", size * 8, self.endian.map_or("le", order::word))
            }
            Form::Integer { size, .. } => {
                let name = format!("bytes_{size}");
                self.help(&name, &format!("seq:\n  - id: bytes\n    size: {size}\n"));
                name
            }
            Form::Float { size } => format!("f{size}"),
            Form::Ordered(endian, number) => {
                let number = self.simple(number);
                match number.as_str() {
                    "u1" | "s1" => number,
                    _ => format!("{number}{}", order::word(*endian)),
                }
            }
            Form::Marked(marker, number) => {
                let number = self.simple(number);
                let name = format!("marked_{marker:02x}");
                self.help(
                    &name,
                    &format!(
                        "seq:\n  - id: marker\n    contents: [0x{marker:02x}]\n  - id: value\n    type: {number}\n"
                    ),
                );
                name
            }
            Form::Leb128 => {
                self.help("leb128", LEB128);
                "leb128".to_owned()
            }
            Form::Digits(digits) => self.digits(*digits),
            Form::Counted(length, mask, content) => {
                let ty = self.simple(length);
                let name = format!("counted_{ty}");
                let value = if **length == Form::Leb128 { "length.value" } else { "length" };
                let value = if *mask == u64::MAX { value.to_owned() } else { format!("{value} & {mask}") };
                self.help(&name, &format!(
                    "seq:\n  - id: length\n    type: {ty}\n  - id: text\n    type: str\n    encoding: {}\n    size: {}\n",
                    encoding(*content), quoted(&value),
                ));
                name
            }
            _ => "u1".to_owned(),
        }
    }

    fn help(&mut self, name: &str, body: &str) {
        self.helpers.entry(name.to_owned()).or_insert_with(|| format!("{name}:\n{}", indented(body, 2)));
    }
}

/// The type of the integer that holds a code.
fn code_type(codes: &[CodeDoc], size: u64) -> String {
    format!("{}{size}", if is_signed(codes) { 's' } else { 'u' })
}

fn size(amount: &Amount) -> String {
    match amount {
        Amount::Of(size) => format!("  size: {}\n", quoted(size)),
        _ => "  size-eos: true\n".to_owned(),
    }
}

fn encoding(content: Content) -> &'static str {
    if content == Content::Latin1 { "ISO-8859-1" } else { "UTF-8" }
}

fn enumerations(pages: &[&TypeDoc]) -> String {
    let each = pages.iter().filter_map(|page| match &page.kind {
        TypeKind::Codes(codes) => Some(enumeration(page, codes)),
        _ => None,
    });
    let codes: String = each.collect();
    if codes.is_empty() { codes } else { format!("enums:\n{}", indented(&codes, 2)) }
}

fn enumeration(page: &TypeDoc, codes: &[CodeDoc]) -> String {
    let mut text = format!("{}:\n", id(&snake_case(&page.name)));
    for code in codes {
        let words = doc(&code.doc, "    ");
        write!(text, "  {}:\n    id: {}\n{words}", code.code, id(&snake_case(&code.name))).unwrap();
    }
    text
}

/// A role, with types as the definition names them.
fn role_text(role: &Role) -> String {
    // After a name stand its parts, or the mark of its content.
    let word = |word: &str| match word.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        true => {
            let (name, rest) = word.split_at(word.find(['.', '!', '[']).unwrap_or(word.len()));
            snake_case(name) + rest
        }
        false => word.to_owned(),
    };
    role.to_string().split(' ').map(word).collect::<Vec<_>>().join(" ")
}
