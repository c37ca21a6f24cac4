//! `ndbytes-engine executor`.

use super::arguments::{StoreOptions, bytes, host_port, resolve};
use super::lifetime::until_told;
use crate::cluster::Executor;
use datafusion::common::{DataFusionError, Result};
use std::path::PathBuf;

/// Execute the queries that a scheduler distributes. Paths must refer to the same files on both machines.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The address of the scheduler.
    #[arg(value_name = "HOST:PORT", value_parser = host_port)]
    scheduler: (String, u16),
    /// The address on which to serve results.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50051", value_parser = host_port)]
    listen: (String, u16),
    /// The port that the scheduler connects to; by default, the one after the port in `--listen`.
    #[arg(long, value_name = "PORT")]
    grpc_port: Option<u16>,
    /// The name by which the other processes reach this machine; by default, the host in `--listen`.
    #[arg(long, value_name = "HOST")]
    name: Option<String>,
    /// Maximum number of concurrent tasks; by default, the number of cores.
    #[arg(long, value_name = "N", default_value_t = 0)]
    tasks: usize,
    /// The directory for intermediate results; by default, a new one, which is removed at the end.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Memory for joins, sorts and grouping, such as 8G; by default, 70 % of the machine's memory.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Seconds between heartbeats to the scheduler.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    heartbeat: u64,
    #[command(flatten)]
    stores: StoreOptions,
    /// Exit when standard input ends.
    #[arg(long)]
    with_input: bool,
}

impl Arguments {
    pub async fn run(self) -> Result<()> {
        self.stores.apply()?;
        let listen = resolve(&self.listen)?;
        let Some(grpc_port) = self.grpc_port.or(listen.port().checked_add(1)) else {
            return Err(DataFusionError::Configuration("there is no port after 65535: add `--grpc-port`".into()));
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
