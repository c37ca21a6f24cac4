//! The options of tables.

use ndbytes_convert::{Keys, Layout, NullPolicy, Sparse, TableOptions, Times, Zones};
use std::str::FromStr;

/// How tables are converted.
#[derive(Debug, clap::Args)]
pub struct Tables {
    /// Convert these columns of a table, in this order.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// The unit of IDV times, which count 100 ns: us, us-floor (rounded down), ns, ticks or auto. With auto, us if all
    /// times are whole microseconds, else ns.
    #[arg(long, value_name = "UNIT", default_value = "auto")]
    times: Unit,
    /// Representation of IDV keys: a dictionary of categories, their values (text), or their numbers (raw).
    #[arg(long, value_name = "HOW", default_value = "dictionary")]
    keys: Keys,
    /// Representation of IDV vectors: lists of all items (dense), or of those that are stored, with their indices (struct).
    #[arg(long, value_name = "HOW", default_value = "dense")]
    sparse: Sparse,
    /// Replacement of nulls in IDV, which does not have them: an error, nan in floating-point numbers, or the default
    /// of their type.
    #[arg(long, value_name = "HOW", default_value = "error")]
    nulls: NullPolicy,
    /// Representation of times with a zone in IDV: by the clock of the zone (offset), or by a clock of UTC (utc).
    #[arg(long, value_name = "HOW", default_value = "offset")]
    tz: Zones,
    /// The columns that arrays become in a table. With tensors, they are numbers and tensors, with the names of the arrays. With
    /// huggingface, they are images as PNG and their labels.
    #[arg(long, value_name = "HOW", default_value = "tensors")]
    layout: Layout,
}

impl Tables {
    /// The options of the crate.
    pub fn options(&self) -> TableOptions {
        TableOptions::new()
            .times(self.times.0)
            .keys(self.keys)
            .sparse(self.sparse)
            .nulls(self.nulls)
            .layout(self.layout)
            .zones(self.tz)
    }
}

/// The unit of times, or `None` if the times choose it.
#[derive(Debug, Clone, Copy)]
struct Unit(Option<Times>);

impl FromStr for Unit {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Unit(None)),
            name => name.parse().map(|times| Unit(Some(times))).map_err(|words: String| format!("{words}, auto")),
        }
    }
}
