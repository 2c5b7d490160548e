//! The blocks of a packed file in an archive: each is stored, or packed by runs and repetitions, by
//! a code for its bytes, or by first the one and then the other.

/// The ways of packing, by the first byte of a block.
mod way {
    pub const STORED: u8 = 0;
    pub const REPEATED: u8 = 1;
    pub const CODED: u8 = 2;
    pub const REPEATED_AND_CODED: u8 = 3;
}

/// How far back a repetition may reach, also into blocks before.
const WINDOW_BYTES: usize = 4098;

/// The most bytes that a block may make. ChessBase packs 60 KiB at a time; this bounds memory.
const MADE_BYTES_MAX: usize = 1 << 20;

/// The longest code of a byte in bits.
const CODE_BITS_MAX: u32 = 15;

/// Why a block cannot be unpacked.
type Fault = &'static str;

const UNKNOWN: Fault = "a block is packed in an unknown way";
const TOO_LONG: Fault = "a block makes more than 1 MiB";
const NO_SOURCE: Fault = "a repetition reaches back before the beginning";
const CUT_OFF: Fault = "a block ends before its bytes do";
const CLASHING: Fault = "the codes of two bytes clash";
const NO_CODE: Fault = "a code stands for no byte";

/// Unpacks one block after another of a file.
pub(super) struct Unpacker {
    /// What the blocks have made: of those before the last one, as much as it could refer to.
    made: Vec<u8>,
    /// The length of what those before the last one have made.
    before: usize,
    /// Runs and repetitions that were coded.
    decoded: Vec<u8>,
    code: Code,
}

impl Unpacker {
    /// Begins a file.
    pub fn new() -> Self {
        Self { made: Vec::new(), before: 0, decoded: Vec::new(), code: Code::new() }
    }

    /// Unpacks the next block, and returns the bytes that it makes.
    pub fn block(&mut self, block: &[u8]) -> Result<&[u8], Fault> {
        self.made.drain(..self.made.len().saturating_sub(WINDOW_BYTES));
        self.before = self.made.len();
        let (&way, packed) = block.split_first().ok_or(CUT_OFF)?;
        match way {
            way::STORED => self.made.extend(packed),
            way::REPEATED => repeat(packed, &mut self.made, self.before)?,
            way::CODED => self.code.decode(packed, &mut self.made)?,
            way::REPEATED_AND_CODED => {
                self.decoded.clear();
                self.code.decode(packed, &mut self.decoded)?;
                repeat(&self.decoded, &mut self.made, self.before)?;
            }
            _ => return Err(UNKNOWN),
        }
        Ok(self.made.get(self.before..).unwrap_or_default())
    }
}

/// Unpacks runs and repetitions behind the first `before` bytes of `made`. A word of 16 bits tells
/// from its highest bit on which of the next pieces are more than the next byte itself.
fn repeat(packed: &[u8], made: &mut Vec<u8>, before: usize) -> Result<(), Fault> {
    let mut bytes = packed.iter().copied();
    loop {
        let Some(low) = bytes.next() else { return Ok(()) };
        let Some(high) = bytes.next() else {
            made.push(low);
            return Ok(());
        };
        let word = u16::from_le_bytes([low, high]);
        for bit in (0..16).rev() {
            // Nothing is behind the last piece, whatever the word says.
            let Some(first) = bytes.next() else { return Ok(()) };
            if word >> bit & 1 == 0 {
                made.push(first);
            } else if piece(first, &mut bytes, made)?.is_none() {
                return Ok(());
            }
        }
        if made.len() - before > MADE_BYTES_MAX {
            return Err(TOO_LONG);
        }
    }
}

/// Unpacks a run or a repetition; `None` if its bytes are not all there.
fn piece(
    first: u8,
    bytes: &mut impl Iterator<Item = u8>,
    made: &mut Vec<u8>,
) -> Result<Option<()>, Fault> {
    let (kind, low) = (usize::from(first >> 4), usize::from(first & 15));
    let mut next = || bytes.next().map(usize::from);
    let Some(second) = next() else { return Ok(None) };
    let wide = low + (second << 4);
    let (length, run) = match kind {
        0 => (low + 3, Some(second)),
        1 => {
            let Some(third) = next() else { return Ok(None) };
            (wide + 19, Some(third))
        }
        2 => {
            let Some(third) = next() else { return Ok(None) };
            (third + 16, None)
        }
        length => (length, None),
    };
    match run.and_then(|byte| u8::try_from(byte).ok()) {
        Some(byte) => made.resize(made.len() + length, byte),
        None => {
            let from = made.len().checked_sub(wide + 3).ok_or(NO_SOURCE)?;
            for at in from..from + length {
                // It may reach into what it makes.
                let byte = *made.get(at).ok_or(NO_SOURCE)?;
                made.push(byte);
            }
        }
    }
    Ok(Some(()))
}

/// A code for bytes, of up to [`CODE_BITS_MAX`] bits each, none of which begins another.
struct Code {
    /// For each sequence of so many bits the byte whose code it begins with, and the length of that
    /// code; 0 if there is none.
    bytes: Vec<(u8, u8)>,
}

impl Code {
    fn new() -> Self {
        Self { bytes: vec![(0, 0); 1 << CODE_BITS_MAX] }
    }

    /// Decodes a block: the number of bytes, the code of each byte, and the codes of the bytes.
    fn decode(&mut self, packed: &[u8], made: &mut Vec<u8>) -> Result<(), Fault> {
        let (count, bytes) = packed.split_first_chunk().ok_or(CUT_OFF)?;
        let count = u16::from_be_bytes(*count);
        if count == 0 {
            return Ok(());
        }
        let mut bits = Bits { bytes, held: 0, count: 0, lent: 0 };
        self.read(&mut bits)?;
        for _ in 0..count {
            let at = usize::try_from(bits.peek(CODE_BITS_MAX)).map_err(|_| NO_CODE)?;
            let (byte, length) = self.bytes.get(at).copied().unwrap_or_default();
            if length == 0 {
                return Err(NO_CODE);
            }
            bits.take(length.into())?;
            made.push(byte);
        }
        Ok(())
    }

    /// Reads the code of each byte in turn: four bits with its length, which is 0 for bytes that do
    /// not occur, and the code.
    fn read(&mut self, bits: &mut Bits<'_>) -> Result<(), Fault> {
        self.bytes.fill((0, 0));
        for byte in 0..=255 {
            let length = bits.take(4)?;
            if length == 0 {
                continue;
            }
            let (code, free) = (bits.take(length)?, CODE_BITS_MAX - length);
            let first = usize::try_from(code << free).map_err(|_| CLASHING)?;
            let own = self.bytes.get_mut(first..first + (1 << free)).ok_or(CLASHING)?;
            if own.iter().any(|row| row.1 != 0) {
                return Err(CLASHING);
            }
            own.fill((byte, u8::try_from(length).map_err(|_| CLASHING)?));
        }
        Ok(())
    }
}

/// Bits of bytes, each from its highest on.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The next bits, the first of them highest, and their number.
    held: u64,
    count: u32,
    /// The number of bits behind the end that were taken for zeros.
    lent: u32,
}

impl Bits<'_> {
    /// The next bits, at most 15; zeros behind the end.
    fn peek(&mut self, count: u32) -> u32 {
        while self.count < count {
            let byte = match self.bytes.split_first() {
                Some((&byte, rest)) => {
                    self.bytes = rest;
                    byte
                }
                None => {
                    self.lent += 8;
                    0
                }
            };
            self.held |= u64::from(byte) << (56 - self.count);
            self.count += 8;
        }
        u32::try_from(self.held >> (64 - count)).unwrap_or_default()
    }

    /// Takes the next bits. The last code of a block may lack a few bits at its end.
    fn take(&mut self, count: u32) -> Result<u32, Fault> {
        let taken = self.peek(count);
        self.held <<= count;
        self.count -= count;
        // Bits that are held still were not taken.
        if self.lent > self.count + CODE_BITS_MAX {
            return Err(CUT_OFF);
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(blocks: &[&[u8]]) -> Result<Vec<u8>, Fault> {
        let mut unpacker = Unpacker::new();
        let mut all = Vec::new();
        for block in blocks {
            all.extend(unpacker.block(block)?);
        }
        Ok(all)
    }

    #[test]
    fn blocks_are_stored() {
        assert_eq!(made(&[b"\0ab", b"\0", b"\0c"]).expect("blocks"), b"abc");
        assert_eq!(made(&[b""]), Err(CUT_OFF));
        assert_eq!(made(&[b"\x04a"]), Err(UNKNOWN));
    }

    #[test]
    fn runs_and_repetitions_are_undone() {
        // The word's highest bit is for the first piece; what is missing at the end is no fault.
        assert_eq!(made(&[b"\x01\0\x40a\x02b"]).expect("a short run"), b"abbbbb");
        let long = made(&[b"\x01\0\x80\x12\x01x"]).expect("a long run");
        assert_eq!(long, [b'x'; 2 + 16 + 19]);
        assert_eq!(made(&[b"\x01\0\x10abc\x40\0"]).expect("a repetition"), b"abcabca");
        let far = made(&[b"\0abcdefg", b"\x01\0\x80\x21\0\x02"]).expect("into another block");
        assert_eq!(far, b"abcdefgdefgdefgdefgdefgde"[..7 + 18].to_vec());
        assert_eq!(made(&[b"\x01\0\x20ab\x30\0"]), Err(NO_SOURCE));
        assert_eq!(made(&[b"\x01a"]).expect("a single byte"), b"a");
        assert_eq!(made(&[b"\x01\0\x80\x11"]).expect("half a run"), b"");
    }

    #[test]
    fn a_block_makes_so_much_and_no_more() {
        let run = b"\xff\xff".iter().chain(b"\x1f\xffx".iter().cycle().take(16 * 3));
        let group: Vec<u8> = run.copied().collect();
        let groups = |count: usize| [&[way::REPEATED][..], &group.repeat(count)].concat();
        let each = 16 * (15 + (255 << 4) + 19);
        let most = MADE_BYTES_MAX / each;
        assert_eq!(made(&[&groups(most)]).map(|made| made.len()), Ok(most * each));
        assert_eq!(made(&[&groups(most + 1)]), Err(TOO_LONG));
    }

    #[test]
    fn codes_are_read() {
        let pack = |bits: &str| {
            let mut block = vec![way::CODED];
            let bits = format!("{bits:0<0$}", bits.len().next_multiple_of(8));
            let bytes = (0..bits.len()).step_by(8);
            block.extend(bytes.map(|at| u8::from_str_radix(&bits[at..at + 8], 2).expect("bits")));
            block
        };
        // A block of three bytes: `a` is 0, and `b` is this code, behind its length.
        let block = |own: &str, codes: &str| {
            let codes_of = |byte: u8| match byte {
                b'a' => "00010",
                b'b' => own,
                _ => "0000",
            };
            let table: String = (0..=255).map(codes_of).collect();
            pack(&format!("0000000000000011{table}{codes}"))
        };
        let whole = block("00011", "101");
        assert_eq!(made(&[&whole]).expect("a code"), b"bab");
        // The code of a byte that clashes with another, and one that is nowhere.
        assert_eq!(made(&[&block("00010", "101")]), Err(CLASHING));
        assert_eq!(made(&[&block("0000", "0101")]), Err(NO_CODE));
        for end in 1..whole.len() - 4 {
            assert!(made(&[&whole[..end]]).is_err(), "{end}");
        }
    }
}
