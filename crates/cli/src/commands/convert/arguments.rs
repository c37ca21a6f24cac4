//! The arguments of `ndbytes convert`.

use super::tables::Tables;
use crate::values::list::Listed;
use crate::values::tolerate::Tolerate;
use ndbytes_convert::{FileKind, Sheet, ZarrCodec};
use std::path::{Path, PathBuf};

/// Convert arrays: from and to IDX, RawArray, b2nd, .npy, .npz, .safetensors, Zarr and PNG. Convert tables: from and to
/// IDV, Parquet, Arrow files, Arrow streams, CSV and JSON Lines. Several arrays become one along their first axis, or
/// entries of .npz, .safetensors and groups of Zarr; several tables become one, row after row. Type, shape and values are preserved;
/// anything that the target cannot hold is refused, and the error names it. With `--out-dir`, each file is converted by itself.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub tolerate: Tolerate,
    /// The files, or folders of PNG files; `-` is standard input. A path may end with a slice in NumPy's syntax:
    /// `x.b2nd[6:12, :]`; that of a table chooses rows. An array of several has an address: `model.safetensors!weight`, `store.zarr!group/array`.
    /// The last path is the file to write, whose extension selects its type; `-` is standard output.
    #[arg(required_unless_present_all = ["files_from", "out_dir"], value_name = "IN OUT")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub listed: Listed,
    /// Convert each file by itself into this folder; `--to` selects the type. All paths are files or folders to convert then. One that
    /// cannot be converted stops no other.
    #[arg(long, value_name = "FOLDER", requires = "to")]
    pub out_dir: Option<PathBuf>,
    /// The file type to write: idx, idx.gz, ra, b2nd, npy, npz, safetensors, zarr (a folder), zarr.zip or png. For a table: idv, parquet, arrow (a
    /// file; to standard output, a stream), arrows (a stream), csv or jsonl.
    #[arg(long, value_name = "KIND")]
    pub to: Option<FileKind>,
    /// The type of the input files: csv or jsonl. Required for standard input only; the extension selects it for files,
    /// and all other types are detected by content.
    #[arg(long, value_name = "KIND", value_parser = lines)]
    pub from: Option<FileKind>,
    /// Drop what the target cannot hold, and report it: types whose values fit another type, unpaired surrogates.
    #[arg(long)]
    pub lossy: bool,
    /// Fail if the target cannot hold metadata: annotations, attributes, metalayers, slot names, hidden columns. By
    /// default, such metadata are dropped, and reported in one line on standard error.
    #[arg(long)]
    pub strict: bool,
    /// Compress the entries of .npz with deflate.
    #[arg(long)]
    pub compress: bool,
    /// The codec of the chunks of Zarr: zstd, gzip, blosc (shuffled, with zstd) or none.
    #[arg(long, value_name = "CODEC", default_value = "zstd")]
    pub codec: ZarrCodec,
    /// Make a PNG of the first items, arranged in ROWSxCOLUMNS, e.g. 4x10.
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub sheet: Option<Sheet>,
    #[command(flatten)]
    pub tables: Tables,
    /// Replace a file of a format that ndbytes knows, or print to a terminal.
    #[arg(long)]
    pub force: bool,
}

impl Arguments {
    /// The files to convert, and the file to write, which is `None` if each file is converted by itself.
    ///
    /// # Errors
    /// A sentence if there is no file to write.
    pub fn inputs(&self) -> Result<(&[PathBuf], Option<&Path>), &'static str> {
        match (&self.out_dir, self.paths.split_last()) {
            (Some(_), _) => Ok((&self.paths, None)),
            (None, Some((out, inputs))) if !inputs.is_empty() || self.listed.files_from.is_some() => {
                Ok((inputs, Some(out)))
            }
            (None, _) => Err("the file to write is missing: `ndbytes convert IN OUT`, or `--out-dir` names a folder"),
        }
    }
}

/// The kind of lines that an input is said to have.
fn lines(name: &str) -> Result<FileKind, String> {
    let kind = name.parse().ok().filter(|kind: &FileKind| kind.is_lines());
    kind.ok_or_else(|| "only csv and jsonl can be named: all other types are detected by content".into())
}
