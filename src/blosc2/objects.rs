//! Other objects of python-blosc2 that are frames too.

use crate::findings::rule::Reference;

/// A kind of object other than an array.
pub struct Object {
    /// The metalayer that identifies it: in the header or, for a tensor, in the trailer.
    pub metalayer: &'static [u8],
    pub what: &'static str,
    /// True if python-blosc2 opens it only if told to, since that may run code.
    pub is_active: bool,
}

/// The objects that a metalayer of the header identifies.
pub const OTHER_OBJECTS: [Object; 9] = [
    Object::active(b"LazyArray", "a lazy expression, whose values are computed from other arrays"),
    Object::active(b"proxy-source", "the cache of a proxy, whose values are fetched from somewhere else"),
    Object::active(b"b2o", "an object of python-blosc2 that is not an array"),
    Object::passive(b"listarray", "a ListArray of python-blosc2, a list of lists"),
    Object::passive(b"vlarray", "an ObjectArray of python-blosc2, a list of objects"),
    Object::passive(b"batcharray", "a BatchArray of python-blosc2, a list of batches"),
    Object::passive(b"b2embed", "an EmbedStore of python-blosc2, a set of named objects"),
    Object::passive(b"b2dict", "the embedded part of a DictStore of python-blosc2, a set of named objects"),
    Object::passive(b"b2tree", "the embedded part of a TreeStore of python-blosc2, a set of named objects"),
];

/// The object that an attribute identifies.
pub const TENSOR: Object =
    Object::passive(b"__pack_tensor__", "a tensor that `save_array` or `save_tensor` of python-blosc2 packed");

impl Object {
    const fn active(metalayer: &'static [u8], what: &'static str) -> Self {
        Object { metalayer, what, is_active: true }
    }

    const fn passive(metalayer: &'static [u8], what: &'static str) -> Self {
        Object { metalayer, what, is_active: false }
    }

    /// The reaction of python-blosc2. The content of what it opens is not checked here.
    pub fn reference(&self) -> Reference {
        if self.is_active { Reference::Refuses } else { Reference::Unforeseen }
    }

    /// Advice about it.
    pub fn help(&self) -> &'static str {
        match self.is_active {
            true => "python-blosc2 opens it only if told to: `blosc2.open(path, deserialize=\"full\")`",
            false => "python-blosc2 opens it as that object",
        }
    }
}
