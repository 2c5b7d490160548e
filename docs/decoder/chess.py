"""The rules of chess: candidates in their order, SAN, FEN (crates/games/src/chess/SPEC.md).

Squares are numbered from a1 to h8 as there. A man is his kind plus 1, negative if he is Black's; a
move is an origin, a destination and the kind of a new man, 0 if none. Castling is the king taking
his own rook, a null move (FORMAT.md, 1.12) the king's move from his square to his square.
"""

import re
from collections import namedtuple

from arithmetic import Damaged

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
LETTERS = "PNBRQK"
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

FEN = "([1-8PNBRQKpnbrqk/]+) ([wb]) ([A-HKQa-hkq]{1,4}|-) ([a-h][36]|-)(?: ([0-9]+) ([0-9]+))?"

Move = namedtuple("Move", "origin destination promotion")


def _steps(square, steps):
    """The squares on the board that are so many files and ranks away."""
    file, rank = square % 8, square // 8
    return [
        8 * (rank + up) + file + right
        for right, up in steps
        if 0 <= file + right < 8 and 0 <= rank + up < 8
    ]


def _ray(square, right, up):
    """The squares from `square` on in one direction."""
    ray = []
    while beyond := _steps(square, [(right, up)]):
        square = beyond[0]
        ray.append(square)
    return ray


ALONG = [(1, 0), (-1, 0), (0, 1), (0, -1)]
ASLANT = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KING_STEPS = [_steps(square, ALONG + ASLANT) for square in range(64)]
KNIGHT_STEPS = [
    _steps(square, [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)])
    for square in range(64)
]
# The squares that a pawn attacks, by whether it is White's.
PAWN_STEPS = {
    white: [_steps(square, [(-1, up), (1, up)]) for square in range(64)]
    for white, up in ((True, 1), (False, -1))
}
RAYS = {
    BISHOP: [[_ray(square, *step) for step in ASLANT] for square in range(64)],
    ROOK: [[_ray(square, *step) for step in ALONG] for square in range(64)],
}
RAYS[QUEEN] = [RAYS[ROOK][square] + RAYS[BISHOP][square] for square in range(64)]


def letter(man):
    """A man's letter in FEN."""
    return LETTERS[man - 1] if man > 0 else LETTERS[-man - 1].lower()


def square_name(square):
    """The name of a square, as e4."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def attackers(board, square, white):
    """The squares of the men of one side that attack a square; lines end at the first man."""
    sign = 1 if white else -1
    # A pawn attacks a square from where one of the other side on that square would attack it.
    found = [from_ for from_ in PAWN_STEPS[not white][square] if board[from_] == sign]
    found += [from_ for from_ in KNIGHT_STEPS[square] if board[from_] == sign * (KNIGHT + 1)]
    found += [from_ for from_ in KING_STEPS[square] if board[from_] == sign * (KING + 1)]
    for kind in (ROOK, BISHOP):
        for ray in RAYS[kind][square]:
            first = next((from_ for from_ in ray if board[from_]), None)
            if first is not None and board[first] * sign in (kind + 1, QUEEN + 1):
                found.append(first)
    return found


def reach(board, kind, square, white):
    """The squares that a man of this kind would attack from a square."""
    if kind == PAWN:
        return PAWN_STEPS[white][square]
    if kind in (KNIGHT, KING):
        return (KNIGHT_STEPS if kind == KNIGHT else KING_STEPS)[square]
    seen = []
    for ray in RAYS[kind][square]:
        for to in ray:
            seen.append(to)
            if board[to]:
                break
    return seen


class Position:
    """A position, which no method changes.

    `rights` has the squares of the rooks that may castle, `passed` the square behind a pawn that
    was just pushed by two squares, or None.
    """

    def __init__(self, board, white, rights, passed, clock, number):
        self.board, self.white, self.rights = board, white, rights
        self.passed, self.clock, self.number = passed, clock, number
        self.king = board.index(KING + 1 if white else -KING - 1)

    @classmethod
    def from_fen(cls, text):
        """Reads FEN, also X-FEN and rooks by their files. The counters may be missing."""
        found = re.fullmatch(FEN, text)
        rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), found[1]) if found else ""
        if [len(row) for row in rows.split("/")] != [8] * 8:
            raise Damaged(f"no FEN: {text}")
        men = {letter(man): man for man in range(-6, 7) if man}
        board = [men.get(square, 0) for row in reversed(rows.split("/")) for square in row]
        if board.count(KING + 1) != 1 or board.count(-KING - 1) != 1:
            raise Damaged(f"no position with two kings: {text}")
        rights = frozenset(cls._rook(board, letter) for letter in found[3] if letter != "-")
        white, passed = found[2] == "w", None
        if found[4] != "-":
            passed = "abcdefgh".index(found[4][0]) + 8 * (int(found[4][1]) - 1)
            if board[passed + (-8 if white else 8)] != (-1 if white else 1):
                raise Damaged(f"no pawn was pushed past {found[4]}")
        return cls(board, white, rights, passed, int(found[5] or 0), int(found[6] or 1))

    @staticmethod
    def _rook(board, letter):
        """The square of the rook that a letter of the castling rights names."""
        first, man = (0, ROOK + 1) if letter.isupper() else (56, -ROOK - 1)
        rooks = [square for square in range(first, first + 8) if board[square] == man]
        named = {"Q": rooks[:1], "K": rooks[-1:]}.get(letter.upper())
        if named is None:
            named = [rook for rook in rooks if "ABCDEFGH"[rook % 8] == letter.upper()]
        if not named:
            raise Damaged(f"no rook for the right to castle {letter}")
        return named[0]

    def fen(self):
        """The position's text in canonical spelling."""
        men = "".join("." if man == 0 else letter(man) for man in self.board)
        rows = "/".join(men[first : first + 8] for first in range(56, -1, -8))
        rows = re.sub(r"\.+", lambda dots: str(len(dots[0])), rows)
        passed = "-" if self.passed is None else square_name(self.passed)
        side = "w" if self.white else "b"
        return f"{rows} {side} {self._castling()} {passed} {self.clock} {self.number}"

    def _castling(self):
        """The rights in FEN: KQkq, or a rook's file where another rook stands further out."""
        letters = ""
        for white in (True, False):
            rooks = [square for square in self.rights if (self.board[square] > 0) == white]
            king = self.board.index(KING + 1 if white else -KING - 1)
            for square in sorted(rooks, reverse=True):
                spellings = "K" if square > king else "Q", "ABCDEFGH"[square % 8]
                spellings = [name if white else name.lower() for name in spellings]
                usual = self._rook(self.board, spellings[0]) == square
                letters += spellings[0 if usual else 1]
        return letters or "-"

    def in_check(self):
        """Whether the side to move is in check."""
        return bool(attackers(self.board, self.king, not self.white))

    def null(self):
        """The null move."""
        return Move(self.king, self.king, 0)

    def is_castling(self, move):
        """Whether the move is the king taking a rook of his own."""
        return move.origin == self.king and move.destination in self.rights

    def castled(self, move):
        """The new squares of king and rook."""
        first = move.origin // 8 * 8
        return (first + 6, first + 5) if move.destination > move.origin else (first + 2, first + 3)

    def candidates(self):
        """The legal moves by origin, destination, promotion."""
        sign = 1 if self.white else -1
        moves = []
        for origin, man in enumerate(self.board):
            if man * sign <= 0:
                continue
            if abs(man) - 1 == PAWN:
                moves += self._pawn_moves(origin, sign)
                continue
            for to in reach(self.board, abs(man) - 1, origin, self.white):
                if self.board[to] * sign <= 0:
                    moves.append(Move(origin, to, 0))
        moves = [move for move in moves if self._is_legal(move)]
        return sorted([*moves, *self._castlings()])

    def _pawn_moves(self, origin, sign):
        """The moves of a pawn, those that leave the king in check among them."""
        destinations = [
            to
            for to in PAWN_STEPS[self.white][origin]
            if self.board[to] * sign < 0 or to == self.passed
        ]
        ahead = origin + 8 * sign
        if not self.board[ahead]:
            destinations.append(ahead)
            if origin // 8 == (1 if self.white else 6) and not self.board[ahead + 8 * sign]:
                destinations.append(ahead + 8 * sign)
        for to in destinations:
            if to // 8 in (0, 7):
                yield from (Move(origin, to, kind) for kind in (KNIGHT, BISHOP, ROOK, QUEEN))
            else:
                yield Move(origin, to, 0)

    def _castlings(self):
        """Castling: nothing stands on the ways of king and rook, nothing attacks the king's."""
        if self.in_check():
            return
        for rook in self.rights:
            if (self.board[rook] > 0) != self.white:
                continue
            move = Move(self.king, rook, 0)
            king_to, rook_to = self.castled(move)
            board = self.board.copy()
            board[self.king] = board[rook] = 0
            way = range(min(self.king, king_to), max(self.king, king_to) + 1)
            rooks_way = range(min(rook, rook_to), max(rook, rook_to) + 1)
            if any(board[square] for square in [*way, *rooks_way]):
                continue
            # The rook guards the way until it moves; then the king may come into view.
            board[rook] = self.board[rook]
            boards = [(board, square) for square in way] + [(self._moved(move), king_to)]
            if not any(attackers(*board, not self.white) for board in boards):
                yield move

    def _moved(self, move):
        """The board after a move."""
        board = self.board.copy()
        man, sign = board[move.origin], 1 if self.white else -1
        if self.is_castling(move):
            king_to, rook_to = self.castled(move)
            rook = board[move.destination]
            board[move.origin] = board[move.destination] = 0
            board[king_to], board[rook_to] = man, rook
            return board
        if abs(man) - 1 == PAWN and move.destination == self.passed:
            board[move.destination - 8 * sign] = 0
        board[move.origin] = 0
        board[move.destination] = (move.promotion + 1) * sign if move.promotion else man
        return board

    def _is_legal(self, move):
        """Whether our king is not attacked after a move that is no castling."""
        king = move.destination if move.origin == self.king else self.king
        return not attackers(self._moved(move), king, not self.white)

    def captures(self, move):
        """Whether the move takes a man."""
        if self.is_castling(move) or move == self.null():
            return False
        passing = abs(self.board[move.origin]) - 1 == PAWN and move.destination == self.passed
        return passing or self.board[move.destination] != 0

    def after(self, move):
        """The position after a candidate, or after the null move."""
        number = self.number + (not self.white)
        if move == self.null():
            if self.in_check():
                raise Damaged("a null move in check")
            return Position(self.board, not self.white, self.rights, None, self.clock + 1, number)
        kind = abs(self.board[move.origin]) - 1
        gone = {move.origin, move.destination}
        if kind == KING:
            gone |= {square for square in self.rights if (self.board[square] > 0) == self.white}
        passed = None
        if kind == PAWN and abs(move.destination - move.origin) == 16:
            passed = (move.origin + move.destination) // 2
        clock = 0 if kind == PAWN or self.captures(move) else self.clock + 1
        board = self._moved(move)
        return Position(board, not self.white, self.rights - gone, passed, clock, number)

    def san(self, move, candidates=None):
        """The move in SAN, with the shortest disambiguation, `+` and `#`; null moves are `--`."""
        if move == self.null():
            return "--"
        after = self.after(move)
        text = self._san(move, self.candidates() if candidates is None else candidates)
        if not after.in_check():
            return text
        return text + ("+" if after.candidates() else "#")

    def _san(self, move, candidates):
        """SAN without `+` and `#`."""
        origin, to, promotion = move
        if self.is_castling(move):
            return "O-O" if to > origin else "O-O-O"
        man = self.board[origin]
        takes = "x" if self.captures(move) else ""
        if abs(man) - 1 == PAWN:
            text = (square_name(origin)[0] if takes else "") + takes + square_name(to)
            return text + ("=" + LETTERS[promotion] if promotion else "")
        same = [other.origin for other in candidates if other.destination == to]
        others = [other for other in same if self.board[other] == man and other != origin]
        which = square_name(origin)
        if not others:
            which = ""
        elif all(other % 8 != origin % 8 for other in others):
            which = which[0]
        elif all(other // 8 != origin // 8 for other in others):
            which = which[1]
        return LETTERS[abs(man) - 1] + which + takes + square_name(to)

    def coordinates(self, move):
        """The move as UCI writes it."""
        if move == self.null():
            return "0000"
        to = move.destination
        if self.is_castling(move) and move.origin % 8 == 4 and to % 8 in (0, 7):
            to = self.castled(move)[0]
        text = square_name(move.origin) + square_name(to)
        return text + (LETTERS[move.promotion].lower() if move.promotion else "")
