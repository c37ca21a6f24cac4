//! Lists whose number of elements the file does not state.

use super::expression::{Element, Scope};

/// How the elements of a list are read whose number the file does not state.
#[derive(Default)]
pub struct Elements<'b> {
    /// The bytes that they fill; all up to the end if nothing else is known.
    pub filled: Option<String>,
    /// The condition that holds for the last one.
    pub until: Option<String>,
    /// Their number, and the item that each is read with.
    pub each: Option<(String, Element<'b>)>,
}

/// The number of elements that are read with an item each, and the names that their arguments may use.
pub fn repeated<'s, 'b>(each: Option<(String, Element<'b>)>, scope: &Scope<'s, 'b>) -> (Option<String>, Scope<'s, 'b>) {
    let (count, element) = each.unzip();
    let element = element.or_else(|| scope.element.clone());
    (count, Scope { element, names: scope.names.clone(), ..*scope })
}
