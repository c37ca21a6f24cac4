//! The definition in the documentation of `ndbytes_compare::digest`, implemented literally, without optimisations.

use super::{npy_of, values};
use blake3::Hasher;
use ndarray::{ArrayD, IxDyn};
use ndbytes::idv::{self, Compression, Value};
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::Settings;

fn number(hasher: &mut Hasher, number: usize) {
    hasher.update(&(number as u64).to_le_bytes());
}

fn text(hasher: &mut Hasher, text: &str) {
    number(hasher, text.len());
    hasher.update(text.as_bytes());
}

fn digits(hasher: &Hasher) -> String {
    hasher.finalize().to_hex()[..32].to_owned()
}

/// The number of items in each leaf of an array of single bytes.
fn leaves(shape: &[usize]) -> Vec<usize> {
    let step = |axis: usize| shape[axis + 1..].iter().product::<usize>();
    let axis = (0..shape.len()).find(|&axis| step(axis) <= 64 << 10).unwrap();
    let mut steps = 1;
    while steps * step(axis) < 64 << 10 {
        steps *= 2;
    }
    let mut leaves = Vec::new();
    for _ in 0..shape[..axis].iter().product() {
        let mut left = shape[axis];
        while left > 0 {
            leaves.push(left.min(steps) * step(axis));
            left -= left.min(steps);
        }
    }
    leaves
}

#[test]
fn digests_of_arrays_are_as_documented() {
    for shape in [&[7][..], &[300_001], &[900, 28, 28], &[2, 3, 50_000], &[3, 70_000], &[2, 2, 131_072]] {
        let items: Vec<u8> = (0..shape.iter().product::<usize>()).map(|item| ((item * item) >> 7) as u8).collect();
        let mut hasher = Hasher::new();
        text(&mut hasher, "ndbytes array 1");
        text(&mut hasher, "|u1");
        number(&mut hasher, shape.len());
        shape.iter().for_each(|&extent| number(&mut hasher, extent));
        let mut rest = &items[..];
        for leaf in leaves(shape) {
            let (head, tail) = rest.split_at(leaf);
            hasher.update(blake3::hash(head).as_bytes());
            rest = tail;
        }
        assert!(rest.is_empty());
        let array = ArrayD::from_shape_vec(IxDyn(shape), items.clone()).unwrap();
        assert_eq!(values(&npy_of(&array, false)), digits(&hasher), "{shape:?}");
    }
}

#[test]
fn digests_of_tables_are_as_documented() {
    let file = made::all_scalars(5000).bytes(Settings::new(Compression::DEFLATE));
    let table = idv::from_slice(&file).unwrap();
    let mut hasher = Hasher::new();
    text(&mut hasher, "ndbytes table 1");
    number(&mut hasher, 5000);
    number(&mut hasher, table.columns().len());
    for column in table.columns() {
        text(&mut hasher, &column.name());
        text(&mut hasher, &column.column_type().unwrap().to_string());
        assert_eq!(column.annotations().len(), 0);
        number(&mut hasher, 0);
        let read = column.read().unwrap();
        let rows: Vec<Value<'_>> = read.iter().collect();
        for rows in rows.chunks(4096) {
            let mut leaf = Hasher::new();
            for value in rows {
                match value {
                    Value::Null => leaf.update(&[0]),
                    _ => leaf.update(&[1]),
                };
                match value {
                    Value::Null => &mut leaf,
                    Value::Int(number) => leaf.update(&number.to_le_bytes()),
                    Value::Uint(number) => leaf.update(&number.to_le_bytes()),
                    Value::RowId(id) => leaf.update(&id.to_le_bytes()),
                    Value::F32(number) => leaf.update(&number.to_le_bytes()),
                    Value::F64(number) => leaf.update(&number.to_le_bytes()),
                    Value::Bool(value) => leaf.update(&[u8::from(*value)]),
                    Value::DateTimeOffset(time) => {
                        leaf.update(&time.ticks.to_le_bytes()).update(&time.offset_minutes.to_le_bytes())
                    }
                    Value::Text(text) => {
                        leaf.update(&(text.as_bytes().len() as u64).to_le_bytes()).update(text.as_bytes())
                    }
                    other => panic!("{other:?}"),
                };
            }
            hasher.update(leaf.finalize().as_bytes());
        }
    }
    assert_eq!(values(&file), digits(&hasher));
}
