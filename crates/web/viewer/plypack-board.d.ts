// The types of the package plypack-board and its element.

/** The detail of the event `plypack-ply`: another position is shown. */
export interface PlyDetail {
  game: string;
  ply: number;
  /** The move that led there, in customary notation; empty at the start. */
  move: string;
  position: string;
}

/** The detail of the event `plypack-open`: another game was opened. */
export interface OpenDetail {
  game: string;
  tags: [string, string][];
  /** Why only part of the game could be read; empty if all of it was. */
  warning: string;
}

/** A position on the way to the one shown. */
export interface PathNode {
  /** The move that led there, in customary notation; empty at the start. */
  text: string;
  /** The same move as squares. */
  coordinates: string;
  position: string;
}

/** What a board shows besides a position; squares as in the coordinates of moves. */
export interface Hints {
  /** Short texts on empty cells, by their squares. */
  labels?: Record<string, string>;
  /** A move, shown as an arrow or a ring. */
  pointed?: string;
}

/** The element `<plypack-board>`. */
export class PlypackBoard extends HTMLElement {
  ply: number;
  readonly game: string;
  readonly position: string;
  readonly path: PathNode[];
  /** Whether the position shown is on the main line. */
  readonly main: boolean;
  hints: Hints;
  readonly pgn: string;
  readonly link: { link: string; bits: number; characters: number };
  openLink(link: string): Promise<boolean>;
  openText(text: string, game?: string): Promise<boolean>;
  play(text: string): void;
  /** Shows the position after these moves, playing those that the game lacks. */
  follow(moves: string[]): void;
  /** Does what a key on the board does; returns whether it does anything. */
  press(key: string): boolean;
  start(): void;
  pause(): void;
  static preload(): Promise<unknown>;
}

declare global {
  interface HTMLElementTagNameMap {
    "plypack-board": PlypackBoard;
  }
  interface HTMLElementEventMap {
    "plypack-open": CustomEvent<OpenDetail>;
    "plypack-ply": CustomEvent<PlyDetail>;
    "plypack-move": CustomEvent<null>;
    "plypack-fault": CustomEvent<string>;
  }
}
