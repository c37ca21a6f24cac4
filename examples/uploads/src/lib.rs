//! Takes files from strangers, and answers with what is wrong with them.

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use ndbytes::{Checker, Limits, Verdict};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The maximum length of a file.
const LONGEST: usize = 32 << 20;

/// The number of files that are checked at a time. Each may take the memory of its limits.
const AT_ONCE: usize = 4;

/// The routes of the server.
pub fn app() -> Router {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    Router::new().route("/upload", post(upload)).layer(DefaultBodyLimit::max(LONGEST)).with_state(places)
}

/// Checks a file: 200 if it is sound, 422 with the findings if it is not.
async fn upload(State(places): State<Arc<Semaphore>>, body: Bytes) -> (StatusCode, Json<Value>) {
    let _place = places.acquire_owned().await.expect("nobody closes it");
    // A check computes, and does not wait: it has a thread of its own.
    let checked = tokio::task::spawn_blocking(move || {
        let limits = Limits::default().memory(64 << 20).decoded(256 << 20).time(Duration::from_secs(5));
        Checker::new().limits(limits).check_slice(&body)
    });
    match checked.await {
        Ok(Ok(report)) => {
            let is_refused = report.verdict() == Verdict::Error;
            let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
            (status, Json(json!(report)))
        }
        Ok(Err(error)) => failed(error.to_string()),
        Err(error) => failed(error.to_string()),
    }
}

fn failed(reason: String) -> (StatusCode, Json<Value>) {
    (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": reason })))
}
