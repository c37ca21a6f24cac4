//! Reproducibly generated tables.

use super::model::{Cell, Item, Model, ModelColumn, Settings};
use ndbytes::idv::{ColumnType, Compression, ItemType, KeyType, NewColumn, Texts, Values, Writer};

/// The last tick of the year 9999.
pub const LAST_TICK: i64 = 3_155_378_975_999_999_999;

const MINUTE: i64 = 600_000_000;

/// Every item type except keys, with a name.
pub const ITEM_TYPES: [(&str, ItemType); 16] = [
    ("i1", ItemType::I8),
    ("i2", ItemType::I16),
    ("i4", ItemType::I32),
    ("i8", ItemType::I64),
    ("u1", ItemType::U8),
    ("u2", ItemType::U16),
    ("u4", ItemType::U32),
    ("u8", ItemType::U64),
    ("r4", ItemType::F32),
    ("r8", ItemType::F64),
    ("bl", ItemType::Bool),
    ("tx", ItemType::Text),
    ("ts", ItemType::TimeSpan),
    ("dt", ItemType::DateTime),
    ("dz", ItemType::DateTimeOffset),
    ("ri", ItemType::RowId),
];

/// Keys of every width, with few categories and with the maximum number.
pub const KEY_TYPES: [(&str, KeyType); 8] = [
    ("k1", KeyType { width: 1, count: 5, min: 0 }),
    ("k2", KeyType { width: 2, count: 1000, min: 0 }),
    ("k4", KeyType { width: 4, count: 1, min: 0 }),
    ("k8", KeyType { width: 8, count: 1 << 40, min: 0 }),
    ("k1_most", KeyType { width: 1, count: 255, min: 0 }),
    ("k2_most", KeyType { width: 2, count: 65_535, min: 0 }),
    ("k4_most", KeyType { width: 4, count: 4_294_967_295, min: 0 }),
    ("k8_most", KeyType { width: 8, count: u64::MAX, min: 0 }),
];

/// All item types, including keys.
pub fn all_types() -> impl Iterator<Item = (&'static str, ItemType)> {
    ITEM_TYPES.into_iter().chain(KEY_TYPES.into_iter().map(|(name, key)| (name, ItemType::Key(key))))
}

/// Returns a pseudorandom number.
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// An item of a type: an edge case for small seeds, and an arbitrary value for others.
pub fn item(of: ItemType, seed: u64) -> Item {
    let any = mix(seed);
    let int = |min: i64, max: i64| {
        let edges = [0, 1, -1, min, max, min + 1];
        let wide = i128::from(max) - i128::from(min) + 1;
        Item::Int(edge(&edges, seed).unwrap_or_else(|| (i128::from(min) + i128::from(any) % wide) as i64))
    };
    let uint = |max: u64| {
        let edges = [0, 1, max, max - 1, max / 2 + 1];
        Item::Uint(edge(&edges, seed).unwrap_or_else(|| (u128::from(any) % (u128::from(max) + 1)) as u64).min(max))
    };
    match of {
        ItemType::I8 => int(i8::MIN.into(), i8::MAX.into()),
        ItemType::I16 => int(i16::MIN.into(), i16::MAX.into()),
        ItemType::I32 => int(i32::MIN.into(), i32::MAX.into()),
        ItemType::I64 => int(i64::MIN, i64::MAX),
        // ML.NET reads the smallest number as zero.
        ItemType::TimeSpan => int(i64::MIN + 1, i64::MAX),
        ItemType::DateTime => Item::Int(edge(&[0, LAST_TICK, 1], seed).unwrap_or((any % LAST_TICK as u64) as i64)),
        ItemType::U8 => uint(u8::MAX.into()),
        ItemType::U16 => uint(u16::MAX.into()),
        ItemType::U32 => uint(u32::MAX.into()),
        ItemType::U64 => uint(u64::MAX),
        ItemType::Key(key) => uint(key.count),
        ItemType::F32 => Item::F32(edge(&F32, seed).unwrap_or(any as u32)),
        ItemType::F64 => Item::F64(edge(&F64, seed).unwrap_or(any)),
        ItemType::Bool => Item::Bool(any & 1 == 1),
        ItemType::RowId => {
            let edges = [0, 1, 1 << 64, u128::MAX, u64::MAX.into()];
            Item::RowId(edge(&edges, seed).unwrap_or(u128::from(any) << 64 | u128::from(mix(!seed))))
        }
        ItemType::DateTimeOffset => {
            let middle = LAST_TICK / 2;
            let edges = [
                (0, 0),
                (LAST_TICK, 0),
                (840 * MINUTE, 840),
                (LAST_TICK - 840 * MINUTE, -840),
                (0, -840),
                (LAST_TICK, 840),
                (middle, -1),
            ];
            let within = |any: u64| middle + (any % middle as u64) as i64 - 840 * MINUTE;
            let (ticks, minutes) = edge(&edges, seed).unwrap_or((within(any), (mix(any) % 1681) as i16 - 840));
            Item::Time { ticks, minutes }
        }
        ItemType::Text => match edge(&TEXTS, seed) {
            Some(text) => Item::text(text),
            None => Item::text(&format!("{}{}", TEXTS[any as usize % TEXTS.len()], any % 1000)),
        },
    }
}

fn edge<T: Copy>(edges: &[T], seed: u64) -> Option<T> {
    edges.get(seed as usize).copied()
}

/// Zeros, infinities, the smallest and the largest numbers, and quiet and signalling NaNs with and without a payload.
const F32: [u32; 14] = [
    0,
    0x8000_0000,
    0x3F80_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_0000,
    0x7FC1_2345,
    0x7F80_0001,
    0xFFFF_FFFF,
    1,
    0x7F7F_FFFF,
    0xFF7F_FFFF,
    0x3DCC_CCCD,
];

const F64: [u64; 14] = [
    0,
    0x8000_0000_0000_0000,
    0x3FF0_0000_0000_0000,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF8_0000_0001_2345,
    0x7FF0_0000_0000_0001,
    0xFFFF_FFFF_FFFF_FFFF,
    1,
    0x7FEF_FFFF_FFFF_FFFF,
    0xFFEF_FFFF_FFFF_FFFF,
    0x3FB9_9999_9999_999A,
];

const TEXTS: [&str; 16] = [
    "",
    "a",
    "hello world",
    "\u{e9}\u{fc}\u{df}",
    "\u{65e5}\u{672c}\u{8a9e}",
    "\u{1f600}\u{1f30d}",
    "tab\there \"quoted\" back\\slash",
    "lines\nand\r\nmore",
    "\0nul\0",
    " ",
    "\u{feff}mark first",
    "\u{fffd}\u{ffff}\u{fffe}",
    "e\u{301}",
    "\u{10ffff}",
    "a\u{10000}b",
    "\u{7f}\u{80}\u{7ff}\u{800}",
];

/// A column of single items.
pub fn scalars(name: &str, of: ItemType, rows: usize) -> ModelColumn {
    let cells = (0..rows as u64).map(|row| Cell::Item(item(of, row))).collect();
    ModelColumn::new(name, ColumnType::scalar(of), cells)
}

/// How vectors are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Dense,
    Sparse,
    Mixed,
}

/// A vector that stores all of its items.
pub fn dense(of: ItemType, seed: u64, length: u32) -> Cell {
    Cell::Dense((0..u64::from(length)).map(|place| item(of, seed + place)).collect())
}

/// A vector that stores about half of its items, never all.
pub fn sparse(of: ItemType, seed: u64, length: u32) -> Cell {
    let mut indices: Vec<u32> = (0..length).filter(|&index| mix(seed ^ u64::from(index) << 32) & 1 == 1).collect();
    if indices.len() == length as usize {
        indices.pop();
    }
    let stored = indices.iter().map(|&index| item(of, seed + u64::from(index))).collect();
    if length == 0 { Cell::Dense(Vec::new()) } else { Cell::Sparse { length, indices, stored } }
}

fn vector(of: ItemType, seed: u64, length: u32, kind: Kind) -> Cell {
    match kind {
        Kind::Dense => dense(of, seed, length),
        Kind::Sparse => sparse(of, seed, length),
        Kind::Mixed if mix(seed) & 2 == 0 => dense(of, seed, length),
        Kind::Mixed => sparse(of, seed, length),
    }
}

/// A column of vectors with these dimensions, all of the same size.
pub fn vectors(name: &str, of: ItemType, dims: &[u32], kind: Kind, rows: usize) -> ModelColumn {
    let length = dims.iter().product();
    let cells = (0..rows as u64).map(|row| vector(of, 3 * row, length, kind)).collect();
    ModelColumn::new(name, ColumnType::vector(of, dims), cells)
}

/// A column of vectors of up to five items, some of them empty.
pub fn ragged(name: &str, of: ItemType, kind: Kind, rows: usize) -> ModelColumn {
    let cells = (0..rows as u64).map(|row| vector(of, 3 * row, (mix(row) % 6) as u32, kind)).collect();
    ModelColumn::new(name, ColumnType::vector(of, [0]), cells)
}

/// Every type, one item per row.
pub fn all_scalars(rows: usize) -> Model {
    Model::new(all_types().map(|(name, of)| scalars(name, of, rows)).collect())
}

/// Every type, in vectors of a fixed size.
pub fn all_vectors(kind: Kind, rows: usize) -> Model {
    Model::new(all_types().map(|(name, of)| vectors(name, of, &[5], kind, rows)).collect())
}

/// Every type, in vectors of any length.
pub fn all_ragged(kind: Kind, rows: usize) -> Model {
    Model::new(all_types().map(|(name, of)| ragged(name, of, kind, rows)).collect())
}

/// Vectors of variable-size types that all have the same length, or are all empty.
pub fn same_lengths(rows: usize) -> Model {
    let same = |name: &str, of, length, kind| {
        let cells = (0..rows as u64).map(|row| vector(of, row, length, kind)).collect();
        ModelColumn::new(name, ColumnType::vector(of, [0]), cells)
    };
    let columns =
        [("r4", ItemType::F32), ("tx", ItemType::Text), ("bl", ItemType::Bool), ("dz", ItemType::DateTimeOffset)];
    let columns = columns.into_iter().flat_map(|(name, of)| {
        [
            same(&format!("{name}_empty"), of, 0, Kind::Dense),
            same(&format!("{name}_dense"), of, 3, Kind::Dense),
            same(&format!("{name}_sparse"), of, 3, Kind::Sparse),
            same(&format!("{name}_mixed"), of, 3, Kind::Mixed),
        ]
    });
    Model::new(columns.collect())
}

/// Vectors with several axes, with a single item, and long ones that store few items.
pub fn shapes(rows: usize) -> Model {
    let empty = (0..rows).map(|_| Cell::Sparse { length: 1, indices: vec![], stored: vec![] }).collect();
    let long = |row: u64| {
        let indices: Vec<u32> = (0..row % 4).map(|place| (place * 700_000_000 + row) as u32).collect();
        let stored = indices.iter().map(|&index| item(ItemType::F32, index.into())).collect();
        Cell::Sparse { length: i32::MAX as u32, indices, stored }
    };
    let unknown = |row: u64| dense(ItemType::I32, row, 2 * (row % 3) as u32);
    let rows_of = |cell: &dyn Fn(u64) -> Cell| (0..rows as u64).map(cell).collect();
    Model::new(vec![
        vectors("matrix", ItemType::F32, &[2, 3], Kind::Dense, rows),
        vectors("image", ItemType::U8, &[2, 2, 3], Kind::Mixed, rows),
        vectors("one", ItemType::F64, &[1], Kind::Dense, rows),
        ModelColumn::new("one_sparse", ColumnType::vector(ItemType::F64, [1]), empty),
        ModelColumn::new("unknown_by_two", ColumnType::vector(ItemType::I32, [0, 2]), rows_of(&unknown)),
        ModelColumn::new("long", ColumnType::vector(ItemType::F32, [i32::MAX as u32]), rows_of(&long)),
        vectors("bits", ItemType::Bool, &[13], Kind::Dense, rows),
    ])
}

/// Texts: long ones, empty ones, and characters whose halves are in different rows and vectors.
pub fn texts(rows: usize) -> Model {
    let scalar = |cell: &dyn Fn(u64) -> Item| (0..rows as u64).map(|row| Cell::Item(cell(row))).collect();
    let long = |row: u64| match row % 4 {
        1 => Item::text(&"x\u{1f600}\u{e9}".repeat(20_000)),
        3 => Item::text(&"y".repeat(100_000)),
        _ => Item::text("short"),
    };
    let column = |name: &str, cells| ModelColumn::new(name, ColumnType::scalar(ItemType::Text), cells);
    let mut model = split_texts(rows);
    model.columns.extend([
        column("empty", scalar(&|_| Item::text(""))),
        column("long", scalar(&long)),
        vectors("sparse", ItemType::Text, &[50], Kind::Sparse, rows),
    ]);
    model
}

/// Characters whose halves are in different rows and vectors. Every third row ends with a whole character.
pub fn split_texts(rows: usize) -> Model {
    let half = |row: u64| split(row, rows as u64);
    let halves_in_vectors = (0..rows as u64).map(|row| Cell::Dense(vec![half(row)])).collect();
    let halves_in_one = (0..rows as u64).map(|row| {
        let items: Vec<Item> = (0..6).map(|place| split(row + place, row + 6)).collect();
        // The first text may begin with a second half, without a first one.
        let Item::Text(first) = &items[0] else { unreachable!() };
        Cell::Dense(if first.first().is_some_and(|unit| (0xDC00..0xE000).contains(unit)) { vec![] } else { items })
    });
    let halves = (0..rows as u64).map(|row| Cell::Item(half(row))).collect();
    Model::new(vec![
        ModelColumn::new("halves", ColumnType::scalar(ItemType::Text), halves),
        ModelColumn::new("halves_in_vectors", ColumnType::vector(ItemType::Text, [1]), halves_in_vectors),
        ModelColumn::new("halves_in_one", ColumnType::vector(ItemType::Text, [0]), halves_in_one.collect()),
    ])
}

/// Rows that begin and end inside characters. Concatenated, they are valid.
fn split(row: u64, rows: u64) -> Item {
    let character = |row: u64| {
        let mut units = [0; 2];
        char::from_u32(0x1_F600 + row as u32 % 64).unwrap().encode_utf16(&mut units);
        units
    };
    let is_split = |row: u64| row + 1 < rows && row % 3 != 2;
    let mut units = Vec::new();
    if row > 0 && is_split(row - 1) {
        units.push(character(row - 1)[1]);
    }
    units.extend(format!("{row}").encode_utf16().filter(|_| !row.is_multiple_of(5)));
    if is_split(row) {
        units.push(character(row)[0]);
    }
    Item::Text(units)
}

/// Slot names, key values (this many in one column), and annotations of every type.
pub fn annotated(rows: usize, categories: u32) -> Model {
    let names = |count: u32| (ColumnType::vector(ItemType::Text, [count]), count);
    let text_vector = |count: u32| Cell::Dense((0..count.into()).map(|seed| item(ItemType::Text, seed)).collect());
    let named = |column: ModelColumn, kind: &str, count: u32| {
        let (of, count) = names(count);
        column.annotation(kind, of, text_vector(count))
    };
    let mut every = scalars("every", ItemType::I32, rows);
    for (place, (name, of)) in all_types().enumerate() {
        let seed = place as u64;
        every = every.annotation(name, ColumnType::scalar(of), Cell::Item(item(of, seed)));
        every = every.annotation(&format!("{name}_edge"), ColumnType::scalar(of), Cell::Item(item(of, 3)));
        every = every.annotation(&format!("{name}_dense"), ColumnType::vector(of, [2, 2]), dense(of, seed, 4));
        every = every.annotation(&format!("{name}_sparse"), ColumnType::vector(of, [100]), sparse(of, seed, 100));
        every = every.annotation(&format!("{name}_ragged"), ColumnType::vector(of, [0]), dense(of, seed, 3));
    }
    let none = Cell::Dense(Vec::new());
    let bare = scalars("bare \u{1f600}\n", ItemType::Bool, rows);
    let bare = bare.annotation("no texts", ColumnType::vector(ItemType::Text, [0]), none.clone());
    let bare = bare.annotation("no numbers", ColumnType::vector(ItemType::F64, [0]), none);
    let key = |count| ItemType::Key(KeyType::new(count));
    Model::new(vec![
        every,
        bare,
        named(vectors("slots", ItemType::F32, &[16], Kind::Mixed, rows), "SlotNames", 16),
        named(scalars("key", key(16), rows), "KeyValues", 16),
        named(scalars("many", key(categories.into()), rows), "KeyValues", categories),
        scalars("numbered", key(3), rows).annotation(
            "KeyValues",
            ColumnType::vector(ItemType::F32, [3]),
            dense(ItemType::F32, 20, 3),
        ),
        scalars("partly", key(50), rows).annotation(
            "KeyValues",
            ColumnType::vector(ItemType::Text, [50]),
            sparse(ItemType::Text, 2, 50),
        ),
        named(vectors("both", key(7), &[4], Kind::Dense, rows), "SlotNames", 4).annotation(
            "KeyValues",
            ColumnType::vector(ItemType::Text, [7]),
            text_vector(7),
        ),
    ])
}

/// The tables of `tests/frozen/idv/ndbytes`.
pub fn frozen() -> Vec<(&'static str, Model, Settings)> {
    let none = Settings::new(Compression::NONE);
    let deflate = Settings::new(Compression::DEFLATE);
    vec![
        ("scalars", all_scalars(16), none),
        ("scalars_in_blocks", all_scalars(16), none.rows_per_block(5)),
        ("vectors", all_vectors(Kind::Mixed, 8), none.rows_per_block(3)),
        ("ragged", all_ragged(Kind::Mixed, 8), none),
        ("shapes", shapes(5), none),
        ("split_texts", split_texts(12), none.rows_per_block(6)),
        ("annotated", annotated(2, 40), none),
        ("no_rows", all_ragged(Kind::Dense, 0), none),
        ("no_columns", Model { columns: Vec::new(), rows: 7 }, none),
        ("deflated", all_ragged(Kind::Mixed, 12), deflate.rows_per_block(5)),
        ("deflated_annotations", annotated(2, 40), deflate),
    ]
}

/// A table of trees, as ML.NET would write it.
pub fn trees(names: &[&str]) -> Vec<u8> {
    let columns = [
        NewColumn::new("Name", ColumnType::scalar(ItemType::Text)),
        NewColumn::new("Letters", ColumnType::scalar(ItemType::I32)),
    ];
    let mut texts = Texts::default();
    names.iter().for_each(|name| texts.push(name));
    let letters: Vec<i32> = names.iter().map(|name| name.len() as i32).collect();
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = Writer::new(columns).begin(&mut file).unwrap();
    writer.write(&[Values::scalars(texts), Values::scalars(letters)]).unwrap();
    writer.finish_sink().unwrap();
    file.into_inner()
}
