//! The names of a file's parts.

use crate::name::Name;
use crate::nodes::{Id, Index, NodeMut, Nodes, step};

/// The name of a part of a file: `"header"`, `("table", 3)` for one of several parts, or a `String` from the file.
///
/// ```
/// use everybyte::{Format, examination::Examination, explain, layout};
///
/// #[layout]
/// struct Header {
///     offsets: [u8; 2],
/// }
///
/// #[layout]
/// struct Table {
///     rows: u8,
/// }
///
/// impl Format for Header {
///     const NAME: &'static str = "tables";
///
///     fn examine(&self, file: &mut Examination<'_>) {
///         for (number, &offset) in (0_u64..).zip(&self.offsets) {
///             file.at::<Table>(("table", number), offset, ());
///         }
///     }
/// }
///
/// let text = explain::<Header>(&[2, 3, 10, 20]).to_string();
/// assert!(text.contains("table[0].rows") && text.contains("table[1].rows"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartName {
    /// The steps of its path: the enclosing groups, then the part itself.
    steps: Vec<(Name, Option<u64>)>,
}

impl From<&'static str> for PartName {
    fn from(name: &'static str) -> Self {
        PartName { steps: vec![(name.into(), None)] }
    }
}

impl From<String> for PartName {
    fn from(name: String) -> Self {
        PartName { steps: vec![(name.into(), None)] }
    }
}

impl From<(&'static str, u64)> for PartName {
    fn from((name, index): (&'static str, u64)) -> Self {
        PartName { steps: vec![(name.into(), Some(index))] }
    }
}

impl From<(String, u64)> for PartName {
    fn from((name, index): (String, u64)) -> Self {
        PartName { steps: vec![(name.into(), Some(index))] }
    }
}

impl PartName {
    /// Returns the name of a part inside this one.
    pub(super) fn inside(&self, name: PartName) -> PartName {
        let mut steps = self.steps.clone();
        for (name, index) in name.steps {
            // An element is nested in its list.
            steps.extend(index.map(|_| (name.clone(), None)));
            steps.push((name, index));
        }
        PartName { steps }
    }

    /// Sets the name of a node. The node is nested in nodes for the enclosing groups, and the outermost node is returned.
    pub(super) fn put_on(&self, nodes: &mut Nodes, node: Id) -> Id {
        let named = |node: NodeMut<'_>, (name, index): &(Name, Option<u64>)| {
            let node = node.name(name.clone());
            match index {
                Some(index) => node.index(Index::One(*index)).id(),
                None => node.id(),
            }
        };
        let (own, around) = self.steps.split_last().expect("a name has a step");
        let mut part = named(nodes.edit(node), own);
        for step in around.iter().rev() {
            let place = nodes.node(part).place();
            part = named(nodes.leaf("", place).around().push(part), step);
        }
        part
    }

    /// Returns the path of the part, such as `chunks[1]`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        self.steps.iter().for_each(|(name, index)| step(name, index.map(Index::One), &mut path));
        path
    }
}
