// What the build puts in place of three imports.

declare module "glue" {
  export * from "../../../target/web/core/chess";
  export { default } from "../../../target/web/core/chess";
}

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

/** Whether this is built for the page, which works from a file, or for a package. */
declare const PAGE: boolean;
