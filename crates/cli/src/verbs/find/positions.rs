//! `plypack find` in files of positions: the records that have a position.

use std::ops::ControlFlow;
use std::process::ExitCode;

use plypack::store::find::{Target, find_positions, game_of_positions};
use plypack::store::positions::StoredPosition;
use plypack::store::{Error, PackedFile};
use serde_json::{Map, Value, json};

use super::Arguments;
use crate::failure::{DIFFERENT, Failure};
use crate::verbs::{codecs, print_line};
use crate::{progress, terminal};

/// Lists the records of these files that have the position asked for.
pub fn run(arguments: &Arguments, files: &[plypack::PackedFile]) -> Result<ExitCode, Failure> {
    let files = files.iter().map(|file| PackedFile::open(file.path()));
    let files = &files.collect::<Result<Vec<PackedFile>, Error>>()?[..];
    let mut rules = None;
    for file in files {
        if let (None, Some(game)) = (rules, game_of_positions(file)?) {
            rules = Some(game.info().name.parse()?);
        }
    }
    let (rules, position) = arguments.asks.position(rules)?;
    let game = codecs::find(rules.name(), None)?.game();
    let target = Target::read(game, Some(&position), "").map_err(Failure::new)?;
    let mut listed = Listed { arguments, named: files.len() > 1, records: 0, failed: None };
    let total = files.iter().map(PackedFile::records).sum();
    let found = progress::watched(total, 0, arguments.asks.quiet, |work| {
        files.iter().try_for_each(|file| {
            find_positions(file, &target, work, &mut |row, stored| listed.take(file, row, stored))
        })
    });
    if let Some(failure) = listed.failed {
        return Err(failure);
    }
    found?;
    if arguments.count {
        print_line(&match arguments.json {
            true => json!({ "records": listed.records }).to_string(),
            false => listed.records.to_string(),
        })?;
    } else if listed.records == 0 && !arguments.asks.quiet {
        tell_none(&target);
    }
    Ok(if listed.records == 0 { ExitCode::from(DIFFERENT) } else { ExitCode::SUCCESS })
}

fn tell_none(target: &Target) {
    progress::say(format_args!("nothing was found: no record has {}", target.text()));
}

/// What was found so far.
struct Listed<'a> {
    arguments: &'a Arguments,
    /// Whether the file is named, as there are several.
    named: bool,
    records: u64,
    failed: Option<Failure>,
}

impl Listed<'_> {
    fn take(
        &mut self,
        file: &PackedFile,
        row: u64,
        stored: &StoredPosition<'_>,
    ) -> Result<ControlFlow<()>, Error> {
        let limit = self.arguments.limit.unwrap_or(u64::MAX);
        if self.records >= limit {
            return Ok(ControlFlow::Break(()));
        }
        self.records += 1;
        if self.arguments.count {
            return Ok(ControlFlow::Continue(()));
        }
        let failed = Error::record(file.path(), row);
        let line = if self.arguments.json {
            self.object(file, row, stored).map_err(failed)?.to_string()
        } else {
            let bytes = stored.render().map_err(failed)?;
            let text = String::from_utf8_lossy(&bytes);
            let line = format!("{:>9}  {}", row + 1, terminal::part(text.trim_end()));
            if self.named { format!("{line}  {}", file.path().display()) } else { line }
        };
        if let Err(failure) = print_line(&line) {
            self.failed = Some(failure);
            return Err(Error::Stopped);
        }
        Ok(if self.records < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }

    fn object(
        &self,
        file: &PackedFile,
        row: u64,
        stored: &StoredPosition<'_>,
    ) -> Result<Value, plypack::rows::RowError> {
        let mut object = Map::new();
        if self.named {
            object.insert("file".into(), file.path().to_string_lossy().into());
        }
        object.insert("record".into(), (row + 1).into());
        object.insert("position".into(), stored.text()?.into());
        for (opcode, operand) in &stored.operations {
            object.entry(*opcode).or_insert_with(|| (*operand).into());
        }
        Ok(object.into())
    }
}
