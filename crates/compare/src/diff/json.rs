//! Differences as JSON, in the form that the tool prints. `docs/json.md` describes it.

use super::report::{Diff, MemberDiff, NewAndGone, Side};
use everybyte::diff::{Change, Data, Kind, Moved, Place, Structure};
use everybyte::map::Value;
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

impl Serialize for Diff {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Diff", 10)?;
        object.serialize_field("a", &self.a)?;
        object.serialize_field("b", &self.b)?;
        object.serialize_field("verdict", &self.verdict)?;
        object.serialize_field("first_byte", &self.first_byte)?;
        object.serialize_field("counts", &Counts::of(self))?;
        object.serialize_field("values", &self.values)?;
        object.serialize_field("structure", &self.structure.as_ref().map(Changes))?;
        object.serialize_field("data", &self.structure.as_ref().map(|structure| Payloads(&structure.data)))?;
        object.serialize_field("findings", &self.findings)?;
        object.serialize_field("members", &self.members)?;
        object.end()
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !self.exists {
            return to.serialize_none();
        }
        let mut object = to.serialize_struct("Side", 4)?;
        object.serialize_field("path", &self.name)?;
        object.serialize_field("format", &self.format)?;
        object.serialize_field("gzip", &self.is_gzip)?;
        object.serialize_field("size", &self.size)?;
        object.end()
    }
}

impl Serialize for NewAndGone {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("NewAndGone", 2)?;
        object.serialize_field("gone", &self.gone)?;
        object.serialize_field("new", &self.new)?;
        object.end()
    }
}

impl Serialize for MemberDiff {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("MemberDiff", 2)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("diff", &self.diff)?;
        object.end()
    }
}

/// The numbers of differences, by kind.
#[derive(Serialize)]
struct Counts {
    changed: u64,
    added: u64,
    removed: u64,
    moved: u64,
    follows: u64,
    values: u64,
}

impl Counts {
    /// Summarises a comparison.
    fn of(diff: &Diff) -> Self {
        let changes = || diff.structure.iter().flat_map(|structure| &structure.changes);
        let count = |kinds: &[Kind]| {
            changes().filter(|change| kinds.contains(&change.kind)).map(|change| change.times.0).sum::<u64>()
        };
        let structure = |number: fn(&Structure) -> u64| diff.structure.as_ref().map_or(0, number);
        Counts {
            changed: count(&[Kind::Changed, Kind::Reordered, Kind::PointsElsewhere]),
            added: count(&[Kind::Added]),
            removed: count(&[Kind::Removed]),
            moved: structure(|structure| structure.elsewhere),
            follows: structure(|structure| structure.follows),
            values: diff.values.as_ref().map_or(0, |values| values.different),
        }
    }
}

/// The changes of a structure, and the runs of fields that only moved.
struct Changes<'s>(&'s Structure);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Structure { changes, moved, .. } = self.0;
        let mut list = to.serialize_seq(Some(changes.len() + moved.len()))?;
        changes.iter().try_for_each(|change| list.serialize_element(&ChangeObject::of(change)))?;
        moved.iter().try_for_each(|moved| list.serialize_element(&MovedObject::of(moved)))?;
        list.end()
    }
}

/// A change of a field.
#[derive(Serialize)]
struct ChangeObject<'c> {
    kind: &'static str,
    key: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<&'c str>,
    a: Option<PlaceObject<'c>>,
    b: Option<PlaceObject<'c>>,
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    same: &'c [String],
}

impl<'c> ChangeObject<'c> {
    /// The JSON object for a change.
    fn of(change: &'c Change) -> Self {
        ChangeObject {
            kind: match change.kind {
                Kind::Added => "added",
                Kind::Removed => "removed",
                Kind::Reordered => "reordered",
                Kind::PointsElsewhere => "points_elsewhere",
                Kind::Follows => "follows",
                _ => "changed",
            },
            key: &change.key,
            bits: change.bits.as_deref(),
            a: change.a.as_ref().map(PlaceObject::of),
            b: change.b.as_ref().map(PlaceObject::of),
            role: change.role.as_ref().map(everybyte::role::Role::name),
            same: &change.same,
        }
    }
}

/// A field on one of the sides, with its offset in its space.
#[derive(Serialize)]
struct PlaceObject<'c> {
    offset: u64,
    length: u64,
    space: u32,
    #[serde(serialize_with = "serialize_value")]
    value: &'c Value,
    meaning: &'c str,
}

impl<'c> PlaceObject<'c> {
    /// The JSON object for a position.
    fn of(place: &'c Place) -> Self {
        let Place { space, offset, length, value, meaning, .. } = place;
        PlaceObject { offset: *offset, length: *length, space: *space, value, meaning }
    }
}

/// Serializes numbers as numbers, and other values, or numbers that do not fit in 64 bits, as text.
fn serialize_value<S: Serializer>(value: &&Value, to: S) -> Result<S::Ok, S::Error> {
    match value {
        Value::None => to.serialize_none(),
        Value::Uint(number) => match u64::try_from(*number) {
            Ok(number) => to.serialize_u64(number),
            Err(_) => to.collect_str(number),
        },
        Value::Int(number) => match i64::try_from(*number) {
            Ok(number) => to.serialize_i64(number),
            Err(_) => to.collect_str(number),
        },
        Value::Flags(bits) => to.serialize_u64(*bits),
        Value::Single(number) if number.is_finite() => to.serialize_f32(*number),
        Value::Float(number) if number.is_finite() => to.serialize_f64(*number),
        Value::Text(text) => to.serialize_str(text),
        value => to.collect_str(value),
    }
}

/// A run of fields that moved together.
#[derive(Serialize)]
struct MovedObject {
    kind: &'static str,
    space: u32,
    from: u64,
    to: u64,
    shift: i128,
    fields: u64,
}

impl MovedObject {
    /// The JSON object for a run that moved. `shift` is negative if it moved towards the beginning.
    fn of(moved: &Moved) -> Self {
        let Moved { space, from, to, fields, .. } = *moved;
        MovedObject { kind: "moved", space, from, to, shift: moved.shift(), fields }
    }
}

/// The payloads of parts that differ.
struct Payloads<'s>(&'s [Data]);

impl Serialize for Payloads<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|data| DataObject {
            key: &data.key,
            a: AmountObject { parts: data.a.parts, bytes: data.a.bytes },
            b: AmountObject { parts: data.b.parts, bytes: data.b.bytes },
            different: data.different,
        }))
    }
}

/// Payload bytes, summed by the key of their field.
#[derive(Serialize)]
struct DataObject<'s> {
    key: &'s str,
    a: AmountObject,
    b: AmountObject,
    different: u64,
}

/// The number of parts and of their bytes.
#[derive(Serialize)]
struct AmountObject {
    parts: u64,
    bytes: u64,
}
