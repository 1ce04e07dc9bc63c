//! Reads a file of games while it grows.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::board::state::{Followed, known_format};
use crate::record::Format;

/// The interval at which a growing file is checked.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// Reads the games of a file, and for a match the games added to it, until it is told to stop or nobody listens.
pub fn follow(path: &Path, stop: &AtomicBool, mut tell: impl FnMut(Followed) -> bool) -> io::Result<()> {
    let (mut offset, mut lines) = (0, 0);
    let mut is_new = false;
    // The beginning of the file determines the format, which does not change.
    let mut known = None;
    while !stop.load(Ordering::Relaxed) {
        let mut file = match File::open(path) {
            // The match may begin anew.
            Err(error) if (offset > 0 || is_new) && error.kind() == io::ErrorKind::NotFound => {
                (offset, lines, is_new, known) = (0, 0, true, None);
                std::thread::sleep(LOOK_INTERVAL);
                continue;
            }
            file => file?,
        };
        let length = file.metadata()?.len();
        if length < offset {
            (offset, lines, is_new, known) = (0, 0, true, None);
        }
        if length > offset {
            file.seek(SeekFrom::Start(offset))?;
            let mut text = Vec::new();
            BufReader::new(file).take(length - offset).read_to_end(&mut text)?;
            known = known.or_else(|| known_format(&text));
            let format = known.unwrap_or(Format::Match);
            if format == Format::Match {
                // The line being written is read next time.
                text.truncate(text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
            }
            if !text.is_empty() {
                let (length, ends) = (text.len() as u64, text.iter().filter(|&&byte| byte == b'\n').count());
                for part in Followed::parts(text, format, (offset, lines), std::mem::take(&mut is_new)) {
                    if !tell(part) {
                        return Ok(());
                    }
                }
                offset += length;
                lines += ends;
            }
            if format != Format::Match {
                return Ok(());
            }
        }
        std::thread::sleep(LOOK_INTERVAL);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "{\"black\":{\"name\":\"a\"},\"white\":{\"name\":\"b\"},\"moves\":[\"6e6d\"],\"result\":\"1-0\"}\n";

    #[test]
    fn a_line_that_is_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (begun, rest) = LINE.split_at(3);
        std::fs::write(&path, begun).unwrap();
        let (stop, grows) = (AtomicBool::new(false), path.clone());
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut file = File::options().append(true).open(&grows).unwrap();
                for text in [rest, begun, rest] {
                    std::thread::sleep(2 * LOOK_INTERVAL);
                    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
                }
            });
            follow(&path, &stop, |followed| {
                found.push((followed.format, followed.games.len()));
                found.len() < 2
            })
            .unwrap();
        });
        assert_eq!(found, [(Format::Match, 1), (Format::Match, 1)]);
    }

    #[test]
    fn a_file_that_is_written_anew_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        std::fs::write(&path, LINE.repeat(2)).unwrap();
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            follow(&path, &AtomicBool::new(false), |followed| {
                if found.is_empty() {
                    std::fs::remove_file(&path).unwrap();
                    let again = path.clone();
                    scope.spawn(move || {
                        std::thread::sleep(2 * LOOK_INTERVAL);
                        // A late reader notices by the length.
                        std::fs::write(&again, LINE).unwrap();
                    });
                }
                found.push((followed.is_new, followed.games.len()));
                found.len() < 2
            })
            .unwrap();
        });
        assert_eq!(found, [(false, 2), (true, 1)]);
        follow(&folder.path().join("none"), &AtomicBool::new(false), |_| true).unwrap_err();
    }
}
