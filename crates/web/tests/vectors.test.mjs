// Runs `vectors.mjs`, where there is a core to run it on: while nothing changes that goes into one,
// `cargo xtask web --check` builds none.

import { existsSync } from "node:fs";
import { test } from "node:test";

if (existsSync(new URL("../../../target/web/core/full.wasm", import.meta.url))) {
  await import("./vectors.mjs");
} else {
  test("golden codes on wasm32", { skip: "no core is built: `cargo xtask web --check --all`" });
}
