//! Paths that are URLs: the options of their stores.

/// Options for object stores.
#[derive(Debug, clap::Args)]
pub struct StoreArguments {
    /// Set an object store option, e.g. aws_region=eu-west-1. May be repeated. Pass keys and tokens in environment
    /// variables instead.
    #[cfg(feature = "stores")]
    #[arg(long = "store-option", global = true, display_order = 1000, value_name = "KEY=VALUE")]
    options: Vec<String>,
}

impl StoreArguments {
    /// Runs a function. While it runs, URLs are opened with these options.
    ///
    /// # Errors
    /// A message about an option that no store has.
    #[cfg(feature = "stores")]
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        let mut options = ndbytes_stores::Options::new();
        for option in &self.options {
            let pair = option.split_once('=');
            let (key, value) = pair.ok_or_else(|| format!("expected KEY=VALUE for --store-option, not {option:?}"))?;
            options.set(key, value).map_err(|error| error.to_string())?;
        }
        ndbytes_stores::serve();
        // A program that embeds the tool may already have set options.
        let _entered = (!self.options.is_empty()).then(|| ndbytes_stores::enter(options));
        Ok(work())
    }

    /// Runs a function. URLs are not supported.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "stores"))]
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        Ok(work())
    }
}
