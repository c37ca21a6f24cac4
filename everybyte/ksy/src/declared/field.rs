//! Declared fields and instances.

use super::keys::{self, code, coded, flag, optional};
use super::model::{Code, Content, Field, Primitive, Process, Repeat, Size, Switch, User, Valid};
use super::own;
use crate::expression::{Word, call};
use crate::place::{LocatedError, SpecResult, error_at};
use crate::yaml::{Kind, Yaml, integer};
use std::sync::Arc;

/// Reads a field of a sequence.
pub fn of_sequence(yaml: &Yaml, number: usize) -> SpecResult<Field> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return error_at(yaml.at, format!("a field is {}, not a map", yaml.what()));
    }
    let name = match yaml.get("id") {
        Some(id) => keys::name(id, "a field")?,
        None => format!("_unnamed{number}").into(),
    };
    for key in ["pos", "io", "value"] {
        if let Some(value) = yaml.get(key) {
            return error_at(value.at, format!("`{key}` belongs to instances, not to fields of a sequence"));
        }
    }
    field(yaml, name)
}

/// Reads an instance.
pub fn instance(id: &Yaml, yaml: &Yaml) -> SpecResult<Field> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return error_at(yaml.at, format!("an instance is {}, not a map", yaml.what()));
    }
    let name = keys::name(id, "an instance")?;
    if yaml.get("value").is_some() {
        keys::check(yaml, keys::VALUE_INSTANCE)?;
    }
    let mut field = field(yaml, name)?;
    field.at = id.at;
    Ok(field)
}

/// Parses a field. Unknown keys are errors, since a typo would change what is read.
fn field(yaml: &Yaml, name: Word) -> SpecResult<Field> {
    let content = yaml.get("type").map_or(Ok(Content::Bytes), content)?;
    let is_value = yaml.get("value").is_some();
    keys::field(
        yaml,
        content.has(&|it| matches!(it, Content::Bytes)),
        content.has(&Content::is_text),
        content.has(&|it| matches!(it, Content::User(_))),
    )?;
    let contents = yaml.get("contents").map(bytes).transpose()?;
    let terminator = yaml.get("terminator").map(terminator).transpose()?;
    let size = match (optional(yaml, "size")?, flag(yaml, "size-eos", false)?) {
        (Some(size), false) => Size::Of(size),
        (None, true) => Size::ToEnd,
        (None, false) => Size::Own,
        (Some(size), true) => return error_at(size.at, "`size` and `size-eos` exclude each other"),
    };
    let is_open = matches!(size, Size::Own) && terminator.is_none() && contents.is_none() && !is_value;
    if is_open && matches!(content, Content::Bytes | Content::Text) {
        let known = "`size`, `size-eos`, `terminator`";
        return error_at(yaml.at, format!("the end of `{name}` is not stated: add {known} or `contents`"));
    }
    let word = |key: &str| yaml.get(key).map(|value| (value.text().into(), value.at));
    Ok(Field {
        name,
        at: yaml.at,
        doc: keys::doc(yaml),
        content,
        repeat: repeat(yaml)?,
        when: optional(yaml, "if")?,
        size,
        terminator,
        include: flag(yaml, "include", false)?,
        consume: flag(yaml, "consume", true)?,
        eos_error: flag(yaml, "eos-error", true)?,
        pad: yaml.get("pad-right").map(byte).transpose()?,
        encoding: word("encoding"),
        enumeration: word("enum"),
        process: yaml.get("process").map(process).transpose()?,
        valid: yaml.get("valid").map(|value| valid(value, yaml.get("enum").is_some())).transpose()?,
        pos: optional(yaml, "pos")?,
        io: optional(yaml, "io")?,
        value: optional(yaml, "value")?,
        parent: yaml.get("parent").map(code).transpose()?,
        contents,
        check: yaml.get("-check").map(own::check).transpose()?,
        role: own::role(yaml)?,
        level: own::level(yaml)?,
    })
}

impl Content {
    /// Returns whether it is text, and so has an encoding.
    pub fn is_text(&self) -> bool {
        matches!(self, Content::Text | Content::ZeroText)
    }

    /// Returns whether a condition holds for its content or for an alternative.
    fn has(&self, is: &dyn Fn(&Content) -> bool) -> bool {
        match self {
            // Without a default case, other values select plain bytes.
            Content::Switch(switch) => is(&Content::Bytes) || switch.cases.iter().any(|(_, content)| content.has(is)),
            content => is(content),
        }
    }
}

/// Parses the keys of a repetition.
fn repeat(yaml: &Yaml) -> SpecResult<Repeat> {
    let Some(kind) = yaml.get("repeat") else { return Ok(Repeat::Once) };
    let needed = |key: &str| {
        let code = optional(yaml, key)?;
        code.ok_or_else(|| LocatedError { at: kind.at, message: format!("`repeat: {}` needs `{key}`", kind.text()) })
    };
    match kind.text() {
        "eos" => Ok(Repeat::ToEnd),
        "expr" => Ok(Repeat::Count(needed("repeat-expr")?)),
        "until" => Ok(Repeat::Until(needed("repeat-until")?)),
        other => error_at(kind.at, format!("`{other}` is not a repetition: expected `eos`, `expr` or `until`")),
    }
}

/// Parses a byte: an integer of 0 to 255.
fn byte(yaml: &Yaml) -> SpecResult<u8> {
    let number = integer(yaml.text()).and_then(|number| u8::try_from(number).ok());
    number
        .ok_or_else(|| LocatedError { at: yaml.at, message: format!("`{}` is not a byte from 0 to 255", yaml.text()) })
}

/// Parses a terminator: a byte or a list of bytes.
fn terminator(yaml: &Yaml) -> SpecResult<Vec<u8>> {
    match &yaml.kind {
        Kind::List(items) if !items.is_empty() => items.iter().map(byte).collect(),
        _ => Ok(vec![byte(yaml)?]),
    }
}

/// Parses bytes: a string, or a list of strings and bytes.
fn bytes(yaml: &Yaml) -> SpecResult<Arc<[u8]>> {
    let part = |item: &Yaml| match integer(item.text()).filter(|_| item.is_plain()) {
        Some(_) => Ok(vec![byte(item)?]),
        None if item.is_scalar() => Ok(item.text().as_bytes().to_vec()),
        None => error_at(item.at, format!("{} is neither a text nor a byte", item.what())),
    };
    match &yaml.kind {
        Kind::List(items) => Ok(items.iter().map(part).collect::<SpecResult<Vec<_>>>()?.concat().into()),
        _ => Ok(part(yaml)?.into()),
    }
}

/// Parses the type of a field.
fn content(yaml: &Yaml) -> SpecResult<Content> {
    match &yaml.kind {
        Kind::Map(_) => return switch(yaml),
        Kind::List(_) => return error_at(yaml.at, "a type is a list, not a name or a map"),
        Kind::Scalar(..) if yaml.is_null() => return error_at(yaml.at, "the name of a type is missing"),
        Kind::Scalar(..) => {}
    }
    let text = yaml.text();
    Ok(match (text, primitive(text)) {
        ("str", _) => Content::Text,
        ("strz", _) => Content::ZeroText,
        (_, Some(primitive)) => Content::Primitive(primitive),
        (_, None) => {
            let (path, arguments) = call(text).map_err(|failure| at(yaml, failure))?;
            let arguments = arguments.into_iter().map(coded(yaml)).collect();
            Content::User(User { path, arguments, at: yaml.at })
        }
    })
}

/// Parses a type that depends on a value.
fn switch(yaml: &Yaml) -> SpecResult<Content> {
    keys::check(yaml, &["switch-on", "cases"])?;
    let needed = |key: &str| {
        let value = yaml.get(key);
        value.ok_or_else(|| LocatedError { at: yaml.at, message: format!("a type that a value chooses needs `{key}`") })
    };
    let (on, cases) = (needed("switch-on")?, needed("cases")?);
    if !matches!(cases.kind, Kind::Map(_)) {
        return error_at(cases.at, format!("`cases` is {}, not a map", cases.what()));
    }
    let cases = cases.pairs().iter().map(|(case, chosen)| {
        if !chosen.is_scalar() {
            return error_at(chosen.at, format!("the type of a case is {}, not a name", chosen.what()));
        }
        Ok((default_or(case)?, content(chosen)?))
    });
    Ok(Content::Switch(Box::new(Switch { on: code(on)?, cases: cases.collect::<SpecResult<_>>()? })))
}

/// Returns the value of a case; `None` for `_`, which matches all other values.
pub fn default_or(case: &Yaml) -> SpecResult<Option<Code>> {
    if case.text() == "_" { Ok(None) } else { code(case).map(Some) }
}

/// Returns a number or a run of bits by its name: `u4`, `s2le`, `f8be`, `b12`.
pub fn primitive(name: &str) -> Option<Primitive> {
    let (name, is_little) = match (name.strip_suffix("le"), name.strip_suffix("be")) {
        (Some(name), _) => (name, Some(true)),
        (_, Some(name)) => (name, Some(false)),
        _ => (name, None),
    };
    let (kind, width) = (name.get(..1)?, name.get(1..)?);
    if !width.starts_with(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    Some(match (kind, width.parse::<u32>().ok()?) {
        ("u" | "s", size @ (1 | 2 | 4 | 8)) if size > 1 || is_little.is_none() => {
            Primitive::Int { size: size as u8, is_signed: kind == "s", is_little }
        }
        ("f", size @ (4 | 8)) => Primitive::Float { size: size as u8, is_little },
        ("b", width @ 1..=64) => Primitive::Bits { width, is_little },
        _ => return None,
    })
}

/// Parses a process, with its arguments.
fn process(yaml: &Yaml) -> SpecResult<Process> {
    let (name, arguments) = call(yaml.text()).map_err(|failure| at(yaml, failure))?;
    let arguments = arguments.into_iter().map(coded(yaml)).collect();
    Ok(Process { name, arguments, at: yaml.at })
}

/// Parses the conditions on a value. A plain value is short for `eq`.
fn valid(yaml: &Yaml, has_enum: bool) -> SpecResult<Valid> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return Ok(Valid::Equal(code(yaml)?));
    }
    keys::check(yaml, keys::VALID)?;
    if let Some(flag) = yaml.get("in-enum") {
        return match (flag.text(), has_enum) {
            ("true", true) => Ok(Valid::InEnum(flag.at)),
            ("true", false) => error_at(flag.at, "`in-enum` needs the key `enum` of the same field"),
            _ => error_at(flag.at, "`in-enum` can only be `true`; without a check there is no `valid`"),
        };
    }
    if yaml.get("any-of").is_some() {
        return Ok(Valid::AnyOf(keys::list(yaml, "any-of")?.iter().map(code).collect::<SpecResult<_>>()?));
    }
    Ok(match (optional(yaml, "eq")?, optional(yaml, "expr")?) {
        (Some(eq), _) => Valid::Equal(eq),
        (None, Some(expr)) => Valid::Expr(expr),
        (None, None) => {
            let (min, max) = (optional(yaml, "min")?, optional(yaml, "max")?);
            if min.is_none() && max.is_none() {
                return error_at(yaml.at, format!("`valid` has no condition: expected {}", keys::VALID.join(", ")));
            }
            Valid::Range(min, max)
        }
    })
}

/// Returns a failure in the text of a scalar, with its position.
fn at(yaml: &Yaml, (place, message): (usize, String)) -> LocatedError {
    LocatedError { at: yaml.place(place), message: format!("{message}: `{}`", yaml.text()) }
}
