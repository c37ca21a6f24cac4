//! Options of object stores, named as in the crate `object_store`.

use object_store::aws::AmazonS3ConfigKey;
use object_store::azure::AzureConfigKey;
use object_store::gcp::GoogleConfigKey;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

/// The prefixes of environment variables that are options.
const VARIABLES: [&str; 3] = ["aws_", "google_", "azure_"];

/// The option that allows unencrypted requests to a store.
const ALLOW_HTTP: &str = "allow_http";

/// Options of stores, such as `aws_region` and `aws_endpoint_url`. They override environment variables.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Options(BTreeMap<String, String>);

/// No store has an option with this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOption(String);

impl fmt::Display for UnknownOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not an option of S3, Google Cloud Storage or Azure, such as aws_region", self.0)
    }
}

impl std::error::Error for UnknownOption {}

/// Shows only names, since values may be keys and tokens.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Options {
    /// Creates empty options, so only the environment is used.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// [`UnknownOption`] if no store has it.
    pub fn set(&mut self, key: &str, value: impl Into<String>) -> Result<(), UnknownOption> {
        let key = key.to_ascii_lowercase();
        let is_known = key.parse::<AmazonS3ConfigKey>().is_ok()
            || key.parse::<GoogleConfigKey>().is_ok()
            || key.parse::<AzureConfigKey>().is_ok();
        match is_known {
            true => drop(self.0.insert(key, value.into())),
            false => return Err(UnknownOption(key)),
        }
        Ok(())
    }

    /// Returns these options, with those from the environment that they do not set.
    pub(crate) fn with_environment(&self) -> BTreeMap<String, String> {
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?.to_ascii_lowercase();
            let is_option = VARIABLES.iter().any(|begin| name.starts_with(begin));
            is_option.then(|| value.into_string().ok().map(|value| (name, value))).flatten()
        });
        let mut options: BTreeMap<_, _> = variables.collect();
        options.extend(self.0.clone());
        // A user who names an unencrypted server wants to use it.
        let is_plain = |(key, value): (&String, &String)| key.contains("endpoint") && value.starts_with("http://");
        if options.iter().any(is_plain) {
            options.entry(ALLOW_HTTP.to_owned()).or_insert_with(|| true.to_string());
        }
        options
    }
}

/// The options of URLs that are opened as paths.
#[derive(Default)]
struct Scope {
    /// The options of the process.
    lasting: Options,
    /// The options of work that runs with its own options.
    passing: Options,
    /// The number of threads that do such work.
    users: usize,
}

static SCOPE: LazyLock<Mutex<Scope>> = LazyLock::new(Mutex::default);
static ENDED: Condvar = Condvar::new();

fn scope() -> MutexGuard<'static, Scope> {
    SCOPE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn current() -> Options {
    let scope = scope();
    if scope.users > 0 { scope.passing.clone() } else { scope.lasting.clone() }
}

/// Sets options of the process. They apply from now on, unless [`with`] sets others.
pub fn set(options: Options) {
    scope().lasting = options;
}

/// Keeps options for URLs in effect until it is dropped; see [`enter`].
#[derive(Debug)]
pub struct Entered(());

impl Drop for Entered {
    fn drop(&mut self) {
        scope().users -= 1;
        ENDED.notify_all();
    }
}

/// Makes these options apply in all threads, to URLs that are opened as paths, until the result is dropped. A thread
/// that enters with other options waits until then. Never call this in a thread pool whose work has already entered.
pub fn enter(options: Options) -> Entered {
    let mut now = scope();
    while now.users > 0 && now.passing != options {
        now = ENDED.wait(now).unwrap_or_else(PoisonError::into_inner);
    }
    now.passing = options;
    now.users += 1;
    Entered(())
}

/// Runs a closure with these options in effect; see [`enter`]. Anything opened inside keeps them.
pub fn with<T>(options: Options, work: impl FnOnce() -> T) -> T {
    let _entered = enter(options);
    work()
}
