//! The width of texts in pictures, which are shown in the viewer's fonts.

/// The width of a text in ems, in a wide font.
pub fn width(text: &str) -> f64 {
    text.chars().map(character_width).sum()
}

fn character_width(c: char) -> f64 {
    match c {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | 'I' | ' ' | '.' | ',' | '\'' | ':' | ';' | '!' | '|' | '(' | ')' => 0.42,
        'm' | 'w' | 'M' | '%' | '@' | '…' => 1.0,
        'W' => 1.15,
        'A'..='Z' | '&' | '+' | '=' | '<' | '>' | '#' => 0.84,
        '\0'..='\u{2ff}' => 0.68,
        // Combining marks, joiners and variation selectors.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        // Halfwidth kana.
        '\u{ff61}'..='\u{ff9f}' => 0.6,
        '\u{1f000}'.. => 1.35,
        // Kanji and kana take a whole em. Cyrillic has wider letters.
        '\u{370}'..='\u{52f}' => 1.1,
        _ => 1.0,
    }
}

/// Truncates a text to this width in ems, with an ellipsis.
pub fn truncate(text: &str, ems: f64) -> String {
    if width(text) <= ems {
        return text.to_owned();
    }
    let mut room = ems - character_width('…');
    let fits = |c: &char| {
        room -= character_width(*c);
        room >= 0.0
    };
    let head: String = text.chars().take_while(fits).collect();
    format!("{}…", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_to_their_room() {
        assert_eq!(truncate("short", 10.0), "short");
        for text in ["name ", "W", "@", "Щ", "—", "将棋", "😀", "Z\u{301}"] {
            let long = truncate(&text.repeat(50), 10.0);
            assert!(long.ends_with('…') && width(&long) <= 10.0 && width(&long) > 7.0, "{long}");
        }
        assert_eq!(truncate("先手後手先手", 4.0), "先手後…");
    }
}
