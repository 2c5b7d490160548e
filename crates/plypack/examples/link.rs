//! A whole game as a URL, and back.

use plypack::{Error, Link, Notation, Rules};

fn main() -> Result<(), Error> {
    let link = Link::new("chess".parse::<Rules>()?, None, ["e4", "e5", "Nf3"])?;
    let address = format!("https://example.org/play#{}", link);
    println!("{address}");
    let back = address.parse::<Link>()?;
    println!("{}: {}", back.rules().title(), back.moves(Notation::Coordinate)?);
    Ok(())
}
