// Starts a compiled core of the explorer. There is one for chess, one for every game and one for
// patterns, and this file is built once with each.

import * as glue from "explorer-glue";
import holes from "holes";
import tables from "tables";
import { unpack } from "../lzma";

export type { Block, Index, Position, Row, Told } from "explorer-glue";

/** The functions of a core. */
export type Core = Omit<typeof glue, "default" | "initSync"> & {
  /** Gives it the tables of clock readings, evaluations and reviews, before it reads any of these. */
  take_series(files: Uint8Array): void;
};

/** Unpacks and starts a core. */
export async function start(packed: Uint8Array): Promise<Core> {
  const { memory } = await glue.default({ module_or_path: unpack(packed) });
  const table = glue.sliding_moves();
  for (const at of holes) new BigUint64Array(memory.buffer, at, table.length).set(table);
  const take_series = (files: Uint8Array) => {
    for (const [from, at, length] of tables) {
      new Uint8Array(memory.buffer, at, length).set(files.subarray(from, from + length));
    }
  };
  return { ...glue, take_series };
}
