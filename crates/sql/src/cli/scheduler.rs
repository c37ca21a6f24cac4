//! `ndbytes-engine scheduler`.

use super::arguments::{StoreOptions, host_port, resolve};
use super::lifetime::until_told;
use crate::cluster::Scheduler;
use datafusion::common::Result;

/// Distribute queries to the executors of a cluster. Anyone who can reach the port can read files through it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The address to listen on.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_port)]
    listen: (String, u16),
    /// The name by which executors and clients reach this machine; by default, the host in `--listen`.
    #[arg(long, value_name = "HOST")]
    name: Option<String>,
    /// Seconds of silence after which an executor is abandoned; must be longer than the interval between its heartbeats.
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    patience: u64,
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
        let name = self.name.unwrap_or(self.listen.0);
        until_told(Scheduler { listen, name, patience: self.patience }.run(), self.with_input).await
    }
}
