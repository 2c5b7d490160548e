// The game shown: the current node of its tree, and added moves.

import type { Core, Game, Node } from "./functions";
import { gridOf, lookOf, placeOf, squaresOf } from "./games";

/** The properties of SGF for tags that it names otherwise. */
const PROPERTIES: Record<string, string> = {
  Black: "PB", White: "PW", Date: "DT", Event: "EV", Result: "RE", Komi: "KM", Handicap: "HA",
};

/** A tree of positions and the current node. */
export class Line {
  /** The number of the node shown. */
  at = 0;

  constructor(
    readonly core: Core,
    readonly game: Game,
  ) {
    this.at = game.shown;
  }

  get nodes(): Node[] {
    return this.game.nodes;
  }

  get here(): Node {
    return this.nodes[this.at];
  }

  /** Plies from the start to a node. */
  ply(node = this.at): number {
    return this.path(node).length;
  }

  /** The nodes from the first move to a node. */
  path(node = this.at): number[] {
    const path: number[] = [];
    for (let at = node; at > 0; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /** The nodes after a node, along the first move at each. */
  rest(node = this.at): number[] {
    const rest: number[] = [];
    for (let [next] = this.nodes[node].children; next; [next] = this.nodes[next].children) {
      rest.push(next);
    }
    return rest;
  }

  /** The node after this many plies of the main line. */
  atPly(ply: number): number {
    return ply <= 0 ? 0 : (this.rest(0)[ply - 1] ?? this.rest(0).at(-1) ?? 0);
  }

  /** A node's next or previous alternative. */
  beside(step: number): number {
    const choices = this.nodes[this.here.parent].children;
    const at = choices.indexOf(this.at);
    return this.at && choices[at + step] ? choices[at + step] : this.at;
  }

  /** Plays a move, in any notation, at the current node. Throws if it is not legal. */
  play(text: string): void {
    const played = this.core.play(this.game.game, this.here.position, text);
    const known = this.here.children.find(
      (child) => this.nodes[child].coordinates === played.coordinates,
    );
    if (known) {
      this.at = known;
      return;
    }
    this.nodes.push({ ...played, parent: this.at });
    this.here.children.push(this.nodes.length - 1);
    this.at = this.nodes.length - 1;
  }

  /** The start, if it is not the usual one. */
  get start(): string | undefined {
    const usual = this.core.openText("", this.game.game).nodes[0].position;
    return this.nodes[0].position === usual ? undefined : this.nodes[0].position;
  }

  /** A link to the line through the current node, shown there, and its size. */
  link(): { link: string; bits: number; characters: number } {
    const path = [...this.path(), ...this.rest()];
    const moves = path.map((node) => this.nodes[node].coordinates);
    return this.core.writeLink(this.game.game, this.start, moves, this.ply());
  }

  /** A game of go as SGF, with variations and comments. */
  sgf(): string {
    const look = lookOf("go");
    const grid = gridOf(look, this.nodes[0].position);
    const point = (place: number) =>
      String.fromCharCode(97 + (place % grid.width), 97 + Math.floor(place / grid.width));
    // Texts of SGF keep their escapes.
    const property = (name: string, value: string) =>
      value && `${name}[${value.replace(/\\?]/g, "\\]")}]`;
    const stones = (name: string, man: string) => {
      const points = grid.cells.flatMap((cell, place) => (cell === man ? `[${point(place)}]` : []));
      return points.length ? name + points.join("") : "";
    };
    const node = (at: number): string => {
      const { coordinates, comment, parent } = this.nodes[at];
      const black = this.nodes[parent].position.split(" ")[1] === "x";
      const colour = coordinates[1] === "[" ? coordinates[0].toUpperCase() : black ? "B" : "W";
      const [square] = squaresOf(coordinates);
      return `;${colour}[${square ? point(placeOf(look, grid, square)) : ""}]${property("C", comment)}`;
    };
    const line = (from: number): string => {
      let text = "";
      let { children } = this.nodes[from];
      for (; children.length === 1; { children } = this.nodes[children[0]]) text += node(children[0]);
      return text + children.map((child) => `(${node(child)}${line(child)})`).join("");
    };
    const tags = this.game.tags.map(([name, value]) =>
      PROPERTIES[name] ? property(PROPERTIES[name], value) : "");
    return `(;GM[1]FF[4]CA[UTF-8]SZ[${grid.width}]${tags.join("")}${stones("AB", "x")}\
${stones("AW", "o")}${property("C", this.nodes[0].comment)}${line(0)})\n`;
  }

  /** The whole game as PGN, with variations and comments. */
  pgn(): string {
    const kinds: string[] = [];
    const pieces: string[] = [];
    const write = (kind: string, piece: string) => {
      if (piece) {
        kinds.push(kind);
        pieces.push(piece);
      }
    };
    const move = (node: number) => {
      const { text, glyph, comment, clock, evaluation } = this.nodes[node];
      write("m", text);
      for (const one of glyph.split(" ")) write(one.startsWith("$") ? "g" : "s", one);
      const values = [evaluation && `[%eval ${evaluation}]`, clock && `[%clk ${clock}]`];
      const said = [...values, comment].filter(Boolean).join(" ");
      write("c", said && ` ${said} `);
    };
    // A loop along each line, so that long games do not overflow the stack.
    const line = (from: number) => {
      for (let choices = this.nodes[from].children; choices.length; ) {
        const [first, ...others] = choices;
        move(first);
        for (const other of others) {
          write("(", "(");
          move(other);
          line(other);
          write(")", ")");
        }
        choices = this.nodes[first].children;
      }
    };
    if (this.nodes[0].comment) write("c", ` ${this.nodes[0].comment} `);
    line(0);
    const { game, tags, result } = this.game;
    return this.core.writePgn(game, tags, this.start, kinds.join(""), pieces, result);
  }
}
