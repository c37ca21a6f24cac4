//! The arguments of `ndbytes convert`.

use super::tables::Tables;
use crate::values::list::Listed;
use crate::values::tolerate::Tolerate;
use ndbytes_convert::{FileKind, Sheet, ZarrCodec};
use std::path::{Path, PathBuf};

/// Convert arrays and tables between file formats.
///
/// Arrays: IDX, RawArray, b2nd, .npy, .npz, .safetensors, GGUF, Zarr and PNG. Tables: IDV, Parquet, Arrow files and streams,
/// CSV and JSON Lines.
///
/// Type, shape and values are preserved. If the target cannot hold something, the error names it and nothing is
/// written. Several arrays are concatenated along their first axis, or become members of a .npz, .safetensors or .gguf
/// file, or of a Zarr group. The rows of several tables are concatenated. With `--out-dir`, each file is converted
/// separately.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub tolerate: Tolerate,
    /// The files to convert, followed by the file to write; `-` is standard input or output.
    ///
    /// The extension of the output file selects its type. A directory of PNG files is read as one array. A path may end
    /// with a slice in NumPy's syntax: `x.b2nd[6:12, :]`, or `t.idv[10:20]` for rows. To select one of several arrays,
    /// use its address: `model.safetensors!weight`, or `store.zarr!group/array`.
    #[arg(help_heading = None::<&str>, required_unless_present_all = ["files_from", "out_dir"], value_name = "IN OUT")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub listed: Listed,
    /// Convert each file or directory separately, and write the results to this directory. `--to` selects the type. If
    /// one fails, the others are still converted.
    #[arg(long, value_name = "DIRECTORY", requires = "to", help_heading = "Output")]
    pub out_dir: Option<PathBuf>,
    /// The file type to write, if not the one the extension implies.
    ///
    /// Arrays: idx, idx.gz, ra, b2nd, npy, npz, safetensors, gguf, zarr (a directory), zarr.zip or png. Tables: idv, parquet,
    /// arrow (a file; on standard output, a stream), arrows (a stream), csv or jsonl.
    #[arg(long, value_name = "KIND", help_heading = "Output")]
    pub to: Option<FileKind>,
    /// The type of standard input: csv or jsonl. Other types are detected from the content.
    #[arg(long, value_name = "KIND", value_parser = lines, help_heading = "Which files")]
    pub from: Option<FileKind>,
    /// If the target does not support a type, change it to one that can hold the values, and replace unpaired
    /// surrogates. Both changes are reported.
    #[arg(long, help_heading = "What the target cannot hold")]
    pub lossy: bool,
    /// Fail if the target cannot hold metadata: annotations, attributes, metalayers, slot names or hidden columns. By
    /// default, such metadata is dropped, with a message on standard error.
    #[arg(long, help_heading = "What the target cannot hold")]
    pub strict: bool,
    /// Compress the members of a .npz file with deflate.
    #[arg(long, help_heading = "Output")]
    pub compress: bool,
    /// The codec for Zarr chunks: zstd, gzip, blosc (shuffle and zstd) or none.
    #[arg(long, value_name = "CODEC", default_value = "zstd", help_heading = "Output")]
    pub codec: ZarrCodec,
    /// Arrange the first items in a grid in one PNG file, e.g. 4x10.
    #[arg(long, value_name = "ROWSxCOLUMNS", help_heading = "Output")]
    pub sheet: Option<Sheet>,
    #[command(flatten)]
    pub tables: Tables,
    /// Overwrite an existing file in a known format, or write binary output to a terminal.
    #[arg(long, help_heading = "Output")]
    pub force: bool,
}

impl Arguments {
    /// Returns the files to convert, and the file to write, or `None` if each file is converted separately.
    ///
    /// # Errors
    /// A message if no output file was named.
    pub fn inputs(&self) -> Result<(&[PathBuf], Option<&Path>), &'static str> {
        match (&self.out_dir, self.paths.split_last()) {
            (Some(_), _) => Ok((&self.paths, None)),
            (None, Some((out, inputs))) if !inputs.is_empty() || self.listed.files_from.is_some() => {
                Ok((inputs, Some(out)))
            }
            (None, _) => Err("no output file is named: `ndbytes convert IN OUT`, or `--out-dir DIRECTORY`"),
        }
    }
}

/// Parses the value of `--from`.
fn lines(name: &str) -> Result<FileKind, String> {
    let kind = name.parse().ok().filter(|kind: &FileKind| kind.is_lines());
    kind.ok_or_else(|| "only csv and jsonl can be named: all other types are detected by content".into())
}
