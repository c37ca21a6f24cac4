//! The ends of elements of a list.
//!
//! A map needs the bytes of each element. Nearly all lists have elements of one size, for which two numbers are
//! enough. The list of ends begins only with the first element that differs.

use super::value::grow;

/// The ends of elements: if the elements are equally long, only the first end and their number.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    count: usize,
    first: usize,
    each: usize,
    /// All ends, if the elements have different lengths.
    all: Vec<usize>,
}

impl Ends {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns the end of an element. Elements of one size need no list of ends.
    pub fn get(&self, place: usize) -> Option<usize> {
        match self.all.is_empty() {
            true => (place < self.count).then(|| self.first + place * self.each),
            false => self.all.get(place).copied(),
        }
    }

    /// Adds an element whose end is not needed, such as a bit field, and takes no memory.
    pub fn skip(&mut self) -> usize {
        self.count += 1;
        0
    }

    /// Adds an end; returns how many bytes of memory this takes.
    pub fn push(&mut self, end: usize) -> usize {
        let before = (self.count, self.all.len());
        match self.count {
            0 => self.first = end,
            1 if end >= self.first => self.each = end - self.first,
            _ if self.all.is_empty() && end == self.first + self.count * self.each => {}
            _ => {
                if self.all.is_empty() {
                    self.all = (0..self.count).map(|place| self.first + place * self.each).collect();
                }
                grow(&mut self.all, 1);
                self.all.push(end);
            }
        }
        self.count += 1;
        (self.all.len() - before.1) * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::Ends;

    #[test]
    fn ends_are_what_was_added_whether_they_are_evenly_spaced_or_not() {
        for ends in [&[3, 6, 9][..], &[3, 3, 3], &[3, 6, 8, 20], &[5, 2], &[4]] {
            let mut found = Ends::default();
            let taken: usize = ends.iter().map(|&end| found.push(end)).sum();
            let all: Vec<usize> = (0..found.len()).filter_map(|place| found.get(place)).collect();
            assert_eq!(all, ends);
            assert_eq!(taken, found.all.len() * size_of::<usize>());
        }
    }
}
