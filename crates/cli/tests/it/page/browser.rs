//! A real browser that is controlled through pipes, without a crate or a socket.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tempfile::TempDir;

/// The browser communicates over descriptors 3 and 4, which are connected to its standard input and output here.
const START: &str = "exec chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
    --user-data-dir=\"$0\" --remote-debugging-pipe 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";

/// The browser. It ends when its pipes are closed, which is at the end of this process.
pub struct Browser {
    _child: Child,
    _profile: TempDir,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last: u64,
    events: VecDeque<Value>,
}

/// Returns the browser for all tests, which is shared because it takes a second to start. `None` if there is none.
pub fn browser() -> Option<MutexGuard<'static, Browser>> {
    static BROWSER: OnceLock<Option<Mutex<Browser>>> = OnceLock::new();
    let found = BROWSER.get_or_init(|| Browser::start().map(Mutex::new));
    if found.is_none() {
        println!("skipped: no chromium");
    }
    Some(found.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Browser {
    fn start() -> Option<Self> {
        Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", START]).arg(profile.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Some(Browser { _child: child, _profile: profile, stdin, stdout, last: 0, events: VecDeque::new() })
    }

    fn message(&mut self) -> Value {
        let mut message = Vec::new();
        self.stdout.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&message).unwrap()
    }

    fn call(&mut self, session: Option<&str>, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.stdin.write_all(message.to_string().as_bytes()).unwrap();
        self.stdin.write_all(&[0]).unwrap();
        loop {
            let mut answer = self.message();
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push_back(answer);
        }
    }

    /// Opens a page in a new tab.
    pub fn open(&mut self, page: &Path, width: u32) -> Tab<'_> {
        let target = self.call(None, "Target.createTarget", json!({ "url": "about:blank" }));
        let target = target["targetId"].as_str().unwrap().to_owned();
        let attached = self.call(None, "Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        let session = attached["sessionId"].as_str().unwrap().to_owned();
        self.events.clear();
        let mut tab = Tab { browser: self, target, session };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), json!({}));
        }
        tab.resize(width);
        tab.go(&format!("file://{}", page.display()));
        tab
    }
}

/// A page in the browser.
pub struct Tab<'b> {
    browser: &'b mut Browser,
    target: String,
    session: String,
}

impl Tab<'_> {
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.browser.call(Some(&self.session), method, parameters)
    }

    pub fn resize(&mut self, width: u32) {
        let size = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.settle();
    }

    pub fn go(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
        // Otherwise, the initial empty document would answer.
        while !self.browser.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.browser.message();
            self.browser.events.push_back(event);
        }
        self.settle();
    }

    /// Waits until the work of the next frames is done.
    fn settle(&mut self) {
        let frame =
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))";
        self.call("Runtime.evaluate", json!({ "expression": frame, "awaitPromise": true }));
    }

    /// Returns the value of an expression.
    pub fn ask(&mut self, expression: &str) -> Value {
        let question = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", question);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// The text of the first element that matches a selector.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.ask(&format!("document.querySelector({selector:?})?.textContent ?? 'no such element'"));
        text.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true. The limit of ten minutes is for a page that hangs; no page takes that long,
    /// even on a busy machine.
    pub fn wait(&mut self, expression: &str) {
        let question = format!(
            "new Promise(done => {{ const end = Date.now() + 600000; \
             const look = () => ({expression}) ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 10); look(); }})"
        );
        if self.ask(&question) != true {
            let shown: String = self.text("body").chars().take(2000).collect();
            panic!("{expression}: {shown}");
        }
    }

    /// Selects files in a file field.
    pub fn choose_files(&mut self, selector: &str, files: &[PathBuf]) {
        let element = json!({ "expression": format!("document.querySelector({selector:?})") });
        let object = self.call("Runtime.evaluate", element)["result"]["objectId"].clone();
        self.call("DOM.setFileInputFiles", json!({ "objectId": object, "files": files }));
    }

    /// Switches to light or dark at once, because colours in a transition would differ for a while.
    pub fn colours(&mut self, scheme: &str) {
        let features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")];
        let features = features.map(|(name, value)| json!({ "name": name, "value": value }));
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.settle();
    }

    /// Moves the pointer over an element, and clicks on request.
    pub fn point(&mut self, selector: &str, click: bool) {
        let place = self.ask(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); element.scrollIntoView({{ block: 'nearest' }}); \
             const {{ left, top, width, height }} = element.getBoundingClientRect(); \
             return [left + width / 2, top + height / 2]; }})()"
        ));
        let types: &[&str] = if click { &["mouseMoved", "mousePressed", "mouseReleased"] } else { &["mouseMoved"] };
        for r#type in types {
            let event = json!({ "type": r#type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Presses keys in order, such as `ArrowDown` or a letter.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let mut event = json!({ "type": "keyDown", "key": key });
            if key.chars().count() == 1 {
                event["text"] = (*key).into();
            }
            if *key == "Enter" {
                event["text"] = "\r".into();
            }
            self.call("Input.dispatchKeyEvent", event);
            self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        }
        self.settle();
    }

    pub fn is_too_wide(&mut self) -> bool {
        self.ask("document.documentElement.scrollWidth > innerWidth").as_bool().unwrap()
    }

    /// Returns requests for anything but the page, errors, console output, and dialogs.
    pub fn complaints(&mut self, page: &Path) -> Vec<Value> {
        let page = format!("file://{}", page.display());
        let is_bad = |event: &&Value| match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown"
            | "Log.entryAdded"
            | "Runtime.consoleAPICalled"
            | "Page.javascriptDialogOpening" => true,
            "Network.requestWillBeSent" => {
                // Drawings and workers are part of the page itself.
                let own = [page.as_str(), "data:image/svg+xml,", "blob:", "about:srcdoc"];
                let url = event["params"]["request"]["url"].as_str().unwrap();
                !own.iter().any(|own| url.starts_with(own))
            }
            _ => false,
        };
        self.browser.events.iter().filter(is_bad).cloned().collect()
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.browser.call(None, "Target.closeTarget", json!({ "targetId": self.target }));
        }
    }
}
