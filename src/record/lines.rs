//! Splits the input of a reader into decoded lines: encoding detection, all line ends, and a size limit for each game.

use std::collections::VecDeque;
use std::io::{self, BufRead, Chain, Cursor, Read};

use super::Encoding;
use super::charset::{decode_shift_jis, decode_windows_1252};

/// The number of bytes examined before the first game: enough for the longest header.
const PREFIX: u64 = 8192;

/// The maximum size of a game in bytes: a device or a pipe may have no end.
const LARGEST_GAME: u64 = 64 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    pub number: usize,
    /// Without its end.
    pub text: String,
    /// The position of an invalid character, in characters from 1. The text has `�` there.
    pub broken: Option<usize>,
}

impl Line {
    /// The column of a byte of the text, in characters from 1.
    pub fn column(&self, byte: usize) -> usize {
        column(&self.text, byte)
    }
}

/// The column of a byte in a line, in characters from 1.
pub(super) fn column(line: &str, byte: usize) -> usize {
    line.char_indices().take_while(|&(index, _)| index < byte).count() + 1
}

/// The decoded lines of a file: UTF-8 with or without a byte order mark, Shift-JIS, or, unless the format is
/// Kakinoki's, Windows-1252. The first non-ASCII bytes determine the encoding. Lines end with LF, CRLF or CR.
pub(super) struct Lines<R> {
    input: Chain<Cursor<Vec<u8>>, R>,
    /// None while the input is ASCII.
    encoding: Option<Encoding>,
    /// Whether the beginning is of a Western format, so that bytes may be Windows-1252.
    is_western: bool,
    number: usize,
    /// The remaining bytes of the game; none once it was too large, after which nothing more is read.
    left: Option<u64>,
    /// Lines that were put back.
    ahead: VecDeque<Line>,
}

impl<R: BufRead> Lines<R> {
    /// Examines the beginning of the input. `is_western` says whether it is of a Western format.
    pub fn new(mut input: R, is_western: impl FnOnce(&str) -> bool) -> io::Result<Lines<R>> {
        let mut prefix = Vec::new();
        input.by_ref().take(PREFIX).read_to_end(&mut prefix)?;
        if prefix.starts_with(&[0xff, 0xfe]) || prefix.starts_with(&[0xfe, 0xff]) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the text is in UTF-16: save it in UTF-8"));
        }
        let mut encoding = None;
        if prefix.starts_with(b"\xef\xbb\xbf") {
            prefix.drain(..3);
            encoding = Some(Encoding::Utf8);
        }
        let is_western = is_western(&String::from_utf8_lossy(&prefix));
        if encoding.is_none() && !prefix.is_ascii() {
            encoding = Some(guess(&prefix, is_western));
        }
        Ok(Lines {
            input: Cursor::new(prefix).chain(input),
            encoding,
            is_western,
            number: 0,
            left: Some(LARGEST_GAME),
            ahead: VecDeque::new(),
        })
    }

    /// The beginning of the input, for recognising the format.
    pub fn beginning(&self) -> String {
        let bytes = self.input.get_ref().0.get_ref();
        match self.encoding {
            Some(Encoding::ShiftJis) => decode_shift_jis(bytes).into_owned(),
            _ => String::from_utf8_lossy(bytes).into_owned(),
        }
    }

    /// The encoding of the input so far.
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// Starts counting the bytes of a game.
    pub fn begin_game(&mut self) {
        self.left = self.left.map(|_| LARGEST_GAME);
    }

    /// The line number at which a game became too large, where reading stopped.
    pub fn too_large_at(&self) -> Option<usize> {
        self.left.is_none().then_some(self.number + 1)
    }

    pub fn next(&mut self) -> io::Result<Option<Line>> {
        self.fill()?;
        Ok(self.ahead.pop_front())
    }

    /// Puts lines back, which [`Lines::next`] returns again.
    pub fn put_back(&mut self, lines: Vec<Line>) {
        lines.into_iter().rev().for_each(|line| self.ahead.push_front(line));
    }

    fn fill(&mut self) -> io::Result<()> {
        let Some(left) = self.left.filter(|_| self.ahead.is_empty()) else { return Ok(()) };
        let mut bytes = Vec::new();
        let read = self.input.by_ref().take(left + 1).read_until(b'\n', &mut bytes)? as u64;
        self.left = left.checked_sub(read);
        if read == 0 || self.left.is_none() {
            return Ok(());
        }
        if self.encoding.is_none() && !bytes.is_ascii() {
            self.encoding = Some(guess(&bytes, self.is_western));
        }
        let (text, broken) = decode(bytes, self.encoding(), self.is_western);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        for part in text.split('\r') {
            self.number += 1;
            // Concatenated files have one byte order mark each.
            let part = part.trim_start_matches('\u{feff}');
            let broken = broken.then(|| part.find('\u{fffd}').map(|byte| column(part, byte))).flatten();
            self.ahead.push_back(Line { number: self.number, text: part.to_owned(), broken });
        }
        Ok(())
    }
}

/// UTF-8 if the bytes are valid, apart from a truncated end; otherwise Shift-JIS if that fits better. Accented letters
/// are usually isolated among ASCII characters, Japanese characters almost never.
fn guess(bytes: &[u8], is_western: bool) -> Encoding {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => {}
        _ => return Encoding::Utf8,
    }
    let runs = bytes.split(u8::is_ascii).filter(|run| !run.is_empty());
    let (alone, together): (Vec<&[u8]>, Vec<&[u8]>) = runs.partition(|run| run.len() == 1);
    if is_western && alone.len() >= together.concat().len() {
        return Encoding::Utf8;
    }
    let broken = |text: &str| text.chars().filter(|&c| c == '\u{fffd}').count();
    let japanese = decode_shift_jis(bytes);
    if broken(&japanese) < broken(&String::from_utf8_lossy(bytes)) { Encoding::ShiftJis } else { Encoding::Utf8 }
}

/// The text, and whether `�` in it stands for bytes that had to be replaced. A line that is not UTF-8 may be
/// Windows-1252, which has a character for every byte and includes the charset of PGN's standard.
fn decode(bytes: Vec<u8>, encoding: Encoding, is_western: bool) -> (String, bool) {
    match encoding {
        Encoding::ShiftJis => (decode_shift_jis(&bytes).into_owned(), true),
        _ => match String::from_utf8(bytes) {
            Ok(text) => (text, false),
            Err(error) if is_western => (decode_windows_1252(error.as_bytes()), false),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::reader::is_western;
    use super::*;
    use crate::record::charset::encode_shift_jis;

    fn lines(bytes: &[u8]) -> Vec<(usize, String, Option<usize>)> {
        let mut lines = Lines::new(bytes, is_western).unwrap();
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.number, line.text, line.broken));
        }
        all
    }

    #[test]
    fn lines_end_in_every_way() {
        let expected = [(1, "a".to_owned(), None), (2, String::new(), None), (3, "b".to_owned(), None)];
        for text in ["a\n\nb", "a\n\nb\n", "a\r\n\r\nb\r\n", "a\r\rb\r"] {
            assert_eq!(lines(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn the_encoding_shows_in_the_text() {
        let text = "手合割：平手\n先手：王";
        let japanese = encode_shift_jis(text);
        let marked = ["\u{feff}", text].concat();
        // The first Japanese line may come late.
        let late = |bytes: &[u8]| [b"# ascii\n".repeat(2000).as_slice(), bytes].concat();
        for bytes in [text.as_bytes(), marked.as_bytes(), &japanese, &late(text.as_bytes()), &late(&japanese)] {
            let read: Vec<String> = lines(bytes).into_iter().map(|(_, text, _)| text).collect();
            assert_eq!(read[read.len() - 2..].join("\n"), text);
        }
        assert!(Lines::new(&b"\xff\xfea\0"[..], is_western).is_err());
    }

    #[test]
    fn letters_with_accents_swallow_nothing() {
        for (bytes, expected) in [
            (&b"1. P-6d {caf\xe9} P-1c *"[..], "1. P-6d {café} P-1c *"),
            (b"[Black \"M\xfcller, Andr\xe9\"]", "[Black \"Müller, André\"]"),
            // Both encodings in one concatenated file.
            (b"[Black \"\xc3\xa9\xe9\"]", "[Black \"Ã©é\"]"),
        ] {
            assert_eq!(lines(bytes), [(1, expected.to_owned(), None)]);
        }
        let japanese = encode_shift_jis("[Black \"羽生善治\"]\n\n1. P-6d {王} *");
        assert_eq!(lines(&japanese)[0].1, "[Black \"羽生善治\"]");
    }

    #[test]
    fn broken_bytes_are_replaced_and_told() {
        assert_eq!(lines("é a\u{301}".as_bytes()), [(1, "é a\u{301}".to_owned(), None)]);
        let broken =
            lines("先手：é王王王王\n先手：x".as_bytes().iter().copied().chain([0xff]).collect::<Vec<_>>().as_slice());
        assert_eq!(broken[1], (2, "先手：x\u{fffd}".to_owned(), Some(5)));
    }
}
