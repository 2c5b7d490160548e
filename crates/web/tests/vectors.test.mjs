// Runs `vectors.mjs` if there is a core: while no input of one changes, `cargo xtask web --check`
// builds none.

import { existsSync } from "node:fs";
import { test } from "node:test";

if (existsSync(new URL("../../../target/web/core/full.wasm", import.meta.url))) {
  await import("./vectors.mjs");
} else {
  test("golden codes on wasm32", { skip: "no core is built: `cargo xtask web --check --all`" });
}
