//! The page for clients without access, with instructions in their language.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The page in English and in Japanese: a heading, then paragraphs. `{address}` shows the form of the address.
pub type Text = [[&'static str; 3]; 2];

/// The address has no token, or the token of an earlier start.
pub const NO_TOKEN: Text = [
    [
        "This address does not open the board",
        "Each start of the program makes a new address, which ends with a secret: {address}",
        "Open the newest address, which <code>judkins board</code> has printed in its terminal. If it is gone, end the \
         program with Ctrl+C and start it again: what was on the board is kept.",
    ],
    [
        "このアドレスでは盤を開けません",
        "アドレスの末尾にある鍵は、プログラムを起動するたびに変わります：{address}",
        "<code>judkins board</code>を実行した端末に表示された、最新のアドレスを開いてください。見つからない場合は、\
         Ctrl+Cで終了してから起動し直してください。盤面は保存されています。",
    ],
];

/// The request is addressed to another host name.
pub const OTHER_HOST: Text = [
    [
        "This name does not open the board",
        "On the machine it runs on, the board is opened by this address: {address}",
        "Open the address that <code>judkins board</code> has printed in its terminal.",
    ],
    [
        "この名前では盤を開けません",
        "プログラムを実行している端末では、次のアドレスで盤を開けます：{address}",
        "<code>judkins board</code>を実行した端末に表示されたアドレスを開いてください。",
    ],
];

const STYLE: &str = "body{max-width:34em;margin:12vh auto;padding:0 20px;background:light-dark(#f4efe5,#15171a);\
    color:light-dark(#2a251f,#e8e3d9);font:16px/1.6 system-ui,'Hiragino Sans','Noto Sans CJK JP',sans-serif}\
    h1{font-size:22px;line-height:1.3}code{font-size:.95em;overflow-wrap:anywhere}";

/// The answer: a page that loads and runs nothing. `text` is [`NO_TOKEN`] or [`OTHER_HOST`]; `host` is the server's own
/// name and port.
pub fn page(text: &Text, host: &str, headers: &HeaderMap) -> Response {
    let language = usize::from(prefers_japanese(headers));
    let [title, why, what] = text[language];
    let why = why.replace("{address}", &format!("<code>http://{host}/?token=…</code>"));
    let language = ["en", "ja"][language];
    // Allow only this style.
    let nonce = format!("{:032x}", rand::random::<u128>());
    let html = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>judkins</title>\n\
         <style nonce=\"{nonce}\">{STYLE}</style>\n<h1>{title}</h1>\n<p>{why}</p>\n<p>{what}</p>\n"
    );
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let policy = HeaderValue::try_from(policy).expect("it is ASCII");
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)];
    (StatusCode::FORBIDDEN, headers, html).into_response()
}

/// Whether `Accept-Language` prefers Japanese to English. Among equal weights the first counts.
fn prefers_japanese(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let weight_of = |language: &str| {
        let weights = accepted.split(',').enumerate().filter_map(|(place, part)| {
            let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
            let is_it = tag.trim().split('-').next().is_some_and(|name| name.eq_ignore_ascii_case(language));
            let weight = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.parse::<f64>().ok())?;
            (is_it && weight > 0.0).then_some((weight, -(place as f64)))
        });
        weights.fold(None, |best, weight| if best > Some(weight) { best } else { Some(weight) })
    };
    weight_of("ja") > weight_of("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_first_or_heaviest_of_those_there_are() {
        for (accepted, is_japanese) in [
            ("", false),
            ("ja", true),
            ("ja-JP,ja;q=0.9,en;q=0.8", true),
            ("en-US,en;q=0.9,ja;q=0.8", false),
            ("en;q=0.3, ja;q=0.7", true),
            ("de, ja;q=0.1", true),
            ("de", false),
            ("ja;q=0, en;q=0.1", false),
            ("ja;q=x", false),
            ("jam", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accepted.parse().unwrap())]);
            assert_eq!(prefers_japanese(&headers), is_japanese, "{accepted}");
        }
        assert!(!prefers_japanese(&HeaderMap::new()));
    }
}
