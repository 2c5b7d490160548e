// The explorer's reader of packed files without a server, in a browser: `npm test`, after `cargo
// xtask web` and `cargo build -p plypack-cli`. The program is at $PLYPACK, or where cargo builds
// it.
//
// With $PLYPACK_EXPLORER_FILE, a packed file of chess with its index beside it, the data fetched by
// a click in the tree is measured, for $PLYPACK_EXPLORER_POSITIONS positions of its games; the
// limit is $PLYPACK_EXPLORER_BYTES.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync,
  statSync, writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { launch } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const program = process.env.PLYPACK ?? join(root, "target/debug/plypack");
const skip = existsSync(program) ? false : `${program} is missing: cargo build -p plypack-cli`;
const built = join(root, "target/web/page");
const samples = join(root, "samples");

const plypack = (...args) => execFileSync(program, args, { maxBuffer: 1 << 28 });
const lines = (bytes) => bytes.toString().trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));

let browser, folder, script, home, other;

/** A server of the folders of the page and of the files, which counts the bytes sent. */
async function serve() {
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://host");
    const [, mode, name] = url.pathname.split("/");
    if (mode === "static.html") {
      response.setHeader("Content-Type", "text/html");
      const module = `import { openStatic } from "./static.js"; window.openStatic = openStatic;`;
      return response.end(`<!doctype html><script type="module">${module}</script>`);
    }
    if (["static.js", "explorer.html"].includes(mode) || mode.startsWith("plypack-")) {
      const type = { js: "text/javascript", html: "text/html" }[mode.split(".").at(-1)]
        ?? "application/octet-stream";
      response.setHeader("Content-Type", type);
      return response.end(mode === "static.js" ? script : readFileSync(join(built, mode)));
    }
    if (["cors", "size"].includes(mode)) {
      response.setHeader("Access-Control-Allow-Origin", "*");
      const exposed = mode === "cors" ? "Content-Range, ETag" : "";
      response.setHeader("Access-Control-Expose-Headers", exposed);
      response.setHeader("Access-Control-Allow-Headers", "Range");
    }
    const path = server.paths.get(name) ?? join(folder, name ?? "");
    if (!name || !existsSync(path)) return void response.writeHead(404).end();
    const { size, mtimeMs } = statSync(path);
    response.setHeader("ETag", `"${mtimeMs}"`);
    if (request.method === "HEAD") return void response.writeHead(200, { "Content-Length": size }).end();
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!range || mode === "whole") {
      response.writeHead(200, { "Content-Length": size });
      return void response.end(readFileSync(path));
    }
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]) + 1, size)];
    if (from >= size) return void response.writeHead(416).end();
    const bytes = Buffer.alloc(to - from);
    const file = openSync(path);
    readSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
    server.bytes += bytes.length;
    server.requests++;
    response.writeHead(206, {
      "Content-Range": `bytes ${from}-${to - 1}/${size}`, "Content-Length": bytes.length,
    });
    response.end(bytes);
  });
  Object.assign(server, { bytes: 0, requests: 0, paths: new Map() });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${server.address().port}`;
  return server;
}

/** So many games have an index that is not read whole when the file is opened. */
const MANY = 4000;

/** Packs games into the folder of the server, with an index. */
function pack(name, games, ...options) {
  writeFileSync(join(folder, `${name}.pgn`), games);
  plypack("pack", join(folder, `${name}.pgn`), "--index", "-f", "-q", ...options);
  return join(folder, `${name}.parquet`);
}

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "plypack-static-"));
  const { outputFiles } = await build({
    entryPoints: [join(here, "../viewer/explorer/static.ts")], bundle: true, write: false,
    format: "esm", target: "es2022",
  });
  script = outputFiles[0].text;
  [home, other] = [await serve(), await serve()];
  browser = await launch();
  const championship = readFileSync(join(samples, "championship.pgn"));
  pack("championship", championship, "--codec", "line.link");
  const made = ["--game", "chess", "--games", String(MANY), "--model", "small"];
  plypack("synth", ...made, "-q", "-f", "-o", join(folder, "many.pgn"));
  pack("many", readFileSync(join(folder, "many.pgn")), "--codec", "line.link");
  pack("annotated", ANNOTATED, "--codec", "line.link");
  pack("prose", PROSE, "--codec", "line.link");
  pack("famous", readFileSync(join(samples, "famous.pgn")), "--codec", "line.link");
  pack("xiangqi", readFileSync(join(samples, "xiangqi.pgn")), "--codec", "line.link");
});
after(async () => {
  await browser?.close();
  for (const server of [home, other]) {
    server?.closeAllConnections();
    server?.close();
  }
  if (folder) rmSync(folder, { recursive: true });
});

const ANNOTATED = `[Event "Rated game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2023.05.01"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[UTCDate "2023.05.01"]
[UTCTime "10:11:12"]
[WhiteElo "2100"]
[BlackElo "1998"]
[WhiteRatingDiff "+5"]
[BlackRatingDiff "-4"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[TimeControl "180+2"]
[Own "a tag without a column"]
[Own "there twice"]

1. e4 { [%eval 0.2] [%clk 0:03:00] } 1... e5 { [%eval 0.3] [%clk 0:03:00] } 2. Qh5?! { [%eval -0.4] [%clk 0:02:58] } 2... Nc6 { [%eval -0.3] [%clk 0:02:55] } 3. Bc4 { [%eval -0.2] [%clk 0:02:57] } 3... Nf6?? { [%eval #1] [%clk 0:02:50] } (3... g6 4. Qf3 { to go on }) 4. Qxf7# { [%clk 0:02:56] } 1-0

[Event "Blitz"]
[Date "2021.??.??"]
[White "Bob"]
[Black "Cid"]
[Result "1/2-1/2"]
[WhiteElo "2400"]

1. d4  d5   2. c4 $1 1/2-1/2

[Event "Old"]
[Date "????.??.??"]
[White "M\u00f3ra"]
[Black "Ann"]

1. e4 c5 0-1
`;

/** Games with comments in several blocks, every third without. */
const PROSE = Array.from({ length: 4200 }, (_, at) => {
  const words = "the knight was better after this bishop queen and rook a strong threat".split(" ");
  const word = (_, place) => words[(at * 7 + place * place * (at % 11 + 1)) % words.length];
  const comment = at % 3 === 2 ? "" : `{ ${Array.from({ length: 75 }, word).join(" ")} ${at} } `;
  return `[White "w${at}"]\n\n1. e4 ${comment}1... e5 *\n\n`;
}).join("");

/** A page with the reader, with a file open as `source`. */
async function open(url) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${home.url}/static.html`);
  await page.waitForFunction(() => window.openStatic);
  page.fault = await reopen(page, url);
  return page;
}

/** Opens a file in the page; returns the error, if any. */
const reopen = (page, url) =>
  page.evaluate(async (url) => {
    try {
      window.source = await window.openStatic(url);
    } catch (error) {
      return error.message;
    }
  }, url);

/** The answer of the source, or its error. */
const ask = (page, method, ...args) =>
  page.evaluate(async ([method, args]) => {
    const waits = [new AbortController().signal, () => {}];
    const all = method === "game" || method === "about" ? args : [...args, ...waits];
    try {
      const answer = await window.source[method](...all);
      return answer instanceof Blob ? await answer.text() : answer;
    } catch (error) {
      return { fault: error.message };
    }
  }, [method, args]);

const close = (page) => page.context().close();
const PLAIN = { skip };

/** A tree as the program prints it, in the same form. */
function treeOf(file, moves, ...options) {
  const args = ["tree", file, "--json", "-q", ...(moves ? ["--moves", moves] : []), ...options];
  let found;
  try {
    found = lines(plypack(...args));
  } catch {
    return { records: 0, moves: [] };
  }
  const moved = found.filter((one) => one.move !== null);
  return {
    records: found[0].all,
    ended: found[0].ended,
    moves: moved.map(({ move, coordinates, records, white, draws, black, mean_rating, last_year }) =>
      ({ move, coordinates, records, white, draws, black, mean_rating, last_year })),
    examples: found.flatMap(({ examples, move }) => examples.map(({ record, white, black, result }) =>
      ({ id: String(record), white, black, result: result === "*" ? null : result, move }))),
  };
}

const same = (tree) => ({
  records: tree.records,
  ended: tree.ended?.records ?? 0,
  moves: tree.moves.map(({ opening, ...rest }) => rest),
});

test("a tree has the sums of the program's", PLAIN, async () => {
  const page = await open(`${home.url}/plain/championship.parquet`);
  assert.equal(page.fault, undefined);
  const file = join(folder, "championship.parquet");
  const about = await ask(page, "about");
  assert.deepEqual([about.game, about.records, about.indexed], ["chess", 567, true]);
  const lines = ["", "e2e4", "e2e4,c7c5", "e2e4,c7c5,g1f3,d7d6,d2d4", "d2d4,g8f6,c2c4,e7e6,g1f3,d7d5,b1c3",
    "e2e4,e7e5,g1f3,b8c6,f1b5,g8f6,e1g1,f6e4", "g1f3,d7d5,g2g3", "a2a4"];
  for (const play of lines) {
    const tree = await ask(page, "tree", { play }, {});
    const expected = treeOf(file, play.replaceAll(",", " "));
    assert.deepEqual(same(tree), same({ ...expected, ended: { records: expected.ended } }), play || "the start");
    if (play === "e2e4,c7c5") assert.deepEqual(tree.opening, { eco: "B20", name: "Sicilian Defense" });
    const known = new Set(expected.examples?.map(({ id }) => id));
    assert.ok([...known].every((id) => tree.examples.some((example) => example.id === id)), play);
  }
  await close(page);
});

test("positions of all kinds of games have the program's sums", PLAIN, async () => {
  const page = await open(`${home.url}/plain/championship.parquet`);
  const file = join(folder, "championship.parquet");
  for (let at = 1; at <= 567; at += 71) {
    const moves = movesOf(await ask(page, "game", String(at)));
    for (const plies of [9, 22, 41, moves.length]) {
      const line = moves.slice(0, plies);
      const tree = await ask(page, "tree", { play: line.join(",") }, {});
      const expected = treeOf(file, line.join(" "));
      assert.deepEqual(same(tree), same({ ...expected, ended: { records: expected.ended } }), `game ${at}, ply ${plies}`);
    }
  }
  await close(page);
});

/** The moves of a game, as in PGN. */
function movesOf(pgn) {
  const text = pgn.replace(/\[[^\]]*\]/g, "").replace(/\{[^}]*\}/g, "").replace(/\d+\.+/g, " ");
  return text.split(/\s+/).filter((word) => /^[a-hKQRBNO]/.test(word)).map((word) => word.replace(/[!?]+$/, ""));
}

test("a tree of a filter counts what the program counts", PLAIN, async () => {
  const page = await open(`${home.url}/plain/championship.parquet`);
  const file = join(folder, "championship.parquet");
  for (const [filter, options] of [
    [{ player: "carlsen" }, ["--player", "carlsen"]],
    [{ result: "1-0" }, ["--where", "Result = '1-0'"]],
    [{ since: "2014-03", until: "2015" }, ["--where", "Date >= '2014-03' and Date <= '2015'"]],
    [{ player: "ANAND", color: "black" }, ["--where", "finds_player(Black, 'anand')"]],
    [{ player: "Magnus Carlsen" }, ["--player", "carlsen,m"]],
  ]) {
    for (const play of ["", "e2e4,e7e5", "d2d4,g8f6,c2c4,e7e6,g1f3,d7d5,b1c3"]) {
      const tree = await ask(page, "tree", { play }, filter);
      const expected = treeOf(file, play.replaceAll(",", " "), ...options);
      const [made, told] = [same(tree), same({ ...expected, ended: { records: expected.ended } })];
      if (!told.records) assert.equal(made.records, 0);
      else assert.deepEqual(made, told, JSON.stringify([filter, play]));
    }
  }
  await close(page);
});

test("records come back as they were packed", PLAIN, async () => {
  for (const [name, games] of [["championship", [1, 300, 567]], ["annotated", [1, 2, 3]],
    ["prose", [1, 2, 3, 2401, 4199]], ["famous", [1, 2, 3, 4]], ["xiangqi", [1]]]) {
    const page = await open(`${home.url}/plain/${name}.parquet`);
    assert.equal(page.fault, undefined, name);
    for (const game of games) {
      const expected = plypack("cat", join(folder, `${name}.parquet`), "--records", String(game)).toString();
      assert.equal(await ask(page, "game", String(game)), expected, `${name} ${game}`);
    }
    await close(page);
  }
});

test("lists have the program's games", PLAIN, async () => {
  const page = await open(`${home.url}/plain/championship.parquet`);
  const file = join(folder, "championship.parquet");
  const found = (...args) => lines(plypack("find", file, "--json", "-q", ...args)).map((one) => String(one.record));
  const ids = async (...args) => (await ask(page, "games", ...args)).games.map((game) => game.id);
  assert.deepEqual(await ids({}, undefined, "stored", 20, 5), ["21", "22", "23", "24", "25"]);
  for (const [filter, options] of [
    [{ player: "caruana" }, ["--player", "caruana"]],
    [{ player: "caruana", result: "1/2-1/2" }, ["--player", "caruana", "--where", "Result = '1/2-1/2'"]],
    [{ since: "2016" }, ["--where", "Date >= '2016'"]],
  ]) {
    assert.deepEqual(await ids(filter, undefined, "stored", 0, 1000), found(...options));
    assert.deepEqual(await ids(filter, undefined, "date", 0, 40), found(...options, "--sort", "date", "--limit", "40"));
    const place = { play: "e2e4,e7e5" };
    const moves = ["--moves", "e4 e5"];
    assert.deepEqual(await ids(filter, place, "stored", 0, 1000), found(...options, ...moves));
  }
  const listed = await ask(page, "games", {}, { play: "e2e4,c7c5" }, "stored", 0, 3);
  assert.equal(listed.total, found("--moves", "e4 c5").length);
  assert.ok(listed.more && listed.games.every((game) => game.move && game.white && game.event));
  const games = await ask(page, "download", { player: "caruana" }, undefined, "stored");
  plypack("find", file, "--player", "caruana", "-q", "-f", "-o", join(folder, "caruana.pgn"));
  assert.equal(games, readFileSync(join(folder, "caruana.pgn"), "utf8"));
  await close(page);
});

test("a list names the opening where the tags have its code alone", PLAIN, async () => {
  pack("coded", '[White "a"]\n[ECO "b90"]\n\n1. e4 *\n\n[White "b"]\n[ECO "C42"]\n[Opening "Own"]\n\n1. e4 *\n\n[White "c"]\n\n1. d4 *\n');
  const page = await open(`${home.url}/plain/coded.parquet`);
  const { games } = await ask(page, "games", {}, undefined, "stored", 0, 5);
  assert.deepEqual(games.map(({ eco, opening }) => [eco, opening]),
    [["b90", "Sicilian Defense: Najdorf Variation"], ["C42", "Own"], [null, null]]);
  await close(page);
});

test("players and events are those of the server, and cost what their columns do", PLAIN, async (t) => {
  const file = join(folder, "championship.parquet");
  const serving = spawn(program, ["serve", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => serving.kill());
  const [line] = await once(createInterface(serving.stdout), "line");
  const server = async (path, query) =>
    (await fetch(new URL(`api/${path}?${new URLSearchParams(query)}`, line))).json();
  const page = await open(`${home.url}/plain/championship.parquet`);
  const people = (method, ...args) => page.evaluate(async ([method, args]) => {
    const waits = [new AbortController().signal, () => {}];
    return window.source.people[method](...args, ...waits).catch((error) => ({ fault: error.message }));
  }, [method, args]);
  for (const name of ["Carlsen,M", "Svidler,P", "Vachier Lagrave,M"]) {
    [home.bytes, home.requests] = [0, 0];
    // Openings that no tag tells are left out.
    const { openings: _, ...own } = await people("player", name, null);
    t.diagnostic(`the page of ${name}: ${home.bytes} bytes in ${home.requests} requests`);
    const { openings: __, ...its } = await server("player", { name });
    assert.deepEqual(own, its);
  }
  assert.equal((await people("player", "nobody", null)).fault, "there is no player `nobody`");
  const [own, its] = [await people("event", "FIDE Candidates"), await server("event", { name: "FIDE Candidates" })];
  const ordered = ({ players, ...rest }) => ({ ...rest, players: players.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
  assert.deepEqual(ordered(own), ordered(its));
  assert.equal((await people("event", "none")).fault, "there is no event `none`");
  for (const [kind, part] of [["player", "v an"], ["player", "vach"], ["event", "world"], ["player", "xyz"]]) {
    const sorted = (names) => names.toSorted((a, b) => b.games - a.games || (a.name < b.name ? -1 : 1));
    assert.deepEqual(sorted(await people("names", kind, part)), sorted((await server("names", { kind, part })).names), part);
  }
  // Quoted names are whole ones in lists, too.
  const ids = async (filter) => (await ask(page, "games", filter, undefined, "stored", 0, 1000)).games.map(({ id }) => id);
  for (const filter of [{ player: '"Carlsen,M"', color: "white" }, { event: '"FIDE Candidates"' }, { event: "candidates" }]) {
    const { games } = await server("games", { ...filter, limit: 200 });
    assert.deepEqual(await ids(filter), games.map(({ id }) => id));
  }
  await close(page);
  const annotated = await open(`${home.url}/plain/annotated.parquet`);
  const { openings } = await annotated.evaluate(() => window.source.people.player("Ann", null, new AbortController().signal, () => {}));
  assert.deepEqual(openings.white.map(({ eco, games, wins, listed }) => [eco, games, wins, listed]), [["C20", 1, 1, true]]);
  await close(annotated);
});

test("ratings and dates that are open are asked as the program asks them", PLAIN, async () => {
  const page = await open(`${home.url}/plain/annotated.parquet`);
  const ids = async (filter) =>
    (await ask(page, "games", filter, undefined, "stored", 0, 10)).games.map((game) => game.id);
  assert.deepEqual(await ids({ rating_min: 2050 }), ["2"]);
  assert.deepEqual(await ids({ rating_min: 2049, rating_max: 2049 }), ["1"]);
  assert.deepEqual(await ids({ since: "2021" }), ["1", "2"]);
  assert.deepEqual(await ids({ since: "2021-02" }), ["1"]);
  assert.deepEqual(await ids({ until: "2022" }), ["2"]);
  assert.deepEqual(await ids({ opening: "c2" }), ["1"]);
  assert.deepEqual(await ids({ opening: "pawn" }), ["1"]);
  assert.deepEqual(await ids({ player: "m\u00d3ra" }), ["3"]);
  await close(page);
});

test("hosts that cannot serve the page are told what to do", PLAIN, async () => {
  const page = await open(`${home.url}/plain/championship.parquet`);
  const fault = async (url) => (await reopen(page, url)) ?? "";
  assert.match(await fault(`${home.url}/whole/championship.parquet`), /serves ranges/);
  assert.match(await fault(`${home.url}/plain/nothing.parquet`), /has no nothing\.parquet/);
  assert.match(await fault(`${other.url}/plain/championship.parquet`), /Access-Control-Allow-Origin: http/);
  for (const mode of ["cors", "size"]) {
    assert.equal(await fault(`${other.url}/${mode}/championship.parquet`), "", mode);
    assert.equal((await ask(page, "tree", {}, {})).records, 567, mode);
  }
  writeFileSync(join(folder, "text.parquet"), "not a packed file, but a text of some length");
  assert.match(await fault(`${home.url}/plain/text.parquet`), /not a packed file/);
  assert.equal(await reopen(page, `${home.url}/plain/famous.parquet`), undefined);
  copyFileSync(join(folder, "famous.parquet"), join(folder, "alone.parquet"));
  assert.equal(await reopen(page, `${home.url}/plain/alone.parquet`), undefined);
  assert.equal((await ask(page, "about")).indexed, false);
  assert.match((await ask(page, "tree", {}, {})).fault, /plypack index alone\.parquet/);
  copyFileSync(join(folder, "championship.plyindex"), join(folder, "alone.plyindex"));
  assert.equal(await reopen(page, `${home.url}/plain/alone.parquet`), undefined);
  assert.match((await ask(page, "tree", {}, {})).fault, /index of other games/);
  await close(page);
});

test("games whose tables are too large for a page are summed, and the cure is named", PLAIN, async () => {
  const file = pack("large", readFileSync(join(samples, "championship.pgn")));
  const page = await open(`${home.url}/plain/large.parquet`);
  const tree = await ask(page, "tree", { play: "e2e4" }, {});
  assert.deepEqual(same(tree), same({ ...treeOf(file, "e4"), ended: undefined }));
  assert.match((await ask(page, "game", "1")).fault, /plypack pack --codec line\.link --index/);
  await close(page);
});

test("a file that changes under the page is noticed", PLAIN, async () => {
  for (const end of ["parquet", "plyindex"]) {
    copyFileSync(join(folder, `many.${end}`), join(folder, `growing.${end}`));
  }
  const page = await open(`${home.url}/plain/growing.parquet`);
  const read = [];
  for (let at = 1; at < MANY; at += 200) read.push(movesOf(await ask(page, "game", String(at))).slice(0, 15));
  writeFileSync(join(folder, "growing.plyindex"), readFileSync(join(folder, "growing.plyindex")));
  const faults = [];
  for (const line of read) faults.push((await ask(page, "tree", { play: line.join(",") }, {})).fault);
  // Parts read before are not requested again.
  assert.ok(faults.some((fault) => /has changed on its host/.test(fault)), faults.join());
  await close(page);
  // A shorter file has no such range any more.
  const other = await open(`${home.url}/plain/growing.parquet`);
  writeFileSync(join(folder, "growing.parquet"), readFileSync(join(folder, "growing.parquet")).subarray(0, 200));
  const { fault } = await ask(other, "game", "1");
  assert.match(fault, /growing\.parquet has changed on its host/);
  await close(other);
});

test("damaged files give messages and no wrong answers", PLAIN, async () => {
  const page = await open(`${home.url}/plain/famous.parquet`);
  const answers = async () => [
    await ask(page, "tree", { play: "e2e4" }, {}), await ask(page, "game", "2"),
    await ask(page, "games", { player: "a" }, undefined, "date", 0, 5),
  ];
  const truth = await answers();
  let random = 1;
  const next = (most) => (random = (random * 48271) % 2147483647) % most;
  for (const end of ["parquet", "plyindex"]) {
    for (let round = 0; round < 40; round++) {
      for (const kind of ["parquet", "plyindex"]) {
        copyFileSync(join(folder, `famous.${kind}`), join(folder, `hostile.${kind}`));
      }
      const path = join(folder, `hostile.${end}`);
      const bytes = readFileSync(path);
      for (let flip = 0; flip < 1 + round % 4; flip++) bytes[next(bytes.length)] ^= 1 << next(8);
      writeFileSync(path, round % 8 ? bytes : bytes.subarray(0, next(bytes.length)));
      const refused = await reopen(page, `${home.url}/plain/hostile.parquet`);
      const given = refused === undefined ? await answers() : [{ fault: refused }];
      for (const [at, answer] of given.entries()) {
        const fault = answer?.fault;
        if (fault === undefined) assert.deepEqual(answer, truth[at], `${end} ${round}`);
        else assert.ok(fault.length > 20, `${end} ${round}: ${fault}`);
      }
    }
  }
  await close(page);
});

/** The maximum number of bytes of the page before a tree of chess is shown, and of another game. */
const [FIRST_LOAD, FIRST_LOAD_OF_OTHERS] = [385_000, 770_000];

/** The names of the files of this build that a page loads, from now on. */
function loadedBy(page) {
  const names = new Set();
  page.on("response", (answer) => {
    const name = new URL(answer.url()).pathname.slice(1);
    if (existsSync(join(built, name))) names.add(name);
  });
  return names;
}

/** The bytes of files of this build, as a host sends them: hosts compress text. */
function weigh(names) {
  const weights = [...names].map((name) => {
    const bytes = readFileSync(join(built, name));
    return name.endsWith(".lzma") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
  });
  return weights.reduce((sum, weight) => sum + weight, 0);
}

test("the page shows a file that a host of files has, and loads little", PLAIN, async (t) => {
  const page = await browser.newPage();
  const own = loadedBy(page);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const row = (text) => page.getByRole("link", { name: text, exact: false }).first();
  await page.goto(`${home.url}/explorer.html?db=plain/championship.parquet#/tree?play=e2e4`);
  await row("e5,").waitFor();
  await page.waitForLoadState("networkidle");
  assert.ok(own.has("plypack-core.lzma") && !own.has("plypack-core-all.lzma"), [...own].join());
  const bytes = weigh(own);
  t.diagnostic(`the page up to its first tree: ${bytes} bytes in ${own.size} files`);
  assert.ok(bytes <= FIRST_LOAD, `${bytes} bytes: ${[...own].join(", ")}`);
  await row("e5,").click();
  await row("Nf3,").waitFor();
  assert.match(page.url(), /#\/tree\?play=e2e4,e7e5$/);
  await page.goto(`${home.url}/explorer.html?db=plain/championship.parquet#/games?player=carlsen`);
  await page.locator(".games-view tbody a").first().click({ position: { x: 3, y: 3 } });
  await page.locator(".game-view plypack-board [data-node]", { hasText: "Nf6" }).first().waitFor();
  assert.deepEqual(faults, []);
  await page.goto(`${home.url}/explorer.html?db=plain/nothing.parquet`);
  await page.getByRole("alert").getByText(/nothing\.parquet/).waitFor();
  await page.close();
});

test("tables and rules are loaded where they are needed", PLAIN, async (t) => {
  const page = await browser.newPage();
  const own = loadedBy(page);
  await page.goto(`${home.url}/explorer.html?db=plain/xiangqi.parquet#/tree`);
  await page.locator(".tree-view .moves td.move a").first().waitFor();
  await page.waitForLoadState("networkidle");
  const bytes = weigh(own);
  t.diagnostic(`the same of xiangqi: ${bytes} bytes in ${own.size} files`);
  assert.ok(bytes <= FIRST_LOAD_OF_OTHERS && !own.has("plypack-core.lzma"), [...own].join());
  await page.close();
  const clocks = await browser.newPage();
  const theirs = loadedBy(clocks);
  await clocks.goto(`${home.url}/explorer.html?db=plain/annotated.parquet#/games`);
  await clocks.locator(".games-view tbody a").first().waitFor();
  assert.ok(!theirs.has("plypack-series.lzma"));
  await clocks.goto(`${home.url}/explorer.html?db=plain/annotated.parquet#/game/1`);
  await clocks.locator(".game-view plypack-board [data-node]", { hasText: "Qxf7#" }).first().waitFor();
  assert.ok(theirs.has("plypack-series.lzma") && !theirs.has("plypack-core-all.lzma"), [...theirs].join());
  await clocks.close();
});

test("patterns find the program's games, and read no more than they said", PLAIN, async (t) => {
  const file = join(folder, "championship.parquet");
  const page = await open(`${home.url}/plain/championship.parquet`);
  const program = (pattern, ...options) => {
    try {
      return lines(plypack("find", file, "--pattern", pattern, "--json", "-q", ...options));
    } catch ({ status, stderr }) {
      assert.equal(status, 1, `${pattern}: ${stderr}`);
      return [];
    }
  };
  let matches = 0;
  for (const pattern of [
    { "sub-fen": "8/8/8/3pp3/3P4/8/8/8" }, { result: "0-1", "black-move": "O-O" }, { material: "KRPKR" },
    { material: "KRPKR", "either-colour": true }, { sequence: [{ "white-move": "Bb5" }, { "white-move": "Ba4" }] },
    { streak: [{ captured: "Q" }, { captured: "Q" }], result: "1/2-1/2" }, { stm: "black", skip: 3, limit: 5 },
    { pawns: "8/pp3ppp/2p1p3/3p4/3P4/4P3/PPP2PPP/8" }, { none: { Pp: "d e" } }, { shape: "n?/?P", mirrored: true },
    { "result-type": "mate" },
  ].map((one) => JSON.stringify(one))) {
    for (const [filter, sort, options] of [
      [{}, "stored", []], [{ player: "carlsen" }, "date", ["--player", "carlsen", "--sort", "date"]],
    ]) {
      const found = program(pattern, ...options);
      const own = await ask(page, "games", { ...filter, pattern }, undefined, sort, 0, 1000);
      assert.equal(own.fault, undefined, pattern);
      assert.deepEqual(own.games.map(({ id, met, ply }) => [id, met, ply]),
        found.map(({ record, plies }) => [String(record), plies, plies[0]]), pattern);
      assert.equal(own.total, found.length, pattern);
      const some = await ask(page, "games", { ...filter, pattern }, undefined, sort, 1, 1);
      assert.deepEqual([some.games[0]?.id, some.more], [own.games[1]?.id, found.length > 2], pattern);
      matches += found.length;
    }
  }
  assert.ok(matches > 500, `${matches} matches`);
  // In the games that reach a position.
  const pattern = '{"stm": "white"}';
  const placed = await ask(page, "games", { pattern }, { play: "e2e4,c7c5" }, "stored", 0, 1000);
  assert.deepEqual(placed.games.map(({ id, move }) => [id, move]),
    program(pattern, "--moves", "e4 c5").map(({ record }) => [String(record), null]));
  assert.match((await ask(page, "games", { pattern: '{"hello": 1}' }, undefined, "stored", 0, 5)).fault, /`hello`/);
  assert.equal(await ask(page, "count", { pattern }, undefined), null);
  const saved = await ask(page, "download", { pattern: "KRPKR" }, undefined, "stored");
  plypack("find", file, "--pattern", "KRPKR", "-q", "-f", "-o", join(folder, "endings.pgn"));
  assert.equal(saved, readFileSync(join(folder, "endings.pgn"), "utf8"));
  await close(page);
});

test("patterns of other games, without an index and of large tables", PLAIN, async () => {
  const xiangqi = await open(`${home.url}/plain/xiangqi.parquet`);
  const found = lines(plypack("find", join(folder, "xiangqi.parquet"), "--pattern", '{"captured": "P"}', "--json", "-q"));
  const own = await ask(xiangqi, "games", { pattern: '{"captured": "P"}' }, undefined, "stored", 0, 50);
  assert.deepEqual(own.games?.map(({ id, met }) => [id, met]),
    found.map(({ record, plies }) => [String(record), plies]), own.fault);
  await close(xiangqi);
  copyFileSync(join(folder, "famous.parquet"), join(folder, "bare.parquet"));
  const bare = await open(`${home.url}/plain/bare.parquet`);
  const pattern = '{"result-type": "mate"}';
  const mates = lines(plypack("find", join(folder, "famous.parquet"), "--pattern", pattern, "--json", "-q"));
  const listed = await ask(bare, "games", { pattern }, undefined, "stored", 0, 50);
  assert.deepEqual(listed.games?.map(({ id }) => id), mates.map(({ record }) => String(record)), listed.fault);
  await close(bare);
  pack("heavy", readFileSync(join(samples, "famous.pgn")));
  const heavy = await open(`${home.url}/plain/heavy.parquet`);
  assert.match((await ask(heavy, "games", { pattern }, undefined, "stored", 0, 5)).fault, /--codec line\.link/);
  await close(heavy);
});

test("a pattern of many games says what it reads, shows them as they come, and stops", PLAIN, async (t) => {
  const page = await open(`${home.url}/plain/many.parquet`);
  const hunt = (pattern, limit, stop) => page.evaluate(async ([pattern, limit, stop]) => {
    const [cancel, told] = [new AbortController(), { done: [], some: [] }];
    const progress = (done, ahead) => {
      told.done.push(done);
      told.bytes ??= ahead?.bytes;
      if (ahead?.games) told.some.push(ahead.games.length);
      if (stop && done > 0) cancel.abort();
    };
    const answer = await window.source.games({ pattern }, undefined, "stored", 0, limit, cancel.signal, progress)
      .catch((error) => ({ fault: error.name }));
    return { ...told, answer };
  }, [JSON.stringify(pattern), limit, stop]);
  // A page of common ones is full after a part of the games.
  [home.bytes, home.requests] = [0, 0];
  const common = await hunt({ "white-move": "O-O" }, 50, false);
  assert.deepEqual([common.answer.games?.length, common.answer.more, common.answer.total], [50, true, null]);
  t.diagnostic(`a common pattern: ${home.bytes} of at most ${common.bytes} bytes in ${home.requests} requests`);
  // What was read before does not count.
  await reopen(page, `${home.url}/plain/many.parquet`);
  [home.bytes, home.requests] = [0, 0];
  const rare = await hunt({ "sub-fen": "8/8/8/8/8/8/8/QQ6" }, 50, false);
  t.diagnostic(`a rare one: ${home.bytes} of at most ${rare.bytes} bytes in ${home.requests} requests`);
  assert.ok(0 < home.bytes && home.bytes <= rare.bytes, `${home.bytes} of ${rare.bytes}`);
  assert.deepEqual([rare.answer.games, rare.answer.total, rare.some], [[], 0, []]);
  assert.deepEqual(rare.done, rare.done.toSorted((one, other) => one - other));
  // Half a second passes with every look at the clock.
  await page.evaluate(() => {
    let time = 0;
    performance.now = () => (time += 500);
  });
  const slow = await hunt({ moved: "K", captured: "Q" }, 5000, false);
  const [first] = slow.some;
  assert.ok(0 < first && first < slow.answer.games.length, `${slow.some} of ${slow.answer.games.length}`);
  const stopped = await hunt({ moved: "K", captured: "Q" }, 5000, true);
  assert.equal(stopped.answer.fault, "AbortError");
  await close(page);
});

test("a page without a server has patterns, and its list says what they cost", PLAIN, async () => {
  const page = await browser.newPage({ viewport: { width: 1640, height: 900 } });
  const [faults, loaded] = [[], []];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("response", (answer) => loaded.push(new URL(answer.url()).pathname.slice(1)));
  await page.goto(`${home.url}/explorer.html?db=plain/championship.parquet#/games`);
  await page.locator(".range", { hasText: "of 567 games" }).waitFor();
  assert.deepEqual(await page.locator("#views a").allTextContents(), ["Games", "Tree", "Pattern"]);
  assert.ok(!loaded.some((name) => name.includes("patterns")), "its core is not loaded before one is asked");
  await page.goto(`${home.url}/explorer.html?db=plain/championship.parquet#/pattern?pattern=KRPKR`);
  await page.click(".pattern-view >> text=Find games");
  await page.locator("td.met").first().waitFor();
  assert.ok(loaded.includes("plypack-core-patterns.lzma"));
  const total = lines(plypack("find", join(folder, "championship.parquet"), "--pattern", "KRPKR", "--json", "-q")).length;
  await page.locator(".range", { hasText: `of ${total} games` }).waitFor();
  // A slow host: what it reads is said meanwhile.
  await page.route(/many\.parquet$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto("about:blank");
  await page.goto(`${home.url}/explorer.html?db=plain/many.parquet#/games?pattern={"captured":"Q"}`);
  await page.locator(".games-view .work", { hasText: /reads at most \d+\.\d MB to search/ }).waitFor();
  await page.locator("td.met").first().waitFor();
  assert.deepEqual(faults, []);
  await page.close();
});

test("a page without a server has players and events, and no repertoires", PLAIN, async () => {
  const page = await browser.newPage({ viewport: { width: 1640, height: 900 } });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const to = (hash) => page.goto(`${home.url}/explorer.html?db=plain/championship.parquet${hash}`);
  await to("#/games");
  await page.locator("td.white a.person").first().click();
  await page.locator(".player-view .scores").first().waitFor();
  await page.goBack();
  await page.locator("td.event a.person").first().click();
  await page.locator(".event-view .scores").waitFor();
  await to("#/repertoire");
  await page.locator(".games-view .range", { hasText: "567 games" }).waitFor();
  await page.fill(".games-view [name=player]", "anan");
  await page.locator(".games-view [role=option]", { hasText: "Anand,V" }).waitFor();
  assert.deepEqual(faults, []);
  await page.close();
});

test("a click in the tree fetches little", PLAIN, async (t) => {
  const told = process.env.PLYPACK_EXPLORER_FILE;
  const file = told ?? join(folder, "many.parquet");
  const count = Number(process.env.PLYPACK_EXPLORER_POSITIONS ?? (told ? 200 : 40));
  const most = Number(process.env.PLYPACK_EXPLORER_BYTES ?? 160_000);
  const name = basename(file);
  home.paths.set(name, file);
  home.paths.set(name.replace(/parquet$/, "plyindex"), file.replace(/parquet$/, "plyindex"));
  const url = `${home.url}/plain/${name}`;
  [home.bytes, home.requests] = [0, 0];
  const page = await open(url);
  assert.equal(page.fault, undefined);
  t.diagnostic(`opening: ${home.bytes} bytes in ${home.requests} requests`);
  const { records } = await ask(page, "about");
  let random = 7;
  const next = (most) => (random = (random * 48271) % 2147483647) % most;
  const costs = [];
  for (let at = 0; at < count; at++) {
    const moves = movesOf(await ask(page, "game", String(1 + next(records))));
    const play = moves.slice(0, Math.min(2 + next(59), moves.length)).join(",");
    // Data read before does not count.
    assert.equal(await reopen(page, url), undefined);
    [home.bytes, home.requests] = [0, 0];
    const tree = await ask(page, "tree", { play }, {});
    assert.equal(tree.fault, undefined, play);
    assert.ok(tree.records > 0, play);
    costs.push({ bytes: home.bytes, requests: home.requests, records: tree.records });
  }
  const ranked = (costs, key) => costs.map((cost) => cost[key]).sort((one, other) => one - other);
  const classes = {
    "a click": costs,
    "one at a position of four games or more": costs.filter(({ records }) => records > 3),
    "one at a rarer position": costs.filter(({ records }) => records < 4),
  };
  for (const [what, its] of Object.entries(classes)) {
    for (const key of ["bytes", "requests"]) {
      const all = ranked(its, key);
      t.diagnostic(`${key} of ${what}, of ${its.length}: median ${all[its.length >> 1]}, 95 of 100 ${
        all[Math.floor(its.length * 0.95)]}, most ${all.at(-1)}`);
    }
  }
  assert.ok(ranked(costs, "bytes").at(-1) <= most, `a click fetched ${ranked(costs, "bytes").at(-1)} bytes`);
  await close(page);
});
