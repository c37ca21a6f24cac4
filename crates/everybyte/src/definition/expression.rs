//! Expressions of declarations in other languages.

use crate::reference::{CodeDoc, FieldDoc, TypeDoc, TypeKind};
use crate::terms::{Form, Term};

use super::subject::snake_case;

/// The words of a language.
pub struct Language {
    pub and: &'static str,
    pub or: &'static str,
    pub not: &'static str,
    /// The value of a LEB128 number or of one in digits, and the text of a counted text.
    pub value: &'static str,
    pub text: &'static str,
    /// The number after a byte that is always the same.
    pub marked: &'static str,
    /// The whole number of a number with a point.
    pub whole: &'static str,
    /// The name of a code's type.
    pub code_type: fn(&str) -> String,
    /// The number of bytes that a field takes.
    pub length_of: fn(&str) -> String,
    /// The element of a list beside another one that has the same place.
    pub element: fn(&str) -> String,
    /// True if elements are read up to one for which a condition holds, and bytes are compared with bytes.
    pub has_elements: bool,
}

impl Language {
    pub const KAITAI: Language = Language {
        and: "and",
        or: "or",
        not: "not",
        value: ".value",
        text: ".text",
        marked: "",
        whole: ".to_i",
        code_type: snake_case,
        length_of: |field| format!("({field}_end - {field}_start)"),
        element: |list| format!("{list}[_index]"),
        has_elements: true,
    };
}

/// A name that expressions may use.
#[derive(Clone)]
pub enum Known<'b> {
    /// A field before, and the condition under which it is present.
    Field(&'b FieldDoc, Option<String>),
    /// A field of a structure before: its name in the definition, and the condition under which it is present.
    Inner(&'b FieldDoc, String, Option<String>),
    /// A parameter: its name in the definition, and its form.
    Parameter(String, Form),
    /// A parameter that has this value.
    Bound(Term),
}

/// The names that an expression may use, and the pages of their types.
pub struct Scope<'s, 'b> {
    pub language: &'s Language,
    pub pages: &'s [&'b TypeDoc],
    pub names: Vec<(&'b str, Known<'b>)>,
    /// The element of a list that the expression is about.
    pub element: Option<Element<'b>>,
}

/// An element of a list.
#[derive(Clone)]
pub struct Element<'b> {
    /// Its name in the declaration.
    pub name: &'b str,
    pub fields: &'b [FieldDoc],
    /// Its name in the definition.
    pub text: String,
}

impl<'b> Scope<'_, 'b> {
    /// The parameters whose values an expression takes for given.
    pub fn bound(&self, term: &Term) -> Vec<(&'b str, &Term)> {
        let bound = |name: &&str| match self.names.iter().rev().find(|(known, _)| known == name) {
            Some((name, Known::Bound(value))) => Some((*name, value)),
            _ => None,
        };
        term.names().iter().filter_map(bound).collect()
    }

    pub(super) fn find(&self, name: &str) -> Option<&Known<'b>> {
        self.names.iter().rev().find(|(known, _)| *known == name).map(|(_, known)| known)
    }

    /// The page of a structure, of a choice, or of codes.
    pub(super) fn page(&self, name: &str) -> Option<&'b TypeDoc> {
        self.pages.iter().find(|page| page.name == name).copied()
    }

    /// The fields of the structure of a form; empty if it is none.
    pub(super) fn fields_of(&self, form: &Form) -> &'b [FieldDoc] {
        let Form::Page(name, _) = form else { return &[] };
        match self.page(name).map(|page| &page.kind) {
            Some(TypeKind::Structure(fields)) => fields,
            _ => &[],
        }
    }

    /// The form of the value that a name stands for.
    pub fn form(&self, term: &Term) -> Option<&Form> {
        if let Some(field) = self.field_of_element(term).or_else(|| self.field_of_structure(term)) {
            return Some(&field.form);
        }
        let Term::Name(name) = term else { return None };
        match self.find(name)? {
            Known::Field(field, _) | Known::Inner(field, ..) => Some(&field.form),
            Known::Parameter(_, form) => Some(form),
            Known::Bound(_) => None,
        }
    }

    /// A field of the element that was read last.
    fn field_of_element(&self, term: &Term) -> Option<&'b FieldDoc> {
        let Element { name: element, fields, .. } = self.element.as_ref()?;
        match term {
            Term::Field(base, name) => {
                let is_element = matches!(&**base, Term::Name(base) if base == element);
                fields.iter().find(|field| is_element && field.name == *name)
            }
            _ => None,
        }
    }

    /// A field of a structure that was read before.
    pub(super) fn field_of_structure(&self, term: &Term) -> Option<&'b FieldDoc> {
        let Term::Field(base, name) = term else { return None };
        self.fields_of(self.form(base)?).iter().find(|field| field.name == *name)
    }

    /// A comparison of bytes: both sides.
    fn bytes(&self, left: &Term, right: &Term) -> Option<[String; 2]> {
        let side = |term: &Term| match term {
            Term::Bytes(bytes) => {
                let each: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
                Some(format!("[{}]", each.join(", ")))
            }
            term => match self.form(term)? {
                Form::Bytes(_) | Form::Opaque(Some(_)) => self.translate(term),
                _ => None,
            },
        };
        let is_literal = matches!(left, Term::Bytes(_)) || matches!(right, Term::Bytes(_));
        let sides = || Some([side(left)?, side(right)?]);
        sides().filter(|_| is_literal && self.language.has_elements)
    }

    /// An expression in the language, or `None` if it has no exact translation.
    pub fn translate(&self, term: &Term) -> Option<String> {
        Some(match term {
            Term::Number(number) => number.to_string(),
            Term::Bool(value) => value.to_string(),
            Term::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) => format!("\"{text}\""),
                _ => return None,
            },
            // The number of a text is a part of it.
            Term::Name(_) | Term::Field(..) if matches!(self.form(term), Some(Form::Digits(_))) => {
                format!("{}{}", self.named(term)?, self.language.value)
            }
            Term::Name(_) | Term::Field(..) => self.named(term)?,
            Term::Method(receiver, name, arguments) => self.method(receiver, name, arguments)?,
            Term::Call(..) if term.measured().is_some() => (self.language.length_of)(self.measured(term)?),
            Term::Call(convert, from) if is_conversion(convert) => self.translate(from.first()?)?,
            Term::Unary("!", operand) => format!("({} {})", self.language.not, self.translate(operand)?),
            Term::Unary("-", operand) => format!("(-{})", self.translate(operand)?),
            Term::Binary(operator, left, right) => {
                let operator = match *operator {
                    "&&" => self.language.and,
                    "||" => self.language.or,
                    "+" | "-" | "*" | "/" | "%" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "&" | "|" | "<<" | ">>" => {
                        operator
                    }
                    _ => return None,
                };
                let [left, right] = match self.bytes(left, right) {
                    Some(sides) => sides,
                    None => [self.translate(left)?, self.translate(right)?],
                };
                format!("({left} {operator} {right})")
            }
            Term::If(condition, yes, no) => {
                let (condition, yes, no) = (self.translate(condition)?, self.translate(yes)?, self.translate(no)?);
                format!("({condition} ? {yes} : {no})")
            }
            _ => return None,
        })
    }

    /// A name, or a field of a value.
    fn named(&self, term: &Term) -> Option<String> {
        Some(match term {
            Term::Name(name) => self.name(name)?,
            // The number in a type with one field.
            Term::Field(base, "0") if matches!(self.form(base), Some(Form::Marked(..))) => {
                format!("{}{}", self.translate(base)?, self.language.marked)
            }
            Term::Field(base, "0") if matches!(self.form(base), Some(Form::Integer { .. })) => self.translate(base)?,
            Term::Field(base, name) => match self.field_of_element(term) {
                Some(field) => format!("{}.{}", self.element.as_ref()?.text, field.name),
                None => format!("{}.{name}", self.field_of_structure(term).and_then(|_| self.translate(base))?),
            },
            _ => return None,
        })
    }

    fn name(&self, name: &str) -> Option<String> {
        if let Some(element) = self.element.as_ref().filter(|element| element.name == name) {
            return Some(element.text.clone());
        }
        Some(match self.find(name) {
            Some(Known::Bound(value)) => self.translate(value)?,
            Some(Known::Parameter(name, _) | Known::Inner(_, name, _)) => name.clone(),
            Some(Known::Field(field, _)) if matches!(field.form, Form::Float { .. }) => {
                format!("{name}{}", self.language.whole)
            }
            Some(Known::Field(..)) => name.to_owned(),
            None => self.constant(name)?,
        })
    }

    /// The constant of a code: `Kind::TEXT`.
    fn constant(&self, name: &str) -> Option<String> {
        let (page, constant) = name.rsplit_once("::")?;
        let page = self.page(page)?;
        let TypeKind::Codes(codes) = &page.kind else { return None };
        let code = codes.iter().find(|code| code.constant == *constant)?;
        Some(self.code(page, code))
    }

    fn method(&self, receiver: &Term, name: &str, arguments: &[Term]) -> Option<String> {
        let value = || self.translate(receiver);
        Some(match (name, arguments) {
            ("into" | "clone", []) => value()?,
            ("value", [])
                if matches!(self.form(receiver), Some(Form::Integer { is_signed: false, .. } | Form::Digits(_))) =>
            {
                value()?
            }
            ("value", []) if self.form(receiver) == Some(&Form::Leb128) => {
                format!("{}{}", value()?, self.language.value)
            }
            ("bytes", []) if matches!(self.form(receiver), Some(Form::Counted(..))) => {
                format!("{}{}", value()?, self.language.text)
            }
            // The name of a bit.
            (run, []) if self.has_run(receiver, run) => format!("{}.{run}", value()?),
            ("max", [Term::Number(least)]) => at_least(*least, &value()?),
            // A number that a code stands for.
            (number, []) if self.numbers(receiver, number).is_some() => {
                self.number(&value()?, self.numbers(receiver, number)?)
            }
            ("saturating_sub", [less]) => {
                let (value, less) = (value()?, self.translate(less)?);
                format!("({value} > {less} ? {value} - {less} : 0)")
            }
            ("div_ceil", [Term::Number(by)]) if *by > 0 => format!("(({} + {}) / {by})", value()?, by - 1),
            ("div_ceil", [by]) => {
                let by = self.translate(by)?;
                format!("(({} + {by} - 1) / {by})", value()?)
            }
            (name, arguments) if self.optional(receiver).is_some() => self.of_optional(receiver, name, arguments)?,
            // A negative length is refused by every reader.
            ("unwrap_or", [fallback]) => match (receiver, fallback) {
                (Term::Call(convert, from), Term::Name("u64::MAX")) if convert.ends_with("::try_from") => {
                    self.translate(from.first()?)?
                }
                (Term::Call(convert, from), Term::Number(0)) if convert.ends_with("::try_from") => {
                    at_least(0, &self.translate(from.first()?)?)
                }
                (Term::Name(name), fallback) => match self.find(name)? {
                    Known::Bound(Term::Name("None")) => self.translate(fallback)?,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The page of codes that a value is one of, and the number of this name that each stands for.
    fn numbers(&self, code: &Term, name: &str) -> Option<(&'b TypeDoc, Vec<(&'b CodeDoc, u64)>)> {
        let Form::Page(page, _) = self.form(code)? else { return None };
        let page = self.page(page)?;
        let TypeKind::Codes(codes) = &page.kind else { return None };
        let of = |code: &'b CodeDoc| {
            let (_, number) = code.numbers.iter().find(|(known, _)| known == name)?;
            Some((code, *number))
        };
        Some((page, codes.iter().map(of).collect::<Option<_>>()?))
    }

    /// A number that follows from a code; 0 of codes that are not defined.
    fn number(&self, code: &str, (page, numbers): (&TypeDoc, Vec<(&CodeDoc, u64)>)) -> String {
        let is = |(known, number): &(&CodeDoc, u64)| format!("({code} == {} ? {number} : ", self.code(page, known));
        let each: String = numbers.iter().map(is).collect();
        format!("{each}0{}", ")".repeat(numbers.len()))
    }

    /// The name of a code.
    fn code(&self, page: &TypeDoc, code: &CodeDoc) -> String {
        format!("{}::{}", (self.language.code_type)(&page.name), snake_case(&code.name))
    }

    fn has_run(&self, receiver: &Term, run: &str) -> bool {
        let Some(Form::Page(page, _)) = self.form(receiver) else { return false };
        self.page(page).is_some_and(|page| match &page.kind {
            TypeKind::Bits(runs) => runs.iter().any(|known| known.name == run),
            _ => false,
        })
    }

    /// The field whose bytes an expression counts.
    fn measured(&self, term: &Term) -> Option<&'static str> {
        let field = term.measured()?;
        matches!(self.find(field)?, Known::Field(..)).then_some(field)
    }

    /// An expression in which one name stands for another.
    pub(super) fn translate_as(&self, name: &str, other: &str, term: &Term) -> Option<String> {
        match term {
            Term::Name(found) if *found == name => Some(other.to_owned()),
            Term::Field(base, field) => Some(format!("{}.{field}", self.translate_as(name, other, base)?)),
            Term::Binary(operator, left, right) if !matches!(*operator, "&&" | "||") => {
                let (left, right) = (self.translate_as(name, other, left)?, self.translate_as(name, other, right)?);
                Some(format!("({left} {operator} {right})"))
            }
            Term::Number(_) => self.translate(term),
            _ => None,
        }
    }
}

/// Returns whether a function gives the number that it is given: `u64::from`.
fn is_conversion(function: &str) -> bool {
    let integer = function.strip_suffix("::from").and_then(|name| name.strip_prefix(['u', 'i']));
    matches!(integer, Some("8" | "16" | "32" | "64" | "128" | "size"))
}

/// A number, or the least one in place of one below it.
fn at_least(least: i128, number: &str) -> String {
    format!("({number} < {least} ? {least} : {number})")
}
