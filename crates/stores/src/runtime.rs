//! The threads that ask stores. A forked process has none of its parent's, and must not share its connections.

use object_store::Error;
use std::future::Future;
use std::io;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The time that a server may take to answer, and to send what was requested.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Something that one process has, and a forked one makes anew.
pub struct OfProcess<T>(Mutex<Option<(u32, T)>>);

impl<T: Clone> OfProcess<T> {
    pub const fn new() -> Self {
        OfProcess(Mutex::new(None))
    }

    /// That of this process, which is made if there is none yet. What a parent had is forgotten: its threads are not here.
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

/// Waits for a store, in any thread: also in one that runs tasks. It waits no longer than it is granted.
pub fn wait<T: Send + 'static>(
    granted: Option<Duration>,
    work: impl Future<Output = object_store::Result<T>> + Send + 'static,
) -> io::Result<T> {
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
        // Nobody waits any more if this fails.
        let _ = sender.send(done);
    });
    match receiver.recv() {
        Ok(Some(answer)) => answer.map_err(io_error),
        Ok(None) => {
            let granted = granted.unwrap_or_default();
            Err(io::Error::new(io::ErrorKind::TimedOut, format!("the requests took longer than {granted:?}")))
        }
        Err(_) => Err(io::Error::other("the work for a store ended without an answer")),
    }
}

/// Waits no longer for a server than it may take.
pub async fn patient<T>(work: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(answer) => answer,
        Err(error) => Err(Error::Generic { store: "server", source: error.into() }),
    }
}

/// An error of a store in the words of the system.
fn io_error(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => io::ErrorKind::PermissionDenied,
        Error::NotSupported { .. } | Error::NotImplemented { .. } => io::ErrorKind::Unsupported,
        _ => io::ErrorKind::Other,
    };
    match error {
        Error::NotFound { .. } => io::Error::new(kind, "there is no such file"),
        error => io::Error::new(kind, Sentence::of(&error)),
    }
}

/// An error with all its reasons, each once.
#[derive(Debug)]
struct Sentence(String);

impl Sentence {
    fn of(error: &Error) -> Self {
        let first: &dyn std::error::Error = match error {
            // "Generic … error" says nothing.
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
