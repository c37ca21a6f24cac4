//! Maps that no declaration produces, and maps of long lists.

use everybyte::diff::{Kind, Options, Side, Structure, structure};
use everybyte::map::{Index, Value};
use everybyte::map::{Nodes, Space};
use everybyte::role::{Origin, Role, Target};

fn compared(a: &[Space], b: &[Space]) -> Structure {
    let read = |_: u32, _: u64, _: &mut [u8]| false;
    structure(&Side { spaces: a, read: &read }, &Side { spaces: b, read: &read }, &Options::default())
}

#[test]
fn spaces_that_lead_to_each_other_end() {
    // Each space opens the next one, and the last ones open themselves and the first one.
    let space = |id: u32, value: u128| {
        let opens = Some(if id < 5000 { id + 1 } else { id % 2 * id });
        let mut nodes = Nodes::new();
        nodes.leaf("x", 0..1).opens(opens).value(Value::Uint(value)).add();
        Space::new(id, "space", 1, nodes, |bytes, _| {
            bytes.fill(value as u8);
            Ok::<(), ()>(())
        })
    };
    let [a, b] = [1, 2].map(|value| (0..5002).map(|id| space(id, value).unwrap()).collect::<Vec<_>>());
    let found = compared(&a, &b);
    assert!(found.lines(true).all(|line| line.len() < 200));
    assert_eq!(found.follows, 5002);
}

#[test]
fn a_report_has_an_end() {
    let map = |by: u64| {
        let mut nodes = Nodes::new();
        let list = nodes.leaf("x", 0..30_000).add();
        for index in 0..30_000 {
            let value = Value::Uint((index + by).into());
            let element = nodes.leaf("x", index..index + 1).index(Index::One(index)).value(value).id();
            nodes.edit(list).push(element);
        }
        let fill = |bytes: &mut [u8], offset: u64| {
            bytes.fill((offset + by) as u8);
            Ok::<(), ()>(())
        };
        vec![Space::new(0, "file", 30_000, nodes, fill).unwrap()]
    };
    let (a, b) = (map(0), map(1));
    let found = compared(&a, &b);
    assert_eq!((found.changes.len(), found.further), (10_000, 20_000));
    let shown: Vec<String> = found.lines(true).collect();
    assert_eq!((shown.len(), shown[1000].as_str()), (1001, "… and 29,000 more"));
}

/// Returns a table of the offsets of parts, and the parts. Offsets are relative to the first part. The table's elements are
/// identified by index, and the parts by key. If `is_shared`, all parts after the first share a field.
fn table(keys: &[&str], size: u64, offsets: &[u64], is_shared: bool) -> Vec<Space> {
    let (count, role) = (offsets.len() as u64, Role::Place { target: Target::new("part"), origin: Origin::Space });
    let mut nodes = Nodes::new();
    let table = nodes.leaf("table", 0..count).add();
    for (index, value) in (0..).zip(offsets) {
        let offset = nodes.leaf("table", index..index + 1).index(Index::One(index)).role(role.clone());
        let offset = offset.value(Value::Uint((count + value).into())).id();
        nodes.edit(table).push(offset);
    }
    let place = |index: u64| count + index * size..count + (index + 1) * size;
    for (index, key) in (0..).zip(keys) {
        let range = place(index);
        if is_shared && index > 0 {
            let last = place(keys.len() as u64 - 1);
            let part = nodes.leaf("part", range.start..last.end).index(Index::Range(index, keys.len() as u64));
            part.role(Role::Payload).add();
            break;
        }
        let part = nodes.leaf("part", range).index(Index::One(index)).key(format!("{key:?}"));
        part.role(Role::Payload).add();
    }
    let fill = |bytes: &mut [u8], _: u64| {
        bytes.fill(0);
        Ok::<(), ()>(())
    };
    vec![Space::new(0, "file", count + keys.len() as u64 * size, nodes, fill).unwrap()]
}

#[test]
fn an_offset_that_leads_to_another_element_is_reported() {
    let (a, b) = (table(&["x", "y"], 4, &[0, 4], false), table(&["x", "y"], 4, &[0, 0], false));
    let shown: Vec<String> = compared(&a, &b).lines(false).collect();
    assert_eq!(shown, ["table[1]: points elsewhere: part[\"y\"] → part[\"x\"]   (at 0x1)"]);
    // An offset that no longer points anywhere is also reported.
    let b = table(&["x", "y"], 4, &[0, 5], false);
    let found = compared(&a, &b);
    assert_eq!(found.changes[0].kind, Kind::PointsElsewhere);
    assert_eq!(found.changes[0].b.as_ref().unwrap().text, "nothing");
}

#[test]
fn offsets_by_index_follow_a_list_that_grows() {
    let a = table(&["x", "y"], 4, &[0, 4], false);
    let b = table(&["x", "new", "y"], 4, &[0, 4, 8], false);
    let found = compared(&a, &b);
    assert!(found.changes.iter().all(|change| change.kind == Kind::Follows), "{found:#?}");
    assert_eq!((found.data[0].a.parts, found.data[0].b.parts, found.data[0].different), (2, 3, 1));
}

#[test]
fn offsets_into_a_field_that_elements_share_follow() {
    let a = table(&["x", "y", "z"], 4, &[0, 4, 8], true);
    let found = compared(&a, &table(&["x", "y", "z"], 5, &[0, 5, 10], true));
    assert_eq!((found.follows, found.changes.iter().all(|change| change.kind == Kind::Follows)), (2, true));
    // An offset that points past the shared field does not follow.
    let found = compared(&a, &table(&["x", "y", "z"], 4, &[0, 4, 12], true));
    assert!(found.changes.iter().any(|change| change.key == "table[2]" && change.kind != Kind::Follows), "{found:#?}");
}
