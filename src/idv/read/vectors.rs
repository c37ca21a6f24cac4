//! Decodes the vectors of a block.

use super::decode::{Decoder, Refusal};
use crate::idv::rules;
use crate::idv::values::{Mixed, Values, Vectors};
use ndbytes_schemas::idv::Vectors as Stored;

/// The numbers of items that the vectors of a block store.
struct Counts {
    /// The number of items of sparse vectors.
    sparse: u64,
    /// True if all vectors are dense and have the same length.
    is_dense: bool,
}

impl Decoder<'_, '_> {
    pub fn vectors(&mut self, vectors: &Stored, values: &mut Values) -> Result<(), Refusal> {
        self.ensure_count_and_size(vectors)?;
        let Counts { sparse, is_dense } = self.stored_counts(vectors)?;
        let indices = self.indices(vectors, sparse)?;
        let (rows, count) = (self.target.rows, vectors.stored_items());
        self.debit.take(25 * rows + 4 * sparse, "the shapes of vectors")?;
        self.scalars("vectors.items", &vectors.items, count, values)?;
        let shapes = match is_dense {
            true => Vectors::Dense(vectors.size as u32),
            false => Vectors::Mixed(mixed(vectors, indices)),
        };
        values.push_vectors(shapes, rows as usize);
        Ok(())
    }

    /// Refuses a number or size of vectors that does not match the column.
    fn ensure_count_and_size(&self, vectors: &Stored) -> Result<(), Refusal> {
        if u64::try_from(vectors.count) != Ok(self.target.rows) {
            let message = "the number of vectors is not the number of rows";
            let finding = self.in_field(&rules::VECTOR_COUNT, "vectors.count", message);
            return Err(Refusal::Finding(finding.expected(self.target.rows).found(vectors.count).into()));
        }
        let fixed = self.target.column_type.vector_size();
        let wrong_size = fixed.is_some_and(|size| u32::try_from(vectors.size) != Ok(size));
        if wrong_size || vectors.size < 0 {
            let expected = fixed.map_or("0 or more".to_owned(), |size| size.to_string());
            let message = "the size is not that of the column's vectors";
            let finding = self.in_field(&rules::VECTOR_SIZE, "vectors.size", message);
            return Err(Refusal::Finding(finding.expected(expected).found(vectors.size).into()));
        }
        Ok(())
    }

    /// Checks the length of each vector and the number of items that it stores.
    fn stored_counts(&self, vectors: &Stored) -> Result<Counts, Refusal> {
        let mut counts = Counts { sparse: 0, is_dense: vectors.size > 0 };
        for (row, &stored) in vectors.stored_counts.iter().enumerate() {
            let length = length_of(vectors, row);
            if length < 0 {
                return Err(self.negative_length(row, length));
            }
            if stored < -1 || stored >= length.max(0) {
                return Err(self.wrong_stored_count(row, length, stored));
            }
            counts.sparse += u64::try_from(stored).unwrap_or(0);
            counts.is_dense &= stored == -1;
        }
        Ok(counts)
    }

    #[cold]
    fn negative_length(&self, row: usize, length: i32) -> Refusal {
        let message = format!("vector {row} has {length} items");
        let finding = self.in_field(&rules::VECTOR_SIZE, &format!("vectors.lengths[{row}]"), message);
        Refusal::Finding(finding.into())
    }

    #[cold]
    fn wrong_stored_count(&self, row: usize, length: i32, stored: i32) -> Refusal {
        let message = format!("vector {row} of {length} items stores {stored} of them");
        let finding = self.in_field(&rules::SPARSE_COUNT, &format!("vectors.stored_counts[{row}]"), message);
        Refusal::Finding(finding.expected("-1 for all of them, or fewer than there are").into())
    }

    /// Decodes the indices of all sparse vectors of a block.
    fn indices(&mut self, vectors: &Stored, needed: u64) -> Result<Vec<u32>, Refusal> {
        let given = u64::try_from(vectors.index_count);
        if given != Ok(needed) {
            let excess = given.is_ok_and(|given| given > needed);
            let (rule, message) = if excess {
                (&rules::EXCESS_INDICES, "there are more indices than the sparse vectors have items")
            } else {
                (&rules::INDEX_COUNT, "there are fewer indices than the sparse vectors have items")
            };
            let finding = self.in_field(rule, "vectors.index_count", message);
            let finding = finding.expected(needed).found(vectors.index_count);
            if !excess {
                return Err(Refusal::Finding(finding.into()));
            }
            self.findings.push(finding);
        }
        let all = self.content.numbers(&vectors.indices).as_chunks().0;
        let mut indices = Vec::new();
        let mut at = 0;
        for (row, &stored) in vectors.stored_counts.iter().enumerate() {
            let (length, mut next) = (length_of(vectors, row), 0);
            for _ in 0..stored.max(0) {
                let index = i32::from_le_bytes(all[at]);
                if index < next || index >= length {
                    let message =
                        format!("the indices of vector {row}, of {length} items, do not increase below its length");
                    let finding = self.at(&rules::INDICES, "vectors.indices", &vectors.indices, at, message);
                    let expected = match next == length - 1 {
                        true => next.to_string(),
                        false => format!("{next} to {}", length - 1),
                    };
                    return Err(Refusal::Finding(finding.expected(expected).found(index).into()));
                }
                indices.push(index as u32);
                next = index + 1;
                at += 1;
            }
        }
        Ok(indices)
    }
}

/// Returns the length of a vector.
fn length_of(vectors: &Stored, row: usize) -> i32 {
    if vectors.size > 0 { vectors.size } else { vectors.lengths[row] }
}

/// Returns the shapes of vectors that are not all dense or not all of the same length.
fn mixed(vectors: &Stored, indices: Vec<u32>) -> Mixed {
    let mut mixed = Mixed { indices, ..Mixed::default() };
    let (mut items, mut places) = (0, 0);
    for (row, &stored) in vectors.stored_counts.iter().enumerate() {
        let length = length_of(vectors, row) as u32;
        items += u64::from(if stored == -1 { length } else { stored as u32 });
        places += u64::try_from(stored).unwrap_or(0);
        mixed.lengths.push(length);
        mixed.item_ends.push(items);
        mixed.index_ends.push(places);
        mixed.sparse.push(stored >= 0);
    }
    mixed
}
