"""Writing a record out as its layout says: the part of docs/FORMAT.md, 2.2, that is about `pgn`."""

import re

from arithmetic import Bytes, Unsupported

# Keys and what their values look like. Those that this decoder does not write are missing.
KEYS = {
    "newline": "crlf",
    "charset": "latin-1|utf-16le|utf-16be",
    "moves": "mate-as-check|unmarked|coordinates",
    "null": "Z0|null|pass|@@@@",
    "numbers": "unbroken|joined|absent",
    "indent": r"\d{1,2}",
    "number-width": r"\d{1,2}",
    "second-line": r"\d{1,2}",
    "result": r"absent|1-0|0-1|1/2-1/2|\*",
    "result-line": "same|own|apart",
    "result-gap": r"\d{1,4}",
    "lines": r"one|(within|after)-\d{1,9}",
    "trail": "space",
    "renumber": "[cvgba]*",
    "dots": "joined",
    "gaps": "[0sn]{6}",
    "comments": "filled|whole",
    "breaks": "tight",
    "lead": "[nrst]{0,64}",
    "gap": "[nrst]{0,64}",
    "end": "[nrst]{0,64}",
}

WHITE_SPACE = {"n": "\n", "r": "\r", "s": " ", "t": "\t"}
GAPS = {"0": "", "s": " ", "n": "\n"}


def parse(layout):
    """The keys and values of a layout."""
    first, *words = layout.split(" ")
    if first != "pgn":
        raise Unsupported(f"layouts of {first} are not read here (docs/FORMAT.md, 2.2)")
    settings = {}
    for word in words:
        key, _, value = word.partition("=")
        if not re.fullmatch(KEYS.get(key, "(?!)"), value):
            raise Unsupported(f"{word} in a layout is not read here (docs/FORMAT.md, 2.2)")
        settings[key] = value
    return settings


def record(layout, tags, pieces):
    """The bytes of a record, before its patch: tags are pairs, pieces as annotations.py makes them."""
    settings = parse(layout)
    newline = "\r\n" if settings.get("newline") == "crlf" else "\n"

    def white_space(key, default):
        return "".join(WHITE_SPACE[letter] for letter in settings[key]) if key in settings else default

    def escaped(value):
        return value.replace("\\", "\\\\").replace('"', '\\"')

    result = settings.get("result", dict(tags).get("Result", "absent"))
    movetext = Movetext(settings, newline)
    movetext.write(pieces, None if result == "absent" else result)
    text = white_space("lead", "")
    text += newline.join(f'[{name} "{escaped(value)}"]' for name, value in tags)
    text += white_space("gap", 2 * newline) + "".join(movetext.parts)
    text += white_space("end", 2 * newline)
    return text.encode(settings.get("charset", "utf-8"))


class Movetext:
    """The words of a movetext, as they come, and the length of the last line so far (2.2, Words)."""

    def __init__(self, settings, newline):
        self.settings, self.newline_text = settings, newline
        self.parts, self.column = [], 0
        self.tight = "breaks" in settings
        kind, _, width = settings.get("lines", "within-80").partition("-")
        self.within = int(width) if kind == "within" else None
        self.after = int(width) if kind == "after" else None
        names = ("before comment", "after comment", "before open", "after close", "after open")
        gaps = settings.get("gaps", "ssss00")
        self.gaps = {name: GAPS[gap] for name, gap in zip((*names, "before close"), gaps)}
        self.renumber = settings.get("renumber", "cv")

    def put(self, text):
        """`put` of 2.2."""
        self.parts.append(text)
        _, newline, last = text.rpartition("\n")
        self.column = len(last) if newline else self.column + len(text)

    def newline(self):
        """`newline` of 2.2."""
        self.parts.append((" " if "trail" in self.settings else "") + self.newline_text)
        self.column = 0

    def word(self, text, gap):
        """`word` of 2.2."""
        if self.column > 0:
            may_end = gap == " " or self.tight
            if gap == "\n":
                self.newline()
            elif may_end and not self.fits(len(gap) + len(text)):
                self.newline()
            elif gap == " ":
                self.put(" ")
        self.put(text)

    def fits(self, characters):
        """Whether so many characters have room on the line."""
        return self.within is None or self.column + characters <= self.within

    def gap(self, before, kind):
        """The gap before a piece of a kind, behind one of the kind `before` (2.2, Pieces)."""
        if before is None or kind == "suffix":
            return ""
        if before == "line comment" and kind != "result":
            return "\n"
        rules = [
            (before == "open", "after open"),
            (kind == "close", "before close"),
            (kind == "comment", "before comment"),
            (before == "comment", "after comment"),
            (kind == "open", "before open"),
            (before == "close", "after close"),
        ]
        return next((self.gaps[name] for holds, name in rules if holds), " ")

    def write(self, pieces, result):
        """Writes the pieces, and the result unless it is None."""
        kinds = [None] + [piece.kind for piece in pieces] + [None]
        for piece, before, behind in zip(pieces, kinds, kinds[2:]):
            gap = self.gap(before, piece.kind)
            if piece.kind == "move":
                self.move(piece.ply, gap, self.is_numbered(piece.ply, before, behind))
            elif piece.kind == "suffix":
                self.put(piece.text)
            elif piece.kind == "comment":
                self.comment(piece.text, gap)
            else:
                self.word(piece.text, gap)
        if result is not None:
            self.result(result, kinds[-2])

    def is_numbered(self, ply, before, behind):
        """Whether a move has a number, given the kinds of the pieces right before and behind it."""
        if self.settings.get("numbers") == "absent":
            return False
        marks = ("glyph", "suffix")
        holds = {
            "c": before in ("comment", "line comment"),
            "v": before == "close",
            "g": before in marks,
            "b": behind in marks,
            "a": behind == "comment",
        }
        if ply.position.white or before in (None, "open"):
            return True
        return any(holds[letter] for letter in self.renumber)

    def move(self, ply, gap, numbered):
        """Writes a move (2.2, A move)."""
        move, first = self.move_text(ply), ply.position.white
        if not numbered:
            if "second-line" in self.settings and not first:
                self.newline()
                self.put(" " * int(self.settings["second-line"]))
                self.put(move)
            else:
                self.word(move, gap)
            return
        if self.after is not None and self.column >= self.after:
            self.newline()
        label = str(ply.position.number)
        if first:
            label = label.rjust(int(self.settings.get("number-width", 0)))
            label = " " * int(self.settings.get("indent", 0)) + label + "."
        else:
            label += "..."
        numbers = self.settings.get("numbers")
        if numbers == "joined" or (not first and "dots" in self.settings):
            self.word(label + move, gap)
        elif numbers == "unbroken":
            self.word(label + " " + move, gap)
        else:
            self.word(label, gap)
            self.word(move, " ")

    def move_text(self, ply):
        """The text of a move: the key `moves`, and `null` of null moves."""
        position, candidates, move = ply
        style = self.settings.get("moves")
        if move == position.null():
            return self.settings.get("null", "--")
        if style == "coordinates":
            return position.coordinates(move)
        text = position.san(move, candidates)
        if style == "mate-as-check":
            return text.replace("#", "+")
        return text.rstrip("+#") if style == "unmarked" else text

    def comment(self, text, gap):
        """Writes a comment in braces (2.2, A comment)."""
        if "comments" not in self.settings:
            self.word("{" + text + "}", gap)
            return
        words = [word.removesuffix("\r") for word in re.split("[ \n]", text)]
        if self.tight:
            self.word("{", gap)
            length = sum(map(len, words)) + len(words) - 1
            if self.settings["comments"] == "whole" and self.within is not None:
                if length <= self.within and not self.fits(length):
                    self.newline()
            self.word(words[0], "")
            for word in words[1:]:
                self.word(word, " ")
            self.word("}", "")
            return
        words[0] = "{" + words[0]
        words[-1] += "}"
        for word, before in zip(words, [gap] + [" "] * len(words)):
            self.word(word, before)

    def result(self, text, before):
        """Writes the result behind a piece of the kind `before`, None if there is none (2.2)."""
        gap, place = self.gap(before, "result"), self.settings.get("result-line")
        spaces = int(self.settings.get("result-gap", 1))
        if before is None:
            self.put(text)
        elif place in ("own", "apart"):
            for _ in range(1 if place == "own" else 2):
                self.newline()
            self.put(text)
        elif place == "same" or (gap == " " and self.fits(spaces + len(text))):
            self.put(" " * spaces + text)
        else:
            self.word(text, gap)


def patched(data, patch):
    """Applies a patch (2.6)."""
    old, places, new = Bytes(data), Bytes(patch), []
    while places.at < len(patch):
        keep, drop, insert = places.number(), places.number(), places.number()
        new.append(old.take(keep))
        old.take(drop)
        new.append(places.take(insert))
    return b"".join(new) + old.rest()
