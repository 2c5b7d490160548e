// The database in a packed file on any host, read by this browser alone: ranges of the file and of
// the index beside it are fetched as requests need them.

import type { Pattern } from "pattern-glue";
import { chessCore, fullCore, isFull, patternCore, withSeries } from "./cores";
import type { Block, Core, Position, Row } from "./core";
import {
  add, columnsFor, columnsOf, FACTS, type Fact, Facts, headOf, isTold, meanOf, merge, passes, rank,
  shown, SHOWN, SPARSE, sumOf, type Tally,
} from "./facts";
import { factsOf, Indices, type Shared } from "./indices";
import { nameOfCode, type Openings, openingsOf } from "./openings";
import { type Cells, damaged, type Group, Packed } from "./packed";
import { Prose } from "./prose";
import { Remote } from "./remote";
import { StaticPeople } from "./static_people";
import {
  type About, type Filter, type Games, type Head, type Opening, type Place, type Progress, type Sort,
  type Source, type Sum, type Tree, type TreeMove,
} from "./source";

/** The number of example games of a tree. */
const EXAMPLES = 3;

/** The columns that are not part of a record. */
const BESIDE = ["source", "number", "source_records", "verbatim_reason", "played_on", "prose"];

/** The number of records of a download read at a time. */
const DOWNLOAD_ROWS = 256;

/** The cost of a row group's columns, in ranges of index heads. */
const HEADS_WORTH = 24;

/** A list over more row groups than this shows little more than the facts in the index. */
const GROUPS_SHOWN = 3;

/** The columns that need more tables. */
const SERIES = ["clocks", "evals", "reviews", "fields"];

/** The maximum number of rows between two that are read together. */
const NEAR_ROWS = 512;

/** Opens a packed file and the index beside it; `started` is told of the core, and whether it is the full one. */
export async function openStatic(
  url: string | URL, started: (core: Core, full: boolean) => void = () => undefined,
): Promise<Source> {
  const address = new URL(url, document.baseURI).href;
  const packed = await Packed.open(await Remote.open(address));
  const codecs = await codecsOf(packed);
  const game = codecs[0]?.split("/")[0];
  if (!game) throw new Error(`no game in ${packed.name} has moves that could be coded`);
  let core = await (game === "chess" ? chessCore() : fullCore());
  if (!codecs.every((codec) => core.knows(codec))) core = await fullCore();
  started(core, await isFull(core));
  const titles = core.games();
  const title = titles[titles.indexOf(game) + 1] ?? game;
  if (!titles.includes(game)) {
    throw new Error(`${packed.name} has games of ${game}, which this page does not know`);
  }
  const indices = await Indices.open(core, packed, address);
  const lacking = codecs.find((codec) => !core.knows(codec));
  return new StaticSource(core, packed, indices, game, title, lacking);
}

/** The codecs of a file's moves. */
async function codecsOf(packed: Packed): Promise<string[]> {
  const told = packed.bounds("moves.codec");
  if (told.length > 0) return [...new Set(told)];
  for (const group of packed.groups) {
    const rows = await packed.rows(group, 0, group.rows, ["moves.codec"]);
    const codecs = rows.map(({ moves }) => (moves as { codec?: string } | null)?.codec);
    const codec = codecs.find(Boolean);
    if (codec) return [codec];
  }
  return [];
}

/** How long games are decoded before the page is given time, in milliseconds. */
const TURN = 40;

/** How often games that match a pattern are shown while others are searched, in milliseconds. */
const SHOWING = 800;

/** The distance of the first and the last of the rows whose moves are read together. */
const MOVES_ROWS = 2048;

/** Rows of a row group, counted within it, ascending; all of them without a list. */
interface Among {
  group: Group;
  rows?: number[];
}

/** A game in an answer. */
interface Answer {
  row: number;
  /** The candidate played at the requested position; -1 if it ends there. */
  candidate?: number;
  ply?: number;
  /** The plies at which the conditions of the pattern are met. */
  met?: number[];
}

/** A game of which a part was read. */
interface Surveyed {
  row: number;
  fact: Fact;
  cells: Cells;
}

/** The games that reach a position. */
interface Reaching {
  shared: Shared[];
  /** Games in no block, and where they reach the position. */
  decoded: Decoded[];
}

interface Decoded {
  row: number;
  ply: number;
  /** The candidates played there, the first one first; -1 if the game ends. */
  candidates: number[];
}

class StaticSource implements Source {
  readonly people: StaticPeople;
  private readonly facts: Facts;
  private readonly prose: Prose;
  private openings?: Promise<Openings>;

  constructor(
    private readonly core: Core,
    private readonly packed: Packed,
    private readonly indices: Indices,
    private readonly gameName: string,
    private readonly title: string,
    /** A codec of the file's moves that the cores lack. */
    private readonly lacking?: string,
  ) {
    this.facts = new Facts(core);
    this.prose = new Prose(core, packed);
    this.people = new StaticPeople({
      packed, facts: this.facts, columns: (...columns) => this.columns(...columns),
      read: (rows, columns) => this.read(rows, columns), openings: () => this.named(),
    });
  }

  async about(): Promise<About> {
    const { name, records } = this.packed;
    return {
      name, game: this.gameName, title: this.title, records, files: [{ name, records }],
      indexed: this.indices.parts.length > 0, remark: this.indices.remark(name),
    };
  }

  async game(id: string): Promise<string> {
    const row = Number(id) - 1;
    if (!Number.isInteger(row) || row < 0 || row >= this.packed.records) {
      const { name, records } = this.packed;
      throw new Error(`there is no game ${id}: ${name} has games 1 to ${records}`);
    }
    const { group, at } = this.place(row);
    const [cells] = await this.packed.rows(group, at, at + 1, this.recordColumns());
    return read(await this.original(row, cells));
  }

  async tree(place: Place, filter: Filter, signal: AbortSignal, progress: Progress): Promise<Tree> {
    const position = this.position(place);
    const named = this.named();
    const { shared, decoded } = await this.reach(position, signal);
    const growth = new Growth();
    const candidates = new Map(decoded.map((game) => [game.row, game.candidates]));
    if (isFilter(filter)) {
      for (const { row, candidate } of (await Promise.all(shared.map((one) => one.all()))).flat()) {
        const known = candidates.get(row);
        if (known) known.push(candidate);
        else candidates.set(row, [candidate]);
      }
    } else {
      for (const { part, block } of shared) await this.share(growth, part, block);
    }
    const among = this.among([...candidates.keys()]);
    const games = this.survey(among, filter, "stored", FACTS, signal, progress);
    for await (const { row, fact, cells } of games) {
      if (passes(fact, cells, filter)) growth.game(row, fact, candidates.get(row) ?? []);
    }
    const openings = await named;
    return growth.finish(position, openings, this.openingOn(place, openings));
  }

  /** Names of openings; pages work without them, too. */
  private named(): Promise<Openings> {
    return (this.openings ??= openingsOf(this.core, this.gameName).catch(() => new Map()));
  }

  /** The last opening that has a name on the way to a position. */
  private openingOn({ fen, play = "" }: Place, openings: Openings): Opening | null {
    const moves = play ? play.split(",") : [];
    for (let plies = moves.length; plies >= 0; plies--) {
      const at = this.position({ fen, play: moves.slice(0, plies).join(",") });
      const named = openings.get(at.key());
      at.free();
      if (named) return named;
    }
    return null;
  }

  async games(
    filter: Filter, place: Place | undefined, sort: Sort, skip: number, limit: number,
    signal: AbortSignal, progress: Progress,
  ): Promise<Games> {
    const most = skip + limit;
    const headsOf = async (answers: Answer[]) => {
      const heads = await this.heads(answers, signal);
      answers.forEach(({ met }, at) => met && Object.assign(heads[at], { met, ply: met[0] }));
      return heads;
    };
    let told = Promise.resolve(0);
    const some = (done: number, found: Answer[]) => {
      // Their tags are read while the next games are searched, and never twice at once.
      const page = found.slice(skip, most);
      told = told.then(async (last) => {
        if (page.length > last) progress(done, { games: await headsOf(page) });
        return Math.max(last, page.length);
      });
      told.catch(() => undefined);
    };
    const { found, total, position } = await this.find(filter, place, sort, most, signal, progress, some);
    const page = found.slice(skip, most);
    await told;
    const games = await headsOf(page);
    // The moves after a pattern's match vary, so none are shown.
    if (position && !filter.pattern) {
      const [moves, coordinates] = [position.moves(), position.coordinates()];
      games.forEach((head, at) => {
        const { candidate = -1, ply } = page[at];
        head.ply = ply ?? null;
        head.move = moves[candidate] ?? null;
        head.coordinates = coordinates[candidate] ?? null;
      });
    }
    return { games, more: total === null ? found.length > most : total > most, total };
  }

  async count(
    filter: Filter, place: Place | undefined, signal: AbortSignal, progress: Progress,
  ): Promise<number | null> {
    // Moves of all games would have to be read.
    if (filter.pattern) return null;
    return (await this.find(filter, place, "stored", Infinity, signal, progress)).total;
  }

  async download(
    filter: Filter, place: Place | undefined, sort: Sort, signal: AbortSignal, progress: Progress,
  ): Promise<Blob> {
    const half: Progress = (done, ahead) => progress(done / 2, ahead);
    const { found } = await this.find(filter, place, sort, Infinity, signal, half);
    const parts: BlobPart[] = [];
    let ended: boolean | undefined;
    for (let at = 0; at < found.length; at += DOWNLOAD_ROWS) {
      signal.throwIfAborted();
      const rows = found.slice(at, at + DOWNLOAD_ROWS).map(({ row }) => row);
      const cells = await this.read(rows, this.recordColumns());
      for (const row of rows) {
        const bytes = await this.original(row, cells.get(row) ?? {});
        // The last game of an input often ends at once, which is not a separator before tags.
        if (ended === false && bytes[0] === 0x5b) parts.push("\n\n");
        const end = read(bytes.subarray(-3));
        ended = end.endsWith("\n\n") || end.endsWith("\n\r\n");
        parts.push(bytes.slice());
      }
      progress(0.5 + (at + rows.length) / found.length / 2);
    }
    return new Blob(parts, { type: "application/x-chess-pgn" });
  }

  private position({ fen, play = "" }: Place): Position {
    return new this.core.Position(this.gameName, fen || undefined, play.replaceAll(",", " "));
  }

  private place(row: number): { group: Group; at: number } {
    const group = this.packed.groups.findLast(({ start }) => start <= row);
    if (!group || row >= group.start + group.rows) {
      throw damaged(this.packed.name, new Error(`it has no row ${row + 1}`));
    }
    return { group, at: row - group.start };
  }

  /** The columns from which facts are read; in xiangqi a player is among the other tags. */
  private columns(...columns: string[]): string[] {
    return this.gameName === "chess" ? columns : [...columns, "tags"];
  }

  private recordColumns(): string[] {
    return this.packed.columns().filter((name) => !BESIDE.includes(name));
  }

  /** The games that reach a position: those of blocks proved by a line, and those decoded. */
  private async reach(position: Position, signal: AbortSignal): Promise<Reaching> {
    const told = await this.indices.look(position);
    signal.throwIfAborted();
    const shared: Shared[] = [];
    for (const one of told.shared) {
      const { block, part } = one;
      // Without a line, one of the games proves the position.
      const first = () => this.decode([part.row(block.best()[0])], position);
      const shows = part.reading(() => block.shows(position));
      if (shows ?? (await first()).length > 0) shared.push(one);
    }
    // The games of a false match may reach this position, too, and were counted then.
    const few = told.few.filter(({ part }) => !shared.some((one) => one.part === part));
    const rows = [...new Set(few.map(({ row }) => row))].sort((one, other) => one - other);
    return { shared, decoded: await this.decode(rows, position) };
  }

  /** Those of a few games that reach a position. */
  private async decode(rows: number[], position: Position): Promise<Decoded[]> {
    const cells = await Promise.all(rows.map(async (row) => {
      const { group, at } = this.place(row);
      return (await this.packed.rows(group, at, at + 1, ["moves"]))[0];
    }));
    const decoded: Decoded[] = [];
    for (const [at, row] of rows.entries()) {
      const built = this.row(this.core, cells[at]);
      try {
        const { games, candidates } = built.hits(position);
        if (games.length > 0) {
          decoded.push({ row, ply: games[0], candidates: [...new Set(candidates)] });
        }
      } catch (error) {
        throw this.unread(row, error);
      } finally {
        built.free();
      }
    }
    return decoded;
  }

  /** The values of these rows, each read with its neighbours. */
  private async read(rows: number[], columns: string[]): Promise<Map<number, Cells>> {
    const runs: { group: Group; from: number; to: number }[] = [];
    for (const row of [...rows].sort((one, other) => one - other)) {
      const { group, at } = this.place(row);
      const last = runs.at(-1);
      if (last?.group === group && at < last.to + NEAR_ROWS) last.to = at + 1;
      else runs.push({ group, from: at, to: at + 1 });
    }
    const cells = new Map<number, Cells>();
    await Promise.all(runs.map(async ({ group, from, to }) => {
      const read = await this.packed.rows(group, from, to, columns);
      read.forEach((one, at) => cells.set(group.start + from + at, one));
    }));
    return cells;
  }

  /** Adds the sums of a position shared by many games. */
  private async share(growth: Growth, part: Shared["part"], block: Block): Promise<void> {
    growth.share(block);
    const examples = block.examples();
    factsOf(examples).forEach((fact, at) => {
      growth.offer(part.row(examples.games[at]), fact, examples.candidates[at]);
    });
    if (examples.games.length > 0) return;
    const [best, visits] = [new Set(block.best()), block.first()];
    const candidates = new Map<number, number>();
    visits.games.forEach((game, at) => {
      const row = part.row(game);
      if (best.has(game) && !candidates.has(row)) candidates.set(row, visits.candidates[at]);
    });
    for (const [row, fact] of await this.indices.tell([...candidates.keys()])) {
      growth.offer(row, fact, candidates.get(row) ?? -1);
    }
  }

  /** Converts rows of the file to rows of its row groups. */
  private among(rows: number[]): Among[] {
    const ascending = [...rows].sort((one, other) => one - other);
    const groups: Among[] = [];
    for (const row of ascending) {
      const last = groups.at(-1);
      if (last?.rows && row < last.group.start + last.group.rows) {
        last.rows.push(row - last.group.start);
      } else {
        const { group, at } = this.place(row);
        groups.push({ group, rows: [at] });
      }
    }
    return groups;
  }

  /**
   * Reads the columns that a filter and an order need, a row group at a time, prefetching the next.
   */
  private async *survey(
    among: Among[], filter: Filter, sort: Sort, more: string[], signal: AbortSignal,
    progress: Progress,
  ): AsyncGenerator<Surveyed> {
    const columns = this.wanted(filter, sort, more);
    const told = isTold(filter, sort) && columns.length > 0;
    const read = async ({ group, rows }: Among) => {
      const absolute = rows?.map((row) => row + group.start);
      const heads = absolute && told ? this.indices.heads(absolute) : undefined;
      if (absolute && heads !== undefined && heads <= HEADS_WORTH) {
        const facts = await this.indices.tell(absolute);
        return absolute.flatMap((row) => {
          const fact = facts.get(row);
          return fact ? [{ row, fact, cells: {} }] : [];
        });
      }
      const [from, to] = rows ? [rows[0], (rows.at(-1) ?? 0) + 1] : [0, group.rows];
      const cells = await this.packed.rows(group, from, to, columns);
      const all = rows ?? cells.map((_, at) => at);
      return all.map((at) => {
        const one = cells[at - from];
        return { row: at + group.start, fact: this.facts.of(one), cells: one };
      });
    };
    let next = among.length > 0 ? read(among[0]) : undefined;
    for (let at = 0; next; at++) {
      const here = await next;
      signal.throwIfAborted();
      next = at + 1 < among.length ? read(among[at + 1]) : undefined;
      // A consumer that stops early does not wait for it.
      next?.catch(() => undefined);
      yield* here;
      progress((at + 1) / among.length);
    }
  }

  /** The columns in which facts are that a filter and an order need, and these. */
  private wanted(filter: Filter, sort: Sort, more: string[]): string[] {
    const columns = new Set([...more, ...columnsOf(filter), ...columnsFor(sort)]);
    return columns.size > 0 ? this.columns(...columns) : [];
  }

  /**
   * The requested games, in order: up to `most`, and one more if there is one. Those that match a
   * pattern are passed to `some` while others are searched.
   */
  private async find(
    filter: Filter, place: Place | undefined, sort: Sort, most: number, signal: AbortSignal,
    progress: Progress, some?: (done: number, found: Answer[]) => void,
  ): Promise<{ found: Answer[]; total: number | null; position?: Position }> {
    const position = place && this.position(place);
    if (filter.pattern) {
      const pattern = new (await patternCore()).Pattern(this.gameName, filter.pattern);
      try {
        return await this.findPattern(pattern, position, filter, sort, most, signal, progress, some);
      } finally {
        pattern.free();
      }
    }
    const plain = !isFilter(filter) && sort === "stored";
    const reached = position && (await this.reached(position, plain ? most : Infinity, signal));
    if (plain) {
      const total = reached?.total ?? this.packed.records;
      const count = Math.min(most, total);
      const all = () => Array.from({ length: count }, (_, row): Answer => ({ row }));
      return { found: reached ? reached.answers.slice(0, count) : all(), total, position };
    }
    const answers = new Map(reached?.answers.map((answer) => [answer.row, answer]));
    const all = () => this.packed.groups.map((group): Among => ({ group }));
    const among = reached ? this.among([...answers.keys()]) : all();
    const ranked: { rank: number; answer: Answer }[] = [];
    let complete = true;
    const games = this.survey(among, filter, sort, [], signal, progress);
    for await (const { row, fact, cells } of games) {
      if (!passes(fact, cells, filter)) continue;
      ranked.push({ rank: rank(fact, cells, sort), answer: answers.get(row) ?? { row } });
      if (sort === "stored" && ranked.length > most) {
        complete = false;
        break;
      }
    }
    // Equal ones keep their stored order.
    if (sort !== "stored") ranked.sort((one, other) => other.rank - one.rank);
    const found = ranked.map(({ answer }) => answer);
    return { found, total: complete ? found.length : null, position };
  }

  /** The games that match a pattern, as `find` does. */
  private async findPattern(
    pattern: Pattern, position: Position | undefined, filter: Filter, sort: Sort, most: number,
    signal: AbortSignal, progress: Progress, some?: (done: number, found: Answer[]) => void,
  ): Promise<{ found: Answer[]; total: number | null; position?: Position }> {
    const [left_out, limit] = [pattern.skip(), pattern.limit() ?? Infinity];
    const among = await this.amongOf(pattern, position, signal);
    const more = pattern.asks_result() ? ["Result"] : [];
    const columns = ["moves", ...this.wanted(filter, sort, more)];
    const bytes = among.reduce((sum, { group }) => sum + this.packed.bytes(group, columns), 0);
    progress(0, { bytes });
    const ranked: { rank: number; answer: Answer }[] = [];
    const found = () => ranked.slice(left_out, left_out + limit).map(({ answer }) => answer);
    const isEnough = () => sort === "stored" && ranked.length > left_out + Math.min(most, limit);
    const all = this.survey(among, filter, sort, more, signal, () => undefined);
    let [turn, showing] = [performance.now(), performance.now()];
    for await (const { games, moves } of this.withMoves(fitting(all, filter, pattern), signal)) {
      for (const { row, fact, cells } of games) {
        if (performance.now() - turn > TURN) {
          await new Promise((resolve) => setTimeout(resolve));
          signal.throwIfAborted();
          turn = performance.now();
          progress(row / this.packed.records);
        }
        const met = this.met(row, moves.get(row) ?? {}, pattern, fact.outcome);
        if (met) ranked.push({ rank: rank(fact, cells, sort), answer: { row, met } });
        if (isEnough()) break;
      }
      if (isEnough()) break;
      const done = (games.at(-1)?.row ?? 0) / this.packed.records;
      progress(done);
      if (sort === "stored" && performance.now() - showing > SHOWING) {
        showing = performance.now();
        some?.(done, found());
      }
    }
    // Equal ones keep their stored order.
    if (sort !== "stored") ranked.sort((one, other) => other.rank - one.rank);
    const whole = !isEnough() || ranked.length > left_out + limit;
    return { found: found(), total: whole ? found().length : null, position };
  }

  /** The games that may match a pattern, and reach a position if there is one. */
  private async amongOf(
    pattern: Pattern, position: Position | undefined, signal: AbortSignal,
  ): Promise<Among[]> {
    if (position) {
      const { answers } = await this.reached(position, Infinity, signal);
      return this.among(answers.map(({ row }) => row));
    }
    const rows = await this.indices.rowsOf(pattern);
    signal.throwIfAborted();
    if (!rows) return this.packed.groups.map((group) => ({ group }));
    const among = [...this.among(rows), ...this.indices.uncovered.map((group): Among => ({ group }))];
    return among.sort((one, other) => one.group.start - other.group.start);
  }

  /** Games with their moves, some at a time; the next ones are fetched meanwhile. */
  private async *withMoves(
    all: AsyncIterable<Surveyed>, signal: AbortSignal,
  ): AsyncGenerator<{ games: Surveyed[]; moves: Map<number, Cells> }> {
    const read = async (games: Surveyed[]) => {
      return { games, moves: await this.read(games.map(({ row }) => row), ["moves"]) };
    };
    let [ready, games]: [ReturnType<typeof read> | undefined, Surveyed[]] = [undefined, []];
    for await (const game of all) {
      if (games.length > 0 && game.row - games[0].row >= MOVES_ROWS) {
        const next = read(games);
        // A consumer that stops early does not wait for it.
        next.catch(() => undefined);
        games = [];
        if (ready) yield await ready;
        ready = next;
        signal.throwIfAborted();
      }
      games.push(game);
    }
    const last = games.length > 0 ? read(games) : undefined;
    last?.catch(() => undefined);
    if (ready) yield await ready;
    if (last) yield await last;
  }

  /** Where a game meets a pattern; undefined if it does not. */
  private met(row: number, cells: Cells, pattern: Pattern, outcome: number): number[] | undefined {
    const built = this.row(this.core, cells);
    try {
      const candidates = built.candidates();
      const start = (cells.moves as Line | null | undefined)?.start ?? undefined;
      const met = candidates && pattern.met(start, candidates, outcome);
      return met && [...met];
    } catch (error) {
      throw this.unread(row, error);
    } finally {
      built.free();
    }
  }

  /** The games that reach a position, ascending: all, or the first `most`. */
  private async reached(
    position: Position, most: number, signal: AbortSignal,
  ): Promise<{ answers: Answer[]; total: number }> {
    const { shared, decoded } = await this.reach(position, signal);
    const answers = new Map<number, Answer>();
    let total = decoded.length;
    for (const one of shared) {
      total += one.block.records();
      const first = one.part.visits(one.block.first());
      const visits = most < first.length ? first : await one.all();
      for (const { row, candidate } of visits) {
        if (!answers.has(row)) answers.set(row, { row, candidate });
      }
    }
    for (const { row, ply, candidates } of decoded) {
      answers.set(row, { row, ply, candidate: candidates[0] });
    }
    return { answers: [...answers.values()].sort((one, other) => one.row - other.row), total };
  }

  /** These games as entries of a list. */
  private async heads(answers: Answer[], signal: AbortSignal): Promise<Head[]> {
    const rows = answers.map(({ row }) => row);
    const sparse = new Set(rows.map((row) => this.place(row).group)).size > GROUPS_SHOWN;
    const covered = sparse && this.indices.heads(rows) !== undefined;
    const told = covered ? this.indices.tell(rows) : undefined;
    const cells = await this.read(rows, told ? SPARSE : this.columns(...SHOWN));
    const facts = await told;
    const heads = rows.map((row) => {
      const one = cells.get(row) ?? {};
      return shown(row, facts?.get(row) ?? this.facts.of(one), one);
    });
    // A code alone says little.
    const bare = heads.filter(({ eco, opening }) => eco && !opening);
    const openings = bare.length > 0 ? await this.named() : new Map();
    for (const head of bare) head.opening = nameOfCode(openings, head.eco!.slice(0, 3).toUpperCase());
    signal.throwIfAborted();
    return heads;
  }

  /** A record's bytes; if the core for chess does not suffice, from the full one. */
  private async original(row: number, cells: Cells): Promise<Uint8Array> {
    const { group, at } = this.place(row);
    const whole = await this.prose.restored(group, at, cells);
    const coded = SERIES.some((name) => whole[name] !== undefined && whole[name] !== null);
    const by = async (core: Core) => {
      if (coded) await withSeries(core);
      const built = this.row(core, whole);
      try {
        return built.original(Number(whole.checksum));
      } finally {
        built.free();
      }
    };
    try {
      return await by(this.core);
    } catch (error) {
      const full = await fullCore();
      try {
        if (full !== this.core) return await by(full);
      } catch (other) {
        throw this.unread(row, other);
      }
      throw this.unread(row, error);
    }
  }

  /** The error for a game that cannot be decoded. */
  private unread(row: number, error: unknown): Error {
    const why = this.lacking
      ? `its moves need the tables of ${this.lacking}, which are too large for a page: pack the ` +
        "games for the web with `plypack pack --codec line.link --index`"
      : (error as Error).message;
    return new Error(`game ${row + 1} of ${this.packed.name}: ${why}`);
  }

  /** Converts a row for a core. */
  private row(core: Core, cells: Cells): Row {
    const row = new core.Row();
    for (const [name, cell] of Object.entries(cells)) {
      if (cell === null || cell === undefined) continue;
      const take = TAKEN[name];
      if (take) take(row, cell);
      else if (typeof cell === "number") row.number(name, cell);
      else if (typeof cell === "string") row.tag(name, cell);
    }
    return row;
  }
}

type Coded = { codec?: string; code?: Uint8Array };
type Line = Coded & { start?: string | null; plies?: number };
type Note = { skip: number; kind: string; text?: string; plies?: number; code?: Uint8Array };

const series = (column: number) => (row: Row, cell: unknown) => {
  const { codec, code } = cell as Coded;
  if (codec !== undefined && code) row.series(column, codec, code);
};

/** The setters of a row for columns that are not tags. */
const TAKEN: Record<string, ((row: Row, cell: unknown) => void) | undefined> = {
  tags: (row, cell) => {
    const { key_value } = cell as { key_value?: { key: string; value?: string }[] };
    for (const { key, value } of key_value ?? []) row.tag(key, value ?? "");
  },
  tag_order: (row, cell) => row.order(cell as string),
  layout: (row, cell) => row.layout(cell as string),
  templates: (row, cell) => row.templates(cell as string),
  checksum: () => undefined,
  patch: (row, cell) => row.patch(cell as Uint8Array),
  verbatim: (row, cell) => row.verbatim(cell as Uint8Array),
  annotations: (row, cell) => {
    for (const { skip, kind, text, plies, code } of cell as Note[]) {
      row.annotation(skip, kind, text ?? "", plies ?? 0, code);
    }
  },
  moves: (row, cell) => {
    const { codec, start, plies, code } = cell as Line;
    if (codec !== undefined && plies !== undefined && code) {
      row.line(codec, start ?? undefined, plies, code);
    }
  },
  clocks: series(0),
  evals: series(1),
  reviews: series(2),
  fields: series(3),
};

/** A tree under construction. */
class Growth {
  private records = 0;
  private readonly sums = new Map<number, Tally>();
  private best: { rank: [number, number, number]; head: Head; candidate: number }[] = [];

  /** Adds the sums of a position shared by many games. */
  share(block: Block): void {
    this.records += block.records();
    const [candidates, sums] = [block.candidates(), block.sums()];
    candidates.forEach((candidate, at) => {
      merge(this.sum(candidate), sums.subarray(at * 7, at * 7 + 7));
    });
  }

  /** Adds a game, which counts once for each of these candidates. */
  game(row: number, fact: Fact, candidates: number[]): void {
    this.records++;
    for (const candidate of candidates) add(this.sum(candidate), fact);
    this.offer(row, fact, candidates[0]);
  }

  private sum(candidate: number): Tally {
    const known = this.sums.get(candidate);
    if (known) return known;
    const tally: Tally = [0, 0, 0, 0, 0, 0, 0];
    this.sums.set(candidate, tally);
    return tally;
  }

  /** Keeps a game if it is among the best-rated, the latest of equals. */
  offer(row: number, fact: Fact, candidate: number): void {
    const rank: [number, number, number] = [meanOf(fact), fact.year, -row];
    this.best.push({ rank, head: headOf(row, fact), candidate });
    this.best.sort(({ rank: one }, { rank: other }) =>
      other[0] - one[0] || other[1] - one[1] || other[2] - one[2]);
    this.best.length = Math.min(this.best.length, EXAMPLES);
  }

  /** Completes the tree of a position in this opening, with these names. */
  finish(position: Position, openings: Openings, opening: Opening | null): Tree {
    const [moves, coordinates] = [position.moves(), position.coordinates()];
    const all: Tally = [0, 0, 0, 0, 0, 0, 0];
    for (const tally of this.sums.values()) merge(all, tally);
    // The results of all moves are summed; a game may play two moves here.
    all[0] = this.records;
    const played = [...this.sums].filter(([candidate]) => candidate >= 0);
    played.sort(([one, its], [other, others]) => others[0] - its[0] || one - other);
    const behind = position.keys();
    const texts = (candidate: number) => ({
      move: moves[candidate] ?? "", coordinates: coordinates[candidate] ?? "",
    });
    return {
      ...sumOf(all),
      position: position.text(),
      opening,
      moves: played.map(([at, tally]): TreeMove => ({
        ...texts(at), ...sumOf(tally), opening: openings.get(behind[at]) ?? null,
      })),
      ended: sumOf(this.sums.get(-1) ?? [0, 0, 0, 0, 0, 0, 0]) satisfies Sum,
      examples: this.best.map(({ head, candidate }) => ({
        ...head, move: moves[candidate] ?? null, coordinates: coordinates[candidate] ?? null,
      })),
    };
  }
}

/** Those of some games that pass a filter, and whose results a pattern admits. */
async function* fitting(
  games: AsyncIterable<Surveyed>, filter: Filter, pattern: Pattern,
): AsyncGenerator<Surveyed> {
  const asks = pattern.asks_result();
  for await (const game of games) {
    if (passes(game.fact, game.cells, filter) && (!asks || pattern.may_end(game.fact.outcome))) yield game;
  }
}

function isFilter(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== "");
}

/** The bytes of a record as text; if they are not UTF-8, each byte becomes a letter. */
function read(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}
