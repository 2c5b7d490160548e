// Patterns as texts and as boards: what `plypack find --pattern` takes, and what of it is drawn.

import { gridOf, lookOf, type Look } from "../games";

/** The longest text of a pattern that a server takes, in bytes. */
const TEXT_MAX = 8 << 10;

/** The most rows and columns whose cells have names. */
const SIDE_MAX = 25;

/** The sizes of a game's boards: columns and rows, the usual one first. */
const SIZES: Record<string, [number, number][]> = {
  chess: [[8, 8]],
  xiangqi: [[9, 10]],
  go: [[19, 19], [13, 13], [9, 9]],
  othello: [[8, 8]],
  gomoku: [[15, 15], [19, 19], [20, 20]],
  tictactoe: [[3, 3]],
};

/** Keys that ask for nothing of a position. */
const BESIDE = new Set(["either-colour", "mirrored", "symmetric", "skip", "limit"]);

/** A pattern as JSON has it. */
export type Rules = Record<string, unknown>;

/** What a board asks for. */
export interface Drawn {
  width: number;
  height: number;
  /** By cell, from the upper left: a man's letter, `*` for any, `.` for none; empty: anything. */
  cells: string[];
  /** Whether it is a piece of a board that may be anywhere on it. */
  anywhere: boolean;
}

/** The letters of a game's men, the first player's before the second's. */
export function menOf(game: string): string[] {
  const look = lookOf(game);
  if (look.placing) return ["x", "o"];
  const men = Object.keys(look.names);
  const first = men.filter((man) => man === man.toUpperCase());
  return [...first, ...men.filter((man) => !first.includes(man))];
}

/** The letter of a man in positions of a game: those of some are spelt otherwise in patterns. */
export function positionLetter(look: Look, man: string): string {
  return man in look.names ? man : man.toUpperCase();
}

/** The sizes of boards of a game, the usual one first. */
export function sizesOf(game: string): [number, number][] {
  return SIZES[game] ?? SIZES.chess;
}

/** Whether a game's boards may be turned. */
export function isTurned(game: string): boolean {
  return lookOf(game).placing;
}

/** The players of a game as patterns call them, and as people do. */
export function playersOf(game: string): [string, string][] {
  const { players } = lookOf(game);
  const name = (letter: string, name: string) => (game === "tictactoe" ? letter : name);
  return Object.entries(players).map(([letter, player]) =>
    [name(letter, player).toLowerCase(), player]);
}

/** A board on which anything may stand anywhere. */
export function blank([width, height]: [number, number], anywhere = false): Drawn {
  return { width, height, cells: Array<string>(width * height).fill(""), anywhere };
}

/** Whether anything is asked for on a board. */
export function isBlank({ cells }: Drawn): boolean {
  return cells.every((cell) => cell === "");
}

/** Reads a text: JSON, or a board, material or an imbalance alone. Throws what is wrong with it. */
export function readPattern(text: string): Rules {
  const trimmed = text.trim();
  if (new TextEncoder().encode(trimmed).length > TEXT_MAX) {
    const cure = "plypack find --pattern takes more";
    throw new Error(`The pattern is longer than ${TEXT_MAX} bytes: ${cure}.`);
  }
  if (!trimmed) return {};
  if (trimmed.includes("/") && !/[{"\s]/.test(trimmed)) return { "sub-fen": trimmed };
  if (/^[A-Za-z]*v[A-Za-z]*$/.test(trimmed)) return { imbalance: trimmed };
  if (/^K[A-Z]+$/.test(trimmed)) return { material: trimmed };
  let rules: unknown;
  try {
    rules = JSON.parse(trimmed);
  } catch (error) {
    throw new Error(`This is not JSON yet: ${(error as Error).message}`);
  }
  if (typeof rules !== "object" || rules === null || Array.isArray(rules)) {
    throw new Error(`A pattern is an object, as {"material": "KRPKR"}.`);
  }
  return rules as Rules;
}

/** A pattern as a text, as short as can be; none if it has nothing. */
export function writePattern(rules: Rules): string {
  return Object.keys(rules).length ? JSON.stringify(rules) : "";
}

/** Whether a pattern asks for something: without that it is refused. */
export function asks(rules: Rules): boolean {
  return Object.keys(rules).some((key) => !BESIDE.has(key));
}

/** The keys of a pattern that a board does not show, nor what stands beside it. */
export function others(rules: Rules): string[] {
  return Object.keys(rules).filter((key) => !BESIDE.has(key) && !SHOWN.has(key));
}

const SHOWN = new Set(["sub-fen", "shape", "stm"]);

/**
 * What a pattern asks for on the board; nothing if no board shows it. Where a shape lies is up to
 * whoever draws it: where it was on the board before, else in the middle.
 */
export function draw(rules: Rules, game: string, before: Drawn): Drawn | undefined {
  const { "sub-fen": board, shape } = rules;
  if ("sequence" in rules || "streak" in rules || (board !== undefined && shape !== undefined)) {
    return undefined;
  }
  const text = board ?? shape;
  if (text === undefined) {
    return blank([before.width, before.height], before.anywhere);
  }
  const rows = typeof text === "string" ? readRows(text, menOf(game), isTurned(game)) : undefined;
  if (!rows) return undefined;
  const size: [number, number] = [rows[0].length, rows.length];
  if (board !== undefined) {
    const whole = { width: size[0], height: size[1], cells: rows.flat(), anywhere: false };
    return isSize(game, size) ? whole : undefined;
  }
  if (before.anywhere && writeShape(before) === text) return before;
  const fits = ([width, height]: [number, number]) => size[0] <= width && size[1] <= height;
  const around = [[before.width, before.height] as [number, number], ...sizesOf(game)].find(fits);
  if (!around) return undefined;
  const drawn = blank(around, true);
  const [left, top] = [0, 1].map((side) => Math.floor((around[side] - size[side]) / 2));
  rows.forEach((row, y) => row.forEach((cell, x) => {
    drawn.cells[(top + y) * drawn.width + left + x] = cell;
  }));
  return drawn;
}

function isSize(game: string, [width, height]: [number, number]): boolean {
  const sizes = sizesOf(game);
  const known = sizes.some((size) => size[0] === width && size[1] === height);
  return known || (sizes.length > 1 && width <= SIDE_MAX && height <= SIDE_MAX);
}

/** Rows of cells of equal lengths; nothing if a board has no sign for one of them. */
function readRows(text: string, men: string[], alike: boolean): string[][] | undefined {
  const rows = text.split("/").map((row) => (row.match(/\d+|\D/gu) ?? []).flatMap((sign) => {
    const run = /\d/.test(sign) ? Math.min(Number(sign), SIDE_MAX + 1) : sign === "?" ? 1 : 0;
    return run ? Array<string>(run).fill("") : [alike ? sign.toLowerCase() : sign];
  }));
  const width = rows[0].length;
  const even = width > 0 && width <= SIDE_MAX && rows.length <= SIDE_MAX &&
    rows.every((row) => row.length === width);
  const known = (cell: string) => ["", ".", "*", ...men].includes(cell);
  return even && rows.flat().every(known) ? rows : undefined;
}

/** A pattern with what a board asks for in place of what another did. */
export function withBoard(rules: Rules, drawn: Drawn): Rules {
  const { "sub-fen": _, shape: __, ...rest } = rules;
  if (isBlank(drawn)) return rest;
  if (drawn.anywhere) return { shape: writeShape(drawn), ...rest };
  return { "sub-fen": writeRows(drawn.cells, drawn.width), ...rest };
}

/** The pattern of all men of a position, where they stand; other cells may hold anything. */
export function patternOf(game: string, position: string): string {
  const men = menOf(game);
  const look = lookOf(game);
  const { width, height, cells } = gridOf(look, position);
  const of = (sign: string) => men.find((man) => positionLetter(look, man) === sign) ?? "";
  const known = cells.map(of);
  return writePattern(withBoard({}, { width, height, cells: known, anywhere: false }));
}

/** The cells of a board that ask for something, with what lies between them. */
function writeShape({ cells, width }: Drawn): string {
  const asked = cells.flatMap((cell, place) => (cell ? [place] : []));
  const columns = asked.map((place) => place % width);
  const [left, right] = [Math.min(...columns), Math.max(...columns) + 1];
  const row = (place: number) => Math.floor(place / width);
  const inside = cells.filter((_, place) =>
    place % width >= left && place % width < right &&
    row(place) >= row(asked[0]) && row(place) <= row(asked[asked.length - 1]));
  return writeRows(inside, right - left);
}

function writeRows(cells: string[], width: number): string {
  const rows: string[] = [];
  for (let start = 0; start < cells.length; start += width) {
    const row = cells.slice(start, start + width).map((cell) => cell || "?").join("");
    rows.push(row.replace(/\?+/g, (run) => String(run.length)));
  }
  return rows.join("/");
}

/** The same cells, as many as there is room for, on a board of another size, in its middle. */
export function onSize(drawn: Drawn, [width, height]: [number, number]): Drawn {
  const made = blank([width, height], drawn.anywhere);
  const [left, top] = [width - drawn.width, height - drawn.height].map((by) => Math.trunc(by / 2));
  drawn.cells.forEach((cell, place) => {
    const [x, y] = [place % drawn.width + left, Math.floor(place / drawn.width) + top];
    if (cell && x >= 0 && x < width && y >= 0 && y < height) made.cells[y * width + x] = cell;
  });
  return made;
}

/** A pattern in a few words: `sub-fen 8/8/p7/8/8/1B3N2/8/8, stm white`. */
export function tellPattern(text: string): string {
  const told = text.trim().replace(/^\{|\}$/g, "").replaceAll('"', "").replace(/([:,])\s*/g, "$1 ")
    .replaceAll(": ", " ");
  const letters = [...told];
  return `pattern ${letters.length > 48 ? `${letters.slice(0, 47).join("")}…` : told}`;
}
