//! The address of a scheduler.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tokio::net::TcpStream;

use crate::error::Error;

/// The time limit for connecting to a machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// A name, or an IP address; IPv6 addresses are in brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Address {
    /// The default port of a scheduler.
    pub const PORT: u16 = 50050;

    /// Parses the address of a cluster, `df://host:port`.
    ///
    /// # Errors
    /// Returns an error if it is not one.
    pub fn of_cluster(url: &str) -> Result<Self, Error> {
        let address = url.strip_prefix("df://").map(|rest| rest.trim_end_matches('/').parse());
        address.and_then(Result::ok).ok_or_else(|| Error::Url(url.into()))
    }

    /// Returns an error unless something listens there.
    pub(crate) async fn call(&self) -> Result<(), Error> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let call = tokio::time::timeout(PATIENCE, TcpStream::connect((host, self.port)));
        let why = match call.await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer within {} s", PATIENCE.as_secs()),
        };
        Err(Error::Nobody { address: self.clone(), why })
    }

    /// The address as a URL, for the libraries below.
    pub(crate) fn http(&self) -> String {
        format!("http://{self}")
    }
}

impl FromStr for Address {
    type Err = String;

    /// Parses `host:port`, or `host`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{text}` is not an address; write host:port");
        let (host, port) = match text.rsplit_once(':').filter(|_| !text.ends_with(']')) {
            Some((host, port)) => (host, port.parse().map_err(|_| bad())?),
            None => (text, Self::PORT),
        };
        let bracketed = host.starts_with('[') && host.ends_with(']');
        let odd = |sign: char| "/@?# ".contains(sign) || (sign == ':' && !bracketed);
        if host.is_empty() || host.contains(odd) {
            return Err(bad());
        }
        Ok(Self { host: host.into(), port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_perhaps_a_port() {
        let read = |url: &str| Address::of_cluster(url).map(|address| address.to_string()).ok();
        assert_eq!(read("df://host:1234").as_deref(), Some("host:1234"));
        assert_eq!(read("df://host").as_deref(), Some("host:50050"));
        assert_eq!(read("df://[::1]:7/").as_deref(), Some("[::1]:7"));
        assert_eq!(read("df://[::1]").as_deref(), Some("[::1]:50050"));
        for bad in ["host:1234", "http://host:1", "df://", "df://:7", "df://host:x", "df://a/b"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        assert_eq!(read("df://::1:7"), None);
    }
}
