//! Declared types and enumerations.

use super::field::{default_or, instance, of_sequence};
use super::keys::{self, code, list, map, optional, text};
use super::model::{Declared, Endian, EndianChoice, Enum, Field, Label, Param, Type};
use crate::expression::Word;
use crate::place::{At, LocatedError, SpecResult, error_at};
use crate::yaml::{Kind, Yaml, integer};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of types in a specification, including imported ones.
const MOST_TYPES: usize = 1 << 14;

/// The versions of Kaitai Struct whose specifications are supported.
const VERSIONS: [[u32; 3]; 2] = [[0, 6, 0], [0, 11, u32::MAX]];

impl Declared {
    /// Adds a type with everything declared inside it; returns its number.
    pub(super) fn add_type(&mut self, yaml: &Yaml, name: Word, outer: Option<usize>) -> SpecResult<usize> {
        let number = self.types.len();
        if number >= MOST_TYPES {
            return error_at(yaml.at, format!("the specification has more than {MOST_TYPES} types"));
        }
        if !matches!(yaml.kind, Kind::Map(_)) {
            return error_at(yaml.at, format!("a type is {}, not a map", yaml.what()));
        }
        keys::check(yaml, keys::TYPE)?;
        let mut own = self.begun(yaml, name, outer)?;
        for param in list(yaml, "params")? {
            own.params.push(declared_param(param)?);
        }
        for (place, field) in list(yaml, "seq")?.iter().enumerate() {
            own.seq.push(of_sequence(field, place)?);
        }
        for (id, field) in map(yaml, "instances")? {
            own.instances.push(instance(id, field)?);
        }
        own.slots = slots(&own)?;
        for (id, labels) in map(yaml, "enums")? {
            own.enums.insert(keys::name(id, "an enumeration")?, self.enums.len());
            self.enums.push(enumeration(id, labels)?);
        }
        self.types.push(own);
        for (id, inner) in map(yaml, "types")? {
            let name = keys::name(id, "a type")?;
            let inner = self.add_type(inner, Arc::clone(&name), Some(number))?;
            self.types[number].types.insert(name, inner);
        }
        Ok(number)
    }

    /// Begins a type with the defaults from its `meta` and the enclosing type.
    fn begun(&mut self, yaml: &Yaml, name: Word, outer: Option<usize>) -> SpecResult<Type> {
        let meta = yaml.get("meta");
        if let Some(meta) = meta {
            if !matches!(meta.kind, Kind::Map(_)) {
                return error_at(meta.at, format!("`meta` is {}, not a map", meta.what()));
            }
            keys::check(meta, keys::META)?;
            self.has_opaque_types |= keys::flag(meta, "ks-opaque-types", false)?;
            meta.get("ks-version").map_or(Ok(()), version)?;
        }
        let around = outer.map(|outer| &self.types[outer]);
        let stated = |key: &str| meta.and_then(|meta| meta.get(key));
        let bits_are_little = match stated("bit-endian").map(|order| (order.text(), order.at)) {
            None => around.is_some_and(|around| around.bits_are_little),
            Some(("le", _)) => true,
            Some(("be", _)) => false,
            Some((other, at)) => return error_at(at, format!("`{other}` is not a bit order: expected `le` or `be`")),
        };
        Ok(Type {
            name,
            at: yaml.at,
            outer,
            types: HashMap::new(),
            enums: HashMap::new(),
            params: Vec::new(),
            seq: Vec::new(),
            instances: Vec::new(),
            slots: HashMap::new(),
            endian: match stated("endian") {
                None => around.map_or(Endian::Unstated, |around| around.endian.clone()),
                Some(order) => endian(order)?,
            },
            bits_are_little,
            encoding: match stated("encoding") {
                None => around.and_then(|around| around.encoding.clone()),
                Some(name) => Some((name.text().into(), name.at)),
            },
            to_string: optional(yaml, "to-string")?,
            doc: keys::doc(yaml),
            title: meta.map_or_else(|| "".into(), |meta| text(meta, "title")),
            license: meta.map_or_else(|| "".into(), |meta| text(meta, "license")),
        })
    }
}

/// Returns the slots of all names of a type, which must differ.
fn slots(own: &Type) -> SpecResult<HashMap<Word, usize>> {
    let params = own.params.iter().map(|param| (&param.name, param.at));
    let fields = own.seq.iter().chain(&own.instances).map(|field: &Field| (&field.name, field.at));
    let mut slots: HashMap<Word, usize> = HashMap::new();
    let mut places: Vec<At> = Vec::new();
    for (slot, (name, at)) in params.chain(fields).enumerate() {
        if let Some(before) = slots.insert(Arc::clone(name), slot) {
            return error_at(at, format!("the name `{name}` is already used in line {}", places[before].line));
        }
        places.push(at);
    }
    Ok(slots)
}

/// Parses a parameter.
fn declared_param(yaml: &Yaml) -> SpecResult<Param> {
    keys::check(yaml, keys::PARAM)?;
    let Some(id) = yaml.get("id") else { return error_at(yaml.at, "a parameter has no `id`") };
    let word = |key: &str| yaml.get(key).map(|value| value.text().into());
    Ok(Param { name: keys::name(id, "a parameter")?, at: yaml.at, type_name: word("type"), enumeration: word("enum") })
}

/// Parses an enumeration. Two labels with the same name are an error.
fn enumeration(id: &Yaml, yaml: &Yaml) -> SpecResult<Enum> {
    if !matches!(yaml.kind, Kind::Map(_)) {
        return error_at(yaml.at, format!("an enumeration is {}, not a map", yaml.what()));
    }
    let (mut labels, mut values): (Vec<Label>, HashMap<Word, i128>) = (Vec::new(), HashMap::new());
    let mut lines: HashMap<Word, u32> = HashMap::new();
    for (key, label) in yaml.pairs() {
        let Some(value) = integer(key.text()) else {
            return error_at(key.at, format!("`{}` is not an integer", key.text()));
        };
        let name = match &label.kind {
            Kind::Map(_) => {
                keys::check(label, keys::LABEL)?;
                let Some(id) = label.get("id") else { return error_at(label.at, "the value has no `id`") };
                keys::name(id, "a value")?
            }
            _ => keys::name(label, "a value")?,
        };
        if let Some(line) = lines.insert(Arc::clone(&name), label.at.line) {
            return error_at(label.at, format!("the name `{name}` is already used by the value in line {line}"));
        }
        values.insert(Arc::clone(&name), value);
        labels.push(Label { value, name, doc: keys::doc(label) });
    }
    Ok(Enum { name: id.text().into(), labels, values })
}

/// Parses a byte order, which may depend on a value.
fn endian(yaml: &Yaml) -> SpecResult<Endian> {
    let order = |yaml: &Yaml| match yaml.text() {
        "le" => Ok(true),
        "be" => Ok(false),
        _ => error_at(yaml.at, "the byte order is neither `le` nor `be`"),
    };
    if yaml.is_scalar() {
        return Ok(if order(yaml)? { Endian::Little } else { Endian::Big });
    }
    keys::check(yaml, &["switch-on", "cases"])?;
    let Some(on) = yaml.get("switch-on") else {
        return error_at(yaml.at, "a byte order that a value chooses needs `switch-on`");
    };
    let cases = map(yaml, "cases")?.iter().map(|(case, chosen)| Ok((default_or(case)?, order(chosen)?)));
    Ok(Endian::Chosen(Arc::new(EndianChoice { on: code(on)?, cases: cases.collect::<SpecResult<_>>()? })))
}

/// Refuses unknown versions of Kaitai Struct.
fn version(yaml: &Yaml) -> SpecResult<()> {
    let text = yaml.text();
    let wrong = || LocatedError {
        at: yaml.at,
        message: format!("`{text}` is not a version: expected a number such as `0.10` or `0.10.1`"),
    };
    let mut parts = Vec::new();
    for part in text.split('.') {
        let is_number = part == "0" || (!part.starts_with('0') && part.bytes().all(|digit| digit.is_ascii_digit()));
        parts.push(part.parse::<u32>().ok().filter(|_| is_number).ok_or_else(wrong)?);
    }
    let version = match parts[..] {
        [major, minor] => [major, minor, 0],
        [major, minor, patch] => [major, minor, patch],
        _ => return Err(wrong()),
    };
    let [least, most] = VERSIONS;
    if version < least || version > most {
        let known = format!("supported are {}.{} to {}.{}", least[0], least[1], most[0], most[1]);
        return error_at(yaml.at, format!("the specification needs Kaitai Struct {text}; {known}"));
    }
    Ok(())
}
