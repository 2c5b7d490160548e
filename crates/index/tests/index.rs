//! Writes and queries an index of made-up games: it returns what was put in, and damage is noticed.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::manual_is_multiple_of,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::Path;

use plypack_core::Outcome;
use plypack_core::key::Structure;
use plypack_index::{
    END, Entry, Error, Footer, GROUPS, Group, GroupSums, HEADS_GAMES, Head, Heads, LISTED_MAX,
    Layout, Lengths, MoveSum, Occurrence, Opened, Page, PageLengths, PageWriter, Players,
    RATED_MIN, REMAINS_GAMES, RatingsLength, RatingsWriter, Shared, Source, Spot, Staying, Sum,
    Summand, Visit, Witness, find_ratings, rating_group, read_remains, write_heads, write_remains,
};
use proptest::prelude::*;

/// Games that follow entirely from their numbers, of which it has every so many-th.
struct MadeUp(u32);

impl Source for MadeUp {
    type Error = Infallible;

    fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Infallible> {
        assert!(games.is_sorted_by(|one, next| one < next));
        Ok(games.iter().map(|&game| summand(game * self.0)).collect())
    }

    fn players(&self, game: u32) -> Result<Players, Infallible> {
        let game = game * self.0;
        let white = format!("Player {}", game % 7);
        let black = "ö".repeat(usize::try_from(game % 90).expect("small"));
        let white_rating = Some(2_000).filter(|_| game % 2 == 0);
        Ok(Players { white, black, white_rating, black_rating: None })
    }

    fn line(&self, game: u32, plies: u16) -> Result<Option<Witness>, Infallible> {
        let game = game * self.0;
        let start = Some("a start".to_owned()).filter(|_| game % 3 == 0);
        Ok(Some(Witness { start, candidates: (0..plies).collect() }))
    }
}

fn summand(game: u32) -> Summand {
    let outcome = [None, Some(Outcome::White), Some(Outcome::Draw), Some(Outcome::Black)];
    let rating = Some(600 + u16::try_from(game % 2_300).expect("small"));
    Summand {
        outcome: outcome[usize::try_from(game % 4).expect("small")],
        rating: rating.filter(|_| game % 5 != 0),
        year: Some(1_990 + u16::try_from(game % 30).expect("small")).filter(|_| game % 11 != 0),
    }
}

/// How the positions of a made-up game are structured.
type Kind = fn(u64) -> Structure;

/// Each position is a structure of its own, as in games of stones.
const ALONE: Kind = |key| Structure { frame: key, men: 0 };

/// Each has a frame of its own, with men.
const OWN: Kind = |key| Structure { frame: key, men: key };

/// Half of them share 16 frames, with men in common or of their own.
const MIXED: Kind = |key| match key % 4 {
    0 | 1 => OWN(key),
    2 => Structure { frame: plypack_key(key >> 2 & 15), men: plypack_key(1 + (key >> 8) % 4) },
    _ => Structure { frame: plypack_key(key >> 2 & 15), men: key },
};

const KINDS: [Kind; 3] = [ALONE, OWN, MIXED];

fn spot(kind: Kind, key: u64) -> Spot {
    Spot { structure: kind(key), key }
}

fn occurrence(key: u64, check: u32, game: u32, candidate: u16, ply: u16) -> Occurrence {
    Occurrence { place: 0, key, check, game, candidate, ply }
}

/// The layout of an index of so many positions.
fn layout_of(kind: Kind, occurrences: &[Occurrence], games: u32) -> Layout {
    let structured = occurrences.iter().any(|one| kind(one.key).men != 0);
    Layout::new(occurrences.len() as u64, games, structured)
}

/// The bytes of an index of these occurrences.
fn index(kind: Kind, occurrences: &[Occurrence], games: u32) -> Vec<u8> {
    index_by(&MadeUp(1), kind, occurrences, games)
}

fn index_by(source: &MadeUp, kind: Kind, occurrences: &[Occurrence], games: u32) -> Vec<u8> {
    let layout = layout_of(kind, occurrences, games);
    let placed = occurrences.iter().map(|one| {
        let place = layout.masked(spot(kind, one.key).place());
        Occurrence { place, ..*one }
    });
    let mut placed: Vec<Occurrence> = placed.collect();
    placed.sort_unstable();
    let mut pages = Vec::new();
    let page = |page| {
        pages.push(page);
        Ok(())
    };
    let counts = PageWriter::new(layout).write(placed.into_iter().map(Ok), source, page);
    let counts = counts.expect("nothing goes wrong");
    let keys: BTreeSet<_> = occurrences.iter().map(|one| (one.key, one.check)).collect();
    let pairs: BTreeSet<_> = occurrences.iter().map(|one| (one.key, one.check, one.game)).collect();
    assert_eq!((counts.keys, counts.visits), (keys.len() as u64, pairs.len() as u64));
    index_of(layout, pages)
}

/// The bytes of an index of these pages.
fn index_of(layout: Layout, pages: Vec<Page>) -> Vec<u8> {
    let games = layout.games();
    let mut bytes = Footer::head().to_vec();
    let mut lengths = Vec::new();
    let (mut writer, mut rated) = (RatingsWriter::default(), Vec::new());
    for page in pages {
        let blocks = (bytes.len() + page.entries.len()) as u64;
        for (start, sums) in page.ratings {
            rated.extend(writer.push(blocks + start, &sums));
        }
        let entries = u32::try_from(page.entries.len()).expect("small");
        lengths.push(PageLengths { place: page.place, entries, blocks: page.blocks.len() as u64 });
        bytes.extend(page.entries);
        bytes.extend(page.blocks);
    }
    let mut add = |blocks: Vec<Vec<u8>>| -> Vec<u32> {
        bytes.extend(blocks.concat());
        blocks.iter().map(|block| u32::try_from(block.len()).expect("small")).collect()
    };
    let all: Vec<Head> = (0..games).map(head).collect();
    let heads = all.chunks(usize::try_from(HEADS_GAMES).expect("small")).map(write_heads);
    let heads = add(heads.collect());
    let all: Vec<u64> = (0..games).map(remains).collect();
    let remains = all.chunks(usize::try_from(REMAINS_GAMES).expect("small")).map(write_remains);
    let remains = add(remains.collect());
    rated.extend(writer.finish());
    let ratings = rated.iter().map(|block| RatingsLength {
        first: block.first,
        bytes: u32::try_from(block.bytes.len()).expect("small"),
    });
    let ratings: Vec<RatingsLength> = ratings.collect();
    add(rated.into_iter().map(|block| block.bytes).collect());
    let groups = vec![Group { id: [7; 16], games }];
    let lengths = Lengths { pages: &lengths, heads: &heads, remains: &remains, ratings: &ratings };
    bytes.extend(Footer::new(groups, layout, lengths).to_bytes());
    bytes
}

/// The remains of a made-up game.
fn remains(game: u32) -> u64 {
    u64::from(game) * 1_000_003
}

/// The head of a made-up game.
fn head(game: u32) -> Head {
    let mut players = MadeUp(1).players(game).expect("a game");
    players.black = Players::cut(&players.black).to_owned();
    let Summand { outcome, year, .. } = summand(game);
    Head { players, outcome, year }
}

fn footer_of(index: &[u8]) -> Result<Footer, Error> {
    let size = index.len() as u64;
    let mut range = Footer::tail(size);
    loop {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).expect("small"));
        match Footer::read(size, &index[start..end])? {
            Opened::Footer(footer) => return Ok(footer),
            Opened::Needs(more) => range = more,
        }
    }
}

fn slice(index: &[u8], range: std::ops::Range<u64>) -> &[u8] {
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).expect("small"));
    index.get(start..end).expect("it is there")
}

/// What the index has for a position: lists of games, and in blocks their moves.
type Told = Vec<(Vec<u32>, Option<Vec<(u32, Option<u16>)>>)>;

fn ask(index: &[u8], footer: &Footer, Spot { structure, key }: Spot) -> Result<Told, Error> {
    let place = Spot { structure, key }.place();
    let range = footer.page(place);
    let mut told = Vec::new();
    for entry in footer.layout().find(place, slice(index, range.clone()), range.start)? {
        match entry {
            Entry::Few(games) => {
                assert!(games.len() <= LISTED_MAX);
                told.push((games, None));
            }
            Entry::Block(block) => {
                let head = slice(index, block.head());
                let Some(shared) = Shared::read(footer.layout(), key, head)? else { continue };
                let games = shared.games(slice(index, block.whole()));
                let visits: Vec<_> = games.collect::<Result<_, _>>()?;
                let visits: Vec<_> = visits.iter().map(|v| (v.game, v.candidate)).collect();
                check_sums(&shared, &visits);
                check_ratings(index, footer, (block.whole().start, &shared), &visits)?;
                let mut games: Vec<u32> = visits.iter().map(|visit| visit.0).collect();
                games.dedup();
                assert_eq!(shared.records, games.len() as u64);
                told.push((games, Some(visits)));
            }
        }
    }
    Ok(told)
}

/// Checks the sums, the examples and the witness against the games.
fn check_sums(shared: &Shared, visits: &[(u32, Option<u16>)]) {
    let mut sums: BTreeMap<Option<u16>, Sum> = BTreeMap::new();
    for (game, candidate) in visits {
        sums.entry(*candidate).or_default().add(summand(*game));
    }
    assert_eq!(sums.remove(&None), shared.ended);
    let found: BTreeMap<_, _> = shared.moves.iter().map(|m| (Some(m.candidate), m.sum)).collect();
    assert_eq!(sums, found);
    assert!(shared.moves.is_sorted_by_key(|mv| std::cmp::Reverse(mv.sum.records)));
    assert_eq!(shared.examples.len(), if shared.records < 32 { 0 } else { 3 });
    assert_eq!(shared.witness.is_some(), shared.records >= 32);
    for example in &shared.examples {
        assert!(visits.contains(&(example.game, example.candidate)));
        let Players { white, black, .. } = MadeUp(1).players(example.game).expect("a game");
        assert_eq!(example.head.players.white, white);
        assert!(
            black.starts_with(&example.head.players.black)
                && example.head.players.black.len() <= 100
        );
        assert_eq!(
            (example.head.outcome, example.head.year),
            (summand(example.game).outcome, summand(example.game).year)
        );
    }
    let best = visits.iter().map(|visit| summand(visit.0).rating).max();
    assert_eq!(shared.best.len(), 3);
    assert_eq!(Some(summand(shared.best[0].game).rating), best);
    assert!(shared.best.is_sorted_by_key(|best| std::cmp::Reverse(summand(best.game).rating)));
    assert!(shared.best.iter().all(|best| visits.contains(&(best.game, best.candidate))));
}

/// The sums by rating group of a position whose block begins at `start`, if there are any.
fn ratings_of(
    index: &[u8],
    footer: &Footer,
    (start, shared): (u64, &Shared),
) -> Result<Option<[GroupSums; GROUPS]>, Error> {
    let range = footer.ratings(start);
    if range.is_empty() {
        return Ok(shared.unrated());
    }
    let found = find_ratings(slice(index, range), start)?;
    found.map(|bytes| shared.by_rating(footer.layout(), bytes)).transpose()
}

/// Checks the sums by rating group against the games; there are some from a thousand games on.
fn check_ratings(
    index: &[u8],
    footer: &Footer,
    (start, shared): (u64, &Shared),
    visits: &[(u32, Option<u16>)],
) -> Result<(), Error> {
    let Some(groups) = ratings_of(index, footer, (start, shared))? else {
        assert!(shared.records < RATED_MIN);
        return Ok(());
    };
    assert!(shared.records >= RATED_MIN || shared.unrated().is_some());
    for (number, group) in groups.iter().enumerate() {
        let own = |visit: &&(u32, Option<u16>)| rating_group(summand(visit.0).rating) == number;
        let own: Vec<&(u32, Option<u16>)> = visits.iter().filter(own).collect();
        let games: BTreeSet<u32> = own.iter().map(|visit| visit.0).collect();
        assert_eq!(group.records, games.len() as u64, "group {number}");
        let played = shared.moves.iter().map(|played| Some(played.candidate));
        for (played, sum) in played.chain(shared.ended.map(|_| None)).zip(&group.sums) {
            let mut expected = Sum::default();
            own.iter().filter(|visit| visit.1 == played).for_each(|v| expected.add(summand(v.0)));
            assert_eq!(*sum, expected, "group {number}, {played:?}");
        }
        let rank = |game: u32| std::cmp::Reverse((summand(game).rating, summand(game).year));
        let mut best: Vec<u32> = games.into_iter().collect();
        best.sort_by_key(|&game| rank(game));
        best.truncate(3);
        assert_eq!(group.best.iter().map(|best| best.game).collect::<Vec<_>>(), best);
        assert!(group.best.iter().all(|best| own.contains(&&(best.game, best.candidate))));
    }
    Ok(())
}

/// Games that begin alike and then diverge, some of which return to a position.
fn made_up(games: u32, plies: u16) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for game in 0..games {
        for ply in 0..plies {
            // The later the ply, the fewer games share a position.
            let kin = u64::from(game % (1 + u32::from(ply) * u32::from(ply)));
            let key = plypack_key(u64::from(ply) << 32 | kin);
            let candidate =
                if ply + 1 == plies { END } else { u16::try_from(game % 5).expect("5") };
            all.push(occurrence(key, 1, game, candidate, ply));
            if game % 13 == 0 {
                all.push(occurrence(key, 1, game, candidate.saturating_sub(1), ply + 4));
                all.push(occurrence(key, 1, game, candidate, ply + 8));
            }
        }
    }
    all
}

/// A number spread over 64 bits.
fn plypack_key(seed: u64) -> u64 {
    let mixed = (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[test]
fn what_was_put_in_comes_out() {
    for (games, plies) in [(0, 0), (1, 3), (5, 2), (40, 30), (3_000, 12)] {
        let all = made_up(games, plies);
        let mut expected: BTreeMap<u64, BTreeSet<(u32, Option<u16>)>> = BTreeMap::new();
        for one in &all {
            let candidate = Some(one.candidate).filter(|&candidate| candidate != END);
            expected.entry(one.key).or_default().insert((one.game, candidate));
        }
        for kind in KINDS {
            let bytes = index(kind, &all, games);
            check_positions(&bytes, kind, &expected);
            check_games(&bytes, games);
        }
        let bytes = index(ALONE, &all, games);
        let footer = footer_of(&bytes).expect("an index");
        let strangers = (0..1_000).map(|seed| spot(ALONE, plypack_key(seed | 1 << 60)));
        let told = strangers.filter(|&one| !ask(&bytes, &footer, one).expect("whole").is_empty());
        assert!(told.count() < 150, "too many strangers have entries among {games} games");
    }
}

/// Checks that an index has these positions: of more than three games a block with their moves, of
/// others these games, and perhaps others of the same structure.
fn check_positions(
    bytes: &[u8],
    kind: Kind,
    expected: &BTreeMap<u64, BTreeSet<(u32, Option<u16>)>>,
) {
    let footer = footer_of(bytes).expect("an index");
    for (&key, visits) in expected {
        let told = ask(bytes, &footer, spot(kind, key)).expect("whole");
        let games: BTreeSet<u32> = visits.iter().map(|visit| visit.0).collect();
        let blocks: Vec<_> = told.iter().filter_map(|(_, moves)| moves.as_ref()).collect();
        match (&blocks[..], games.len()) {
            ([], 0..=3) => {
                let told: BTreeSet<u32> = told.into_iter().flat_map(|(games, _)| games).collect();
                assert!(told.is_superset(&games), "{key:x}: {told:?}, not {games:?}");
            }
            ([moves], 4..) => {
                assert_eq!(&moves.iter().copied().collect::<BTreeSet<_>>(), visits);
            }
            _ => panic!("{key:x}: {} games, {} blocks", games.len(), blocks.len()),
        }
    }
}

/// Checks the heads and remains of an index of so many games.
fn check_games(bytes: &[u8], games: u32) {
    let footer = footer_of(bytes).expect("an index");
    for game in 0..games {
        let block = slice(bytes, footer.heads(game));
        let heads = Heads::read(footer.layout(), game, block).expect("whole");
        assert_eq!(heads.head(game), Some(head(game)));
    }
    assert_eq!(footer.heads(games.next_multiple_of(HEADS_GAMES)), 0..0);
    let blocks = (0..footer.remains_blocks()).flat_map(|number| {
        let block = slice(bytes, footer.remains(number));
        read_remains(footer.layout(), number, block).expect("whole")
    });
    assert!(blocks.eq((0..games).map(remains)));
    assert_eq!(footer.remains(footer.remains_blocks()), 0..0);
    let parts: u64 = footer.parts().iter().map(|part| part.1).sum();
    assert_eq!(8 + parts, footer.end());
}

#[test]
fn a_position_that_was_not_played_decodes_few_games() {
    let all = made_up(3_000, 12);
    let bytes = index(MIXED, &all, 3_000);
    let footer = footer_of(&bytes).expect("an index");
    for seed in 0..10_000 {
        // `ask` checks how many are listed together; positions of a slot are rarely two.
        let told = ask(&bytes, &footer, spot(MIXED, plypack_key(seed | 1 << 50))).expect("whole");
        let games: usize = told.iter().map(|(games, _)| games.len()).sum();
        assert!(games <= LISTED_MAX, "{games} games for one question");
    }
}

#[test]
fn a_frame_that_fills_pages_is_found_on_each() {
    // 40,000 positions of two games with the same pawns and men.
    let kind: Kind = |_| Structure { frame: 1 << 63, men: 5 << 52 };
    let games = 80_000;
    let all: Vec<_> =
        (0..games).map(|game| occurrence(plypack_key((game / 2).into()), 0, game, 1, 30)).collect();
    let bytes = index(kind, &all, games);
    let footer = footer_of(&bytes).expect("an index");
    assert!(footer.pages() > 5, "{} pages", footer.pages());
    let mut told_in_all = 0;
    for game in (0..games).step_by(2) {
        let key = plypack_key((game / 2).into());
        let told = ask(&bytes, &footer, spot(kind, key)).expect("whole");
        assert!(told.iter().any(|(games, _)| games == &[game, game + 1]), "{told:?}");
        told_in_all += told.len();
    }
    assert!(told_in_all < 43_000, "{told_in_all}");
    for number in 0..footer.pages() {
        let (_, [entries, _]) = footer.page_at(number);
        assert!(entries.end - entries.start < 24 << 10);
    }
}

/// The index without games that do not stay.
fn pruned(bytes: &[u8], games: u32, stays: impl Fn(u32) -> bool) -> Vec<u8> {
    let footer = footer_of(bytes).expect("an index");
    let mut staying = Staying::default();
    (0..games).for_each(|game| staying.push(stays(game)));
    let old = footer.layout();
    let layout = old.with_games(staying.games());
    let source = Renumbered((0..games).filter(|&game| stays(game)).collect());
    let page = |number| {
        let (place, page) = footer.page_at(number);
        let page = page.map(|range| slice(bytes, range));
        PageWriter::new(layout).prune(old, place, page, &staying, &source).expect("whole")
    };
    index_of(layout, (0..footer.pages()).map(page).collect())
}

/// Some of the games, renumbered.
struct Renumbered(Vec<u32>);

impl Source for Renumbered {
    type Error = Error;

    fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Error> {
        let old = games.iter().map(|&game| self.0[usize::try_from(game).expect("small")]);
        Ok(old.map(summand).collect())
    }

    fn players(&self, game: u32) -> Result<Players, Error> {
        let Ok(players) = MadeUp(1).players(self.0[usize::try_from(game).expect("small")]);
        Ok(players)
    }

    fn line(&self, _: u32, _: u16) -> Result<Option<Witness>, Error> {
        panic!("a block that stays has had a line before");
    }
}

/// The content of a block: the number of games, the sums of their moves and of their ends, and the
/// visits.
type Block = (u64, Vec<MoveSum>, Option<Sum>, Vec<Visit>);

/// The contents of the blocks of a position.
fn blocks_of(bytes: &[u8], Spot { structure, key }: Spot) -> Vec<Block> {
    let footer = footer_of(bytes).expect("an index");
    let place = Spot { structure, key }.place();
    let range = footer.page(place);
    let found = footer.layout().find(place, slice(bytes, range.clone()), range.start);
    let blocks = found.expect("whole").into_iter().filter_map(|entry| {
        let Entry::Block(block) = entry else { return None };
        let shared = Shared::read(footer.layout(), key, slice(bytes, block.head()));
        let shared = shared.expect("whole")?;
        let visits = shared.games(slice(bytes, block.whole())).collect::<Result<_, _>>();
        Some((shared.records, shared.moves, shared.ended, visits.expect("whole")))
    });
    blocks.collect()
}

#[test]
fn what_stays_is_as_if_there_had_been_nothing_else() {
    let (games, plies) = (1_500, 12);
    for kind in KINDS {
        let whole = index(kind, &made_up(games, plies), games);
        // If the last games go, the others keep their numbers.
        let first = made_up(1_000, plies);
        let bytes = pruned(&whole, games, |game| game < 1_000);
        let footer = footer_of(&bytes).expect("an index");
        for one in &first {
            // This compares sums, examples and lists.
            let told = ask(&bytes, &footer, spot(kind, one.key)).expect("whole");
            assert!(told.iter().any(|(games, _)| games.contains(&one.game)));
        }
        // If two in three go, the others are renumbered.
        let thirds = made_up(games, plies).into_iter().filter(|one| one.game % 3 == 0);
        let thirds: Vec<_> = thirds.map(|one| Occurrence { game: one.game / 3, ..one }).collect();
        let bytes = pruned(&whole, games, |game| game % 3 == 0);
        let built = index_by(&MadeUp(3), kind, &thirds, 500);
        for one in &thirds {
            let spot = spot(kind, one.key);
            assert_eq!(blocks_of(&bytes, spot), blocks_of(&built, spot));
        }
        // Nothing stays.
        let bytes = pruned(&whole, games, |_| false);
        let footer = footer_of(&bytes).expect("an index");
        assert_eq!(ask(&bytes, &footer, spot(kind, first[0].key)), Ok(Vec::new()));
    }
}

#[test]
fn a_damaged_page_is_not_pruned() {
    let whole = index(MIXED, &made_up(100, 12), 100);
    let footer = footer_of(&whole).expect("an index");
    let mut staying = Staying::default();
    (0..100).for_each(|game| staying.push(game % 2 == 0));
    let layout = footer.layout();
    let (place, [entries, blocks]) = footer.page_at(0);
    let end = usize::try_from(blocks.end).expect("small");
    let numbers = Renumbered((0..100).step_by(2).collect());
    for at in usize::try_from(entries.start).expect("small")..end {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        let page = [&entries, &blocks].map(|range| slice(&damaged, range.clone()));
        let writer = PageWriter::new(layout.with_games(50));
        assert!(writer.prune(layout, place, page, &staying, &numbers).is_err(), "byte {at}");
    }
}

#[test]
fn damage_that_a_checksum_hides_does_no_harm() {
    let whole = index(MIXED, &made_up(100, 12), 100);
    let footer = footer_of(&whole).expect("an index");
    let mut staying = Staying::default();
    (0..100).for_each(|game| staying.push(game % 2 == 0));
    let (layout, numbers) = (footer.layout(), Renumbered((0..100).step_by(2).collect()));
    let (place, [entries, blocks]) = footer.page_at(0);
    let (entries, blocks) = (slice(&whole, entries), slice(&whole, blocks));
    let content = entries.len() - 4;
    for at in 0..content {
        for to in [0, 0x55, 0xff, entries[at] ^ 0x10] {
            let mut damaged = entries.to_vec();
            damaged[at] = to;
            let checksum = crc32(&damaged[..content]);
            damaged[content..].copy_from_slice(&checksum.to_le_bytes());
            let _blocks = layout.blocks(&damaged, 8);
            let _frame = layout.find_frame(u64::MAX, &damaged, 8);
            let writer = PageWriter::new(layout.with_games(50));
            let _page = writer.prune(layout, place, [&damaged, blocks], &staying, &numbers);
        }
    }
}

#[test]
fn positions_whose_keys_collide_are_kept_apart() {
    let key = 0x0123_4567_89ab_cdef;
    let all: Vec<_> = (0..50).map(|game| occurrence(key, game % 2, game, 0, 3)).collect();
    for kind in KINDS {
        let bytes = index(kind, &all, 50);
        let told = ask(&bytes, &footer_of(&bytes).expect("an index"), spot(kind, key));
        let told = told.expect("whole");
        let counts: Vec<usize> = told.iter().map(|(games, _)| games.len()).collect();
        assert_eq!(counts, [25, 25]);
    }
}

#[test]
fn a_stranger_in_the_slot_of_a_block_is_told_apart() {
    let key = 0x0123_4567_89ab_cdef;
    let all: Vec<_> = (0..50).map(|game| occurrence(key, 0, game, 0, 3)).collect();
    let bytes = index(ALONE, &all, 50);
    let footer = footer_of(&bytes).expect("an index");
    assert_eq!(ask(&bytes, &footer, spot(ALONE, key)).expect("whole").len(), 1);
    for stranger in [key ^ 1, key ^ 1 << 20] {
        let place = spot(ALONE, stranger).place();
        let range = footer.page(place);
        let found = footer.layout().find(place, slice(&bytes, range.clone()), range.start);
        assert_eq!(found.expect("whole").len(), 1, "it has the same slot");
        assert!(ask(&bytes, &footer, spot(ALONE, stranger)).expect("whole").is_empty());
    }
}

#[test]
fn a_part_of_an_unknown_name_is_skipped() {
    let bytes = index(MIXED, &made_up(60, 8), 60);
    let footer = footer_of(&bytes).expect("an index");
    let end = usize::try_from(footer.end()).expect("small");
    // The directory follows the version and one row group.
    let content = &bytes[end..bytes.len() - 12];
    let (before, parts) = content.split_at(1 + 1 + 1 + 16);
    assert_eq!(parts.first(), Some(&3), "small indices have no ratings");
    let mut with = [before, &[4], &parts[1..], b"\x07unknown", &[2, 9, 9, 100]].concat();
    let checksum = crc32(&with);
    let length = u32::try_from(with.len()).expect("short");
    with.extend(checksum.to_le_bytes());
    with.extend(length.to_le_bytes());
    with.extend(b"PLYX");
    let bytes = [&bytes[..end], &[7; 100], &with].concat();
    let more = footer_of(&bytes).expect("an index with another part");
    assert_eq!((more.end(), more.parts()), (footer.end() + 100, footer.parts()));
}

/// An index with one block of ratings, and one position that has some: where its block is, and its
/// bytes.
fn rated() -> (Vec<u8>, Footer, std::ops::Range<u64>, Shared) {
    let all = made_up(2_400, 4);
    let bytes = index(OWN, &all, 2_400);
    let footer = footer_of(&bytes).expect("an index");
    let place = spot(OWN, all[0].key).place();
    let range = footer.page(place);
    let found = footer.layout().find(place, slice(&bytes, range.clone()), range.start);
    let [Entry::Block(block)] = &found.expect("whole")[..] else { panic!("no block") };
    let shared = Shared::read(footer.layout(), all[0].key, slice(&bytes, block.head()));
    let shared = shared.expect("whole").expect("its own");
    assert!(footer.ratings_blocks() == 1 && shared.is_rated());
    (bytes, footer, block.whole(), shared)
}

#[test]
fn ratings_are_found_by_the_start_of_a_block() {
    let (bytes, footer, block, shared) = rated();
    let at = |start| ratings_of(&bytes, &footer, (start, &shared)).expect("whole");
    assert!(at(block.start).is_some());
    assert!(at(block.start + 1).is_none() && at(block.start - 1).is_none());
    assert_eq!(footer.ratings(7), 0..0);
    // Many positions take several blocks.
    let all: Vec<_> = (0..RATED_MIN * 70)
        .map(|at| {
            let game = u32::try_from(at / 70).expect("small");
            let candidate = u16::try_from(game % 5).expect("5");
            occurrence(plypack_key(at % 70), 0, game, candidate, 3)
        })
        .collect();
    let bytes = index(ALONE, &all, 1_000);
    let footer = footer_of(&bytes).expect("an index");
    assert!(footer.ratings_blocks() > 1, "{} blocks", footer.ratings_blocks());
    for position in 0..70 {
        let told = ask(&bytes, &footer, spot(ALONE, plypack_key(position))).expect("whole");
        assert_eq!(told[0].0.len(), 1_000);
    }
}

#[test]
fn games_without_ratings_need_no_part() {
    struct Unrated;
    impl Source for Unrated {
        type Error = Infallible;

        fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Infallible> {
            Ok(games.iter().map(|&game| Summand { rating: None, ..summand(game) }).collect())
        }

        fn players(&self, game: u32) -> Result<Players, Infallible> {
            MadeUp(1).players(game)
        }

        fn line(&self, game: u32, plies: u16) -> Result<Option<Witness>, Infallible> {
            MadeUp(1).line(game, plies)
        }
    }
    let all: Vec<_> = (0..1_200).map(|game| occurrence(9, 0, game, 1, 3)).collect();
    let layout = layout_of(ALONE, &all, 1_200);
    let placed = all
        .iter()
        .map(|one| Ok(Occurrence { place: layout.masked(spot(ALONE, one.key).place()), ..*one }));
    let mut pages = Vec::new();
    let page = |page| {
        pages.push(page);
        Ok(())
    };
    PageWriter::new(layout).write(placed, &Unrated, page).expect("nothing goes wrong");
    let bytes = index_of(layout, pages);
    let footer = footer_of(&bytes).expect("an index");
    assert_eq!((footer.ratings_blocks(), footer.parts()[3]), (0, ("ratings", 0)));
    let range = footer.page(spot(ALONE, 9).place());
    let page = slice(&bytes, range.clone());
    let found = layout.find(spot(ALONE, 9).place(), page, range.start).expect("whole");
    let [Entry::Block(block)] = &found[..] else { panic!("no block") };
    let shared = Shared::read(layout, 9, slice(&bytes, block.head())).expect("whole");
    let shared = shared.expect("its own");
    let groups = shared.unrated().expect("all are in the first group");
    assert_eq!(groups.each_ref().map(|group| group.records), [1_200, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(groups[0].sums, [shared.moves[0].sum]);
    assert!(groups[1..].iter().all(|group| group.sums == [Sum::default()]));
}

#[test]
fn flipped_bits_of_ratings_are_noticed() {
    let (bytes, footer, block, shared) = rated();
    let part = footer.ratings_at(0);
    let whole = ratings_of(&bytes, &footer, (block.start, &shared)).expect("whole");
    assert!(whole.is_some());
    for at in part.start * 8..part.end * 8 {
        let mut bad = bytes.clone();
        bad[usize::try_from(at / 8).expect("small")] ^= 1 << (at % 8);
        let found = ratings_of(&bad, &footer, (block.start, &shared));
        assert!(matches!(found, Err(Error::Damaged { .. })), "bit {at}");
    }
}

/// Whatever a checksum hides, the groups of a position add up to it.
#[test]
fn damaged_ratings_with_a_right_checksum_are_refused_or_add_up() {
    let (bytes, footer, block, shared) = rated();
    let part = slice(&bytes, footer.ratings_at(0));
    let content = part.len() - 4;
    let (mut read, mut refused) = (0, 0);
    for at in 0..content {
        for to in [0, 0x55, 0xff, part[at] ^ 1, part[at] ^ 0x80] {
            let mut bad = part.to_vec();
            bad[at] = to;
            let checksum = crc32(&bad[..content]);
            bad[content..].copy_from_slice(&checksum.to_le_bytes());
            let found = find_ratings(&bad, block.start).and_then(|found| {
                found.map(|bytes| shared.by_rating(footer.layout(), bytes)).transpose()
            });
            let Ok(Some(groups)) = found else {
                refused += 1;
                continue;
            };
            read += 1;
            assert_eq!(groups.iter().map(|group| group.records).sum::<u64>(), shared.records);
            let sums = shared.moves.iter().map(|played| played.sum).chain(shared.ended);
            for (number, sum) in sums.enumerate() {
                let mut all = Sum::default();
                groups.iter().for_each(|group| all.merge(&group.sums[number]));
                assert_eq!(all, sum);
            }
            let games = footer.layout().games();
            assert!(groups.iter().flat_map(|group| &group.best).all(|best| best.game < games));
        }
    }
    assert!(read > 20 && refused > 20, "{read} {refused}");
}

#[test]
fn a_part_that_is_there_twice_or_in_no_order_is_refused() {
    let (bytes, footer, ..) = rated();
    let end = usize::try_from(footer.end()).expect("small");
    let content = &bytes[end..bytes.len() - 12];
    let at = content.windows(7).position(|name| name == b"ratings").expect("its name") - 1;
    let ratings = content[at..].to_vec();
    let with = |ratings: &[u8], more: u8| {
        let mut with = [&content[..at], ratings].concat();
        // The number of the parts, behind the version and one row group of two bytes of games.
        assert_eq!(with[20], 4);
        with[20] += more;
        let checksum = crc32(&with);
        let length = u32::try_from(with.len()).expect("short");
        with.extend(checksum.to_le_bytes());
        with.extend(length.to_le_bytes());
        with.extend(b"PLYX");
        let part = usize::try_from(footer.ratings_at(0).start).expect("small")..end;
        let parts = [&bytes[..end], &bytes[part]].concat();
        let parts = &parts[..if more > 0 { parts.len() } else { end }];
        footer_of(&[parts, &with].concat()).map(|footer| footer.ratings_blocks())
    };
    assert_eq!(with(&ratings, 0), Ok(1));
    assert!(matches!(with(&[&ratings[..], &ratings].concat(), 1), Err(Error::Damaged { .. })));
    // Where the first position of a block is: behind the name and the bytes of the directory.
    let mut far = ratings.clone();
    far[10] |= 0x7f;
    far[9] |= 0x7f;
    let error = with(&far, 0).expect_err("no page is there");
    assert!(error.to_string().contains("sums by rating are in no order"), "{error}");
}

#[test]
fn an_entry_of_few_games_takes_three_bytes() {
    let all: Vec<_> =
        (0..200_000).map(|at| occurrence(plypack_key(at.into()), 0, at * 5, 0, 0)).collect();
    let bytes = index(ALONE, &all, 1_000_000);
    let pages = footer_of(&bytes).expect("an index").heads(0).start;
    let bits = pages as f64 * 8.0 / 200_000.0;
    assert!((26.0..28.0).contains(&bits), "{bits}");
}

#[test]
fn the_first_ranges_of_a_large_block_are_small() {
    let all: Vec<_> = (0..100_000).map(|game| occurrence(9, 0, game, 1, 3)).collect();
    let bytes = index(OWN, &all, 100_000);
    let footer = footer_of(&bytes).expect("an index");
    let place = spot(OWN, 9).place();
    let range = footer.page(place);
    let found = footer.layout().find(place, slice(&bytes, range.clone()), range.start);
    let [Entry::Block(block)] = &found.expect("whole")[..] else { panic!("no block") };
    let (head, whole) = (block.head(), block.whole());
    // 99,999 steps of one take two bits each.
    assert!(whole.end - whole.start > 20_000 && head.end - head.start <= 64 << 10);
    let shared = Shared::read(footer.layout(), 9, slice(&bytes, head)).expect("whole");
    let shared = shared.expect("its own");
    assert_eq!(
        (shared.records, shared.first_games().len(), shared.is_whole()),
        (100_000, 1_024, false)
    );
    assert_eq!(shared.games(slice(&bytes, whole)).count(), 100_000);
}

#[test]
fn what_is_no_index_is_told() {
    let bytes = index(MIXED, &made_up(30, 5), 30);
    assert_eq!(footer_of(b"").err(), Some(Error::Foreign));
    assert_eq!(footer_of(&[0; 100]).err(), Some(Error::Foreign));
    assert!(matches!(footer_of(&bytes[1..]), Err(Error::Damaged { .. })));
    assert_eq!(footer_of(&bytes[..bytes.len() - 1]).err(), Some(Error::Foreign));
    let size = bytes.len();
    let mut long = bytes.clone();
    long[size - 6] = 0xff;
    assert!(matches!(footer_of(&long), Err(Error::Damaged { .. })));
}

#[test]
fn every_flipped_bit_is_noticed_where_it_is_read() {
    let all = made_up(60, 8);
    let bytes = index(MIXED, &all, 60);
    let footer = footer_of(&bytes).expect("an index");
    let keys: BTreeSet<u64> = all.iter().map(|one| one.key).collect();
    let told: Vec<Told> =
        keys.iter().map(|&key| ask(&bytes, &footer, spot(MIXED, key)).expect("whole")).collect();
    for at in (0..bytes.len() * 8).step_by(7) {
        let mut bad = bytes.clone();
        bad[at / 8] ^= 1 << (at % 8);
        let Ok(footer) = footer_of(&bad) else { continue };
        for game in 0..60 {
            if let Ok(heads) = Heads::read(footer.layout(), game, slice(&bad, footer.heads(game))) {
                assert_eq!(heads.head(game), Some(head(game)), "bit {at}");
            }
        }
        let left = slice(&bad, footer.remains(0));
        if let Ok(left) = read_remains(footer.layout(), 0, left) {
            assert!(left.into_iter().eq((0..60).map(remains)), "bit {at}");
        }
        for (&key, told) in keys.iter().zip(&told) {
            if let Ok(found) = ask(&bad, &footer, spot(MIXED, key)) {
                assert_eq!(found, *told, "bit {at}, key {key:x}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hostile_bytes_give_errors_or_answers(bytes: Vec<u8>, key: u64, games in 1u32..100) {
        let layout = Layout::new(1_000, games, true);
        let summed = |mut bytes: Vec<u8>| {
            let checksum = crc32(&bytes);
            bytes.extend(checksum.to_le_bytes());
            bytes
        };
        let _found = layout.find(key, &summed(bytes.clone()), 8);
        if let Ok(Some(shared)) = Shared::read(layout, key, &bytes) {
            let _games = shared.games(&bytes).count();
        }
        let mut end = bytes.clone();
        end.extend(crc32(&bytes).to_le_bytes());
        end.extend(u32::try_from(bytes.len()).expect("short").to_le_bytes());
        end.extend(b"PLYX");
        let _footer = Footer::read(end.len() as u64 + 100, &end);
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

/// Writes the seeds of the fuzz target `index_read`: the parts of three indices, without their
/// checksums, as `fuzz/src/lib.rs` reads them.
#[test]
#[ignore = "writes fuzz/seeds/index_read"]
fn write_seeds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/index_read");
    for (name, games, plies) in [("small", 5, 2), ("shared", 60, 6), ("many", 300, 4)] {
        let all = made_up(games, plies);
        let occurrences = u32::try_from(all.len()).expect("few");
        let bytes = index(OWN, &all, games);
        let footer = footer_of(&bytes).expect("an index");
        let write = |part: &str, key: u64, before: u64, content: &[u8]| {
            let numbers = [occurrences, games, u32::try_from(before).expect("small")];
            let numbers = numbers.map(u32::to_le_bytes).concat();
            let seed = [&key.to_le_bytes()[..], &numbers, content].concat();
            std::fs::write(folder.join(format!("{part}-{name}")), seed).expect("a seed");
        };
        let unchecked = |range| slice(&bytes, range).split_last_chunk::<4>().expect("a part").0;
        let (key, last) = (all[0].key, games - 1);
        let footer_bytes = slice(&bytes, footer.end()..bytes.len() as u64);
        let (content, _) = footer_bytes.split_last_chunk::<12>().expect("a footer");
        write("footer", key, footer.end(), content);
        write("page", key, 0, unchecked(footer.page(spot(OWN, key).place())));
        write("heads", last.into(), 0, unchecked(footer.heads(last)));
        write("remains", 0, 0, unchecked(footer.remains(0)));
        // Of a position that all games share, and of one that some do.
        for (number, seed) in [0, 1 << 32].into_iter().enumerate() {
            let key = plypack_key(seed);
            let place = spot(OWN, key).place();
            let range = footer.page(place);
            let found = footer.layout().find(place, slice(&bytes, range.clone()), range.start);
            for entry in found.expect("whole") {
                let Entry::Block(block) = entry else { continue };
                write(&format!("block{number}"), key, 0, unchecked(block.whole()));
            }
        }
    }
    // A position with sums by rating: its block with these behind it, and the block of these.
    let all: Vec<_> = (0..1_000).map(|game| occurrence(9, 0, game, 1, 3)).collect();
    let bytes = index(OWN, &all, 1_000);
    let footer = footer_of(&bytes).expect("an index");
    let range = footer.page(spot(OWN, 9).place());
    let found =
        footer.layout().find(spot(OWN, 9).place(), slice(&bytes, range.clone()), range.start);
    let [Entry::Block(block)] = &found.expect("whole")[..] else { panic!("no block") };
    let (start, part) = (block.whole().start, slice(&bytes, footer.ratings_at(0)));
    let sums = find_ratings(part, start).expect("whole").expect("it has some");
    let unchecked = |bytes: &[u8]| bytes.split_last_chunk::<4>().expect("a part").0.to_vec();
    let with = [unchecked(slice(&bytes, block.whole())), sums.to_vec()].concat();
    for (name, key, content) in [("block-rated", 9, with), ("ratings", start, unchecked(part))] {
        let numbers = [1_000, 1_000, 0].map(u32::to_le_bytes).concat();
        let seed = [&u64::to_le_bytes(key)[..], &numbers, &content].concat();
        std::fs::write(folder.join(name), seed).expect("a seed");
    }
}
