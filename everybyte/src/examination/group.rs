//! Grouped parts of a file.

use super::Examination;
use super::names::PartName;
use crate::nodes::NodeMut;
use crate::reference::Layout;
use binrw::{BinRead, BinWrite};

impl<'f> Examination<'f> {
    /// Groups parts: `page[3].cell[2]`. Groups can be nested.
    pub fn group(&mut self, name: impl Into<PartName>) -> Group<'_, 'f> {
        Group { file: self, name: name.into() }
    }
}

/// A group of parts of a file, created by [`Examination::group`]. It has the same methods as the examination.
///
/// ```
/// use everybyte::{Format, examination::Examination, explain, layout};
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
    /// Creates a group inside this one.
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
