//! Shift-JIS and Windows-1252. In a browser, the browser's own tables are used.

use std::borrow::Cow;

/// Decodes as Windows-1252, which has a character for every byte.
pub(super) fn decode_windows_1252(bytes: &[u8]) -> String {
    host::decode(host::WINDOWS_1252, bytes).into_owned()
}

/// Decodes as Shift-JIS. Invalid bytes become [`char::REPLACEMENT_CHARACTER`], which Shift-JIS itself lacks.
pub(super) fn decode_shift_jis(bytes: &[u8]) -> Cow<'_, str> {
    host::decode(host::SHIFT_JIS, bytes)
}

pub(super) use host::encode_shift_jis;

#[cfg(not(all(target_family = "wasm", feature = "web")))]
mod host {
    use std::borrow::Cow;

    pub use encoding_rs::{SHIFT_JIS, WINDOWS_1252};

    pub fn decode<'a>(encoding: &'static encoding_rs::Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
        encoding.decode_without_bom_handling(bytes).0
    }

    /// Replaces characters that Shift-JIS lacks by others.
    pub fn encode_shift_jis(text: &str) -> Vec<u8> {
        SHIFT_JIS.encode(text).0.into_owned()
    }
}

#[cfg(all(target_family = "wasm", feature = "web"))]
mod host {
    use std::borrow::Cow;

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

    /// Keeps ASCII only: browsers encode UTF-8 alone, and the board writes Shift-JIS only over a user's own file.
    pub fn encode_shift_jis(text: &str) -> Vec<u8> {
        text.chars().map(|char| if char.is_ascii() { char as u8 } else { b'?' }).collect()
    }
}
