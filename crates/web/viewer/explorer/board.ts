// The board of a view. Its script, which has the rules of chess, is loaded with the first board.

import { movesOf } from "./address";
import type { Desk } from "./desk";
import { script } from "./elements";
import type { PlypackBoard } from "../plypack-board";
import type { Place } from "./source";

/**
 * Creates a board in `holder`, at the usual start of the database's game. With `turns`, turning it
 * turns every board.
 */
export async function boardIn(holder: HTMLElement, desk: Desk, turns = true): Promise<PlypackBoard> {
  const { game } = desk.about;
  // A page that reads a file itself has the element already.
  if (!customElements.get("plypack-board")) await script("plypack-board.js");
  const board = document.createElement("plypack-board");
  board.setAttribute("game", game);
  board.setAttribute("base", new URL("index.html", location.href.replace(/[?#].*$/, "")).href);
  const opened = new Promise((resolve) => {
    board.addEventListener("plypack-open", resolve, { once: true });
    board.addEventListener("plypack-fault", resolve, { once: true });
  });
  holder.replaceChildren(board);
  await opened;
  const turned = () => {
    const second = board.getAttribute("orientation") === "second";
    if (second !== desk.flipped) desk.flip();
  };
  if (turns) new MutationObserver(turned).observe(board, { attributeFilter: ["orientation"] });
  return board;
}

/** The address of an analysis board of lichess.org with a position of chess. */
export function analysisOf(position: string): string {
  return `https://lichess.org/analysis/standard/${encodeURI(position.replaceAll(" ", "_"))}`;
}

/** The part of a record that a board reads: of a game of WTHOR, after its numbers, the transcript. */
export function movesIn(record: string): string {
  return /^\s*(?:\d+\t)+([a-h][1-8])*\s*$/i.test(record) ? record.slice(record.lastIndexOf("\t") + 1) : record;
}

/** The moves from the start to the position on a board, as coordinates. */
export function movesOn(board: PlypackBoard): string[] {
  return board.path.slice(1).map(({ coordinates }) => coordinates);
}

/** A position and the moves to it, as a text for a board. */
export function textOf(place: Place): string {
  const moves = movesOf(place).join(" ");
  if (!place.fen) return moves;
  const start = place.fen.replace(/["\\\n]/g, "");
  return `[SetUp "1"]\n[FEN "${start}"]\n\n${moves} *`;
}
