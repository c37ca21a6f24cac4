//! Translates expressions of a specification to Rust.
//!
//! All integers become `i128`, so the arithmetic of a specification needs no types: `#[layout]` checks that each
//! operation has a result. An expression that Rust cannot compute in a layout is refused with the reason. Value
//! instances are inlined where they are used, up to a maximum length of the text.

use super::bits::integer_of;
use super::code::{Binds, Code, Is};
use super::model::{Capture, DEPTH, Model, Up, place_of};
use super::names;
use super::operators::binary;
use crate::expression::Binary;
use crate::resolve::{Content, Field, Formula, Kind, Property, Repeat, Size, Term};

/// The context of an expression.
#[derive(Clone, Copy)]
pub struct Scope<'c> {
    pub number: usize,
    /// The fields before this index were read.
    pub place: usize,
    /// `_`
    pub it: Option<&'c Code>,
    /// The type of the structure that `_` refers to, and the prefix of the names of its fields.
    pub element: Option<(usize, &'c str)>,
    /// The prefix of the names of the structure's own fields.
    pub before: &'c str,
    /// The type and the position of the structure whose fields need no prefix.
    pub home: (usize, usize),
}

impl Scope<'_> {
    /// Creates the scope of a type whose fields before an index were read.
    pub fn of(number: usize, place: usize) -> Self {
        Scope { number, place, it: None, element: None, before: "", home: (number, place) }
    }
}

/// An expression, or the reason why Rust cannot express it.
pub type Said = Result<Code, String>;

impl Model<'_> {
    /// Translates an expression of a kind; if that is impossible, the reason is recorded.
    pub fn formula(&self, scope: Scope<'_>, formula: &Formula, is: Is) -> Option<Code> {
        let code = self.term(scope, &formula.term).and_then(|code| match code.is == is {
            true => Ok(code),
            false => Err("a layout cannot compute with a value of this kind".to_owned()),
        });
        code.map_err(|why| self.refuse(formula.at, format!("`{}`: {why}", formula.text))).ok()
    }

    /// Translates an expression.
    pub fn term(&self, scope: Scope<'_>, term: &Term) -> Said {
        if let Some((up, path)) = place_of(term) {
            return match up {
                Some(up) if !scope.before.is_empty() => self.around_home(scope, up, path),
                Some(Up::Root) if scope.number == 0 => self.local(scope, &path),
                Some(up) => self.captured(scope, &Capture { up, path }),
                None => self.local(scope, &path),
            };
        }
        Ok(match term {
            Term::Int(number) => Code { is_natural: *number >= 0, ..Code::whole(number.to_string(), Is::Int) },
            Term::Label(_, value) => Code { is_natural: *value >= 0, ..Code::whole(value.to_string(), Is::Int) },
            Term::Bool(is) => Code::whole(is.to_string(), Is::Bool),
            Term::Text(text) => Code::whole(format!("Some({text:?})"), Is::Text),
            Term::Bytes(bytes) => Code::whole(format!("{bytes:?}"), Is::Bytes),
            Term::It => scope.it.cloned().ok_or("`_` is not a single number here")?,
            Term::Slot { .. } => return self.of_element(scope, term),
            Term::Property(of, property) => return self.property(scope, of, *property),
            Term::Number(of, base) => return self.number_of(scope, of, base),
            Term::Element(of, index) => return self.element_of(scope, of, index),
            Term::Not(inner) => self.signed(scope, "!", inner, Is::Bool)?,
            Term::Inverse(inner) => self.signed(scope, "!", inner, Is::Int)?,
            // Translated as a difference: the layout macro checks that it has a result, as for any other operation.
            Term::Minus(inner) => return binary(Binary::Subtract, &Code::natural("0"), &self.term(scope, inner)?),
            Term::Binary(by, left, right) => {
                return binary(*by, &self.term(scope, left)?, &self.term(scope, right)?);
            }
            Term::If(condition, yes, no) => {
                let sides = [self.term(scope, condition)?, self.term(scope, yes)?, self.term(scope, no)?];
                return chosen(&sides);
            }
            Term::Index => return Err("`_index` has no equivalent".into()),
            Term::Own | Term::Named(..) => return Err("it reads a structure whose type is not known".into()),
            Term::Float(_) => return Err("computing with floats is not supported".into()),
            Term::Format(_) | Term::List(_) | Term::Decoded(..) | Term::Substring(_) | Term::AsBytes(_) => {
                return Err("computed texts, lists and bytes have no equivalent".into());
            }
        })
    }

    /// Translates a text that is converted to a number.
    fn number_of(&self, scope: Scope<'_>, of: &Term, base: &Term) -> Said {
        let (of, base) = (self.term(scope, of)?, self.term(scope, base)?);
        if of.is != Is::Text || !matches!(base.text.as_str(), "2" | "8" | "10" | "16") {
            return Err("only a text can be converted to a number, in base 2, 8, 10 or 16".into());
        }
        let parse = format!("i128::from_str_radix(text, {}).ok()", base.text);
        Ok(Code::whole(format!("{}.and_then(|text| {parse}).unwrap_or(i128::MIN)", of.text), Is::Int))
    }

    /// Translates a byte of a field.
    fn element_of(&self, scope: Scope<'_>, of: &Term, index: &Term) -> Said {
        let (of, Term::Int(index)) = (self.term(scope, of)?, index) else {
            return Err("only a constant index is supported".into());
        };
        let Some(bytes) = of.text.strip_suffix("[..]").filter(|_| of.is == Is::Bytes) else {
            return Err("only bytes can be indexed".into());
        };
        let element = if *index == 0 { "first()".to_owned() } else { format!("get({index})") };
        Ok(Code::whole(format!("{bytes}.{element}.map_or(i128::MIN, |&byte| i128::from(byte))"), Is::Int))
    }

    fn signed(&self, scope: Scope<'_>, sign: &str, inner: &Term, is: Is) -> Said {
        let inner = self.term(scope, inner)?;
        if inner.is != is {
            return Err("the operator cannot be applied to this value".into());
        }
        let text = format!("{sign}{}", inner.within(Binds::Sign));
        Ok(Code { text, is, binds: Binds::Sign, is_natural: false, has_result: inner.has_result })
    }

    fn property(&self, scope: Scope<'_>, of: &Term, property: Property) -> Said {
        if matches!(property, Property::Io | Property::Pos | Property::Eof)
            || matches!(of, Term::Property(_, Property::Io))
        {
            return Err("it reads the stream, `_io`".into());
        }
        let of = self.term(scope, of)?;
        Ok(match (property, of.is) {
            (Property::Size, Is::Bytes | Is::List) => {
                let place = of.text.strip_suffix("[..]").unwrap_or(&of.text);
                Code::natural(format!("i128::try_from({place}.len()).unwrap_or(i128::MAX)"))
            }
            (Property::Integer, Is::Int) => of,
            (Property::Integer, Is::Float) => {
                // In any other expression, it needs parentheses.
                Code { binds: Binds::If, ..Code::whole(format!("{} as i128", of.text), Is::Int) }
            }
            (Property::Integer, Is::Bool) => Code::natural(format!("i128::from({})", of.text)),
            (Property::Integer, Is::Text) => {
                Code::whole(format!("{}.and_then(|text| text.parse().ok()).unwrap_or(i128::MIN)", of.text), Is::Int)
            }
            _ => return Err("the property has no equivalent".into()),
        })
    }

    /// Translates a field of the structure that `_` refers to.
    fn of_element(&self, scope: Scope<'_>, term: &Term) -> Said {
        let (mut inner, mut path) = (term, Vec::new());
        while let Term::Slot { of, number, slot } = inner {
            path.push((*number, *slot));
            inner = of;
        }
        path.reverse();
        match (inner, scope.element) {
            (Term::It, Some((number, before))) => self.local(Scope { before, ..Scope::of(number, usize::MAX) }, &path),
            _ => Err("it reads a structure that is not in the same one".into()),
        }
    }

    /// Translates a value that another structure takes from outside: a field of the home structure.
    fn around_home(&self, scope: Scope<'_>, up: Up, path: Vec<(usize, usize)>) -> Said {
        let home = Scope::of(scope.home.0, scope.home.1);
        let is_beside = scope.before.matches('.').count() == 1 && !scope.before.starts_with("it.");
        match up {
            Up::Root if home.number == 0 => self.local(home, &path),
            Up::Root => self.captured(home, &Capture { up, path }),
            Up::Parents(1) if is_beside && path.first().is_some_and(|&(of, _)| of == home.number) => {
                self.local(home, &path)
            }
            Up::Parents(_) => Err("it reads what encloses another structure".into()),
        }
    }

    /// Translates a value that the type takes as a parameter.
    pub fn captured(&self, scope: Scope<'_>, capture: &Capture) -> Said {
        let known = self.captures.get(&scope.number).is_some_and(|all| all.contains(capture));
        if self.wants_kind.get() {
            return Ok(Code::whole("_", self.kind_of_path(&capture.path)?));
        }
        if scope.number == 0 || !known {
            return Err("the enclosing structure is not known".into());
        }
        let name = self.capture_name(scope.number, capture);
        Ok(Code::whole(name, self.kind_of_path(&capture.path)?))
    }

    /// Returns the name of the parameter for a value of an enclosing structure.
    pub fn capture_name(&self, number: usize, capture: &Capture) -> String {
        let parts = capture.path.iter().map(|&(number, slot)| self.slot_name(number, slot));
        let around = if capture.up == Up::Root { "root" } else { "parent" };
        let plain = std::iter::once(around).chain(parts).collect::<Vec<_>>().join("_");
        let all = self.captures.get(&number).map_or(&[][..], |all| all);
        let depth = if let Up::Parents(count) = capture.up { count } else { 0 };
        let is_taken = self.plan.types[number].slots.contains_key(plain.as_str());
        let is_shared = all.iter().any(|it| it.path == capture.path && it.up != capture.up && it.up != Up::Root);
        if is_taken || (is_shared && depth > 1) { format!("{plain}_{depth}") } else { plain }
    }

    pub fn slot_name(&self, number: usize, slot: usize) -> &str {
        let own = &self.plan.types[number];
        own.field(slot).map_or_else(|| &*own.params[slot].name, |field| &*field.name)
    }

    /// Returns the kind of a value of an enclosing structure: a number or a boolean.
    pub fn kind_of_path(&self, path: &[(usize, usize)]) -> Result<Is, String> {
        let Some(&place) = path.last() else { return Err("it names no value".into()) };
        if let Some(known) = self.kinds.borrow().get(&place) {
            return known.clone();
        }
        let before = self.wants_kind.replace(true);
        let kind = self.kind_of_slot(place);
        self.wants_kind.set(before);
        self.kinds.borrow_mut().insert(place, kind.clone());
        kind
    }

    fn kind_of_slot(&self, (number, slot): (usize, usize)) -> Result<Is, String> {
        let own = &self.plan.types[number];
        let Some(field) = own.field(slot) else { return parameter(&own.params[slot].kind) };
        let is = match &field.value {
            Some(value) => {
                let scope = Scope::of(number, usize::MAX);
                if field.enumeration.is_some() { Is::Int } else { self.term(scope, &value.term)?.is }
            }
            None if !matches!(field.repeat, Repeat::Once) => Is::List,
            None => match &field.content {
                Content::Int { .. } => Is::Int,
                Content::Bits { width: 1, .. } if field.enumeration.is_none() => Is::Bool,
                Content::Bits { .. } => Is::Int,
                _ => Is::List,
            },
        };
        match is {
            Is::Int | Is::Bool => Ok(is),
            _ => Err("only numbers and booleans can be taken from enclosing structures".into()),
        }
    }

    /// Translates a nested field of an available structure.
    pub fn local(&self, scope: Scope<'_>, path: &[(usize, usize)]) -> Said {
        let mut before = scope.before.to_owned();
        let mut place = scope.place;
        for (step, &(number, slot)) in path.iter().enumerate() {
            let own = &self.plan.types[number];
            let is_last = step + 1 == path.len();
            let Some(field) = own.field(slot) else {
                let param = &own.params[slot];
                return match is_last && before.is_empty() {
                    true => Ok(Code::whole(names::field(&param.name), parameter(&param.kind)?)),
                    false => Err(format!("`{}` is a parameter of another structure", param.name)),
                };
            };
            if let Some(value) = &field.value {
                if !is_last {
                    return Err(format!("`{}` is a computed value", field.name));
                }
                return self.made(
                    Scope { before: &before, home: scope.home, ..Scope::of(number, place) },
                    field,
                    value,
                );
            }
            if own.is_instance(slot) {
                return Err(format!("`{}` is read elsewhere in the file", field.name));
            }
            let index = slot - own.params.len();
            if index >= place {
                return Err(format!("`{}` is not read yet", field.name));
            }
            if is_last {
                return self.stored(number, index, field, &before);
            }
            match (&field.repeat, &field.when, &field.content) {
                (Repeat::Once, None, Content::Structure { .. }) => {}
                (Repeat::Once, Some(_), Content::Structure { number, .. }) => {
                    let rest = Scope { before: "it.", home: scope.home, ..Scope::of(*number, usize::MAX) };
                    return self.optional(rest, &path[step + 1..], &format!("{before}{}", names::field(&field.name)));
                }
                _ => return Err(format!("`{}` is not always the same structure", field.name)),
            }
            before = format!("{before}{}.", names::field(&field.name));
            place = usize::MAX;
        }
        Err("it names no value".into())
    }

    /// Translates a number of a structure that may be missing.
    fn optional(&self, rest: Scope<'_>, path: &[(usize, usize)], place: &str) -> Said {
        let part = self.local(rest, path)?;
        if part.is != Is::Int {
            return Err(format!("`{place}` is not always present"));
        }
        let text = format!("{place}.as_ref().map_or(i128::MIN, |it| {})", part.text);
        Code { has_result: part.has_result, ..Code::whole(text, Is::Int) }.bounded()
    }

    /// Translates a value instance, written inline.
    fn made(&self, scope: Scope<'_>, field: &Field, value: &Formula) -> Said {
        if self.depth.get() >= DEPTH {
            return Err(format!("values refer to each other more than {DEPTH} deep"));
        }
        self.depth.set(self.depth.get() + 1);
        let made = self.term(scope, &value.term).and_then(|code| self.conditional(scope, field, code));
        self.depth.set(self.depth.get() - 1);
        made
    }

    fn conditional(&self, scope: Scope<'_>, field: &Field, code: Code) -> Said {
        let Some(when) = &field.when else { return Ok(code) };
        let when = self.term(scope, &when.term)?;
        if code.is != Is::Int {
            return Err(format!("`{}` is not always present", field.name));
        }
        let text = format!("if {} {{ {} }} else {{ i128::MIN }}", when.text, code.text);
        Code { text, binds: Binds::If, is_natural: false, ..code }.bounded()
    }

    /// Translates a field that is read.
    fn stored(&self, number: usize, index: usize, field: &Field, before: &str) -> Said {
        let place = format!("{before}{}", names::field(&field.name));
        if !matches!(field.repeat, Repeat::Once) {
            return Ok(Code::whole(place, Is::List));
        }
        let is_named = field.enumeration.is_some();
        let run = self.plan.types[number].run(index);
        match &field.content {
            Content::Bits { width, .. } if run.places.len() > 1 => {
                let getter = format!("{before}{}.{}()", self.run_name(run), names::field(&field.name));
                Ok(match *width == 1 && !is_named {
                    true => Code::whole(getter, Is::Bool),
                    false => Code::natural(format!("i128::from({getter})")),
                })
            }
            Content::Int { .. } | Content::Bits { .. } => {
                let integer = integer_of(&field.content).ok_or("the bits are not an integer")?;
                let value = |place: &str| match (is_named, integer) {
                    (true, _) => format!("i128::from({place}.0)"),
                    (false, "everybyte::number::U24" | "everybyte::number::U48") => {
                        format!("i128::from({place}.value())")
                    }
                    (false, _) => format!("i128::from({place})"),
                };
                Ok(match field.when {
                    Some(_) => {
                        let plain = value("it") == "i128::from(it)";
                        let each = if plain { "i128::from".to_owned() } else { format!("|it| {}", value("it")) };
                        Code::whole(format!("{place}.map_or(i128::MIN, {each})"), Is::Int)
                    }
                    None => Code {
                        is_natural: integer.contains('u') || integer.contains('U'),
                        ..Code::whole(value(&place), Is::Int)
                    },
                })
            }
            Content::Float { .. } if field.when.is_none() => Ok(Code::whole(place, Is::Float)),
            Content::Text(_) if field.when.is_none() => Ok(Code::whole(format!("{place}.text().as_deref()"), Is::Text)),
            Content::Bytes if field.when.is_none() || !matches!(field.size, Size::Own) => {
                Ok(Code::whole(format!("{place}[..]"), Is::Bytes))
            }
            _ => Err(format!("`{}` is not a number, boolean, text or bytes", field.name)),
        }
    }
}

/// Returns the kind of a parameter.
pub fn parameter(kind: &Kind) -> Result<Is, String> {
    match kind {
        Kind::Int | Kind::Enum(_) => Ok(Is::Int),
        Kind::Bool => Ok(Is::Bool),
        _ => Err("a parameter must be a number or a boolean".into()),
    }
}

/// Returns one side or the other, depending on a condition.
fn chosen([condition, yes, no]: &[Code; 3]) -> Said {
    if condition.is != Is::Bool || yes.is != no.is || !matches!(yes.is, Is::Int | Is::Bool) {
        return Err("both sides of `? :` must be numbers, or both booleans".into());
    }
    let text = format!("if {} {{ {} }} else {{ {} }}", condition.text, yes.text, no.text);
    let has_result = condition.has_result && yes.has_result && no.has_result;
    Code { text, is: yes.is, binds: Binds::If, is_natural: yes.is_natural && no.is_natural, has_result }.bounded()
}
