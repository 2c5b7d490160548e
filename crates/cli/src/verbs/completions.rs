//! `plypack completions`: prints scripts for shells, from the parser's own definitions.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::failure::Failure;

/// Print a shell completion script.
///
/// Put it where the shell looks for completions; the next shell reads it:
///
/// bash: plypack completions bash > ~/.local/share/bash-completion/completions/plypack
///
/// zsh: plypack completions zsh > ~/.zfunc/_plypack, with `fpath+=~/.zfunc` before `compinit` in
/// ~/.zshrc
///
/// fish: plypack completions fish > ~/.config/fish/completions/plypack.fish
///
/// PowerShell: plypack completions powershell >> $PROFILE
///
/// elvish: plypack completions elvish >> ~/.config/elvish/rc.elv
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut crate::Arguments::command(), "plypack", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
