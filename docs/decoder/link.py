"""Links to games (docs/FORMAT.md, 5), and the positions that they begin with (3.1, 3.2, 3.5)."""

import base64
import re
from collections import namedtuple
from urllib.parse import unquote

import lines
from arithmetic import Bits, Bytes, Damaged, Unsupported, crc16, leb128
from chess import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, USUAL, Position

CHESS = 2
MOST_CHARACTERS = 131_072

# The line codecs that links name, as far as lines.py reads them.
CODECS = {1: "line.text/1", 2: "line.uniform/2", 6: "line.fast/6"}

# A game that a link holds: `show` is the ply after which the board is shown.
Game = namedtuple("Game", "codec start line show")


def decode(text):
    """The game of a link, given what stands behind its `#`."""
    frame = unpacked(text)
    data = Bytes(frame[:-2])
    head = data.take(1)[0]
    if head >> 6:
        raise Unsupported("a link of a newer version (docs/FORMAT.md, 5)")
    game = head >> 3 & 7 or data.take(1)[0]
    if game != CHESS:
        raise Unsupported(f"links of game {game} are not read here (docs/FORMAT.md, 5)")
    number = (head >> 1 & 3) + 1 if head & 6 else data.number()
    plies = data.number()
    flags = data.take(1)[0] if head & 1 else 0
    if flags > 3 or (head & 1 and flags == 0):
        raise Damaged("a link with flags that are not given (docs/FORMAT.md, 5)")
    start = Position.from_fen(USUAL)
    if flags & 1:
        codec = data.number()
        start = position(codec, data.take(data.number()))
        if start.fen() == USUAL:
            raise Damaged("a link with the usual start as a set-up one (docs/FORMAT.md, 5)")
    show = data.number() if flags & 2 else plies
    if flags & 2 and show >= plies:
        raise Damaged("a link shows a ply that it does not have (docs/FORMAT.md, 5)")
    if number not in CODECS:
        raise Unsupported(f"links of codec {number} are not read here (docs/FORMAT.md, 5)")
    code = data.rest()
    line, _ = lines.decode(CODECS[number], start, plies, code)
    if lines.encode(CODECS[number], line) != code:
        raise Damaged("a link that no writer writes (docs/FORMAT.md, 5)")
    return Game(CODECS[number], start, line, show)


def unpacked(text):
    """The bytes of a link, whose check is right."""
    if len(text) > MOST_CHARACTERS:
        raise Damaged("a link that is too long (docs/FORMAT.md, 4)")
    text = re.sub("[\\s\u200b]", "", unquote(text))
    text = re.match("[A-Za-z0-9_-]*", text)[0]
    if len(text) % 4 == 1:
        raise Damaged("a link that is cut (docs/FORMAT.md, 5)")
    frame = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    whole = base64.urlsafe_b64encode(frame).decode().rstrip("=") == text
    if not whole or len(frame) < 3 or crc16(frame[:-2]).to_bytes(2, "big") != frame[-2:]:
        raise Damaged("a link that was cut or changed (docs/FORMAT.md, 5)")
    return frame


def encode(codec, start, line, show):
    """The text of a link, whose start is written as text (5)."""
    number = {name: number for number, name in CODECS.items()}[codec]
    usual = start.fen() == USUAL
    flags = (0 if usual else 1) | (0 if show == len(line) else 2)
    bits = number - 1 if 2 <= number <= 4 else 0
    frame = bytes([CHESS << 3 | bits << 1 | bool(flags)])
    frame += (b"" if bits else leb128(number)) + leb128(len(line))
    frame += bytes([flags]) if flags else b""
    if not usual:
        text = start.fen().encode()
        frame += leb128(16) + leb128(len(text)) + text
    frame += leb128(show) if show < len(line) else b""
    frame += lines.encode(codec, line)
    frame += crc16(frame).to_bytes(2, "big")
    return base64.urlsafe_b64encode(frame).decode().rstrip("=")


def position(codec, code):
    """A position from its code by `position.text` (16) or `board.xor-start-rle` (23)."""
    if codec == 16:
        found = Position.from_fen(code.decode())
        if found.fen() != code.decode():
            raise Damaged("a position that is not in canonical spelling (docs/FORMAT.md, 5)")
        return found
    if codec == 23:
        return xor_start_rle(code)
    raise Unsupported(f"positions of codec {codec} are not read here (docs/FORMAT.md, 3)")


# The symbols of men on a board of chess (3.1).
SYMBOLS = [0] + [
    sign * (kind + 1) for sign in (1, -1) for kind in (KING, QUEEN, ROOK, BISHOP, KNIGHT)
]
SYMBOLS += [PAWN + 1, -PAWN - 1]


def xor_start_rle(code):
    """`board.xor-start-rle`: the state, and runs of cells XOR those of the usual start (3.5)."""
    bits = Bits(code)
    white, rooks, passed, clock, number = state(bits)
    cells, last, choices = [], None, 16
    while len(cells) < 64:
        symbol = bits.take((choices - 1).bit_length())
        symbol += last is not None and symbol >= last
        cells += [symbol] * (bits.golomb(0) + 1)
        last, choices = symbol, 15
    start = [SYMBOLS.index(man) for man in Position.from_fen(USUAL).board]
    cells = [cell ^ first for cell, first in zip(cells, start)]
    if len(cells) != 64 or max(cells) >= len(SYMBOLS) or bits.bytes_so_far() != len(code):
        raise Damaged("a code of a position that is damaged (docs/FORMAT.md, 3.5)")
    board = [SYMBOLS[cell] for cell in cells]
    if board.count(KING + 1) != 1 or board.count(-KING - 1) != 1:
        raise Damaged("a position without its two kings (docs/FORMAT.md, 3)")
    rights = set()
    for side, right, file in rooks:
        first = 0 if side else 56
        king = board.index(KING + 1 if side else -KING - 1)
        square = first + (file if file is not None else 7 if right else 0)
        if board[square] != (ROOK + 1 if side else -ROOK - 1) or king // 8 != first // 8:
            raise Damaged("a right to castle without a rook (docs/FORMAT.md, 3.1)")
        rights.add(square)
    if passed is not None:
        passed += 40 if white else 16
    return Position(board, white, frozenset(rights), passed, clock, number)


def state(bits):
    """The state of a position of chess (3.1): of rights whose, to the right, and the file if given."""
    white = not bits.take(1)
    files = bits.take(1)
    rooks = []
    for side in (True, False):
        for right in (True, False):
            if bits.take(1):
                rooks.append((side, right, bits.take(3) if files else None))
    passed = bits.take(3) if bits.take(1) else None
    clock, number = (bits.golomb(3), bits.golomb(5)) if bits.take(1) else (0, 1)
    return white, rooks, passed, clock, number
