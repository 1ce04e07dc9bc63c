//! Shift-JIS and Windows-1252. In a browser, the browser's own tables are used.

use std::borrow::Cow;

/// Decodes as Windows-1252, which has a character for every byte.
pub(super) fn decode_windows_1252(bytes: &[u8]) -> String {
    host::decode(host::WINDOWS_1252, bytes).into_owned()
}

/// Decodes as Shift-JIS; also returns whether bytes had to be replaced.
pub(super) fn decode_shift_jis(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let text = host::decode(host::SHIFT_JIS, bytes);
    let is_broken = text.contains(char::REPLACEMENT_CHARACTER);
    (text, is_broken)
}

pub(super) use host::encode_shift_jis;

#[cfg(not(all(target_family = "wasm", feature = "web")))]
mod host {
    use std::borrow::Cow;

    pub use encoding_rs::{SHIFT_JIS, WINDOWS_1252};

    pub fn decode<'a>(encoding: &'static encoding_rs::Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
        encoding.decode_without_bom_handling(bytes).0
    }

    /// Characters that Shift-JIS lacks are replaced by other characters.
    pub fn encode_shift_jis(text: &str) -> Vec<u8> {
        SHIFT_JIS.encode(text).0.into_owned()
    }
}

#[cfg(all(target_family = "wasm", feature = "web"))]
mod host {
    use std::borrow::Cow;
    use std::collections::HashMap;
    use std::sync::LazyLock;

    pub const SHIFT_JIS: u32 = 0;
    pub const WINDOWS_1252: u32 = 1;

    pub fn decode(encoding: u32, bytes: &[u8]) -> Cow<'_, str> {
        #[link(wasm_import_module = "judkins")]
        // SAFETY: worker.js has functions of these names and types.
        unsafe extern "C" {
            /// Decodes as `TextDecoder` does, and returns the length of the result in bytes of UTF-8.
            fn decode_text(encoding: u32, bytes: *const u8, length: usize) -> usize;
            fn take_text(to: *mut u8);
        }
        // SAFETY: the host reads these bytes before it returns.
        let mut text = vec![0; unsafe { decode_text(encoding, bytes.as_ptr(), bytes.len()) }];
        // SAFETY: the text has this length.
        unsafe { take_text(text.as_mut_ptr()) };
        String::from_utf8(text).expect("the host's text is UTF-8").into()
    }

    /// Characters that Shift-JIS lacks become '?'.
    pub fn encode_shift_jis(text: &str) -> Vec<u8> {
        /// The two bytes of a character. `TextEncoder` only writes UTF-8, so this table inverts the decoder. The
        /// standard (encoding.spec.whatwg.org, "index Shift_JIS pointer") excludes the first of two copies of IBM's
        /// characters; user-defined characters have no meaning elsewhere.
        static PAIRS: LazyLock<HashMap<char, [u8; 2]>> = LazyLock::new(|| {
            let leads = (0x81..=0x9f).chain(0xe0..=0xec).chain(0xfa..=0xfc);
            let pairs =
                leads.flat_map(|lead| (0x40..=0xfc).filter(|&trail| trail != 0x7f).map(move |trail| [lead, trail]));
            // One per line, because an invalid pair may decode to two characters.
            let pairs: Vec<[u8; 2]> = pairs.collect();
            let lines: Vec<u8> = pairs.iter().flat_map(|&[lead, trail]| [lead, trail, b'\n']).collect();
            let text = decode(SHIFT_JIS, &lines);
            let mut found = HashMap::new();
            for (pair, line) in pairs.into_iter().zip(text.lines()) {
                let mut chars = line.chars();
                if let (Some(only), None) = (chars.next(), chars.next()) {
                    found.entry(only).or_insert(pair);
                }
            }
            found.remove(&char::REPLACEMENT_CHARACTER);
            found
        });
        let mut bytes = Vec::with_capacity(text.len());
        for char in text.chars() {
            match char {
                '\0'..='\x7f' => bytes.push(char as u8),
                '\u{ff61}'..='\u{ff9f}' => bytes.push((char as u32 - 0xff61 + 0xa1) as u8),
                _ => bytes.extend_from_slice(PAIRS.get(&char).map_or(&b"?"[..], |pair| pair)),
            }
        }
        bytes
    }
}
