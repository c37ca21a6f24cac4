//! URLs wherever a path is accepted.

use crate::support::tool::{command, command_in, json_lines};
use ndbytes_testkit::project;
use ndbytes_testkit::stores::{Asked, Server, honest};
use ndbytes_testkit::zip::{Entry, STORED, zip};
use std::fs;
use std::path::PathBuf;
use std::process::Output;

fn samples() -> PathBuf {
    project().join("samples")
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(samples().join(name)).unwrap()
}

/// An S3 bucket with all samples and files in other formats.
fn bucket() -> Server {
    Server::start([
        ("/bucket/lake/digits-idx1-ubyte", sample("digits-idx1-ubyte")),
        ("/bucket/lake/interrupted-idx3-ubyte", sample("interrupted-idx3-ubyte")),
        ("/bucket/lake/deep/temperatures.b2nd", sample("temperatures.b2nd")),
        ("/bucket/lake/trees.idv", sample("trees.idv")),
        ("/bucket/lake/notes.txt", b"notes".to_vec()),
        ("/bucket/model.zip", zip(&[Entry::new("surface.ra", &sample("surface.ra"), STORED)])),
    ])
}

fn run(server: &Server, arguments: &[&str]) -> (i32, String, String) {
    let mut command = command(arguments);
    command.env("AWS_ENDPOINT_URL", format!("http://{}", server.address)).env("AWS_REGION", "eu-west-1");
    command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret");
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn every_command_that_reads_takes_an_url_and_says_what_it_says_of_the_file() {
    let server = bucket();
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (url, path) = ("s3://bucket/lake/trees.idv", samples().join("trees.idv").to_str().unwrap().to_owned());
    for arguments in [
        &["info"][..],
        &["info", "--json", "--digest"],
        &["check"],
        &["check", "--depth", "structure"],
        &["check", "--json"],
        &["explain"],
        &["explain", "--json"],
        &["cat", "--all"],
        &["cat", "--json"],
        &["stats"],
        &["textconv"],
        &["fix", "--dry-run"],
    ] {
        let of = |file: &str| {
            let (status, stdout, stderr) = run(&server, &[arguments, &[file]].concat());
            (status, stdout.replace(file, "FILE"), stderr.replace(file, "FILE"))
        };
        assert_eq!(of(url), of(&path), "{arguments:?}");
    }
    let (status, stdout, _) = run(&server, &["diff", url, &path]);
    assert!(status == 0 && stdout.ends_with("identical\n"), "{stdout}");
    let field = "s3://bucket/lake/deep/temperatures.b2nd";
    assert_eq!(run(&server, &["cat", &format!("{field}[0, :2]")]).1, "[ 90 115]\n");
    assert_eq!(run(&server, &["show", field, "--out", &out("field.png")]).0, 0);
    assert_eq!(run(&server, &["convert", &format!("{field}[:, 1]"), &out("column.npy")]).0, 0);
    assert_eq!(run(&server, &["convert", url, &out("trees.jsonl"), "--lossy"]).0, 0);
    assert_eq!(run(&server, &["info", "s3://bucket/model.zip!surface.ra"]).0, 0);
    assert!(server.requests().iter().all(|asked| asked.authorization.is_some()));
}

#[test]
fn a_folder_of_a_store_is_walked() {
    let server = bucket();
    let (status, stdout, _) = run(&server, &["check", "s3://bucket/lake/"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("--> s3://bucket/lake/interrupted-idx3-ubyte, payload"), "{stdout}");
    assert!(stdout.ends_with("4 files: 1 with errors, 3 ok; 1 file of other formats\n"), "{stdout}");
    let (_, stdout, _) = run(&server, &["check", "--json", "--glob", "*.idv", "s3://bucket/lake/"]);
    let paths: Vec<_> = json_lines(&stdout).iter().map(|line| line["path"].clone()).collect();
    assert_eq!(paths, ["s3://bucket/lake/trees.idv"]);
    let (_, stdout, _) = run(&server, &["info", "--json", "s3://bucket/lake/*-ubyte"]);
    assert_eq!(json_lines(&stdout).len(), 2);
    let (status, _, stderr) = run(&server, &["check", "s3://bucket/none/"]);
    assert_eq!(status, 2, "{stderr}");
}

#[test]
fn an_option_of_a_store_goes_before_the_environment() {
    let server = bucket();
    let endpoint = format!("aws_endpoint_url=http://{}", server.address);
    let mut command = command(&["info", "s3://bucket/lake/trees.idv", "--store-option", &endpoint]);
    command.args(["--store-option", "aws_skip_signature=true"]).env("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(server.requests().iter().all(|asked| asked.authorization.is_none()));
    for (option, said) in [("colour=blue", "\"colour\" is not an option of S3"), ("colour", "expected KEY=VALUE")] {
        let (status, _, stderr) = run(&server, &["info", "x.npy", "--store-option", option]);
        assert!(status == 2 && stderr.contains(said), "{stderr}");
    }
}

#[test]
fn a_missing_file_and_a_lying_server_end_with_status_two_and_a_sentence() {
    let server = Server::answering([("/x.npy", vec![0; 200_000])], |number, asked: &Asked, file| {
        let shifted = asked.range.clone().map(|range| range.start.saturating_sub(1)..range.end);
        honest(number, &Asked { range: shifted, ..asked.clone() }, file)
    });
    let (status, _, stderr) = run(&server, &["info", &server.url("/x.npy")]);
    assert!(status == 2 && stderr.contains("but the server returned bytes"), "{stderr}");
    let (status, _, stderr) = run(&server, &["check", &server.url("/y.npy")]);
    assert!(status == 2 && stderr.contains("no such file"), "{stderr}");
    let surface = samples().join("surface.ra").to_str().unwrap().to_owned();
    let (status, _, stderr) = run(&server, &["convert", &surface, &server.url("/z.npy")]);
    assert!(status == 2 && stderr.contains("cannot write to a URL"), "{stderr}");
}

#[test]
fn a_server_that_cannot_be_reached_is_named_in_one_sentence() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{address}/x.npy");
    for (url, environment) in [(&*url, None), ("s3://bucket/x.npy", Some(format!("http://{address}")))] {
        let mut command = command(&["info", url]);
        command.env("AWS_REGION", "eu-west-1").env("AWS_SKIP_SIGNATURE", "true").env("AWS_ALLOW_HTTP", "true");
        let output = command.envs(environment.map(|endpoint| ("AWS_ENDPOINT_URL", endpoint))).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, format!("error: {url}: {address} refuses the connection\n"));
        assert_eq!(output.status.code(), Some(2));
    }
}

/// The name before the slice is requested after the whole name. With a separate time limit, that would take twice as long.
#[test]
fn a_server_that_never_answers_is_left_when_the_time_is_over_whatever_the_name_may_mean() {
    let server = Server::answering([("/hangs.npy", vec![0; 200])], |_, _: &Asked, _| {
        loop {
            std::thread::park();
        }
    });
    for (address, why) in [
        ("/hangs.npy", "the requests took longer than"),
        ("/hangs.npy[0:2]", "no time is left for requests"),
        ("/hangs.zip!member.npy[0:2]", "no time is left for requests"),
    ] {
        let (status, _, stderr) = run(&server, &["--max-time", "0.3", "cat", &server.url(address)]);
        assert!(status == 2 && stderr.contains(why), "{stderr}");
        let asked = server.requests();
        assert!(asked.iter().all(|asked| asked.target == address), "{asked:?}");
    }
}

#[test]
fn a_contract_names_no_partner_on_a_server() {
    let server = Server::start([("/labels.npy", vec![0; 10])]);
    let folder = tempfile::tempdir().unwrap();
    fs::copy(project().join("samples/digits-idx3-ubyte.gz"), folder.path().join("a.idx.gz")).unwrap();
    let contract = format!("[\"*.idx.gz\"]\npair = \"{}\"\n", server.url("/labels.npy"));
    fs::write(folder.path().join(".ndbytes.toml"), contract).unwrap();
    command_in(folder.path(), &["check", "a.idx.gz"]).output().unwrap();
    assert_eq!(server.requests(), []);
}

/// The query of a URL may be the signature that grants access.
#[test]
fn the_query_of_an_url_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    // Nothing listens on this port.
    let url = "http://127.0.0.1:1/x.npy?X-Amz-Signature=secret";
    for arguments in [
        &["check", url][..],
        &["check", "--quiet", url],
        &["info", url],
        &["cat", url],
        &["cat", &format!("{url}[0]")],
        &["stats", url],
        &["show", url],
        &["explain", url],
        &["diff", url, url],
        &["convert", url, "out.npy"],
        &["check", "http://[?secret"],
    ] {
        let ended = crate::support::tool::run_in(folder.path(), arguments);
        assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
        assert!(
            !ended.stderr.contains("secret") && !ended.stdout.contains("secret"),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
}

#[test]
fn a_short_file_of_a_store_takes_one_request_and_none_on_the_second_night() {
    let names: Vec<String> = (0..40).map(|number| format!("/bucket/lake/{number}.ra")).collect();
    let server = Server::start(names.iter().map(|name| (name.as_str(), sample("surface.ra"))));
    let folder = tempfile::tempdir().unwrap();
    let table = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (first, second) = (table("first.parquet"), table("second.parquet"));
    let night = |extra: &[&str]| {
        let arguments = [&["check", "--format", "parquet", "--table", "files"], extra, &["s3://bucket/lake/"]].concat();
        let (status, _, stderr) = run(&server, &arguments);
        assert_eq!(status, 0, "{stderr}");
        let (lists, files): (Vec<_>, Vec<_>) =
            server.requests().into_iter().partition(|asked| asked.target.contains('?'));
        (lists.len(), files.len())
    };
    assert_eq!(night(&["--out", &first]), (1, 40));
    assert_eq!(night(&["--out", &second, "--since", &first]), (1, 0));
    assert_eq!(run(&server, &["check", "s3://bucket/lake/"]).0, 0);
    assert_eq!(server.requests().len(), 41);
}
