//! The types of array items: plain types and, as in NumPy, structures of named fields and subarrays.
//!
//! NumPy bounds the size of an item, but not the number of its values: fields may overlap, and a subarray of empty items has any
//! length. A string of a few bytes could therefore describe an item with billions of values. For this reason, the constructors of
//! [`Structure`] and [`Subarray`] count the values, and limit their number based on the size of the item. All code that processes
//! an item value by value relies on this limit.

mod display;
mod error;
pub(crate) mod leniency;
mod literal;
mod parse;

pub(crate) use display::push_shape;
pub use error::{ItemTypeError, ItemTypeProblem};
pub use literal::quoted;
pub(crate) use literal::{Literal, read_as};
pub use literal::{Value, read};
pub(crate) use parse::shaped;

use super::dtype::{Dtype, ElementKind, LONGEST, NUMPY_AXES};
use everybyte::Endian;
use std::collections::HashSet;

/// The number of values that an item may have in addition to four per byte. Fields may overlap or be empty, but their number is
/// limited.
const FREE_VALUES: u64 = 1 << 16;

/// The type of one item of an array, called dtype in NumPy.
///
/// [`str::parse`] parses its name. For structures and subarrays, [`ToString`] returns the same name as NumPy's `str`, such as
/// `[('a', '<i4'), ('b', '<f8', (2, 3))]`. For plain types, it returns [`Dtype::descr`].
///
/// NumPy's name for a structure inside another one does not state whether it is aligned, so NumPy itself may read a different
/// layout from that name. In such cases, the name spells out the offsets. It also does so for fields with an empty name, which
/// NumPy would rename.
///
/// ```
/// use ndbytes::ItemType;
///
/// let item: ItemType = "[('id', '<u4'), ('position', '<f8', (3,))]".parse()?;
/// assert_eq!(item.size(), 4 + 3 * 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemType {
    /// One plain value.
    Plain(Dtype),
    /// Named fields.
    Structure(Structure),
    /// A fixed-shape array.
    Subarray(Subarray),
}

impl ItemType {
    /// The size of an item in bytes; 0 for a bit (see [`ElementKind::Bit`]).
    pub fn size(&self) -> u64 {
        match self {
            ItemType::Plain(dtype) => dtype.kind.size(),
            ItemType::Structure(structure) => structure.size,
            ItemType::Subarray(subarray) => subarray.size,
        }
    }

    /// The distance between decoded items in bytes: the size, or 1 for a bit.
    pub fn stride(&self) -> u64 {
        match self {
            ItemType::Plain(Dtype { kind: ElementKind::Bit, .. }) => 1,
            other => other.size(),
        }
    }

    /// The plain type; for a structure or subarray, raw bytes of its size.
    pub fn dtype(&self) -> Dtype {
        match self {
            ItemType::Plain(dtype) => *dtype,
            other => Dtype::new(ElementKind::Record(other.size()), Endian::Little),
        }
    }

    /// NumPy's alignment for items of this type in aligned structures (on x86-64).
    pub fn alignment(&self) -> u64 {
        match self {
            ItemType::Plain(dtype) => dtype.kind.alignment(),
            ItemType::Structure(structure) => structure.alignment(),
            ItemType::Subarray(subarray) => subarray.item.alignment(),
        }
    }

    /// Returns whether the same bytes have the same values with the same names in both types. This ignores whether structures are
    /// declared as aligned, because NumPy's name for a type does not preserve this for nested structures.
    pub fn has_layout_of(&self, other: &ItemType) -> bool {
        match (self, other) {
            (ItemType::Plain(one), ItemType::Plain(other)) => one == other,
            (ItemType::Structure(one), ItemType::Structure(other)) => {
                let mut pairs = one.fields.iter().zip(&other.fields);
                (one.size, one.fields.len()) == (other.size, other.fields.len())
                    && pairs.all(|(one, other)| {
                        (&one.name, &one.title, one.offset) == (&other.name, &other.title, other.offset)
                            && one.item_type.has_layout_of(&other.item_type)
                    })
            }
            (ItemType::Subarray(one), ItemType::Subarray(other)) => {
                one.shape == other.shape && one.item.has_layout_of(&other.item)
            }
            _ => false,
        }
    }

    /// The number of plain values per item.
    fn values(&self) -> u64 {
        match self {
            ItemType::Plain(_) => 1,
            ItemType::Structure(structure) => structure.values,
            ItemType::Subarray(subarray) => subarray.values,
        }
    }
}

impl From<Dtype> for ItemType {
    fn from(dtype: Dtype) -> Self {
        ItemType::Plain(dtype)
    }
}

/// Named fields, each at its own offset.
///
/// ```
/// use ndbytes::Structure;
///
/// let record = Structure::packed([("id".to_owned(), "<u4".parse()?), ("level".to_owned(), "<f8".parse()?)])?;
/// assert_eq!((record.size(), record.fields()[1].offset), (12, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    fields: Vec<Field>,
    size: u64,
    aligned: bool,
    values: u64,
}

/// One field of a structure.
///
/// ```
/// use ndbytes::{Field, ItemType};
///
/// let text = "{'names': ['word', 'upper'], 'formats': ['<u4', '<u2'], 'offsets': [0, 2], 'itemsize': 4}";
/// let ItemType::Structure(record) = text.parse()? else { panic!("this is a structure") };
/// let Field { name, offset, .. } = &record.fields()[1];
/// assert_eq!((name.as_str(), *offset), ("upper", 2)); // it overlaps the word
/// # Ok::<(), ndbytes::ItemTypeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Another name, if there is one.
    pub title: Option<String>,
    /// The offset of its first byte in the item.
    pub offset: u64,
    /// The type of the field.
    pub item_type: ItemType,
}

impl Structure {
    /// Creates a structure of fields without gaps, in this order.
    ///
    /// # Errors
    /// Fails if a name is used twice, or if the size exceeds NumPy's limit of 2,147,483,647 bytes.
    pub fn packed(fields: impl IntoIterator<Item = (String, ItemType)>) -> Result<Self, ItemTypeProblem> {
        let mut end = 0_u64;
        let placed = fields.into_iter().map(|(name, item_type)| {
            let offset = end;
            end = end.saturating_add(item_type.size());
            Field { name, title: None, offset, item_type }
        });
        let fields: Vec<Field> = placed.collect();
        Structure::new(fields, end, false)
    }

    /// Creates a structure of fields at given offsets in an item of `size` bytes. Fields may overlap. `aligned` declares that each
    /// offset is a multiple of the field's alignment.
    ///
    /// # Errors
    /// Fails if a name or title is used twice, if a field extends beyond the item, or if a field is not aligned. Also
    /// if the size exceeds 2,147,483,647 bytes.
    pub fn new(fields: Vec<Field>, size: u64, aligned: bool) -> Result<Self, ItemTypeProblem> {
        if size > LONGEST {
            return Err(ItemTypeProblem::TooLarge);
        }
        let mut names = HashSet::new();
        let mut values = 0_u64;
        let mut alignment = 1;
        for field in &fields {
            for name in [Some(&field.name), field.title.as_ref()].into_iter().flatten() {
                if !names.insert(name.as_str()) {
                    return Err(ItemTypeProblem::SameName { name: name.clone() });
                }
            }
            let end = field.offset.checked_add(field.item_type.size());
            if end.is_none_or(|end| end > size) {
                return Err(ItemTypeProblem::OutOfItem { name: field.name.clone(), end, size });
            }
            if aligned && !field.offset.is_multiple_of(field.item_type.alignment()) {
                return Err(ItemTypeProblem::Unaligned { value: field.offset, alignment: field.item_type.alignment() });
            }
            alignment = alignment.max(field.item_type.alignment());
            values = values.saturating_add(field.item_type.values());
        }
        if aligned && !size.is_multiple_of(alignment) {
            return Err(ItemTypeProblem::Unaligned { value: size, alignment });
        }
        within_bounds(values, size)?;
        Ok(Structure { fields, size, aligned, values })
    }

    /// The fields, in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The size of an item in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns whether it is declared as aligned.
    pub fn is_aligned(&self) -> bool {
        self.aligned
    }

    fn alignment(&self) -> u64 {
        let fields = self.fields.iter().filter(|_| self.aligned);
        fields.map(|field| field.item_type.alignment()).max().unwrap_or(1)
    }

    /// Returns whether the fields are laid out in sequence, with gaps only for this alignment.
    fn is_packed(&self, alignment: impl Fn(&ItemType) -> u64) -> bool {
        let (mut end, mut widest) = (0_u64, 1);
        for field in &self.fields {
            let alignment = alignment(&field.item_type);
            widest = widest.max(alignment);
            if field.offset != end.next_multiple_of(alignment) {
                return false;
            }
            end = field.offset + field.item_type.size();
        }
        end.next_multiple_of(widest) == self.size
    }
}

/// A fixed-shape array in C order.
///
/// ```
/// use ndbytes::Subarray;
///
/// let matrix = Subarray::new("<f4".parse()?, vec![2, 3])?;
/// assert_eq!((matrix.count(), matrix.size()), (6, 24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subarray {
    item: Box<ItemType>,
    shape: Vec<u64>,
    size: u64,
    values: u64,
}

impl Subarray {
    /// Creates an array type with this shape and item type.
    ///
    /// # Errors
    /// Fails if there are more than 64 axes, more than 2,147,483,647 bytes, or too many zero-size items.
    pub fn new(item: ItemType, shape: Vec<u64>) -> Result<Self, ItemTypeProblem> {
        if shape.len() > NUMPY_AXES {
            return Err(ItemTypeProblem::TooManyAxes { axes: shape.len() });
        }
        let product = || shape.iter().try_fold(1_u64, |product, &extent| product.checked_mul(extent));
        let count = if shape.contains(&0) { Some(0) } else { product() };
        let size = count.and_then(|count| count.checked_mul(item.size())).filter(|&size| size <= LONGEST);
        let (Some(count), Some(size)) = (count, size) else { return Err(ItemTypeProblem::TooLarge) };
        // An array without items may still contain many empty lists.
        let lists = shape.iter().take_while(|&&extent| extent > 0);
        let lists = lists.fold(1_u64, |lists, &extent| lists.saturating_mul(extent));
        let values = lists.max(count).saturating_mul(item.values().max(1));
        within_bounds(values, size)?;
        Ok(Subarray { item: item.into(), shape, size, values })
    }

    /// The type of its items.
    pub fn item_type(&self) -> &ItemType {
        &self.item
    }

    /// The length of each axis.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The number of its items.
    pub fn count(&self) -> u64 {
        self.shape.iter().product()
    }

    /// The size of all items in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }
}

fn within_bounds(values: u64, size: u64) -> Result<(), ItemTypeProblem> {
    if values > FREE_VALUES + 4 * size { Err(ItemTypeProblem::TooManyValues { values, size }) } else { Ok(()) }
}
