//! Object stores: S3 and those that speak its protocol, Google's and Azure's.

use object_store::ObjectStore;
use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::gcp::GoogleConfigKey;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use url::Url;

/// The schemes of URLs.
pub const SCHEMES: [&str; 7] = ["s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// The beginnings of the names of variables of the environment that are options.
const VARIABLES: [&str; 3] = ["aws_", "google_", "azure_"];

/// The option that lets a store be asked without encryption.
const ALLOW_HTTP: &str = "allow_http";

/// The options that go before those of the environment.
static OPTIONS: RwLock<BTreeMap<String, String>> = RwLock::new(BTreeMap::new());

/// Sets an option of all stores that are opened from now on, such as `aws_region`. It goes before the variable of the
/// environment of that name, in capitals. The names are those of the crate `object_store`.
///
/// # Errors
/// A sentence, if no store has such an option.
pub fn set_option(key: &str, value: &str) -> Result<(), String> {
    let key = key.to_ascii_lowercase();
    let is_known = key.parse::<AmazonS3ConfigKey>().is_ok()
        || key.parse::<GoogleConfigKey>().is_ok()
        || key.parse::<AzureConfigKey>().is_ok();
    if !is_known {
        return Err(format!("{key:?} is no option of S3, Google Cloud Storage or Azure, such as aws_region"));
    }
    OPTIONS.write().unwrap_or_else(PoisonError::into_inner).insert(key, value.to_owned());
    Ok(())
}

/// The store of an URL without a path, such as `s3://bucket/`.
pub fn open(base: &str) -> io::Result<Arc<dyn ObjectStore>> {
    let url = Url::parse(base).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let (store, _) = object_store::parse_url_opts(&url, options()).map_err(io::Error::from)?;
    Ok(store.into())
}

/// The options of the environment, and those that were set.
fn options() -> BTreeMap<String, String> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?.to_ascii_lowercase();
        let is_option = VARIABLES.iter().any(|begin| name.starts_with(begin));
        is_option.then(|| value.into_string().ok().map(|value| (name, value))).flatten()
    });
    let mut options: BTreeMap<_, _> = variables.collect();
    options.extend(OPTIONS.read().unwrap_or_else(PoisonError::into_inner).clone());
    // Who names a server without encryption wants it asked so.
    let is_plain = |(key, value): (&String, &String)| key.contains("endpoint") && value.starts_with("http://");
    if options.iter().any(is_plain) {
        options.entry(ALLOW_HTTP.to_owned()).or_insert_with(|| true.to_string());
    }
    options
}
