//! `ndbytes-engine executor`.

use super::arguments::{StoreOptions, bytes, host_port, resolve};
use super::lifetime::until_told;
use crate::cluster::Executor;
use datafusion::common::{DataFusionError, Result};
use std::path::PathBuf;

/// Works on the queries that a scheduler shares out. Its paths mean the same files as the scheduler's.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The scheduler.
    #[arg(value_name = "HOST:PORT", value_parser = host_port)]
    scheduler: (String, u16),
    /// The address to listen at, for results.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50051", value_parser = host_port)]
    listen: (String, u16),
    /// The port for the scheduler; by default the one after that of `--listen`.
    #[arg(long, value_name = "PORT")]
    grpc_port: Option<u16>,
    /// The name by which the other processes reach this machine; by default the host of `--listen`.
    #[arg(long, value_name = "HOST")]
    name: Option<String>,
    /// Tasks at a time; by default the number of cores.
    #[arg(long, value_name = "N", default_value_t = 0)]
    tasks: usize,
    /// The folder for results between two stages; by default a new one, which is removed at the end.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// The memory of joins, sorts and groups, such as 8G; by default 70 % of the machine's.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// The seconds between two signs of life.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    heartbeat: u64,
    #[command(flatten)]
    stores: StoreOptions,
    /// Ends when standard input ends.
    #[arg(long)]
    with_input: bool,
}

impl Arguments {
    pub async fn run(self) -> Result<()> {
        self.stores.apply()?;
        let listen = resolve(&self.listen)?;
        let Some(grpc_port) = self.grpc_port.or(listen.port().checked_add(1)) else {
            return Err(DataFusionError::Configuration("no port comes after 65535: give `--grpc-port`".into()));
        };
        let own = match &self.folder {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(DataFusionError::IoError)?),
        };
        let folder = self.folder.or_else(|| own.as_ref().map(|own| own.path().to_owned())).unwrap_or_default();
        let executor = Executor {
            scheduler: self.scheduler,
            listen: listen.ip(),
            name: self.name.unwrap_or(self.listen.0),
            port: listen.port(),
            grpc_port,
            tasks: self.tasks,
            folder,
            memory: self.memory,
            heartbeat: self.heartbeat,
        };
        until_told(executor.run(), self.with_input).await
    }
}
