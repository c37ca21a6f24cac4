//! Other python-blosc2 objects that are stored as frames.

use crate::findings::rule::Reference;

/// A kind of object other than an array.
pub struct Object {
    /// The name of the metalayer that identifies it, which is in the header or, for a tensor, in the trailer.
    pub metalayer: &'static [u8],
    pub what: &'static str,
    /// True if python-blosc2 opens it only on request, because opening it may run code.
    pub is_active: bool,
}

/// The objects that are identified by a metalayer in the header.
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

/// The object that is identified by an attribute.
pub const TENSOR: Object =
    Object::passive(b"__pack_tensor__", "a tensor that `save_array` or `save_tensor` of python-blosc2 packed");

impl Object {
    /// Returns an object that python-blosc2 opens only with `deserialize="full"`.
    const fn active(metalayer: &'static [u8], what: &'static str) -> Self {
        Object { metalayer, what, is_active: true }
    }

    /// Returns an object that python-blosc2 opens as such.
    const fn passive(metalayer: &'static [u8], what: &'static str) -> Self {
        Object { metalayer, what, is_active: false }
    }

    /// The reaction of python-blosc2, which depends on content that is not checked here if it opens such objects.
    pub fn reference(&self) -> Reference {
        if self.is_active { Reference::Refuses } else { Reference::Unforeseen }
    }

    /// Advice for the user about the object.
    pub fn help(&self) -> &'static str {
        match self.is_active {
            true => "python-blosc2 opens it only with `blosc2.open(path, deserialize=\"full\")`",
            false => "python-blosc2 opens it as that object",
        }
    }
}
