// Names of openings, from a list beside the page of lines that lead to named positions. A position
// has its name whatever moves led to it.

import { unpack } from "../lzma";
import type { Core } from "./core";
import type { Opening } from "./source";

/** Names of positions, by their keys. */
export type Openings = Map<bigint, Opening>;

/** Loads the list for chess; other games have none. */
export async function openingsOf(core: Core, game: string): Promise<Openings> {
  const named: Openings = new Map();
  if (game !== "chess") return named;
  const response = await fetch(new URL("plypack-openings.lzma", document.baseURI));
  if (!response.ok) return named;
  const list = new TextDecoder().decode(unpack(new Uint8Array(await response.arrayBuffer())));
  const rows = list.trimEnd().split("\n").map((line) => line.split("\t"));
  // If a position has two names, that of the shorter line counts.
  const plies = ([, , moves = ""]: string[]) => moves.split(" ").length;
  rows.sort((one, other) => plies(one) - plies(other));
  const keys = core.keys_behind(game, rows.map(([, , moves = ""]) => moves));
  rows.forEach(([eco, name], at) => {
    if (keys[at] !== 0n && !named.has(keys[at])) named.set(keys[at], { eco, name });
  });
  return named;
}

/** The name of the openings with a code: as far as the names of two thirds of its lines have that of the shortest. */
export function nameOfCode(openings: Openings, eco: string): string | null {
  // The shortest lines come first.
  const names = [...openings.values()].filter((one) => one.eco === eco).map(({ name }) => name);
  const begins = (part: string) => 3 * names.filter((name) =>
    name.startsWith(part) && ["", ":", ","].includes(name.charAt(part.length))).length >= 2 * names.length;
  const [shortest = null] = names;
  for (let part = shortest ?? ""; part; part = part.replace(/(^|[:,])[^:,]*$/, "")) {
    if (begins(part)) return part;
  }
  return shortest;
}
