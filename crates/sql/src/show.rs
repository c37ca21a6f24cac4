//! Answers as text tables, CSV, JSON Lines, Arrow streams and Parquet.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv::WriterBuilder;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::ipc::writer::StreamWriter;
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::common::{DataFusionError, Result};
use datafusion::dataframe::DataFrame;
use datafusion::logical_expr::LogicalPlan;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;
use futures::StreamExt;
use ndbytes::everybyte::escape::push_letter;
use std::io::Write;

/// The format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// A human-readable text table.
    #[default]
    Table,
    /// CSV with a header.
    Csv,
    /// One JSON object per line.
    Json,
    /// An Arrow IPC stream.
    Arrow,
    /// A Parquet file.
    Parquet,
}

/// The maximum number of characters in a cell of a text table.
const WIDEST: usize = 120;

/// The number of bytes after which a Parquet row group ends.
const MOST_HELD: usize = 64 << 20;

/// The number of rows of a text table that are kept to find the widths of its columns.
const KEPT: usize = 10_000;

/// Escapes characters that are invisible or control a terminal.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    text.chars().for_each(|letter| push_letter(&mut shown, letter));
    shown
}

/// Writes the answer to a query. A text table has at most `most` rows; 0 means no limit.
pub async fn show(answer: DataFrame, format: Format, most: usize, out: &mut impl Write) -> Result<()> {
    // One additional row shows whether there are more.
    let is_cut = format == Format::Table && most > 0;
    // A plan or a description is always shown completely, and is short.
    let is_plan = matches!(answer.logical_plan(), LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
    let is_query = !is_plan && !matches!(answer.logical_plan(), LogicalPlan::DescribeTable(_) | LogicalPlan::Ddl(_));
    let answer = if is_cut && is_query { answer.limit(0, Some(most.saturating_add(1)))? } else { answer };
    let mut batches = answer.execute_stream().await?;
    let schema = batches.schema();
    let mut writer = match format {
        Format::Table if is_plan => Writer::Plan,
        Format::Table => Writer::Table(Table::new(schema, if is_cut { most } else { usize::MAX })),
        Format::Csv => Writer::Csv { schema, has_header: true },
        Format::Json => Writer::Json,
        Format::Arrow => Writer::Arrow(Box::new(StreamWriter::try_new(Vec::new(), &schema)?)),
        Format::Parquet => {
            let codec = Compression::ZSTD(ZstdLevel::default());
            let properties = WriterProperties::builder().set_compression(codec).build();
            Writer::Parquet(Box::new(ArrowWriter::try_new(Vec::new(), schema, Some(properties))?))
        }
    };
    while let Some(batch) = batches.next().await {
        writer.write(&batch?, out)?;
    }
    writer.finish(out)?;
    out.flush().map_err(DataFusionError::IoError)
}

/// Passes on the bytes that a writer has produced so far.
fn hand_on(made: &mut Vec<u8>, out: &mut impl Write) -> Result<()> {
    out.write_all(made).map_err(DataFusionError::IoError)?;
    made.clear();
    Ok(())
}

enum Writer {
    Table(Table),
    Csv {
        schema: SchemaRef,
        has_header: bool,
    },
    Json,
    Arrow(Box<StreamWriter<Vec<u8>>>),
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    /// A plan, which is a text of many lines.
    Plan,
}

impl Writer {
    fn write(&mut self, batch: &RecordBatch, out: &mut impl Write) -> Result<()> {
        match self {
            Writer::Table(table) => table.add(batch, out)?,
            Writer::Plan => plan(batch, out)?,
            Writer::Csv { schema: _, has_header } => {
                WriterBuilder::new().with_header(std::mem::take(has_header)).build(&mut *out).write(batch)?;
            }
            Writer::Json => LineDelimitedWriter::new(&mut *out).write(batch)?,
            Writer::Arrow(stream) => {
                stream.write(batch)?;
                hand_on(stream.get_mut(), out)?;
            }
            Writer::Parquet(file) => {
                file.write(batch)?;
                if file.in_progress_size() > MOST_HELD {
                    file.flush()?;
                }
                hand_on(file.inner_mut(), out)?;
            }
        }
        Ok(())
    }

    fn finish(self, out: &mut impl Write) -> Result<()> {
        match self {
            Writer::Table(table) => table.finish(out)?,
            // Write only the header.
            Writer::Csv { schema, has_header: true } => {
                WriterBuilder::new().with_header(true).build(&mut *out).write(&RecordBatch::new_empty(schema))?;
            }
            Writer::Csv { .. } | Writer::Json | Writer::Plan => {}
            Writer::Arrow(mut stream) => {
                stream.finish()?;
                hand_on(stream.get_mut(), out)?;
            }
            Writer::Parquet(file) => out.write_all(&file.into_inner()?).map_err(DataFusionError::IoError)?,
        }
        Ok(())
    }
}

/// Writes plans, each with its name and its lines.
fn plan(batch: &RecordBatch, out: &mut impl Write) -> Result<()> {
    let options = FormatOptions::default();
    let formatters = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let formatters = formatters.collect::<std::result::Result<Vec<_>, _>>()?;
    let Some((text, names)) = formatters.split_last() else { return Ok(()) };
    for row in 0..batch.num_rows() {
        let mut lines: Vec<_> = names.iter().map(|name| shown(&name.value(row).to_string())).collect();
        lines.extend(text.value(row).to_string().lines().map(|line| format!("    {}", shown(line))));
        lines.iter().try_for_each(|line| writeln!(out, "{line}")).map_err(DataFusionError::IoError)?;
    }
    Ok(())
}

/// A text table. The first rows determine the widths of its columns.
struct Table {
    /// The rows kept so far; the first one contains the names.
    kept: Vec<Vec<String>>,
    widths: Vec<usize>,
    is_begun: bool,
    left: usize,
    is_cut: bool,
}

impl Table {
    fn new(schema: SchemaRef, most: usize) -> Self {
        let names: Vec<_> = schema.fields().iter().map(|field| cell(field.name())).collect();
        let widths = names.iter().map(|name| name.chars().count()).collect();
        Table { kept: vec![names], widths, is_begun: false, left: most, is_cut: false }
    }

    fn add(&mut self, batch: &RecordBatch, out: &mut impl Write) -> Result<()> {
        let options = FormatOptions::default();
        let formatters = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let formatters = formatters.collect::<std::result::Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            if self.left == 0 {
                self.is_cut = true;
                return Ok(());
            }
            self.left -= 1;
            let cells: Vec<_> = formatters.iter().map(|column| cell(&column.value(row).to_string())).collect();
            if !self.is_begun {
                for (width, cell) in self.widths.iter_mut().zip(&cells) {
                    *width = (*width).max(cell.chars().count());
                }
            }
            self.kept.push(cells);
            if self.kept.len() > KEPT || self.is_begun {
                self.print(out)?;
            }
        }
        Ok(())
    }

    fn print(&mut self, out: &mut impl Write) -> Result<()> {
        for cells in self.kept.drain(..) {
            line(&cells, &self.widths, out)?;
            if !std::mem::replace(&mut self.is_begun, true) {
                let rules: Vec<_> = self.widths.iter().map(|&width| "-".repeat(width)).collect();
                line(&rules, &self.widths, out)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, out: &mut impl Write) -> Result<()> {
        self.print(out)?;
        if self.is_cut {
            writeln!(out, "(further rows are not shown: `--rows 0` shows all)").map_err(DataFusionError::IoError)?;
        }
        Ok(())
    }
}

fn line(cells: &[String], widths: &[usize], out: &mut impl Write) -> Result<()> {
    let mut line = String::new();
    for (cell, &width) in cells.iter().zip(widths) {
        line.push_str(if line.is_empty() { "" } else { "  " });
        line.push_str(cell);
        line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
    }
    writeln!(out, "{}", line.trim_end()).map_err(DataFusionError::IoError)
}

/// Returns the text of a cell, shortened and escaped.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    let mut letters = text.chars();
    letters.by_ref().take(WIDEST).for_each(|letter| push_letter(&mut cell, letter));
    if letters.next().is_some() {
        cell.push('…');
    }
    cell
}
