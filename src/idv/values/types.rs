//! The types of columns and annotations.

use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::{abridged, quoted};
use crate::idv::rules;
use everybyte::Number;
use ndbytes_schemas::idv::{Codec, Items as StoredItems, OldKey, Parameters, Storage, Version};

/// The type of a column's values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ColumnType {
    /// The type of its items.
    pub item: ItemType,
    /// The length of each axis of one vector, in a column of vectors: 0 is unknown. A vector of unknown size may have
    /// another length in every row.
    pub dims: Option<Vec<u32>>,
}

/// The type of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemType {
    /// A signed integer of 8 bits.
    I8,
    /// A signed integer of 16 bits.
    I16,
    /// A signed integer of 32 bits.
    I32,
    /// A signed integer of 64 bits.
    I64,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A number in single precision.
    F32,
    /// A number in double precision.
    F64,
    /// A boolean.
    Bool,
    /// Text.
    Text,
    /// A duration, in ticks of 100 ns.
    TimeSpan,
    /// A date and a time without a zone, in ticks of 100 ns since the beginning of the year 1.
    DateTime,
    /// A date and a time on a clock that is some minutes ahead of UTC.
    DateTimeOffset,
    /// The 128 bits that name a row.
    RowId,
    /// A category: 0 is missing, 1 the first of `count`.
    Key(KeyType),
}

/// The type of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyType {
    /// Bytes of the number that is stored: 1, 2, 4 or 8.
    pub width: u8,
    /// The number of categories; the most that the stored number can distinguish, if the file does not state it.
    pub count: u64,
    /// The value of the first category; other than 0 only in files of ML.NET up to 0.9.
    pub min: u64,
}

impl ColumnType {
    /// One item a row.
    pub fn scalar(item: ItemType) -> Self {
        ColumnType { item, dims: None }
    }

    /// A vector a row, of the dimensions given; 0 is unknown.
    pub fn vector(item: ItemType, dims: impl Into<Vec<u32>>) -> Self {
        ColumnType { item, dims: Some(dims.into()) }
    }

    /// The number of items of every vector, if it is fixed: 1 to 2^31 - 1.
    pub fn vector_size(&self) -> Option<u32> {
        let dims = self.dims.as_ref()?;
        let size = dims.iter().try_fold(1_u32, |size, &dim| size.checked_mul(dim))?;
        (size > 0 && !dims.is_empty()).then_some(size)
    }

    /// The layout of its blocks.
    pub(crate) fn stored(&self) -> StoredItems {
        StoredItems { vectors: self.dims.is_some(), storage: self.item.storage() }
    }
}

impl ItemType {
    /// The layout in the codecs of version 1.1.1.6.
    pub(crate) fn storage(self) -> Storage {
        Storage::Numbers(match self {
            ItemType::I8 => Number::I8,
            ItemType::I16 => Number::I16,
            ItemType::I32 => Number::I32,
            ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => Number::I64,
            ItemType::U8 => Number::U8,
            ItemType::U16 => Number::U16,
            ItemType::U32 => Number::U32,
            ItemType::U64 => Number::U64,
            ItemType::F32 => Number::F32,
            ItemType::F64 => Number::F64,
            ItemType::RowId => Number::U128,
            ItemType::Key(key) => key.number(),
            ItemType::Bool => return Storage::Bits,
            ItemType::Text => return Storage::Text,
            ItemType::DateTimeOffset => return Storage::DateTimeOffset,
        })
    }

    /// The item type of the codec without parameters of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SByte" => ItemType::I8,
            "Int16" => ItemType::I16,
            "Int32" => ItemType::I32,
            "Int64" => ItemType::I64,
            "Byte" => ItemType::U8,
            "UInt16" => ItemType::U16,
            "UInt32" => ItemType::U32,
            "UInt64" => ItemType::U64,
            "Single" => ItemType::F32,
            "Double" => ItemType::F64,
            "Boolean" | "DvBool" => ItemType::Bool,
            "TextSpan" => ItemType::Text,
            "TimeSpan" | "DvTimeSpan" => ItemType::TimeSpan,
            "DateTime" | "DvDateTime" => ItemType::DateTime,
            "DateTimeOffset" | "DvDateTimeZone" => ItemType::DateTimeOffset,
            "DataViewRowId" | "RowId" | "UInt128" => ItemType::RowId,
            _ => return None,
        })
    }

    /// The name of the codec that ML.NET gives it today.
    pub(crate) fn codec_name(self) -> &'static str {
        match self {
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
            ItemType::Text => "TextSpan",
            ItemType::TimeSpan => "TimeSpan",
            ItemType::DateTime => "DateTime",
            ItemType::DateTimeOffset => "DateTimeOffset",
            ItemType::RowId => "DataViewRowId",
            ItemType::Key(_) => "Key2",
        }
    }
}

impl KeyType {
    /// A category out of `count`, stored as a number of 4 bytes, as ML.NET usually does.
    pub fn new(count: u64) -> Self {
        KeyType { width: 4, count, min: 0 }
    }

    /// The name that .NET has for the stored number.
    pub fn stored_as(self) -> &'static str {
        self.item().codec_name()
    }

    pub(crate) fn number(self) -> Number {
        match self.width {
            1 => Number::U8,
            2 => Number::U16,
            4 => Number::U32,
            _ => Number::U64,
        }
    }

    /// The greatest number of categories that the stored number can distinguish.
    pub fn most(self) -> u64 {
        u64::MAX.checked_shr(64 - 8 * u32::from(self.width.min(8))).unwrap_or(0)
    }
}

impl KeyType {
    /// The type of the stored number.
    pub(crate) fn item(self) -> ItemType {
        match self.width {
            1 => ItemType::U8,
            2 => ItemType::U16,
            4 => ItemType::U32,
            _ => ItemType::U64,
        }
    }
}

/// The interpretation of a codec.
pub(crate) struct Understood {
    /// The type, or `None` if the codec is unknown or broken.
    pub column_type: Option<ColumnType>,
    /// The layout of the items.
    pub stored: Option<StoredItems>,
    /// True if ML.NET knows the codec; it leaves out a column whose codec it does not know.
    pub known_to_reference: bool,
    /// The findings, at the field `codec`.
    pub findings: Vec<Finding>,
}

/// Interprets a codec in a file of some version. The findings have no place yet.
pub(crate) fn understand(codec: &Codec, version: Version) -> Understood {
    let mut reading = Reading { version, findings: Vec::new(), known_to_reference: true };
    let column_type = reading.column_type(codec);
    let Reading { findings, known_to_reference, .. } = reading;
    let broken = findings.iter().any(Finding::is_error);
    let column_type = column_type.filter(|_| !broken);
    let storage = codec.storage().filter(|_| column_type.is_some());
    let stored =
        storage.map(|storage| StoredItems { vectors: matches!(codec.parameters, Parameters::Vector { .. }), storage });
    Understood { column_type, stored, known_to_reference, findings }
}

struct Reading {
    version: Version,
    findings: Vec<Finding>,
    known_to_reference: bool,
}

impl Reading {
    fn find(&mut self, rule: &'static crate::findings::rule::Rule, message: impl Into<String>) {
        self.findings.push(Finding::new(rule, "codec", 0..0, message));
    }

    fn column_type(&mut self, codec: &Codec) -> Option<ColumnType> {
        self.judge(codec);
        let Parameters::Vector { vector } = &codec.parameters else {
            return self.item_type(codec, false).map(ColumnType::scalar);
        };
        let item = match vector.item.parameters {
            Parameters::Vector { .. } => {
                self.find(&rules::NESTED_VECTOR, "the items of a vector are vectors");
                None
            }
            _ => {
                self.judge(&vector.item);
                self.item_type(&vector.item, true)
            }
        };
        let dims: Option<Vec<u32>> = vector.dims.iter().map(|&dim| u32::try_from(dim).ok()).collect();
        let Some(dims) = dims else {
            self.find(
                &rules::VECTOR_DIMS,
                format!("a dimension is negative: {}", abridged(format_args!("{:?}", vector.dims))),
            );
            return None;
        };
        if vector.dims.iter().try_fold(1_i32, |size, &dim| size.checked_mul(dim)).is_none() {
            self.find(
                &rules::VECTOR_DIMS,
                format!("a vector of {} has over 2^31 - 1 items", abridged(format_args!("{dims:?}"))),
            );
            return None;
        }
        // Old files do not give a rank.
        let dims = if dims.is_empty() { vec![0] } else { dims };
        Some(ColumnType { item: item?, dims: Some(dims) })
    }

    fn item_type(&mut self, codec: &Codec, inner: bool) -> Option<ItemType> {
        let simple = match &codec.parameters {
            Parameters::Key { key } => return self.key(&key.number, key.count, 0).map(ItemType::Key),
            Parameters::OldKey { key } => return self.old_key(key).map(ItemType::Key),
            Parameters::Other { .. } => codec.name.text().and_then(ItemType::named),
            Parameters::Vector { .. } => None,
        };
        let name = codec.name.lossy();
        let Some(item) = simple else {
            if codec.name.bytes().is_empty() {
                self.find(&rules::CODEC_NAME, "the codec has no name");
            } else if inner {
                let message = format!("the codec {} inside another one is unknown", quoted(&name));
                self.find(&rules::UNKNOWN_INNER_CODEC, message);
                // ML.NET replaces bytes that are not UTF-8, and loses count of the bytes of the codec around it.
                let reference = if codec.name.text().is_none() { Reference::Unforeseen } else { Reference::Refuses };
                self.findings.last_mut().expect("one was added").reference = reference;
            } else {
                self.known_to_reference = false;
                let message = format!("the codec {} is unknown, so the column is left out", quoted(&name));
                self.find(&rules::UNKNOWN_CODEC, message);
            }
            return None;
        };
        if matches!(&*name, "RowId" | "UInt128") {
            let message = format!("{} is an old name of the codec \"DataViewRowId\"", quoted(&name));
            if inner {
                self.find(&rules::UNKNOWN_INNER_CODEC, message);
            } else {
                self.known_to_reference = false;
                self.find(&rules::OLD_ROW_ID, message);
            }
        }
        Some(item)
    }

    /// Judges the properties that every codec has.
    fn judge(&mut self, codec: &Codec) {
        let declared = codec.parameters_length.value();
        let named = codec.name.text().and_then(ItemType::named);
        let expected = match codec.parameters {
            Parameters::Other { .. } if named.is_some() => 0,
            _ => codec.parameters.length(),
        };
        if declared != expected {
            let name = quoted(&codec.name.lossy());
            let message = format!("the parameters of the codec {name} are declared to take another length");
            let finding = Finding::new(&rules::CODEC_LENGTH, "codec.parameters_length", 0..0, message);
            self.findings.push(finding.expected(expected).found(declared));
        }
        if let Some(name) = codec.name.text().filter(|name| !belongs(name, self.version)) {
            let message = format!("the codec {} does not belong to version {}", quoted(name), self.version);
            self.find(&rules::CODEC_VERSION, message);
        }
    }

    fn key(&mut self, number: &Codec, count: u64, min: u64) -> Option<KeyType> {
        self.judge(number);
        if let Parameters::Vector { .. } = number.parameters {
            self.find(&rules::KEY_NUMBER, "a key is an unsigned number, not a vector");
            return None;
        }
        let item = self.item_type(number, true)?;
        let width = match item {
            ItemType::U8 => 1,
            ItemType::U16 => 2,
            ItemType::U32 => 4,
            ItemType::U64 => 8,
            ItemType::Key(inner) => inner.width,
            other => {
                self.find(&rules::KEY_NUMBER, format!("a key is an unsigned number, not {other}"));
                return None;
            }
        };
        let key = KeyType { width, count, min };
        if count == 0 || count > key.most() {
            let message = format!("a key has {count} categories in numbers of {} bits", 8 * width);
            self.find(&rules::KEY_COUNT, message);
            return None;
        }
        Some(key)
    }

    fn old_key(&mut self, key: &OldKey) -> Option<KeyType> {
        let contiguous = match key.contiguous {
            0 if key.count > 0 => None,
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        let (Some(contiguous), Ok(count)) = (contiguous, u64::try_from(key.count)) else {
            let message = format!("contiguous is {}, with {} categories", key.contiguous, key.count);
            self.find(&rules::KEY_COUNT, message);
            return None;
        };
        if key.min != 0 || !contiguous {
            let what = if contiguous { format!("begins at {}", key.min) } else { "has gaps".into() };
            self.find(&rules::OLD_KEY, format!("the range of the keys {what}"));
        }
        let most = match key.number.storage() {
            Some(Storage::Numbers(number)) => u64::MAX >> (64 - 8 * number.size().min(8)),
            _ => u64::MAX,
        };
        self.key(&key.number, if count == 0 { most } else { count }, key.min)
    }
}

/// Returns whether writers of a version use a codec of this name.
fn belongs(name: &str, version: Version) -> bool {
    match name {
        "DvBool" | "DvDateTime" | "DvDateTimeZone" | "DvTimeSpan" => version <= Version::V5,
        "Boolean" | "DateTime" | "DateTimeOffset" | "Key2" | "RowId" | "DataViewRowId" => version > Version::V5,
        _ => true,
    }
}
