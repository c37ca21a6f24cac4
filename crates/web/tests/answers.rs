//! The engine of the page, called as the page calls it.

use ndbytes::Checker;
use ndbytes_testkit::corpus::{Sample, samples};
use ndbytes_web::{Ask, Named, Question, answer};
use serde_json::{Value, json};

fn about(ask: Ask, sample: &Sample) -> Value {
    answer(&Question::new(ask, vec![Named::new(&sample.name)]), std::slice::from_ref(&sample.bytes))
}

#[test]
fn every_file_of_the_corpus_has_its_verdict_its_page_and_a_picture_or_a_reason() {
    for sample in samples() {
        let checked = about(Ask::Check, &sample);
        let report = Checker::new().check_slice(&sample.bytes).unwrap();
        assert_eq!(checked["verdict"], report.verdict().to_string(), "{sample}");
        assert_eq!(checked["text"] == "", report.findings().is_empty(), "{sample}");
        let page = about(Ask::Explain, &sample)["html"].as_str().map(str::to_owned);
        assert!(page.is_some_and(|page| page.starts_with("<!DOCTYPE html>")), "{sample}");
        let shown = about(Ask::Show, &sample);
        assert!(shown["svg"].is_string() != shown["refused"].is_string(), "{sample}: {shown}");
    }
}

#[test]
fn members_of_archives_are_explained_alone() {
    let archive = samples().into_iter().find(|sample| sample.kind == "zip" && sample.folder == "ok").unwrap();
    let members = about(Ask::Check, &archive)["members"].clone();
    let mut question = Question::new(Ask::Explain, vec![Named::new("a.zip")]);
    question.files[0].member = members[0].as_str().map(str::to_owned);
    let page = answer(&question, std::slice::from_ref(&archive.bytes));
    assert!(
        page["html"].as_str().is_some_and(|page| page.contains(&format!("a.zip!{}", members[0].as_str().unwrap())))
    );
    question.files[0].member = Some("nobody".into());
    let refused = answer(&question, &[archive.bytes]);
    assert!(refused["refused"].as_str().is_some_and(|reason| reason.contains("nobody")), "{refused}");
}

#[test]
fn an_index_draws_one_item_and_an_index_out_of_range_is_refused() {
    let file = [&[0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2][..], &[7; 12]].concat();
    let mut question = Question::new(Ask::Show, vec![Named::new("x.idx")]);
    let all = answer(&question, std::slice::from_ref(&file));
    assert_eq!(all["shape"], json!([3, 2, 2]));
    question.index = vec![2];
    let one = answer(&question, std::slice::from_ref(&file));
    assert_eq!(one["shape"], json!([3, 2, 2]));
    assert_ne!(one["svg"], all["svg"]);
    question.index = vec![3];
    assert!(answer(&question, &[file])["refused"].is_string());
}

#[test]
fn questions_about_another_number_of_files_are_refused() {
    let two = vec![Named::new("a"), Named::new("b")];
    let refused = |question: &Question, files: &[Vec<u8>]| answer(question, files)["refused"].is_string();
    assert!(refused(&Question::new(Ask::Diff, vec![Named::new("a")]), &[vec![]]));
    assert!(refused(&Question::new(Ask::Check, two.clone()), &[vec![], vec![]]));
    assert!(refused(&Question::new(Ask::Diff, two), &[vec![]]));
}
