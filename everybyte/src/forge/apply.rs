//! Applies the steps of a recipe to a file.
//!
//! A step becomes edits of bytes, and [`propagated`] does the rest. The result is bounded, whatever the recipe: a
//! step that would create a file of more than [`LONGEST`] bytes is refused, because `duplicate` in a recipe of thirty
//! lines could otherwise double a file thirty times.

use super::byte_mutations;
use super::choices::Choices;
use super::edit::Edit;
use super::field_table::Field;
use super::grammar::Grammar;
use super::key_lookup::Spot;
use super::mapped_file::MappedFile;
use super::number::{Body, Number, Shape, fitted, integer, with_run};
use super::propagate::{Action, Counted, propagated};
use super::recipe::{Repair, Setting, Step};
use crate::escape::escape;
use crate::nodes::Index;
use crate::role::Role;
use crate::value::Value;
use binrw::Endian;

/// The longest file that a step may create, because a short recipe could double a file again and again.
const LONGEST: usize = 1 << 30;

/// The rules of a repair.
pub struct Terms<'d> {
    /// The roles to repair.
    pub repair: Repair,
    /// Called with the index of each number field that would change and of each fact.
    pub decide: &'d mut dyn FnMut(usize) -> bool,
}

/// Returns the bytes of a file after a step, or why the step failed.
pub fn apply<G: Grammar + ?Sized>(
    grammar: &G,
    mapped: &MappedFile<'_>,
    step: &Step,
    terms: &mut Terms<'_>,
) -> Result<Vec<u8>, String> {
    match step {
        Step::Repair(_) | Step::Leave(_) => return Ok(mapped.file.to_vec()),
        Step::Append(bytes) => return Ok([&mapped.file[..], bytes].concat()),
        Step::Plain { seed } => {
            let mut file = mapped.file.to_vec();
            byte_mutations::mutate(&mut file, &mut Choices::seeded(*seed));
            return Ok(file);
        }
        Step::Do { .. } => return operate(grammar, step, &mapped.file),
        _ => {}
    }
    let work = Work { grammar, mapped };
    let mut facts = Vec::new();
    let action = work.action(step, &mut facts)?;
    let added: usize = action.edits.iter().map(|edit| edit.bytes.len()).sum();
    if mapped.file.len().saturating_add(added) > LONGEST {
        return Err("the file would have more than a gibibyte".into());
    }
    let file = propagated(grammar, mapped, &action, terms.repair, terms.decide);
    let mut file = file.ok_or("the content of the field cannot be written back")?;
    facts.sort_unstable();
    facts.dedup();
    for fact in facts {
        if terms.repair.agrees()
            && let Some(agreed) = grammar.agree(&mapped.file, &file, &mapped.table.key(fact))
            && agreed != file
            && (terms.decide)(fact)
        {
            file = agreed;
        }
    }
    Ok(file)
}

/// Returns the bytes of a file after an operation of its grammar, or why the operation failed. No map is needed.
pub fn operate<G: Grammar + ?Sized>(grammar: &G, step: &Step, file: &[u8]) -> Result<Vec<u8>, String> {
    let Step::Do { operation, seed } = step else { return Err("the step is not an operation".into()) };
    let name = escape(operation);
    if !grammar.operations().contains(&&**operation) {
        return Err(format!("{} has no operation `{name}`", grammar.name()));
    }
    let made = grammar.operate(operation, file, &mut Choices::seeded(*seed));
    made.ok_or_else(|| format!("the operation `{name}` cannot be applied to the file"))
}

/// Returns whether a field already has a value, so that setting it would change nothing.
pub fn holds<G: Grammar + ?Sized>(grammar: &G, mapped: &MappedFile<'_>, key: &str, value: &Setting) -> bool {
    let work = Work { grammar, mapped };
    work.spot(key).is_ok_and(|spot| {
        let held = work.read(&spot);
        held.is_ok() && held == work.bytes_of(&spot, value, key)
    })
}

/// A file that steps are applied to.
struct Work<'a, 'g, G: ?Sized> {
    grammar: &'a G,
    mapped: &'a MappedFile<'g>,
}

impl<G: Grammar + ?Sized> Work<'_, '_, G> {
    fn action(&self, step: &Step, facts: &mut Vec<usize>) -> Result<Action, String> {
        let mut action = Action::default();
        match step {
            Step::Set { key, value } => {
                let spot = self.spot(key)?;
                let new = self.bytes_of(&spot, value, key)?;
                action.edits.push(self.whole(&spot, new));
                facts.extend(self.fact(&spot));
            }
            Step::Splice { key, from, to, bytes } => {
                let spot = self.spot(key)?;
                action.edits.push(self.splice(key, &spot, (*from, *to), bytes)?);
                facts.extend(self.fact(&spot));
            }
            Step::Remove(key) => {
                let spot = self.spot(key)?;
                facts.extend(self.fact(&spot));
                action.counted = self.counted(&spot, -1);
                action.edits.push(Edit { field: None, ..self.whole(&spot, Vec::new()) });
            }
            Step::Duplicate(key) => {
                let spot = self.spot(key)?;
                facts.extend(self.fact(&spot));
                action.counted = self.counted(&spot, 1);
                let bytes = self.read(&spot)?;
                let after = spot.field..self.mapped.table.fields[spot.field].last;
                let at = spot.bytes.end..spot.bytes.end;
                action.edits.push(Edit { at, after, field: None, ..self.whole(&spot, bytes) });
            }
            Step::Swap(one, other) => {
                let spots = [self.spot(one)?, self.spot(other)?];
                let [first, second] = &spots;
                self.ensure_apart(first, second)?;
                action.edits.push(self.whole(first, self.read(second)?));
                action.edits.push(self.whole(second, self.read(first)?));
                facts.extend(spots.iter().filter_map(|spot| self.fact(spot)));
            }
            Step::Copy { from, to } => {
                let (from, to) = (self.spot(from)?, self.spot(to)?);
                action.edits.push(self.whole(&to, self.read(&from)?));
                facts.extend(self.fact(&to));
            }
            Step::Cut { key, by } => action.edits.push(self.cut(key.as_deref(), *by)?),
            _ => {}
        }
        Ok(action)
    }

    /// The edit that replaces some of a field's bytes.
    fn splice(&self, key: &str, spot: &Spot, (from, to): (u64, Option<u64>), bytes: &[u8]) -> Result<Edit, String> {
        let length = spot.bytes.end - spot.bytes.start;
        let to = to.unwrap_or(length);
        if from > to || to > length {
            return Err(format!("`{}` has {length} bytes", escape(key)));
        }
        let at = spot.bytes.start + from..spot.bytes.start + to;
        let whole = self.whole(spot, bytes.to_vec());
        let field = whole.field.filter(|_| at == spot.bytes);
        Ok(Edit { at, field, ..whole })
    }

    /// The edit that truncates a space `by` bytes after the start of a field or, without a key, the file `by` bytes after its end.
    fn cut(&self, key: Option<&str>, by: i64) -> Result<Edit, String> {
        let (space, at) = match key {
            Some(key) => {
                let spot = self.spot(key)?;
                (self.space(&spot), spot.bytes.start)
            }
            None => (self.mapped.file_space(), self.mapped.file.len() as u64),
        };
        let length = match space == self.mapped.file_space() {
            true => self.mapped.file.len() as u64,
            false => self.mapped.table.lengths[&space],
        };
        let at = at.checked_add_signed(by).filter(|at| *at <= length);
        let at = at.ok_or("the cut is outside of the file")?;
        Ok(Edit { space, owner: at..length, at: at..length, bytes: Vec::new(), field: None, after: 0..0 })
    }

    /// Refuses two fields that overlap.
    fn ensure_apart(&self, first: &Spot, second: &Spot) -> Result<(), String> {
        let overlap = first.bytes.start < second.bytes.end && second.bytes.start < first.bytes.end;
        if self.space(first) == self.space(second) && overlap {
            return Err("one of the fields is a part of the other".into());
        }
        Ok(())
    }

    /// The single field that a key names.
    fn spot(&self, key: &str) -> Result<Spot, String> {
        let found = self.mapped.table.find(key).into_iter().next();
        found.ok_or_else(|| format!("the file has no field `{}`", escape(key)))
    }

    /// Finds the field at a location.
    fn field(&self, spot: &Spot) -> &Field {
        &self.mapped.table.fields[spot.field]
    }

    /// Finds the space of a location.
    fn space(&self, spot: &Spot) -> u32 {
        self.field(spot).space
    }

    /// Reads the bytes at a location. Compressed content may be unavailable.
    fn read(&self, spot: &Spot) -> Result<Vec<u8>, String> {
        let content = self.mapped.content(self.grammar, self.space(spot));
        let bytes =
            content.as_ref().and_then(|content| content.get(spot.bytes.start as usize..spot.bytes.end as usize));
        bytes.map(<[u8]>::to_vec).ok_or_else(|| "the content of the field is not available".to_owned())
    }

    fn whole(&self, spot: &Spot, bytes: Vec<u8>) -> Edit {
        let edit = Edit::whole(self.space(spot), spot.bytes.clone(), spot.field, bytes);
        let is_field = spot.bytes == self.field(spot).bytes();
        // If several elements share a field, that field grows.
        if is_field { edit } else { Edit { field: None, owner: self.field(spot).bytes(), ..edit } }
    }

    /// The list that contains an element, and the number of elements to insert.
    fn counted(&self, spot: &Spot, change: i64) -> Option<Counted> {
        let (list, _) = self.mapped.table.list_of(spot.field)?;
        let elements = match (self.field(spot).index, spot.bytes == self.field(spot).bytes()) {
            (Some(Index::Range(first, end)), true) => (end - first) as i64,
            _ => 1,
        };
        Some(Counted { list, change: change * elements, at: spot.bytes.start })
    }

    /// The fact that changes with a field.
    fn fact(&self, spot: &Spot) -> Option<usize> {
        let fields = spot.field..self.field(spot).last;
        fields.into_iter().find(|&field| matches!(self.mapped.table.fields[field].role, Some(Role::Fact)))
    }

    /// Encodes a value for a field.
    fn bytes_of(&self, spot: &Spot, value: &Setting, key: &str) -> Result<Vec<u8>, String> {
        let old = self.read(spot)?;
        let table = &self.mapped.table;
        let shape = table.slot(spot.field).map_or(Shape::BYTES, |slot| slot.shape);
        let problem = || {
            let (least, most) = match spot.bits {
                Some((_, width)) => (0, (1_i128 << width.min(64)) - 1),
                None => shape.range(old.len()),
            };
            let range = match (value, shape.body) {
                (_, Body::Float) => String::new(),
                // A number without a fraction is treated as an integer here, even if no integer type can represent it.
                (Setting::Float(number), _) if number.is_finite() && number.fract() != 0.0 => {
                    ": it takes whole numbers".to_owned()
                }
                _ => format!(": it takes {least} to {most}"),
            };
            format!("`{}` has no room for {value}{range}", escape(key))
        };
        let number = match value {
            Setting::Bytes(bytes) => return Ok(bytes.clone()),
            Setting::Text(text) => return Ok(shape.text(text.as_bytes(), &old)),
            Setting::Integer(number) => Number::Integer(*number),
            Setting::Float(number) => Number::Float(*number),
        };
        if let Some((first, width)) = spot.bits {
            let Number::Integer(run) = number else { return Err(problem()) };
            let run = u64::try_from(run).ok().filter(|run| width >= 64 || run >> width == 0).ok_or_else(problem)?;
            return Ok(with_run(&old, self.order_of_bits(spot, &shape, &old), (first, width), run));
        }
        match (shape.body, number) {
            (_, number) if shape.is_number() => shape.write(number, &old),
            (_, Number::Integer(number)) => fitted(number, old.len(), number < 0, shape.order),
            (_, Number::Float(_)) => None,
        }
        .ok_or_else(problem)
    }

    /// The byte order of an integer with named bits. Bit fields that a specification joins have no byte order. If the
    /// first bit field is the highest, the first byte is too.
    fn order_of_bits(&self, spot: &Spot, shape: &Shape<'_>, bytes: &[u8]) -> Endian {
        let node = self.mapped.table.node(spot.field);
        let is_big = match (shape.body, &node.bits()[..]) {
            (Body::Integer { bits: [_, ..], .. }, _) => return shape.order,
            (_, [first, next, ..]) => first.first > next.first,
            (_, [only]) if only.first == 0 && only.width as usize == bytes.len() * 8 => {
                matches!(node.value(), Value::Flags(value) if integer(bytes, Endian::Big, false) == Some(value.into()))
            }
            (_, [only]) => only.first > 0,
            _ => false,
        };
        if is_big { Endian::Big } else { Endian::Little }
    }
}
