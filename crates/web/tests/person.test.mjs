// The explorer's search for players against the program's, name by name: `npm test`, after `cargo
// build -p plypack-cli`. The program is at $PLYPACK, or where cargo builds it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const program = process.env.PLYPACK ?? join(here, "../../../target/debug/plypack");
const skip = existsSync(program) ? false : `${program} is missing: cargo build -p plypack-cli`;

const NAMES = [
  "Carlsen, Magnus", "Magnus Carlsen", "CARLSEN MAGNUS", "Carlsen, M.", "carlsen,m", "Carlsen", "Carlsen, Henrik",
  "GM Carlsen, Sven Magnus", "Müller, Karsten", "Mueller,Karsten", "Mu\u0308ller, K", "Muller, K", "Mller, K",
  "Vachier-Lagrave, Maxime", "Maxime Vachier Lagrave", "Vachier-Lagrave", "Sæther, Bjørn", "Saether, Bjoern",
  "Åkesson, Ralf", "Aakesson,Ralf", "Weiß, Robert", "Weiss,Robert", "Wojtaszek, Radosław", "O'Kelly de Galway, Alberic",
  "O’Kelly de Galway,Albéric", "O Kelly, A", "OKelly,A", "Fischer,RJ", "Fischer, Robert James", "Fischer, Rob.",
  "Gonzalez, Juan Jr.", "Gonzalez Jr, Juan", "Juan Gonzalez, Jr", "Gonzalez, Juan", "Thomas, Martin", "Martin, Thomas",
  "Thomas Martin", "So, Wesley", "Sokolov, W", "Wei Yi", "Ding Liren", "İvanchuk, Vasıl", "Карпов, Анатолий",
  "КАРПОВ А.", "王浩", "王", "राम", "रोम", "Komodo 10.2", "Komodo 2.10", "Dr_Tiger", "Dr. Lasker, Emanuel", "a-b", "b-a",
  "Im, Chang-ki", "IM Im Chang-ki", "Black, Joseph", "NN", "Güell, A", "Guell,A", "ΟΔΥΣΣΕΎΣ, Α", "x".repeat(300),
  "a b c d e f g h i j k l m n o p q",
];

test("a search finds what the program finds", { skip }, async () => {
  const entry = join(here, "../viewer/explorer/person.ts");
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  const module = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`;
  const { search } = await import(module);
  const folder = mkdtempSync(join(tmpdir(), "plypack-person-"));
  try {
    writeFileSync(join(folder, "names.pgn"), NAMES.map((name) => `[White "${name}"]\n\n1. e4 *\n\n`).join(""));
    const run = (...args) => execFileSync(program, args, { cwd: folder }).toString();
    run("pack", "-q", "names.pgn", "-o", "names.parquet");
    const parts = ["carls", "muell", "Müll", "M", "m s", "okelly", "R. Fischer", "%", "jr", "gonzalez jr", "ue", "lagrave m"];
    let hits = 0;
    for (const typed of [...NAMES, ...parts]) {
      const condition = `finds_player(White, '${typed.replaceAll("'", "''")}')`;
      let told = "";
      try {
        told = run("find", "-q", "--json", "names.parquet", "--where", condition);
      } catch (error) {
        // Nothing was found.
        assert.equal(error.status, 1, String(error));
      }
      const found = told.split("\n").filter(Boolean).map((line) => JSON.parse(line).White);
      assert.deepEqual(NAMES.filter(search(typed)), found, typed);
      hits += found.length;
    }
    assert.ok(hits > 2 * NAMES.length, String(hits));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
