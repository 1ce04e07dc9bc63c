//! A board in a folder of its own.

use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::processes::{engines_of, kill_with_engines, scripted_engine, spawn};
use crate::static_host::StaticHost;

/// Names the folder of the site that the tests run on, in place of a program's board.
const SITE: &str = "JUDKINS_SITE";

/// The folder of the site, if the tests run on one.
pub fn site_folder() -> Option<PathBuf> {
    // Cargo runs tests in the package's folder, wherever it is called from.
    std::env::var_os(SITE).map(|folder| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder))
}

/// A script that takes hold of what connects the page, a `Link` of a program's board or of a site: `said` and `heard`
/// are what its messages hold, `send` is how it sends, and `other` sends a request as another page.
pub fn link(script: &str) -> String {
    let names = if site_folder().is_some() {
        "const Link = BroadcastChannel, send = 'postMessage';
        const said = ({ text }) => JSON.parse(text ?? '{}');
        const heard = (text) => ({ to: null, text });
        const other = (request) => {
            const channel = new Link('judkins-board');
            channel.postMessage({ client: 7, type: 'request', text: JSON.stringify(request) });
        };"
    } else {
        "const Link = WebSocket, send = 'send';
        const said = JSON.parse;
        const heard = (text) => text;
        const other = (request) => {
            const socket = new Link(`ws://${location.host}/ws${location.search}`);
            socket.onopen = () => socket.send(JSON.stringify(request));
        };"
    };
    format!("{{ {names} {script} }}")
}

/// `say` says what the program would say; `told` holds the last message of each type, and `asked` all requests.
const TAP: &str = "window.told = {}; window.asked = [];
const listen = Link.prototype.addEventListener;
Link.prototype.addEventListener = function (name, listener) {
    if (name !== 'message') return listen.call(this, name, listener);
    window.say = (message) => listener({ data: heard(JSON.stringify(message)) });
    return listen.call(this, name, (event) => {
        const message = said(event.data);
        told[message.type] = message;
        listener(event);
    });
};
const ask = Link.prototype[send];
Link.prototype[send] = function (data) {
    asked.push(said(data));
    return ask.call(this, data);
};";

/// The script that taps the connection: see [`TAP`].
pub fn tap() -> String {
    link(TAP)
}

/// A running board, killed at the end; or the site, which needs none.
pub struct Board {
    child: Option<Child>,
    /// Where the page is, with its token.
    pub url: String,
    arguments: Vec<String>,
    folder: TempDir,
}

impl Board {
    /// A board with this program as its engine.
    pub fn start() -> Board {
        let Some(folder) = site_folder() else { return Board::with(Vec::new()) };
        let url = StaticHost::start(&folder).url;
        Board { child: None, url, arguments: Vec::new(), folder: tempfile::tempdir().expect("there is room") }
    }

    /// A board with the scripted engine of this manner.
    pub fn scripted(manner: &str) -> Board {
        Board::with(scripted_engine(manner).into())
    }

    /// A board with two scripted engines of this manner: "script" and "other".
    pub fn scripted_pair(manner: &str) -> Board {
        let one = scripted_engine(manner);
        let other = one.clone().map(|argument| argument.replace("name=script", "name=other"));
        Board::with([one, other].concat())
    }

    /// A board with this program as two engines.
    pub fn pair() -> Board {
        let engine = |name| format!("cmd={},name={name},option.Threads=1", env!("CARGO_BIN_EXE_judkins"));
        Board::with(["one", "two"].into_iter().flat_map(|name| ["--engine".to_owned(), engine(name)]).collect())
    }

    /// A board that other devices find at this address.
    pub fn listening(address: &str) -> Board {
        Board::with(["--listen", address].map(str::to_owned).into())
    }

    fn with(arguments: Vec<String>) -> Board {
        assert!(site_folder().is_none(), "the site runs no such engines: only site:: and site_too:: run there");
        let folder = tempfile::tempdir().expect("there is room");
        let (child, url) = spawn(&arguments, "0", folder.path());
        Board { child: Some(child), url, arguments, folder }
    }

    pub fn origin(&self) -> &str {
        self.url.split("/?").next().unwrap_or_default()
    }

    fn child(&self) -> &Child {
        self.child.as_ref().expect("a program runs: only site:: and site_too:: run on the site")
    }

    /// Kills the program without a warning. The site's ends with its page.
    pub fn kill(&mut self) {
        self.child.iter_mut().for_each(kill_with_engines);
    }

    /// Kills its engines without a warning.
    pub fn kill_engines(&self) {
        let engines = engines_of(self.child().id());
        let status = Command::new("kill").arg("-KILL").args(engines.keys()).status();
        assert!(status.is_ok_and(|status| status.success()), "engines run: {engines:?}");
    }

    /// The processor time that its engines have used, in ticks of the system.
    fn engine_time(&self) -> u64 {
        let time_of = |engine: &String| -> Option<u64> {
            let stat = std::fs::read_to_string(format!("/proc/{engine}/stat")).ok()?;
            // The name in brackets may hold anything; user and system time are the 14th and 15th field.
            let (_, fields) = stat.rsplit_once(')')?;
            fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok()).sum()
        };
        engines_of(self.child().id()).keys().filter_map(time_of).sum()
    }

    /// Waits until its engines rest: some moments pass in which they use no time.
    pub fn wait_for_rest(&self) {
        let end = Instant::now() + Duration::from_secs(40);
        let (mut since, mut used) = (Instant::now(), self.engine_time());
        while since.elapsed() < Duration::from_millis(1_500) {
            assert!(Instant::now() < end, "the engines never rest");
            std::thread::sleep(Duration::from_millis(50));
            let now = self.engine_time();
            if now != used {
                (since, used) = (Instant::now(), now);
            }
        }
    }

    /// Starts it again on the same port, with the same data.
    pub fn restart(&mut self) {
        if self.child.is_none() {
            return;
        }
        let port = self.origin().rsplit(':').next().unwrap_or_default().to_owned();
        let (child, url) = spawn(&self.arguments, &port, self.folder.path());
        (self.child, self.url) = (Some(child), url);
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.kill();
    }
}
