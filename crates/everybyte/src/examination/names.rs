//! The names of a file's parts, and parts that stand in groups.

use super::Examination;
use crate::name::Name;
use crate::nodes::{Id, Index, NodeMut, Nodes, step};
use crate::reference::Layout;
use binrw::{BinRead, BinWrite};

/// The name of a part of a file: `"header"`, `("table", 3)` for one of several, or a `String` that the file states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartName {
    /// The steps of its path: the groups around it, and its own.
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
    /// The name of a part inside this one.
    fn inside(&self, name: PartName) -> PartName {
        let mut steps = self.steps.clone();
        for (name, index) in name.steps {
            // An element stands in its list.
            steps.extend(index.map(|_| (name.clone(), None)));
            steps.push((name, index));
        }
        PartName { steps }
    }

    /// Gives a node the name. It is put into nodes for the groups around it; the outermost one is returned.
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

    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        self.steps.iter().for_each(|(name, index)| step(name, index.map(Index::One), &mut path));
        path
    }
}

/// Parts of a file that stand in a group, as [`Examination::group`] gives it. Its methods are those of the examination.
///
/// ```
/// use everybyte::{Examination, Format, explain, layout};
///
/// /// The offsets of two cells.
/// #[layout]
/// struct Page {
///     cells: [u8; 2],
/// }
///
/// #[layout]
/// struct Cell {
///     value: u8,
/// }
///
/// impl Format for Page {
///     const NAME: &'static str = "page";
///
///     fn examine(&self, file: &mut Examination<'_>) {
///         let mut page = file.group(("page", 3));
///         for (place, offset) in self.cells.into_iter().enumerate() {
///             page.at::<Cell>(("cell", place as u64), offset, ());
///         }
///     }
/// }
///
/// let explained = explain::<Page>(&[2, 3, 7, 8]);
/// assert_eq!(explained.findings, []);
/// assert!(explained.to_string().contains("page[3].cell[1].value  8"), "{explained}");
/// ```
pub struct Group<'e, 'f> {
    file: &'e mut Examination<'f>,
    name: PartName,
}

impl<'e, 'f> Group<'e, 'f> {
    pub(super) fn new(file: &'e mut Examination<'f>, name: PartName) -> Self {
        Group { file, name }
    }

    /// A group inside this one.
    pub fn group(&mut self, name: impl Into<PartName>) -> Group<'_, 'f> {
        let name = self.name.inside(name.into());
        Group { file: self.file, name }
    }

    /// See [`Examination::at`].
    pub fn at<'a, T>(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        args: <T as BinRead>::Args<'a>,
    ) -> Option<T>
    where
        T: Layout + BinRead + for<'w> BinWrite<Args<'w> = ()>,
    {
        self.file.at(self.name.inside(name.into()), offset, args)
    }

    /// See [`Examination::within`].
    pub fn within<'a, T>(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        length: impl Into<u64>,
        args: <T as BinRead>::Args<'a>,
    ) -> Option<T>
    where
        T: Layout + BinRead + for<'w> BinWrite<Args<'w> = ()>,
    {
        self.file.within(self.name.inside(name.into()), offset, length, args)
    }

    /// See [`Examination::region`].
    pub fn region(
        &mut self,
        name: impl Into<PartName>,
        offset: impl Into<u64>,
        length: impl Into<u64>,
    ) -> Option<NodeMut<'_>> {
        self.file.region(self.name.inside(name.into()), offset, length)
    }

    /// The path of the group, for findings.
    pub fn path(&self) -> String {
        self.name.path()
    }
}
