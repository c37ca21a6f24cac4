//! The types of columns and annotations.
//!
//! A file names the codecs of its columns, and versions of ML.NET have used different names and parameters for the same values.
//! [`understand`] translates a codec to a [`ColumnType`], with findings about names that do not belong to the version and about
//! meaningless parameters. If the codec of a column is unknown, the other columns can still be read.

use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::{abridged, quoted};
use crate::idv::rules;
use everybyte::number::Number;
use ndbytes_schemas::idv::{Codec, Items as StoredItems, OldKey, Parameters, Storage, Version};

/// The type of a column's values.
///
/// ```
/// use ndbytes::idv::{ColumnType, ItemType};
///
/// let features = ColumnType::vector(ItemType::F32, [3]);
/// assert_eq!((features.to_string().as_str(), features.vector_size()), ("Vector<Single, 3>", Some(3)));
/// assert_eq!("Vector<Single, 3>".parse::<ColumnType>()?, features);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ColumnType {
    /// The type of the items.
    pub item: ItemType,
    /// For columns of vectors, the shape of each vector, where 0 means an unknown length. Vectors of unknown size may have
    /// different lengths in each row.
    pub dims: Option<Vec<u32>>,
}

/// The type of one item.
///
/// ```
/// use ndbytes::idv::{ItemType, KeyType};
///
/// assert_eq!(ItemType::F32.to_string(), "Single"); // as .NET names it
/// assert_eq!("Key<UInt32, 0-9>".parse::<ItemType>()?, ItemType::Key(KeyType::new(10)));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemType {
    /// A signed 8-bit integer.
    I8,
    /// A signed 16-bit integer.
    I16,
    /// A signed 32-bit integer.
    I32,
    /// A signed 64-bit integer.
    I64,
    /// An unsigned 8-bit integer.
    U8,
    /// An unsigned 16-bit integer.
    U16,
    /// An unsigned 32-bit integer.
    U32,
    /// An unsigned 64-bit integer.
    U64,
    /// A single-precision number.
    F32,
    /// A double-precision number.
    F64,
    /// A boolean.
    Bool,
    /// Text.
    Text,
    /// A duration, in ticks of 100 ns.
    TimeSpan,
    /// A date and time without a zone, in ticks of 100 ns since the beginning of year 1.
    DateTime,
    /// A local date and time, with its offset from UTC in minutes.
    DateTimeOffset,
    /// A 128-bit row identifier.
    RowId,
    /// A category: 0 is missing, and 1 is the first of `count` categories.
    Key(KeyType),
}

/// The type of a key.
///
/// ```
/// use ndbytes::idv::KeyType;
///
/// let key = KeyType { width: 1, ..KeyType::new(200) };
/// assert_eq!((key.stored_as(), key.most()), ("Byte", 255));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyType {
    /// The size of the stored number in bytes: 1, 2, 4 or 8.
    pub width: u8,
    /// The number of categories or, if the file does not state it, the maximum for the stored number.
    pub count: u64,
    /// The value of the first category, which is nonzero only in files written by ML.NET up to 0.9.
    pub min: u64,
}

impl ColumnType {
    /// One item per row.
    pub fn scalar(item: ItemType) -> Self {
        ColumnType { item, dims: None }
    }

    /// One vector per row, with the given shape, where 0 means unknown.
    pub fn vector(item: ItemType, dims: impl Into<Vec<u32>>) -> Self {
        ColumnType { item, dims: Some(dims.into()) }
    }

    /// The number of items per vector if it is fixed, from 1 to 2^31 - 1.
    pub fn vector_size(&self) -> Option<u32> {
        let dims = self.dims.as_ref()?;
        let size = dims.iter().try_fold(1_u32, |size, &dim| size.checked_mul(dim))?;
        (size > 0 && !dims.is_empty()).then_some(size)
    }

    /// Returns the layout of its blocks.
    pub(crate) fn stored(&self) -> StoredItems {
        StoredItems { vectors: self.dims.is_some(), storage: self.item.storage() }
    }
}

impl ItemType {
    /// Returns the layout in the codecs of version 1.1.1.6.
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

    /// Returns the item type of the codec without parameters that has this name.
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

    /// Returns the name that current versions of ML.NET use for the codec.
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
    /// A key with `count` categories, stored as a 4-byte number, as ML.NET usually does.
    pub fn new(count: u64) -> Self {
        KeyType { width: 4, count, min: 0 }
    }

    /// The .NET name of the stored number.
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

    /// The maximum number of categories for the stored number.
    pub fn most(self) -> u64 {
        u64::MAX.checked_shr(64 - 8 * u32::from(self.width.min(8))).unwrap_or(0)
    }
}

impl KeyType {
    /// Returns the type of the stored number.
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
    /// The type; `None` if the codec is unknown or broken.
    pub column_type: Option<ColumnType>,
    /// The layout of the items.
    pub stored: Option<StoredItems>,
    /// True if ML.NET supports the codec. Otherwise, it skips the column.
    pub known_to_reference: bool,
    /// The findings about the field `codec`.
    pub findings: Vec<Finding>,
}

/// Interprets a codec in a file of a certain version. The findings do not have positions yet.
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
        // Old files do not state a rank.
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
                // ML.NET replaces bytes that are not UTF-8, and then counts the bytes of the enclosing codec incorrectly.
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

    /// Checks the properties that every codec has.
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
