// Facts about games from the columns of a packed file: players, date, result. They match the
// store's facts, and serve for listing, filtering and summing up games.

import type { Core } from "./core";
import type { Cells } from "./packed";
import { compare, search } from "./person";
import type { Filter, Head, Sort, Sum } from "./source";

/** The columns from which facts are read, and those also shown in a list. */
export const FACTS = ["White", "Black", "WhiteElo", "BlackElo", "Result", "Date", "UTCDate"];
export const SHOWN = [...FACTS, "Event", "ECO", "Opening", "moves.plies"];

/** The columns that are cheap to read where rows are far apart. */
export const SPARSE = ["Date", "ECO"];

const RESULTS = [null, "1-0", "1/2-1/2", "0-1"] as const;

/** Facts about a game; 0 if unknown. */
export interface Fact {
  white: string;
  black: string;
  white_rating: number;
  black_rating: number;
  year: number;
  /** 1: White won, 2: a draw, 3: Black won. */
  outcome: number;
}

/**
 * A running sum: games, White's wins, draws, Black's wins, rated games, the ratings' sum, the last
 * year.
 */
export type Tally = [number, number, number, number, number, number, number];

const text = (cell: unknown) => (typeof cell === "string" ? cell : undefined);
const number = (cell: unknown) => (typeof cell === "number" ? cell : undefined);

/** A tag without a column of its own. */
function tag(cells: Cells, name: string): string | undefined {
  const list = (cells.tags as { key_value?: { key: string; value?: string }[] } | null)?.key_value;
  return list?.find(({ key }) => key === name)?.value;
}

/** Computes facts, and caches the meanings of results. */
export class Facts {
  private readonly outcomes = new Map<string, number>();

  constructor(private readonly core: Core) {}

  /** The facts of a row with the columns of `FACTS`. */
  of(cells: Cells): Fact {
    const result = text(cells.Result);
    return {
      white: text(cells.White) ?? tag(cells, "Red") ?? "",
      black: text(cells.Black) ?? "",
      white_rating: rating(cells.WhiteElo),
      black_rating: rating(cells.BlackElo),
      year: yearOf(text(cells.Date)) || Number(utc(cells)?.slice(0, 4) ?? 0),
      outcome: result === undefined ? 0 : this.outcome(result),
    };
  }

  private outcome(result: string): number {
    let outcome = this.outcomes.get(result);
    if (outcome === undefined) {
      outcome = this.core.outcome(result);
      this.outcomes.set(result, outcome);
    }
    return outcome;
  }

}

/** Whether the facts of a game suffice for a filter and an order. */
export function isTold({ since, until, opening, event }: Filter, sort: Sort): boolean {
  const year = (date = "") => !date || /^\d{4}$/.test(date);
  return !opening && !event && year(since) && year(until) && sort !== "date";
}

/** The player last searched for. */
let sought: { player: string; finds: (name: string) => boolean } | undefined;

/** Returns a test whether a name is asked for: the player of a quoted one, or by a part of it. */
function finderOf(player: string): (name: string) => boolean {
  const whole = player.match(/^"(.+)"$/)?.[1];
  if (!whole) return search(player);
  const likeness = compare(whole);
  return (name) => likeness(name) === "same";
}

/** Whether a game passes a filter; `cells` may be empty if its facts suffice. */
export function passes(fact: Fact, cells: Cells, filter: Filter): boolean {
  const { player, color, rating_min, rating_max, since, until, result, opening, event } = filter;
  if (player) {
    if (sought?.player !== player) sought = { player, finds: finderOf(player) };
    const { finds } = sought;
    if (!(color !== "black" && finds(fact.white)) && !(color !== "white" && finds(fact.black))) return false;
  }
  if (rating_min !== undefined || rating_max !== undefined) {
    const mean = meanOf(fact);
    if (!mean || mean < (rating_min ?? 0) || mean > (rating_max ?? Infinity)) return false;
  }
  if (result && RESULTS[fact.outcome] !== result) return false;
  if (opening && !hasOpening(cells, opening)) return false;
  if (event && !isOfEvent(text(cells.Event) ?? "", event)) return false;
  if (since || until) {
    const tagged = yearOf(text(cells.Date)) ? text(cells.Date) : utc(cells);
    const date = tagged ?? (fact.year ? String(fact.year).padStart(4, "0") : undefined);
    // A partial date may be any of its days, and all of them have to pass.
    if (!date || (since && days(date, "00") < days(since, "00"))) return false;
    if (until && days(date, "99") > days(until, "99")) return false;
  }
  return true;
}

/** The columns that a filter needs. */
export function columnsOf(filter: Filter): string[] {
  const columns = new Set<string>();
  const add = (...names: string[]) => names.forEach((name) => columns.add(name));
  if (filter.player) add("White", "Black");
  const rated = filter.rating_min ?? filter.rating_max;
  if (rated !== undefined) add("WhiteElo", "BlackElo");
  if (filter.since || filter.until) add("Date", "UTCDate");
  if (filter.result) add("Result");
  if (filter.opening) add("ECO", "Opening");
  if (filter.event) add("Event");
  return [...columns];
}

/** The columns that an order needs. */
export function columnsFor(sort: Sort): string[] {
  return sort === "rating" ? ["WhiteElo", "BlackElo"] : sort === "date" ? ["Date", "UTCDate"] : [];
}

/** The sort key of a game, greatest first; 0 if unknown. */
export function rank(fact: Fact, cells: Cells, sort: Sort): number {
  if (sort === "stored") return 0;
  if (sort === "rating") return meanOf(fact);
  const tagged = text(cells.Date);
  const date = yearOf(tagged) ? tagged : utc(cells);
  if (!date) return 0;
  // A partial date comes after the days of its year.
  const whole = /^\d{4}([.\-/])\d{1,2}\1\d{1,2}$/.test(date);
  return whole ? Number(days(date, "00")) : Number(date.slice(0, 4)) * 10000;
}

/** The mean of the known ratings, rounded down; 0 without any. */
export function meanOf({ white_rating, black_rating }: Fact): number {
  if (white_rating && black_rating) return Math.floor((white_rating + black_rating) / 2);
  return white_rating || black_rating;
}

/** A game in a list, from its facts alone. */
export function headOf(row: number, fact: Fact): Head {
  return {
    id: String(row + 1), white: fact.white, black: fact.black,
    white_rating: fact.white_rating || null, black_rating: fact.black_rating || null,
    result: RESULTS[fact.outcome], date: fact.year ? String(fact.year) : null,
    event: null, eco: null, opening: null, plies: null, ply: null, move: null, coordinates: null,
  };
}

/** A game in a list, from the columns of `SHOWN`. */
export function shown(row: number, fact: Fact, cells: Cells): Head {
  const moves = cells.moves as { plies?: number } | null | undefined;
  return {
    ...headOf(row, fact),
    date: text(cells.Date) ?? (fact.year ? String(fact.year) : null),
    told: text(cells.Result) ?? null,
    event: text(cells.Event) ?? null,
    eco: text(cells.ECO) ?? null,
    opening: text(cells.Opening) ?? null,
    plies: moves?.plies ?? null,
  };
}

/** Adds a game to a sum. */
export function add(tally: Tally, fact: Fact): void {
  tally[0]++;
  if (fact.outcome) tally[fact.outcome]++;
  const mean = meanOf(fact);
  if (mean) {
    tally[4]++;
    tally[5] += mean;
  }
  tally[6] = Math.max(tally[6], fact.year);
}

/** Adds a sum to a sum. */
export function merge(tally: Tally, other: ArrayLike<number>): void {
  for (let at = 0; at < 6; at++) tally[at] += other[at];
  tally[6] = Math.max(tally[6], other[6]);
}

/** A sum as shown. */
export function sumOf([records, white, draws, black, rated, ratings, year]: Tally): Sum {
  const mean_rating = rated ? Math.round((10 * ratings) / rated) / 10 : null;
  return { records, white, draws, black, mean_rating, last_year: year || null };
}

/** The rating in a cell; 0 for none. */
function rating(cell: unknown): number {
  const value = number(cell) ?? 0;
  return value > 0 && value < 65536 ? value : 0;
}

/** The year with which a date begins, 0 without one. */
function yearOf(date: string | undefined): number {
  const year = /^\d{4}(?!\d)/.exec(date ?? "");
  return year ? Number(year[0]) : 0;
}

/** The day of the tag UTCDate, formatted. */
function utc(cells: Cells): string | undefined {
  const day = number(cells.UTCDate);
  const date = day === undefined ? undefined : new Date(day * 86_400_000);
  return date && !Number.isNaN(date.getTime()) ? date.toISOString().slice(0, 10) : undefined;
}

/** A date as eight digits, with unknown parts replaced by `open`. */
function days(date: string, open: string): string {
  const [year, month, day] = date.split(/[.\-/]/);
  const part = (part = "") => (/^\d{1,2}$/.test(part) ? part.padStart(2, "0") : open);
  const within = part(month);
  return year.slice(0, 4) + within + (within === open ? open : part(day));
}

/** The code of the opening in the tags. */
export function openingCode(cells: Cells): string | undefined {
  return /^[A-Z]\d\d/i.exec(text(cells.ECO) ?? "")?.[0].toUpperCase();
}

/** Whether this is the event asked for: the whole name in quotes, or a part of it. */
function isOfEvent(name: string, asked: string): boolean {
  const whole = asked.match(/^"(.+)"$/)?.[1];
  return whole ? name === whole : name.toLowerCase().includes(asked.toLowerCase());
}

function hasOpening(cells: Cells, asked: string): boolean {
  const part = asked.toLowerCase();
  const code = text(cells.ECO)?.toLowerCase() ?? "";
  return code.startsWith(part) || (text(cells.Opening)?.toLowerCase().includes(part) ?? false);
}
