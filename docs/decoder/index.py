"""Reads the index of positions beside a packed file (docs/FORMAT.md, 10).

`Index.find` answers as 10.3 says: either a block, whose games reach the position, or a few games
that may reach it and have to be decoded.
"""

import zlib
from collections import namedtuple
from functools import cache, cached_property

import keys
from arithmetic import Bits, Bytes, Damaged, Unsupported, huffman_lengths, prefix_code

MAGIC = b"PLYINDEX"
ENDING = b"PLYX"

# What variations' keys and frames are combined with (10.1).
VARIATION = 0xE4D971771B652C20

# A page: the first place, its entries with their checksum, and its blocks (10.2).
Page = namedtuple("Page", "first entries blocks")
# What is listed in a page (10.3): games with a frame, then men, slot and block are None; games with
# a frame and men; games with a slot, which is so many bits long; or a block, which has its games.
Entry = namedtuple("Entry", "frame men bits slot games block")
# Of games that play one move, or end: the candidate, or None, and games by outcome (wins of White,
# draws, wins of Black, unknown). Ratings and years are passed over (10.4).
Sum = namedtuple("Sum", "candidate outcomes")
# A block: its key, its games, its sums, and visits as pairs of a game and a candidate (10.4).
Block = namedtuple("Block", "key games sums visits")


def checked(data):
    """The bytes before a checksum (10)."""
    if len(data) < 4 or zlib.crc32(data[:-4]).to_bytes(4, "little") != data[-4:]:
        raise Damaged("a part of the index has another checksum (docs/FORMAT.md, 10)")
    return data[:-4]


class Index:
    """An index in memory."""

    def __init__(self, data):
        """Reads the footer (10.2)."""
        if not data.startswith(MAGIC) or not data.endswith(ENDING) or len(data) < 20:
            raise Damaged("not an index (docs/FORMAT.md, 10.2)")
        length = int.from_bytes(data[-8:-4], "little")
        if length + 20 > len(data):
            raise Damaged("an index whose footer is too long (docs/FORMAT.md, 10.2)")
        footer = Bytes(checked(data[len(data) - 12 - length : -8]))
        if (version := footer.number(64)) != 1:
            raise Unsupported(f"no index of version {version} is read here (docs/FORMAT.md, 10.2)")
        # Of each row group its games, and its id, which is not compared here.
        groups = [(footer.number(64), footer.take(16)) for _ in range(footer.number(64))]
        self.games = sum(games for games, _ in groups)
        self.parts, body = {}, Bytes(data[: len(data) - 12 - length], len(MAGIC))
        for _ in range(footer.number(64)):
            name = footer.take(footer.number(64)).decode()
            directory = Bytes(footer.take(footer.number(64)))
            self.parts[name] = directory, Bytes(body.take(footer.number(64)))
        if "positions" not in self.parts:
            raise Damaged("a part of the index is missing (docs/FORMAT.md, 10.2)")

    @cached_property
    def pages(self):
        """The bits of a frame that count, and the pages (10.2)."""
        directory, body = self.parts["positions"]
        bits, found, upper = directory.take(1)[0], [], 0
        for _ in range(directory.number(64)):
            step = directory.number(64)
            upper += step >> 1
            lower = directory.number(64) if step & 1 else 0
            sizes = directory.number(64), directory.number(64)
            found.append(Page(upper << 32 | lower, *map(body.take, sizes)))
        return bits, found

    def place(self, key, frame, men):
        """The place of a position, as frame, men and slot (10.1)."""
        men = men and 1 + (men >> 52) % 4095
        return frame >> (64 - self.pages[0]), men, key & 0xFFFFF

    def find(self, position, variation=False):
        """A block, or games that may reach a position in their main lines or variations."""
        key, (frame, men) = keys.key(position), keys.structure(position)
        if variation:
            key, frame = key ^ VARIATION, frame ^ VARIATION
        frame, men, slot = self.place(key, frame, men)
        bits, pages = self.pages
        place = frame << (64 - bits) | men << 20 | slot
        number = sum(page.first <= place for page in pages) - 1
        games = set()
        for entry in self.entries(number).get(frame, []) if number >= 0 else []:
            here = entry.men in (None, men) and entry.slot in (None, slot >> 20 - entry.bits)
            if here and entry.block and int.from_bytes(entry.block[:8], "big") == key:
                return read_block(entry.block, self.games)
            games |= entry.games if here else set()
        return games

    @cache
    def entries(self, number):
        """The entries of a page, by their frames."""
        bits, pages = self.pages
        found = {}
        for entry in Entries(pages[number], bits, self.games).read():
            found.setdefault(entry.frame, []).append(entry)
        return found


class Entries:
    """The entries of a page (10.3)."""

    def __init__(self, page, frame_bits, games):
        self.bits, self.games = Bits(checked(page.entries)), games
        self.frame_bits, self.blocks = frame_bits, Bytes(page.blocks)

    def read(self):
        """All entries, in their order, which alone tells where a block begins."""
        frames, order = self.bits.golomb(12), self.bits.take(5)
        for frame in self.ascending(frames, self.frame_bits, order):
            games, has_list = self.node()
            if games is not None:
                yield Entry(frame, None, 0, None, games, None)
                yield from (Entry(frame, None, *rest) for rest in self.list(has_list, True))
                continue
            count = self.bits.golomb(2) + 1
            # The order of the Rice code for their mean distance.
            mean = max(1, 11 * (4096 // count) // 16)
            for men in self.ascending(count, 12, min(mean.bit_length() - 1, 31)):
                games, has_list = self.node()
                if games is not None:
                    yield Entry(frame, men, 0, None, games, None)
                listed = self.list(has_list, games is not None)
                yield from (Entry(frame, men, *rest) for rest in listed)

    def ascending(self, count, first_bits, order):
        """Ascending numbers: the first in so many bits, Rice codes of how far each is behind."""
        value = 0
        for number in range(count):
            value += self.bits.rice(order) if number else self.bits.take(first_bits)
            yield value

    def node(self):
        """The games that a node lists, or None; whether a list of positions follows."""
        count = self.bits.golomb(0) + 1
        if count == 17:
            return None, True
        games = self.set(count)
        return games, count > 3 and self.bits.take(1) == 1

    def list(self, is_there, of_node):
        """A list of positions: the bits of a slot, the slot, games and the block of each."""
        if not is_there:
            return
        count, width = self.bits.golomb(1) + 1, self.bits.take(5)
        for slot in self.ascending(count, width, 4):
            games = 4 if of_node else 1
            while games < 4 and self.bits.take(1):
                games += 1
            if games < 4:
                yield width, slot, self.set(games), None
            else:
                yield width, slot, set(), self.blocks.take(self.bits.golomb(6))

    def set(self, count):
        """A set of so many games (10.3)."""
        if count > self.games:
            raise Damaged("more games than the index has (docs/FORMAT.md, 10.3)")
        return set(self._between(count, 0, self.games))

    def _between(self, count, least, end):
        """So many ascending numbers from `least` on and below `end`: the middle one comes first."""
        if count == 0:
            return
        before = count // 2
        middle = least + before + self.bits.truncated(end - least - count + 1)
        yield middle
        yield from self._between(before, least, middle)
        yield from self._between(count - before - 1, middle + 1, end)


def read_block(data, index_games):
    """The block of a position (10.4)."""
    bits = Bits(data)
    key, games = bits.take(64), bits.golomb(3) + 4
    moves, ends = bits.golomb(1), bits.take(1)
    has_years = bits.take(1)
    bits.take(12 * has_years)
    sums = [read_sum(bits, bits.golomb(4), has_years) for _ in range(moves)]
    sums += [read_sum(bits, None, has_years) for _ in range(ends)]
    counts = [sum(one.outcomes) for one in sums]
    visits = sum(counts)
    for _ in range(3):
        if games < 32:
            bits.truncated(visits)
        else:
            pass_best_game(bits, index_games, len(sums))
    if games >= 32 and bits.take(1):
        pass_line(bits)
    words = prefix_code(huffman_lengths(counts))
    found, game, begun = [], 0, 0
    at = bits.bytes_so_far()
    while len(found) < visits:
        order = bits.take(5)
        for _ in range(min(1024, visits - len(found))):
            game += bits.rice(order)
            found.append((game, sums[bits.word(words)].candidate))
        at = bits.bytes_so_far() + 4
        checked(data[begun:at])
        begun, bits.at = at, 8 * at
    if at != len(data) or len({game for game, _ in found}) != games:
        raise Damaged("a block that is damaged (docs/FORMAT.md, 10.4)")
    return Block(key, games, sums, found)


def read_sum(bits, candidate, has_years):
    """A sum (10.4)."""
    outcomes = tuple(bits.golomb(0) for _ in range(4))
    rated = sum(outcomes) - bits.golomb(0)
    if rated > 0:
        bits.take(13)
        bits.truncated(rated)
    if has_years and bits.take(1):
        bits.golomb(1)
    return Sum(candidate, outcomes)


def pass_best_game(bits, index_games, moves):
    """One of the three best games of a block, of which nothing is kept here (10.4)."""
    bits.truncated(index_games)
    bits.truncated(moves)
    bits.take(2)
    for width in (12, 13, 13):
        bits.take(width * bits.take(1))
    for _ in range(2):
        bits.take(8 * bits.golomb(4))


def pass_line(bits):
    """The line that leads to a block's position, of which nothing is kept here (10.4)."""
    bits.take(8 * bits.golomb(4) if bits.take(1) else 0)
    for _ in range(bits.golomb(4)):
        bits.golomb(4)
