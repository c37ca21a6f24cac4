//! A grid for valid files, in which each cell is a combination of features in one file.

use std::collections::{BTreeMap, BTreeSet};

/// A feature of a file: the name of its axis in the grid, and its value.
pub type Feature = (&'static str, String);

/// The pairs of features in files.
#[derive(Default)]
pub struct Grid {
    values: BTreeMap<&'static str, BTreeSet<String>>,
    cells: BTreeSet<[Feature; 2]>,
}

impl Grid {
    /// Adds a file with these features.
    pub fn add(&mut self, features: &[Feature]) {
        for one in features {
            self.values.entry(one.0).or_default().insert(one.1.clone());
            let others = features.iter().filter(|other| one.0 < other.0);
            self.cells.extend(others.map(|other| [one.clone(), other.clone()]));
        }
    }

    /// Asserts that each axis has this number of values, and that each value occurs with each value of every other axis.
    pub fn assert_all_cells_are_reached(&self, axes: &[(&'static str, usize)]) {
        self.assert_cells_are_reached_but(&[], axes);
    }

    /// The same, but without the cells that the format does not support.
    pub fn assert_cells_are_reached_but(&self, none: &[[(&str, &str); 2]], axes: &[(&'static str, usize)]) {
        let counted: Vec<_> = axes.iter().map(|(axis, _)| (*axis, self.values[axis].len())).collect();
        assert_eq!(counted, axes, "{:?}", self.values);
        let features = || self.values.iter().flat_map(|(axis, values)| values.iter().map(move |value| (*axis, value)));
        let cells =
            features().flat_map(|one| features().filter(move |other| one.0 < other.0).map(move |other| [one, other]));
        let cells = cells.map(|cell| cell.map(|(axis, value)| (axis, value.clone())));
        let missing: Vec<_> = cells.filter(|cell| !self.cells.contains(cell)).collect();
        let missing: Vec<_> =
            missing.iter().map(|cell| cell.each_ref().map(|(axis, value)| (*axis, &**value))).collect();
        assert_eq!(missing, none);
    }
}

/// The number of axes of an array as a feature; more than four count as one value.
pub fn rank(axes: usize) -> Feature {
    ("rank", if axes > 4 { "more".to_owned() } else { axes.to_string() })
}
