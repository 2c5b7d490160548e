// Imports provided by the build; `glue`, written by wasm-bindgen, is in tsconfig.json.

declare module "packed" {
  /** Returns the core, packed with LZMA, in base64; not before the script has run. */
  const packed: () => string;
  export default packed;
}

declare module "holes" {
  /** The places of the table of sliding moves in the core's memory. */
  const holes: number[];
  export default holes;
}

declare module "tables" {
  /** Of each table that is loaded later: its place among them, its address in the core's memory, its length. */
  const tables: [number, number, number][];
  export default tables;
}

/** Whether boards of this build show hints; the viewer's page has none. */
declare const HINTS: boolean;

/** Whether this build has a core of its own. */
declare const OWN: boolean;

declare module "*/plypack-games.js" {
  /** Starts the core with every game. */
  export function start(): Promise<import("./functions").Core>;
}

/** Whether this build is for the page, which also works from a file, or for a package. */
declare const PAGE: boolean;
