//! The threads for requests to stores. A forked process does not have its parent's threads, and must not share its connections.
//!
//! The library is synchronous, and may be called from any thread, including threads of the caller's tokio runtime.
//! Blocking such a thread on its own runtime would cause a deadlock or a panic. So requests run on two threads of this
//! crate's own runtime, and the caller waits on a channel.

use object_store::Error;
use std::future::Future;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The maximum time for a server to answer, and to send the requested bytes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Something that exists once per process, and is created again in a forked process.
pub struct OfProcess<T>(Mutex<Option<(u32, T)>>);

impl<T: Clone> OfProcess<T> {
    pub const fn new() -> Self {
        OfProcess(Mutex::new(None))
    }

    /// The runtime of this process, created on first use. After a fork, the parent's runtime is forgotten, because its
    /// threads do not exist here.
    pub fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        match &*kept {
            Some((of, made)) if *of == process => Ok(made.clone()),
            _ => {
                let made = make()?;
                mem::forget(kept.replace((process, made.clone())));
                Ok(made)
            }
        }
    }
}

static RUNTIME: OfProcess<Arc<Runtime>> = OfProcess::new();

/// Waits for a store, but not beyond the time limit. This works in any thread, even in one that runs tasks.
pub fn wait<T: Send + 'static>(
    granted: Option<Duration>,
    work: impl Future<Output = object_store::Result<T>> + Send + 'static,
) -> io::Result<T> {
    if granted == Some(Duration::ZERO) {
        return Err(io::Error::new(io::ErrorKind::TimedOut, "no time is left for requests"));
    }
    let runtime = RUNTIME.get(|| {
        let threads = Builder::new_multi_thread().worker_threads(2).thread_name("object-store").enable_all().build();
        threads.map(Arc::new)
    })?;
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        let done = match granted {
            None => Some(work.await),
            Some(granted) => tokio::time::timeout(granted, work).await.ok(),
        };
        // If this fails, the caller is no longer waiting.
        let _ = sender.send(done);
    });
    match receiver.recv() {
        Ok(Some(answer)) => answer.map_err(io_error),
        Ok(None) => {
            let granted = granted.unwrap_or_default();
            Err(io::Error::new(io::ErrorKind::TimedOut, format!("the requests took longer than {granted:?}")))
        }
        Err(_) => Err(io::Error::other("the request ended without an answer")),
    }
}

/// Waits for a server, but not longer than `PATIENCE`.
pub async fn patient<T>(work: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(answer) => answer,
        Err(error) => Err(Error::Generic { store: "server", source: error.into() }),
    }
}

/// Converts an error of a store to an I/O error.
fn io_error(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        Error::NotSupported { .. } | Error::NotImplemented { .. } => io::ErrorKind::Unsupported,
        _ if connection(&error).is_some() => io::ErrorKind::NotConnected,
        _ => io::ErrorKind::Other,
    };
    match error {
        Error::NotFound { .. } => io::Error::new(kind, "no such file"),
        error => io::Error::new(kind, Sentence::of(&error)),
    }
}

/// Returns an error and its causes.
fn reasons<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

/// Returns the sentence about a failed connection, if that is the cause of an error.
fn connection(error: &Error) -> Option<&Sentence> {
    reasons(error).find_map(|reason| reason.downcast_ref())
}

/// An error with all its causes, each once.
#[derive(Debug, Clone)]
pub struct Sentence(String);

impl Sentence {
    /// The sentence about a failed connection to a server. `None` if the error has another cause.
    pub fn of_connection(error: &(dyn std::error::Error + 'static), server: &str) -> Option<Self> {
        let reason = reasons(error).find_map(|reason| reason.downcast_ref::<io::Error>())?;
        let words = match reason.kind() {
            io::ErrorKind::ConnectionRefused => format!("{server} refuses the connection"),
            io::ErrorKind::TimedOut => format!("{server} does not answer"),
            _ if reasons(error).any(|reason| reason.to_string() == "dns error") => {
                format!("{server} has no address: {reason}")
            }
            _ => return None,
        };
        Some(Sentence(words))
    }

    fn of(error: &Error) -> Self {
        // The errors around it state only that a request was made.
        if let Some(sentence) = connection(error) {
            return sentence.clone();
        }
        let first: &dyn std::error::Error = match error {
            // "Generic … error" is meaningless.
            Error::Generic { source, .. } => &**source,
            other => other,
        };
        let mut words = first.to_string();
        let mut next = first.source();
        while let Some(reason) = next {
            let said = reason.to_string();
            if !words.contains(&said) {
                words = format!("{words}: {said}");
            }
            next = reason.source();
        }
        Sentence(words)
    }
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Sentence {}
