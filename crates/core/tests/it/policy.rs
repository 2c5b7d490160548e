//! How a policy queries its book, and distributes the judge's weights.

use plypack_core::policy::book::{Book, Page, write};
use plypack_core::policy::{Strayed, share};

/// A key in the book, and one that is not.
const KNOWN: u64 = 7 << 40;
const STRANGE: u64 = 9 << 40;

#[test]
fn a_line_leaves_the_book_after_four_strange_positions_in_a_row() {
    let file = write(vec![Page { key: KNOWN, games: 8, moves: vec![(2, 8)] }]);
    let book = Book::read(&file).expect("a book");
    let knows = |strayed: &mut Strayed, key| {
        let mut known = Vec::new();
        strayed.look(&book, || key, 20, &mut known).is_some() && known.len() == 1
    };
    let mut strayed = Strayed::default();
    for _ in 0..5 {
        // A position that the book is not asked about counts too.
        for key in [Some(STRANGE), None, Some(STRANGE)] {
            assert!(!knows(&mut strayed, key));
        }
        assert!(knows(&mut strayed, Some(KNOWN)), "after three it comes back");
    }
    for _ in 0..4 {
        assert!(!knows(&mut strayed, Some(STRANGE)));
    }
    for _ in 0..1000 {
        assert!(!knows(&mut strayed, Some(KNOWN)), "after four it does not");
    }
}

#[test]
fn weight_is_shared_out_in_proportion_and_never_lost_altogether() {
    let mut weights = [1000, 5, 3000, 7];
    share(&[0, 2], &[1 << 22, 1 << 21], &mut weights);
    assert_eq!(weights, [2666, 5, 1333, 7]);
    let mut weights = [u32::MAX - 9, 4, 5];
    share(&[0, 1, 2], &[0, u32::MAX / 3, 1], &mut weights);
    assert_eq!((weights[0], weights[2]), (1, 2));
    assert!(weights[1] >= u32::MAX - 9);
}
