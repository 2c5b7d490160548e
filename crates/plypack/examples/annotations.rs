//! Annotations: clocks, evaluations, comments, and variations as a tree.

use plypack::{Error, Notation, PackedFile, Variation, pack};

fn main() -> Result<(), Error> {
    let packed = std::env::temp_dir().join("annotations.parquet");
    pack("samples/annotated.pgn", &packed)?;
    show(&PackedFile::open(&packed)?.game(1)?.tree(Notation::Customary)?);
    Ok(())
}

fn show(line: &Variation) {
    for mv in &line.moves {
        println!("{} {:?} {:?} {:?} {:?}", mv.ply, mv.text, mv.clock, mv.evaluation, mv.comments);
        mv.variations.iter().for_each(show);
    }
}
