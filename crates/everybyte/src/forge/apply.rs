//! The steps of a recipe, applied to a file.

use super::byte_mutations;
use super::choices::Choices;
use super::edit::Edit;
use super::field_table::Field;
use super::grammar::Grammar;
use super::key_lookup::Spot;
use super::mapped_file::MappedFile;
use super::number::{Number, Shape, fitted, integer};
use super::propagate::{Action, Counted, propagated};
use super::recipe::{Repair, Setting, Step};
use crate::escape::escape;
use crate::nodes::Index;
use crate::role::Role;

/// The longest file that a step makes: a short recipe could double a file again and again.
const LONGEST: usize = 1 << 30;

/// The rules of a repair.
pub struct Terms<'d> {
    /// The roles that are repaired.
    pub repair: Repair,
    /// Asked of each number that would change, and of each fact, by the number of the field.
    pub decide: &'d mut dyn FnMut(usize) -> bool,
}

/// The bytes of a file after a step; or the reason why there are none.
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

/// The bytes of a file after an operation of its grammar, which needs no map; or the reason why there are none.
pub fn operate<G: Grammar + ?Sized>(grammar: &G, step: &Step, file: &[u8]) -> Result<Vec<u8>, String> {
    let Step::Do { operation, seed } = step else { return Err("the step is no operation".into()) };
    let name = escape(operation);
    if !grammar.operations().contains(&&**operation) {
        return Err(format!("{} has no operation `{name}`", grammar.name()));
    }
    let made = grammar.operate(operation, file, &mut Choices::seeded(*seed));
    made.ok_or_else(|| format!("the operation `{name}` does not suit the file"))
}

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

    /// The edit that puts bytes in the place of some of a field.
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

    /// The edit that ends the file, or the space of a field, there or `by` bytes after it.
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

    /// Refuses two fields that have bytes in common.
    fn ensure_apart(&self, first: &Spot, second: &Spot) -> Result<(), String> {
        let overlap = first.bytes.start < second.bytes.end && second.bytes.start < first.bytes.end;
        if self.space(first) == self.space(second) && overlap {
            return Err("one of the fields is a part of the other".into());
        }
        Ok(())
    }

    /// The one field that a key names.
    fn spot(&self, key: &str) -> Result<Spot, String> {
        let found = self.mapped.table.find(key).into_iter().next();
        found.ok_or_else(|| format!("the file has no field `{}`", escape(key)))
    }

    fn field(&self, spot: &Spot) -> &Field {
        &self.mapped.table.fields[spot.field]
    }

    fn space(&self, spot: &Spot) -> u32 {
        self.field(spot).space
    }

    fn read(&self, spot: &Spot) -> Result<Vec<u8>, String> {
        let content = self.mapped.content(self.grammar, self.space(spot));
        let bytes =
            content.as_ref().and_then(|content| content.get(spot.bytes.start as usize..spot.bytes.end as usize));
        bytes.map(<[u8]>::to_vec).ok_or_else(|| "the content of the field cannot be had".to_owned())
    }

    fn whole(&self, spot: &Spot, bytes: Vec<u8>) -> Edit {
        let edit = Edit::whole(self.space(spot), spot.bytes.clone(), spot.field, bytes);
        let is_field = spot.bytes == self.field(spot).bytes();
        // Of an element of several that share a field, the field around it grows.
        if is_field { edit } else { Edit { field: None, owner: self.field(spot).bytes(), ..edit } }
    }

    /// The list of an element, and the elements that come.
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

    /// The bytes of a value in a field.
    fn bytes_of(&self, spot: &Spot, value: &Setting, key: &str) -> Result<Vec<u8>, String> {
        let old = self.read(spot)?;
        let table = &self.mapped.table;
        let shape = table.slot(spot.field).map_or(Shape::BYTES, |slot| slot.shape);
        let problem = || format!("`{}` has no room for {value}", escape(key));
        let number = match value {
            Setting::Bytes(bytes) => return Ok(bytes.clone()),
            Setting::Text(text) => return Ok(shape.text(text.as_bytes(), &old)),
            Setting::Integer(number) => Number::Integer(*number),
            Setting::Float(number) => Number::Float(*number),
        };
        if let (Some((first, width)), Number::Integer(run)) = (spot.bits, number) {
            let is_wide = width < 64 && run >> width != 0 || run < 0;
            let whole = integer(&old, shape.order, false).filter(|_| !is_wide).ok_or_else(problem)?;
            let mask = ((1_i128 << width) - 1) << first;
            return fitted(whole & !mask | run << first, old.len(), false, shape.order).ok_or_else(problem);
        }
        match (shape.body, number) {
            (_, number) if shape.is_number() => shape.write(number, &old),
            (_, Number::Integer(number)) => fitted(number, old.len(), number < 0, shape.order),
            (_, Number::Float(_)) => None,
        }
        .ok_or_else(problem)
    }
}
