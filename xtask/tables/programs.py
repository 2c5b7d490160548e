"""Packs and unpacks the same games with whole programs: plypack's codecs, pgn-extract, SCID.

    python3 programs.py PLYPACK GAMES.pgn [--rounds N] [--before OLD] [--folder FOLDER]

The programs take turns. OLD is another plypack for comparison: its `line.uniform` is measured, too.
Every run is a process of its own, one thread, alone; its time is the least of the rounds, user and
system, including the start. Missing programs are left out: pgn-extract, and tkscid, the interpreter
of SCID, which Debian keeps in /usr/games. What plypack unpacks is compared with the games; the
others do not preserve bytes: pgn-extract reads and rewrites games, SCID imports them into a database
and exports that. The output is a table in Markdown.
"""
import argparse
import filecmp
import os
import resource
import shutil
import subprocess
import sys
import tempfile

CODECS = ["line.index", "line.uniform", "line.fast", "line.small", "line.default"]

IMPORT = """sc_base create [lindex $argv 0]
sc_base import [sc_base current] [lindex $argv 1]
sc_base close [sc_base current]
exit 0
"""

EXPORT = """sc_base open [lindex $argv 0]
sc_base export filter PGN [lindex $argv 1] -append 0
exit 0
"""


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command):
    """Returns the processor time of a command, in seconds."""
    before = processor_time()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return processor_time() - before


def plypack(program, codec, name, games, folder):
    packed, back = (os.path.join(folder, f"{name}-{codec}.{end}") for end in ("parquet", "pgn"))
    options = ["-q", "-f", "-T", "1"]
    pack = [program, "pack", games, "-o", packed, "--codec", codec, *options]
    unpack = [program, "unpack", packed, "-o", back, *options]
    return [(f"{name}, `{codec}`", [pack, unpack], [packed], back)]


def pgn_extract(games, folder):
    program = shutil.which("pgn-extract")
    written = os.path.join(folder, "extract.pgn")
    command = [program, "-s", "-o", written, games]
    return [("pgn-extract, reads and writes", [command], [], None)] if program else []


def scid(games, folder):
    program = shutil.which("tkscid")
    base, written = os.path.join(folder, "base"), os.path.join(folder, "scid.pgn")
    scripts = [os.path.join(folder, name) for name in ("import.tcl", "export.tcl")]
    for script, text in zip(scripts, (IMPORT, EXPORT)):
        with open(script, "w") as file:
            file.write(text)
    parts = [f"{base}.{end}" for end in ("si4", "sg4", "sn4")]
    commands = [[program, scripts[0], base, games], [program, scripts[1], base, written]]
    return [("SCID, imports and exports", commands, parts, None)] if program else []


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plypack")
    parser.add_argument("games")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before")
    parser.add_argument("--folder")
    asked = parser.parse_args()
    os.environ["PATH"] += os.pathsep + "/usr/games"
    with open(asked.games, "rb") as file:
        count = sum(line.startswith(b"[Event ") for line in file)
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        programs = []
        if asked.before:
            programs += plypack(asked.before, "line.uniform", "before", asked.games, folder)
        for codec in CODECS:
            programs += plypack(asked.plypack, codec, "plypack", asked.games, folder)
        programs += pgn_extract(asked.games, folder) + scid(asked.games, folder)
        least = {name: [float("inf")] * len(commands) for name, commands, *_ in programs}
        for _ in range(asked.rounds):
            for name, commands, parts, back in programs:
                if not back:
                    # SCID does not overwrite a database.
                    for part in filter(os.path.exists, parts):
                        os.remove(part)
                for at, command in enumerate(commands):
                    least[name][at] = min(least[name][at], run(command))
                if back and not filecmp.cmp(back, asked.games, shallow=False):
                    sys.exit(f"{name}: the games are not restored")
        print(f"{count} games, {os.path.getsize(asked.games)} bytes\n")
        print("| | bytes | games/s in | games/s out |\n|---|---|---|---|")
        for name, _, parts, _ in programs:
            size = sum(os.path.getsize(part) for part in parts)
            rates = [f"{count / time:,.0f}" for time in least[name]] + [""]
            print(f"| {name} | {size or '':,} | {rates[0]} | {rates[1]} |" if size else
                  f"| {name} | | {rates[0]} | {rates[1]} |")


if __name__ == "__main__":
    main()
