//! Packs the samples of every format completely, and unpacks them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::path::Path;

use crate::store::common::round_trip;
use plypack_records::FORMATS;

#[test]
fn samples_are_packed_without_a_rest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/format");
    for format in FORMATS {
        let info = format.info();
        let files = std::fs::read_dir(root.join(info.name)).expect(info.name);
        let mut samples = 0;
        for file in files {
            let path = file.expect("an entry").path();
            let name = path.display().to_string();
            let bytes = std::fs::read(&path).expect(&name);
            let (report, summary) = round_trip(&name, &bytes, None);
            assert_eq!(report.kind, info.content, "{name}");
            assert!(report.plies + report.positions > 0, "{name}");
            assert_eq!((report.faulty, report.verbatim_records()), (0, 0), "{name}");
            // The page around the game is stored as a patch.
            assert!(summary.patched == 0 || info.name == "dhtmlxq", "{name}");
            samples += 1;
        }
        assert!(samples > 0, "{}", info.name);
    }
}
