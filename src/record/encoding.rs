//! The text encodings of record files, UTF-8 and Shift-JIS, and conversion to them for writing.

use super::charset::{decode_shift_jis, encode_shift_jis};

/// The encoding of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Encoding {
    #[default]
    Utf8,
    /// With Microsoft's extensions, as in KIF files on Windows.
    ShiftJis,
}

/// Characters of JIS X 0208, and the fullwidth ones that Microsoft's Shift-JIS has in their place.
const FULLWIDTH: [(char, char); 7] =
    [('〜', '～'), ('—', '―'), ('−', '－'), ('‖', '∥'), ('¢', '￠'), ('£', '￡'), ('¬', '￢')];

/// The error for a character that the encoding lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Shift-JIS lacks '{0}': write UTF-8")]
pub struct Unencodable(pub char);

impl Encoding {
    /// Encodes a game's text. The first line of KIF names the encoding. Shift-JIS gets seven signs, such as the wave
    /// dash, in full width.
    ///
    /// # Errors
    /// [`Unencodable`] if a character cannot be encoded.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unencodable> {
        match self {
            Encoding::Utf8 => Ok(text.as_bytes().to_vec()),
            Encoding::ShiftJis => {
                let (head, rest) = text.split_at(text.find('\n').filter(|_| text.starts_with("#KIF")).unwrap_or(0));
                let text = head.replace("UTF-8", "Shift_JIS") + rest;
                let fullwidth = |c| FULLWIDTH.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to);
                let text: String = text.chars().map(fullwidth).collect();
                let bytes = encode_shift_jis(&text);
                // The encoder replaces missing characters by numbers, and silently changes the signs for yen and
                // overline.
                let back = decode_shift_jis(&bytes);
                let lacking = text.chars().zip(back.chars()).find(|(it, back)| it != back);
                lacking.map_or(Ok(()), |(lacking, _)| Err(Unencodable(lacking)))?;
                Ok(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_becomes_another() {
        let text = "#KIF version=2.0 encoding=UTF-8\n▲６四歩 ～ ①\n";
        let bytes = Encoding::ShiftJis.encode(text).unwrap();
        assert_eq!(decode_shift_jis(&bytes), text.replace("UTF-8", "Shift_JIS"));
        let typed_elsewhere = Encoding::ShiftJis.encode("10分〜20分、−5——‖¢£¬").unwrap();
        assert_eq!(decode_shift_jis(&typed_elsewhere), "10分～20分、－5――∥￠￡￢");
        for lacking in ['é', '¥', '‾', '\u{1f600}'] {
            let encoded = Encoding::ShiftJis.encode(&format!("a{lacking}b"));
            assert_eq!(encoded, Err(Unencodable(lacking)));
        }
    }
}
