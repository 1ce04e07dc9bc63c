//! The chromedriver that all tests share, and sessions of it.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

/// Runs chromedriver until the tests end in any way: its input ends then, all browsers are killed with its process
/// group, and their files are removed.
const KEEPER: &str = r#"
    folder=$(mktemp -d) || exit
    TMPDIR=$folder setsid chromedriver --port=0 &
    driver=$!
    exec >/dev/null
    cat
    kill -KILL "-$driver"
    wait
    rm -rf "$folder"
"#;

/// The number of attempts to start chromedriver.
const ATTEMPTS: usize = 5;

struct Driver {
    url: String,
    /// Its input stays open as long as the tests run.
    _shell: Child,
    _output: BufReader<ChildStdout>,
}

/// Runs what the tests ask of the browser. They wait for each answer.
pub fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads can be started")
    })
}

/// Browsers of ended tests: starting one takes a second of processor time.
static IDLE: Mutex<Vec<Client>> = Mutex::new(Vec::new());

/// A browser with one empty tab.
pub fn browser() -> Client {
    let idle = IDLE.lock().expect("no test panics here").pop();
    idle.unwrap_or_else(|| start_browser(None))
}

/// Takes back what [`browser`] has given.
pub fn give_back(client: Client) {
    let cleared = runtime().block_on(clear(&client));
    match cleared {
        Ok(()) => IDLE.lock().expect("no test panics here").push(client),
        Err(error) => {
            eprintln!("a browser could not be cleared and is closed: {error}");
            let _ = runtime().block_on(client.close());
        }
    }
}

/// Closes all tabs, with which emulation and added scripts end, and deletes what the pages in them have stored.
/// Origins that a tab has left are not cleared: each board has a port of its own, so later tests do not see them.
async fn clear(client: &Client) -> Result<(), CmdError> {
    let used = client.windows().await?;
    let fresh = client.new_window(true).await?.handle;
    let mut origins = Vec::new();
    for tab in used {
        client.switch_to_window(tab).await?;
        origins.push(client.execute("return location.origin", vec![]).await?);
        client.close_window().await?;
    }
    client.switch_to_window(fresh).await?;
    for origin in origins {
        let parameters = json!({"origin": origin, "storageTypes": "all"});
        client.issue_cmd(Extension::developer("Storage.clearDataForOrigin", &parameters)).await?;
    }
    for (command, parameters) in [
        ("Network.clearBrowserCache", json!({})),
        ("Network.clearBrowserCookies", json!({})),
        ("Browser.resetPermissions", json!({})),
        ("Browser.setDownloadBehavior", json!({"behavior": "default"})),
    ] {
        client.issue_cmd(Extension::developer(command, &parameters)).await?;
    }
    client.issue_cmd(Extension::log()).await.map(drop)
}

/// A command beyond the standard's.
#[derive(Debug)]
pub struct Extension {
    path: &'static str,
    body: Value,
}

impl Extension {
    /// A command of Chromium's developer protocol.
    pub fn developer(command: &str, parameters: &Value) -> Extension {
        Extension { path: "goog/cdp/execute", body: json!({"cmd": command, "params": parameters}) }
    }

    /// The browser's new log entries.
    pub fn log() -> Extension {
        Extension { path: "se/log", body: json!({"type": "browser"}) }
    }
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

/// A new browser, with a profile of its own unless it is given the folder of one.
pub fn start_browser(profile: Option<&Path>) -> Client {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    let driver = DRIVER.get_or_init(|| (0..ATTEMPTS).find_map(|_| attempt()).expect("chromedriver starts"));
    let session = async {
        ClientBuilder::new(HttpConnector::new()).capabilities(capabilities(profile)).connect(&driver.url).await
    };
    runtime().block_on(session).expect("Chromium starts")
}

/// Starts chromedriver on a port of its choice; none if it ends at once, as when another program takes that port first.
fn attempt() -> Option<Driver> {
    let mut child = Command::new("sh")
        .args(["-c", KEEPER])
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("there is a shell");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    let port = loop {
        line.clear();
        if output.read_line(&mut line).expect("it is text") == 0 {
            child.wait().expect("it has ended");
            return None;
        }
        if let Some((_, port)) = line.trim_end().trim_end_matches('.').split_once("successfully on port ") {
            break port.to_owned();
        }
    };
    let url = format!("http://127.0.0.1:{port}");
    Some(Driver { url, _shell: child, _output: output })
}

/// Chromium without a window, tabs and menus of its own, if it is installed: a test takes three quarters of the
/// processor time. With a given profile it opens no tab at the start, and chromedriver expects one.
fn headless_shell() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("chromium-headless-shell")).find(|shell| shell.exists())
}

fn capabilities(profile: Option<&Path>) -> Capabilities {
    let mut options = json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--no-first-run", "--force-prefers-reduced-motion", "--lang=en-US",
            "--window-size=1280,900",
        ]},
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    if let (Some(profile), Some(args)) = (profile, options["goog:chromeOptions"]["args"].as_array_mut()) {
        args.push(format!("--user-data-dir={}", profile.display()).into());
    } else if let Some(shell) = headless_shell() {
        options["goog:chromeOptions"]["binary"] = shell.to_string_lossy().into();
    }
    let serde_json::Value::Object(options) = options else { unreachable!("it is written above") };
    options
}
