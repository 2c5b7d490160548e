//! How a verb fails: one plain message on standard error, and an exit code.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use plypack::Error;
use plypack::store::Error as StoreError;
use plypack_core::LinkError;

/// The exit code of a difference or a failed check.
pub const DIFFERENT: u8 = 1;
/// The exit code of a usage or I/O error.
pub const FAILED: u8 = 2;
/// The exit code of a strict run that kept records or moves as text.
pub const VERBATIM: u8 = 3;
/// The exit code of an interrupted run.
pub const INTERRUPTED: u8 = 130;

/// The remedy where an output exists.
const OVERWRITE: &str = "use -f to overwrite it, or -o to name another";

/// Why a verb failed.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    /// Empty if the reader of our output has gone, so there is nothing to report.
    message: String,
    /// Whether a file was written all the same.
    has_written: bool,
}

impl Failure {
    /// A usage or I/O error.
    pub fn new(message: impl Display) -> Self {
        Self { code: FAILED, message: message.to_string(), has_written: false }
    }

    /// A failed check.
    pub fn check(message: impl Display) -> Self {
        Self { code: DIFFERENT, ..Self::new(message) }
    }

    /// A file that is complete, without its index.
    fn unindexed(message: impl Display, stopped: bool) -> Self {
        let code = if stopped { INTERRUPTED } else { FAILED };
        Self { code, has_written: true, ..Self::new(message) }
    }

    /// Returns what makes a failure of an error in reading or writing a file.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| StoreError::Io { path, source }.into()
    }

    /// Whether it is a failed check.
    pub fn is_check(&self) -> bool {
        self.code == DIFFERENT
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Adds a hint to the message.
    pub fn with_hint(mut self, hint: &str) -> Self {
        self.message = format!("{}; {hint}", self.message);
        self
    }

    /// Whether the user asked to stop.
    pub fn is_interrupt(&self) -> bool {
        self.code == INTERRUPTED
    }

    /// Whether nothing else is to be tried: the user asked to stop, or the reader of our output has
    /// gone.
    pub fn ends_all(&self) -> bool {
        self.is_interrupt() || self.message.is_empty()
    }

    /// Adds that nothing was written, if the user asked to stop.
    pub fn leaving_nothing(self) -> Self {
        match self.is_interrupt() && !self.has_written {
            true => self.with_hint("nothing was written"),
            false => self,
        }
    }

    /// Adds the number of the input line at fault, counted from 1.
    pub fn at_line(self, line: u64) -> Self {
        Self { message: format!("line {line}: {}", self.message), ..self }
    }

    /// Prints the message and returns the exit code.
    pub fn report(self) -> ExitCode {
        if !self.message.is_empty() {
            crate::progress::say(format_args!("plypack: {}", self.message));
        }
        ExitCode::from(self.code)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { source, .. } if source.kind() == ErrorKind::BrokenPipe => {
                Self { code: 0, ..Self::new("") }
            }
            StoreError::Stopped => Self { code: INTERRUPTED, ..Self::new(error) },
            StoreError::Record { .. } | StoreError::Page { .. } => Self::check(error),
            StoreError::Exists { .. } => Self::new(error).with_hint(OVERWRITE),
            StoreError::Gone { .. } => Self::check(error),
            StoreError::Unindexed { ref source, .. } => {
                let stopped = matches!(**source, StoreError::Stopped);
                Self::unindexed(error, stopped)
            }
            _ => Self::new(error),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Io { path, source, .. } => StoreError::Io { path, source }.into(),
            Error::Stopped => StoreError::Stopped.into(),
            Error::Record { .. } | Error::Page { .. } | Error::Gone { .. } => Self::check(error),
            Error::Exists { .. } => Self::new(error).with_hint(OVERWRITE),
            Error::Unindexed { ref source, .. } => {
                let stopped = matches!(**source, Error::Stopped);
                Self::unindexed(error, stopped)
            }
            _ => Self::new(error),
        }
    }
}

impl From<LinkError> for Failure {
    /// Converts an error in a link: damage is a failed check, anything else a usage error.
    fn from(error: LinkError) -> Self {
        match error {
            LinkError::Empty
            | LinkError::TooLong { .. }
            | LinkError::Unusual { .. }
            | LinkError::Style { .. }
            | LinkError::Newer { .. } => Self::new(error),
            LinkError::Symbol { .. }
            | LinkError::Damaged
            | LinkError::Odd { .. }
            | LinkError::Line(_) => Self::check(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    /// Converts an error on standard output.
    fn from(error: std::io::Error) -> Self {
        Self::io(Path::new("standard output"))(error)
    }
}
