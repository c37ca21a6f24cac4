//! Paths that are URLs: the options of their stores.

/// The options of stores.
#[derive(Debug, clap::Args)]
pub struct StoreArguments {
    /// Set an option of object stores, e.g. aws_region=eu-west-1. It takes precedence over the environment variable of that name,
    /// which is a better place for keys and tokens. May be repeated.
    #[cfg(feature = "stores")]
    #[arg(long = "store-option", global = true, value_name = "KEY=VALUE")]
    options: Vec<String>,
}

impl StoreArguments {
    /// Does work for which URLs are opened with these options.
    ///
    /// # Errors
    /// A sentence on an option that no store has.
    #[cfg(feature = "stores")]
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        let mut options = ndbytes_stores::Options::new();
        for option in &self.options {
            let pair = option.split_once('=');
            let (key, value) =
                pair.ok_or_else(|| format!("KEY=VALUE is expected for --store-option, not {option:?}"))?;
            options.set(key, value).map_err(|error| error.to_string())?;
        }
        ndbytes_stores::serve();
        // Who runs the tool within a process may have entered with options already.
        let _entered = (!self.options.is_empty()).then(|| ndbytes_stores::enter(options));
        Ok(work())
    }

    /// Does work. No URL is opened.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "stores"))]
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        Ok(work())
    }
}
