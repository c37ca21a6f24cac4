//! Converts contents that depend on a value to Rust enumerations.
//!
//! A `switch-on` becomes an enum with `#[layout(match = …)]`. Cases with the same content share a variant. Values that
//! the content needs from the structure around it become parameters of the enum.

use super::bits::order_of;
use super::code::{Code, Is};
use super::content::is_split;
use super::model::Model;
use super::names::{self, camel};
use super::recursion::LEVEL;
use super::terms::Scope;
use super::text::{Item, doc};
use crate::resolve::{Content, Field, Formula, Size, Term};

/// An alternative: its patterns, its name, and the field that holds its value; `None` for one without bytes.
struct Variant {
    patterns: Vec<String>,
    /// The values as written in the specification.
    values: Vec<String>,
    name: String,
    item: Option<Item>,
}

impl Model<'_> {
    /// Returns the field of a choice and adds its type to the items.
    pub fn choice(&self, scope: Scope<'_>, field: &Field, items: &mut Vec<String>) -> Option<Item> {
        let Content::Switch { on, cases, default } = &field.content else { return None };
        let (on, patterns) = self.chosen(scope, field, on, cases)?;
        let mut parameters = vec![("on".to_owned(), on)];
        if let Size::Of(size) = &field.size
            && is_split(field)
        {
            let code = self.formula(scope, size, Is::Int)?;
            if !code.has_result {
                self.refuse(size.at, format!("the size of `{}` is not defined in every file", field.name));
                return None;
            }
            parameters.push(("size".to_owned(), code));
        }
        let mut variants: Vec<Variant> = Vec::new();
        let said = |case: &Option<Formula>| case.as_ref().map_or_else(String::new, |case| format!("`{}`", case.text));
        let contents = cases.iter().filter(|(case, _)| case.is_some()).zip(patterns);
        let contents = contents.map(|((case, content), pattern)| (pattern, said(case), content));
        let rest = (Some("_".to_owned()), "all other values".to_owned(), &**default);
        for (pattern, value, content) in contents.chain([rest]) {
            let Some(pattern) = pattern else { continue };
            let (name, item) = self.alternative(scope, field, content, &mut parameters)?;
            let is_same = |other: &&mut Variant| {
                let text = |item: &Option<Item>| item.as_ref().map(|item| item.text(None, false));
                text(&other.item) == text(&item)
            };
            match variants.iter_mut().find(is_same) {
                Some(same) => {
                    same.patterns.push(pattern);
                    same.values.push(value);
                }
                None => variants.push(Variant { patterns: vec![pattern], values: vec![value], name, item }),
            }
        }
        // The alternative for all other values comes last.
        variants.sort_by_key(|variant| variant.patterns.iter().any(|pattern| pattern == "_"));
        let name = self.type_names[&scope.number].clone() + &camel(&field.name);
        let name = self.names.borrow_mut().fresh(&name);
        items.push(declared(&name, &parameters, variants));
        let arguments: Vec<&str> = parameters.iter().map(|(_, code)| &*code.text).collect();
        let br = vec![format!("args({})", arguments.join(", "))];
        Some(Item { ty: name, br, parameters: parameters.iter().map(typed).collect(), ..Item::default() })
    }

    /// Returns the selecting value, and the pattern of each case; `None` for a pattern that an earlier case has.
    fn chosen(
        &self,
        scope: Scope<'_>,
        field: &Field,
        on: &Formula,
        cases: &[(Option<Formula>, Content)],
    ) -> Option<(Code, Vec<Option<String>>)> {
        let code = self.term(scope, &on.term);
        let code = code.map_err(|why| self.refuse(on.at, format!("`{}`: {why}", on.text))).ok()?;
        let mut patterns: Vec<Option<String>> = Vec::new();
        for case in cases.iter().filter_map(|(case, _)| case.as_ref()) {
            let pattern = match (&case.term, code.is) {
                (Term::Int(value) | Term::Label(_, value), Is::Int) => value.to_string(),
                (Term::Bool(is), Is::Bool) => is.to_string(),
                (Term::Text(text), Is::Text) => format!("Some({text:?})"),
                (Term::Bytes(bytes), Is::Bytes) => format!("{bytes:?}"),
                _ => {
                    self.refuse(
                        case.at,
                        format!("`{}` chooses a part of `{}`, but is not a constant", case.text, field.name),
                    );
                    return None;
                }
            };
            let is_known = patterns.iter().flatten().any(|known| *known == pattern);
            patterns.push((!is_known).then_some(pattern));
        }
        if matches!(code.is, Is::Int | Is::Bool) {
            return Some((code, patterns));
        }
        // Each string or byte string becomes a number.
        let before = if code.is == Is::Bytes { "&" } else { "" };
        let numbered =
            patterns.iter().enumerate().filter_map(|(place, it)| Some(format!("{} => {place}", it.as_ref()?)));
        let arms: Vec<String> = numbered.chain(["_ => -1".to_owned()]).collect();
        let text = format!("match {before}{} {{ {} }}", code.text, arms.join(", "));
        let patterns = patterns.iter().enumerate().map(|(place, it)| it.as_ref().map(|_| place.to_string())).collect();
        Some((Code::whole(text, Is::Int), patterns))
    }

    /// Returns the name of an alternative and its field. The parameters of its structure are added to the parameters
    /// of the choice.
    fn alternative(
        &self,
        scope: Scope<'_>,
        field: &Field,
        content: &Content,
        parameters: &mut Vec<(String, Code)>,
    ) -> Option<(String, Option<Item>)> {
        let inline = |ty: &str, br: Vec<String>, order| {
            let name = "value".to_owned();
            Some(Item { name, ty: ty.into(), br, order, options: vec!["inline".into()], ..Item::default() })
        };
        let is_sized = !matches!(field.size, Size::Own);
        let has_own = is_split(field);
        let rest = || vec![if has_own { "count = size" } else { "parse_with = everybyte::list::rest" }.to_owned()];
        Some(match content {
            Content::Structure { number, arguments } => {
                let mut given = Vec::new();
                for (place, argument) in self.arguments(scope, field, *number, arguments)?.into_iter().enumerate() {
                    given.push(self.passed(field, (*number, place), argument, parameters)?);
                }
                let br = if given.is_empty() { Vec::new() } else { vec![format!("args({})", given.join(", "))] };
                let item = inline(&self.held(scope.number, *number, false), br, None);
                let size = has_own.then(|| ("size".to_owned(), String::new()));
                (self.type_names[number].clone(), item.map(|item| Item { size, ..item }))
            }
            Content::Bytes if is_sized && field.delimiter.is_none() => {
                ("Bytes".into(), inline("Vec<u8>", rest(), None))
            }
            Content::Nothing => ("Nothing".into(), None),
            Content::Text(encoding) => {
                let item = self.text(scope, field, encoding)?;
                let is_ended = item.br.is_empty();
                ("Text".into(), inline(&item.ty, if is_ended { Vec::new() } else { rest() }, None))
            }
            Content::Int { .. } | Content::Float { .. }
                if !is_sized || has_own || matches!(field.size, Size::ToEnd) =>
            {
                let item = self.number(field, content)?;
                (camel(&item.ty), inline(&item.ty, Vec::new(), order_of(content)))
            }
            _ => {
                self.refuse(field.at, format!("a chosen part of `{}` has no equivalent", field.name));
                return None;
            }
        })
    }

    /// Returns the parameter of a choice for an argument of an alternative. It is computed even if another alternative
    /// is chosen.
    fn passed(
        &self,
        field: &Field,
        (number, place): (usize, usize),
        argument: Code,
        parameters: &mut Vec<(String, Code)>,
    ) -> Option<String> {
        if let Some((known, _)) = parameters.iter().skip(1).find(|(_, code)| code.text == argument.text) {
            return Some(known.clone());
        }
        if !argument.has_result {
            let message = format!("a chosen part of `{}` takes a computed number", field.name);
            self.refuse(field.at, message);
            return None;
        }
        let own = &self.plan.types[number];
        let captured = |place: usize| self.captures[&number].get(place).map(|it| self.capture_name(number, it));
        let capture = || captured(place - own.params.len()).unwrap_or_else(|| LEVEL.to_owned());
        let plain = own.params.get(place).map_or_else(capture, |param| names::field(&param.name));
        let is_taken = |name: &str| parameters.iter().any(|(known, _)| known == name);
        let name = if is_taken(&plain) { format!("{plain}_{}", parameters.len()) } else { plain };
        parameters.push((name.clone(), argument));
        Some(name)
    }
}

/// Returns a parameter with its type.
fn typed((name, code): &(String, Code)) -> String {
    format!("{name}: {}", if code.is == Is::Bool { "bool" } else { "i128" })
}

/// Returns the declaration of a choice.
fn declared(name: &str, parameters: &[(String, Code)], variants: Vec<Variant>) -> String {
    let parameters: Vec<String> = parameters.iter().map(typed).collect();
    let mut text =
        format!("#[everybyte::layout(match = on)]\n#[br(import({}))]\npub enum {name} {{\n", parameters.join(", "));
    let mut known: Vec<String> = Vec::new();
    for Variant { patterns, values, name, item } in variants {
        let is_rest = patterns.iter().any(|pattern| pattern == "_");
        let pattern = if is_rest { "_".to_owned() } else { patterns.join(" | ") };
        let count = known.iter().filter(|other| **other == name).count();
        let unique = if count > 0 { format!("{name}{}", count + 1) } else { name.clone() };
        known.push(name);
        let about = doc(&format!("For {}.", values.join(", ")), "    ");
        text.push_str(&format!("{about}    #[when({pattern})]\n    {unique} {{"));
        match item {
            Some(item) => {
                let lines: String = item.text(None, false).lines().map(|line| format!("    {line}\n")).collect();
                text.push_str(&format!("\n{lines}    }},\n"));
            }
            None => text.push_str("},\n"),
        }
    }
    text + "}\n"
}
