"""Numbers in bytes and bits, and the range coder (docs/FORMAT.md: 1, 1.1, 3.2, 3.4, 5, 10)."""

WORD = (1 << 64) - 1


class Damaged(ValueError):
    """The bytes are not what the format allows."""


class Unsupported(ValueError):
    """The bytes may be right, but this decoder does not read them."""


class Bytes:
    """Bytes that are read from the first to the last."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        """The next `count` bytes."""
        if count > len(self.data) - self.at:
            raise Damaged("the bytes end too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def rest(self):
        """All bytes that are left."""
        return self.take(len(self.data) - self.at)

    def number(self, bits=32):
        """A number as LEB128 in its shortest spelling (section 1)."""
        value = 0
        for shift in range(0, bits, 7):
            byte = self.take(1)[0]
            value |= (byte & 127) << shift
            if byte < 128:
                if value >> bits or (byte == 0 and shift > 0):
                    break
                return value
        raise Damaged("a number is too large, or not in its shortest spelling")


class Bits:
    """Bits that are read from the first to the last, the most significant of a byte first (10)."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        """A number of `count` bits."""
        end = self.at + count
        if end > 8 * len(self.data):
            raise Damaged("the bits end too early")
        first, last = self.at // 8, (end + 7) // 8
        value = int.from_bytes(self.data[first:last], "big") >> (8 * last - end)
        self.at = end
        return value & ((1 << count) - 1)

    def ones(self, most):
        """How many ones there are, at most `most`, before a zero, which is passed over."""
        count = 0
        while self.take(1):
            count += 1
            if count > most:
                raise Damaged("too many ones in a row")
        return count

    def golomb(self, order):
        """`G(order)`: an exponential Golomb code (3.2)."""
        ones = self.ones(32)
        return (1 << (ones + order) | self.take(ones + order)) - (1 << order)

    def truncated(self, count):
        """`T(count)`: one of `count` numbers in truncated binary (10)."""
        if count < 1:
            raise Damaged("a choice without numbers to choose from")
        bits = count.bit_length() - 1
        short = (2 << bits) - count
        value = self.take(bits)
        return value if value < short else 2 * value + self.take(1) - short

    def rice(self, order):
        """`R(order)`: a Rice code (10)."""
        return self.ones(8 * len(self.data)) << order | self.take(order)

    def word(self, words):
        """A symbol of the prefix code `words` (3.4)."""
        word, length = 0, 0
        while (length, word) not in words:
            if length > 64:
                raise Damaged("a word that the prefix code does not have")
            word, length = 2 * word + self.take(1), length + 1
        return words[length, word]

    def bytes_so_far(self):
        """Fills up to a whole byte, as the format does, and says how many bytes were read."""
        self.at = -(-self.at // 8) * 8
        return self.at // 8


def huffman_lengths(frequencies):
    """The lengths of the words of a prefix code (3.4). Of equal trees the one made first joins."""
    trees = [(frequency, number, [number]) for number, frequency in enumerate(frequencies)]
    lengths = [0] * len(trees)
    made = len(trees)
    while len(trees) > 1:
        (one, _, left), (two, _, right), *trees = sorted(trees)
        for symbol in left + right:
            lengths[symbol] += 1
        trees.append((one + two, made, left + right))
        made += 1
    return lengths


def prefix_code(lengths):
    """The symbols of a canonical prefix code, by the length and the number of a word (3.4)."""
    words, word, last = {}, -1, 0
    pairs = lengths.items() if isinstance(lengths, dict) else enumerate(lengths)
    for length, symbol in sorted((length, symbol) for symbol, length in pairs):
        word = (word + 1) << (length - last)
        words[length, word] = symbol
        last = length
    return words


class RangeDecoder:
    """The decoder of 1.1."""

    def __init__(self, code):
        self.code, self.at = code, 8
        self.offset = int.from_bytes(code[:8].ljust(8, b"\0"), "big")
        self.range = WORD

    def symbol(self, weights):
        """The number of the symbol whose share holds the place that the code names."""
        total = sum(weights)
        unit = self.range // total
        place = min(self.offset // unit, total - 1)
        start = 0
        for symbol, size in enumerate(weights):
            if place < start + size:
                break
            start += size
        self.offset -= unit * start
        self.range = self.range - unit * start if start + size == total else unit * size
        while self.range < 1 << 56:
            byte = self.code[self.at] if self.at < len(self.code) else 0
            self.offset = (self.offset << 8 | byte) & WORD
            self.range = self.range << 8 & WORD
            self.at += 1
        return symbol


class RangeEncoder:
    """The encoder of 1.1. What is written and `low` are one number, so carries need no care."""

    def __init__(self):
        self.low, self.range, self.bytes = 0, WORD, 0

    def symbol(self, weights, symbol):
        """Codes a symbol, given the weights of all."""
        total, start, size = sum(weights), sum(weights[:symbol]), weights[symbol]
        unit = self.range // total
        self.low += unit * start
        self.range = self.range - unit * start if start + size == total else unit * size
        while self.range < 1 << 56:
            self.low, self.range, self.bytes = self.low << 8, self.range << 8, self.bytes + 1

    def code(self):
        """The code: as few bytes of a number from `low` on, but below `low + range`, as suffice."""
        for count in range(9):
            step = 1 << (64 - 8 * count)
            rounded = -(-self.low // step) * step
            if rounded < self.low + self.range:
                break
        return rounded.to_bytes(self.bytes + 8, "big")[: self.bytes + count].rstrip(b"\0")


def leb128(value):
    """Spells a number as LEB128 (section 1)."""
    spelled = bytearray()
    while value > 127:
        spelled.append(value & 127 | 128)
        value >>= 7
    return bytes(spelled) + bytes([value])


def crc16(data):
    """CRC-16/GENIBUS (section 5)."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc ^ 0xFFFF
