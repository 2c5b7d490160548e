"""Links to games (docs/FORMAT.md, 5)."""

import base64
import re
from collections import namedtuple
from urllib.parse import unquote

import lines
from arithmetic import Bytes, Damaged, Unsupported, crc16
from chess import USUAL, Position

CHESS = 2
MOST_CHARACTERS = 131_072

# The line codecs that links name, as far as lines.py reads them.
CODECS = {2: "line.uniform/2", 6: "line.fast/6"}

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
    show = data.number() if flags & 2 else plies
    if flags & 2 and show >= plies:
        raise Damaged("a link shows a ply that it does not have (docs/FORMAT.md, 5)")
    if number not in CODECS:
        raise Unsupported(f"links of codec {number} are not read here (docs/FORMAT.md, 5)")
    code = data.rest()
    line = lines.decode(CODECS[number], start, plies, code)
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


def position(codec, code):
    """A position from its code by `position.text` (5)."""
    if codec != 16:
        raise Unsupported(f"positions of codec {codec} are not read here (docs/FORMAT.md, 3)")
    found = Position.from_fen(code.decode())
    if found.fen() != code.decode() or found.fen() == USUAL:
        raise Damaged("a start that a writer does not write like this (docs/FORMAT.md, 5)")
    return found
