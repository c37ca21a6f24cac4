//! The lifetime of a process in a cluster.

use datafusion::common::Result;
use std::io;

/// Runs a process of a cluster until it fails or is requested to end.
pub async fn until_told(work: impl Future<Output = Result<()>>, with_input: bool) -> Result<()> {
    let (sender, closed) = tokio::sync::oneshot::channel();
    if with_input {
        std::thread::spawn(move || {
            let _ = io::copy(&mut io::stdin(), &mut io::sink());
            let _ = sender.send(());
        });
        tokio::select! {
            ended = work => ended,
            _ = closed => Ok(()),
        }
    } else {
        work.await
    }
}
