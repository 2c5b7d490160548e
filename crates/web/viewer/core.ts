// Unpacks and starts the compiled core. This file is built twice: with the core for chess alone,
// with which a page begins, and with the core for every game, which is loaded when needed.

import * as glue from "glue";
import holes from "holes";
import packed from "packed";
import { functionsOf, type Core } from "./functions";
import { unpack } from "./lzma";

/** Unpacks and starts the core. */
export async function start(): Promise<Core> {
  const letters = atob(packed());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const { memory } = await glue.default({ module_or_path: unpack(bytes) });
  const table = glue.sliding_moves();
  for (const at of holes) new BigUint64Array(memory.buffer, at, table.length).set(table);
  return functionsOf(glue);
}
