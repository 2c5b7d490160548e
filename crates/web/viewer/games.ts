// The looks of each game, one row per game.

import { CHESS_PIECES } from "./chess_pieces";
import { XIANGQI_PIECES } from "./xiangqi_pieces";

/** A row: how the positions of a game, which are texts, are drawn. */
export interface Look {
  name: string;
  title: string;
  /** The sizes of its boards, columns and rows, the usual one first. */
  sizes: [number, number][];
  /** Whether men are on cells or on the points where lines cross. */
  points: boolean;
  /** Cells in a row, if the text of a position does not separate rows. */
  width?: number;
  /** The number of the lowest row on the board, and whether numbers grow upwards. */
  lowest: number;
  upwards: boolean;
  /** The letters of columns, if not the alphabet. */
  letters?: string;
  /** The drawing behind the men, if not a plain board. */
  ground: "chequered" | "river" | "green" | "stars" | "hash";
  /** The side to move, by the second word of a position. */
  players: Record<string, string>;
  /** The name of a man, by its letter. */
  names: Record<string, string>;
  /** The markup of a man in a box of 100 by 100. */
  draw(man: string): string;
  /** Whether men stay where they are put: a move is then one cell. */
  placing: boolean;
  /** Whether to show where men may be put, if not everywhere. */
  hints?: boolean;
}

const COLOURS = (names: Record<string, string>, first: string, second: string) =>
  Object.fromEntries(
    Object.entries(names).flatMap(([letter, name]) => [
      [letter, `${first} ${name}`],
      [letter.toLowerCase(), `${second} ${name}`],
    ]),
  );

const disc = (side: string, inner = "") =>
  `<circle class="man ${side}" cx="50" cy="50" r="43"/>${inner}`;

export const LOOKS: Look[] = [
  {
    name: "chess",
    title: "Chess",
    sizes: [[8, 8]],
    points: false,
    lowest: 1,
    upwards: true,
    ground: "chequered",
    players: { w: "White", b: "Black" },
    names: COLOURS(
      { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" },
      "White",
      "Black",
    ),
    draw: (man) => {
      const side = man === man.toUpperCase() ? "light" : "dark";
      return `<g class="piece ${side}">${CHESS_PIECES[man.toUpperCase()] ?? ""}</g>`;
    },
    placing: false,
  },
  {
    name: "xiangqi",
    title: "Xiangqi",
    sizes: [[9, 10]],
    points: true,
    lowest: 0,
    upwards: true,
    ground: "river",
    players: { w: "Red", b: "Black" },
    names: COLOURS(
      {
        K: "general",
        A: "advisor",
        B: "elephant",
        N: "horse",
        R: "chariot",
        C: "cannon",
        P: "soldier",
      },
      "Red",
      "Black",
    ),
    draw: (man) => {
      const side = man === man.toUpperCase() ? "red" : "black";
      const ring = `<circle class="ring" cx="50" cy="50" r="37"/>`;
      return `<g class="${side}">${disc("wood", ring)}${XIANGQI_PIECES[man] ?? ""}</g>`;
    },
    placing: false,
  },
  {
    name: "go",
    title: "Go",
    sizes: [[19, 19], [13, 13], [9, 9]],
    points: true,
    lowest: 1,
    upwards: true,
    letters: "abcdefghjklmnopqrstuvwxyz",
    ground: "stars",
    players: { x: "Black", o: "White" },
    names: { x: "black stone", o: "white stone", k: "ko" },
    draw: (man) =>
      man === "k"
        ? `<path class="mark" d="M36 36h28v28h-28z"/>`
        : disc(man === "x" ? "dark" : "light"),
    placing: true,
  },
  {
    name: "othello",
    title: "Othello",
    sizes: [[8, 8]],
    points: false,
    width: 8,
    lowest: 8,
    upwards: false,
    ground: "green",
    players: { X: "Black", O: "White" },
    names: { X: "black disc", O: "white disc" },
    draw: (man) => disc(man === "X" ? "dark" : "light"),
    placing: true,
    hints: true,
  },
  {
    name: "gomoku",
    title: "Gomoku",
    sizes: [[15, 15], [19, 19], [20, 20]],
    points: true,
    lowest: 1,
    upwards: true,
    ground: "stars",
    players: { x: "Black", o: "White" },
    names: { x: "black stone", o: "white stone" },
    draw: (man) => disc(man === "x" ? "dark" : "light"),
    placing: true,
  },
  {
    name: "tictactoe",
    title: "Tic-tac-toe",
    sizes: [[3, 3]],
    points: false,
    lowest: 1,
    upwards: true,
    ground: "hash",
    players: { x: "Crosses", o: "Naughts" },
    names: { x: "cross", o: "naught" },
    draw: (man) =>
      man === "x"
        ? `<path class="mark" d="M22 22 78 78M78 22 22 78"/>`
        : `<circle class="mark" cx="50" cy="50" r="30"/>`,
    placing: true,
  },
];

/** The row of a game; that of chess for an unknown one. */
export function lookOf(game: string): Look {
  return LOOKS.find((look) => look.name === game) ?? LOOKS[0];
}

/** A board as drawn, the upper row first. */
export interface Grid {
  width: number;
  height: number;
  /** Letters of men; empty for empty cells. */
  cells: string[];
}

/** Reads the first word of a position: letters are men, numbers and dashes empty cells. */
export function gridOf(look: Look, position: string): Grid {
  const [board] = position.split(" ");
  const rows = board.split("/").map((row) =>
    row.match(/\d+|\D/g)!.flatMap((sign) => {
      const empty = /\d/.test(sign) ? Number(sign) : sign === "-" ? 1 : 0;
      return empty ? Array<string>(empty).fill("") : [sign];
    }),
  );
  const cells = rows.flat();
  const width = look.width ?? rows[0].length;
  return { width, height: cells.length / width, cells };
}

/** The squares in a move in coordinates: `e7e8q` has two. */
export function squaresOf(coordinates: string): string[] {
  return coordinates.toLowerCase().match(/[a-z]\d+/g) ?? [];
}

/** A move as players write it: in go `Q16`, where the text of the core is that of SGF, `pd`. */
export function spelled(look: Look, text: string, coordinates: string): string {
  if (look.name !== "go") return text;
  // A move out of turn has its colour: `w[q16]`.
  return coordinates === "pass" ? "Pass" : coordinates.toUpperCase().replace("[", " ").replace("]", "");
}

/**
 * The number of a move, by its ply from 1 and the position at the start; and whether it is the
 * second of that number. In games of stones each stone has a number.
 */
export function numberOf(look: Look, ply: number, start: string): [string, boolean] {
  const [, mover, , , , counted] = start.split(" ");
  if (look.placing) return [String(ply), false];
  const turn = ply - 1 + Object.keys(look.players).indexOf(mover);
  return [`${(Number(counted) || 1) + Math.floor(turn / 2)}.`, turn % 2 === 1];
}

/** The letter of a column, from 0; empty if it has none. */
export function letterOf(look: Look, column: number): string {
  return look.letters ? (look.letters[column] ?? "") : String.fromCharCode(97 + column);
}

/** The name of a square by its index in a grid. */
export function squareAt(look: Look, grid: Grid, place: number): string {
  const row = Math.floor(place / grid.width);
  const rank = look.upwards
    ? look.lowest + grid.height - 1 - row
    : look.lowest - grid.height + 1 + row;
  return letterOf(look, place % grid.width) + rank;
}

/** The index of a square in a grid. */
export function placeOf(look: Look, grid: Grid, square: string): number {
  const column = look.letters?.indexOf(square[0]) ?? square.charCodeAt(0) - 97;
  const rank = Number(square.slice(1));
  const row = look.upwards
    ? look.lowest + grid.height - 1 - rank
    : rank - look.lowest + grid.height - 1;
  return row * grid.width + column;
}

/** The side to move: the second word of a position. */
export function moverOf(look: Look, position: string): string {
  return look.players[position.split(" ")[1]] ?? "";
}

/** The men and their squares, in words. */
export function describe(look: Look, position: string): string {
  const grid = gridOf(look, position);
  const places = new Map<string, string[]>();
  grid.cells.forEach((man, place) => {
    const name = man && (look.names[man] ?? man);
    if (name) places.set(name, [...(places.get(name) ?? []), squareAt(look, grid, place)]);
  });
  const men = [...places].map(([name, squares]) => `${name}: ${squares.join(", ")}`);
  return men.length ? `${men.join("; ")}.` : "The board is empty.";
}
