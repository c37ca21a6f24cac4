//! `ndbytes-engine scheduler`.

use super::arguments::{StoreOptions, host_port, resolve};
use super::lifetime::until_told;
use crate::cluster::Scheduler;
use datafusion::common::Result;

/// Shares the queries of a cluster out to its executors. Anybody who reaches the port can have files read.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The address to listen at.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050", value_parser = host_port)]
    listen: (String, u16),
    /// The name by which executors and clients reach this machine; by default the host of `--listen`.
    #[arg(long, value_name = "HOST")]
    name: Option<String>,
    /// The seconds after which a silent executor is abandoned: more than those between its signs of life.
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    patience: u64,
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
        let name = self.name.unwrap_or(self.listen.0);
        until_told(Scheduler { listen, name, patience: self.patience }.run(), self.with_input).await
    }
}
