"""The rules of chess: candidates in their order, SAN, FEN (crates/games/src/chess/SPEC.md).

Squares are numbered from a1 to h8 as there. A man is his kind plus 1, negative if he is Black's; a
move is an origin, a destination and the kind of a new man, 0 if none. Castling is the king taking
his own rook, a null move (FORMAT.md, 1.12) the king's move from his square to his square.
"""

from collections import namedtuple

from arithmetic import Damaged

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
LETTERS = "PNBRQK"
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

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
            for from_ in ray:
                if man := board[from_]:
                    if man * sign in (kind + 1, QUEEN + 1):
                        found.append(from_)
                    break
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
        fields = text.split()
        if len(fields) < 4:
            raise Damaged(f"no FEN: {text}")
        ranks = fields[0].split("/")
        board = [0] * 64
        for rank, men in zip(range(7, -1, -1), ranks):
            file = 0
            for letter in men:
                if letter in "12345678":
                    file += int(letter)
                elif letter.upper() in LETTERS and file < 8:
                    man = LETTERS.index(letter.upper()) + 1
                    board[8 * rank + file] = man if letter.isupper() else -man
                    file += 1
                else:
                    raise Damaged(f"no FEN: {text}")
        if len(ranks) != 8 or board.count(KING + 1) != 1 or board.count(-KING - 1) != 1:
            raise Damaged(f"no FEN of a position with two kings: {text}")
        rights = frozenset(cls._rook(board, letter) for letter in fields[2] if letter != "-")
        white = fields[1] == "w"
        passed = None
        if fields[3] != "-":
            behind = [s for s in range(64) if square_name(s) == fields[3] and s // 8 in (2, 5)]
            pawn = behind[0] + (-8 if white else 8) if behind else 0
            if board[pawn] != (-1 if white else 1):
                raise Damaged(f"no pawn was pushed past {fields[3]}")
            passed = behind[0]
        clock, number = (fields[4], fields[5]) if len(fields) > 5 else ("0", "1")
        if not (clock.isdecimal() and number.isdecimal()):
            raise Damaged(f"no FEN: {text}")
        return cls(board, white, rights, passed, int(clock), int(number))

    @staticmethod
    def _rook(board, letter):
        """The square of the rook that a letter of the castling rights names."""
        first = 0 if letter.isupper() else 56
        man = ROOK + 1 if letter.isupper() else -ROOK - 1
        rooks = [square for square in range(first, first + 8) if board[square] == man]
        if letter in "Qq" and rooks:
            return rooks[0]
        if letter in "Kk" and rooks:
            return rooks[-1]
        for square in rooks:
            if square % 8 == "ABCDEFGH".find(letter.upper()):
                return square
        raise Damaged(f"no rook for the right to castle {letter}")

    def fen(self):
        """The position's text in canonical spelling."""
        ranks = []
        for rank in range(7, -1, -1):
            row = "".join(
                "." if man == 0 else LETTERS[man - 1] if man > 0 else LETTERS[-man - 1].lower()
                for man in self.board[8 * rank : 8 * rank + 8]
            )
            for count in range(8, 0, -1):
                row = row.replace("." * count, str(count))
            ranks.append(row)
        passed = "-" if self.passed is None else square_name(self.passed)
        return (
            f"{'/'.join(ranks)} {'w' if self.white else 'b'} {self._castling()} {passed} "
            f"{self.clock} {self.number}"
        )

    def _castling(self):
        """The rights in FEN: KQkq, or a rook's file where another rook stands further out."""
        letters = ""
        for white in (True, False):
            rooks = [square for square in self.rights if (self.board[square] > 0) == white]
            for square in sorted(rooks, reverse=True):
                king = self.board.index(KING + 1 if white else -KING - 1)
                letter = "K" if square > king else "Q"
                if self._rook(self.board, letter if white else letter.lower()) != square:
                    letter = "ABCDEFGH"[square % 8]
                letters += letter if white else letter.lower()
        return letters or "-"

    def in_check(self):
        """Whether the side to move is in check."""
        return bool(attackers(self.board, self.king, not self.white))

    def is_castling(self, move):
        """Whether the move is the king taking a rook of his own."""
        return move.origin == self.king and move.destination in self.rights

    def null(self):
        """The null move."""
        return Move(self.king, self.king, 0)

    def castled(self, move):
        """The new squares of king and rook."""
        right = move.destination > move.origin
        first = move.origin // 8 * 8
        return (first + 6, first + 5) if right else (first + 2, first + 3)

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
        """Castling: nothing stands where king and rook go, and no square of the king's is attacked."""
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
            # Behind his rook the king may come into view, where it stood between.
            after = self._moved(move)
            if attackers(after, king_to, not self.white):
                continue
            board[rook] = self.board[rook]
            if not any(attackers(board, square, not self.white) for square in way):
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
        others = [
            other.origin
            for other in candidates
            if other.destination == to
            and other.origin != origin
            and self.board[other.origin] == man
            and not self.is_castling(other)
        ]
        which = ""
        if others:
            if all(other % 8 != origin % 8 for other in others):
                which = square_name(origin)[0]
            elif all(other // 8 != origin // 8 for other in others):
                which = square_name(origin)[1]
            else:
                which = square_name(origin)
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
