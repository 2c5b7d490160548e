// Builds the page and the npm package from the compiled cores and the viewer; `cargo xtask web` runs
// it. Reads FOLDER/core, writes FOLDER/page and FOLDER/npm, and prints their sizes.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? "../../target/web");
const require = createRequire(import.meta.url);

/** The variable with a core that is apart from its script. */
const APART = "plypackCore";

/** The largest compressed size of page, core and chess, in bytes. */
const BUDGET = 150_000;

/** Packs a file as the viewer unpacks it (`bindgen/src/pack.rs`). */
function packedFile(file) {
  const packed = join(out, "core", "packed");
  execFileSync(resolve(here, "../../target/release/plypack-web-bindgen"), ["pack", file, packed]);
  return readFileSync(packed);
}

/** Shrinks and packs a compiled core; returns the viewer's imports from it. */
function pack(name) {
  const file = join(out, "core", `${name}.wasm`);
  const small = join(out, "core", `${name}.small.wasm`);
  const features = ["bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals",
    "reference-types", "multivalue"];
  execFileSync(process.execPath, [
    join(dirname(require.resolve("binaryen/package.json")), "bin", "wasm-opt"),
    "-Oz", "--converge", "--strip-debug", "--strip-producers", "--strip-target-features",
    ...features.map((feature) => `--enable-${feature}`), file, "-o", small,
  ]);
  const packed = packedFile(small);
  const [holes, tables] = ["holes", "tables"].map((kind) =>
    JSON.parse(readFileSync(join(out, "core", `${name}.${kind}.json`), "utf8")));
  return { name, packed, holes, tables };
}

/**
 * Lets the viewer import a core: its glue, its bytes in base64, the holes in them, the tables that
 * are loaded later. With `apart`, the bytes are in a variable that is set after the script.
 */
const core = ({ name, packed, holes, tables }, apart) => ({
  name: "core",
  setup({ onResolve, onLoad }) {
    const glue = join(out, "core", `${name}.js`);
    onResolve({ filter: /^(explorer-)?glue$/ }, () => ({ path: glue, sideEffects: false }));
    onResolve({ filter: /^(packed|holes|tables)$/ }, ({ path }) => ({ path, namespace: "core", sideEffects: false }));
    const bytes = () => (apart ? APART : JSON.stringify(packed.toString("base64")));
    onLoad({ filter: /.*/, namespace: "core" }, ({ path }) => ({
      contents: `export default ${path === "packed" ? `() => ${bytes()}` : JSON.stringify({ holes, tables }[path])}`,
    }));
  },
});

async function bundle(entry, format, page, from, { apart = false, own = true, hints = true, ...more } = {}) {
  const { outputFiles } = await build({
    entryPoints: [join(here, "viewer", entry)],
    bundle: true, minify: true, write: false, format, target: "es2022",
    define: { PAGE: String(page), OWN: String(own), HINTS: String(hints) }, plugins: [core(from, apart)], legalComments: "none", ...more,
  });
  return outputFiles[0].text;
}

const chess = pack("chess");
const games = pack("games");
for (const folder of ["page", "npm"]) {
  rmSync(join(out, folder), { recursive: true, force: true });
  mkdirSync(join(out, folder), { recursive: true });
}

// The core comes last: between two texts it would take 1.5 KB more.
const script = (await bundle("page.ts", "iife", true, chess, { apart: true, hints: false })) +
  `var ${APART}="${chess.packed.toString("base64")}"`;
const html = readFileSync(join(here, "viewer", "page.html"), "utf8");
const filled = html.replace("/*SCRIPT*/", () => script.replaceAll("</script", "<\\/script"));
const inline = [...filled.matchAll(/<script>(.+?)<\/script>/gs)].map(([, text]) => text);
const sums = inline.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
const page = filled.replace("SCRIPTS", sums.join(" "));
writeFileSync(join(out, "page", "index.html"), page);
const others = await bundle("core.ts", "iife", true, games, { globalName: "plypackGames" });
writeFileSync(join(out, "page", "plypack-games.js"), others);
const element = await bundle("element.ts", "iife", true, chess);
writeFileSync(join(out, "page", "plypack-board.js"), element);
const frame = readFileSync(join(here, "viewer", "explorer.html"));
const explorer = await bundle("explorer/page.ts", "iife", true, chess);
writeFileSync(join(out, "page", "plypack-explorer.js"), explorer);
// The reader of files has the board, too, which shares its core.
const reader = await bundle("explorer/reader.ts", "iife", true, chess,
  { own: false, globalName: "plypackStatic" });
writeFileSync(join(out, "page", "plypack-static.js"), reader);
for (const name of ["example.html", "explorer.html"]) {
  copyFileSync(join(here, "viewer", name), join(out, "page", name));
}

// The explorer always comes from a host, so its cores need not be text.
const cores = {
  "plypack-core": pack("explorer"), "plypack-core-all": pack("explorer-all"), "plypack-core-patterns": pack("pattern"),
};
for (const [name, from] of Object.entries(cores)) {
  writeFileSync(join(out, "page", `${name}.js`), await bundle("explorer/core.ts", "esm", true, from));
  writeFileSync(join(out, "page", `${name}.lzma`), from.packed);
}

const series = packedFile(join(out, "core", "series"));
writeFileSync(join(out, "page", "plypack-series.lzma"), series);

const names = packedFile(join(here, "../games/src/chess/openings.tsv"));
writeFileSync(join(out, "page", "plypack-openings.lzma"), names);

const external = { external: ["./plypack-games.js"] };
writeFileSync(join(out, "npm", "plypack-board.js"), await bundle("element.ts", "esm", false, chess, external));
writeFileSync(join(out, "npm", "plypack-games.js"), await bundle("core.ts", "esm", false, games));
copyFileSync(join(here, "viewer", "plypack-board.d.ts"), join(out, "npm", "plypack-board.d.ts"));
copyFileSync(join(here, "npm.md"), join(out, "npm", "README.md"));
for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) {
  copyFileSync(join(here, "../..", licence), join(out, "npm", licence));
}
const { version, description, license } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const manifest = {
  name: "plypack-board", version, description, license, type: "module",
  main: "plypack-board.js", types: "plypack-board.d.ts", sideEffects: true,
  files: ["*.js", "*.d.ts", "LICENSE-*"],
};
writeFileSync(join(out, "npm", "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

const weigh = (text) => gzipSync(text, { level: 9 }).length;
const sizes = {
  "page, core and chess": weigh(page),
  "of it the core with chess": chess.packed.length,
  "the other games, when one is needed": weigh(others),
  "the explorer, without its board": weigh(frame) + weigh(explorer),
  "the explorer's core for chess": cores["plypack-core"].packed.length,
  "the names of openings": names.length,
  "the tables of clock readings, evaluations and reviews": series.length,
  "the core for patterns": cores["plypack-core-patterns"].packed.length,
  "the explorer's core for every game": cores["plypack-core-all"].packed.length,
};
for (const [what, bytes] of Object.entries(sizes)) console.log(`${what}: ${bytes} bytes compressed`);
if (sizes["page, core and chess"] > BUDGET) {
  console.error(`the page is larger than ${BUDGET} bytes`);
  process.exit(1);
}
