// The golden cells, codes, keys and series on wasm32: they decode as on every other machine, and
// are encoded to the same bytes again. `vectors.test.mjs` runs it.

import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const core = join(root, "target/web/core");
// The output of wasm-bindgen is a module, whatever Node takes `.js` for.
copyFileSync(join(core, "full.js"), join(core, "full.mjs"));
const glue = await import(pathToFileURL(join(core, "full.mjs")).href);
const { memory } = await glue.default({ module_or_path: readFileSync(join(core, "full.wasm")) });
for (const at of JSON.parse(readFileSync(join(core, "full.holes.json"), "utf8"))) {
  const table = glue.sliding_moves();
  new BigUint64Array(memory.buffer, at, table.length).set(table);
}

const lines = (name) =>
  readFileSync(join(root, "vectors", name), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split("\t"));

/** The rows of all versions of a golden file. */
const versions = (kind, game) => readdirSync(join(root, "vectors", kind))
  .filter((name) => name.startsWith(`${game}-v`))
  .flatMap((name) => lines(`${kind}/${name}`));

const games = glue.games().filter((_, place) => place % 2 === 0);
assert.ok(games.length > 4);
for (const game of games) {
  test(`golden cells of ${game}`, () => {
    const cells = versions("line", game);
    assert.ok(cells.length > 10);
    for (const [codec, start, moves, cell] of cells) {
      const from = start === "-" ? undefined : start;
      assert.equal(glue.check_cell(game, codec, from, Buffer.from(cell, "hex")), moves, codec);
    }
  });

  test(`golden codes of ${game} positions`, () => {
    const codes = versions("position", game);
    assert.ok(codes.length > 10);
    for (const [codec, position, code] of codes) {
      glue.check_position(game, codec, position, Buffer.from(code, "hex"));
    }
  });

  test(`golden keys of ${game} positions`, () => {
    const keys = versions("key", game).filter((fields) => fields.length === 4);
    assert.ok(keys.length > 10);
    for (const [start, moves, key, canonical] of keys) {
      const from = start === "-" ? undefined : start;
      assert.equal(glue.keys(game, from, moves), `${key}\t${canonical}`, `${start} ${moves}`);
    }
  });
}

const optional = (field) => (field === "-" ? undefined : field);
for (const name of readdirSync(join(root, "vectors/series"))) {
  test(`golden codes of ${name}`, () => {
    const rows = lines(`series/${name}`);
    assert.ok(rows.length > 4);
    for (const [codec, game, start, moves, given, values, code] of rows) {
      const bytes = Buffer.from(code, "hex");
      glue.check_series(codec, optional(game), optional(start), moves, given, values, bytes);
    }
  });
}
