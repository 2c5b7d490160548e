"""Runs five queries over the same games with `plypack sql`, python-chess and DuckDB in turn.

    python3 peers.py PLYPACK GAMES.pgn PACKED.parquet PLAIN.parquet [--rounds N] [--json FILE]

GAMES.pgn is the packed input; PLAIN.parquet has the tags as text columns and the moves as text, in
a column `movetext`; `--plain-from-pgn` writes it. Every query is a process of its own, not pinned
and run alone; its time is the least of the rounds, user and system, of all its threads. The answers
of the programs that have one are compared. The output is a table in Markdown.

DuckDB has no rules of chess. It answers the second query for one order of moves only, by the text,
so that transpositions are missing, and the fourth and the fifth with python-chess in a function of
Python.
"""
import argparse
import csv
import io
import json
import os
import subprocess
import sys

# After 1. e4 c5 2. Nf3 d6, in any order of moves.
SICILIAN = "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
FIRST_MOVES = "1. e4 c5 2. Nf3 d6 "
PLY = 40
EARLY_PLY = 20

QUESTIONS = [
    "games and score by opening, White above 2600",
    "who played a position most often, transpositions included",
    "plies by result and year",
    f"men on the board at ply {PLY}, by result",
    f"the most frequent positions after {EARLY_PLY} plies",
]

SCORE = "sum(CASE Result WHEN '1-0' THEN 2 WHEN '1/2-1/2' THEN 1 ELSE 0 END)"

# Answers are rows of whole numbers and texts in total order, so that they can be compared.
PLYPACK = [
    f"select ECO, count(*) as games, {SCORE} as points from 'PACKED' "
    "where WhiteElo > 2600 and ECO is not null group by ECO order by games desc, ECO limit 20",
    "select White, count(*) as games from 'PACKED' "
    f"where reaches(moves, '{SICILIAN}') group by White order by games desc, White limit 20",
    "select Result, extract(year from played_on) as year, count(*) as games, "
    "sum(moves.plies) as plies from 'PACKED' where played_on is not null "
    "group by Result, year order by year, Result",
    f"select Result, material(moves, {PLY}) as material, count(*) as games from 'PACKED' "
    f"where moves.plies >= {PLY} group by Result, material order by games desc, Result, material "
    "limit 20",
    f"select count(*) as games from 'PACKED' where moves.plies >= {EARLY_PLY} "
    f"group by key(moves, {EARLY_PLY}) order by games desc limit 20",
]

TEXT_YEAR = "substr(Date, 1, 4)"
COMPLETE = "regexp_matches(Date, '^[0-9]{4}[.][0-9]{2}[.][0-9]{2}$')"
# The number before the last move gives the count of moves; the words after it, the player.
TEXT_PLIES = "len(list_filter(string_split(movetext, ' '), lambda word: regexp_matches(word, '^[A-Za-z]')))"

DUCKDB = [
    f"select ECO, count(*) as games, {SCORE} as points from 'PLAIN' "
    "where TRY_CAST(WhiteElo AS INTEGER) > 2600 and ECO is not null "
    "group by ECO order by games desc, ECO limit 20",
    "select White, count(*) as games from 'PLAIN' "
    f"where starts_with(movetext, '{FIRST_MOVES}') "
    "group by White order by games desc, White limit 20",
    f"select Result, CAST({TEXT_YEAR} AS INTEGER) as year, count(*) as games, "
    f"CAST(sum({TEXT_PLIES}) AS BIGINT) as plies from 'PLAIN' where {COMPLETE} "
    "group by Result, year order by year, Result",
    f"select Result, material(movetext, {PLY}) as material, count(*) as games from 'PLAIN' "
    "where material is not null group by Result, material order by games desc, Result, material "
    "limit 20",
    f"select count(*) as games from 'PLAIN' where position_after(movetext, {EARLY_PLY}) is not null "
    f"group by position_after(movetext, {EARLY_PLY}) order by games desc limit 20",
]


def worth(board):
    """White's men minus Black's, with a pawn worth 1 and a queen 9."""
    worths = [(1, 1), (2, 3), (3, 3), (4, 5), (5, 9)]
    return sum(
        worth * (len(board.pieces(piece, True)) - len(board.pieces(piece, False)))
        for piece, worth in worths
    )


def shown(rows):
    """Formats rows as both sides print them."""
    return [["" if value is None else str(value) for value in row] for row in rows]


def ranked(counts, most=20):
    """Returns the keys with the largest counts, with these, in a total order."""
    order = sorted(counts.items(), key=lambda item: (-item[1], tuple(map(str, item[0]))))
    return [(*key, count) for key, count in order[:most]]


def by_chess(question, path):
    """Returns the answer of python-chess, which visits moves as it reads them, without a tree."""
    import collections

    import chess
    import chess.pgn

    target = chess.Board(SICILIAN)
    wanted = target.epd()
    counts = collections.Counter()
    points = collections.Counter()
    plies = collections.Counter()

    class Visitor(chess.pgn.BaseVisitor):
        def begin_headers(self):
            self.headers = {}
            self.ply = -1
            self.done = False

        def visit_header(self, name, value):
            self.headers[name] = value

        def end_headers(self):
            if question == 0:
                self.tags()
                return chess.pgn.SKIP
            return None

        def tags(self):
            rating, opening = self.headers.get("WhiteElo", ""), self.headers.get("ECO")
            if rating.isdigit() and int(rating) > 2600 and opening is not None:
                counts[opening,] += 1
                points[opening,] += {"1-0": 2, "1/2-1/2": 1}.get(self.headers.get("Result"), 0)

        def begin_variation(self):
            return chess.pgn.SKIP

        def visit_board(self, board):
            self.ply += 1
            if self.done:
                return
            if question == 1:
                if board.occupied == target.occupied and board.epd() == wanted:
                    self.done = True
                    counts[self.headers.get("White", ""),] += 1
            elif question == 3 and self.ply == PLY:
                self.done = True
                counts[self.headers.get("Result", ""), worth(board)] += 1
            elif question == 4 and self.ply == EARLY_PLY:
                self.done = True
                counts[board.epd(),] += 1

        def result(self):
            date = self.headers.get("Date", "")
            if question == 2 and len(date) == 10 and date.replace(".", "").isdigit():
                group = (self.headers.get("Result", ""), int(date[:4]))
                counts[group] += 1
                plies[group] += self.ply
            return True

    with open(path, encoding="utf-8", errors="replace") as games:
        while chess.pgn.read_game(games, Visitor=Visitor) is not None:
            pass
    if question == 0:
        return [(opening, games, points[opening,]) for opening, games in ranked(counts)]
    if question == 2:
        order = sorted(counts, key=lambda group: (group[1], group[0]))
        return [(*group, counts[group], plies[group]) for group in order]
    if question == 4:
        return [(count,) for _, count in ranked(counts)]
    return ranked(counts)


def board_at(movetext, ply):
    """Returns the board after this many plies of a text, or None if there are fewer."""
    import chess

    board = chess.Board()
    if ply == 0:
        return board
    for word in movetext.split():
        if word[0].isalpha():
            board.push_san(word)
            if len(board.move_stack) == ply:
                return board
    return None


def by_duckdb(question, path):
    """Returns DuckDB's answer, from text columns; chess comes from functions of Python."""
    import duckdb

    def material(movetext: str, ply: int) -> int:
        board = board_at(movetext, ply)
        return None if board is None else worth(board)

    def position_after(movetext: str, ply: int) -> str:
        board = board_at(movetext, ply)
        return None if board is None else board.epd()

    connection = duckdb.connect()
    if question >= 3:
        nulls = {"null_handling": "special", "exception_handling": "default"}
        connection.create_function("material", material, **nulls)
        connection.create_function("position_after", position_after, **nulls)
    return connection.execute(DUCKDB[question].replace("PLAIN", path)).fetchall()


def by_plypack(question, plypack, path):
    """Returns the answer of `plypack sql`."""
    query = PLYPACK[question].replace("PACKED", path)
    command = [plypack, "sql", query, "--format", "csv"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.reader(io.StringIO(text)))[1:]


def plain_from_pgn(pgn, output):
    """Writes the tags and the moves of a PGN as text columns, as one would without plypack."""
    import chess.pgn
    import pyarrow
    import pyarrow.parquet

    names = ["Event", "Site", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO"]
    columns = {name: [] for name in [*names, "movetext"]}
    with open(pgn, encoding="utf-8", errors="replace") as games:
        while (game := chess.pgn.read_game(games)) is not None:
            for name in names:
                columns[name].append(game.headers.get(name))
            exporter = chess.pgn.StringExporter(
                columns=None, headers=False, comments=False, variations=False
            )
            columns["movetext"].append(game.accept(exporter))
    pyarrow.parquet.write_table(pyarrow.table(columns), output, compression="zstd")


def seconds(command):
    """Returns the output of a command, and its processor time in seconds."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:3])} ..: {done.stderr[-2000:]}")
    used = after.children_user + after.children_system
    return json.loads(done.stdout), used - before.children_user - before.children_system


def measure(options):
    """Runs all queries with all programs in turn; returns the answer and least time of each."""
    programs = {
        "plypack": options.packed,
        "python-chess": options.games,
        "DuckDB": options.plain,
    }
    answers, least = {}, {}
    for around in range(options.rounds):
        for question in range(len(QUESTIONS)):
            for program, path in programs.items():
                if around > 0 and least[program, question] > options.slow:
                    continue
                ask = ["--ask", program, str(question), path]
                files = [options.plypack, options.games, options.packed, options.plain]
                found, used = seconds([sys.executable, __file__, *files, *ask])
                answers[program, question] = found
                before = least.get((program, question), used)
                least[program, question] = min(before, used)
                print(f"{program}, {QUESTIONS[question]}: {used:.2f} s", file=sys.stderr)
    return programs, answers, least


def compare(answers):
    """Fails where answers to the same query differ; reports what DuckDB's text search misses."""
    for question, text in enumerate(QUESTIONS):
        ours, theirs = answers["plypack", question], answers["python-chess", question]
        assert ours == theirs, f"{text}: {ours} is not {theirs}"
        if question != 1:
            other = answers["DuckDB", question]
            assert other == theirs, f"{text}: {other} is not {theirs}"
    games = [sum(int(row[1]) for row in answers[who, 1]) for who in ["plypack", "DuckDB"]]
    print(f"of the first 20 players' games, a search for `{FIRST_MOVES.strip()}` finds {games[1]} "
          f"of {games[0]}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    for name in ["plypack", "games", "packed", "plain"]:
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slow", type=float, default=120, help="slower queries are run once")
    parser.add_argument("--json", help="the file for answers and times")
    parser.add_argument("--plain-from-pgn", action="store_true")
    parser.add_argument("--ask", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        program, question, path = options.ask
        question = int(question)
        if program == "plypack":
            found = by_plypack(question, options.plypack, path)
        else:
            found = {"python-chess": by_chess, "DuckDB": by_duckdb}[program](question, path)
        print(json.dumps(shown(found)))
        return
    if options.plain_from_pgn:
        plain_from_pgn(options.games, options.plain)
    programs, answers, least = measure(options)
    if options.json:
        kept = [[*key, answers[key], least[key]] for key in least]
        with open(options.json, "w") as file:
            json.dump(kept, file, indent=1)
    compare(answers)
    print(f"| processor seconds | {' | '.join(programs)} |")
    print(f"|---|{'---|' * len(programs)}")
    for question, text in enumerate(QUESTIONS):
        times = " | ".join(f"{least[program, question]:.2f}" for program in programs)
        print(f"| {text} | {times} |")


main()
