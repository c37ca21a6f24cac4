//! Fields and instances, as they are declared.

use super::keys::{self, code, coded, flag, optional};
use super::model::{Code, Content, Field, Primitive, Process, Repeat, Size, Switch, User, Valid};
use super::own;
use crate::expression::{Word, call};
use crate::place::{Flaw, Sound, flaw};
use crate::yaml::{Kind, Yaml, integer};
use std::sync::Arc;

/// Reads a field of a sequence.
pub fn of_sequence(yaml: &Yaml, number: usize) -> Sound<Field> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return flaw(yaml.at, format!("a field is {}, not a map", yaml.what()));
    }
    let name = match yaml.get("id") {
        Some(id) => keys::name(id, "a field")?,
        None => format!("_unnamed{number}").into(),
    };
    for key in ["pos", "io", "value"] {
        if let Some(value) = yaml.get(key) {
            return flaw(value.at, format!("`{key}` belongs to instances, not to fields of a sequence"));
        }
    }
    field(yaml, name)
}

/// Reads an instance.
pub fn instance(id: &Yaml, yaml: &Yaml) -> Sound<Field> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return flaw(yaml.at, format!("an instance is {}, not a map", yaml.what()));
    }
    let name = keys::name(id, "an instance")?;
    if yaml.get("value").is_some() {
        keys::check(yaml, keys::VALUE_INSTANCE)?;
    }
    let mut field = field(yaml, name)?;
    field.at = id.at;
    Ok(field)
}

fn field(yaml: &Yaml, name: Word) -> Sound<Field> {
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
        (Some(size), true) => return flaw(size.at, "`size` and `size-eos` both say where the field ends"),
    };
    let is_open = matches!(size, Size::Own) && terminator.is_none() && contents.is_none() && !is_value;
    if is_open && matches!(content, Content::Bytes | Content::Text) {
        let known = "`size`, `size-eos`, `terminator`";
        return flaw(yaml.at, format!("nothing says where `{name}` ends: {known} or `contents` do"));
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
    pub fn is_text(&self) -> bool {
        matches!(self, Content::Text | Content::ZeroText)
    }

    /// Returns whether this is true of it, or of an alternative.
    fn has(&self, is: &dyn Fn(&Content) -> bool) -> bool {
        match self {
            // Without a default, other values leave bytes.
            Content::Switch(switch) => is(&Content::Bytes) || switch.cases.iter().any(|(_, content)| content.has(is)),
            content => is(content),
        }
    }
}

fn repeat(yaml: &Yaml) -> Sound<Repeat> {
    let Some(kind) = yaml.get("repeat") else { return Ok(Repeat::Once) };
    let needed = |key: &str| {
        let code = optional(yaml, key)?;
        code.ok_or_else(|| Flaw { at: kind.at, message: format!("`repeat: {}` needs `{key}`", kind.text()) })
    };
    match kind.text() {
        "eos" => Ok(Repeat::ToEnd),
        "expr" => Ok(Repeat::Count(needed("repeat-expr")?)),
        "until" => Ok(Repeat::Until(needed("repeat-until")?)),
        other => flaw(kind.at, format!("`{other}` is no repetition: `eos`, `expr` and `until` are")),
    }
}

/// A byte: an integer of 0 to 255.
fn byte(yaml: &Yaml) -> Sound<u8> {
    let number = integer(yaml.text()).and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| Flaw { at: yaml.at, message: format!("`{}` is no byte of 0 to 255", yaml.text()) })
}

fn terminator(yaml: &Yaml) -> Sound<Vec<u8>> {
    match &yaml.kind {
        Kind::List(items) if !items.is_empty() => items.iter().map(byte).collect(),
        _ => Ok(vec![byte(yaml)?]),
    }
}

/// Bytes: a text, or a list of texts and bytes.
fn bytes(yaml: &Yaml) -> Sound<Arc<[u8]>> {
    let part = |item: &Yaml| match integer(item.text()).filter(|_| item.is_plain()) {
        Some(_) => Ok(vec![byte(item)?]),
        None if item.is_scalar() => Ok(item.text().as_bytes().to_vec()),
        None => flaw(item.at, format!("{} is neither a text nor a byte", item.what())),
    };
    match &yaml.kind {
        Kind::List(items) => Ok(items.iter().map(part).collect::<Sound<Vec<_>>>()?.concat().into()),
        _ => Ok(part(yaml)?.into()),
    }
}

fn content(yaml: &Yaml) -> Sound<Content> {
    match &yaml.kind {
        Kind::Map(_) => return switch(yaml),
        Kind::List(_) => return flaw(yaml.at, "a type is a list, not a name or a map"),
        Kind::Scalar(..) if yaml.is_null() => return flaw(yaml.at, "the name of a type is missing"),
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

fn switch(yaml: &Yaml) -> Sound<Content> {
    keys::check(yaml, &["switch-on", "cases"])?;
    let needed = |key: &str| {
        let value = yaml.get(key);
        value.ok_or_else(|| Flaw { at: yaml.at, message: format!("a type that a value chooses needs `{key}`") })
    };
    let (on, cases) = (needed("switch-on")?, needed("cases")?);
    if !matches!(cases.kind, Kind::Map(_)) {
        return flaw(cases.at, format!("`cases` is {}, not a map", cases.what()));
    }
    let cases = cases.pairs().iter().map(|(case, chosen)| {
        if !chosen.is_scalar() {
            return flaw(chosen.at, format!("the type of a case is {}, not a name", chosen.what()));
        }
        Ok((default_or(case)?, content(chosen)?))
    });
    Ok(Content::Switch(Box::new(Switch { on: code(on)?, cases: cases.collect::<Sound<_>>()? })))
}

/// The value of a case; `None` for `_`, which is for all other values.
pub fn default_or(case: &Yaml) -> Sound<Option<Code>> {
    if case.text() == "_" { Ok(None) } else { code(case).map(Some) }
}

/// A number or a run of bits by its name: `u4`, `s2le`, `f8be`, `b12`.
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

fn process(yaml: &Yaml) -> Sound<Process> {
    let (name, arguments) = call(yaml.text()).map_err(|failure| at(yaml, failure))?;
    let arguments = arguments.into_iter().map(coded(yaml)).collect();
    Ok(Process { name, arguments, at: yaml.at })
}

fn valid(yaml: &Yaml, has_enum: bool) -> Sound<Valid> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return Ok(Valid::Equal(code(yaml)?));
    }
    keys::check(yaml, keys::VALID)?;
    if let Some(flag) = yaml.get("in-enum") {
        return match (flag.text(), has_enum) {
            ("true", true) => Ok(Valid::InEnum(flag.at)),
            ("true", false) => flaw(flag.at, "`in-enum` needs the key `enum` beside it"),
            _ => flaw(flag.at, "`in-enum` can only be `true`; without a check there is no `valid`"),
        };
    }
    if yaml.get("any-of").is_some() {
        return Ok(Valid::AnyOf(keys::list(yaml, "any-of")?.iter().map(code).collect::<Sound<_>>()?));
    }
    Ok(match (optional(yaml, "eq")?, optional(yaml, "expr")?) {
        (Some(eq), _) => Valid::Equal(eq),
        (None, Some(expr)) => Valid::Expr(expr),
        (None, None) => {
            let (min, max) = (optional(yaml, "min")?, optional(yaml, "max")?);
            if min.is_none() && max.is_none() {
                return flaw(yaml.at, format!("`valid` says nothing: known are {}", keys::VALID.join(", ")));
            }
            Valid::Range(min, max)
        }
    })
}

/// A failure in the text of a scalar, with its place.
fn at(yaml: &Yaml, (place, message): (usize, String)) -> Flaw {
    Flaw { at: yaml.place(place), message: format!("{message}: `{}`", yaml.text()) }
}
