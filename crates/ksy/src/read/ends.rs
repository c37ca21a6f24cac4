//! The ends of elements of a list.

/// The ends of elements: of those that are equally long, the first end and the number.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    count: usize,
    first: usize,
    each: usize,
    /// All ends, where the elements have different lengths.
    all: Vec<usize>,
}

impl Ends {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn get(&self, place: usize) -> Option<usize> {
        match self.all.is_empty() {
            true => (place < self.count).then(|| self.first + place * self.each),
            false => self.all.get(place).copied(),
        }
    }

    /// Adds an element whose end nobody asks for, such as a run of bits: it takes no memory.
    pub fn skip(&mut self) -> usize {
        self.count += 1;
        0
    }

    /// Adds an end; returns the bytes of memory that this takes.
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
