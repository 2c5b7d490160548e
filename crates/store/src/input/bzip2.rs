//! Reading bzip2, in which old game collections still come. All its libraries have a licence of
//! their own, which this project does not accept.
//!
//! Memory is bounded by a block of at most 900,000 bytes, for any input.

use std::io::{self, ErrorKind, Read};

use plypack_reading::compression::{BZIP2_BLOCK as BLOCK_MAGIC, BZIP2_END as END_MAGIC};

/// The longest code of a symbol in bits.
const CODE_BITS_MAX: usize = 20;
/// Codes up to this length are looked up at once.
const FAST_BITS: usize = 10;
/// How many symbols are coded by one table before the next selector.
const GROUP_SYMBOLS: usize = 50;
/// The most selectors that a block can need; what is listed beyond them is ignored.
const SELECTORS_MAX: usize = 18_002;
/// A run grows with each of its digits; beyond this place value it exceeds any block.
const RUN_MAX: usize = 2 << 20;
/// How much is read at a time, in bytes.
const READ_BYTES: usize = 1 << 16;

/// Reads the content of one bzip2 stream, or of several one after the other.
pub(crate) struct Decoder<R> {
    bits: Bits<R>,
    state: State,
    /// The largest block of the stream.
    block_max: usize,
    /// The checksums of the stream's blocks so far.
    stream_sum: u32,
    block: Block,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Before a stream, the first one or another.
    Stream,
    /// Before a block or the end of the stream.
    Between,
    /// Within a block.
    Block,
    /// At the end, or after a fault.
    Done,
}

/// A block being output.
struct Block {
    /// For each place its byte, and in higher bits the next place.
    links: Vec<u32>,
    /// The place in `links` to go on from.
    place: u32,
    /// How many links are left to follow.
    left: usize,
    /// The last byte and how often it came in a row. After four times comes a count.
    last: u8,
    equal: u8,
    /// How often the last byte is yet to be repeated.
    repeats: u8,
    /// The checksum so far, and the one that the block states.
    sum: u32,
    stated: u32,
}

impl<R: Read> Decoder<R> {
    pub fn new(reader: R) -> Self {
        let block = Block {
            links: Vec::new(),
            place: 0,
            left: 0,
            last: 0,
            equal: 0,
            repeats: 0,
            sum: 0,
            stated: 0,
        };
        Self { bits: Bits::new(reader), state: State::Stream, block_max: 0, stream_sum: 0, block }
    }

    fn step(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.state {
            State::Stream => {
                self.state = if self.begin_stream()? { State::Between } else { State::Done };
            }
            State::Between => {
                let magic = u64::from(self.bits.take(24)?) << 24 | u64::from(self.bits.take(24)?);
                let stated = self.bits.take_32()?;
                match magic {
                    BLOCK_MAGIC => {
                        self.block.read(&mut self.bits, self.block_max, stated)?;
                        self.state = State::Block;
                    }
                    END_MAGIC if stated != self.stream_sum => return Err(damaged("checksum")),
                    END_MAGIC => {
                        self.bits.skip_to_byte();
                        self.state = State::Stream;
                    }
                    _ => return Err(damaged("no block where one should begin")),
                }
            }
            State::Block => {
                let written = self.block.write(out);
                if self.block.is_done() {
                    if !self.block.sum != self.block.stated {
                        return Err(damaged("checksum"));
                    }
                    self.stream_sum = self.stream_sum.rotate_left(1) ^ self.block.stated;
                    self.state = State::Between;
                }
                return Ok(written);
            }
            State::Done => {}
        }
        Ok(0)
    }

    /// Reads the header of a stream; false if there is nothing more.
    fn begin_stream(&mut self) -> io::Result<bool> {
        if self.bits.at_end()? {
            return Ok(false);
        }
        let header = self.bits.take_32()?.to_be_bytes();
        match header {
            [b'B', b'Z', b'h', level @ b'1'..=b'9'] => {
                self.block_max = 100_000 * usize::from(level - b'0');
            }
            _ => return Err(damaged("other bytes follow its end")),
        }
        self.stream_sum = 0;
        Ok(true)
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        while self.state != State::Done {
            match self.step(out) {
                Ok(0) => {}
                // The underlying reader was interrupted before it gave anything, but what was read
                // of a block is lost, so retrying is impossible.
                Err(error) => {
                    self.state = State::Done;
                    return Err(error);
                }
                written => return written,
            }
        }
        Ok(0)
    }
}

impl Block {
    /// Reads a block that follows its magic and its checksum.
    fn read<R: Read>(
        &mut self,
        bits: &mut Bits<R>,
        block_max: usize,
        stated: u32,
    ) -> io::Result<()> {
        if bits.take(1)? == 1 {
            return Err(damaged("a block is shuffled as before bzip2 0.9.5; compress it again"));
        }
        let first = bits.take(24)?;
        let mut recent = read_alphabet(bits)?;
        let (codes, selectors) = read_codes(bits, recent.len() + 2)?;
        self.links.clear();
        let mut counts = [0u32; 256];
        let end = recent.len() + 1;
        // The value of the next digit of a run, and the run so far.
        let (mut digit, mut run) = (1, 0);
        'block: for &selector in &selectors {
            let code = codes.get(selector).ok_or_else(|| damaged("a table is missing"))?;
            for _ in 0..GROUP_SYMBOLS {
                let symbol = code.read(bits)?;
                if symbol <= 1 {
                    run += digit << symbol;
                    digit *= 2;
                    if digit > RUN_MAX {
                        return Err(damaged("a run is too long"));
                    }
                    continue;
                }
                if run > 0 {
                    let byte = *recent.first().ok_or_else(|| damaged("no alphabet"))?;
                    if self.links.len() + run > block_max {
                        return Err(damaged("a block is too long"));
                    }
                    self.links.resize(self.links.len() + run, u32::from(byte));
                    // No more than a block's bytes.
                    counts[usize::from(byte)] += u32::try_from(run).unwrap_or(0);
                    (digit, run) = (1, 0);
                }
                if symbol == end {
                    return self.link(&counts, first, stated);
                }
                if self.links.len() >= block_max {
                    break 'block;
                }
                recent.get_mut(..symbol).ok_or_else(|| damaged("no such symbol"))?.rotate_right(1);
                let byte = recent[0];
                counts[usize::from(byte)] += 1;
                self.links.push(u32::from(byte));
            }
        }
        Err(damaged("a block is too long"))
    }

    /// Undoes the sorting: `links` held the last bytes of the sorted rotations.
    fn link(&mut self, counts: &[u32; 256], first: u32, stated: u32) -> io::Result<()> {
        let mut places = [0u32; 256];
        let mut before = 0;
        for (place, count) in places.iter_mut().zip(counts) {
            *place = before;
            before += count;
        }
        for (at, number) in (0..self.links.len()).zip(0u32..) {
            let place = &mut places[usize::from(low_byte(self.links[at]))];
            self.links[*place as usize] |= number << 8;
            *place += 1;
        }
        let start = self.links.get(first as usize);
        self.place = start.ok_or_else(|| damaged("a block begins outside of itself"))? >> 8;
        self.left = self.links.len();
        (self.equal, self.repeats) = (0, 0);
        (self.sum, self.stated) = (u32::MAX, stated);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.left == 0 && self.repeats == 0
    }

    /// Writes out as much as there is or fits.
    fn write(&mut self, out: &mut [u8]) -> usize {
        let mut written = 0;
        while written < out.len() && !self.is_done() {
            if self.repeats > 0 {
                self.repeats -= 1;
            } else {
                let link = self.links[self.place as usize];
                self.place = link >> 8;
                self.left -= 1;
                let byte = low_byte(link);
                if self.equal == 4 {
                    (self.equal, self.repeats) = (0, byte);
                    continue;
                }
                self.equal = if self.equal > 0 && byte == self.last { self.equal + 1 } else { 1 };
                self.last = byte;
            }
            out[written] = self.last;
            written += 1;
            let index = self.sum.to_be_bytes()[0] ^ self.last;
            self.sum = self.sum << 8 ^ SUMS[usize::from(index)];
        }
        written
    }
}

fn low_byte(link: u32) -> u8 {
    link.to_le_bytes()[0]
}

/// The bytes that a block uses, in order.
fn read_alphabet<R: Read>(bits: &mut Bits<R>) -> io::Result<Vec<u8>> {
    let rows = bits.take(16)?;
    let mut alphabet = Vec::with_capacity(256);
    for row in 0..16u8 {
        if rows << row & 0x8000 == 0 {
            continue;
        }
        let used = bits.take(16)?;
        alphabet
            .extend((0..16).filter(|column| used << column & 0x8000 != 0).map(|c| row << 4 | c));
    }
    if alphabet.is_empty() { Err(damaged("no alphabet")) } else { Ok(alphabet) }
}

/// The codes of a block, and which of them each group of symbols is written in.
fn read_codes<R: Read>(bits: &mut Bits<R>, symbols: usize) -> io::Result<(Vec<Code>, Vec<usize>)> {
    let tables = bits.take(3)? as usize;
    let listed = bits.take(15)? as usize;
    if !(2..=6).contains(&tables) || listed == 0 {
        return Err(damaged("it has no tables"));
    }
    let mut recent = [0, 1, 2, 3, 4, 5];
    let mut selectors = Vec::with_capacity(listed.min(SELECTORS_MAX));
    for _ in 0..listed {
        let mut at = 0;
        while bits.take(1)? == 1 {
            at += 1;
            if at >= tables {
                return Err(damaged("a table is missing"));
            }
        }
        recent[..=at].rotate_right(1);
        if selectors.len() < SELECTORS_MAX {
            selectors.push(recent[0]);
        }
    }
    let mut codes = Vec::with_capacity(tables);
    for _ in 0..tables {
        let mut lengths = Vec::with_capacity(symbols);
        let mut length = bits.take(5)? as usize;
        for _ in 0..symbols {
            loop {
                if !(1..=CODE_BITS_MAX).contains(&length) {
                    return Err(damaged("a code is too long"));
                }
                if bits.take(1)? == 0 {
                    break;
                }
                if bits.take(1)? == 0 { length += 1 } else { length -= 1 }
            }
            lengths.push(length);
        }
        codes.push(Code::new(&lengths)?);
    }
    Ok((codes, selectors))
}

/// A prefix code: shorter codes first, and symbols in order among those of one length.
struct Code {
    /// By the next bits: length and symbol of a short code, or nothing.
    fast: Vec<Option<(u8, u16)>>,
    /// For each length: the bound of its codes, their first, and their first symbol's place. Codes
    /// are filled up to the longest.
    lengths: [(u32, u32, u32); CODE_BITS_MAX + 1],
    /// The symbols in the order of their codes.
    symbols: Vec<u16>,
}

impl Code {
    fn new(lengths: &[usize]) -> io::Result<Self> {
        let mut code = Self {
            fast: vec![None; 1 << FAST_BITS],
            lengths: [(0, 0, 0); CODE_BITS_MAX + 1],
            symbols: Vec::with_capacity(lengths.len()),
        };
        let mut next = 0u32;
        let mut place = 0;
        for bits in 1..=CODE_BITS_MAX {
            let (first, first_place) = (next, place);
            let of_this = lengths.iter().zip(0u16..).filter(|(length, _)| **length == bits);
            for (_, symbol) in of_this {
                if bits <= FAST_BITS {
                    let spread = FAST_BITS - bits;
                    let range = (next as usize) << spread..(next as usize + 1) << spread;
                    let entries = code.fast.get_mut(range);
                    let entries = entries.ok_or_else(|| damaged("a code is ambiguous"))?;
                    // A length is at most 20.
                    entries.fill(Some((u8::try_from(bits).unwrap_or(0), symbol)));
                }
                code.symbols.push(symbol);
                next += 1;
                place += 1;
            }
            if next > 1 << bits {
                return Err(damaged("a code is ambiguous"));
            }
            code.lengths[bits] = (next << (CODE_BITS_MAX - bits), first, first_place);
            next <<= 1;
        }
        Ok(code)
    }

    fn read<R: Read>(&self, bits: &mut Bits<R>) -> io::Result<usize> {
        let ahead = bits.peek_code()?;
        if let Some((length, symbol)) = self.fast[(ahead >> (CODE_BITS_MAX - FAST_BITS)) as usize] {
            bits.drop_bits(u32::from(length))?;
            return Ok(usize::from(symbol));
        }
        for (length, &(bound, first, place)) in (0u32..).zip(&self.lengths) {
            if ahead < bound {
                bits.drop_bits(length)?;
                let at = place + (ahead >> (20 - length)) - first;
                let symbol = self.symbols.get(at as usize);
                return symbol.map(|&symbol| symbol.into()).ok_or_else(|| damaged("no such code"));
            }
        }
        Err(damaged("no such code"))
    }
}

/// The input as bits, the top bit of a byte first.
struct Bits<R> {
    reader: R,
    buffer: Vec<u8>,
    at: usize,
    /// Bits taken from the buffer, the last of them lowest, and how many they are.
    ahead: u64,
    count: u32,
}

impl<R: Read> Bits<R> {
    fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new(), at: 0, ahead: 0, count: 0 }
    }

    /// Makes sure of at least 32 bits, if there are so many.
    fn fill(&mut self) -> io::Result<()> {
        while self.count < 32 {
            if self.at == self.buffer.len() {
                self.buffer.clear();
                self.at = 0;
                let limit = READ_BYTES as u64;
                if self.reader.by_ref().take(limit).read_to_end(&mut self.buffer)? == 0 {
                    break;
                }
            }
            self.ahead = self.ahead << 8 | u64::from(self.buffer[self.at]);
            self.at += 1;
            self.count += 8;
        }
        Ok(())
    }

    /// The next bits, as many as the longest code has; zeros beyond the end.
    fn peek_code(&mut self) -> io::Result<u32> {
        const BITS: u32 = 20;
        self.fill()?;
        let ahead = if self.count >= BITS {
            self.ahead >> (self.count - BITS)
        } else {
            self.ahead << (BITS - self.count)
        };
        Ok(u32::try_from(ahead & ((1 << BITS) - 1)).unwrap_or(0))
    }

    fn drop_bits(&mut self, bits: u32) -> io::Result<()> {
        match self.count.checked_sub(bits) {
            Some(count) => self.count = count,
            None => return Err(ErrorKind::UnexpectedEof.into()),
        }
        Ok(())
    }

    /// Takes at most 24 bits.
    fn take(&mut self, bits: u32) -> io::Result<u32> {
        self.fill()?;
        self.drop_bits(bits)?;
        Ok(u32::try_from(self.ahead >> self.count & ((1 << bits) - 1)).unwrap_or(0))
    }

    fn take_32(&mut self) -> io::Result<u32> {
        Ok(self.take(16)? << 16 | self.take(16)?)
    }

    /// Skips the rest of a byte.
    fn skip_to_byte(&mut self) {
        self.count -= self.count % 8;
    }

    fn at_end(&mut self) -> io::Result<bool> {
        self.fill()?;
        Ok(self.count == 0)
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// The CRC-32 of bzip2 goes from the top bit down, unlike that of zip: what a byte adds to it.
const SUMS: [u32; 256] = {
    let mut sums = [0; 256];
    let mut byte = 0u32;
    while byte < 256 {
        let mut sum = byte << 24;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 << 31 == 0 { sum << 1 } else { sum << 1 ^ 0x04c1_1db7 };
            bit += 1;
        }
        sums[byte as usize] = sum;
        byte += 1;
    }
    sums
};

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// `printf '%s' abcabcabc | bzip2`, and so on: what the usual program makes.
    const SAMPLES: [(&[u8], &str); 3] = [
        (b"", "425a683917724538509000000000"),
        (
            b"abcabcabc",
            "425a68393141592653594ef0997300000101003800200021b106621238bb9229c284827784cb\
             98",
        ),
        (
            b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n",
            "425a68393141592653597040392100000c5f800010501136002000008a07611c402000314006\
             234d3468453f484f20006947995a3253209a129abb11029781af50bba361be4f81199de17724\
             5385090704039210",
        ),
    ];

    /// A text and its compressed form.
    pub(crate) fn sample() -> (Vec<u8>, Vec<u8>) {
        let (text, hex) = SAMPLES[2];
        (text.to_vec(), bytes(hex))
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let pairs = hex.as_bytes().chunks(2);
        let pairs = pairs.map(|pair| std::str::from_utf8(pair).expect("letters"));
        pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
    }

    fn read(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        Decoder::new(packed).read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn samples_come_back() {
        for (text, hex) in SAMPLES {
            assert_eq!(read(&bytes(hex)).expect("a sample"), text);
        }
    }

    #[test]
    fn runs_come_back_whatever_the_buffer() {
        // `head -c 1000000 /dev/zero | tr '\0' x | bzip2`
        let hex = "425a683931415926535991f55c700007a880c0804000020008200030cc09aa69952436a9\
                   490f17724538509091f55c70";
        let packed = bytes(hex);
        let mut decoder = Decoder::new(&packed[..]);
        let mut out = Vec::new();
        let mut buffer = [0; 7];
        loop {
            let read = decoder.read(&mut buffer).expect("a sample");
            if read == 0 {
                break;
            }
            out.extend_from_slice(&buffer[..read]);
        }
        assert!(out == [b'x'; 1_000_000]);
    }

    #[test]
    fn no_damage_goes_unseen() {
        for (text, hex) in SAMPLES {
            let packed = bytes(hex);
            for end in 1..packed.len() {
                assert!(read(&packed[..end]).is_err(), "cut at {end}");
            }
            for bit in 0..8 * packed.len() {
                let mut packed = packed.clone();
                packed[bit / 8] ^= 0x80 >> (bit % 8);
                // The size of blocks and the fill bits at the end may change without harm.
                assert!(read(&packed).ok().is_none_or(|out| out == text), "bit {bit}");
            }
        }
    }
}
