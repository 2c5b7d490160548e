// Unpacks and starts the compiled core. This file is built twice: with the core for chess alone,
// with which a page begins, and with the core for every game, which is loaded when needed.

import * as glue from "glue";
import holes from "holes";
import packed from "packed";
import { unpack } from "./lzma";

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

/** Unpacks and starts the core. */
export async function start(): Promise<Core> {
  const letters = atob(packed());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const { memory } = await glue.default({ module_or_path: unpack(bytes) });
  const table = glue.sliding_moves();
  for (const at of holes) new BigUint64Array(memory.buffer, at, table.length).set(table);
  return {
    openLink: (link) => plain(glue.open_link(link)),
    openText: (text, game) => plain(glue.open_text(text, game)),
    candidates: (game, position) => {
      const { moves, coordinates } = glue.candidates(game, position);
      return moves.map((text, at) => ({ text, coordinates: coordinates[at] }));
    },
    play: (game, position, text) => {
      const played = glue.play(game, position, text);
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
      const { link, bits, characters } = glue.write_link(game, from, moves, shown);
      return { link, bits, characters };
    },
    writePgn: (game, tags, from, kinds, pieces, result) =>
      glue.write_pgn(game, tags.flat(), from, kinds, pieces, result),
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
