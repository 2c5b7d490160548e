"""Queries the API of the explorer with an independent client library: berserk, the client for
lichess.org's API. The arguments are the program and a file of games; the answers are compared with
those of `plypack tree`."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import berserk


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, not {expected!r}")


def main(program, games):
    folder = tempfile.TemporaryDirectory()
    packed = str(Path(folder.name) / "games.parquet")
    run(program, "pack", "-q", "--index", games, "-o", packed)
    server = subprocess.Popen([program, "serve", "--no-open", packed], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().rsplit("/", 1)[0]
        explorer = berserk.Client(explorer_url=address).opening_explorer
        ask(explorer, program, packed)
    finally:
        server.terminate()
        check("the server's end", server.wait(timeout=5), 0)
    print("berserk: the explorer's API agrees with `plypack tree`")


def ask(explorer, program, packed):
    lines = run(program, "tree", "-q", "--json", packed, "--moves", "e4 e5")
    tree = [json.loads(line) for line in lines.splitlines()]
    played = {
        move["coordinates"]: (move["move"], move["white"], move["draws"], move["black"]) for move in tree
    }
    every = {"speeds": ["blitz", "classical"], "ratings": ["0", "2500"], "history": True}
    for answer in [
        explorer.get_lichess_games(play=["e2e4", "e7e5"], moves=99, top_games=2, recent_games=2),
        explorer.get_lichess_games(play=["e2e4", "e7e5"], moves=99, **every),
        explorer.get_masters_games(play=["e2e4", "e7e5"], moves=99, top_games=3),
        explorer.get_masters_games(
            position="rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", moves=99
        ),
    ]:
        found = {
            move["uci"]: (move["san"], move["white"], move["draws"], move["black"])
            for move in answer["moves"]
        }
        check("moves", found, played)
        check("the opening", answer["opening"]["eco"], "C20")
    lichess = explorer.get_lichess_games(play=["e2e4"], recent_games=2, top_games=1)
    check("recent games", [len(lichess["recentGames"]), len(lichess["topGames"])], [2, 1])
    game = lichess["recentGames"][0]
    check("the newest year", game["year"], max(move["last_year"] for move in tree))
    pgn = explorer._r.get(f"/masters/pgn/{game['id']}", fmt=berserk.formats.PGN)
    check("the game's White", f'[White "{game["white"]["name"]}"]' in pgn, True)
    player = explorer.get_player_games(player="carlsen,m", color="white", play=["e2e4"])
    listed = run(
        program, "find", "-q", "--json", packed, "--moves", "e4", "--where", "White ilike 'carlsen,m'"
    )
    total = player["white"] + player["draws"] + player["black"]
    check("a player's games", total, len(listed.splitlines()))
    months = explorer.get_lichess_games(history=True)["history"]
    check("the months are in order", [m["month"] for m in months], sorted(m["month"] for m in months))


if __name__ == "__main__":
    main(*sys.argv[1:])
