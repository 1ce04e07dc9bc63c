//! Engines as child processes: line-based I/O on separate threads, and killing a process with all its descendants.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

use super::EngineSpec;
use crate::work::{ThreadError, lock};

/// The longest line that is read, in bytes. No protocol has longer ones.
const MAX_LINE: u64 = 32 * 1024;

/// The maximum number of queued lines. An engine that writes more blocks until the runner reads.
const MAX_WAITING: usize = 256;

/// The time for an engine to exit after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(1_000);

/// The environment variable that marks an engine and its child processes, so that they can be found.
const MARK: &str = "JUDKINS_MATCH_ENGINE";

/// The marks of the running engines.
static RUNNING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Whether [`kill_all_engines`] was called.
static ALL_KILLED: AtomicBool = AtomicBool::new(false);

/// An item of an engine's standard output.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// A line without its line end, and its time of arrival.
    Line { text: String, at: Instant },
    /// A line longer than [`MAX_LINE`].
    TooLong,
    /// The output was closed, possibly after an unfinished line.
    Closed { unfinished: bool },
}

/// An engine's process: lines in, lines out. Dropping it kills the engine and its child processes.
///
/// Reading and writing each have a thread, so an engine that writes endlessly, or does not read, cannot hold up the
/// game.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    mark: String,
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    /// The end of the output, once it is reached.
    end: Option<Output>,
    /// The last message on its standard error, unless that goes to a file.
    complaint: Arc<Mutex<String>>,
}

impl Process {
    /// Starts an engine in a process group of its own.
    pub fn start(spec: &EngineSpec) -> io::Result<Process> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mark = format!("{}.{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(&spec.command);
        command.args(&spec.arguments).env(MARK, &mark).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match &spec.stderr {
            Some(path) => Stdio::from(named(File::options().create(true).append(true).open(path), "stderr", path)?),
            None => Stdio::piped(),
        });
        if let Some(directory) = &spec.directory {
            // Otherwise the error would look as if the program were missing.
            named(std::fs::metadata(directory.join(".")), "dir", directory)?;
            command.current_dir(directory);
        }
        #[cfg(any(unix, windows))]
        detach(&mut command);
        // Killing all engines must find this one from its first moment.
        lock(&RUNNING).insert(mark.clone());
        let mut child = command.spawn().inspect_err(|_| {
            lock(&RUNNING).remove(&mark);
        })?;
        let (stdin, stdout) = child.stdin.take().zip(child.stdout.take()).expect("both are piped");
        let stderr = child.stderr.take();
        let (input, to_write) = channel();
        let (read, output) = sync_channel(MAX_WAITING);
        let complaint = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&complaint);
        // If a thread cannot be started, dropping `process` kills the engine.
        let process = Process { child, mark, input: Some(input), output, end: None, complaint };
        start_thread(move || write_lines(stdin, &to_write))?;
        start_thread(move || read_lines(stdout, &read))?;
        if let Some(stderr) = stderr {
            start_thread(move || keep_last_line(stderr, &last))?;
        }
        Ok(process)
    }

    /// Sends lines, each of which ends with a newline. A closed pipe is not reported here, but as a missing answer.
    pub fn send(&self, lines: String) {
        if let Some(input) = &self.input {
            let _ = input.send(lines);
        }
    }

    /// Waits for the next output until `until`; none if there is none.
    pub fn next(&mut self, until: Instant) -> Option<Output> {
        if self.end.is_some() {
            return self.end.clone();
        }
        // Queued output counts even if it is read late.
        let next = match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(output) => output,
            Err(RecvTimeoutError::Timeout) => return None,
            // The reader has ended, and the queue is empty.
            Err(RecvTimeoutError::Disconnected) => Output::Closed { unfinished: false },
        };
        if !matches!(next, Output::Line { .. }) {
            self.end = Some(next.clone());
        }
        Some(next)
    }

    /// The exit status, if the process exits within a time.
    pub fn exit_status(&mut self, within: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + within;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                _ if Instant::now() >= end => return None,
                _ => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// The last line of its standard error; empty if there is none. Waits briefly for it if the process has just
    /// exited.
    pub fn complaint(&self, within: Duration) -> String {
        // The reader releases it at the end of the output, which a child process may hold open.
        let end = Instant::now() + within;
        while Arc::strong_count(&self.complaint) > 1 && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        lock(&self.complaint).clone()
    }

    /// Whether [`kill_all_engines`] has killed it.
    pub fn is_killed() -> bool {
        ALL_KILLED.load(Ordering::Relaxed)
    }

    /// Sends `quit`, and kills the engine if it does not exit in time.
    pub fn quit(mut self) {
        self.send("quit\n".to_owned());
        // Close its input after the last line.
        self.input = None;
        self.exit_status(QUIT_GRACE);
    }
}

/// Kills the process and its child processes.
impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // An error means that the group is empty. Its number is very unlikely to be in use again, since the system
            // assigns numbers in ascending order.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        kill_marked(|mark| mark == self.mark);
        lock(&RUNNING).remove(&self.mark);
    }
}

/// Kills every running engine and its child processes, without `quit`.
pub fn kill_all_engines() {
    ALL_KILLED.store(true, Ordering::Relaxed);
    let marks = lock(&RUNNING).clone();
    kill_marked(|mark| marks.contains(mark));
}

/// Kills the marked processes, including those that have left their engine's process group.
fn kill_marked(is_meant: impl Fn(&str) -> bool) {
    // Where processes cannot be listed, killing the group must suffice.
    let Ok(mut system) = System::new() else { return };
    let kind = ProcessRefreshKind::nothing().without_tasks().with_environ(UpdateKind::Always);
    // Repeat, because processes may have been started meanwhile.
    for _ in 0..3 {
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let mut found = false;
        for process in system.processes().values() {
            let marks =
                process.environ().iter().filter_map(|entry| entry.to_str()?.strip_prefix(MARK)?.strip_prefix('='));
            if marks.into_iter().any(&is_meant) {
                found |= process.kill();
            }
        }
        if !found {
            return;
        }
    }
}

/// Puts a process into a separate group, which can be killed as one. A terminal sends its interrupt to a whole group,
/// but the runner decides when its engines end.
#[cfg(unix)]
fn detach(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    // An engine that hangs must not outlive a killed runner: it would slow down the next measurement.
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec only async-signal-safe calls are allowed; this is one system call.
    unsafe {
        command.pre_exec(|| {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
                .map_err(io::Error::from)
        });
    }
}

/// Gives a process a console of its own, without a window. Windows tells every process of a console of an interrupt or
/// of its end, but the runner decides when its engines end.
#[cfg(windows)]
fn detach(command: &mut Command) {
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NO_WINDOW);
}

/// Adds the key of the specification and the path to an error.
fn named<T>(result: io::Result<T>, key: &str, path: &Path) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{key}={}: {error}", path.display())))
}

fn start_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(work).map(drop).map_err(|error| io::Error::other(ThreadError::from(error)))
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        // The engine has closed its input. The reason shows in its output.
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads to the end, so that the engine does not block, and keeps the last line that is neither empty nor a note.
fn keep_last_line(stderr: ChildStderr, last: &Mutex<String>) {
    let mut reader = BufReader::new(stderr);
    let mut line = Vec::new();
    while (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let text = String::from_utf8_lossy(&line);
        // Rust's panics end with this note, after the message.
        if !text.trim().is_empty() && !text.starts_with("note: run with `RUST_BACKTRACE=") {
            text.trim().clone_into(&mut lock(last));
        }
        line.clear();
    }
}

fn read_lines(stdout: ChildStdout, send: &SyncSender<Output>) {
    let mut reader = BufReader::with_capacity(MAX_LINE as usize, stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        // Treat an error as the end of the output.
        let read = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line);
        let at = Instant::now();
        let next = match read {
            Ok(_) if line.last() == Some(&b'\n') => {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                Output::Line { text, at }
            }
            Ok(length) if length as u64 == MAX_LINE => Output::TooLong,
            _ => Output::Closed { unfinished: !line.is_empty() },
        };
        let last = !matches!(next, Output::Line { .. });
        if send.send(next).is_err() || last {
            return;
        }
    }
}
