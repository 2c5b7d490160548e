//! Checks HullQin's code of xiangqi positions and his share links against golden ones.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use base64ct::{Base64UrlUnpadded, Encoding};
use plypack_core::Rules;
use plypack_games::position_codec;
use plypack_games::xiangqi::Xiangqi;
use plypack_games::xiangqi::hullqin;
use plypack_games::xiangqi::men::Men;

/// A row of `vectors/link/xiangqi-hullqin.txt`.
struct Row<'a> {
    name: &'a str,
    p: &'a str,
    p_bits: u32,
    r: Option<&'a str>,
    r_bits: u32,
    fen: &'a str,
    men: Men,
}

const FILE: &str = include_str!("../../../../vectors/link/xiangqi-hullqin.txt");

fn rows() -> Vec<Row<'static>> {
    let row = |line: &'static str| {
        let [name, p, p_bits, r, r_bits, fen, squares] = *line.split('\t').collect::<Vec<_>>()
        else {
            panic!("not seven fields: {line}");
        };
        let squares: Vec<u8> = squares.split(' ').map(|s| s.parse().expect("a square")).collect();
        Row {
            name,
            p,
            p_bits: p_bits.parse().expect("a number"),
            r: Some(r).filter(|&r| r != "-"),
            r_bits: r_bits.parse().expect("a number"),
            fen,
            men: Men {
                red_to_move: fen.ends_with('w'),
                squares: squares.try_into().expect("32 squares"),
            },
        }
    };
    FILE.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// The game of the sample link.
const GAME: [&str; 20] = [
    "e3e4", "e6e5", "e4e5", "g6g5", "g3g4", "h7h4", "h2h3", "h4h0", "h3h6", "h0f0", "i0h0", "c6c5",
    "h0h5", "b7b6", "h6a6", "g5g4", "h5h6", "b6b3", "h6h8", "i6i5",
];

#[test]
fn men_have_their_golden_codes() {
    let rows = rows();
    assert_eq!(rows.len(), 26);
    for Row { name, p, p_bits, men, .. } in rows {
        let code = men.to_code().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            (Base64UrlUnpadded::encode_string(&code.bytes).as_str(), code.bits),
            (p, p_bits),
            "{name}"
        );
        let bytes = Base64UrlUnpadded::decode_vec(p).expect(name);
        assert_eq!(Men::from_code(&bytes), Ok(men), "{name}");
    }
}

#[test]
fn positions_have_their_golden_codes() {
    let codec = position_codec("xiangqi", "xiangqi.candidates").expect("it is registered");
    for Row { name, p, p_bits, fen, .. } in rows() {
        let bytes = Base64UrlUnpadded::decode_vec(p).expect(name);
        let Ok(position) = Xiangqi.read_position(fen) else {
            assert_eq!(name, "bare-kings-facing");
            assert!(codec.decode(&bytes).is_err());
            continue;
        };
        let mut canonical = String::new();
        Xiangqi.write_position(&position, &mut canonical);
        assert_eq!(codec.decode(&bytes), Ok(canonical), "{name}");
        let code = codec.encode(fen).unwrap_or_else(|error| panic!("{name}: {error}"));
        let ours = (Base64UrlUnpadded::encode_string(&code.bytes), code.bits);
        // This one numbers men of a kind in another order than we do.
        assert_eq!(ours == (p.into(), p_bits), name != "longest", "{name}");
    }
}

#[test]
fn histories_lead_to_the_start_and_back() {
    let mut histories = 0;
    for Row { name, p, r, r_bits, fen, .. } in rows() {
        let Some(r) = r else { continue };
        let line = hullqin::read(&format!("https://game.hullqin.cn/xq?p={p}&r={r}&s=1"));
        let line = line.unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut start = String::new();
        Xiangqi.write_position(&Xiangqi.start(), &mut start);
        assert_eq!(line.start, start, "{name}");
        assert_eq!(line.moves, &GAME[..line.moves.len()], "{name}");
        assert!(line.end.starts_with(fen), "{name}: {}", line.end);
        let plies = name.strip_prefix("after-").map_or(20, |plies| plies.parse().expect(name));
        assert_eq!(line.moves.len(), plies, "{name}");

        let written = hullqin::write(None, &mut line.moves.iter().map(String::as_str));
        assert_eq!(written, Ok(format!("?p={p}&r={r}&s=1")), "{name}");
        // The rest of the last byte is ones, which begin no record.
        let bytes = Base64UrlUnpadded::decode_vec(r).expect(name);
        assert_eq!(bytes.len(), r_bits.div_ceil(8) as usize, "{name}");
        let filling = bytes.last().expect(name).trailing_ones();
        assert!(filling >= (8 - r_bits % 8) % 8, "{name}");
        histories += 1;
    }
    assert_eq!(histories, 21);
}
