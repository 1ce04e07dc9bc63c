//! Serialisation of moves: text in readable formats, [`Move::bits`] in files of the book.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::shogi::Move;

pub(crate) fn serialize<S: Serializer>(mv: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() { mv.serialize(serializer) } else { mv.bits().serialize(serializer) }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
    if deserializer.is_human_readable() {
        return Move::deserialize(deserializer);
    }
    let bits = u16::deserialize(deserializer)?;
    Move::from_bits(bits).ok_or_else(|| de::Error::custom("not the bits of a move"))
}

/// Optional moves: none is `-`, or 0.
pub(crate) mod optional {
    use super::*;

    pub fn serialize<S: Serializer>(mv: &Option<Move>, serializer: S) -> Result<S::Ok, S::Error> {
        match mv {
            Some(mv) => super::serialize(mv, serializer),
            None if serializer.is_human_readable() => "-".serialize(serializer),
            None => 0u16.serialize(serializer),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Move>, D::Error> {
        if deserializer.is_human_readable() {
            let text = Cow::<str>::deserialize(deserializer)?;
            let parse = |text: &str| text.parse().map_err(|error| de::Error::custom(format!("'{text}': {error}")));
            return if text == "-" { Ok(None) } else { parse(&text).map(Some) };
        }
        match u16::deserialize(deserializer)? {
            0 => Ok(None),
            bits => Move::from_bits(bits).map(Some).ok_or_else(|| de::Error::custom("not the bits of a move")),
        }
    }
}
