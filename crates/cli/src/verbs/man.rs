//! `plypack man`: prints the manual page, from the parser's own definitions.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::failure::Failure;

/// Print the manual page, with every verb.
///
/// To read it now: plypack man | man -l -
///
/// To keep it: plypack man > ~/.local/share/man/man1/plypack.1
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_: &Arguments) -> Result<ExitCode, Failure> {
    // Built first, so that verbs know their full command lines.
    let mut command = crate::Arguments::command().disable_help_subcommand(true);
    command.build();
    let mut page = Vec::new();
    write(&mut page, &command)?;
    io::stdout().lock().write_all(&page)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page: a description of plypack, and a part for each verb.
fn write(page: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    let man = Man::new(command.clone()).manual("User Commands");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    writeln!(page, ".SH VERBS")?;
    verbs(page, command)
}

/// Writes the verbs of a command, and below each its own verbs.
fn verbs(page: &mut Vec<u8>, command: &Command) -> io::Result<()> {
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        writeln!(page, ".SS {}", verb.get_bin_name().unwrap_or_else(|| verb.get_name()))?;
        let man = Man::new(verb.clone());
        let mut part = Vec::new();
        man.render_synopsis_section(&mut part)?;
        man.render_description_section(&mut part)?;
        man.render_options_section(&mut part)?;
        // These sections are meant for a separate page; here they become paragraphs.
        for line in String::from_utf8_lossy(&part).lines() {
            writeln!(page, "{}", if line.starts_with(".SH ") { ".PP" } else { line })?;
        }
        verbs(page, verb)?;
    }
    Ok(())
}
