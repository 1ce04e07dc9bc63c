use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use super::EngineSpec;

/// A line longer than this is no protocol's, and is not read to its end.
const MAX_LINE: u64 = 64 * 1024;

/// Lines that wait to be looked at. An engine that writes more while nobody listens has to wait itself.
const MAX_WAITING: usize = 1_024;

/// How long an engine may take to end once it is told to.
const QUIT_GRACE: Duration = Duration::from_millis(1_000);

/// Something that came from an engine's standard output.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// A line without its end, and when it was there.
    Line { text: String, at: Instant },
    /// A line that does not end.
    TooLong,
    /// The output was closed, with an unfinished line before it or not.
    Closed { unfinished: bool },
}

/// An engine's process: lines in, lines out, and nothing left of it at the end.
///
/// Reading and writing have a thread each, so that an engine that writes without end, or does not read, cannot hold up the
/// game.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    /// What ended the output, once it has ended.
    end: Option<Output>,
}

impl Process {
    /// Starts an engine in a process group of its own.
    pub fn start(spec: &EngineSpec) -> io::Result<Process> {
        let mut command = Command::new(&spec.command);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(match &spec.stderr {
            Some(path) => Stdio::from(File::options().create(true).append(true).open(path)?),
            None => Stdio::null(),
        });
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // A terminal sends its interrupt to a whole group: the runner decides when its engines end. And a group can be
        // killed as one, with whatever the engine has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (stdin, stdout) = child.stdin.take().zip(child.stdout.take()).expect("both are piped");
        let (input, to_write) = channel();
        thread::spawn(move || write_lines(stdin, &to_write));
        let (read, output) = sync_channel(MAX_WAITING);
        thread::spawn(move || read_lines(stdout, &read));
        Ok(Process { child, input: Some(input), output, end: None })
    }

    /// Sends lines, each of which ends with a newline. It is no error if nobody reads: the answer will be missed.
    pub fn send(&self, lines: String) {
        if let Some(input) = &self.input {
            let _ = input.send(lines);
        }
    }

    /// The next output, waiting for it until a time; none if nothing came.
    pub fn next(&mut self, until: Instant) -> Option<Output> {
        if self.end.is_some() {
            return self.end.clone();
        }
        // What is there already counts, however late it is looked at.
        let next = match self.output.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(output) => output,
            Err(RecvTimeoutError::Timeout) => return None,
            // The reader's last word has been heard.
            Err(RecvTimeoutError::Disconnected) => Output::Closed { unfinished: false },
        };
        if !matches!(next, Output::Line { .. }) {
            self.end = Some(next.clone());
        }
        Some(next)
    }

    /// How the process ended, if it does so within a time.
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

    /// Tells the engine to quit, and sees to it that it does.
    pub fn quit(mut self) {
        self.send("quit\n".to_owned());
        // Its input ends with the last line.
        self.input = None;
        self.exit_status(QUIT_GRACE);
    }

    /// Kills the process with everything that it has started.
    fn kill(&mut self) {
        // What has left the group is found as a descendant, as long as those between still live.
        let is_running = matches!(self.child.try_wait(), Ok(None));
        let left = is_running.then(|| descendants(self.child.id())).flatten();
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // No such group: nothing is left in it. Nor can it be somebody else's: a number is given again only after
            // all others were.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some((system, processes)) = left {
            processes.into_iter().filter_map(|pid| system.process(pid)).for_each(|process| {
                process.kill();
            });
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// All processes that descend from one, where the system tells.
fn descendants(process: u32) -> Option<(System, Vec<Pid>)> {
    let mut system = System::new().ok()?;
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, ProcessRefreshKind::nothing());
    let mut found = vec![Pid::from_u32(process)];
    let mut looked_at = 0;
    while looked_at < found.len() {
        let parent = found[looked_at];
        looked_at += 1;
        let children = system.processes().values().filter(|process| process.parent() == Some(parent));
        let new: Vec<Pid> = children.map(|process| process.pid()).filter(|pid| !found.contains(pid)).collect();
        found.extend(new);
    }
    found.remove(0);
    Some((system, found))
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        // Nobody reads any more. What that means is seen at the other end.
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, send: &SyncSender<Output>) {
    let mut reader = BufReader::with_capacity(MAX_LINE as usize, stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        // An error is the end of the output, as is nothing at all.
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
