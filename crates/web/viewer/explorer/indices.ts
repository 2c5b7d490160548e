// The position indices beside a packed file: which games reach a position, and their sums. The
// compiled core parses their bytes; this file fetches them.

import type { Pattern } from "pattern-glue";
import type { Block, Core, Index, Position, Told as Games } from "./core";
import type { Fact } from "./facts";
import type { Group, Packed } from "./packed";
import { Missing, Remote } from "./remote";

/** The maximum number of indices beside one file. */
const PARTS_MAX = 8;

/** The number of bytes from the end of an index that are fetched first. */
const TAIL_BYTES = 64 << 10;

/** The place of a row group's games: its first game in the index, and its first row. */
interface Place {
  game: number;
  group: Group;
}

/** A position shared by many games, whose whole key was compared. */
export interface Shared {
  part: Part;
  block: Block;
  /** All of its games; the first of them are in the block's head. */
  all(): Promise<Visit[]>;
}

/** A game that reaches a position. */
export interface Visit {
  row: number;
  /** The candidate played there; -1 if the game ends. */
  candidate: number;
}

/** The answer of the indices for a position. */
export interface Told {
  /** Rows that have to be decoded: any may be a false match. */
  few: { part: Part; row: number }[];
  shared: Shared[];
}

/** An open index. */
export class Part {
  constructor(
    private readonly remote: Remote,
    private readonly index: Index,
    private readonly places: Place[],
  ) {}

  /** The row of a game in the file. */
  row(game: number): number {
    const place = this.places.findLast((place) => place.game <= game);
    if (!place) throw new Error(`${this.remote.name} is damaged: rebuild it`);
    return place.group.start + game - place.game;
  }

  /** The game of a row covered by the index. */
  private gameOf(row: number): number {
    const has = ({ start, rows }: Group) => row >= start && row < start + rows;
    const place = this.places.find(({ group }) => has(group));
    if (!place) throw new Error(`${this.remote.name} does not cover game ${row + 1}`);
    return place.game + row - place.group.start;
  }

  /** The number of ranges to read for the heads of these rows, which it covers. */
  heads(rows: number[]): number {
    return new Set(rows.map((row) => this.index.heads(this.gameOf(row))[0])).size;
  }

  /** Reads the players, date and result of the games in these rows, which it covers. */
  async tell(rows: number[], told: Map<number, Fact>): Promise<void> {
    const ranges = new Map<bigint, { end: bigint; rows: number[] }>();
    for (const row of rows) {
      const [start, end] = this.index.heads(this.gameOf(row));
      const known = ranges.get(start);
      if (known) known.rows.push(row);
      else ranges.set(start, { end, rows: [row] });
    }
    await Promise.all(Array.from(ranges, async ([start, { end, rows }]) => {
      const heads = await this.remote.slice(Number(start), Number(end));
      const games = Uint32Array.from(rows, (row) => this.gameOf(row));
      const facts = factsOf(this.reading(() => this.index.tell(games, heads)));
      facts.forEach((fact, at) => told.set(rows[at], fact));
    }));
  }

  /** Whether it covers this row. */
  covers(row: number): boolean {
    return this.places.some(({ group }) => row >= group.start && row < group.start + group.rows);
  }

  async look(position: Position, told: Told): Promise<void> {
    const key = position.key();
    const [start, end] = this.index.page(position);
    const page = await this.remote.slice(Number(start), Number(end));
    const { few, blocks } = this.reading(() => this.index.find(position, page, start));
    for (const game of few) told.few.push({ part: this, row: this.row(game) });
    const heads: Promise<void>[] = [];
    for (let at = 0; at < blocks.length; at += 3) {
      heads.push(this.head(key, blocks.subarray(at, at + 3), told));
    }
    await Promise.all(heads);
  }

  private async head(key: bigint, range: BigUint64Array, told: Told): Promise<void> {
    const [start, headEnd, end] = [...range].map(Number);
    const head = await this.remote.slice(start, headEnd);
    const block = this.reading(() => this.index.block(key, head));
    if (!block) return;
    const all = async () => {
      const whole = block.is_whole() ? undefined : await this.remote.slice(start, end);
      return this.visits(this.reading(() => (whole ? block.all(whole) : block.first())));
    };
    told.shared.push({ part: this, block, all });
  }

  /** The rows that may match a pattern by what is left at their ends. */
  async rowsLeaving(pattern: Pattern): Promise<number[]> {
    const ranges = this.index.remains();
    let first = 0;
    const rows: number[] = [];
    const blocks = await Promise.all(pairs(ranges).map(([start, end]) => this.remote.slice(start, end)));
    blocks.forEach((block, number) => {
      const left = this.reading(() => this.index.left(number, block));
      for (const place of pattern.may_leave(left)) rows.push(this.row(first + place));
      first += left.length;
    });
    return rows;
  }

  /** The rows that may come to a frame. */
  async rowsOf(frame: bigint): Promise<number[]> {
    const games = await Promise.all(pairs(this.index.frame_pages(frame)).map(async ([start, end]) => {
      const page = await this.remote.slice(start, end);
      const { few, blocks } = this.reading(() => this.index.find_frame(frame, page, BigInt(start)));
      const whole: Promise<Uint32Array>[] = [];
      for (let at = 0; at < blocks.length; at += 3) {
        const block = this.remote.slice(Number(blocks[at]), Number(blocks[at + 2]));
        whole.push(block.then((bytes) => this.reading(() => this.index.block_games(bytes))));
      }
      return [few, ...(await Promise.all(whole))].flatMap((games) => [...games]);
    }));
    return games.flat().map((game) => this.row(game));
  }

  visits({ games, candidates }: { games: Uint32Array; candidates: Int32Array }): Visit[] {
    return Array.from(games, (game, at) => ({ row: this.row(game), candidate: candidates[at] }));
  }

  /** Reads bytes of the index. */
  reading<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(`${this.remote.name}: ${why}; rebuild it with \`plypack index -f\``);
    }
  }
}

/** The indices of a file. */
export class Indices {
  private constructor(
    readonly parts: Part[],
    /** The row groups that no index covers. */
    readonly uncovered: Group[],
    /** Why there are no indices, or why some are not used. */
    readonly why: string,
  ) {}

  /** Opens the indices beside a packed file. */
  static async open(core: Core, packed: Packed, url: string): Promise<Indices> {
    let free = packed.groups.map((group) => ({ group, id: idOf(core, group) }));
    const parts: Part[] = [];
    let why = "";
    for (let number = 0; number < PARTS_MAX && free.length > 0; number++) {
      let remote: Remote;
      try {
        remote = await Remote.open(partUrl(url, number));
      } catch (error) {
        if (!(error instanceof Missing)) why = (error as Error).message;
        else if (number === 0) {
          why =
            `there is no index of positions beside ${packed.name}: make one with \`plypack index ` +
            `${packed.name}\`, and put ${nameOf(url)} beside it`;
        }
        break;
      }
      try {
        const index = await openIndex(core, remote);
        const [ids, games] = [index.ids(), index.games()];
        const left = [...free];
        const places: Place[] = [];
        let game = 0;
        games.forEach((count, at) => {
          const id = hex(ids.subarray(at * 16, at * 16 + 16));
          const found = left.findIndex((one) => one.id === id && one.group.rows === count);
          if (found < 0) throw new Error(stale(remote.name, packed.name));
          places.push({ game, group: left.splice(found, 1)[0].group });
          game += count;
        });
        free = left;
        parts.push(new Part(remote, index, places));
      } catch (error) {
        why = (error as Error).message;
      }
    }
    return new Indices(parts, free.map(({ group }) => group), why);
  }

  /** The remark shown if they do not cover all games of a file. */
  remark(packed: string): string | undefined {
    const left = this.uncovered.reduce((sum, group) => sum + group.rows, 0);
    if (left === 0 || this.parts.length === 0) return this.why || undefined;
    return (
      `${left} games of ${packed} are in no index, and not counted at a position: build one of ` +
      `all with \`plypack index -f ${packed}\``
    );
  }

  /**
   * The number of ranges to read for the heads of these rows; undefined if a row is not covered.
   */
  heads(rows: number[]): number | undefined {
    if (!rows.every((row) => this.parts.some((part) => part.covers(row)))) return undefined;
    const parts = this.parts.map((part) => part.heads(rows.filter((row) => part.covers(row))));
    return parts.reduce((sum, count) => sum + count, 0);
  }

  /** Reads the heads of the games in these rows, all of which are covered. */
  async tell(rows: number[]): Promise<Map<number, Fact>> {
    const told = new Map<number, Fact>();
    const its = (part: Part) => rows.filter((row) => part.covers(row));
    await Promise.all(this.parts.map((part) => part.tell(its(part), told)));
    return told;
  }

  /**
   * The rows that may match a pattern, ascending, of row groups that are covered; undefined if the
   * indices do not tell.
   */
  async rowsOf(pattern: Pattern): Promise<number[] | undefined> {
    const frames = pattern.frames();
    if (!this.parts.length || (!frames && !pattern.asks_remains())) return undefined;
    const rows = await Promise.all(this.parts.map(async (part) => frames
      ? (await Promise.all([...frames].map((frame) => part.rowsOf(frame)))).flat()
      : part.rowsLeaving(pattern)));
    return [...new Set(rows.flat())].sort((one, other) => one - other);
  }

  /** Looks up a position. */
  async look(position: Position): Promise<Told> {
    if (!this.parts.length) throw new Error(this.why || "no index covers these games");
    const told: Told = { few: [], shared: [] };
    await Promise.all(this.parts.map((part) => part.look(position, told)));
    return told;
  }
}

/** Ranges whose beginnings and ends alternate. */
function pairs(ends: BigUint64Array): [number, number][] {
  return Array.from({ length: ends.length / 2 }, (_, at) => [Number(ends[2 * at]), Number(ends[2 * at + 1])]);
}

/** Converts heads from an index to facts. */
export function factsOf({ whites, blacks, facts }: Games): Fact[] {
  return whites.map((white, at) => {
    const [white_rating, black_rating, year, outcome] = facts.subarray(at * 4, at * 4 + 4);
    return { white, black: blacks[at], white_rating, black_rating, year, outcome };
  });
}

async function openIndex(core: Core, remote: Remote): Promise<Index> {
  const size = BigInt(remote.size);
  const cured = ({ message }: Error) =>
    new Error(`${remote.name}: ${message}; rebuild it with \`plypack index -f\``);
  const from = Math.max(0, remote.size - TAIL_BYTES);
  let tail = await remote.slice(from, remote.size);
  try {
    const needs = Number(core.Index.needs(size, tail));
    if (needs) {
      const rest = await remote.slice(needs, from);
      const whole = new Uint8Array(rest.length + tail.length);
      whole.set(rest);
      whole.set(tail, rest.length);
      tail = whole;
    }
    return new core.Index(size, tail);
  } catch (error) {
    throw cured(error as Error);
  }
}

/** The message for an index of another file. */
function stale(index: string, packed: string): string {
  return (
    `${index} is an index of other games than those of ${packed}: rebuild it with ` +
    `\`plypack index -f ${packed}\`, and upload both`
  );
}

/** The URL of the index of a packed file, or of another part of it, counted from 0. */
function partUrl(url: string, part: number): string {
  const whole = new URL(url);
  const end = part === 0 ? ".plyindex" : `.plyindex${part + 1}`;
  whole.pathname = whole.pathname.replace(/(\.[^./]*)?$/, end);
  return whole.href;
}

function nameOf(url: string): string {
  return decodeURIComponent(new URL(partUrl(url, 0)).pathname.split("/").pop() ?? "");
}

/** The id of a row group in indices. */
function idOf(core: Core, group: Group): string {
  return hex(core.sha256(group.described).subarray(0, 16));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
