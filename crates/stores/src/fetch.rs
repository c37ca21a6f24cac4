//! A file on a web server or in an object store.

use crate::answer::{Answer, Facts, collected, ensure_asked, expected};
use crate::cloud;
use crate::options::Options;
use crate::registry::is_registered;
use crate::url::{CLOUD, WEB, unfit};
use crate::web::WebFile;
use futures_util::StreamExt;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, Result};
use std::io;
use std::sync::Arc;

/// A file whose bytes can be read in ranges.
#[derive(Debug, Clone)]
pub enum Remote {
    Web(Arc<WebFile>),
    Object { store: Arc<dyn ObjectStore>, path: Path },
}

impl Remote {
    /// Returns the file at a URL. Nothing is requested.
    pub fn of(url: &str, options: &Options) -> io::Result<Remote> {
        let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
        match scheme {
            scheme if WEB.contains(&scheme) => Ok(Remote::Web(Arc::new(WebFile::at(url)?))),
            scheme if CLOUD.contains(&scheme) || is_registered(scheme) => {
                let (store, _, path) = cloud::find(url, options)?;
                let path = Path::parse(path).map_err(|error| unfit(error.to_string()))?;
                Ok(Remote::Object { store, path })
            }
            scheme => Err(io::Error::new(io::ErrorKind::Unsupported, format!("{scheme}:// is not supported"))),
        }
    }

    /// Requests some of the bytes.
    pub async fn get(&self, asked: GetRange) -> Result<Answer> {
        match self {
            Remote::Web(file) => file.get(asked).await,
            Remote::Object { store, path } => {
                let options = GetOptions { range: Some(asked.clone()), ..GetOptions::default() };
                let found = store.get_opts(path, options).await?;
                let (range, facts) = (found.range.clone(), Facts::from(found.meta.clone()));
                ensure_asked(&asked, &range, facts.size)?;
                let bytes = collected(found.into_stream().boxed(), &expected(&asked, facts.size)).await?;
                Ok(Answer { facts, bytes })
            }
        }
    }

    /// Requests properties of the file, without any of its bytes.
    pub async fn head(&self) -> Result<Facts> {
        match self {
            Remote::Web(file) => file.head().await,
            Remote::Object { store, path } => store.head(path).await.map(Facts::from),
        }
    }
}
