// Players and events of a packed file: their columns are read once they are asked for.

import { add, FACTS, type Fact, type Facts, openingCode, type Tally } from "./facts";
import { nameOfCode, type Openings } from "./openings";
import type { Cells, Packed } from "./packed";
import { compare, wordsOf } from "./person";
import type {
  Completed, EventPage, NameKind, OpeningScore, People, PlayerPage, Progress, Score,
} from "./source";

/** Files with more games than this have no completion of names: all of them would have to be read. */
const COMPLETED_ROWS = 200_000;

/** The number of openings, of other players and of players of an event that are listed. */
const OPENINGS = 10;
const OTHERS = 20;
const PLAYERS = 100;

/** What the reader of a file offers for this. */
export interface Reading {
  packed: Packed;
  facts: Facts;
  /** The columns in which facts are; players may be among the tags. */
  columns(...columns: string[]): string[];
  /** The values of these rows. */
  read(rows: number[], columns: string[]): Promise<Map<number, Cells>>;
  openings(): Promise<Openings>;
}

/** A name, its number of games, and its words. */
interface Named extends Completed {
  words: string[][];
}

/** The players and events of a packed file. */
export class StaticPeople implements People {
  #names = new Map<NameKind, Promise<Named[]>>();

  constructor(private readonly reading: Reading) {}

  async names(kind: NameKind, part: string, signal: AbortSignal): Promise<Completed[]> {
    if (this.reading.packed.records > COMPLETED_ROWS) return [];
    let all = this.#names.get(kind);
    if (!all) {
      all = this.#readNames(kind);
      // What failed is tried again.
      all.catch(() => this.#names.delete(kind));
      this.#names.set(kind, all);
    }
    const typed = wordsOf(part);
    const begins = (own: string[][]) => typed.every((word) =>
      own.some((other) => other.some((text) => word.some((start) => text.startsWith(start)))));
    const found = typed.length ? (await all).filter(({ words }) => begins(words)) : [];
    signal.throwIfAborted();
    return found.slice(0, OPENINGS).map(({ name, games }) => ({ name, games }));
  }

  /** Passes what is in some columns of all games, a row group at a time. */
  async #each(
    columns: string[], signal: AbortSignal, progress: Progress, take: (row: number, cells: Cells) => void,
  ): Promise<void> {
    const { packed } = this.reading;
    for (const [at, group] of packed.groups.entries()) {
      const all = await packed.rows(group, 0, group.rows, columns);
      signal.throwIfAborted();
      all.forEach((cells, row) => take(group.start + row, cells));
      progress((at + 1) / packed.groups.length / 2);
    }
  }

  async #readNames(kind: NameKind): Promise<Named[]> {
    const counts = new Map<string, number>();
    const count = (name: string) => isTold(name) && counts.set(name, (counts.get(name) ?? 0) + 1);
    const { facts } = this.reading;
    const columns = kind === "event" ? ["Event"] : this.reading.columns("White", "Black");
    await this.#each(columns, new AbortController().signal, () => undefined, (_, cells) => {
      const { white, black } = facts.of(cells);
      for (const name of kind === "event" ? [eventOf(cells)] : [white, black]) count(name);
    });
    const all = [...counts].sort((one, other) => other[1] - one[1]);
    return all.map(([name, games]) => ({ name, games, words: wordsOf(name) }));
  }

  async player(name: string, _: number | undefined, signal: AbortSignal, progress: Progress): Promise<PlayerPage> {
    const { facts, columns, read } = this.reading;
    const likeness = compare(name);
    const known = new Map<string, ReturnType<typeof likeness>>();
    const like = (name: string) => {
      let found = known.get(name);
      if (found === undefined && !known.has(name)) known.set(name, (found = likeness(name)));
      return found;
    };
    const counts = { same: new Map<string, number>(), perhaps: new Map<string, number>() };
    const sides = new Map<number, boolean[]>();
    await this.#each(columns("White", "Black"), signal, progress, (row, cells) => {
      const { white, black } = facts.of(cells);
      const found = [white, black].map((name) => {
        const is = isTold(name) ? like(name) : undefined;
        if (is) counts[is].set(name, (counts[is].get(name) ?? 0) + 1);
        return is === "same";
      });
      if (found.includes(true)) sides.set(row, found);
    });
    if (!sides.size) throw new Error(`there is no player \`${name}\``);
    const most = (names: Map<string, number>): Completed[] =>
      [...names].sort((one, other) => other[1] - one[1]).map(([name, games]) => ({ name, games }));
    const cells = await read([...sides.keys()], columns(...FACTS, "ECO"));
    signal.throwIfAborted();
    progress(1);
    const sums = new Career();
    for (const [row, own] of sides) {
      const one = cells.get(row) ?? {};
      own.forEach((is, side) => is && sums.add(facts.of(one), one, side));
    }
    const spellings = most(counts.same);
    const openings = await this.reading.openings();
    return {
      ...sums.page(openings), name: spellings[0].name, fide_id: null, spellings,
      perhaps: most(counts.perhaps).slice(0, OTHERS).map((one) => ({ ...one, fide_id: null })),
    };
  }

  async event(name: string, signal: AbortSignal, progress: Progress): Promise<EventPage> {
    const { facts, columns, read } = this.reading;
    const rows: number[] = [];
    await this.#each(["Event"], signal, progress, (row, cells) => void (eventOf(cells) === name && rows.push(row)));
    if (!rows.length) throw new Error(`there is no event \`${name}\``);
    const cells = await read(rows, columns(...FACTS));
    signal.throwIfAborted();
    const sum: Tally = [0, 0, 0, 0, 0, 0, 0];
    const years: number[] = [];
    const players = new Map<string, Score & { rating: number }>();
    for (const row of rows) {
      const fact = facts.of(cells.get(row) ?? {});
      add(sum, fact);
      if (fact.year) years.push(fact.year);
      for (const [side, [name, rating]] of sidesIn(fact).entries()) {
        if (!isTold(name)) continue;
        const played = players.get(name) ?? { ...none(), rating: 0 };
        count(played, fact, side);
        played.rating = Math.max(played.rating, rating);
        players.set(name, played);
      }
    }
    const points = ({ wins, draws }: Score) => 2 * wins + draws;
    const best = [...players].sort(([, one], [, other]) =>
      points(other) - points(one) || one.games - other.games || other.rating - one.rating);
    return {
      name, games: sum[0], white: sum[1], draws: sum[2], black: sum[3], ...spanOf(years),
      players: best.slice(0, PLAYERS).map(([name, one]) => ({ name, ...one, rating: one.rating || null })),
      players_total: best.length,
    };
  }
}

/** The games of a player. */
class Career {
  private readonly sides = [none(), none()];
  private readonly years = new Map<number, Score>();
  private readonly openings = [new Map<string, Score>(), new Map<string, Score>()];
  /** Dates and ratings. */
  private readonly ratings: [number, number][] = [];

  /** Adds a game with White (0) or Black (1). */
  add(fact: Fact, cells: Cells, side: number): void {
    count(this.sides[side], fact, side);
    count(within(this.years, fact.year), fact, side);
    const code = openingCode(cells);
    if (code) count(within(this.openings[side], code), fact, side);
    const rating = sidesIn(fact)[side][1];
    const day = typeof cells.Date === "string" ? Number(cells.Date.replace(/\D/g, "").padEnd(8, "0").slice(0, 8)) : 0;
    if (rating) this.ratings.push([day || fact.year * 10_000, rating]);
  }

  page(named: Openings): Omit<PlayerPage, "name" | "fide_id" | "spellings" | "perhaps"> {
    const dated = this.ratings.filter(([day]) => day).sort(([one], [other]) => one - other);
    const years = [...this.years].sort(([one], [other]) => (one || Infinity) - (other || Infinity));
    const most = (side: number): OpeningScore[] => [...this.openings[side]]
      .sort(([, one], [, other]) => other.games - one.games).slice(0, OPENINGS)
      .map(([eco, score]) => ({ eco, name: nameOfCode(named, eco), listed: true, ...score }));
    const [white, black] = this.sides;
    return {
      games: white.games + black.games, ...spanOf([...this.years.keys()].filter(Boolean)),
      first_rating: dated[0]?.[1] ?? null, last_rating: dated.at(-1)?.[1] ?? null,
      highest_rating: this.ratings.reduce((most, [, rating]) => Math.max(most, rating), 0) || null,
      white, black, years: years.map(([year, score]) => ({ year: year || null, ...score })),
      openings: { white: most(0), black: most(1) },
    };
  }
}

const none = (): Score => ({ games: 0, wins: 0, draws: 0, losses: 0 });

function within<K>(scores: Map<K, Score>, key: K): Score {
  const known = scores.get(key) ?? none();
  scores.set(key, known);
  return known;
}

/** Adds a game of the player with White (0) or Black (1). */
function count(score: Score, { outcome }: Fact, side: number): void {
  score.games++;
  if (outcome === 2) score.draws++;
  else if (outcome) score[(outcome === 1) === (side === 0) ? "wins" : "losses"]++;
}

const sidesIn = (fact: Fact): [string, number][] =>
  [[fact.white, fact.white_rating], [fact.black, fact.black_rating]];

function spanOf(years: number[]): { first_year: number | null; last_year: number | null } {
  const [first, last] = years.reduce(([least, most], year) =>
    [Math.min(least, year), Math.max(most, year)], [Infinity, 0]);
  return { first_year: last ? first : null, last_year: last || null };
}

const isTold = (name: string) => !["", "?", "-"].includes(name.trim());

const eventOf = ({ Event: name }: Cells) => (typeof name === "string" ? name : "");
