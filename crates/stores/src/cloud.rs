//! Object stores: S3 and those that speak its protocol, Google's and Azure's.

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

/// A store is asked once more after an error of its own.
const RETRIES: usize = 3;
const RETRIED: Duration = Duration::from_secs(20);

/// The maximum number of stores that are kept for their connections.
const MOST_KEPT: usize = 64;

/// The stores of a process, by their addresses and options.
type Kept = Arc<Mutex<Vec<((String, Options), Arc<dyn ObjectStore>)>>>;

static KEPT: OfProcess<Kept> = OfProcess::new();

/// The store of an URL, the beginning of the URLs of its objects, and the path in it.
pub fn find<'u>(url: &'u str, options: &Options) -> io::Result<(Arc<dyn ObjectStore>, String, &'u str)> {
    if let Some(found) = registered(url) {
        return Ok(found);
    }
    let (base, path) = divided(url)?;
    Ok((store(&base, options)?, base, path))
}

/// The store of an URL without a path, such as `s3://bucket/`. Its connections serve all its objects.
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

/// Makes a store of a builder, with the options that it knows.
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
            source: unfit(format!("no store serves {scheme}://")).into(),
        }),
    }
}

fn retry() -> RetryConfig {
    RetryConfig { max_retries: RETRIES, retry_timeout: RETRIED, ..RetryConfig::default() }
}
