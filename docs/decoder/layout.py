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
    **dict.fromkeys(("indent", "number-width", "second-line"), "[0-9]{1,2}"),
    "result": r"absent|1-0|0-1|1/2-1/2|\*",
    "result-line": "same|own|apart",
    "result-gap": "[0-9]{1,4}",
    "lines": "one|(within|after)-[0-9]{1,9}",
    "trail": "space",
    "renumber": "[cvgba]*",
    "dots": "joined",
    "gaps": "[0sn]{6}",
    "comments": "filled|whole",
    "breaks": "tight",
    **dict.fromkeys(("lead", "gap", "end"), "[nrst]{0,64}"),
}
WHITE_SPACE = {"0": "", "n": "\n", "r": "\r", "s": " ", "t": "\t"}
# The gaps that `gaps` names, in its order, and which of them comes first where two apply (2.2).
GAPS = "before comment", "after comment", "before open", "after close", "after open", "before close"
GAPS_BY_RANK = GAPS[4:] + GAPS[:4]


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
    """The bytes of a record before its patch. Tags are pairs, pieces those of annotations.py."""
    settings = parse(layout)
    newline = "\r\n" if settings.get("newline") == "crlf" else "\n"

    def white_space(key, default):
        letters = settings.get(key)
        return default if letters is None else "".join(map(WHITE_SPACE.get, letters))

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
    """The words of a movetext, as they come, and the length of the last line (2.2, Words)."""

    def __init__(self, settings, newline):
        self.settings, self.newline_text = settings, newline
        self.parts, self.column = [], 0
        self.tight = "breaks" in settings
        kind, _, width = settings.get("lines", "within-80").partition("-")
        self.within = int(width) if kind == "within" else None
        self.after = int(width) if kind == "after" else None
        gaps = [WHITE_SPACE[letter] for letter in settings.get("gaps", "ssss00")]
        self.gaps = dict(zip(GAPS, gaps))
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
            if gap == "\n" or (may_end and not self.fits(len(gap) + len(text))):
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
        after, before = f"after {before}", f"before {kind}"
        return next((self.gaps[name] for name in GAPS_BY_RANK if name in (after, before)), " ")

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
        first = ply.position.white or before in (None, "open")
        holds = {
            "c": before in ("comment", "line comment"),
            "v": before == "close",
            "g": before in ("glyph", "suffix"),
            "b": behind in ("glyph", "suffix"),
            "a": behind == "comment",
        }
        wanted = first or any(holds[letter] for letter in self.renumber)
        return wanted and self.settings.get("numbers") != "absent"

    def move(self, ply, gap, numbered):
        """Writes a move (2.2, A move)."""
        move, first = self.move_text(ply), ply.position.white
        if not numbered and "second-line" in self.settings and not first:
            self.newline()
            return self.put(" " * int(self.settings["second-line"]) + move)
        if not numbered:
            return self.word(move, gap)
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
            return self.word(label + move, gap)
        if numbers == "unbroken":
            return self.word(label + " " + move, gap)
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
            return self.word("{" + text + "}", gap)
        words = [word.removesuffix("\r") for word in re.split("[ \n]", text)]
        if self.tight:
            self.word("{", gap)
            length, gap = len(" ".join(words)), ""
            is_whole = self.settings["comments"] == "whole" and self.within is not None
            if is_whole and length <= self.within and not self.fits(length):
                self.newline()
        else:
            words = ("{" + " ".join(words) + "}").split(" ")
        for word in words:
            self.word(word, gap)
            gap = " "
        if self.tight:
            self.word("}", "")

    def result(self, text, before):
        """Writes the result behind a piece of the kind `before`, None if there is none (2.2)."""
        gap, place = self.gap(before, "result"), self.settings.get("result-line")
        spaces = int(self.settings.get("result-gap", 1))
        if before is None:
            self.put(text)
        elif place in ("own", "apart"):
            self.newline()
            if place == "apart":
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
