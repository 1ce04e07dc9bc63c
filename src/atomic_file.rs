//! Reading whole files, writing files atomically, and files with one writer.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

/// The maximum size read from anything but a regular file: a device or a pipe may have no end.
const ENDLESS: u64 = 64 << 20;

/// Reads a file, or up to 64 MiB of a device or a pipe.
///
/// # Errors
/// An I/O error; [`FileTooLarge`](io::ErrorKind::FileTooLarge) for a larger device or pipe.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.is_file() {
        (&file).read_to_end(&mut bytes)?;
    } else if (&file).take(ENDLESS + 1).read_to_end(&mut bytes)? as u64 > ENDLESS {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "not a regular file, and larger than 64 MiB"));
    }
    Ok(bytes)
}

/// As [`read()`], for a text in UTF-8, without byte order marks: see [`text()`].
///
/// # Errors
/// As [`read()`]; [`InvalidData`](io::ErrorKind::InvalidData) for invalid UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    text(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// As [`read_to_string()`]; `-` is standard input.
///
/// # Errors
/// As [`read_to_string()`].
pub fn read_input(path: &Path) -> io::Result<String> {
    if path != Path::new("-") {
        return read_to_string(path);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    text(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The mark that programs on Windows put before UTF-8 text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Decodes the bytes of a text file. Removes byte order marks at the beginning of any line: concatenated files have one
/// each.
///
/// # Errors
/// The first invalid byte.
pub fn text(bytes: Vec<u8>) -> Result<String, FromUtf8Error> {
    let text = String::from_utf8(bytes)?;
    if !text.contains(BYTE_ORDER_MARK) {
        return Ok(text);
    }
    Ok(text.split_inclusive('\n').map(|line| line.trim_start_matches(BYTE_ORDER_MARK)).collect())
}

/// A line of a text file without a leading byte order mark.
pub fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line)
}

/// Writes a file atomically: even if the program is killed or the machine stops, its name refers either to the old
/// content or to all of the new one. Meanwhile the content is in a file with the suffix `.unfinished`, each writer's in
/// its own: of two writers of the same file, the last one to finish wins. A killed program leaves that file. A link stays
/// a link, even to a missing file; a device or a pipe is written directly; and permissions are kept.
///
/// # Errors
/// An I/O error; then the temporary file is removed.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write()`], without waiting for the disk: the content survives the end of the program. It survives the end of
/// the machine once the returned file has been synced.
///
/// # Errors
/// An I/O error; then the temporary file is removed.
#[cfg(feature = "board")]
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
    replace_with(path, |mut file| {
        file.write_all(bytes)?;
        Ok(file)
    })
}

/// As [`write()`], for content that `fill` writes incrementally. If it fails, the old content stays.
///
/// # Errors
/// An error of `fill` or of I/O; then the temporary file is removed.
pub fn write_with<T, E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    replace_with(path, |file| {
        let mut writer = BufWriter::new(file);
        let filled = fill(&mut writer)?;
        // Rename the file when everything is on the disk.
        let file = writer.into_inner().map_err(|error| error.into_error())?;
        if file.metadata()?.is_file() {
            file.sync_all()?;
        }
        Ok(filled)
    })
}

/// Checks that a file can be written, now, as [`write()`] does it.
///
/// # Errors
/// An I/O error.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(());
    }
    let (unfinished, _) = create_unfinished(&resolved(path)?)?;
    fs::remove_file(unfinished)
}

/// Creates the temporary file for a file, with the first free name: others are in use, or a killed program left them.
fn create_unfinished(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        number += 1;
        let unfinished = path.with_added_extension(format!("{number}.unfinished"));
        match File::create_new(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((unfinished, created?)),
        }
    }
}

/// Resolves the links of a path, whether or not the file exists.
///
/// # Errors
/// An I/O error.
pub fn resolved(name: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    let path = std::path::absolute(name)?;
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Ok(path) };
    match fs::read_link(&path) {
        // A link to a file that does not exist yet.
        Ok(target) => resolved(&folder.join(target)),
        Err(_) => Ok(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(file)),
    }
}

/// Opens a file that one program writes at a time, while others read it. Where files cannot be locked, another writer
/// is not noticed.
///
/// # Errors
/// An I/O error; [`ResourceBusy`](io::ErrorKind::ResourceBusy) if another program writes the file.
#[cfg(not(windows))]
pub fn open_for_one_writer(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.open(path)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(busy()),
        _ => Ok(file),
    }
}

/// As on other systems, but by the sharing mode: a lock of Windows would keep readers out, too.
#[cfg(windows)]
pub fn open_for_one_writer(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    options.share_mode(FILE_SHARE_READ).open(path).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => busy(),
        _ => error,
    })
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another program is writing it")
}

/// Whether an open file has been deleted from its folder, so that written data would be lost.
#[cfg(unix)]
pub fn is_deleted(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) == 0
}

/// On other systems an open file cannot be deleted.
#[cfg(not(unix))]
pub fn is_deleted(_: &Metadata) -> bool {
    false
}

/// Fails if an open file [was deleted](is_deleted).
pub fn check_exists(file: &File) -> io::Result<()> {
    if is_deleted(&file.metadata()?) { Err(io::Error::other("it was deleted")) } else { Ok(()) }
}

/// Writes a temporary file and renames it.
fn replace_with<T, E: From<io::Error>>(path: &Path, fill: impl FnOnce(File) -> Result<T, E>) -> Result<T, E> {
    let permissions = match fs::metadata(path) {
        // Renaming a file over a device would remove the device.
        Ok(found) if !found.is_file() && !found.is_dir() => return fill(File::options().write(true).open(path)?),
        Ok(found) => found.is_file().then(|| found.permissions()),
        Err(_) => None,
    };
    let path = resolved(path)?;
    let (unfinished, file) = create_unfinished(&path)?;
    let set = permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions));
    let written = set.map_err(E::from).and_then(|()| fill(file)).and_then(|filled| {
        fs::rename(&unfinished, &path)?;
        Ok(filled)
    });
    if written.is_err() {
        // Report the first error, not this one.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn an_endless_file_is_refused() {
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_to_string(Path::new("/dev/null")).unwrap(), "");
    }

    #[test]
    fn marks_of_byte_order_are_no_part_of_a_text() {
        for (bytes, expected) in [
            ("one\ntwo", "one\ntwo"),
            ("\u{feff}one\n", "one\n"),
            ("\u{feff}one\r\n\u{feff}two\n", "one\r\ntwo\n"),
            ("one\u{feff}", "one\u{feff}"),
            ("\u{feff}", ""),
        ] {
            assert_eq!(text(bytes.as_bytes().to_vec()).unwrap(), expected);
        }
        assert_eq!(text(b"ab\xff".to_vec()).unwrap_err().utf8_error().valid_up_to(), 2);
        assert_eq!((without_mark("\u{feff}a".as_bytes()), without_mark(b"a")), (&b"a"[..], &b"a"[..]));
    }

    #[test]
    fn a_file_is_replaced_or_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let path = folder.join("file.txt");
        for text in ["one", "another"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let filled = write_with(&path, |file| {
            file.write_all(b"half of it")?;
            Err::<(), _>(io::Error::other("interrupted"))
        });
        assert!(filled.is_err() && fs::read_to_string(&path).unwrap() == "another");
        // Of two writers, the last one to finish wins.
        write_with(&path, |file| {
            file.write_all(b"the last")?;
            write(&path, &[b'x'; 100])
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "the last");
        // A folder cannot be replaced by a file.
        let taken = folder.join("taken");
        fs::create_dir_all(taken.join("inside")).unwrap();
        check_writable(&path).unwrap();
        check_writable(&folder.join("new.txt")).unwrap();
        assert!(check_writable(&folder.join("no/such/folder")).is_err());
        assert!(write(&taken, b"text").is_err() && write(&folder.join("no/such/folder"), b"text").is_err());
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2, "nothing unfinished is left");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_pipe_a_pipe() {
        use std::io::Read;
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [target, link, pipe] = ["target", "link", "pipe"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        symlink(&target, &link).unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&target).unwrap() == "new");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600, "it stays private");
        // A link to a file that does not exist yet.
        fs::remove_file(&target).unwrap();
        write(&link, b"newer").unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&target).unwrap() == "newer");
        // Never write through a link with the name of the temporary file.
        let file = folder.path().join("file");
        symlink(&target, folder.path().join("file.1.unfinished")).unwrap();
        write(&file, b"text").unwrap();
        assert!(!file.is_symlink() && fs::read_to_string(&target).unwrap() == "newer");
        // A pipe represents the devices: a mistake here would remove those of a machine whose root runs the tests.
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut reader = File::options().read(true).write(true).open(&pipe).unwrap();
        write(&pipe, b"text").unwrap();
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        let mut read = [0; 4];
        reader.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"text");
    }
}
