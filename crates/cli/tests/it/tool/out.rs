//! Files that the tool writes never replace its input or a valuable file, and their length is bounded.

use crate::support::tool::{Ended, command, run};
use ndarray::Array1;
use ndbytes::{Limits, b2nd};
use ndbytes_testkit::recipe::Recipe;
use ndbytes_testkit::zip::{Entry, STORED, zip};
use ndbytes_testkit::{corpus, project};
use rustix::fs::{Mode, OFlags};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// A directory with copies of files, which may be lost.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).into_os_string().into_string().unwrap()
    }

    /// A copy of a file of the corpus.
    fn copy(&self, sample: &str, name: &str) -> String {
        self.write(name, fs::read(corpus::root().join(sample)).unwrap())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// About 221 bytes that decode to this many zeros.
    fn zeros(&self, items: u64) -> String {
        self.zeros_in_chunks(items, 1 << 28)
    }

    fn zeros_in_chunks(&self, items: u64, chunk: u64) -> String {
        let entries = items.div_ceil(chunk);
        let recipe = fs::read_to_string(ndbytes_testkit::project().join("tests/made/zeros-1-tib.recipe"))
            .unwrap()
            .replace("1099511627776", &items.to_string())
            .replace("268435456", &chunk.to_string())
            .replace("1048576", &chunk.min(1 << 20).to_string())
            .replace("le i32 32768 ", &format!("le i32 {} ", 8 * entries))
            .replace("le i32 16384 ", &format!("le i32 {} ", (8 * entries).min(16384)));
        self.write(&format!("zeros-{items}.b2nd"), Recipe::parse(&recipe).unwrap().bytes)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Unfinished files, which do not have their final name yet.
    fn unfinished(&self) -> Vec<PathBuf> {
        let names = self.names().into_iter().filter(|name| name.starts_with(".ndbytes-"));
        names.map(|name| self.0.path().join(name)).collect()
    }
}

/// A zip archive with one entry, stored.
fn zip_of(name: &str, content: &[u8]) -> Vec<u8> {
    zip(&[Entry::new(name, content, STORED)])
}

fn assert_refused(ended: &Ended, why: &str) {
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains(why), "{why} in {}", ended.stderr);
}

const ARRAY: &str = "idx/ok/u8-2d.idx";
const NEVER: &str = "the input file, which is never replaced";
const FORCE: &str = "`--force` replaces it";

/// Asserts that neither of the commands writes to `out` when it reads `input`, not even with `--force`.
fn assert_never_replaced(input: &str, out: &str) {
    let before = (fs::read(out).unwrap(), fs::metadata(out).unwrap().ino());
    assert_refused(&run(&["explain", "--force", "--html", out, input]), NEVER);
    assert_refused(&run(&["explain", "--html", out, input]), NEVER);
    if out.ends_with(".npy") {
        assert_refused(&run(&["convert", "--force", input, out]), NEVER);
        assert_refused(&run(&["convert", input, out]), NEVER);
    }
    assert_eq!((fs::read(out).unwrap(), fs::metadata(out).unwrap().ino()), before);
}

#[test]
fn an_input_is_never_replaced() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.npy");
    let (soft, hard) = (place.path("soft.npy"), place.path("hard.npy"));
    symlink(&input, &soft).unwrap();
    fs::hard_link(&input, &hard).unwrap();
    for one in [&input, &soft, &hard] {
        for other in [&input, &soft, &hard] {
            assert_never_replaced(one, other);
        }
    }
    assert_eq!(place.names(), ["hard.npy", "input.npy", "soft.npy"]);
}

#[test]
fn an_archive_or_a_folder_that_is_read_is_never_replaced() {
    let place = Place::new();
    let archive =
        place.write("model.zip", zip_of("a/Schema", &fs::read(corpus::root().join("idv/ok/key-values.idv")).unwrap()));
    let address = format!("{archive}!a/Schema");
    assert_eq!(run(&["info", &address]).status, 0);
    assert_never_replaced(&address, &archive);
    let folder = place.path("frame.b2nd");
    fs::create_dir(&folder).unwrap();
    for name in ["chunks.b2frame", "00000000.chunk", "00000001.chunk"] {
        place.copy(&format!("b2nd/ok/sparse.b2nd/{name}"), &format!("frame.b2nd/{name}"));
    }
    fs::hard_link(format!("{folder}/00000000.chunk"), place.path("chunk.npy")).unwrap();
    assert_never_replaced(&folder, &place.path("chunk.npy"));
    assert_never_replaced(&folder, &format!("{folder}/00000001.chunk"));
}

#[test]
fn files_behind_standard_input_and_output_are_never_replaced() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.npy");
    let before = fs::read(&input).unwrap();
    let mut from_standard = command(&["convert", "--force", "-", &input]);
    let ended = from_standard.stdin(File::open(&input).unwrap()).output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    let mut to_standard = command(&["convert", "--force", "--to", "npy", &input, "-"]);
    let ended = to_standard.stdout(File::options().append(true).open(&input).unwrap()).output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains(NEVER), "{ended:?}");
    assert_eq!(fs::read(&input).unwrap(), before);
}

#[test]
fn a_file_of_a_known_format_is_replaced_only_if_that_is_asked_for() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.idx");
    let known = [
        place.copy("idx/ok/i16-2d.idx", "idx.npy"),
        place.copy("idx/ok/gzip-comment.idx.gz", "gzip.npy"),
        place.copy("rawarray/ok/c64.ra", "rawarray.npy"),
        place.copy("idv/ok/key-values.idv", "idv.npy"),
        place.copy("b2nd/ok/1d.b2nd", "b2nd.npy"),
        place.write("zip.npy", zip_of("entry", b"content")),
        place.write("numpy.npy", b"\x93NUMPY\x01\0"),
    ];
    for out in &known {
        let before = fs::read(out).unwrap();
        assert_refused(&run(&["convert", &input, out]), FORCE);
        assert_refused(&run(&["explain", "--html", out, &input]), FORCE);
        assert_eq!(fs::read(out).unwrap(), before, "{out}");
        assert_eq!(run(&["convert", "--force", &input, out]).status, 0);
        assert!(fs::read(out).unwrap().starts_with(b"\x93NUMPY"), "{out}");
        assert_eq!(run(&["explain", "--force", "--html", out, &input]).status, 0);
        assert!(fs::read(out).unwrap().starts_with(b"<!DOCTYPE"), "{out}");
    }
    let folder = place.path("folder.npy");
    fs::create_dir(&folder).unwrap();
    for force in ["--force", "--max-memory=1G"] {
        assert_refused(&run(&["convert", force, &input, &folder]), "is not a regular file");
    }
    let other = place.write("other.npy", "a list of things to do");
    assert_eq!(run(&["convert", &input, &other]).status, 0);
    assert!(fs::read(&other).unwrap().starts_with(b"\x93NUMPY"));
}

/// Any file that a command can read is protected, whatever wrote it.
#[test]
fn a_file_of_another_kind_that_commands_read_is_replaced_only_if_that_is_asked_for() {
    let place = Place::new();
    let (array, images) = (place.copy(ARRAY, "input.idx"), place.copy("idx/ok/u8-3d.idx", "images.idx"));
    let table = place.write("table.idv", fs::read(project().join("samples/trees.idv")).unwrap());
    for (input, name) in [
        (&table, "t.parquet"),
        (&table, "t.arrow"),
        (&table, "t.arrows"),
        (&table, "t.csv"),
        (&table, "t.jsonl"),
        (&array, "t.safetensors"),
        (&images, "t.png"),
        (&array, "t.zarr"),
    ] {
        let out = place.path(name);
        let ended = run(&["convert", input, &out]);
        assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
        assert_refused(&run(&["convert", input, &out]), FORCE);
        if name == "t.zarr" {
            let ended = run(&["convert", "--force", input, &out]);
            assert_eq!(ended.status, 0, "{}", ended.stderr);
            continue;
        }
        let before = fs::read(&out).unwrap();
        assert_refused(&run(&["explain", "--html", &out, &array]), FORCE);
        assert_eq!(fs::read(&out).unwrap(), before, "{name}");
        let ended = run(&["convert", "--force", input, &out]);
        assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
    }
    let (report, picture) = (place.path("t.parquet"), place.path("t.png"));
    assert_refused(&run(&["check", "--format", "parquet", "--out", &report, &array]), FORCE);
    assert_refused(&run(&["show", "--out", &picture, &images]), FORCE);
}

#[test]
fn a_folder_that_is_read_as_one_is_never_written_into() {
    let place = Place::new();
    let array = place.path("frame.b2nd");
    fs::create_dir(&array).unwrap();
    for name in ["chunks.b2frame", "00000000.chunk", "00000001.chunk"] {
        place.copy(&format!("b2nd/ok/sparse.b2nd/{name}"), &format!("frame.b2nd/{name}"));
    }
    let other = place.copy(ARRAY, "other.idx");
    let (all, link) = (place.0.path().to_str().unwrap(), place.path("link"));
    symlink(&array, &link).unwrap();
    for folder in [&array, &link] {
        for name in ["new", "00000001.chunk", "00000007.chunk"] {
            let out = format!("{folder}/{name}");
            let (picture, sliced) = (format!("{folder}/new.svg"), format!("{array}[0]"));
            for arguments in [
                &["convert", "--force", "--to", "npy", &array, &out][..],
                &["convert", "--force", "--to", "npy", &sliced, &out],
                &["explain", "--force", "--html", &out, &array],
                &["show", "--force", "--out", &picture, &sliced],
                &["diff", "--force", "--html", &out, &other, &array],
                &["merge", "--force", "--out", &out, &other, &array, &other],
                &["check", "--force", "--format", "parquet", "--out", &out, all],
                &["check", "--update-baseline", "--baseline", &out, all],
                &["seal", "--out", &out, &array],
                &["fix", "--all", "--force", "--out", folder, &other, &array],
            ] {
                let ended = run(arguments);
                assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
                let says = |words: &str| ended.stderr.contains(words);
                let is_told = says("where nothing is written") || says(NEVER);
                assert!(is_told || says("the copy would replace"), "{arguments:?}: {}", ended.stderr);
            }
        }
    }
    let mut names: Vec<_> = fs::read_dir(&array).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["00000000.chunk", "00000001.chunk", "chunks.b2frame"]);
    assert_eq!(run(&["check", &array]).status, 0);
    // The table of a directory's files may be written into it.
    let table = place.path("table.parquet");
    assert_eq!(run(&["check", "--format", "parquet", "--out", &table, all]).status, 0);
}

#[test]
fn a_page_replaces_pages_alone() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.idx");
    let page = place.path("input.idx.html");
    for _ in 0..2 {
        let ended = run(&["explain", "--html", &page, &input]);
        assert_eq!((ended.status, ended.stdout.as_str()), (0, ""));
        assert_eq!(ended.stderr, format!("wrote the page {page}\n"));
    }
    assert!(fs::read_to_string(&page).unwrap().contains("input.idx"));
    // A file that is not a page is not replaced.
    fs::write(&page, "notes").unwrap();
    assert_refused(&run(&["explain", "--html", &page, &input]), FORCE);
    assert_refused(&run(&["diff", "--html", &page, &input, &input]), FORCE);
    assert_eq!(fs::read_to_string(&page).unwrap(), "notes");
    assert_eq!(run(&["explain", "--force", "--html", &page, &input]).status, 0);
    // An empty file was created to be written to.
    fs::write(&page, "").unwrap();
    assert_eq!(run(&["explain", "--html", &page, &input]).status, 0);
    // The pages of two files and of two directories are pages.
    let (one, two) = (place.path("one"), place.path("two"));
    for folder in [&one, &two] {
        fs::create_dir(folder).unwrap();
    }
    for [old, new] in [[&input, &input], [&one, &two], [&input, &input]] {
        let ended = run(&["diff", "--html", &page, old, new]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
    }
    // In each command, the page is the value of the option; a single path is the file.
    let before = fs::read(&input).unwrap();
    let ended = run(&["explain", "--html", &input]);
    assert!(ended.status == 2 && ended.stderr.contains("--html <OUT> <PATH|RULE>"), "{}", ended.stderr);
    assert_refused(&run(&["explain", "--html", &input, &page]), FORCE);
    assert_eq!(fs::read(&input).unwrap(), before);
    assert_eq!(run(&["explain", "--html", &page, &input, "dims"]).status, 2, "a page explains the whole file");
    assert_eq!(run(&["explain", "--force", &input]).status, 2, "--force says nothing without --html");
    assert_eq!(run(&["explain", &input, &page]).status, 2, "OUT says nothing without --html");
}

#[test]
fn a_terminal_gets_no_binary_file() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.idx");
    let terminal = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY).unwrap();
    rustix::pty::grantpt(&terminal).unwrap();
    rustix::pty::unlockpt(&terminal).unwrap();
    let name = rustix::pty::ptsname(&terminal, Vec::new()).unwrap();
    let screen = || File::from(rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
    let held = screen();
    let ended = command(&["convert", "--to", "npy", &input, "-"]).stdout(screen()).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("is a terminal"), "{ended:?}");
    let ended = command(&["convert", "--force", "--to", "npy", &input, "-"]).stdout(screen()).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let mut shown = vec![0; 6];
    File::from(terminal).read_exact(&mut shown).unwrap();
    assert_eq!(shown, b"\x93NUMPY", "nothing was shown before");
    drop(held);
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error_in_a_sentence() {
    let input = corpus::root().join("npy/ok/bool.npy");
    let input = input.to_str().unwrap();
    for arguments in [&["check", "--json", input][..], &["cat", input], &["info", input], &["rules"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ended = command(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said, "error: standard output: No space left on device (os error 28)\n", "{arguments:?}");
    }
}

#[test]
fn a_bomb_is_not_written() {
    let place = Place::new();
    let bomb = place.zeros(1 << 40);
    assert_eq!(fs::metadata(&bomb).unwrap().len(), 221);
    for arguments in [
        &["convert", &bomb, &place.path("out.npy")][..],
        &["convert", "--to", "npy", &bomb, "-"],
        &["cat", "--json", &bomb],
    ] {
        let ended = run(arguments);
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(ended.stderr.contains("limit-exceeded") && ended.stderr.contains("--max-output"), "{}", ended.stderr);
    }
    assert_eq!(place.names().len(), 1);
    let array = ndbytes::open(&bomb).unwrap().into_array().unwrap();
    let finding = |result: ndbytes::Result<()>| result.unwrap_err().finding().map(|finding| finding.rule.id);
    assert_eq!(finding(array.write_npy(Vec::new(), &Limits::default())), Some("limit-exceeded"));
    assert_eq!(finding(array.export(place.path("out.npy"), &Limits::default())), Some("limit-exceeded"));
    assert_eq!(finding(array.items().write_npy(Vec::new(), &Limits::default())), Some("limit-exceeded"));
}

#[test]
fn a_conversion_without_room_on_disk_is_refused() {
    let place = Place::new();
    let out = place.path("out.npy");
    // The file would be larger than any disk.
    let ended = run(&["convert", "--max-output", "8388607T", &place.zeros(1 << 52), &out]);
    assert_refused(&ended, "are free");
    assert_eq!(place.names().len(), 1);
}

#[test]
fn printing_stops_at_the_output_limit() {
    let place = Place::new();
    let input = place.copy(ARRAY, "input.idx");
    for arguments in [
        &["info", &input][..],
        &["explain", &input],
        &["explain", "--json", &input],
        &["cat", &input],
        &["cat", "--json", &input],
        &["explain", "--html", "-", &input],
        &["rules"],
    ] {
        let whole = run(arguments);
        assert_eq!(whole.status, 0);
        let limited = |bytes: usize| run(&[arguments, &["--max-output", &bytes.to_string()]].concat());
        let enough = limited(whole.stdout.len());
        assert_eq!((enough.status, &enough.stdout), (0, &whole.stdout), "{arguments:?}");
        let less = limited(whole.stdout.len() - 1);
        assert_eq!(less.status, 1, "{arguments:?}");
        assert!(less.stdout.len() < whole.stdout.len() && whole.stdout.starts_with(&less.stdout), "{arguments:?}");
        assert!(less.stderr.contains("--max-output"), "{arguments:?}: {}", less.stderr);
    }
    let page = place.path("page.html");
    assert_eq!(run(&["explain", "--max-output", "100", "--html", &page, &input]).status, 1);
    assert!(!Path::new(&page).exists());
}

#[test]
fn zeros_take_no_room_on_disk() {
    let place = Place::new();
    let (zeros, out) = (place.zeros(1 << 28), place.path("out.npy"));
    assert_eq!(run(&["convert", &zeros, &out]).status, 0);
    let metadata = fs::metadata(&out).unwrap();
    assert_eq!(metadata.len(), 128 + (1 << 28));
    assert!(metadata.blocks() * 512 < 1 << 20, "{} blocks", metadata.blocks());
    let bytes = fs::read(&out).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY") && bytes[128..].iter().all(|byte| *byte == 0));

    // The numbers include runs of zeros of all lengths.
    let mut numbers = Array1::<u8>::zeros(300_000);
    for (place, length) in (0..).map(|step: usize| (step * 7001, step * 331)).take_while(|(place, _)| *place < 290_000)
    {
        numbers.iter_mut().skip(place).take(length).for_each(|number| *number = 7);
    }
    let array = place.path("array.b2nd");
    b2nd::write(&array, &numbers).unwrap();
    assert_eq!(run(&["convert", "--force", &array, &out]).status, 0);
    assert_eq!(fs::read(&out).unwrap()[128..], *numbers.as_slice().unwrap());
}

/// Starts a conversion that takes long enough to be interrupted, and returns once the file has been started.
///
/// The large number of chunks takes the time. The array itself is small, so it fits on any disk.
fn begun(place: &Place, out: &str) -> Child {
    let input = place.zeros_in_chunks(1 << 26, 1 << 4);
    let before = place.unfinished().len();
    let mut slow = command(&["convert", &input, out]);
    let mut child = slow.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while place.unfinished().len() == before {
        assert!(child.try_wait().unwrap().is_none(), "it is converted before anybody looks");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Makes signals that this process ignores end its children, as if a user had started them.
///
/// Shells ignore some signals for background jobs, and children inherit that. They do not inherit handlers, so a signal
/// that is handled here has its default effect in a child. The handler itself emulates the default.
fn end_children_by_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let always = Arc::new(AtomicBool::new(true));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&always)).unwrap();
    }
}

fn signal(child: &mut Child, signal: rustix::process::Signal) -> Option<i32> {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
    child.wait().unwrap().signal()
}

#[test]
fn a_signal_leaves_nothing() {
    use rustix::process::Signal;
    end_children_by_signals();
    for (sent, number) in [(Signal::INT, 2), (Signal::TERM, 15), (Signal::HUP, 1)] {
        let place = Place::new();
        let out = place.write("out.npy", "what was there");
        let mut child = begun(&place, &out);
        assert_eq!(signal(&mut child, sent), Some(number));
        assert!(place.unfinished().is_empty(), "{:?}", place.names());
        assert_eq!(fs::read_to_string(&out).unwrap(), "what was there");
    }
}

#[test]
fn the_next_writer_removes_what_a_killed_one_has_left() {
    let place = Place::new();
    let (input, out) = (place.copy(ARRAY, "input.idx"), place.path("out.npy"));
    let (mut killed, mut living) = (begun(&place, &out), begun(&place, &out));
    let mut other = begun(&place, &place.path("other.npy"));
    for child in [&mut killed, &mut other] {
        signal(child, rustix::process::Signal::KILL);
    }
    assert_eq!(place.unfinished().len(), 3);
    assert_eq!(run(&["convert", &input, &out]).status, 0);
    // Files of the running process and of other targets stay.
    assert_eq!(place.unfinished().len(), 2);
    signal(&mut living, rustix::process::Signal::KILL);
    assert_eq!(run(&["convert", "--force", &input, &out]).status, 0);
    assert_eq!(place.unfinished().len(), 1);
    assert_eq!(run(&["convert", &input, &place.path("other.npy")]).status, 0);
    assert!(place.unfinished().is_empty());
}
