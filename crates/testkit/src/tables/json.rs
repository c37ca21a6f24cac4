//! JSON that is compared exactly: integers of any size, floats by their bits, and text in UTF-16 units with lone surrogates.

use super::model::{Cell, Item, Model};
use ndbytes::idv::{ColumnType, ItemType};
use std::fmt;

/// A JSON value.
#[derive(Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i128),
    /// The bits of a double.
    Float(u64),
    Text(Vec<u16>),
    List(Vec<Json>),
    /// An object, with its keys in order.
    Object(Vec<(String, Json)>),
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Int(number) => write!(f, "{number}"),
            Json::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Json::Text(units) => match String::from_utf16(units) {
                Ok(text) => write!(f, "{text:?}"),
                Err(_) => write!(f, "{units:04x?}"),
            },
            Json::List(items) => f.debug_list().entries(items).finish(),
            Json::Object(entries) => f.debug_map().entries(entries.iter().map(|(key, value)| (key, value))).finish(),
        }
    }
}

impl Json {
    pub fn parse(text: &str) -> Json {
        let mut parser = Parser { text: text.as_bytes(), at: 0 };
        let json = parser.value();
        parser.space();
        assert_eq!(parser.at, text.len(), "something stands after the JSON");
        json
    }

    pub fn text(text: &str) -> Json {
        Json::Text(text.encode_utf16().collect())
    }

    /// The value of a key in an object.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { panic!("{self:?} is no list") }
    }

    fn get_mut(&mut self, key: &str) -> &mut Json {
        let Json::Object(entries) = self else { panic!("{self:?} is no object") };
        entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value).unwrap()
    }

    /// Removes columns from a table.
    pub fn without_columns(mut self, left_out: &[bool]) -> Json {
        let keep = |list: &mut Json| {
            let Json::List(items) = list else { panic!("{list:?} is no list") };
            assert_eq!(items.len(), left_out.len(), "columns");
            let mut left_out = left_out.iter();
            items.retain(|_| !left_out.next().unwrap());
        };
        keep(self.get_mut("columns"));
        if let Json::List(rows) = self.get_mut("rows") {
            rows.iter_mut().for_each(keep);
        }
        self
    }

    /// Removes annotations from a table that the same columns of another one do not have.
    pub fn with_annotations_of(mut self, other: &Json) -> Json {
        let others = other.get("columns").unwrap().list();
        let Json::List(columns) = self.get_mut("columns") else { panic!("columns are a list") };
        for (column, other) in columns.iter_mut().zip(others) {
            let kinds: Vec<_> = other.get("annotations").unwrap().list().iter().map(|it| it.get("kind")).collect();
            let Json::List(annotations) = column.get_mut("annotations") else { panic!("annotations are a list") };
            annotations.retain(|annotation| kinds.contains(&annotation.get("kind")));
        }
        self
    }

    /// A table after a round trip through another format: in the current version, without hidden columns, and with
    /// annotations sorted by kind.
    pub fn written_again(mut self) -> Json {
        let hidden: Vec<bool> = self
            .get("columns")
            .unwrap()
            .list()
            .iter()
            .map(|column| column.get("hidden") == Some(&Json::Bool(true)))
            .collect();
        *self.get_mut("version") = Json::text("1.1.1.6/1.1.1.6");
        self = self.without_columns(&hidden);
        let Json::List(columns) = self.get_mut("columns") else { panic!("the columns are no list") };
        for column in columns {
            if let Json::List(annotations) = column.get_mut("annotations") {
                annotations.sort_by_key(|annotation| format!("{:?}", annotation.get("kind")));
            }
        }
        self
    }

    /// The number of numbers, texts and booleans.
    pub fn count(&self) -> usize {
        match self {
            Json::List(items) => items.iter().map(Json::count).sum(),
            Json::Object(entries) => entries.iter().map(|(_, value)| value.count()).sum(),
            _ => 1,
        }
    }
}

/// The meaning of `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// There are none.
    None,
    /// A value that is missing in a file of an older version, and that ML.NET shows as a default or as the number that marks it.
    Defaults,
}

/// The first difference between two tables: the value in ndbytes, and the value in the other program.
pub fn difference(ours: &Json, theirs: &Json, nulls: Nulls) -> Option<String> {
    match (ours, theirs) {
        (Json::Null, _) if nulls == Nulls::Defaults && is_default(theirs) => None,
        (Json::List(mine), Json::List(other)) => {
            let mut items = mine.iter().zip(other).enumerate();
            let within = items.find_map(|(place, (mine, other))| {
                difference(mine, other, nulls).map(|difference| format!("[{place}]{difference}"))
            });
            let lengths = (mine.len() != other.len()).then(|| format!(": {} items, not {}", mine.len(), other.len()));
            within.or(lengths)
        }
        (Json::Object(mine), Json::Object(other)) => {
            let mut entries = mine.iter().zip(other);
            let keys = |entries: &[(String, Json)]| entries.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
            if keys(mine) != keys(other) {
                return Some(format!(": the keys {:?}, not {:?}", keys(mine), keys(other)));
            }
            entries.find_map(|((key, mine), (_, other))| {
                difference(mine, other, nulls).map(|difference| format!(".{key}{difference}"))
            })
        }
        (mine, other) if mine == other => None,
        _ => Some(format!(": {ours:?}, not {theirs:?}")),
    }
}

fn is_default(theirs: &Json) -> bool {
    let ints = [0, i8::MIN.into(), i16::MIN.into(), i32::MIN.into(), i64::MIN.into()];
    match theirs {
        Json::Bool(value) => !value,
        Json::Int(number) => ints.contains(number),
        Json::Text(units) => units.is_empty(),
        Json::List(pair) => pair == &[Json::Int(0), Json::Int(0)],
        _ => false,
    }
}

/// A table with these columns, and the values of each.
pub fn table(version: &str, rows: u64, columns: Vec<Json>, values: &[Vec<Cell>]) -> Json {
    for values in values {
        assert_eq!(values.len() as u64, rows, "rows of a column");
    }
    let row = |row| Json::List(values.iter().map(|values| cell(&values[row])).collect());
    object([
        ("version", Json::text(version)),
        ("rowCount", Json::Int(rows.into())),
        ("columns", Json::List(columns)),
        ("rows", Json::List((0..rows as usize).map(row).collect())),
    ])
}

/// The description of a column.
pub fn column(name: &str, of: &ColumnType, hidden: bool, annotations: &[(String, ColumnType, Cell)]) -> Json {
    let annotations = annotations.iter().map(|(kind, of, value)| {
        object([("kind", Json::text(kind)), type_name(of), ("typeinfo", type_info(of)), ("value", cell(value))])
    });
    object([
        ("name", Json::text(name)),
        type_name(of),
        ("typeinfo", type_info(of)),
        ("hidden", Json::Bool(hidden)),
        ("annotations", Json::List(annotations.collect())),
    ])
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn type_name(of: &ColumnType) -> (&'static str, Json) {
    ("type", Json::text(&of.to_string()))
}

fn type_info(of: &ColumnType) -> Json {
    let item = match of.item {
        ItemType::Key(key) => object([
            ("kind", Json::text("key")),
            ("raw", Json::text(["Byte", "UInt16", "UInt32", "UInt64"][key.width.ilog2() as usize])),
            ("count", Json::Int(key.count.into())),
        ]),
        item => object([("kind", Json::text(net_name(item)))]),
    };
    let Some(dims) = &of.dims else { return item };
    let dims = dims.iter().map(|&dim| Json::Int(dim.into())).collect();
    object([("kind", Json::text("vector")), ("dims", Json::List(dims)), ("item", item)])
}

fn net_name(item: ItemType) -> &'static str {
    match item {
        ItemType::I8 => "SByte",
        ItemType::I16 => "Int16",
        ItemType::I32 => "Int32",
        ItemType::I64 => "Int64",
        ItemType::U8 => "Byte",
        ItemType::U16 => "UInt16",
        ItemType::U32 => "UInt32",
        ItemType::U64 => "UInt64",
        ItemType::F32 => "Single",
        ItemType::F64 => "Double",
        ItemType::Bool => "Boolean",
        ItemType::Text => "Text",
        ItemType::TimeSpan => "TimeSpan",
        ItemType::DateTime => "DateTime",
        ItemType::DateTimeOffset => "DateTimeOffset",
        ItemType::RowId => "DataViewRowId",
        other => panic!("{other:?}"),
    }
}

fn cell(cell: &Cell) -> Json {
    let items = |items: &[Item]| Json::List(items.iter().map(item).collect());
    match cell {
        Cell::Item(only) => item(only),
        Cell::Dense(all) => object([("len", Json::Int(all.len() as i128)), ("dense", items(all))]),
        Cell::Sparse { length, indices, stored } => object([
            ("len", Json::Int((*length).into())),
            ("indices", Json::List(indices.iter().map(|&index| Json::Int(index.into())).collect())),
            ("sparse", items(stored)),
        ]),
    }
}

fn item(item: &Item) -> Json {
    match item {
        Item::Null => Json::Null,
        Item::Int(number) => Json::Int((*number).into()),
        Item::Uint(number) => Json::Int((*number).into()),
        Item::RowId(id) => {
            Json::List(vec![Json::Int((id & u128::from(u64::MAX)) as i128), Json::Int((id >> 64) as i128)])
        }
        Item::F32(bits) if f32::from_bits(*bits).is_nan() => Json::text(&format!("NaN(0x{bits:08x})")),
        Item::F32(bits) => float(f32::from_bits(*bits).into()),
        Item::F64(bits) if f64::from_bits(*bits).is_nan() => Json::text(&format!("NaN(0x{bits:016x})")),
        Item::F64(bits) => float(f64::from_bits(*bits)),
        Item::Bool(value) => Json::Bool(*value),
        Item::Time { ticks, minutes } => Json::List(vec![Json::Int((*ticks).into()), Json::Int((*minutes).into())]),
        Item::Text(units) => Json::Text(units.clone()),
    }
}

fn float(number: f64) -> Json {
    match number {
        f64::INFINITY => Json::text("Infinity"),
        f64::NEG_INFINITY => Json::text("-Infinity"),
        number => Json::Float(number.to_bits()),
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Returns the next byte that is not a space.
    fn peek(&mut self) -> u8 {
        self.space();
        self.text[self.at]
    }

    fn take(&mut self, word: &str) {
        self.space();
        assert!(self.text[self.at..].starts_with(word.as_bytes()), "{word} is missing at byte {}", self.at);
        self.at += word.len();
    }

    fn value(&mut self) -> Json {
        match self.peek() {
            b'n' => {
                self.take("null");
                Json::Null
            }
            b't' => {
                self.take("true");
                Json::Bool(true)
            }
            b'f' => {
                self.take("false");
                Json::Bool(false)
            }
            b'"' => Json::Text(self.text()),
            b'[' => {
                let mut items = Vec::new();
                self.each('[', ']', |parser| items.push(parser.value()));
                Json::List(items)
            }
            b'{' => {
                let mut entries = Vec::new();
                self.each('{', '}', |parser| {
                    parser.space();
                    let key = String::from_utf16(&parser.text()).unwrap();
                    parser.take(":");
                    entries.push((key, parser.value()));
                });
                Json::Object(entries)
            }
            _ => self.number(),
        }
    }

    fn each(&mut self, open: char, close: char, mut one: impl FnMut(&mut Self)) {
        self.take(&open.to_string());
        if self.peek() != close as u8 {
            one(self);
            while self.peek() == b',' {
                self.take(",");
                one(self);
            }
        }
        self.take(&close.to_string());
    }

    fn number(&mut self) -> Json {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| b"+-.0123456789Ee".contains(byte)).count();
        let number = std::str::from_utf8(&rest[..length]).unwrap();
        self.at += length;
        if number.contains(['.', 'e', 'E']) {
            return Json::Float(number.parse::<f64>().unwrap().to_bits());
        }
        Json::Int(number.parse().unwrap_or_else(|_| panic!("{number:?} is no number, before byte {}", self.at)))
    }

    fn text(&mut self) -> Vec<u16> {
        self.take("\"");
        let mut units = Vec::new();
        loop {
            let byte = self.text[self.at];
            self.at += 1;
            match byte {
                b'"' => return units,
                b'\\' => {
                    let escaped = self.text[self.at];
                    self.at += 1;
                    units.push(match escaped {
                        b'u' => {
                            let digits = std::str::from_utf8(&self.text[self.at..self.at + 4]).unwrap();
                            self.at += 4;
                            u16::from_str_radix(digits, 16).unwrap()
                        }
                        b'"' | b'\\' => escaped.into(),
                        _ => panic!("an escape that neither program writes, at byte {}", self.at),
                    });
                }
                b' '..=b'~' => units.push(byte.into()),
                _ => panic!("a byte that should be escaped, at {}", self.at - 1),
            }
        }
    }
}

impl Model {
    /// The output that ML.NET and `cat --json` should have for the file.
    pub fn json(&self) -> Json {
        let columns = self.columns.iter().map(|own| {
            assert_eq!(own.cells.len() as u64, self.rows);
            column(&own.name, &own.column_type, false, &own.annotations)
        });
        let cells: Vec<Vec<Cell>> = self.columns.iter().map(|column| column.cells.clone()).collect();
        table("1.1.1.6/1.1.1.6", self.rows, columns.collect(), &cells)
    }
}
