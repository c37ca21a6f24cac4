//! `ndbytes-engine sql`.

#[cfg(feature = "cluster")]
use super::arguments::host_port;
use super::arguments::{StoreOptions, bytes};
use crate::functions::{Settings, register};
use crate::show::{self, Format};
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::execution::context::SQLOptions;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionConfig, SessionContext};
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

/// Answer SQL queries.
///
/// idv('FILES', keys => 'raw', on_error => 'skip', ...) returns the rows of IDV tables, and array('FILES') the items of arrays.
/// array('FILES', 'rows') returns a row for each index of the first axis, and findings('FILES') a row for each finding. FILES may
/// be a directory or a pattern. ndbytes_check(path) returns a list of the findings in a file. Nothing is written except the answer.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Queries to run in order; only the answer to the last one is shown.
    #[arg(required = true, value_name = "SQL")]
    queries: Vec<String>,
    /// Use a CSV, Parquet or JSON Lines file as a table; the extension determines the format.
    #[arg(long = "table", value_name = "NAME=PATH")]
    tables: Vec<String>,
    /// The format of the answer.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    format: Format,
    /// Maximum number of rows in a text table; further rows are not computed. `0` means no limit.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rows: usize,
    /// Maximum memory per file beyond the file's own length, e.g. 512M.
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    max_memory: u64,
    /// Memory for all joins, sorts and grouping together; anything beyond that is spilled to disk.
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = bytes)]
    memory: u64,
    /// Number of partitions to split a table into; by default, the number of cores.
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
    #[command(flatten)]
    stores: StoreOptions,
    /// Send the queries to this scheduler, whose executors answer them.
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOST:PORT", value_parser = host_port)]
    scheduler: Option<(String, u16)>,
}

impl Arguments {
    pub async fn run(self) -> Result<()> {
        if self.partitions == Some(0) {
            return plan_err!("a table must be split into at least one part");
        }
        let settings = Settings::default().memory(self.max_memory);
        self.stores.apply()?;
        let context = self.context(&settings).await?;
        for table in &self.tables {
            add_table(&context, table).await?;
        }
        let Some((last, others)) = self.queries.split_last() else { return Ok(()) };
        // COPY and INSERT would write files.
        let options = SQLOptions::new().with_allow_dml(false);
        for query in others {
            context.sql_with_options(query, options).await?.collect().await?;
        }
        let answer = context.sql_with_options(last, options).await?;
        let mut out = BufWriter::new(io::stdout());
        show::show(answer, self.format, self.rows, &mut out).await
    }

    #[cfg(feature = "cluster")]
    async fn context(&self, settings: &Settings) -> Result<SessionContext> {
        match &self.scheduler {
            Some((host, port)) => crate::cluster::connect(&format!("{host}:{port}"), self.partitions, settings).await,
            None => self.local(settings),
        }
    }

    #[cfg(not(feature = "cluster"))]
    async fn context(&self, settings: &Settings) -> Result<SessionContext> {
        self.local(settings)
    }

    fn local(&self, settings: &Settings) -> Result<SessionContext> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(memory))).build_arc()?;
        let config = match self.partitions {
            Some(partitions) => SessionConfig::new().with_target_partitions(partitions),
            None => SessionConfig::new(),
        };
        let context = SessionContext::new_with_config_rt(config, runtime);
        register(&context, settings);
        Ok(context)
    }
}

/// Adds a file as a table.
async fn add_table(context: &SessionContext, table: &str) -> Result<()> {
    let Some((name, path)) = table.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty()) else {
        return plan_err!("expected NAME=PATH for a table, not {table:?}");
    };
    if !Path::new(path).exists() {
        return Err(DataFusionError::IoError(io::Error::new(io::ErrorKind::NotFound, format!("{path}: no such file"))));
    }
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "csv" => context.register_csv(name, path, CsvReadOptions::new().file_extension(extension)).await,
        "parquet" => {
            let options = ParquetReadOptions { file_extension: extension, ..ParquetReadOptions::default() };
            context.register_parquet(name, path, options).await
        }
        "json" | "jsonl" | "ndjson" => {
            context.register_json(name, path, JsonReadOptions::default().file_extension(extension)).await
        }
        _ => plan_err!("{path} is not a table: expected .csv, .parquet, .json, .jsonl or .ndjson"),
    }
}
