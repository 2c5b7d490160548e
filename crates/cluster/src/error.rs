//! Errors, as one plain message with the cause and a remedy.

use std::error::Error as StdError;

use ballista_core::error::BallistaError;
use datafusion::arrow::error::ArrowError;
use datafusion::error::DataFusionError;

use crate::address::Address;

/// Why there is no usable cluster.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An invalid address.
    #[error("`{0}` is not a cluster address; write df://HOST:PORT")]
    Url(String),
    /// There is no scheduler.
    #[error(
        "nothing listens at {address} ({why}); start a scheduler there with `plypack scheduler`, \
         or name another"
    )]
    Nobody {
        /// The address tried.
        address: Address,
        /// The system's error.
        why: String,
    },
    /// Another service is there.
    #[error("the service at {address} is not a plypack scheduler ({why})")]
    Stranger {
        /// The address tried.
        address: Address,
        /// Its answer.
        why: String,
    },
    /// A port that is not available.
    #[error("{host}, port {port}: {why}; try another --port, or --port 0 for any that is free")]
    Port {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// The system's error.
        why: String,
    },
    /// The scheduler's message.
    #[error("{0}")]
    Refused(String),
    /// The work ended unexpectedly.
    #[error("ended: {0}")]
    Ended(String),
}

impl Error {
    pub(crate) fn port(host: &str, port: u16, error: &std::io::Error) -> Self {
        Self::Port { host: host.into(), port, why: error.to_string() }
    }
}

/// Marks a message so that it can be found in the errors around it, however deep: between a
/// scheduler, its executors and a client an error becomes text several times.
pub(crate) fn said(text: String) -> String {
    format!("{OPEN}{}{CLOSE}", text.replace([OPEN, CLOSE], "'"))
}

const OPEN: char = '\u{ab}';
const CLOSE: char = '\u{bb}';

/// Returns the marked message in an error's text, if there is one.
pub(crate) fn marked(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(OPEN)?;
    let (message, _) = rest.split_once(CLOSE)?;
    // Each conversion to text may have escaped quotes and backslashes.
    Some(message.replace('\\', "").to_string())
}

/// Returns an error and its causes, outermost first.
pub(crate) fn causes(error: &DataFusionError) -> Vec<&(dyn StdError + 'static)> {
    let mut causes: Vec<&(dyn StdError + 'static)> = vec![error];
    while let Some(next) = causes.last().and_then(|last| source(*last)) {
        causes.push(next);
    }
    causes
}

/// The cause of an error; Ballista's errors do not expose theirs.
fn source<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    match error.downcast_ref() {
        Some(BallistaError::DataFusionError(inner)) => Some(inner.as_ref()),
        Some(BallistaError::ArrowError(inner)) => Some(inner.as_ref()),
        _ => error.source(),
    }
}

/// The message of the first error that is not a mere wrapper.
pub(crate) fn message(causes: &[&(dyn StdError + 'static)]) -> String {
    let hands_on = |error: &&&(dyn StdError + 'static)| {
        use DataFusionError as Engine;
        matches!(
            error.downcast_ref(),
            Some(
                Engine::External(_)
                    | Engine::Shared(_)
                    | Engine::Context(..)
                    | Engine::Diagnostic(..)
                    | Engine::ArrowError(..)
                    | Engine::ParquetError(_)
                    | Engine::ObjectStore(_)
            )
        ) || matches!(
            error.downcast_ref(),
            Some(BallistaError::DataFusionError(_) | BallistaError::ArrowError(_))
        ) || matches!(error.downcast_ref(), Some(ArrowError::ExternalError(_)))
    };
    let Some(telling) = causes.iter().find(|error| !hands_on(error)) else { return String::new() };
    match telling.downcast_ref::<DataFusionError>() {
        Some(error) => error.message().into_owned(),
        None => telling.to_string(),
    }
}

/// Explains the failure of a query on a cluster, in one message. Errors of other origin are shown
/// without their wrappers.
pub fn explain(error: &DataFusionError) -> String {
    let text = error.strip_backtrace();
    if let Some(message) = marked(&text) {
        return message;
    }
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["no executor re-registered"]) {
        return "all executors of the cluster were lost; start new ones with `plypack executor`, \
                and repeat the query"
            .into();
    }
    if let Some(path) = missing_in(&text) {
        return format!(
            "the scheduler has no file {path}: files must be at the same path on every machine, \
             or in an object store"
        );
    }
    if has(&["FetchFailed", "Shuffle fetch", "fetch_partition"]) {
        return format!(
            "the executor that holds the results cannot be reached; if this happens every time, \
             this machine cannot reach the address in its --host ({})",
            short(&text)
        );
    }
    if has(&["tcp connect error", "transport error", "Connection refused", "broken pipe"]) {
        return format!(
            "the scheduler disappeared during the query; check that `plypack scheduler` is \
             running, and repeat the query ({})",
            short(&text)
        );
    }
    short(&text)
}

/// The path of a missing file in an error's text.
pub(crate) fn missing_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("Object at location ")?;
    let (path, _) = rest.split_once(" not found")?;
    Some(path)
}

/// An error's text without the names of its wrappers.
fn short(text: &str) -> String {
    let mut text = text;
    for word in ["failed: ", "due to stage ", "DataFusion error: ", "execution error: "] {
        if let Some((_, rest)) = text.split_once(word) {
            text = rest;
        }
    }
    text.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_found_in_what_was_made_of_it() {
        let text = said("the file `a` of \u{ab}b\u{bb} is \"gone\"".into());
        let nested = format!("{:?}", DataFusionError::Execution(format!("{text:?}")));
        let error = DataFusionError::Execution(format!("Job 7 failed: {nested}"));
        assert_eq!(explain(&error), "the file `a` of 'b' is \"gone\"");
    }

    #[test]
    fn a_file_that_the_scheduler_lacks_is_named() {
        let text = "Job 7 failed: Error planning job: Object Store error: Object at location \
                    /a/b.parquet not found: there is no such file or folder";
        let told = explain(&DataFusionError::Execution(text.into()));
        assert!(told.starts_with("the scheduler has no file /a/b.parquet: files must"), "{told}");
    }
}
