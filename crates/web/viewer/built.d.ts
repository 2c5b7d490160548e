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

declare module "*/plypack-games.js" {
  /** Starts the core with every game. */
  export function start(): Promise<import("./core").Core>;
}

/** Whether this build is for the page, which also works from a file, or for a package. */
declare const PAGE: boolean;
