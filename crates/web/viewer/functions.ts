// The functions of a compiled core, with its objects copied out of its memory.

import type * as glue from "glue";

/** The result of a move: a node of a game's tree. */
export interface Node {
  parent: number;
  children: number[];
  /** The move that led here, in customary notation; empty for the start. */
  text: string;
  /** The same move as squares. */
  coordinates: string;
  position: string;
  glyph: string;
  comment: string;
  clock: string;
  evaluation: string;
}

/** An opened game. */
export interface Game {
  game: string;
  tags: [string, string][];
  nodes: Node[];
  shown: number;
  result: string;
  warning: string;
}

/** A candidate at a position. */
export interface Candidate {
  text: string;
  coordinates: string;
}

/** The functions of the core. Failures throw errors with a message for people. */
export interface Core {
  openLink(link: string): Game;
  openText(text: string, game?: string): Game;
  candidates(game: string, position: string): Candidate[];
  play(game: string, position: string, text: string): Node;
  writeLink(
    game: string,
    start: string | undefined,
    moves: string[],
    shown: number,
  ): { link: string; bits: number; characters: number };
  writePgn(
    game: string,
    tags: [string, string][],
    start: string | undefined,
    kinds: string,
    pieces: string[],
    result: string,
  ): string;
}

/** What a compiled core must export for a board. */
type Compiled = Pick<typeof glue,
  "open_link" | "open_text" | "candidates" | "play" | "write_link" | "write_pgn">;

/** The functions of a core that was started. */
export function functionsOf(core: Compiled): Core {
  return {
    openLink: (link) => plain(core.open_link(link)),
    openText: (text, game) => plain(core.open_text(text, game)),
    candidates: (game, position) => {
      const { moves, coordinates } = core.candidates(game, position);
      return moves.map((text, at) => ({ text, coordinates: coordinates[at] }));
    },
    play: (game, position, text) => {
      const played = core.play(game, position, text);
      return {
        ...BARE,
        parent: 0,
        children: [],
        text: played.text,
        coordinates: played.coordinates,
        position: played.position,
      };
    },
    writeLink: (game, from, moves, shown) => {
      const { link, bits, characters } = core.write_link(game, from, moves, shown);
      return { link, bits, characters };
    },
    writePgn: (game, tags, from, kinds, pieces, result) =>
      core.write_pgn(game, tags.flat(), from, kinds, pieces, result),
  };
}

const BARE = { glyph: "", comment: "", clock: "", evaluation: "" };

/** Copies an opened game out of the core's memory. */
function plain(opened: glue.Opened): Game {
  const { game, tags, shown, result, warning } = opened;
  const { parents, moves, coordinates, positions, glyphs, comments, clocks, evaluations } =
    opened.nodes;
  const nodes = moves.map((text, at): Node => ({
    parent: parents[at],
    children: [],
    text,
    coordinates: coordinates[at],
    position: positions[at],
    glyph: glyphs[at],
    comment: comments[at],
    clock: clocks[at],
    evaluation: evaluations[at],
  }));
  nodes.forEach((node, at) => at > 0 && nodes[node.parent].children.push(at));
  const pairs = tags.filter((_, at) => at % 2 === 0);
  return {
    game,
    tags: pairs.map((name, at) => [name, tags[2 * at + 1]]),
    nodes,
    shown,
    result,
    warning,
  };
}
