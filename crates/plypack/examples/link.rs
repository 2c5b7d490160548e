//! A whole game as a URL, and back.

use plypack::{Error, Link, Notation, game};

fn main() -> Result<(), Error> {
    let link = Link::new(game("chess")?, None, ["e4", "e5", "Nf3"])?;
    let address = format!("https://example.org/play#{}", link.to_text()?);
    println!("{address}");
    let back = Link::read(&address)?;
    println!("{}: {}", back.game().title(), back.moves(Notation::Coordinate)?);
    Ok(())
}
