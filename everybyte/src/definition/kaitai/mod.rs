//! Generates Kaitai Struct specifications. See <https://doc.kaitai.io/>.
//!
//! Each page of the field reference becomes a type, and fields at offsets become instances. Kaitai Struct itself has
//! neither variable-length integers nor numbers written as digits, so a helper type is added when a field first needs it.

mod bits;
mod digits;
mod marks;
mod order;
mod places;
mod values;
mod varint;
mod yaml;

use super::around::{has_order, magic_of};
use super::elements::{Amount, is_own};
use super::expression::Language;
use super::plan::{Condition, FieldPlan, Need, Parameter, Planner, Structure, is_signed};
use super::subject::{Subject, marked, snake_case};
use super::texts::{self, lost_in_kaitai};
use crate::escape::escape;
use crate::reference::{CodeDoc, ContentDoc, FieldDoc, TypeDoc, TypeKind};
use crate::role::Role;
use crate::terms::{Content, Form};
use binrw::Endian;
use marks::{Mark, mark, marks};
use order::Stated;
use std::collections::BTreeMap;
use std::fmt::Write;
use values::{enumerations, representation, unvalued, valued};
use varint::varint;
use yaml::{doc, given, id, indented, list, quoted};

/// Prints a format as a definition for Kaitai Struct, in YAML.
///
/// Each structure is a type. Structures at offsets are included too, so that you can place them.
pub fn kaitai(subject: Subject<'_>) -> String {
    let planner = Planner { language: &Language::KAITAI, pages: subject.pages() };
    let Some(root) = planner.pages.first().copied() else { return String::new() };
    let stated = order::stated(root, subject.byte_order).filter(|_| planner.pages.iter().any(|page| has_order(page)));
    let endian = match stated {
        Some(_) => None,
        None => Some(subject.order(root).unwrap_or(Endian::Little)),
    };
    let mut file =
        File { planner: &planner, helpers: BTreeMap::new(), endian, is_magic_read: false, is_content: Ok(false) };
    let mut text = head(subject, endian);
    let mut types = String::new();
    for page in &planner.pages[1..] {
        file.page(page, &mut types);
    }
    let mut own = String::new();
    file.is_magic_read = stated.is_some() && magic_of(root).is_some();
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
    marked("#", text)
}

/// Returns the first lines, which describe the definition itself.
fn head(subject: Subject<'_>, endian: Option<Endian>) -> String {
    let mut text = "# Generated from the declaration that the reader uses. Do not edit.\n".to_owned();
    writeln!(text, "meta:\n  id: {}\n  title: {}", id(&snake_case(subject.name)), quoted(subject.title)).unwrap();
    if let Some(license) = subject.license {
        writeln!(text, "  license: {}", quoted(license)).unwrap();
    }
    if let Some(endian) = endian {
        writeln!(text, "  endian: {}\n  bit-endian: le", order::word(endian)).unwrap();
    }
    text
}

/// Returns the members of a file that states its byte order, and the type for the rest of the file, with all other types.
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
    // These types have the byte order of the enclosing structure.
    if !types.is_empty() {
        write!(body, "types:\n{}", indented(types, 2)).unwrap();
    }
    (own, format!("{name}:\n{}", indented(&body, 2)))
}

/// A definition that is being written.
struct File<'p, 'l, 'b> {
    planner: &'p Planner<'l, 'b>,
    /// Helper types that no layout declares, by name.
    helpers: BTreeMap<String, String>,
    /// The byte order of the type, if the declaration states it.
    endian: Option<Endian>,
    /// True if the magic of the next structure has been read before it.
    is_magic_read: bool,
    /// Whether the type is only in unpacked content; otherwise, the words about offsets in it.
    is_content: Result<bool, &'static str>,
}

impl<'b> File<'_, '_, 'b> {
    /// Writes a type. Codes have no separate types.
    fn page(&mut self, page: &'b TypeDoc, text: &mut String) {
        if matches!(page.kind, TypeKind::Codes(_)) {
            return;
        }
        let endian = self.planner.order(page);
        // The file's byte order need not be repeated.
        let said = endian.filter(|_| page.endian.is_some() || endian != self.endian);
        let mut meta = said.map(|endian| format!("  endian: {}\n", order::word(endian))).unwrap_or_default();
        if let TypeKind::Bits(runs) = &page.kind {
            meta += bits::order(runs, endian);
        }
        let mut own = if meta.is_empty() { meta } else { format!("meta:\n{meta}") };
        own += &doc(&page.doc, "");
        let outer = self.endian;
        (self.endian, self.is_content) = (endian.or(outer), self.planner.is_content(page));
        self.members(page, &mut own);
        (self.endian, self.is_content) = (outer, Ok(false));
        if let Some(words) = self.planner.ambiguous_order(page) {
            writeln!(text, "# NOT EXACT: {words}").unwrap();
        }
        write!(text, "{}:\n{}", id(&snake_case(&page.name)), indented(&own, 2)).unwrap();
    }

    /// Writes parameters, fields and the types of alternatives.
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

    /// Writes the parameters of a type.
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

    /// Returns the codes of a type, if it has any.
    fn codes(&self, name: &str) -> Option<&'b [CodeDoc]> {
        match &self.planner.page(name)?.kind {
            TypeKind::Codes(codes) => Some(codes),
            _ => None,
        }
    }

    /// Returns the type of a parameter.
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

    /// Writes the fields of a structure: those in sequence under `seq`, those at offsets under `instances`.
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
                // The magic comes first if it states the byte order of the file.
                None if std::mem::take(&mut self.is_magic_read) => {}
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

    /// Writes the fields in sequence.
    fn put_sequence(&self, own: &str, text: &mut String) {
        let mut own = own.to_owned();
        if own.is_empty() {
            own.push_str("[]\n");
            write!(text, "seq: {own}").unwrap();
        } else {
            write!(text, "seq:\n{}", indented(&own, 2)).unwrap();
        }
    }

    /// Writes a choice as one field per alternative. Exactly one of these fields is present.
    fn choice(&mut self, page: &'b TypeDoc, needs: &[Need], text: &mut String) {
        let (mut own, mut types) = (String::new(), String::new());
        let conditions = self.planner.conditions(page);
        for (structure, Condition { variant, text: condition, inexact, .. }) in
            self.planner.plan(page).iter().zip(conditions)
        {
            let name = format!("{}_{}", snake_case(&page.name), snake_case(&variant.name));
            let mut names: Vec<&str> = structure.parameters.iter().map(|parameter| parameter.id.as_str()).collect();
            names.extend(structure.needs.iter().map(|need| need.name.as_str()));
            debug_assert!(structure.needs.iter().all(|need| needs.contains(need)));
            if let Some(words) = inexact {
                writeln!(own, "# NOT EXACT: {}", escape(&words)).unwrap();
            }
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

    /// Writes a field, with a comment for everything that the definition cannot express.
    fn field(&mut self, plan: &FieldPlan<'b>, text: &mut String) {
        let field = plan.field;
        for words in plan.inexact.iter().chain(&lost_in_kaitai(&field.form)) {
            writeln!(text, "# NOT EXACT: {}", escape(words)).unwrap();
        }
        let condition =
            plan.condition.as_ref().map(|condition| format!("  if: {}\n", quoted(condition))).unwrap_or_default();
        if let Form::Marked(marker, _) = &field.form {
            write!(text, "- id: {}_marker\n  contents: [0x{marker:02x}]\n{condition}", field.name).unwrap();
        }
        let kind = match &field.opens {
            // Kaitai Struct has a process of the same name.
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

    /// Writes how the bytes of a field are read.
    fn kind(&mut self, plan: &FieldPlan<'b>) -> String {
        if plan.is_opaque {
            return size(&plan.amount);
        }
        match &plan.space {
            Some(space) if plan.is_list() => self.window(plan, space),
            Some(space) if matches!(plan.amount, Amount::ToEnd) => self.unlimited(plan, &Amount::Of(space.clone())),
            Some(space) => format!("{}  size: {}\n", self.unlimited(plan, &plan.amount), quoted(space)),
            None => self.unlimited(plan, &plan.amount),
        }
    }

    /// Writes a list with its own space, which becomes a type.
    fn window(&mut self, plan: &FieldPlan<'b>, space: &str) -> String {
        let field = plan.field;
        let element = plan.field.type_name.trim_matches(['[', ']']);
        // Parameters of the elements, and names in their number, are fields of the same structure as the list.
        if !plan.arguments.is_empty() || !is_own(field) {
            return format!("  size: {}\n  # NOT EXACT: its elements are shown as bytes\n", quoted(space));
        }
        let (elements, name) = (self.unlimited(plan, &plan.amount), snake_case(&field.name));
        let body = format!("seq:\n  - id: {}\n{}", id(&field.name), indented(&elements, 2));
        let name = self.help(&format!("{name}_of_{}", snake_case(element)), &body);
        format!("  type: {name}\n  size: {}\n", quoted(space))
    }

    /// Writes how a field is read, without the limit on its bytes.
    fn unlimited(&mut self, plan: &FieldPlan<'b>, amount: &Amount) -> String {
        let field = plan.field;
        match &field.form {
            Form::Sized(Content::Bytes) | Form::Rest | Form::Opaque(None) => size(amount),
            Form::Sized(content) => format!("  type: str\n  encoding: {}\n{}", encoding(*content), size(amount)),
            Form::Text(text) => texts::kaitai(text, || size(amount)),
            Form::List(element) if **element == (Form::Integer { size: 1, is_signed: false }) => size(amount),
            Form::List(element) => {
                let repeat = match (&plan.until, amount) {
                    (Some(until), _) => format!("  repeat: until\n  repeat-until: {}\n", quoted(until)),
                    (None, Amount::Of(count)) => format!("  repeat: expr\n  repeat-expr: {}\n", quoted(count)),
                    _ => "  repeat: eos\n".to_owned(),
                };
                format!("{}{repeat}", self.element(element, field, &plan.arguments))
            }
            Form::Numbers => match (&plan.number, &plan.amount) {
                (Some(number), Amount::ToEnd) if plan.space.is_none() => {
                    format!("  type: {}\n  repeat: eos\n", self.simple(number))
                }
                (Some(number), Amount::Of(count)) => {
                    format!("  type: {}\n  repeat: expr\n  repeat-expr: {}\n", self.simple(number), quoted(count))
                }
                _ => size(amount),
            },
            Form::Array(count, element) => {
                format!("{}  repeat: expr\n  repeat-expr: {count}\n", self.element(element, field, &plan.arguments))
            }
            Form::Marked(_, number) => format!("  type: {}\n", self.simple(number)),
            form => self.element(form, field, &plan.arguments),
        }
    }

    /// Writes how a single value is read.
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
            Form::Text(text) => texts::kaitai(text, String::new),
            Form::Constant(size @ 1..=8, value) => {
                let value = value & (u128::MAX >> (128 - 8 * size));
                format!("  type: u{size}\n  valid: {value:#x}\n")
            }
            Form::Array(count, element) => {
                let element = indented(&self.element(element, field, arguments), 2);
                let body = format!("seq:\n  - id: items\n{element}    repeat: expr\n    repeat-expr: {count}\n");
                format!("  type: {}\n", self.help("items", &body))
            }
            Form::Page(name, length) => self.page_or_code(name, length.or(field.size).unwrap_or(1), "", arguments),
            form => format!("  type: {}\n", self.simple(form)),
        }
    }

    /// Writes a type with its own description: a structure with its arguments, or a code of `size` bytes in its own byte order.
    fn page_or_code(&self, name: &str, size: u64, order: &str, arguments: &[String]) -> String {
        let Some(codes) = self.codes(name) else {
            return format!("  type: {}\n", quoted(&(snake_case(name) + &given(arguments))));
        };
        let order = if size > 1 { order } else { "" };
        let is_closed = self.planner.page(name).is_some_and(|page| page.is_closed);
        let valid = if is_closed { "  valid:\n    in-enum: true\n" } else { "" };
        format!("  type: {}{order}\n  enum: {}\n{valid}", code_type(codes, size), snake_case(name))
    }

    /// The type of a number or of a value that needs no arguments.
    fn simple(&mut self, form: &Form) -> String {
        match form {
            Form::Integer { size: size @ (1 | 2 | 4 | 8), is_signed } => {
                format!("{}{size}", if *is_signed { "s" } else { "u" })
            }
            // Integers of three and six bytes are runs of bits.
            Form::Integer { size: size @ ..8, is_signed: false } if self.endian.is_some() => {
                format!("b{}{}", size * 8, self.endian.map_or("le", order::word))
            }
            Form::Integer { size, .. } => {
                let words = format!("# NOT EXACT: an integer of {size} bytes is shown as bytes\n");
                self.help(&format!("bytes_{size}"), &format!("{words}seq:\n  - id: bytes\n    size: {size}\n"))
            }
            Form::Float { size } => format!("f{size}"),
            Form::Ordered(endian, number) => {
                let outer = self.endian.replace(*endian);
                let ty = self.simple(number);
                self.endian = outer;
                match **number {
                    Form::Integer { size: 2 | 4 | 8, .. } | Form::Float { .. } => ty + order::word(*endian),
                    _ => ty,
                }
            }
            Form::Marked(marker, number) => {
                let (number, name) = (self.simple(number), format!("marked_{marker:02x}"));
                let marker = format!("seq:\n  - id: marker\n    contents: [0x{marker:02x}]\n");
                self.help(&name, &format!("{marker}  - id: value\n    type: {number}\n"))
            }
            Form::Varint(coding) => self.help(&coding.name().replace(' ', "_"), &varint(*coding)),
            Form::Digits(digits) => self.digits(*digits),
            Form::Counted(length, mask, content) => {
                let ty = self.simple(length);
                let text = match content {
                    Content::Bytes => String::new(),
                    content => format!("    type: str\n    encoding: {}\n", encoding(*content)),
                };
                let value = if matches!(**length, Form::Varint(_)) { "length.value" } else { "length" };
                let value = if *mask == u64::MAX { value.to_owned() } else { format!("{value} & {mask}") };
                let length = format!("seq:\n  - id: length\n    type: {ty}\n");
                let body = format!("{length}  - id: text\n{text}    size: {}\n", quoted(&value));
                self.help(&format!("counted_{ty}"), &body)
            }
            _ => "u1".to_owned(),
        }
    }

    /// Adds a helper type if it has not been added yet, and returns its name, which no other type has.
    fn help(&mut self, name: &str, body: &str) -> String {
        let (mut own, mut number) = (name.to_owned(), 1);
        loop {
            let helper = format!("{own}:\n{}", indented(body, 2));
            let is_page = self.planner.pages.iter().any(|page| snake_case(&page.name) == own);
            match self.helpers.get(&own) {
                Some(known) if *known == helper => return own,
                None if !is_page => {
                    self.helpers.insert(own.clone(), helper);
                    return own;
                }
                _ => number += 1,
            }
            own = format!("{name}_{number}");
        }
    }
}

/// Returns the type of the integer that contains a code.
fn code_type(codes: &[CodeDoc], size: u64) -> String {
    format!("{}{size}", if is_signed(codes) { 's' } else { 'u' })
}

/// Returns the key for a size in bytes; without one, the field takes the rest of its stream.
fn size(amount: &Amount) -> String {
    match amount {
        Amount::Of(size) => format!("  size: {}\n", quoted(size)),
        _ => "  size-eos: true\n".to_owned(),
    }
}

/// Returns the name of a text encoding.
fn encoding(content: Content) -> &'static str {
    if content == Content::Latin1 { "ISO-8859-1" } else { "UTF-8" }
}

/// Returns a role as text, with types named as in the definition.
fn role_text(role: &Role) -> String {
    // A name may be followed by the rest of a path.
    let word = |word: &str| match word.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        true => {
            let (name, rest) = word.split_at(word.find(['.', '!', '[']).unwrap_or(word.len()));
            snake_case(name) + rest
        }
        false => word.to_owned(),
    };
    role.to_string().split(' ').map(word).collect::<Vec<_>>().join(" ")
}
