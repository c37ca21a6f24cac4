//! Tables with random columns and values, reproducible from a seed.

use super::{scalar, vector};
use ndbytes::idv::{ColumnType, ItemType, KeyType};
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::{Cell, Item, Model, ModelColumn};

/// Generates a table from a seed. A row that ends inside a character is never the last of a block.
pub fn random(seed: u64, rows: usize, columns: usize, rows_per_block: usize) -> Model {
    let mut random = Random(seed);
    let types: Vec<(&str, ItemType)> = made::all_types().collect();
    let columns = (0..columns).map(|place| {
        let of = match random.below(4) {
            0 => ItemType::Text,
            1 => {
                let width = 1 << random.below(4);
                let key = KeyType { width, count: 1, min: 0 };
                ItemType::Key(KeyType { count: 1 + random.next() % key.most(), ..key })
            }
            _ => types[random.below(types.len())].1,
        };
        let column_type = match random.below(4) {
            0 | 1 => scalar(of),
            2 => {
                let dims: Vec<u32> = (0..1 + random.below(3)).map(|_| 1 + random.below(4) as u32).collect();
                vector(of, &dims)
            }
            _ => vector(of, [[0].as_slice(), &[0, 2], &[3, 0]][random.below(3)]),
        };
        let cells = random.cells(&column_type, rows, rows_per_block);
        let mut column = ModelColumn::new(format!("column {place}"), column_type, cells);
        for kind in 0..random.below(3) {
            let value_type = if random.below(2) == 0 { scalar(of) } else { vector(of, &[0]) };
            let value = random.cells(&value_type, 1, 1).remove(0);
            column = column.annotation(&format!("kind {kind}"), value_type, value);
        }
        column
    });
    let columns: Vec<ModelColumn> = columns.collect();
    Model { columns, rows: rows as u64 }
}

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        made::mix(self.0)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A random value, or an edge case of the type.
    pub fn item(&mut self, of: ItemType) -> Item {
        let seed = if self.below(2) == 0 { self.below(16) as u64 } else { self.next() };
        made::item(of, seed)
    }

    pub fn cells(&mut self, of: &ColumnType, rows: usize, rows_per_block: usize) -> Vec<Cell> {
        let fixed = of.vector_size().map(|size| size as usize);
        let shapes: Vec<Option<(usize, Option<Vec<u32>>)>> = (0..rows)
            .map(|_| {
                of.dims.as_ref()?;
                let length = fixed.unwrap_or_else(|| self.below(5));
                let indices = (self.below(2) == 0 && length > 0).then(|| {
                    let mut indices: Vec<u32> = (0..length as u32).filter(|_| self.below(2) == 0).collect();
                    indices.truncate(length - 1);
                    indices
                });
                Some((length, indices))
            })
            .collect();
        let counts: Vec<usize> = shapes
            .iter()
            .map(|shape| match shape {
                None => 1,
                Some((_, Some(indices))) => indices.len(),
                Some((length, None)) => *length,
            })
            .collect();
        let mut items = match of.item {
            ItemType::Text => self.texts(&counts, rows_per_block),
            item => (0..counts.iter().sum()).map(|_| self.item(item)).collect(),
        }
        .into_iter();
        let cells = shapes.into_iter().zip(counts).map(|(shape, count)| {
            let mut stored: Vec<Item> = items.by_ref().take(count).collect();
            match shape {
                None => Cell::Item(stored.remove(0)),
                Some((_, None)) => Cell::Dense(stored),
                Some((length, Some(indices))) => Cell::Sparse { length: length as u32, indices, stored },
            }
        });
        cells.collect()
    }

    /// Texts cut out of a long one at any UTF-16 unit, for rows with these numbers of texts.
    pub fn texts(&mut self, counts: &[usize], rows_per_block: usize) -> Vec<Item> {
        let mut texts = Vec::new();
        for block in counts.chunks(rows_per_block) {
            let count: usize = block.iter().sum();
            if count == 0 {
                continue;
            }
            let mut whole = String::new();
            for _ in 0..self.below(3 * count + 1) {
                whole.push(*['a', 'é', '日', '\u{1F600}', '\u{10FFFF}', '\0', '"'].get(self.below(7)).unwrap());
            }
            let units: Vec<u16> = whole.encode_utf16().collect();
            let mut ends: Vec<usize> = (1..count).map(|_| self.below(units.len() + 1)).collect();
            ends.sort_unstable();
            ends.push(units.len());
            let mut start = 0;
            for end in ends {
                texts.push(Item::Text(units[start..end].to_vec()));
                start = end;
            }
        }
        texts
    }
}
