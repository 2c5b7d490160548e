//! `plypack position`: encodes and decodes positions, one, or one per line.

use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;

use clap::Subcommand;
use plypack_core::ErasedPositionCodec;

use crate::code_text::CodeText;
use crate::failure::Failure;
use crate::progress;

/// Encode or decode positions.
///
/// Without arguments, positions or codes are read from standard input, one per line, and each line
/// of input gives one line of output; an empty line gives an empty one. The first line that cannot
/// be coded is reported and ends the run.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack position encode 8/8/8/4k3/8/4K3/8/7R w - - 0 40
  plypack position encode --text base64url < fens.txt")]
pub struct Arguments {
    #[command(subcommand)]
    direction: Direction,
}

#[derive(Debug, Subcommand)]
enum Direction {
    /// Encode positions
    Encode(Position),
    /// Decode codes to positions
    Decode(Position),
}

#[derive(Debug, clap::Args)]
struct Position {
    /// The game
    #[arg(long, default_value = "chess", value_parser = super::codecs::game_name)]
    game: String,
    /// The codec; `plypack codecs` lists the choices [default: board.combination, which holds
    /// every position]
    #[arg(long)]
    codec: Option<String>,
    /// How codes are written
    #[arg(long = "text", value_enum, default_value_t = CodeText::Hex)]
    code_text: CodeText,
    /// The position, in quotes or as separate words, or the code [default: standard input]
    #[arg(value_name = "TEXT|HEX")]
    text: Vec<String>,
}

/// The longest line of input, in bytes.
const LINE_MAX: u64 = 1 << 16;

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (encodes, position) = match &arguments.direction {
        Direction::Encode(position) => (true, position),
        Direction::Decode(position) => (false, position),
    };
    let codec = super::codecs::find_position(&position.game, position.codec.as_deref())?;
    let code_text = position.code_text;
    let mut translator = Translator { codec, code_text, encodes, told: false };
    if position.text.is_empty() || position.text == ["-"] {
        translator.translate_lines()?;
    } else {
        super::print_line(&translator.translate(&position.text.join(" "))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Translator {
    codec: &'static dyn ErasedPositionCodec,
    code_text: CodeText,
    encodes: bool,
    /// Whether a loss was reported.
    told: bool,
}

impl Translator {
    fn translate_lines(&mut self) -> Result<(), Failure> {
        let mut input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
        let mut output = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        let mut line = Vec::new();
        for number in 1.. {
            if input.buffer().is_empty() {
                // The writer of the input may wait for an answer before the next line.
                output.flush()?;
            }
            line.clear();
            let read = input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line);
            if read.map_err(|error| Failure::new(format!("standard input: {error}")))? == 0 {
                break;
            }
            let answer = self.translate_line(&line).map_err(|failure| failure.at_line(number))?;
            writeln!(output, "{answer}")?;
        }
        Ok(output.flush()?)
    }

    fn translate_line(&mut self, line: &[u8]) -> Result<String, Failure> {
        let text = std::str::from_utf8(line.trim_ascii());
        match text.map_err(|_| Failure::new("it is not UTF-8"))? {
            _ if line.len() as u64 == LINE_MAX => {
                Err(Failure::new(format!("it is too long: {LINE_MAX} bytes or more")))
            }
            "" => Ok(String::new()),
            text => self.translate(text),
        }
    }

    fn translate(&mut self, text: &str) -> Result<String, Failure> {
        if !self.encodes {
            let code = self.code_text.read(text.trim())?;
            return self.codec.decode(&code).map_err(Failure::check);
        }
        let code = self.codec.encode(text).map_err(Failure::new)?.bytes;
        if code.is_empty() {
            // It would look like an empty line.
            let codec = self.codec.info().name;
            return Err(Failure::new(format!("{codec} codes it in no bytes at all; use another")));
        }
        self.tell_loss(text, &code)?;
        Ok(self.code_text.write(&code))
    }

    /// Reports once what the codec does not hold, if a position has any of it.
    fn tell_loss(&mut self, text: &str, code: &[u8]) -> Result<(), Failure> {
        let drops = self.codec.drops();
        if self.told || drops.is_empty() {
            return Ok(());
        }
        let canonical = self.codec.game().position_after(Some(text), &[]).map_err(Failure::new)?;
        let back = self.codec.decode(code).map_err(Failure::check)?;
        if back != canonical {
            let (codec, drops) = (self.codec.info().name, drops.join(", "));
            progress::say(format_args!(
                "plypack: {codec} does not hold everything ({drops}): `{canonical}` will come \
                 back as `{back}`"
            ));
            self.told = true;
        }
        Ok(())
    }
}
