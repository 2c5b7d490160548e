// The choice between the explorer's cores: chess where it suffices, else every game; and the one for
// patterns. They are files beside the page, loaded when they are needed.

import type * as glue from "pattern-glue";
import { unpack } from "../lzma";
import type { Core } from "./core";

/** The functions of the core for patterns. */
export type PatternCore = Pick<typeof glue, "Pattern">;

const loaded = new Map<string, Promise<Core>>();

/** The core for chess. */
export const chessCore = (): Promise<Core> => core("plypack-core");

/** The core with every game. */
export const fullCore = (): Promise<Core> => core("plypack-core-all");

/** The core for patterns of every game, which decodes no games. */
export const patternCore = async (): Promise<PatternCore> =>
  (await core("plypack-core-patterns")) as unknown as PatternCore;

/** Whether a core has every game. */
export const isFull = async (core: Core): Promise<boolean> => (await loaded.get("plypack-core-all")) === core;

const complete = new WeakMap<Core, Promise<void>>();

/** Gives a core the tables of clock readings, evaluations and reviews, once. */
export function withSeries(core: Core): Promise<void> {
  const known = complete.get(core);
  if (known) return known;
  const loading = file("plypack-series.lzma").then((packed) => core.take_series(unpack(packed)));
  loading.catch(() => complete.delete(core));
  complete.set(core, loading);
  return loading;
}

function core(name: string): Promise<Core> {
  const known = loaded.get(name);
  if (known) return known;
  const loading = load(name).catch((error) => {
    loaded.delete(name);
    throw new Error(`a part of this page could not be loaded: ${error.message}; try again`);
  });
  loaded.set(name, loading);
  return loading;
}

const beside = (file: string) => new URL(file, document.baseURI).href;

async function load(name: string): Promise<Core> {
  const script: Promise<typeof import("./core")> = import(beside(`${name}.js`));
  const packed = await file(`${name}.lzma`);
  return (await script).start(packed);
}

/** Loads a file beside the page. */
async function file(name: string): Promise<Uint8Array> {
  const response = await fetch(beside(name));
  if (!response.ok) throw new Error(`${name} is missing beside it`);
  return new Uint8Array(await response.arrayBuffer());
}
