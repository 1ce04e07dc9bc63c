//! Dates of games, which may lack month or day, in the notations of PGN, KIF and ISO 8601; clock times.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A possibly incomplete day with an optional time of day, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
    time: Option<[u8; 3]>,
}

impl Date {
    /// A day; none if there is no such day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        let fits = (1..=9999).contains(&year) && (1..=days).contains(&day);
        fits.then_some(Date { year, month: Some(month), day: Some(day), time: None })
    }

    /// The same day at this hour, minute and second; none if there is no such time.
    pub fn at(self, hour: u8, minute: u8, second: u8) -> Option<Date> {
        let fits = hour < 24 && minute < 60 && second < 60 && self.day.is_some();
        fits.then_some(Date { time: Some([hour, minute, second]), ..self })
    }

    /// The same day without the time.
    #[must_use]
    pub fn day_only(self) -> Date {
        Date { time: None, ..self }
    }

    /// Hour, minute and second, if they are known.
    pub fn time(self) -> Option<[u8; 3]> {
        self.time
    }

    /// Reads a date in the forms found in records: `2024-05-01T12:34:56Z`, `2024.05.01`, `2024.??.??`,
    /// `2024/05/01(水) 12:34`, `2024年5月1日`. The year comes first; unknown parts are missing or `?`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut groups = Vec::new();
        let mut in_brackets = false;
        let (mut in_number, mut is_unknown) = (false, false);
        for c in text.trim().chars() {
            match c {
                '(' | '（' => in_brackets = true,
                ')' | '）' => in_brackets = false,
                _ if in_brackets => {}
                // The day after an unknown month would be read as the month.
                '0'..='9' if is_unknown => return None,
                '0'..='9' => {
                    if !in_number {
                        groups.push((0u32, 0));
                    }
                    let (value, length) = groups.last_mut()?;
                    *value = value.checked_mul(10)?.checked_add(c.to_digit(10)?)?;
                    *length += 1;
                }
                '?' => is_unknown = true,
                // Without a day, the hour would be read as the day.
                'T' if groups.len() < 3 => return None,
                ':' | '時' if groups.len() < 4 => return None,
                '.' | '-' | '/' | ':' | 'T' | 'Z' | ' ' | '年' | '月' | '日' | '時' | '分' | '秒' => {}
                _ => return None,
            }
            in_number = c.is_ascii_digit();
        }
        let (&(year, 4), rest) = groups.split_first()? else { return None };
        let values: Vec<u8> = rest.iter().map(|&(value, _)| u8::try_from(value).ok()).collect::<Option<_>>()?;
        let year = u16::try_from(year).ok().filter(|&year| year > 0)?;
        match values[..] {
            [] => Some(Date { year, month: None, day: None, time: None }),
            [month] => Date::new(year, month, 1).map(|date| Date { day: None, ..date }),
            [month, day] => Date::new(year, month, day),
            [month, day, hour, minute] => Date::new(year, month, day)?.at(hour, minute, 0),
            [month, day, hour, minute, second] => Date::new(year, month, day)?.at(hour, minute, second),
            _ => None,
        }
    }

    /// The date at the beginning of a text, which may continue in any way: `2005/11/29・30日`, `平成17年秋`.
    pub(super) fn beginning(text: &str) -> Option<Date> {
        let eras = [("明治", 1867), ("大正", 1911), ("昭和", 1925), ("平成", 1988), ("令和", 2018)];
        let mut text: String = half_width(text.trim()).chars().take(LONGEST).collect();
        if let Some((rest, before)) = eras.into_iter().find_map(|(era, before)| Some((text.strip_prefix(era)?, before)))
        {
            let (year, rest) = rest.split_once('年')?;
            let year: u16 = if year == "元" { 1 } else { year.parse().ok()? };
            text = format!("{:04}年{rest}", year.checked_add(before)?);
        }
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let mut ends = (0..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
        ends.find_map(|end| {
            let (begin, rest) = text.split_at(end);
            let splits_number = is_digit(begin.chars().next_back()) && is_digit(rest.chars().next());
            Date::parse(begin).filter(|_| !splits_number)
        })
    }

    /// As in PGN, without the time: `2024.05.01`, `2024.??.??`.
    pub(super) fn pgn(self) -> String {
        let part = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
        format!("{:04}.{}.{}", self.year, part(self.month), part(self.day))
    }

    fn day_text(self, separator: char) -> String {
        let mut text = format!("{:04}", self.year);
        for part in [self.month, self.day].into_iter().flatten() {
            text += &format!("{separator}{part:02}");
        }
        text
    }

    /// As in KIF: `2024/05/01 12:34:56`.
    pub(super) fn kif(self) -> String {
        let time = self.time.map(|time| format!(" {}", time_text(time)));
        self.day_text('/') + &time.unwrap_or_default()
    }
}

/// The maximum length of a date, in characters.
const LONGEST: usize = 40;

/// Replaces full-width forms of ASCII characters by half-width ones.
pub(crate) fn half_width(text: &str) -> String {
    let half = |c: char| char::from_u32(c as u32 - 0xfee0).unwrap_or(c);
    text.chars().map(|c| if ('！'..='～').contains(&c) { half(c) } else { c }).collect()
}

/// A duration on a clock: `1:02`, `0:01:02.5`.
pub(super) fn clock(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':').map(str::trim) {
        // Numbers without sign and exponent.
        if !part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return None;
        }
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    (0.0..1e9).contains(&seconds).then(|| Duration::from_micros((seconds * 1e6).round() as u64))
}

/// `12:34:56`.
pub(super) fn time_text([hour, minute, second]: [u8; 3]) -> String {
    format!("{hour:02}:{minute:02}:{second:02}")
}

impl fmt::Display for Date {
    /// As in ISO 8601: `2024-05-01T12:34:56`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.day_text('-'))?;
        self.time.map_or(Ok(()), |time| write!(f, "T{}", time_text(time)))
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
        let text = String::deserialize(deserializer)?;
        Date::parse(&text).ok_or_else(|| de::Error::custom(format!("'{text}' is not a date: write 2024-05-01")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_digits_and_colons() {
        let seconds = |text| clock(text).map(|time| time.as_secs_f64());
        assert_eq!(["1:02", "0:01:02.5", " 7 "].map(seconds), [Some(62.0), Some(62.5), Some(7.0)]);
        assert_eq!(["1e3", "1:-5", "-0:30", "+5", "inf", "", "1:", "."].map(seconds), [None; 8]);
    }

    #[test]
    fn a_text_may_begin_with_a_date() {
        for (text, iso) in [
            ("2005/11/29・30日", Some("2005-11-29")),
            ("2005/11/29-30", Some("2005-11-29")),
            ("2005/11/29,30", Some("2005-11-29")),
            ("２００５／１１／２９", Some("2005-11-29")),
            ("2005年11月29日、30日", Some("2005-11-29")),
            ("2005/11/29(火) 9:00～", Some("2005-11-29T09:00:00")),
            ("2005/11/29 朝", Some("2005-11-29")),
            ("2005/11/上旬", Some("2005-11")),
            ("2005年秋", Some("2005")),
            ("平成17年11月29日", Some("2005-11-29")),
            ("令和元年5月", Some("2019-05")),
            ("2005/11/291", Some("2005-11")),
            ("春", None),
            ("20051129", None),
            ("", None),
        ] {
            assert_eq!(Date::beginning(text).map(|date| date.to_string()).as_deref(), iso, "{text}");
        }
    }

    #[test]
    fn dates_are_read_in_every_form() {
        for (text, iso) in [
            ("2024-05-01T12:34:56Z", "2024-05-01T12:34:56"),
            ("2024.05.01", "2024-05-01"),
            ("2024.02.29", "2024-02-29"),
            ("2024.??.??", "2024"),
            ("2024.5.??", "2024-05"),
            ("2024/05/01(水) 12:34", "2024-05-01T12:34:00"),
            ("2024年5月1日", "2024-05-01"),
        ] {
            let date = Date::parse(text).unwrap_or_else(|| panic!("{text} is a date"));
            assert_eq!(date.to_string(), iso);
            assert_eq!(Date::parse(&date.kif()), Some(date));
            assert_eq!(Date::parse(&date.pgn()), Some(date.day_only()));
        }
        for text in [
            "",
            "????.??.??",
            "2024.??.05",
            "05.01.2024",
            "2024.13.01",
            "2023-02-29",
            "2024.04.31",
            "2024-05-01T25:00",
            "today",
            "2024-05-01 1:2:3.5",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
