//! Many files: their findings.

use super::Send;
use crate::exec::Scan;
use crate::pieces::Piece;
use crate::source::Kind;
use datafusion::arrow::array::{ArrayRef, RecordBatch, StringBuilder, UInt32Builder, UInt64Builder};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{Result, not_impl_err};
use ndbytes::{Checker, Limits, Report, Severity};
use std::sync::Arc;

/// Files that are read before their rows are handed on.
const AT_ONCE: usize = 128;

/// Sends the rows of whole files.
pub fn read(scan: &Scan, pieces: &[Piece], send: Send<'_>) -> Result<bool> {
    let Kind::Findings(depth) = scan.source.kind else { return not_impl_err!("the table {}()", scan.source.kind) };
    for pieces in pieces.chunks(AT_ONCE) {
        let paths: Vec<_> = pieces.iter().map(|piece| piece.path.as_str()).collect();
        let batch = findings(&paths, depth.into(), scan.source.limits())?;
        let batch = match &scan.projection {
            Some(columns) => batch.project(columns)?,
            None => batch,
        };
        if batch.num_rows() > 0 && !send(batch) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The columns of a table of findings.
pub fn findings_schema() -> SchemaRef {
    let text = |name: &str, optional| Field::new(name, DataType::Utf8, optional);
    Arc::new(Schema::new(vec![
        text("path", false),
        text("format", true),
        text("rule", false),
        text("severity", false),
        text("field", false),
        Field::new("space", DataType::UInt32, false),
        Field::new("offset", DataType::UInt64, false),
        Field::new("length", DataType::UInt64, false),
        text("message", false),
        text("expected", true),
        text("found", true),
        text("help", true),
        text("reference", false),
    ]))
}

/// The findings of files. A file that cannot be read is a row too.
pub fn findings(paths: &[&str], depth: ndbytes::Depth, limits: Limits) -> Result<RecordBatch> {
    let checker = Checker::new().depth(depth).limits(limits);
    let mut texts: Vec<StringBuilder> = (0..10).map(|_| StringBuilder::new()).collect();
    let (mut space, mut offset, mut length) = (UInt32Builder::new(), UInt64Builder::new(), UInt64Builder::new());
    for &path in paths {
        let mut row = |values: [Option<&str>; 9], place: (u32, u64, u64)| {
            let values = [Some(path)].into_iter().chain(values);
            texts.iter_mut().zip(values).for_each(|(text, value)| text.append_option(value));
            space.append_value(place.0);
            offset.append_value(place.1);
            length.append_value(place.2);
        };
        let report = crate::stores::open(path, limits).and_then(|input| checker.check_input(input));
        match &report {
            Ok(report) => add(report, &mut row),
            Err(error) => {
                let message = error.to_string();
                let values = [
                    None,
                    Some("unreadable"),
                    Some("error"),
                    Some(""),
                    Some(&*message),
                    None,
                    None,
                    None,
                    Some("refuses"),
                ];
                row(values, (0, 0, 0));
            }
        }
    }
    let mut texts = texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef);
    let mut columns: Vec<ArrayRef> = texts.by_ref().take(5).collect();
    columns.extend([Arc::new(space.finish()) as ArrayRef, Arc::new(offset.finish()), Arc::new(length.finish())]);
    columns.extend(texts);
    Ok(RecordBatch::try_new(findings_schema(), columns)?)
}

fn add(report: &Report, row: &mut impl FnMut([Option<&str>; 9], (u32, u64, u64))) {
    let format = report.format.map(|format| format.to_string());
    for finding in report.findings() {
        let severity = if finding.severity == Severity::Error { "error" } else { "warning" };
        let reference = format!("{:?}", finding.reference).to_lowercase();
        let values = [
            format.as_deref(),
            Some(finding.rule.id),
            Some(severity),
            Some(&*finding.field),
            Some(&*finding.message),
            finding.expected.as_deref(),
            finding.found.as_deref(),
            finding.help.as_deref(),
            Some(&*reference),
        ];
        row(values, (finding.space, finding.offset, finding.length));
    }
}
