// The texts of annotations, coded in blocks of consecutive rows: a block's last row has the code.

import type { Core } from "./core";
import { type Cells, damaged, type Group, type Packed } from "./packed";

/** What a block is decoded from. */
const COLUMNS = ["annotations.list.element.text", "prose", "checksum"];

type Note = { text?: string | null };

/** A block: its first row in the row group, and the texts of each row. */
interface Block {
  start: number;
  texts: string[][];
}

/** Restores texts, keeping the last block. */
export class Prose {
  private kept?: { group: Group; start: number; end: number; block: Promise<Block> };

  constructor(private readonly core: Core, private readonly packed: Packed) {}

  /** A row of a row group with its texts. */
  async restored(group: Group, at: number, cells: Cells): Promise<Cells> {
    const notes = notesOf(cells);
    if (!notes.some(isCoded)) return cells;
    const { start, texts } = await this.block(group, at);
    const mine = (texts[at - start] ?? []).values();
    const annotations = notes.map((note) =>
      isCoded(note) ? { ...note, text: mine.next().value } : note);
    return { ...cells, annotations };
  }

  /** The blocks of the page that has a row: one, or in a small file all. */
  private async block(group: Group, at: number): Promise<Block> {
    const { kept } = this;
    if (kept?.group === group && kept.start <= at && at < kept.end) return kept.block;
    const pages = await this.packed.pages(group, "prose");
    const start = pages.findLast((first) => first <= at) ?? 0;
    const end = pages.find((first) => first > at) ?? group.rows;
    const block = this.read(group, start, end);
    this.kept = { group, start, end, block };
    return block;
  }

  private async read(group: Group, start: number, end: number): Promise<Block> {
    const rows = await this.packed.rows(group, start, end, COLUMNS);
    const texts: string[][] = [];
    let counts: number[] = [];
    let checksums: number[] = [];
    for (const cells of rows) {
      const count = notesOf(cells).filter(isCoded).length;
      counts.push(count);
      if (count > 0) checksums.push(Number(cells.checksum));
      const code = cells.prose as Uint8Array | null | undefined;
      if (!code) continue;
      if (checksums.length > 0) texts.push(...this.decode(code, checksums, counts));
      else texts.push(...counts.map(() => []));
      [counts, checksums] = [[], []];
    }
    return { start, texts };
  }

  /** The texts of a block's rows, which have this many each. */
  private decode(code: Uint8Array, checksums: number[], counts: number[]): string[][] {
    try {
      const all = this.core.prose(code, Uint32Array.from(checksums));
      let from = 0;
      return counts.map((count) => all.slice(from, (from += count)));
    } catch (error) {
      throw damaged(this.packed.name, error);
    }
  }
}

function notesOf(cells: Cells): Note[] {
  return (cells.annotations as Note[] | null | undefined) ?? [];
}

/** Whether a text is in a block. */
function isCoded({ text }: Note): boolean {
  return text === "";
}
