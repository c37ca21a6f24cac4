//! Arguments of several commands.

use crate::stores;
use crate::told::told;
use datafusion::common::Result;

/// Options for object stores.
#[derive(Debug, clap::Args)]
pub struct StoreOptions {
    /// Set an object store option, such as aws_region=eu-west-1. It overrides the environment variable of the same
    /// name, which is a better place for keys and tokens. May be repeated.
    #[arg(long = "store-option", value_name = "KEY=VALUE")]
    options: Vec<String>,
}

impl StoreOptions {
    /// Sets the options for this process.
    pub fn apply(&self) -> Result<()> {
        let mut options = stores::Options::new();
        for option in &self.options {
            let Some((key, value)) = option.split_once('=') else {
                return datafusion::common::plan_err!("expected KEY=VALUE for an option of stores, not {option:?}");
            };
            options.set(key, value).map_err(|error| told(error.to_string()))?;
        }
        stores::serve();
        stores::set(options);
        Ok(())
    }
}

/// Parses a number of bytes, such as 512M.
pub fn bytes(text: &str) -> std::result::Result<u64, String> {
    let unexpected = || "expected a number of bytes, such as 1048576, 64M or 2G".to_owned();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(unexpected()),
    };
    let number: u64 = text[..digits].parse().map_err(|_| unexpected())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too many bytes".into())
}

/// Parses a host and a port.
#[cfg(feature = "cluster")]
pub fn host_port(text: &str) -> std::result::Result<(String, u16), String> {
    let parts = text.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.filter(|(host, _)| !host.is_empty()).ok_or_else(|| "expected HOST:PORT, such as localhost:50050".into())
}

/// Returns the address of a host and a port.
#[cfg(feature = "cluster")]
pub fn resolve((host, port): &(String, u16)) -> Result<std::net::SocketAddr> {
    use datafusion::common::DataFusionError;
    use std::net::ToSocketAddrs;
    let mut found = (host.as_str(), *port).to_socket_addrs().map_err(DataFusionError::IoError)?;
    found.next().ok_or_else(|| DataFusionError::Configuration(format!("the host {host:?} has no address")))
}
