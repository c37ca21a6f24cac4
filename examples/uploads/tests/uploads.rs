//! Requests, without a network.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::Value;
use tower::ServiceExt;

async fn sent(body: Vec<u8>) -> (StatusCode, Value) {
    let request = Request::post("/upload").body(Body::from(body)).unwrap();
    let response = uploads::app().oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// An array of .npy of so many bytes, in a file that has them all or none.
fn npy(length: u64) -> Vec<u8> {
    let head = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({length},), }}");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{head:<117}\n").bytes());
    file
}

#[tokio::test]
async fn a_sound_file_is_taken() {
    let (status, report) = sent(sample("surface.ra")).await;
    assert_eq!((status, report["verdict"].as_str()), (StatusCode::OK, Some("ok")));
}

#[tokio::test]
async fn a_cut_file_is_refused_with_its_finding() {
    let (status, report) = sent(sample("interrupted-idx3-ubyte")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let finding = &report["findings"][0];
    assert_eq!(finding["rule"], "idx/truncated-payload");
    assert_eq!((&finding["remedy"], &finding["offset"]), (&"tolerate".into(), &2468.into()));
}

#[tokio::test]
async fn a_file_that_claims_more_than_it_has_is_refused() {
    let (status, report) = sent(npy(1 << 40)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(report["findings"][0]["rule"], "npy/truncated-payload");
}

#[tokio::test]
async fn a_page_of_the_web_is_refused() {
    let (status, report) = sent(b"<!DOCTYPE html><html></html>".to_vec()).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(report["findings"][0]["rule"], "unknown-format");
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_before_it_is_read() {
    let (status, _) = sent(vec![0; 33 << 20]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}
