//! Admits requests that have the token and address this server by one of its own hosts.

use std::net::SocketAddr;

use axum::http::{HeaderMap, HeaderValue, Uri, header};

/// The required credentials of a request. A foreign page does not know the token; and a page that has pointed its name
/// to this machine (DNS rebinding) requests another host.
#[derive(Debug)]
pub struct Access {
    token: String,
    cookie_name: String,
    hosts: Vec<String>,
}

impl Access {
    /// Access to the server at a port and, for other devices, at an address, by a token of 128 random bits.
    pub fn new(port: u16, outer: Option<SocketAddr>) -> Access {
        let token: u128 = rand::random();
        let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        hosts.extend(outer.map(|address| address.to_string()));
        // Browsers omit HTTP's default port.
        let short: Vec<String> = hosts.iter().filter_map(|host| Some(host.strip_suffix(":80")?.to_owned())).collect();
        hosts.extend(short);
        Access {
            token: format!("{token:032x}"),
            // Cookies ignore ports, so two boards need different names.
            cookie_name: format!("judkins-{port}"),
            hosts,
        }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// The server's own name, with its port, to which the request is addressed.
    pub fn host(&self, headers: &HeaderMap) -> Option<&str> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        self.hosts.iter().find(|own| *own == host).map(String::as_str)
    }

    /// The server's name on this machine.
    pub fn inner_host(&self) -> &str {
        &self.hosts[0]
    }

    /// Whether the request comes from a page of this server. Programs other than browsers send no origin.
    pub fn is_origin(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return true };
        let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.hosts.iter().any(|own| own == host))
    }

    pub fn has_token(&self, uri: &Uri) -> bool {
        let mut pairs = uri.query().unwrap_or_default().split('&');
        pairs.any(|pair| pair.strip_prefix("token=").is_some_and(|token| self.is_token(token)))
    }

    /// Whether the request has the cookie set by the first load.
    pub fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|cookies| cookies.to_str().ok());
        let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie_name && self.is_token(value))
    }

    /// Sets the cookie.
    pub fn cookie(&self) -> Option<HeaderValue> {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name, self.token);
        HeaderValue::from_str(&cookie).ok()
    }

    /// Compares in constant time.
    fn is_token(&self, text: &str) -> bool {
        let differences = text.bytes().zip(self.token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        text.len() == self.token.len() && differences == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, value.parse().unwrap())])
    }

    #[test]
    fn only_the_token_and_the_servers_own_names_are_let_in() {
        let access = Access::new(4000, Some("192.168.1.5:80".parse().unwrap()));
        let uri = |query: &str| format!("/?{query}").parse::<Uri>().unwrap();
        assert!(access.has_token(&uri(&format!("a=b&token={}", access.token()))));
        for wrong in
            ["", "token=", "token=0", &format!("token={}0", access.token()), &format!("tok={}", access.token())]
        {
            assert!(!access.has_token(&uri(wrong)), "{wrong}");
        }
        let cookie = |text: String| access.has_cookie(&headers(header::COOKIE, &text));
        assert!(cookie(format!("x=y; judkins-4000={}", access.token())));
        assert!(!cookie(format!("judkins-4001={}", access.token())) && !cookie("judkins-4000=".to_owned()));
        for (host, is_own) in [
            ("127.0.0.1:4000", true),
            ("localhost:4000", true),
            ("localhost", false),
            ("evil.example:4000", false),
            ("192.168.1.5", true),
            ("192.168.1.5:4000", false),
        ] {
            assert_eq!(access.host(&headers(header::HOST, host)).is_some(), is_own);
            assert_eq!(access.is_origin(&headers(header::ORIGIN, &format!("http://{host}"))), is_own);
        }
        assert!(!access.is_origin(&headers(header::ORIGIN, "null")) && access.host(&HeaderMap::new()).is_none());
    }
}
