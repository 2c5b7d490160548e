//! The version that all members of a cluster must share.

use std::any::Any;

use datafusion::config::{ConfigEntry, ConfigExtension, ExtensionOptions};
use datafusion::error::Result;
use datafusion::prelude::SessionConfig;

/// The name of a client's version among its settings.
const VERSION: &str = "version";

/// Returns the version of plypack with a hash of its functions: programs of the same version answer
/// queries in the same way.
pub fn version() -> String {
    let functions = plypack_sql::functions::all();
    let describe = |function: &std::sync::Arc<datafusion::logical_expr::ScalarUDF>| {
        format!("{} {:?}\n", function.name(), function.signature())
    };
    let number = hash(functions.iter().map(describe));
    format!("{}-{number:08x}", env!("CARGO_PKG_VERSION"))
}

/// FNV-1a, which does not depend on the compiler.
fn hash(texts: impl Iterator<Item = String>) -> u32 {
    let byte = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    texts.fold(0x811c_9dc5, |hash, text| text.bytes().fold(hash, byte))
}

/// The client's identification, sent with every query.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// The client's version.
    pub version: String,
}

impl ConfigExtension for Claim {
    const PREFIX: &'static str = "plypack";
}

impl ExtensionOptions for Claim {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        if key == VERSION {
            self.version = value.into();
        }
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        // Settings are sent by their full names.
        let key = format!("{}.{VERSION}", Self::PREFIX);
        vec![ConfigEntry { key, value: Some(self.version.clone()), description: "" }]
    }
}

impl Claim {
    /// The claim of a session's client; empty for a client of another program.
    pub(crate) fn of(config: &SessionConfig) -> String {
        let claim = config.options().extensions.get::<Self>();
        claim.map(|claim| claim.version.clone()).unwrap_or_default()
    }
}

/// Names a version in a message.
pub(crate) fn name(version: &str) -> String {
    if version.is_empty() { "not plypack".into() } else { format!("plypack {version}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_that_of_the_standard() {
        assert_eq!(hash(std::iter::empty()), 0x811c_9dc5);
        assert_eq!(hash(["foo".into(), "bar".into()].into_iter()), 0xbf9c_f968);
    }
}
