// Patterns as texts and as boards: the input of `plypack find --pattern`, and its drawable part.

import { gridOf, lookOf, type Look } from "../games";

/** The maximum length of a pattern for a server, in bytes. */
const TEXT_MAX = 8 << 10;

/** The maximum number of named rows and columns. */
const SIDE_MAX = 25;

/** Keys that do not constrain a position. */
const BESIDE = new Set(["either-colour", "mirrored", "symmetric", "skip", "limit"]);

/** A pattern as parsed from JSON. */
export type Rules = Record<string, unknown>;

/** The part of a pattern shown on a board. */
export interface Drawn {
  width: number;
  height: number;
  /**
   * By cell, from the upper left: a man's letter, `*` for any man, `.` for none; empty for
   * anything.
   */
  cells: string[];
  /** Whether it is a part of a board that may be anywhere on it. */
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

/** The letter of a man in positions of a game, where it may differ from patterns. */
export function positionLetter(look: Look, man: string): string {
  return man in look.names ? man : man.toUpperCase();
}

/** The board sizes of a game, the usual one first. */
export function sizesOf(game: string): [number, number][] {
  return lookOf(game).sizes;
}

/** Whether a game's boards may be rotated. */
export function isTurned(game: string): boolean {
  return lookOf(game).placing;
}

/** The players of a game, as named in patterns and for people. */
export function playersOf(game: string): [string, string][] {
  const { players } = lookOf(game);
  const name = (letter: string, name: string) => (game === "tictactoe" ? letter : name);
  return Object.entries(players).map(([letter, player]) =>
    [name(letter, player).toLowerCase(), player]);
}

/** An empty pattern board. */
export function blank([width, height]: [number, number], anywhere = false): Drawn {
  return { width, height, cells: Array<string>(width * height).fill(""), anywhere };
}

/** Whether a board sets no conditions. */
export function isBlank({ cells }: Drawn): boolean {
  return cells.every((cell) => cell === "");
}

/**
 * Parses a text: JSON, or a board, material or an imbalance alone. Throws an error if it is
 * invalid.
 */
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
    throw new Error(`A pattern is an object, e.g. {"material": "KRPKR"}.`);
  }
  return rules as Rules;
}

/** Formats a pattern as short as possible; empty if it has no rules. */
export function writePattern(rules: Rules): string {
  return Object.keys(rules).length ? JSON.stringify(rules) : "";
}

/** Whether a pattern sets conditions; otherwise it is refused. */
export function asks(rules: Rules): boolean {
  return Object.keys(rules).some((key) => !BESIDE.has(key));
}

/** The keys of a pattern that are shown neither on a board nor beside it. */
export function others(rules: Rules): string[] {
  return Object.keys(rules).filter((key) => !BESIDE.has(key) && !SHOWN.has(key));
}

const SHOWN = new Set(["sub-fen", "shape", "stm"]);

/**
 * The board of a pattern; undefined if it cannot be drawn. A shape may lie anywhere: it stays where
 * it was on the board before, else it is centred.
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

/** Rows of cells of equal lengths; undefined if a cell has no sign. */
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

/** Replaces the board of a pattern. */
export function withBoard(rules: Rules, drawn: Drawn): Rules {
  const { "sub-fen": _, shape: __, ...rest } = rules;
  if (isBlank(drawn)) return rest;
  if (drawn.anywhere) return { shape: writeShape(drawn), ...rest };
  return { "sub-fen": writeRows(drawn.cells, drawn.width), ...rest };
}

/** The pattern of all men of a position; other cells may hold anything. */
export function patternOf(game: string, position: string): string {
  const men = menOf(game);
  const look = lookOf(game);
  const { width, height, cells } = gridOf(look, position);
  const of = (sign: string) => men.find((man) => positionLetter(look, man) === sign) ?? "";
  const known = cells.map(of);
  return writePattern(withBoard({}, { width, height, cells: known, anywhere: false }));
}

/** The bounding box of the cells with conditions. */
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

/** The same cells centred on a board of another size, as far as they fit. */
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
