//! Types of array items beyond the plain ones: structures of named fields, and subarrays, as NumPy has them.

mod display;
mod error;
mod literal;
mod parse;

pub(crate) use display::push_shape;
pub use error::{ItemTypeError, ItemTypeProblem};
pub use literal::quoted;
pub(crate) use literal::{Literal, read_python_2};
pub use literal::{Value, read};
pub(crate) use parse::shaped;

use super::dtype::{Dtype, ElementKind, LONGEST, NUMPY_AXES};
use everybyte::Endian;
use std::collections::HashSet;

/// The number of values that an item may have beyond four for each of its bytes. Fields may overlap or be empty, but
/// their number is bounded.
const FREE_VALUES: u64 = 1 << 16;

/// The type of one item of an array, a dtype in NumPy's words.
///
/// It is read from text by [`str::parse`], and [`ToString`] gives the text that NumPy's `str` gives for structures and
/// subarrays, such as `[('a', '<i4'), ('b', '<f8', (2, 3))]`. For plain types it gives [`Dtype::descr`].
///
/// NumPy's text for a structure within another one does not say whether it is aligned. So NumPy itself may read back
/// another layout from it. Where it would, the text given here spells out the offsets. The same goes for fields with an
/// empty name, which NumPy would name anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemType {
    /// One plain value.
    Plain(Dtype),
    /// Named fields.
    Structure(Structure),
    /// An array of a fixed shape.
    Subarray(Subarray),
}

impl ItemType {
    /// Bytes of one item; a bit takes 0, see [`ElementKind::Bit`].
    pub fn size(&self) -> u64 {
        match self {
            ItemType::Plain(dtype) => dtype.kind.size(),
            ItemType::Structure(structure) => structure.size,
            ItemType::Subarray(subarray) => subarray.size,
        }
    }

    /// Bytes from one item to the next one, decoded: the size, but 1 for a bit.
    pub fn stride(&self) -> u64 {
        match self {
            ItemType::Plain(Dtype { kind: ElementKind::Bit, .. }) => 1,
            other => other.size(),
        }
    }

    /// The plain type; that of a structure or subarray are raw bytes of its size.
    pub fn dtype(&self) -> Dtype {
        match self {
            ItemType::Plain(dtype) => *dtype,
            other => Dtype::new(ElementKind::Record(other.size()), Endian::Little),
        }
    }

    /// The multiple of bytes at which NumPy places items of this type in aligned structures (on x86-64).
    pub fn alignment(&self) -> u64 {
        match self {
            ItemType::Plain(dtype) => dtype.kind.alignment(),
            ItemType::Structure(structure) => structure.alignment(),
            ItemType::Subarray(subarray) => subarray.item.alignment(),
        }
    }

    /// Returns whether the same bytes have the same values under the same names. Types that differ only in the declaration
    /// of structures as aligned do: NumPy's text of a type does not keep it in structures within others.
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

    /// The number of plain values in one item.
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

/// Named fields, each at its own place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    fields: Vec<Field>,
    size: u64,
    aligned: bool,
    values: u64,
}

/// One field of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Another name, if there is one.
    pub title: Option<String>,
    /// Its first byte, counted from the beginning of the item.
    pub offset: u64,
    /// Its type.
    pub item_type: ItemType,
}

impl Structure {
    /// Fields with nothing between them, in this order.
    ///
    /// # Errors
    /// If names are given twice, or for more bytes than NumPy's limit of 2,147,483,647.
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

    /// Fields at given places within an item of `size` bytes; they may overlap. `aligned` says that all of them are at
    /// multiples of their alignment.
    ///
    /// # Errors
    /// If names or titles are given twice, if a field does not end within the item, or if the alignment is not kept. So
    /// too for more than 2,147,483,647 bytes.
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

    /// Bytes of one item.
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

    /// Returns whether the fields follow one another as in a list of them: the only gaps are those that keep this alignment.
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

/// An array of a fixed shape, in C order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subarray {
    item: Box<ItemType>,
    shape: Vec<u64>,
    size: u64,
    values: u64,
}

impl Subarray {
    /// An array of this shape, of items of this type.
    ///
    /// # Errors
    /// For more than 64 axes, more than 2,147,483,647 bytes, or very many items without bytes.
    pub fn new(item: ItemType, shape: Vec<u64>) -> Result<Self, ItemTypeProblem> {
        if shape.len() > NUMPY_AXES {
            return Err(ItemTypeProblem::TooManyAxes { axes: shape.len() });
        }
        let product = || shape.iter().try_fold(1_u64, |product, &extent| product.checked_mul(extent));
        let count = if shape.contains(&0) { Some(0) } else { product() };
        let size = count.and_then(|count| count.checked_mul(item.size())).filter(|&size| size <= LONGEST);
        let (Some(count), Some(size)) = (count, size) else { return Err(ItemTypeProblem::TooLarge) };
        // Even without items, there may be many empty lists.
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

    /// Length of each axis.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The number of its items.
    pub fn count(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Bytes of all of them.
    pub fn size(&self) -> u64 {
        self.size
    }
}

fn within_bounds(values: u64, size: u64) -> Result<(), ItemTypeProblem> {
    if values > FREE_VALUES + 4 * size { Err(ItemTypeProblem::TooManyValues { values, size }) } else { Ok(()) }
}
