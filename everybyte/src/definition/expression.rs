//! Translates expressions in declarations to other languages.
//!
//! An expression is translated exactly or not at all. Rust's method calls, conversions and closures are recognised individually,
//! because a definition that computes something slightly different would be worse than one that requires a parameter. [`Scope`]
//! resolves the names at this point of the declaration, and [`Language`] defines how the target language writes them.

use crate::reference::{CodeDoc, FieldDoc, TypeDoc, TypeKind};
use crate::terms::{Form, Term};

use super::subject::snake_case;

/// The vocabulary of a target language.
pub struct Language {
    pub and: &'static str,
    pub or: &'static str,
    pub not: &'static str,
    /// The value of a variable-length number or of a number written as digits, and the text of a counted string.
    pub value: &'static str,
    pub text: &'static str,
    /// The number after a constant byte.
    pub marked: &'static str,
    /// The integer part of a number with a point.
    pub whole: &'static str,
    /// The name of a code's type.
    pub code_type: fn(&str) -> String,
    /// The number of bytes that a field occupies.
    pub length_of: fn(&str) -> String,
    /// The element of a list with the same index as an element of a sibling list.
    pub element: fn(&str) -> String,
    /// True if the language can read elements until a condition holds and can compare byte strings.
    pub has_elements: bool,
}

impl Language {
    /// The operators of Kaitai Struct's expression language.
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

/// A name that expressions can use.
#[derive(Clone)]
pub enum Known<'b> {
    /// A previous field and the condition under which it is present.
    Field(&'b FieldDoc, Option<String>),
    /// A field of a previous structure: its name in the definition, and the condition under which it is present.
    Inner(&'b FieldDoc, String, Option<String>),
    /// A parameter: its name in the definition and its form.
    Parameter(String, Form),
    /// A parameter with this value.
    Bound(Term),
}

/// The names that an expression can use, and the types that they refer to.
pub struct Scope<'s, 'b> {
    pub language: &'s Language,
    pub pages: &'s [&'b TypeDoc],
    pub names: Vec<(&'b str, Known<'b>)>,
    /// The list element that the expression refers to.
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
    /// The parameters whose values an expression assumes.
    pub fn bound(&self, term: &Term) -> Vec<(&'b str, &Term)> {
        let bound = |name: &&str| match self.names.iter().rev().find(|(known, _)| known == name) {
            Some((name, Known::Bound(value))) => Some((*name, value)),
            _ => None,
        };
        term.names().iter().filter_map(bound).collect()
    }

    /// Returns the innermost declaration of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Known<'b>> {
        self.names.iter().rev().find(|(known, _)| *known == name).map(|(_, known)| known)
    }

    /// Returns the page of a structure, a choice or a code.
    pub(super) fn page(&self, name: &str) -> Option<&'b TypeDoc> {
        self.pages.iter().find(|page| page.name == name).copied()
    }

    /// Returns the fields of the structure of a form; empty if the form has no structure.
    pub(super) fn fields_of(&self, form: &Form) -> &'b [FieldDoc] {
        let Form::Page(name, _) = form else { return &[] };
        match self.page(name).map(|page| &page.kind) {
            Some(TypeKind::Structure(fields)) => fields,
            _ => &[],
        }
    }

    /// Returns the form of a named value.
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

    /// Returns a field of the last element that was read.
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

    /// Returns a field of a structure that was read before.
    pub(super) fn field_of_structure(&self, term: &Term) -> Option<&'b FieldDoc> {
        let Term::Field(base, name) = term else { return None };
        self.fields_of(self.form(base)?).iter().find(|field| field.name == *name)
    }

    /// Translates a comparison of bytes; returns both sides.
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

    /// Translates an expression; `None` if there is no exact translation.
    pub fn translate(&self, term: &Term) -> Option<String> {
        Some(match term {
            Term::Number(number) => number.to_string(),
            Term::Bool(value) => value.to_string(),
            Term::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) => format!("\"{text}\""),
                _ => return None,
            },
            // The number is a member of the text's type.
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

    /// Translates a name or a field of a value.
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

    /// Translates a name.
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

    /// Translates the constant of a code: `Kind::TEXT`.
    fn constant(&self, name: &str) -> Option<String> {
        let (page, constant) = name.rsplit_once("::")?;
        let page = self.page(page)?;
        let TypeKind::Codes(codes) = &page.kind else { return None };
        let code = codes.iter().find(|code| code.constant == *constant)?;
        Some(self.code(page, code))
    }

    /// Translates a method call; `None` if the language has no equivalent.
    fn method(&self, receiver: &Term, name: &str, arguments: &[Term]) -> Option<String> {
        let value = || self.translate(receiver);
        Some(match (name, arguments) {
            ("into" | "clone", []) => value()?,
            ("value", [])
                if matches!(self.form(receiver), Some(Form::Integer { is_signed: false, .. } | Form::Digits(_))) =>
            {
                value()?
            }
            ("value", []) if matches!(self.form(receiver), Some(Form::Varint(_))) => {
                format!("{}{}", value()?, self.language.value)
            }
            ("bytes", []) if matches!(self.form(receiver), Some(Form::Counted(..))) => {
                format!("{}{}", value()?, self.language.text)
            }
            // The name of a bit field.
            (run, []) if self.has_run(receiver, run) => format!("{}.{run}", value()?),
            ("max", [Term::Number(least)]) => at_least(*least, &value()?),
            // A number assigned to a code.
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
            // Every reader refuses a negative length.
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

    /// The type of a code value and the codes that have a number with this name.
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

    /// Translates a number derived from a code. Codes that are not defined yield 0.
    fn number(&self, code: &str, (page, numbers): (&TypeDoc, Vec<(&CodeDoc, u64)>)) -> String {
        let is = |(known, number): &(&CodeDoc, u64)| format!("({code} == {} ? {number} : ", self.code(page, known));
        let each: String = numbers.iter().map(is).collect();
        format!("{each}0{}", ")".repeat(numbers.len()))
    }

    /// Translates the name of a code.
    fn code(&self, page: &TypeDoc, code: &CodeDoc) -> String {
        format!("{}::{}", (self.language.code_type)(&page.name), snake_case(&code.name))
    }

    /// Returns whether the receiver is an integer with a bit field of this name.
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

    /// Translates an expression with one name replaced by another.
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

/// Returns whether it is certain that two conditions never hold at the same time.
pub fn are_apart(one: &Term, other: &Term) -> bool {
    if let (Term::Unary("!", not), term) | (term, Term::Unary("!", not)) = (one, other)
        && implies(term, not)
    {
        return true;
    }
    match (one, other) {
        (Term::Binary("||", left, right), term) | (term, Term::Binary("||", left, right)) => {
            are_apart(left, term) && are_apart(right, term)
        }
        (Term::Binary("&&", left, right), term) | (term, Term::Binary("&&", left, right)) => {
            are_apart(left, term) || are_apart(right, term)
        }
        (Term::Binary("==", value, one), Term::Binary("==", other_value, other)) => {
            value == other_value && one != other && is_constant(one) && is_constant(other)
        }
        _ => match (range(one), range(other)) {
            (Some((value, least, most)), Some((other_value, other_least, other_most))) => {
                value == other_value && (most < other_least || other_most < least)
            }
            _ => false,
        },
    }
}

/// Returns whether it is certain that one condition holds if another one does.
fn implies(term: &Term, other: &Term) -> bool {
    term == other
        || matches!(other, Term::Binary("||", left, right) if implies(term, left) || implies(term, right))
        || matches!(term, Term::Binary("||", left, right) if implies(left, other) && implies(right, other))
}

/// Returns whether a term has the same value everywhere.
fn is_constant(term: &Term) -> bool {
    match term {
        Term::Number(_) | Term::Bool(_) | Term::Bytes(_) => true,
        term => matches!(term, Term::Name(name) if name.contains("::")),
    }
}

/// Returns a value, with the smallest and the largest number for which a comparison holds.
fn range(term: &Term) -> Option<(&Term, i128, i128)> {
    let Term::Binary(operator, value, number) = term else { return None };
    let Term::Number(number) = **number else { return None };
    match *operator {
        "==" => Some((value, number, number)),
        ">=" => Some((value, number, i128::MAX)),
        ">" => Some((value, number.saturating_add(1), i128::MAX)),
        "<=" => Some((value, i128::MIN, number)),
        "<" => Some((value, i128::MIN, number.saturating_sub(1))),
        _ => None,
    }
}

/// Returns whether a function returns its argument unchanged: `u64::from`.
fn is_conversion(function: &str) -> bool {
    let integer = function.strip_suffix("::from").and_then(|name| name.strip_prefix(['u', 'i']));
    matches!(integer, Some("8" | "16" | "32" | "64" | "128" | "size"))
}

/// Returns a number, or the minimum if the number is smaller.
fn at_least(least: i128, number: &str) -> String {
    format!("({number} < {least} ? {least} : {number})")
}
