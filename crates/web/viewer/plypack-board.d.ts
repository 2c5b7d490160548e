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

/** The element `<plypack-board>`. */
export class PlypackBoard extends HTMLElement {
  ply: number;
  readonly game: string;
  readonly position: string;
  readonly path: PathNode[];
  readonly pgn: string;
  readonly link: { link: string; bits: number; characters: number };
  openLink(link: string): Promise<boolean>;
  openText(text: string, game?: string): Promise<boolean>;
  play(text: string): void;
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
