// Imports that the build provides; `glue`, which wasm-bindgen writes, is in tsconfig.json.

declare module "packed" {
  /** The core, packed with LZMA, in base64. */
  const packed: string;
  export default packed;
}

declare module "holes" {
  /** Where in the core's memory its table of sliding moves belongs. */
  const holes: number[];
  export default holes;
}

declare module "*/plypack-games.js" {
  /** Starts the core with every game. */
  export function start(): Promise<import("./core").Core>;
}

/** Whether this build is for the page, which works from a file, or for a package. */
declare const PAGE: boolean;
