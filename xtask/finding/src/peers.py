"""Counts the games of a PGN that reach a position, the fastest way that python-chess offers.

Moves are visited as they are read, without a tree of the game. The board is compared first, and
only then the other facts that decide which moves may follow.

    python3 peers.py GAMES.pgn FEN [--player NAME] [--white-above RATING]
"""
import argparse

import chess
import chess.pgn

parser = argparse.ArgumentParser()
parser.add_argument("games")
parser.add_argument("fen")
parser.add_argument("--player")
parser.add_argument("--white-above", type=int)
options = parser.parse_args()
target = chess.Board(options.fen)
wanted = target.epd()


class Reaches(chess.pgn.BaseVisitor):
    def begin_headers(self):
        self.reached = False
        self.headers = {}

    def visit_header(self, name, value):
        self.headers[name] = value

    def end_headers(self):
        players = (self.headers.get("White"), self.headers.get("Black"))
        if options.player is not None and options.player not in players:
            return chess.pgn.SKIP
        if options.white_above is not None:
            rating = self.headers.get("WhiteElo", "")
            if not rating.isdigit() or int(rating) <= options.white_above:
                return chess.pgn.SKIP
        return None

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        if board.occupied == target.occupied and board.epd() == wanted:
            self.reached = True

    def result(self):
        return self.reached


found = 0
with open(options.games, encoding="latin-1") as games:
    while (reached := chess.pgn.read_game(games, Visitor=Reaches)) is not None:
        found += reached
print(found)
