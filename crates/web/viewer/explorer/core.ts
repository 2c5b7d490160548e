// Starts a compiled core of the explorer. This file is built twice: with the core for chess, and
// with the core for every game, which also has the tables of clock readings and evaluations.

import * as glue from "explorer-glue";
import holes from "holes";
import { unpack } from "../lzma";

export type { Block, Index, Position, Row, Told } from "explorer-glue";

/** The functions of a core. */
export type Core = Omit<typeof glue, "default" | "initSync">;

/** Unpacks and starts a core. */
export async function start(packed: Uint8Array): Promise<Core> {
  const { memory } = await glue.default({ module_or_path: unpack(packed) });
  const table = glue.sliding_moves();
  for (const at of holes) new BigUint64Array(memory.buffer, at, table.length).set(table);
  return glue;
}
