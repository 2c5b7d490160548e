//! Boards of three symbols and up to 16,777,215 rows and columns, two bits a cell in memory, and
//! their portable file.
//!
//! After the article Ternary, an answer on storing boards of N by M cells in three states. In
//! memory a row begins at a whole word, so finding a cell takes no division; 2 bits are 26.2 % more
//! than the log2(3) bits of information in a cell. In the file a byte holds five cells, 8 bits for
//! 7.92: 0.95 % more. The article says 5.1 %, which is the share of a byte's 256 values that no
//! five cells have.
//!
//! The file is the article's, byte for byte: the numbers of rows and columns in 3 bytes each,
//! little-endian; then the cells row by row, five to a byte `a + 3b + 9c + 27d + 81e`, the last
//! byte padded with zeros. Unlike the article's program we refuse other padding, and bytes after
//! the end. A missing `~` in its `set_cell` clears the other cells of the word, which its own test
//! does not notice; ours keeps them.

use plypack_kernels::ternary::{CELLS as FIVE, sequential};

use crate::error::Error;

/// The maximum number of rows, and of columns.
pub const SIDE_MAX: u32 = (1 << 24) - 1;

/// The length of a file header: three bytes for the rows and three for the columns.
pub const HEAD_BYTES: usize = 6;

/// Number of cells in a word in memory.
const WORD: u32 = 32;

/// Number of cells unpacked at once: whole bytes of the file, whole words in memory, and few enough
/// for the L1 cache.
const CHUNK: usize = 160 * 64;

/// The numbers of rows and columns of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    rows: u32,
    columns: u32,
}

impl Size {
    /// Creates a size of 1 to [`SIDE_MAX`] rows and columns.
    ///
    /// # Errors
    /// Returns [`Error::Sides`] if either is 0 or larger.
    pub fn new(rows: u32, columns: u32) -> Result<Self, Error> {
        let fits = |side| (1..=SIDE_MAX).contains(&side);
        if fits(rows) && fits(columns) {
            return Ok(Self { rows, columns });
        }
        Err(Error::Sides { rows, columns })
    }

    /// Returns the number of rows.
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Returns the number of columns.
    pub const fn columns(self) -> u32 {
        self.columns
    }

    /// Returns the number of cells, less than 2^48.
    pub const fn cells(self) -> u64 {
        self.rows as u64 * self.columns as u64
    }

    /// Returns the number of bytes after the header of the file.
    pub const fn packed_bytes(self) -> u64 {
        self.cells().div_ceil(FIVE as u64)
    }

    /// Returns the number of bytes of the file.
    pub const fn file_bytes(self) -> u64 {
        HEAD_BYTES as u64 + self.packed_bytes()
    }

    /// Returns the header of the file.
    pub const fn head(self) -> [u8; HEAD_BYTES] {
        let [a, b, c, _] = self.rows.to_le_bytes();
        let [d, e, f, _] = self.columns.to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// Reads the header of a file.
    ///
    /// # Errors
    /// Returns [`Error::Sides`] if a board cannot have that size.
    pub fn read_head([a, b, c, d, e, f]: [u8; HEAD_BYTES]) -> Result<Self, Error> {
        Self::new(u32::from_le_bytes([a, b, c, 0]), u32::from_le_bytes([d, e, f, 0]))
    }
}

/// A board of cells that are 0, 1 or 2; the article calls them empty, white and black.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TernaryBoard {
    size: Size,
    /// Row by row, each in whole words; the first cell of a word in its lowest two bits. Bits
    /// beyond the last column are 0.
    words: Vec<u64>,
}

impl TernaryBoard {
    /// Creates a board with 0 on every cell.
    ///
    /// # Errors
    /// Returns [`Error::Memory`] if there is not enough memory.
    pub fn new(size: Size) -> Result<Self, Error> {
        let words = u64::from(size.rows) * u64::from(size.columns.div_ceil(WORD));
        let memory = Error::Memory { cells: size.cells() };
        let words = usize::try_from(words).map_err(|_| memory.clone())?;
        let mut board = Self { size, words: Vec::new() };
        board.words.try_reserve_exact(words).map_err(|_| memory)?;
        board.words.resize(words, 0);
        Ok(board)
    }

    /// Creates a board of these cells, row by row.
    ///
    /// # Errors
    /// Returns [`Error::Ternary`] at the first cell above 2, or at the end if the number of cells
    /// does not match the size; [`Error::Memory`] if there is not enough memory.
    pub fn from_cells(size: Size, cells: &[u8]) -> Result<Self, Error> {
        if cells.len() as u64 != size.cells() {
            return Err(Error::ternary(cells.len(), "the number of cells does not match the size"));
        }
        if let Some(at) = cells.iter().position(|&cell| cell > 2) {
            return Err(Error::ternary(at, "a cell is 0, 1 or 2"));
        }
        let mut board = Self::new(size)?;
        for (row, cells) in board.rows_mut().zip(cells.chunks_exact(size.columns as usize)) {
            write_row(row, cells);
        }
        Ok(board)
    }

    /// Returns the numbers of rows and columns.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the symbol on a cell; `None` if the board has no such cell.
    pub fn get(&self, row: u32, column: u32) -> Option<u8> {
        let (word, shift) = self.place(row, column)?;
        let [low, ..] = (self.words.get(word)? >> shift & 3).to_le_bytes();
        Some(low)
    }

    /// Puts 0, 1 or 2 on a cell. Returns `false`, and does nothing, for any other symbol, or if the
    /// board has no such cell.
    pub fn set(&mut self, row: u32, column: u32, symbol: u8) -> bool {
        let place = self.place(row, column).filter(|_| symbol < 3);
        let place = place.and_then(|(word, shift)| Some((self.words.get_mut(word)?, shift)));
        let Some((word, shift)) = place else { return false };
        *word = *word & !(3 << shift) | u64::from(symbol) << shift;
        true
    }

    /// Returns the index of the word that holds a cell, and that of the cell's lower bit in it.
    fn place(&self, row: u32, column: u32) -> Option<(usize, u32)> {
        let Size { rows, columns } = self.size;
        let word = row as usize * columns.div_ceil(WORD) as usize + (column / WORD) as usize;
        (row < rows && column < columns).then_some((word, column % WORD * 2))
    }

    fn rows(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(self.size.columns.div_ceil(WORD) as usize)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        self.words.chunks_exact_mut(self.size.columns.div_ceil(WORD) as usize)
    }

    /// Returns the number of bytes that the cells take in memory.
    #[cfg(test)]
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.words.as_slice())
    }

    /// Returns how many cells hold 0, 1 and 2.
    pub fn counts(&self) -> [u64; 3] {
        const LOW: u64 = u64::MAX / 3;
        let ones = self.words.iter().map(|word| u64::from((word & LOW).count_ones())).sum();
        let twos = self.words.iter().map(|word| u64::from((word >> 1 & LOW).count_ones())).sum();
        [self.size.cells() - ones - twos, ones, twos]
    }

    /// Returns all cells, row by row.
    pub fn to_cells(&self) -> Vec<u8> {
        let mut cells = Vec::new();
        self.rows().for_each(|row| read_row(row, self.size.columns, &mut cells));
        cells
    }

    /// Returns the bytes of the file after its header.
    pub fn to_packed(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        let mut packed = Vec::new();
        let mut cells = Vec::new();
        for row in self.rows() {
            read_row(row, self.size.columns, &mut cells);
            if cells.len() >= CHUNK {
                packer.push(&cells, &mut packed);
                cells.clear();
            }
        }
        packer.push(&cells, &mut packed);
        packer.finish(&mut packed);
        packed
    }

    /// Reads a board from the bytes of a file after its header.
    ///
    /// # Errors
    /// Returns [`Error::Ternary`] if there are too few or too many bytes, if one is above 242, or
    /// if the last has cells beyond the board's; [`Error::Memory`] if there is not enough memory.
    pub fn from_packed(size: Size, packed: &[u8]) -> Result<Self, Error> {
        check_length(size.packed_bytes(), packed.len())?;
        let mut board = Self::new(size)?;
        let mut unpacker = Unpacker::new(packed);
        let mut row_cells = Vec::new();
        let columns = size.columns as usize;
        for row in board.rows_mut() {
            row_cells.resize(columns, 0);
            unpacker.pull(&mut row_cells)?;
            write_row(row, &row_cells);
        }
        unpacker.finish()?;
        Ok(board)
    }

    /// Returns the whole file.
    pub fn to_file(&self) -> Vec<u8> {
        [&self.size.head()[..], &self.to_packed()].concat()
    }

    /// Reads a board from a whole file.
    ///
    /// # Errors
    /// As [`TernaryBoard::from_packed`], with offsets from the beginning of the file; and
    /// [`Error::Sides`].
    pub fn from_file(file: &[u8]) -> Result<Self, Error> {
        let Some((head, packed)) = file.split_first_chunk() else {
            return Err(Error::ternary(file.len(), "the file ends inside its header"));
        };
        let board = Self::from_packed(Size::read_head(*head)?, packed);
        board.map_err(|error| error.moved(HEAD_BYTES as u64))
    }
}

/// Checks the number of bytes.
pub(crate) fn check_length(expected: u64, found: usize) -> Result<(), Error> {
    match (found as u64).cmp(&expected) {
        std::cmp::Ordering::Less => Err(Error::ternary(found, "the bytes end before the board")),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => {
            Err(Error::Ternary { at: expected, why: "bytes follow the end of the board" })
        }
    }
}

/// Packs cells that come in pieces, five to a byte.
#[derive(Debug, Default)]
pub struct Packer {
    /// Cells of an incomplete byte.
    waiting: Vec<u8>,
}

impl Packer {
    /// Takes cells, 0 to 2 each, and appends the completed bytes.
    pub fn push(&mut self, cells: &[u8], out: &mut Vec<u8>) {
        let missing = (FIVE - self.waiting.len()) % FIVE;
        let (first, cells) = cells.split_at(missing.min(cells.len()));
        self.waiting.extend_from_slice(first);
        if !self.waiting.len().is_multiple_of(FIVE) {
            return;
        }
        pack(&self.waiting, out);
        let (fives, left) = cells.split_at(cells.len() / FIVE * FIVE);
        pack(fives, out);
        self.waiting.clear();
        self.waiting.extend_from_slice(left);
    }

    /// Appends the last byte, padded with zeros.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        self.waiting.resize(self.waiting.len().next_multiple_of(FIVE), 0);
        pack(&self.waiting, out);
    }
}

/// Packs and appends whole bytes.
fn pack(fives: &[u8], out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + fives.len() / FIVE, 0);
    if let Some(room) = out.get_mut(before..) {
        sequential::pack(fives, room);
    }
}

/// Unpacks bytes into cells, piece by piece.
#[derive(Debug)]
struct Unpacker<'a> {
    packed: &'a [u8],
    /// Number of bytes unpacked.
    done: usize,
    /// The cells of the last one.
    cells: [u8; FIVE],
    /// Number of those cells already handed out.
    taken: usize,
}

impl<'a> Unpacker<'a> {
    fn new(packed: &'a [u8]) -> Self {
        Self { packed, done: 0, cells: [0; _], taken: FIVE }
    }

    /// Fills `out`.
    fn pull(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let left = self.cells.get(self.taken..).unwrap_or_default();
        let (first, out) = out.split_at_mut(left.len().min(out.len()));
        first.iter_mut().zip(left).for_each(|(out, cell)| *out = *cell);
        self.taken += first.len();
        let bytes = self.packed.get(self.done..).unwrap_or_default();
        let whole = out.len() / FIVE;
        let (fives, last) = out.split_at_mut(whole * FIVE);
        let faulty = |at| Error::ternary(self.done + at, "a byte is above 242");
        sequential::unpack(bytes.get(..whole).unwrap_or(bytes), fives).map_err(faulty)?;
        self.done += whole;
        if !last.is_empty() {
            let byte = self.packed.get(self.done..=self.done).unwrap_or_default();
            let faulty = |_| Error::ternary(self.done, "a byte is above 242");
            sequential::unpack(byte, &mut self.cells).map_err(faulty)?;
            self.done += 1;
            self.taken = last.len();
            last.iter_mut().zip(self.cells).for_each(|(out, cell)| *out = cell);
        }
        Ok(())
    }

    /// Rejects non-zero padding in the last byte.
    fn finish(&self) -> Result<(), Error> {
        match self.cells.get(self.taken..) {
            Some(left) if left.iter().any(|&cell| cell != 0) => Err(Error::ternary(
                self.done.saturating_sub(1),
                "the last byte has cells beyond the board's",
            )),
            _ => Ok(()),
        }
    }
}

/// Appends the cells of a row.
fn read_row(row: &[u64], columns: u32, cells: &mut Vec<u8>) {
    let end = cells.len() + columns as usize;
    for word in row {
        for eight in word.to_le_bytes().as_chunks::<2>().0 {
            cells.extend_from_slice(&spread(u16::from_le_bytes(*eight)).to_le_bytes());
        }
    }
    cells.truncate(end);
}

/// Writes the cells of a row, 0 to 2 each, to its words.
fn write_row(row: &mut [u64], cells: &[u8]) {
    for (word, cells) in row.iter_mut().zip(cells.chunks(WORD as usize)) {
        let mut padded = [0; WORD as usize];
        padded.iter_mut().zip(cells).for_each(|(padded, cell)| *padded = *cell);
        let (eights, _) = padded.as_chunks::<8>();
        let gathered = eights.iter().rev().map(|eight| gather(u64::from_le_bytes(*eight)));
        *word = gathered.fold(0, |word, eight| word << 16 | u64::from(eight));
    }
}

/// Converts eight cells of two bits to eight bytes.
const fn spread(cells: u16) -> u64 {
    let cells = cells as u64;
    let cells = (cells | cells << 24) & 0x0000_00ff_0000_00ff;
    let cells = (cells | cells << 12) & 0x000f_000f_000f_000f;
    (cells | cells << 6) & 0x0303_0303_0303_0303
}

/// Converts eight cells in eight bytes to two bits each.
const fn gather(cells: u64) -> u16 {
    let cells = (cells | cells >> 6) & 0x000f_000f_000f_000f;
    let cells = (cells | cells >> 12) & 0x0000_00ff_0000_00ff;
    let [low, high, ..] = (cells | cells >> 24).to_le_bytes();
    u16::from_le_bytes([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    fn size(rows: u32, columns: u32) -> Size {
        Size::new(rows, columns).expect("a size")
    }

    fn random_cells(size: Size, seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        (0..size.cells()).map(|_| random.next_u64().to_le_bytes()[4] % 3).collect()
    }

    fn random_board(rows: u32, columns: u32, seed: u64) -> TernaryBoard {
        let size = size(rows, columns);
        TernaryBoard::from_cells(size, &random_cells(size, seed)).expect("cells")
    }

    /// The article's claims about sizes, and ours.
    #[test]
    fn claims() {
        let worth = 3f64.log2();
        let over = |bits: f64| 100.0 * (bits / worth - 1.0);
        // 2 bits a cell in memory: 26.2 % over.
        assert_eq!(format!("{:.1}", over(2.0)), "26.2");
        // Five cells in 8 bits: the article says 5.1 %, but it is 0.95 %.
        assert_eq!(format!("{:.2}", over(8.0 / 5.0)), "0.95");
        // 5.1 % of a byte's 256 values are not among the 243.
        assert_eq!(format!("{:.1}", 100.0 * (256.0 - 243.0) / 256.0), "5.1");
        // The sizes behind these figures.
        let board = random_board(320, 320, 1);
        assert_eq!(board.memory_bytes() * 8, 2 * 320 * 320);
        assert_eq!(board.to_packed().len() * 8, 320 * 320 * 8 / 5);
    }

    /// The article's `set_cell` clears all cells of a word except the one it sets: after two writes
    /// to a word only the second is left.
    #[test]
    fn a_cell_is_set_without_wiping_its_neighbours() {
        let theirs = |word: u64, shift: u32, value: u64| word & 3 << shift | value << shift;
        assert_eq!(theirs(theirs(0, 0, 2), 2, 1), 0b0100, "the first cell is lost");
        let mut board = TernaryBoard::new(size(3, 70)).expect("memory");
        assert!(board.set(0, 0, 2) && board.set(0, 1, 1));
        assert_eq!((board.get(0, 0), board.get(0, 1)), (Some(2), Some(1)));

        let cells = random_cells(board.size(), 5);
        let mut expected = vec![0; cells.len()];
        board = TernaryBoard::new(board.size()).expect("memory");
        let mut random = Random::new(9);
        for _ in 0..2_000 {
            let at = u32::try_from(random.next_u64() % 210).expect("small");
            let symbol = cells[(random.next_u64() % 210) as usize];
            assert!(board.set(at / 70, at % 70, symbol));
            expected[at as usize] = symbol;
            assert_eq!(board.to_cells(), expected);
        }
        for (at, &cell) in (0u32..).zip(&expected) {
            assert_eq!(board.get(at / 70, at % 70), Some(cell));
        }
    }

    #[test]
    fn there_is_nothing_beyond_the_edges() {
        let mut board = random_board(4, 33, 2);
        let before = board.clone();
        for (row, column) in [(4, 0), (0, 33), (0, 63), (u32::MAX, u32::MAX), (3, 64)] {
            assert_eq!(board.get(row, column), None);
            assert!(!board.set(row, column, 1));
        }
        assert!(!board.set(0, 0, 3));
        assert_eq!(board, before);
    }

    #[test]
    fn cells_come_back_and_are_counted() {
        for (rows, columns) in [(1, 1), (1, 32), (2, 31), (3, 33), (7, 64), (5, 65), (9, 200)] {
            let size = size(rows, columns);
            let cells = random_cells(size, (rows + columns).into());
            let board = TernaryBoard::from_cells(size, &cells).expect("cells");
            assert_eq!(board.to_cells(), cells);
            let count = |symbol| cells.iter().filter(|&&cell| cell == symbol).count() as u64;
            assert_eq!(board.counts(), [0, 1, 2].map(count));
        }
    }

    #[test]
    fn sizes_have_limits() {
        for (rows, columns) in [(0, 1), (1, 0), (1 << 24, 1), (1, 1 << 24), (u32::MAX, u32::MAX)] {
            assert_eq!(Size::new(rows, columns), Err(Error::Sides { rows, columns }));
        }
        let largest = size(SIDE_MAX, SIDE_MAX);
        assert_eq!(largest.head(), [0xff; 6]);
        assert_eq!(Size::read_head([0xff; 6]), Ok(largest));
        assert_eq!(largest.cells(), 281_474_943_156_225);
    }

    /// Files worked out by hand: 2 by 3 cells `0 1 2 / 2 1 0` are 2 rows, 3 columns, the byte
    /// 0 + 3 * 1 + 9 * 2 + 27 * 2 + 81 * 1 = 156, and the byte 0.
    #[test]
    fn files_are_the_articles() {
        let board = TernaryBoard::from_cells(size(2, 3), &[0, 1, 2, 2, 1, 0]).expect("cells");
        assert_eq!(board.to_file(), [2, 0, 0, 3, 0, 0, 156, 0]);
        let wide = TernaryBoard::from_cells(size(1, 258), &[2; 258]).expect("cells");
        let file = wide.to_file();
        assert_eq!(file.len(), 6 + 52);
        assert_eq!((&file[..6], file[6], file[57]), (&[1, 0, 0, 2, 1, 0][..], 242, 26));
    }

    #[test]
    fn files_come_back() {
        for (rows, columns) in
            [(1, 1), (1, 5), (5, 1), (2, 3), (8, 8), (15, 15), (1, 1000), (1000, 1), (121, 333)]
        {
            let board = random_board(rows, columns, (rows * columns).into());
            let file = board.to_file();
            assert_eq!(file.len() as u64, board.size().file_bytes());
            assert_eq!(TernaryBoard::from_file(&file), Ok(board));
        }
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let board = random_board(3, 7, 3);
        let file = board.to_file();
        for length in 0..file.len() {
            let error = TernaryBoard::from_file(&file[..length]).expect_err("it is short");
            assert!(matches!(error, Error::Ternary { at, .. } if at == length as u64), "{error}");
        }
        let longer = [&file[..], &[0]].concat();
        let end = file.len() as u64;
        assert!(matches!(
            TernaryBoard::from_file(&longer),
            Err(Error::Ternary { at, .. }) if at == end
        ));
        for at in 6..file.len() {
            for byte in 243..=255 {
                let mut bad = file.clone();
                bad[at] = byte;
                let error = TernaryBoard::from_file(&bad).expect_err("no five cells");
                assert!(matches!(error, Error::Ternary { at: named, .. } if named == at as u64));
            }
        }
        // 21 cells: the last byte has one, so values from 3 on are padding.
        for byte in 0..243 {
            let mut bad = file.clone();
            bad[10] = byte;
            assert_eq!(TernaryBoard::from_file(&bad).is_ok(), byte < 3, "{byte}");
        }
        for head in [[0, 0, 0, 3, 0, 0], [3, 0, 0, 0, 0, 0]] {
            assert!(matches!(TernaryBoard::from_file(&head), Err(Error::Sides { .. })));
        }
    }

    /// A header of a few bytes may claim the largest board, but nothing is allocated for it.
    #[test]
    fn a_claim_is_not_paid_for() {
        for rest in [0, 1, 1_000] {
            let file = [vec![0xff; 6], vec![0; rest]].concat();
            assert!(matches!(TernaryBoard::from_file(&file), Err(Error::Ternary { .. })));
        }
    }

    #[test]
    fn pieces_may_have_any_length() {
        let cells = random_cells(size(1, 999), 4);
        for length in 1..40 {
            let (mut packer, mut packed) = (Packer::default(), Vec::new());
            cells.chunks(length).for_each(|cells| packer.push(cells, &mut packed));
            packer.finish(&mut packed);
            let whole = TernaryBoard::from_cells(size(1, 999), &cells).expect("cells");
            assert_eq!(packed, whole.to_packed(), "{length}");
        }
    }
}
