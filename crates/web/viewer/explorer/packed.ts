// A packed file, read column by column: selects the parts that a request needs, and returns rows.

import { decompress } from "fzstd";
import {
  type AsyncBuffer, type ColumnChunk, type FileMetaData, parquetMetadata, parquetRead,
  type RowGroup, type SchemaElement,
} from "hyparquet";
import { readOffsetIndex } from "hyparquet/src/indexes.js";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { checkFooter, checkPages, CHECKS_BYTES, crc32 } from "./checks";
import type { Remote } from "./remote";

/** The format version that this page reads. */
const FORMAT = "1";

/** The part of a file's end that is fetched first; its metadata is there. */
const TAIL_BYTES = 64 << 10;

/** The maximum size of a page: a record has at most 16 MiB, and a page may have one more. */
const PAGE_BYTES = 64 << 20;

/** The values of a row, by column. Empty columns are missing. */
export type Cells = Record<string, unknown>;

/** A row group of games. */
export interface Group {
  /** Its first row, counted from 0 over the file. */
  start: number;
  rows: number;
  metadata: RowGroup;
  /** The description by which an index identifies it, before hashing. */
  described: Uint8Array;
}

/** A packed file of games. */
export class Packed {
  private constructor(
    private readonly remote: Remote,
    private readonly metadata: FileMetaData,
    readonly groups: Group[],
    /** The end of the pages, where the page index begins. */
    private readonly end: number,
  ) {}

  get name(): string {
    return this.remote.name;
  }

  get records(): number {
    return this.groups.reduce((sum, group) => sum + group.rows, 0);
  }

  /** Reads the metadata of a file. */
  static async open(remote: Remote): Promise<Packed> {
    const { checks, tail } = await metadataOf(remote);
    const whole = reading(remote.name, () => parquetMetadata(tail, { geoparquet: false }));
    const said = new Map(whole.key_value_metadata?.map(({ key, value }) => [key, value]));
    const format = said.get("plypack.format");
    if (format === undefined) {
      throw new Error(`${remote.name} is not a packed file: make one with \`plypack pack\``);
    }
    if (format !== FORMAT) {
      throw new Error(
        `${remote.name} has version ${format} of the format, but this page reads ${FORMAT}: ` +
          (format === "0" ? "pack its games again" : "make the page anew, with a newer plypack"),
      );
    }
    if (!whole.schema.some((element) => element.name === "moves")) {
      throw new Error(`${remote.name} holds positions, not games: pack games to explore them`);
    }
    if (!whole.created_by?.startsWith("plypack")) {
      throw new Error(
        `${remote.name} is a copy by another tool, without checksums: \`plypack merge ` +
          `${remote.name} -o OUTPUT\` makes a file that this page reads`,
      );
    }
    const sum = reading(remote.name, () => checkFooter(checks, tail));
    const groups = reading(remote.name, () => groupsOf(whole, tail, said.get("plypack.groups")));
    const until = remote.size - tail.length - CHECKS_BYTES;
    const end = indexStart(whole) ?? until;
    const index = await remote.slice(end, until);
    if (crc32(index) !== sum) {
      throw damaged(remote.name, new Error("the index of its pages has another checksum"));
    }
    return new Packed(remote, whole, groups, end);
  }

  /** The least and the greatest value of a column, of each row group that has them. */
  bounds(path: string): string[] {
    return this.groups.flatMap(({ metadata }) => {
      const told = chunkOf(metadata, path)?.meta_data?.statistics;
      const bounds = [told?.min_value ?? told?.min, told?.max_value ?? told?.max];
      return bounds.filter((bound): bound is string => typeof bound === "string");
    });
  }

  /** The names of its columns. */
  columns(): string[] {
    const names = this.metadata.row_groups.flatMap(({ columns }) =>
      columns.map((chunk) => chunk.meta_data?.path_in_schema[0] ?? ""));
    return [...new Set(names)];
  }

  /** Reads rows `from` to `to` (exclusive) of a row group, with those of the columns that exist. */
  async rows(
    group: Group, from: number, to: number, columns: string[],
  ): Promise<Cells[]> {
    const holds = (chunk: ColumnChunk) => isWanted(chunk, columns) && !isEmpty(chunk);
    const kept = group.metadata.columns.filter(holds);
    if (!kept.length) return Array.from({ length: to - from }, () => ({}));
    const paths = new Set(kept.map((chunk) => chunk.meta_data!.path_in_schema.join(".")));
    const metadata: FileMetaData = {
      ...this.metadata,
      schema: narrow(this.metadata.schema, paths),
      num_rows: BigInt(group.rows),
      row_groups: [{ ...group.metadata, columns: kept }],
    };
    let rows: Cells[] = [];
    try {
      await parquetRead({
        file: this.file(), metadata, rowStart: from, rowEnd: to, rowFormat: "object", utf8: false,
        useOffsetIndex: true, geoparquet: false,
        compressors: { ZSTD: unzip },
        parsers: { dateFromDays: (days: number) => days },
        onComplete: (read) => (rows = read),
      });
    } catch (error) {
      throw damaged(this.name, error);
    }
    if (rows.length !== to - from) throw damaged(this.name, new Error("rows are missing"));
    return rows;
  }

  /** The bytes of these columns in a row group, as stored. */
  bytes({ metadata }: Group, columns: string[]): number {
    const held = metadata.columns.filter((chunk) => isWanted(chunk, columns));
    return held.reduce((sum, { meta_data: told }) => sum + Number(told?.total_compressed_size ?? 0), 0);
  }

  /** The first rows of the pages of a column; only 0 in a file without an index of pages. */
  async pages(group: Group, path: string): Promise<number[]> {
    const chunk = chunkOf(group.metadata, path);
    const { offset_index_offset: offset, offset_index_length: length } = chunk ?? {};
    if (offset === undefined || length === undefined) return [0];
    const bytes = await this.remote.slice(Number(offset), Number(offset) + length);
    return reading(this.name, () => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const { page_locations: pages } = readOffsetIndex({ view, offset: 0 });
      return pages.map(({ first_row_index: first }) => Number(first));
    });
  }

  private file(): AsyncBuffer {
    return {
      byteLength: this.remote.size,
      slice: async (start, end = this.remote.size) => {
        const bytes = await this.remote.slice(start, end);
        // Reads are of whole pages, or of the page index, which was checked.
        if (start < this.end) checkPages(bytes);
        return bytes.slice().buffer as ArrayBuffer;
      },
    };
  }
}

/** Decompresses a page of the stated size, if that is allowed. */
function unzip(input: Uint8Array, length: number): Uint8Array {
  if (length > PAGE_BYTES) throw new Error("a page is larger than any that plypack writes");
  const output = decompress(input, new Uint8Array(length));
  if (output.length !== length) throw new Error("a page has another length");
  return output;
}

/** The beginning of the page index, if there is one. */
function indexStart(whole: FileMetaData): number | undefined {
  const chunks = whole.row_groups.flatMap(({ columns }) => columns);
  const places = chunks.flatMap(({ offset_index_offset: place }) => place ? [Number(place)] : []);
  return places.length ? places.reduce((one, other) => Math.min(one, other)) : undefined;
}

/** The end of a file, from its metadata on, and the checksums before that. */
async function metadataOf(remote: Remote): Promise<{ checks: Uint8Array; tail: Uint8Array }> {
  const { size, name } = remote;
  const from = Math.max(0, size - TAIL_BYTES);
  const tail = await remote.slice(from, size);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  if (size < 12 || view.getUint32(tail.length - 4, true) !== 0x31524150) {
    throw new Error(
      `${name} is not a packed file, or is truncated: upload it again, or make one with ` +
        "`plypack pack`",
    );
  }
  const length = view.getUint32(tail.length - 8, true) + 8 + CHECKS_BYTES;
  if (length > size) throw damaged(name, new Error("its metadata is longer than the file"));
  let whole = tail.subarray(tail.length - length);
  if (length > tail.length) {
    whole = new Uint8Array(length);
    whole.set(await remote.slice(size - length, from));
    whole.set(tail, from - (size - length));
  }
  return { checks: whole.subarray(0, CHECKS_BYTES), tail: whole.subarray(CHECKS_BYTES) };
}

/** The row groups of a file, with their descriptions for indices. */
function groupsOf(whole: FileMetaData, tail: Uint8Array, sums: string | undefined): Group[] {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const raw = deserializeTCompactProtocol({ view, offset: 0 }) as unknown as RawMetadata;
  const checksums = sums?.split(" ") ?? [];
  let start = 0;
  return whole.row_groups.map((metadata, at) => {
    const rows = Number(metadata.num_rows);
    if (!(rows >= 0 && rows < 2 ** 31)) throw new Error("a row group has an impossible size");
    const described = describe(raw.field_4[at], checksums[at]);
    start += rows;
    return { start: start - rows, rows, metadata, described };
  });
}

/** The parts of Parquet's metadata that distinguish row groups, as stored. */
interface RawMetadata {
  field_4: RawGroup[];
}

interface RawGroup {
  field_1: { field_3: RawColumn }[];
  field_3: bigint;
}

interface RawColumn {
  field_3: Uint8Array[];
  field_5: bigint;
  field_6: bigint;
  field_7: bigint;
  field_12?: {
    field_1?: Uint8Array;
    field_2?: Uint8Array;
    field_3?: bigint;
    field_5?: Uint8Array;
    field_6?: Uint8Array;
  };
}

/** The description of a row group whose hash is its id; see `group_id` of the store. */
function describe(group: RawGroup, checksum: string | undefined): Uint8Array {
  const parts: Uint8Array[] = [];
  const number = (value: bigint) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, true);
    parts.push(bytes);
  };
  const bytes = (value: Uint8Array = new Uint8Array()) => {
    number(BigInt(value.length));
    parts.push(value);
  };
  number(group.field_3);
  number(checksum === undefined ? -1n : BigInt(Number.parseInt(checksum, 16)));
  for (const { field_3: column } of group.field_1) {
    const path = column.field_3.map((name) => new TextDecoder().decode(name)).join(".");
    bytes(new TextEncoder().encode(path));
    const told = column.field_12;
    for (const size of [column.field_7, column.field_6, column.field_5, told?.field_3 ?? -1n]) {
      number(size);
    }
    bytes(told?.field_6 ?? told?.field_2);
    bytes(told?.field_5 ?? told?.field_1);
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function chunkOf(group: RowGroup, path: string): ColumnChunk | undefined {
  return group.columns.find((chunk) => chunk.meta_data?.path_in_schema.join(".") === path);
}

/** Whether a chunk belongs to one of these columns, named with or without their parents. */
function isWanted(chunk: ColumnChunk, columns: string[]): boolean {
  const path = chunk.meta_data?.path_in_schema.join(".") ?? "";
  return columns.some((column) => path === column || path.startsWith(`${column}.`));
}

/** Whether a chunk is empty according to its statistics. */
function isEmpty(chunk: ColumnChunk): boolean {
  const nulls = chunk.meta_data?.statistics?.null_count;
  return nulls !== undefined && nulls === chunk.meta_data?.num_values;
}

/** A schema with only these columns. */
function narrow(schema: SchemaElement[], paths: Set<string>): SchemaElement[] {
  let at = 0;
  const take = (above: string[]): SchemaElement[] => {
    const element = schema[at++];
    if (!element) throw new Error("its schema is cut off");
    const here = at === 1 ? [] : [...above, element.name];
    if (!element.num_children) return paths.has(here.join(".")) ? [element] : [];
    const within: SchemaElement[][] = [];
    for (let child = 0; child < element.num_children; child++) {
      within.push(take(here));
    }
    const kept = within.filter((child) => child.length > 0);
    if (!kept.length) return [];
    // As a list, a map keeps its order and duplicate names.
    const converted_type = element.converted_type === "MAP" ? undefined : element.converted_type;
    return [{ ...element, converted_type, num_children: kept.length }, ...kept.flat()];
  };
  return take([]);
}

/** Runs `act`, which fails if a file is damaged. */
function reading<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw damaged(name, error);
  }
}

/** The message for an unreadable file; errors of its host keep their own words. */
export function damaged(name: string, error: unknown): Error {
  const why = (error as Error).message ?? String(error);
  if (why.includes(name)) return error as Error;
  return new Error(`${name} is damaged (${why}): upload it again, and try \`plypack verify\``);
}
