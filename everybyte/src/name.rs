//! Names in maps and field references. They are static for declarations, and shared for specifications that are loaded at run time.

use std::borrow::Borrow;
use std::fmt::{self, Debug, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A name in a map or a field reference. For a compiled declaration, it is a static string; for a specification that was read at
/// run time, it is shared and freed with its last owner.
///
/// ```
/// use everybyte::map::Name;
///
/// let (declared, read) = (Name::new("length"), Name::from(String::from("length")));
/// assert_eq!(declared, read);
/// assert_eq!(declared, "length");
/// assert!(read.starts_with("len"));
/// ```
#[derive(Clone)]
pub struct Name(Text);

#[derive(Clone)]
enum Text {
    Static(&'static str),
    Shared(Arc<str>),
}

impl Name {
    /// Creates a name from the program itself.
    pub const fn new(name: &'static str) -> Self {
        Name(Text::Static(name))
    }

    /// The name as a string.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Text::Static(name) => name,
            Text::Shared(name) => name,
        }
    }

    /// The heap memory in bytes that it shares with its clones; 0 for a compiled declaration.
    pub fn heap(&self) -> u64 {
        match &self.0 {
            Text::Static(_) => 0,
            Text::Shared(name) => name.len() as u64,
        }
    }
}

impl Default for Name {
    fn default() -> Self {
        Name::new("")
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Name::new(name)
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Name(Text::Shared(name.into()))
    }
}

impl From<Arc<str>> for Name {
    fn from(name: Arc<str>) -> Self {
        Name(Text::Shared(name))
    }
}

impl Debug for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(self.as_str(), f)
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self.as_str(), f)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

/// The hash equals the hash of the string, because tables of names are looked up by string.
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

#[cfg(feature = "page")]
impl serde::Serialize for Name {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

macro_rules! equal {
    ($($text:ty),*) => {$(
        impl PartialEq<$text> for Name {
            fn eq(&self, other: &$text) -> bool {
                self.as_str() == &**other
            }
        }

        impl PartialEq<Name> for $text {
            fn eq(&self, other: &Name) -> bool {
                &**self == other.as_str()
            }
        }
    )*};
}

equal!(&str, String);

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<Name> for str {
    fn eq(&self, other: &Name) -> bool {
        self == other.as_str()
    }
}
