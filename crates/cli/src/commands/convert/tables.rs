//! The options for tables.

use ndbytes_convert::{Keys, Layout, NullPolicy, Sparse, TableOptions, Times, Zones};
use std::str::FromStr;

/// How tables are converted.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Tables")]
pub struct Tables {
    /// Convert only these columns, in this order, e.g. A,B,C.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// The unit in which to write IDV times, which are stored in ticks of 100 ns: us, us-floor (rounded down), ns,
    /// ticks, or auto (us if all times are whole microseconds, else ns if all are in range, else ticks).
    #[arg(long, value_name = "UNIT", default_value = "auto")]
    times: Unit,
    /// What IDV keys become: categories (dictionary), the values of the categories (text), or numbers (raw).
    #[arg(long, value_name = "HOW", default_value = "dictionary")]
    keys: Keys,
    /// What sparse IDV vectors become: lists of all slots (dense), or only the stored slots, with their indices (struct).
    #[arg(long, value_name = "HOW", default_value = "dense")]
    sparse: Sparse,
    /// What nulls become in IDV, which does not support them: an error (error), NaN in floating-point columns (nan), or
    /// the default value of the type (default).
    #[arg(long, value_name = "HOW", default_value = "error")]
    nulls: NullPolicy,
    /// What times with a time zone become in IDV: local times with an offset (offset), or UTC times (utc).
    #[arg(long, value_name = "HOW", default_value = "offset")]
    tz: Zones,
    /// What arrays become in a table: columns of numbers or tensors, named after the arrays (tensors), or PNG images
    /// with their labels (huggingface).
    #[arg(long, value_name = "HOW", default_value = "tensors")]
    layout: Layout,
}

impl Tables {
    /// Returns the options for the conversion library.
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

/// The unit of times; `None` if it depends on the times.
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
