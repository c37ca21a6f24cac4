//! Clusters of processes on this machine.

use crate::support::{corpus, program, run};
use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// The maximum time to wait for anything.
const PATIENCE: Duration = Duration::from_secs(240);

/// A scheduler and its executors. They end when this value is dropped, or with this process, because they read from its pipes.
pub struct Cluster {
    scheduler: String,
    processes: Vec<Child>,
    executors: Vec<Child>,
    folders: tempfile::TempDir,
}

/// Returns a free port.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it has an address").port()
}

fn wait_for(port: u16) {
    let end = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < end, "nobody listens at port {port}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn start(arguments: &[String]) -> Child {
    let mut command = program();
    command.args(arguments).arg("--with-input").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

impl Cluster {
    pub fn start(executors: usize) -> Cluster {
        let port_of_scheduler = port();
        let scheduler = format!("127.0.0.1:{port_of_scheduler}");
        let processes = vec![start(&["scheduler", "--listen", &scheduler, "--patience", "4"].map(str::to_owned))];
        wait_for(port_of_scheduler);
        let mut cluster = Cluster {
            scheduler,
            processes,
            executors: vec![],
            folders: tempfile::tempdir().expect("a folder is made"),
        };
        for executor in 0..executors {
            let (results, tasks) = (port(), port());
            let folder = cluster.folder(executor);
            std::fs::create_dir(&folder).expect("a folder is made");
            let listen = format!("127.0.0.1:{results}");
            let tasks = tasks.to_string();
            let folder = folder.to_str().expect("the path is text");
            let arguments =
                ["executor", &cluster.scheduler, "--listen", &listen, "--grpc-port", &tasks, "--folder", folder];
            let arguments = arguments.into_iter().chain(["--tasks", "1", "--heartbeat", "1"]).map(str::to_owned);
            let child = start(&arguments.collect::<Vec<_>>());
            cluster.executors.push(child);
            wait_for(results);
        }
        cluster
    }

    fn folder(&self, executor: usize) -> std::path::PathBuf {
        self.folders.path().join(executor.to_string())
    }

    /// The command of a client.
    pub fn client(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = program();
        command.args(["sql", "--format", "csv", "--scheduler", &self.scheduler]).args(arguments);
        command
    }

    /// The lines of an answer after the header.
    pub fn rows(&self, arguments: &[&str]) -> Vec<String> {
        lines(&run(&mut self.client(arguments), PATIENCE))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.executors.iter_mut().chain(&mut self.processes) {
            // It may already have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().skip(1).map(str::to_owned).collect()
}

/// Copies small files of the corpus until there are `count`. Returns the number of findings of each rule.
fn lake(folder: &Path, count: usize) -> BTreeMap<&'static str, usize> {
    let mut kinds = Vec::new();
    for entry in walkdir::WalkDir::new(corpus("")).sort_by_file_name().into_iter().filter_map(Result::ok) {
        let is_small = entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() < 2048);
        if is_small {
            let bytes = std::fs::read(entry.path()).expect("a stored file is read");
            let report = ndbytes::Checker::new().check_slice(&bytes).expect("bytes are checked");
            // Files in unknown formats that are found in a directory have no rows.
            let findings = report.findings().iter().filter(|_| !report.is_foreign());
            let rules: Vec<_> = findings.map(|finding| finding.rule.id).collect();
            kinds.push((bytes, rules));
        }
    }
    let mut findings = BTreeMap::new();
    for (number, (bytes, rules)) in kinds.iter().cycle().take(count).enumerate() {
        let folder = folder.join((number % 100).to_string());
        if number < 100 {
            std::fs::create_dir(&folder).expect("a folder is made");
        }
        std::fs::write(folder.join(number.to_string()), bytes).expect("a copy is written");
        for rule in rules {
            *findings.entry(*rule).or_default() += 1;
        }
    }
    findings
}

#[test]
fn an_executor_that_dies_in_the_middle_changes_no_answer() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let findings = lake(folder.path(), 20_000);
    let mut cluster = Cluster::start(3);
    let query =
        format!("SELECT rule, count(*) FROM findings('{}') GROUP BY rule ORDER BY rule", folder.path().display());
    let mut client = cluster
        .client(&["--partitions", "24", &query])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the client starts");
    let end = Instant::now() + PATIENCE;
    // The second executor has finished part of the work; its results are lost with it.
    let victim = cluster.folder(1);
    while !walkdir::WalkDir::new(&victim).into_iter().filter_map(Result::ok).any(|entry| entry.file_type().is_file()) {
        assert!(Instant::now() < end, "the executor has no work");
        assert!(client.try_wait().expect("the client is waited for").is_none(), "the query ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    cluster.executors[1].kill().expect("the executor is ended");
    cluster.executors[1].wait().expect("the executor is waited for");
    std::fs::remove_dir_all(&victim).expect("its results are removed");
    assert!(client.try_wait().expect("the client is waited for").is_none(), "the query ended before the executor");
    while client.try_wait().expect("the client is waited for").is_none() {
        if Instant::now() > end {
            client.kill().expect("the client is ended");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let answer = lines(&client.wait_with_output().expect("the client is waited for"));
    let expected: Vec<_> = findings.iter().map(|(rule, count)| format!("{rule},{count}")).collect();
    assert_eq!(answer, expected);
}
