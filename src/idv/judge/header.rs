//! Checks the header and the tail.

use super::examiner::Examiner;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::findings::words::bytes;
use crate::idv::rules;
use everybyte::{Endian, Layout, error::Problem, read, trace::trace};
use ndbytes_schemas::idv::{Header, Tail, Version};

impl Examiner<'_> {
    /// Returns a finding about a field of the header.
    pub(crate) fn header_field(&mut self, rule: &'static Rule, field: &str, message: impl Into<String>) -> Finding {
        let root = self.input.trace_header(|source| trace::<Header>(source, Endian::Little, ()).1);
        Finding::new(rule, field, 0..0, message).placed_by(&root).within("header")
    }

    /// Reads and checks the header, or returns `None` if it does not locate the columns and the tail.
    pub(crate) fn header(&mut self) -> Result<Option<Header>> {
        let Some(header) = self.readable_header()? else { return Ok(None) };
        self.judge_version(&header);
        self.judge_counts(&header);
        let header_end = Header::SIZE.expect("the header has a fixed length");
        let behind_header = |offset: i64| u64::try_from(offset).is_ok_and(|offset| offset >= header_end);
        if !behind_header(header.tail_offset) {
            let finding = self.header_field(&rules::TAIL_OFFSET, "tail_offset", "the tail is inside the header");
            self.findings.push(finding.expected(format!("{header_end} or more")).found(header.tail_offset));
            return Ok(None);
        }
        let wrong_columns = |this: &mut Self| {
            let message = "the table of columns has to be after the header, inside the file";
            let finding = this.header_field(&rules::COLUMNS_OFFSET, "columns_offset", message);
            let expected = format!("{header_end} to {}", this.input.length().saturating_sub(1));
            this.findings.push(finding.expected(expected).found(header.columns_offset));
        };
        if header.column_count > 0 && !behind_header(header.columns_offset) {
            wrong_columns(self);
            return Ok(None);
        }
        if !self.tail(header.tail_offset as u64)? || header.row_count < 0 || header.column_count < 0 {
            return Ok(None);
        }
        if header.column_count > 0 && header.columns_offset as u64 >= self.input.length() {
            wrong_columns(self);
            return Ok(None);
        }
        Ok(Some(header))
    }

    /// The header, if the file begins with one.
    fn readable_header(&mut self) -> Result<Option<Header>> {
        match self.input.parse(|source| read::<Header>(source, Endian::Little, ()))? {
            Ok(header) => Ok(Some(header)),
            Err(error) => {
                let finding = match &error.problem {
                    Problem::WrongMagic { expected, found } => {
                        let finding =
                            Finding::unreadable(&rules::BAD_MAGIC, &error, "the file does not begin like IDV");
                        finding.expected(hex(expected)).found(hex(found))
                    }
                    problem => {
                        let message = format!("the header cannot be read: {problem}");
                        Finding::unreadable(&rules::TRUNCATED_HEADER, &error, message)
                    }
                };
                self.findings.push(finding.within("header"));
                Ok(None)
            }
        }
    }

    /// Checks the numbers of rows and columns, and the bytes that must be zero.
    fn judge_counts(&mut self, header: &Header) {
        for (field, negative) in [("row_count", header.row_count < 0), ("column_count", header.column_count < 0)] {
            if negative {
                let finding =
                    self.header_field(&rules::NEGATIVE_COUNT, field, "a number of rows or columns is negative");
                self.findings.push(finding);
            }
        }
        if !header.reserved.are_zero() {
            let message = "unused bytes of the header are not zero";
            let finding = self.header_field(&rules::RESERVED_BYTES, "reserved", message);
            self.findings.push(finding);
        }
    }

    fn judge_version(&mut self, header: &Header) {
        let (version, compatible) = (header.version, header.compatible_version);
        let (rule, field) = if compatible > version || compatible > Version::V6 {
            (&rules::INCOMPATIBLE_VERSION, "compatible_version")
        } else if !compatible.has_annotations() || !version.has_annotations() {
            (&rules::OLD_VERSION, "compatible_version")
        } else if version > Version::V6 {
            (&rules::NEW_VERSION, "version")
        } else {
            return;
        };
        let message =
            format!("the file has version {version}, and declares that readers of version {compatible} can read it");
        let finding = self.header_field(rule, field, message);
        self.findings.push(finding);
    }

    /// Returns whether the tail is at its declared position.
    fn tail(&mut self, offset: u64) -> Result<bool> {
        match self.input.parse_at(offset, |source| read::<Tail>(source, Endian::Little, ()))? {
            Ok(_) => Ok(true),
            Err(error) => {
                let length = self.input.length();
                let finding = match &error.problem {
                    Problem::WrongMagic { expected, found } => {
                        let message = "the file does not have a tail at its declared end";
                        let finding = Finding::unreadable(&rules::BAD_TAIL, &error, message).within("tail");
                        finding.expected(hex(expected)).found(hex(found))
                    }
                    _ => {
                        let end = offset.saturating_add(Tail::MIN_SIZE);
                        let message = "the file ends before its tail";
                        let finding = self.header_field(&rules::TRUNCATED, "tail_offset", message);
                        let help = format!("{} are missing at the end", bytes(end.saturating_sub(length)));
                        finding.expected(format!("a file of {end} bytes")).found(format!("{length} bytes")).help(help)
                    }
                };
                self.findings.push(finding);
                Ok(false)
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
