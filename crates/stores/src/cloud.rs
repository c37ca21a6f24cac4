//! Object stores: S3 and stores with its protocol, Google Cloud Storage and Azure.

use crate::options::Options;
use crate::registry::registered;
use crate::runtime::OfProcess;
use crate::url::{divided, unfit};
use crate::web::Connector;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{ObjectStore, RetryConfig};
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The number of times that a request is retried after an error of the store.
const RETRIES: usize = 3;
const RETRIED: Duration = Duration::from_secs(20);

/// The maximum number of stores to keep, so that their connections are reused.
const MOST_KEPT: usize = 64;

/// The stores of a process, by address and options.
type Kept = Arc<Mutex<Vec<((String, Options), Arc<dyn ObjectStore>)>>>;

static KEPT: OfProcess<Kept> = OfProcess::new();

/// Returns the store of a URL, the prefix of its objects' URLs, and the path in the store.
pub fn find<'u>(url: &'u str, options: &Options) -> io::Result<(Arc<dyn ObjectStore>, String, &'u str)> {
    if let Some(found) = registered(url) {
        return Ok(found);
    }
    let (base, path) = divided(url)?;
    Ok((store(&base, options)?, base, path))
}

/// Returns the store of a URL without a path, such as `s3://bucket/`. Its connections are shared by all its objects.
fn store(base: &str, options: &Options) -> io::Result<Arc<dyn ObjectStore>> {
    let Ok(kept) = KEPT.get(|| Ok::<_, Infallible>(Kept::default()));
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |(base_, options_): &(String, Options)| base_ == base && options_ == options;
    if let Some((_, store)) = kept.iter().find(|(key, _)| is_same(key)) {
        return Ok(store.clone());
    }
    let made = made(base, options).map_err(io::Error::from)?;
    if kept.len() == MOST_KEPT {
        kept.remove(0);
    }
    kept.push(((base.to_owned(), options.clone()), made.clone()));
    Ok(made)
}

/// Builds a store, with the options that it supports.
macro_rules! built {
    ($builder:expr, $base:expr, $options:expr) => {{
        let builder = $builder.with_url($base).with_http_connector(Connector).with_retry(retry());
        let builder = $options.into_iter().fold(builder, |builder, (key, value)| match key.parse() {
            Ok(key) => builder.with_config(key, value),
            Err(_) => builder,
        });
        builder.build().map(|store| Arc::new(store) as Arc<dyn ObjectStore>)
    }};
}

fn made(base: &str, options: &Options) -> object_store::Result<Arc<dyn ObjectStore>> {
    let options = options.with_environment();
    match base.split_once("://").map_or("", |(scheme, _)| scheme) {
        "s3" | "s3a" => built!(AmazonS3Builder::new(), base, options),
        "gs" => built!(GoogleCloudStorageBuilder::new(), base, options),
        "az" | "azure" | "abfs" | "abfss" => built!(MicrosoftAzureBuilder::new(), base, options),
        scheme => Err(object_store::Error::Generic {
            store: "url",
            source: unfit(format!("{scheme}:// is not supported")).into(),
        }),
    }
}

fn retry() -> RetryConfig {
    RetryConfig { max_retries: RETRIES, retry_timeout: RETRIED, ..RetryConfig::default() }
}
