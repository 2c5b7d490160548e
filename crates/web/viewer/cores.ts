// The choice between the two cores: chess alone at first, every game when one is needed.

import { start } from "./core";
import type { Core } from "./functions";

let chess: Promise<Core> | undefined;
let all: Promise<Core> | undefined;

/** Lends a core that was started elsewhere, which has `every` game or only chess. */
export function lend(core: Core, every: boolean): void {
  chess = Promise.resolve(core);
  if (every) all = chess;
}

/** The core with which a page begins. */
export function chessCore(): Promise<Core> {
  // A build without a core of its own was lent one before its first board.
  return (chess ??= OWN ? start() : fullCore());
}

/** The core with every game. */
export function fullCore(): Promise<Core> {
  return (all ??= load().catch((error) => {
    all = undefined;
    throw new Error(`the other games could not be loaded: ${error}; try again`);
  }));
}

/** Calls `fn` with the first core or, if that fails, with the full one. */
export async function either<T>(fn: (core: Core) => T, good = (_: T) => true): Promise<[T, Core]> {
  const first = await chessCore();
  try {
    const made = fn(first);
    if (good(made)) return [made, first];
  } catch {
    // If the input is invalid, the full core reports why.
  }
  const full = await fullCore();
  return [fn(full), full];
}

async function load(): Promise<Core> {
  if (!PAGE) {
    const module = await import("./plypack-games.js");
    return module.start();
  }
  // A module cannot be loaded from a file, a script can.
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "plypack-games.js";
    script.onload = () => resolve();
    script.onerror = () => reject(new Error("plypack-games.js is missing"));
    document.head.append(script);
  });
  const loaded = (globalThis as { plypackGames?: { start(): Promise<Core> } }).plypackGames;
  if (!loaded) throw new Error("plypack-games.js is damaged");
  return loaded.start();
}
