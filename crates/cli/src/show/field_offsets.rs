//! Offsets of the fields of a structure.

use ndbytes::everybyte::reference::FieldDoc;

/// Returns the offset of each field from the start of its structure, or an empty string if it is not fixed or if the
/// field does not follow the previous one.
pub fn offsets(fields: &[FieldDoc]) -> Vec<String> {
    let mut next = Some(0);
    let one = |field: &FieldDoc| {
        if field.place.is_some() {
            return String::new();
        }
        let own = next.map(|offset: u64| offset.to_string()).unwrap_or_default();
        next = next.and_then(|offset| Some(offset + field.size?));
        own
    };
    fields.iter().map(one).collect()
}
