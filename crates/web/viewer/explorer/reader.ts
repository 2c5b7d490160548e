// The reader of packed files as a script of its own, with the board, which shares its core.

import { lend } from "../cores";
import "../element";
import { functionsOf } from "../functions";
import type { Source } from "./source";
import { openStatic } from "./static";

/** Opens a packed file and the index beside it. */
export function openFile(url: URL): Promise<Source> {
  return openStatic(url, (core, full) => lend(functionsOf(core), full));
}
