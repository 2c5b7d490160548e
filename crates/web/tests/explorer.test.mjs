// The explorer in a headless browser: `npm test`, after `cargo xtask web`. A small server stands in
// for `plypack serve`, which the last test uses if `cargo build -p plypack-cli` has built the
// program, or it is at $PLYPACK. UPDATE=1 updates the pictures.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { difference, hindrances, launch } from "./browser.mjs";
import { HOSTILE, serve, stopAll } from "./explorer_fixture.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const built = join(root, "target/web/page");
const program = process.env.PLYPACK ?? join(root, "target/debug/plypack");

let browser;
let server;
let othello;
before(async () => {
  [browser, server, othello] = await Promise.all([launch(), serve(), serve({ game: "othello" })]);
});
after(async () => {
  await browser?.close();
  stopAll();
});

const WIDE = { width: 1180, height: 860 };
const PHONE = { width: 360, height: 740 };

/** A fresh page at a view. */
async function open(hash = "", { base = server.base, ...options } = {}) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.goto(`${base}explorer.html${hash}`);
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

const rows = (page) => page.locator(".games-view tbody tr");
/** Opens the game of a row, beside the names in it, which lead elsewhere. */
const enter = (row) => row.locator("a").first().click({ position: { x: 3, y: 3 } });
const range = (page, text) => page.locator(".range", { hasText: text }).waitFor();
const hash = (page) => new URL(page.url()).hash;
const board = (page, view = "tree") => page.locator(`.${view}-view plypack-board`);
const at = (page, text) => page.locator(".tree-view .summary, .tree-view .none", { hasText: text }).waitFor();
const tree = at;
const move = (page, name) => page.locator(`.tree-view .moves td.move a`, { hasText: name });
const coordinates = (page) => board(page).evaluate((board) => board.path.map((node) => node.coordinates).join(" ").trim());
/** Waits until the board shows this ply; in the view of a game, until that game was read, too. */
const ply = (page, ply, view = "tree") =>
  page.waitForFunction(([view, ply]) => {
    const board = document.querySelector(`.${view}-view plypack-board`);
    const read = view !== "game" || document.querySelector(".game-view .tools")?.hidden === false;
    return read && board?.position && board.ply === ply;
  }, [view, ply]);

/** Presses a key until it leads to an address: a view that comes back still reads its game. */
async function leads(page, key, address) {
  for (let tries = 0; tries < 50 && hash(page) !== address; tries++) {
    await page.keyboard.press(key);
    await page.waitForTimeout(50);
  }
  assert.equal(hash(page), address);
}

/** The middle of a square of a board of eight, with White below. */
async function square(page, name) {
  const box = await board(page).locator("svg").first().boundingBox();
  const scale = box.width / (800 + 44 + 14);
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1])];
  return [box.x + (44 + file * 100 + 50) * scale, box.y + (14 + (8 - rank) * 100 + 50) * scale];
}

/** Moves a man on the board of the tree. */
async function play(page, from, to) {
  await page.mouse.click(...(await square(page, from)));
  await page.mouse.click(...(await square(page, to)));
}

test("filters are in the address, which shows them again", async () => {
  const page = await open();
  await range(page, "1–50 of 568 games");
  assert.equal(await page.evaluate(() => customElements.get("plypack-board")), undefined, "no board is loaded");
  await page.fill('[name="player"]', "Carlsen");
  await page.selectOption('[name="color"]', "white");
  await page.selectOption('[name="result"]', "1-0");
  await page.fill('[name="since"]', "2014");
  await page.click("text=Find games");
  await range(page, "of 5 games");
  assert.equal(hash(page), "#/games?player=Carlsen&color=white&since=2014&result=1-0");
  assert.match(await page.title(), /^Games · Carlsen with White · from 2014 · White won · Championship$/);
  await page.reload();
  await range(page, "of 5 games");
  assert.equal(await page.inputValue('[name="player"]'), "Carlsen");
  await page.click('.games-view [aria-label="Clear White won"]');
  await page.waitForURL(/player=Carlsen&color=white&since=2014$/);
  await page.click('.games-view [aria-label="Clear all filters"]');
  await range(page, "of 568 games");
  assert.equal(hash(page), "#/games");
  await page.goBack();
  await page.waitForURL(/since=2014$/);
  assert.equal(await page.inputValue('[name="since"]'), "2014");
  await page.goForward();
  await range(page, "of 568 games");
  assert.equal(await page.inputValue('[name="player"]'), "");
  await close(page);
});

test("a date that is none is refused before anything is asked", async () => {
  const page = await open();
  await range(page, "568");
  await page.fill('[name="since"]', "May");
  await page.click("text=Find games");
  assert.equal(await page.locator('.games-view [name="since"]').evaluate((field) => field.validity.valid), false);
  assert.equal(hash(page), "");
  await close(page);
});

test("games are ordered, and go on page by page", async () => {
  const page = await open("#/games");
  await range(page, "1–50");
  await page.selectOption(".order select", "date");
  await range(page, "1–50");
  await page.waitForURL(/sort=date$/);
  await page.waitForFunction(() => document.querySelector(".games-view td.date")?.textContent === "2020");
  await page.click("text=Next");
  await range(page, "51–100 of 568 games");
  assert.equal(hash(page), "#/games?sort=date&page=2");
  await page.goBack();
  await range(page, "1–50 of");
  await page.goto(`${server.base}explorer.html#/games?page=12`);
  await range(page, "551–568 of");
  assert.equal(await rows(page).count(), 18);
  assert.equal(await page.locator("text=Next").count(), 0);
  await page.click("text=Previous");
  await range(page, "501–550 of");
  await page.goto(`${server.base}explorer.html#/games?player=nobody`);
  await range(page, "No games fit. Clear a filter");
  await close(page);
});

test("what was found comes as a file, in its order", async () => {
  const page = await open("#/games?player=Topalov&sort=date");
  await range(page, "of 38 games");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download PGN")]);
  assert.equal(download.suggestedFilename(), "championship.pgn");
  const text = readFileSync(await download.path(), "utf8");
  assert.equal(text.match(/^\[Event /gm).length, 38);
  assert.equal(text.match(/Topalov/g).length, 38);
  assert.match(server.asked.at(-1), /^\/api\/pgn\?player=Topalov&sort=date$/);
  await close(page);
});

test("the tree goes on by its table, by the board and by the line, and back", async () => {
  const page = await open("#/tree");
  await at(page, "567 games");
  await move(page, "e4").click();
  await at(page, "227 games");
  await ply(page, 1);
  assert.equal(hash(page), "#/tree?play=e2e4");
  await play(page, "e7", "e5");
  await at(page, "129 games");
  assert.equal(hash(page), "#/tree?play=e2e4,e7e5");
  assert.equal(await page.textContent("#tree-title"), "C20 King's Pawn Game");
  assert.match(await page.title(), /^1\. ?e4 e5 · C20 King's Pawn Game · Championship$/);
  await move(page, "Nf3").click();
  await at(page, "126 games");
  await ply(page, 3);
  assert.equal(await coordinates(page), "e2e4 e7e5 g1f3");
  await page.goBack();
  await at(page, "129 games");
  await ply(page, 2);
  await page.goBack();
  await at(page, "227 games");
  await ply(page, 1);
  await page.goForward();
  await ply(page, 2);
  await page.click("text=‹ Back");
  await ply(page, 1);
  // A side line, and the line to it.
  await play(page, "c7", "c5");
  await page.waitForURL(/play=e2e4,c7c5$/);
  await page.click(".line a:first-of-type");
  await ply(page, 1);
  await page.click("text=« Start");
  await at(page, "567 games");
  await ply(page, 0);
  await page.click("text=Flip");
  assert.equal(await board(page).getAttribute("orientation"), "second");
  await close(page);
});

test("keys on the board go through the line, and the tree follows", async () => {
  const page = await open("#/tree?play=e2e4,e7e5,g1f3");
  await at(page, "126 games");
  await ply(page, 3);
  await board(page).locator(".board").focus();
  await page.keyboard.press("ArrowLeft");
  await at(page, "129 games");
  assert.equal(hash(page), "#/tree?play=e2e4,e7e5");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await at(page, "126 games");
  await page.keyboard.press("Home");
  await at(page, "567 games");
  assert.equal(hash(page), "#/tree");
  await close(page);
});

test("a position that no game reaches says so, with what clears it", async () => {
  const page = await open("#/tree?play=h2h4,h7h5");
  await at(page, "No game reaches this position");
  await close(page);
  const start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const other = await open(`#/tree?fen=${encodeURIComponent(start)}&play=e2e4`);
  await ply(other, 1);
  assert.match(await board(other).evaluate((board) => board.position), /^4k3\/8\/8\/8\/4P3/);
  assert.equal(await other.textContent(".mover"), "Black to move");
  await other.click("text=‹ Back");
  await ply(other, 0);
  assert.match(hash(other), /^#\/tree\?fen=4k3\/8/);
  await close(other);
});

test("a move that is none is told over the moves before it", async () => {
  const page = await open("#/tree?play=e2e4,e2e4");
  await page.locator('.board-side > [role="alert"]', { hasText: "Ply 2" }).waitFor();
  await ply(page, 1);
  await close(page);
});

test("filters hold in the tree, and the bar of results is told in words", async () => {
  const page = await open("#/games?player=Carlsen");
  await range(page, "of 51 games");
  await page.click("#views >> text=Tree");
  await at(page, "51 games");
  assert.equal(hash(page), "#/tree?player=Carlsen");
  const told = await page.locator(".moves .bar").first().getAttribute("aria-label");
  assert.match(told, /^White won \d+ %, drawn \d+ %, Black won \d+ %$/);
  await move(page, "e4").click();
  await page.waitForURL(/play=e2e4&player=Carlsen$/);
  await page.click('.tree-view [aria-label="Clear Carlsen"]');
  await at(page, "227 games");
  await close(page);
});

test("games that reach the position are listed when asked for, and open there", async () => {
  const page = await open("#/tree?play=e2e4,e7e5");
  await at(page, "129 games");
  const before = server.asked.length;
  await page.click("text=Games that reach this position");
  await page.locator(".reached tbody tr").nth(19).waitFor();
  assert.equal(server.asked.length, before + 1);
  await page.click("text=More games");
  await page.locator(".reached tbody tr").nth(39).waitFor();
  assert.equal(await page.locator(".reached tbody tr").count(), 40);
  await enter(page.locator(".reached tbody tr").nth(30));
  await ply(page, 2, "game");
  assert.match(hash(page), /^#\/game\/\d+\?ply=2$/);
  await page.goBack();
  await at(page, "129 games");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".reached") !== null), true);
  await page.click("text=All games of this position");
  await range(page, "1–50 of 129 games");
  assert.equal(await page.locator(".games-view th.next").count(), 1);
  await page.click("text=Show all games");
  await range(page, "568");
  await close(page);
});

test("a game has its moves and tags, and the tree at each of its plies", async () => {
  const page = await open("#/game/1?ply=3");
  await ply(page, 3, "game");
  assert.equal(await page.textContent("#game-title"), "Aronian,L – Carlsen,M · ½–½ · 2013-03-15");
  assert.match(await page.textContent(".tags"), /FIDE Candidates.*London/);
  await board(page, "game").locator(".board").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(hash(page), "#/game/1?ply=2");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(".game-view >> text=Download")]);
  const sample = readFileSync(join(root, "samples/championship.pgn"), "utf8");
  assert.ok(sample.startsWith(readFileSync(await download.path(), "utf8").trim()));
  await page.click("text=Position in the tree");
  await ply(page, 2);
  assert.equal(hash(page), "#/tree?play=d2d4,g8f6");
  await page.goBack();
  await ply(page, 2, "game");
  await page.reload();
  await ply(page, 2, "game");
  await close(page);
});

const ANNOTATED = `[Event "?"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. d4 (1. e4 e5 2. Nf3 (2. f4)) 1... d5 2. c4 {quiet} 2... e6 3. b4 (3. g3 {Catalan} Nf6) 1-0
`;

test("variations of a game are entered and played from, and are in the address", async () => {
  const own = await serve({ records: { 1: ANNOTATED } });
  const page = await open("#/game/1", { base: own.base });
  await ply(page, 0, "game");
  const at = () => board(page, "game").evaluate((board) => board.path.map(({ text }) => text).join(" ").trim());
  await board(page, "game").locator("[data-node]", { hasText: "g3" }).click();
  assert.equal(await at(), "d4 d5 c4 e6 g3");
  assert.equal(hash(page), "#/game/1?play=d2d4,d7d5,c2c4,e7e6,g2g3");
  await page.keyboard.press("ArrowRight");
  assert.equal(await at(), "d4 d5 c4 e6 g3 Nf6");
  await page.reload();
  await ply(page, 6, "game");
  assert.equal(await at(), "d4 d5 c4 e6 g3 Nf6");
  await page.click("text=Position in the tree");
  await page.waitForURL(/#\/tree\?play=d2d4,d7d5,c2c4,e7e6,g2g3,g8f6$/);
  await page.goBack();
  await ply(page, 6, "game");
  await leads(page, "Home", "#/game/1");
  // ↓ goes to the alternative of the first move, a move on the board to a new one.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), "e4");
  await page.keyboard.press("Home");
  const box = await board(page, "game").locator("svg").first().boundingBox();
  const scale = box.width / 858;
  for (const [x, y] of [[44 + 250, 14 + 650], [44 + 250, 14 + 450]]) {
    await page.mouse.click(box.x + x * scale, box.y + y * scale);
  }
  assert.equal(await at(), "c4");
  assert.equal(hash(page), "#/game/1?play=c2c4");
  await close(page);
  own.stop();
});

test("arrow keys, f and space work wherever the focus is, in the tree and in a game", async () => {
  const page = await open("#/tree");
  await tree(page, "567 games");
  await ply(page, 0);
  // On a fresh tree → plays the most frequent move, and ← takes it back.
  const most = await page.locator(".tree-view .moves td.move a").first().textContent();
  await page.keyboard.press("ArrowRight");
  await ply(page, 1);
  assert.equal(await board(page).evaluate((board) => board.path[1].text), most);
  await page.keyboard.press("ArrowLeft");
  await ply(page, 0);
  await page.locator(".tree-view .moves td.move a").nth(1).click();
  await ply(page, 1);
  await page.keyboard.press("ArrowLeft");
  await ply(page, 0);
  await page.keyboard.press("f");
  assert.equal(hash(page), "#/tree?flip=1");
  // The side below is kept for games.
  await page.click("#views >> text=Games");
  await enter(rows(page).first());
  await ply(page, 0, "game");
  assert.equal(await board(page, "game").getAttribute("orientation"), "second");
  for (let step = 1; step <= 4; step++) await page.keyboard.press("ArrowRight");
  await ply(page, 4, "game");
  await page.keyboard.press(" ");
  await ply(page, 6, "game");
  await page.keyboard.press(" ");
  await page.keyboard.press("f");
  assert.doesNotMatch(hash(page), /flip/);
  await close(page);
});

test("a game leads to the one before and after it in its list", async () => {
  const page = await open("#/games?player=Carlsen");
  await range(page, "of 51 games");
  const ids = await rows(page).evaluateAll((all) => all.map((row) => row.dataset.id));
  await enter(rows(page).nth(1));
  await ply(page, 0, "game");
  // The link is told by the game that it leads to, as the address changes before the links do.
  const go = (text, id) => page.locator(`a[href*="#/game/${id}"]`, { hasText: text }).click();
  await go("Next game", ids[2]);
  await page.waitForURL(new RegExp(`#/game/${ids[2]}$`));
  await go("Previous game", ids[1]);
  await page.waitForURL(new RegExp(`#/game/${ids[1]}$`));
  await go("Previous game", ids[0]);
  await page.waitForURL(new RegExp(`#/game/${ids[0]}$`));
  await page.locator('[aria-disabled="true"]', { hasText: "Previous game" }).waitFor();
  await close(page);
});

test("a record without moves that can be read is shown as text, and long tags stay small", async () => {
  const own = await serve({ records: { 1: `[White "A"\n[Blac "x\n\nhello there\n`,
    2: `[White "${"W".repeat(200_000)}"]\n[Black "B"]\n[Event "${"word ".repeat(40_000)}"]\n\n1. e4 *\n` } });
  const page = await open("#/game/1", { base: own.base });
  await page.locator(".game-view .unread", { hasText: "No moves could be read" }).waitFor();
  await page.locator(".game-view pre", { hasText: "hello there" }).waitFor();
  await page.goto(`${own.base}explorer.html#/game/2`);
  await page.locator("#game-title", { hasText: "WWW" }).waitFor();
  await ply(page, 0, "game");
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight) < 3_000);
  assert.ok((await page.title()).length < 300);
  await close(page);
  own.stop();
});

test("a game of WTHOR, which has numbers for names, is shown with those of its list", async () => {
  const own = await serve({ game: "othello", records: { 1: "222\t1834\t1708\t46\t36\tf5d6c3d3c4\n" } });
  const page = await open("#/game/1", { base: own.base });
  await ply(page, 0, "game");
  assert.equal(await page.locator(".unread *").count(), 0);
  await page.keyboard.press("End");
  await ply(page, 5, "game");
  assert.match(await board(page, "game").locator(".moves").innerText(), /^1\s*f5\s*2\s*d6/);
  await close(page);
  own.stop();
});

test("a filtered list says how many games there are, as soon as they are counted", async () => {
  const own = await serve({ totals: false });
  const page = await open("#/games?player=Carlsen", { base: own.base });
  await range(page, "1–50 of 51 games");
  await page.locator(".pager", { hasText: "Page 1 of 2" }).waitFor();
  await close(page);
  own.stop();
});

test("headings sort, and say how games are sorted", async () => {
  const page = await open("#/games");
  await range(page, "568");
  await page.click(".games-view th.date a");
  await page.waitForURL(/sort=date$/);
  await page.locator('.games-view th.date[aria-sort="descending"]').waitFor();
  assert.equal(await page.inputValue(".order select"), "date");
  await page.click(".games-view th.rating a >> nth=0");
  await page.waitForURL(/sort=rating$/);
  await page.locator(".games-view th.rating[aria-sort]").first().locator("a").click();
  await page.waitForURL(/#\/games$/);
  await close(page);
});

test("games at the start have their first move, and the game pointed at is beside the list", async () => {
  const page = await open("#/tree", { viewport: { width: 1500, height: 900 } });
  await tree(page, "567 games");
  await page.click("text=Games that reach this position");
  await page.locator(".reached tbody tr").nth(19).waitFor();
  assert.equal(await page.locator(".reached", { hasText: "ends here" }).count(), 0);
  assert.equal(await page.locator(".reached td.next").first().textContent(), "d4");
  await page.click("#views >> text=Games");
  await rows(page).nth(2).hover();
  await page.locator(".preview plypack-board").waitFor();
  await page.waitForFunction(() => document.querySelector(".preview plypack-board")?.ply > 10);
  await close(page);
});

test("a position or a game is pasted, typed and copied", async () => {
  const page = await open("#/tree");
  await tree(page, "567 games");
  await ply(page, 0);
  const paste = (text) => page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
  await paste("1. e4 e5 2. Nf3");
  await page.waitForURL(/#\/tree\?play=e2e4,e7e5,g1f3$/);
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  await page.fill('[name="setting"]', fen);
  await page.click(".setup button");
  await page.waitForURL(/#\/tree\?fen=4k3\/8/);
  assert.equal(await board(page).evaluate((board) => board.position), fen);
  assert.equal(await page.locator("text=Analyse on lichess.org").first().getAttribute("href"),
    "https://lichess.org/analysis/standard/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", {
    value: { writeText: (text) => Promise.resolve((window.copied = text)) } }));
  await page.click("text=Copy FEN");
  assert.equal(await page.evaluate(() => window.copied), fen);
  await page.click("text=Copy link");
  assert.equal(await page.evaluate(() => window.copied), page.url());
  // A whole game waits at its start, and is gone through from there.
  await page.click("#views >> text=Games");
  await paste(ANNOTATED);
  await page.waitForURL(/#\/tree$/);
  for (let step = 1; step <= 3; step++) {
    await page.keyboard.press("ArrowRight");
    await ply(page, step);
  }
  assert.equal(await coordinates(page), "d2d4 d7d5 c2c4");
  await page.fill('[name="setting"]', "nonsense here");
  await page.click(".setup button");
  await page.locator('.board-side > [role="alert"]', { hasText: "no game and no position" }).waitFor();
  assert.equal(await coordinates(page), "d2d4 d7d5 c2c4");
  await close(page);
});

test("a move that is pointed at is an arrow on the board, and twelve moves are shown at first", async () => {
  const page = await open("#/tree");
  await tree(page, "567 games");
  await ply(page, 0);
  await move(page, "e4").hover();
  assert.match(await board(page).locator("path.pointed").getAttribute("d"), /^M450 650L450 /);
  await page.mouse.move(5, 5);
  assert.equal(await board(page).locator(".pointed").count(), 0);
  await page.route("**/api/tree**", async (route) => {
    const json = await (await route.fetch()).json();
    json.moves = Array.from({ length: 20 }, (_, at) => ({ ...json.moves[0], move: `move ${at}` }));
    await route.fulfill({ json });
  });
  await page.goto(`${server.base}explorer.html#/tree?player=Carlsen`);
  await tree(page, "51 games");
  assert.equal(await page.locator(".tree-view .moves tbody tr").count(), 12);
  await page.click("text=Show all 20 moves");
  assert.equal(await page.locator(".tree-view .moves tbody tr").count(), 20);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "move 12");
  await close(page);
});

test("the wheel over the tree's board scrolls the page", async () => {
  const page = await open("#/tree?play=e2e4,e7e5", { viewport: { width: 1180, height: 500 } });
  await tree(page, "129 games");
  await ply(page, 2);
  await page.mouse.move(...(await square(page, "d5")));
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 50);
  await page.mouse.wheel(0, -100);
  await page.waitForTimeout(200);
  assert.equal(await board(page).evaluate((board) => board.ply), 2);
  await close(page);
});

test("no width has anything run out of the page, or names that cannot be read", async () => {
  for (const width of [320, 390, 641, 768, 900, 1024, 1280, 1920]) {
    for (const [view, [address, ready]] of Object.entries(VIEWS)) {
      const page = await open(address, { viewport: { width, height: 900 } });
      await ready(page);
      const [wide, names] = await page.evaluate(() => [document.documentElement.scrollWidth,
        [...document.querySelectorAll(".games-view td:is(.white, .black)")].map((cell) => cell.clientWidth)]);
      assert.ok(wide <= width, `${view} is ${wide} wide at ${width}`);
      const narrowest = Math.min(...names, Infinity);
      assert.ok(narrowest >= 140, `names have ${narrowest} pixels at ${width}`);
      const cut = await page.locator("td.date").evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
      assert.deepEqual(cut, [], `dates of ${view} are cut off at ${width}`);
      const bars = await page.locator(".tree-view .moves .bar").evaluateAll((all) => all.map((bar) => bar.clientWidth));
      assert.ok(Math.min(...bars, Infinity) >= 70, `bars have ${Math.min(...bars)} pixels at ${width}`);
      await close(page);
    }
  }
});

test("a link to a game from elsewhere is that of the viewer", async () => {
  const page = await open("#/game/1?ply=3");
  await ply(page, 3, "game");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", {
    value: { writeText: (text) => Promise.resolve((window.copied = text)) } }));
  await board(page, "game").locator('[data-do="link"]').click();
  assert.match(await page.evaluate(() => window.copied), /^http.*\/index\.html#[\w-]+$/);
  await close(page);
});

test("what the server refuses is told in its words, and tried again", async () => {
  const page = await open("#/games?player=error");
  const alert = page.locator('.games-view [role="alert"]');
  await alert.waitFor();
  assert.equal(await alert.textContent(), "The file games.parquet is damaged at byte 12: pack it again.");
  const before = server.asked.length;
  await page.click("text=Try again");
  await page.waitForFunction(() => document.querySelector('.games-view [role="alert"]'));
  assert.equal(server.asked.length, before + 1);
  await page.goto(`${server.base}explorer.html#/game/999`);
  await page.locator('.game-view [role="alert"]', { hasText: "There is no such record" }).waitFor();
  assert.equal(await page.locator(".game-view .holder").isVisible(), false);
  await page.goto(`${server.base}explorer.html#/tree?player=error`);
  await page.locator('.moves-side [role="alert"]').waitFor();
  await page.goto(`${server.base}explorer.html#/games`);
  await range(page, "568");
  assert.equal(await alert.count(), 0);
  await close(page);
});

test("the old answer stays, greyed, until the new one is there, and work is cancelled", async () => {
  const page = await open("#/games?player=Carlsen");
  await range(page, "of 51 games");
  await page.goto(`${server.base}explorer.html#/games?player=slow`);
  await page.locator(".list[aria-busy]").waitFor();
  assert.equal(await rows(page).count(), 50);
  await page.click(".work >> text=Cancel");
  await page.locator(".work", { hasText: "Searching games was cancelled." }).waitFor();
  await page.click("text=Go on");
  await page.locator("progress").waitFor();
  await range(page, "No games fit");
  // A newer request stops an older one.
  await page.goto(`${server.base}explorer.html#/games?player=slow&page=2`);
  await page.goto(`${server.base}explorer.html#/games?player=Anand`);
  await range(page, "of 49 games");
  await page.waitForTimeout(1000);
  await range(page, "of 49 games");
  await close(page);
});

test("names that are markup are shown as they are", async () => {
  const page = await open("#/games?sort=date");
  await rows(page).first().locator("td.white", { hasText: HOSTILE }).waitFor();
  await enter(rows(page).first());
  await page.locator("#game-title", { hasText: HOSTILE }).waitFor();
  await ply(page, 0, "game");
  await board(page, "game").locator(".board").focus();
  await page.keyboard.press("ArrowRight");
  await ply(page, 1, "game");
  await page.click("text=Position in the tree");
  await page.waitForURL(/#\/tree\?fen=.*play=g1f3/);
  await ply(page, 1);
  assert.equal(await page.textContent(".line"), "2.Nf3 ");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, b").count(), 0);
  await page.goto(`${server.base}explorer.html#/games?player=${encodeURIComponent(HOSTILE)}&opening=%22%3E`);
  await page.locator(".chips", { hasText: HOSTILE }).waitFor();
  await close(page);
});

test("a database without an index says why a position takes long, and what makes one", async () => {
  const bare = await serve({ about: { indexed: false } });
  const page = await open("#/tree", { base: bare.base });
  await page.locator(".moves-side", { hasText: "plypack index makes one" }).waitFor();
  await at(page, "567 games");
  await close(page);
  bare.stop();
});

test("without a database the page asks for one, and the viewer forwards to it", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(built, "explorer.html")).href);
  await page.locator("text=plypack serve games.parquet --site").waitFor();
  await page.fill("#db", "games.parquet");
  await page.click("#opening button");
  await page.waitForURL(/explorer\.html\?db=games\.parquet$/);
  await page.goto(`${pathToFileURL(join(built, "index.html")).href}?db=other.parquet#/tree`);
  await page.waitForURL(/explorer\.html\?db=other\.parquet#\/tree$/);
  await page.locator('[role="alert"]').waitFor();
  await page.close();
});

test("a folder opens its database, and the viewer for the link of a game", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plypack-site-"));
  const index = readFileSync(join(built, "index.html"), "utf8");
  assert.equal(index.match(/<html lang="en">/g).length, 1, "the program writes the name of the file here");
  writeFileSync(join(folder, "index.html"), index.replace('<html lang="en">', '<html lang="en" data-db="my &quot;games&quot;.parquet">'));
  writeFileSync(join(folder, "explorer.html"), "<p>explorer</p>");
  const page = await browser.newPage();
  const home = pathToFileURL(join(folder, "index.html")).href;
  for (const [hash, there] of [["", ""], ["#/tree?play=e2e4", "#/tree?play=e2e4"]]) {
    await page.goto("about:blank");
    await page.goto(`${home}${hash}`);
    await page.waitForURL((url) => url.href.endsWith(`explorer.html?db=my%20%22games%22.parquet${there}`));
  }
  await page.goto("about:blank");
  await page.goto(`${home}#FgKzM3o`);
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 2);
  await page.close();
  rmSync(folder, { recursive: true });
});

test("another game has its own board and sides", async () => {
  const page = await open("#/tree", { base: othello.base });
  await at(page, "10 games");
  await ply(page, 0);
  assert.equal(await board(page).evaluate((board) => board.game), "othello");
  assert.equal(await page.textContent(".mover"), "Black to move");
  await move(page, "f5").click();
  await at(page, "No game reaches");
  await ply(page, 1);
  assert.equal(await page.textContent(".mover"), "White to move");
  await close(page);
});

test("one goes by keys alone from a filter to a game, to the tree, and on", async () => {
  const page = await open();
  await range(page, "568");
  /** Presses Tab until an element has the focus. */
  const tab = async (selector) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    }
    assert.fail(`Tab does not come to ${selector}`);
  };
  await tab("#skip");
  await page.keyboard.press("Enter");
  assert.equal(hash(page), "");
  await tab('[name="player"]');
  await page.keyboard.type("Kramnik");
  await page.keyboard.press("Enter");
  await range(page, "of 36 games");
  await tab(".games-view tbody a");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await ply(page, 0, "game");
  assert.equal(await page.evaluate(() => document.activeElement.id), "game-title");
  await page.goBack();
  await range(page, "of 36 games");
  assert.ok(await page.evaluate(() => document.activeElement === document.querySelectorAll(".games-view tbody a.whole")[1]));
  await page.goForward();
  await ply(page, 0, "game");
  await page.evaluate(() => document.getElementById("game-title").focus());
  await tab("plypack-board");
  await page.keyboard.press("ArrowRight");
  await ply(page, 1, "game");
  await tab(".game-view .tools a");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/tree\?play=\w{4}$/);
  await ply(page, 1);
  await tab(".moves tbody a");
  await page.keyboard.press("Enter");
  await ply(page, 2);
  await page.waitForFunction(() => document.activeElement.matches(".moves tbody a, #tree-title"));
  await close(page);
});

test("a name leads to the page of its player, and from there to the games", async () => {
  const page = await open("#/games?event=Candidates");
  await range(page, "games");
  const name = rows(page).first().locator("td.white a.person");
  const player = await name.textContent();
  await name.click();
  await page.locator(".player-view .scores").first().waitFor();
  assert.equal(await page.textContent("#player-title"), player);
  assert.equal(await page.evaluate(() => document.activeElement.id), "player-title");
  assert.match(await page.title(), new RegExp(`^${player}`));
  const games = (text) => Number(text.replaceAll(",", ""));
  const all = await page.locator(".player-view .scores").first().locator("td.number").allTextContents();
  assert.equal(games(all[0]) + games(all[1]), games(all[2]));
  const sums = page.locator(".player-view section", { hasText: "By year" }).locator("td.number");
  assert.equal((await sums.allTextContents()).reduce((sum, text) => sum + games(text), 0), games(all[2]));
  // A row is a link to its games.
  const row = page.locator(".player-view section", { hasText: /^Openings with White/ }).locator("tbody tr").first();
  const counted = await row.locator("td.number").textContent();
  await row.locator("td.what a").click();
  await range(page, `of ${counted} game`);
  assert.match(decodeURIComponent(hash(page)), new RegExp(`player="${player.replaceAll(" ", "\\+")}"&color=white&opening=[A-E]\\d\\d$`));
  await page.click(`.games-view .chips >> text=About ${player}`);
  await page.locator(".player-view .scores").first().waitFor();
  await page.click("text=Tree with Black");
  await at(page, `${all[1]} games`);
  await close(page);
});

test("who may be the same person is told and counted apart, and nobody is told", async () => {
  const page = await open("#/player?name=Carlsen,M");
  const other = page.locator(".player-view p a.person");
  await other.waitFor();
  assert.equal(await other.getAttribute("href"), "#/player?name=Carlsen,+Magnus&fide_id=1503014");
  assert.match(await page.textContent(".player-view .people"), /Perhaps the same, counted apart: Carlsen, Magnus \(FIDE 1503014, 3 games\)\./);
  await page.goto(`${server.base}explorer.html#/player?name=Nobody`);
  await page.locator('.player-view [role="alert"]', { hasText: "There is no player `Nobody`." }).waitFor();
  assert.equal(await page.locator(".player-view .scores:visible").count(), 0);
  await close(page);
});

test("an event has its players, best first, and its games", async () => {
  const page = await open("#/game/12");
  await ply(page, 0, "game");
  const link = page.locator(".about dd a.person").first();
  const event = await link.textContent();
  await link.click();
  await page.locator(".event-view .scores").waitFor();
  assert.equal(await page.textContent("#event-title"), event);
  const points = await page.locator(".event-view td.points").allTextContents();
  const values = points.map((text) => Number(text.replace("½", ".5")));
  assert.deepEqual(values, values.toSorted((a, b) => b - a));
  assert.ok(values.length > 1);
  const listed = await page.locator(".event-view table.games tbody tr").count();
  const all = Number((await page.textContent(".event-view .summary")).match(/^(\d+) games/)[1]);
  assert.equal(listed, Math.min(all, 50));
  await enter(page.locator(".event-view table.games tbody tr").nth(1));
  await ply(page, 0, "game");
  await page.goBack();
  await page.locator(".event-view td.what a").first().click();
  await page.locator(".player-view .scores").first().waitFor();
  await page.goBack();
  await page.click("text=All games as a list");
  await range(page, `of ${all} games`);
  assert.equal(new URLSearchParams(hash(page).split("?")[1]).get("event"), `"${event}"`);
  await close(page);
});

test("names are completed as they are typed, by keys and by hand", async () => {
  const page = await open();
  await range(page, "568");
  const field = page.locator('.games-view [name="player"]');
  const options = page.locator('.games-view [role="option"]');
  const before = server.asked.length;
  await field.pressSequentially("v an", { delay: 5 });
  await options.first().waitFor();
  // Not every keystroke is a question.
  assert.ok(server.asked.length - before < 4, server.asked.slice(before).join());
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  const [first] = await options.locator("span:first-child").allTextContents();
  assert.match(first, /Anand/);
  assert.deepEqual(await hindrances(page), []);
  await page.keyboard.press("ArrowDown");
  const active = await field.getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  // The first Enter takes the name, the next one asks.
  assert.deepEqual([await field.inputValue(), await options.first().isVisible(), hash(page)], [first, false, ""]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/player=/);
  assert.equal(new URLSearchParams(hash(page).split("?")[1]).get("player"), first);
  // Escape closes the list and leaves what was typed.
  await field.fill("");
  await field.pressSequentially("kar", { delay: 5 });
  await options.locator("text=Karjakin").waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual([await field.inputValue(), await field.getAttribute("aria-expanded")], ["kar", "false"]);
  // Without a choice Enter asks for what was typed.
  await page.keyboard.type("j");
  await options.first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/player=karj$/);
  const event = page.locator('.games-view [name="event"]');
  await event.pressSequentially("2013", { delay: 5 });
  await page.locator('.games-view [role="option"]:visible').first().click();
  assert.match(await event.inputValue(), /2013/);
  assert.equal(await page.evaluate(() => document.activeElement.name), "event");
  await close(page);
});

/** The address of the pattern editor. */
function pattern(rules) {
  return `#/pattern?pattern=${encodeURIComponent(typeof rules === "string" ? rules : JSON.stringify(rules))}`;
}

/** The pattern in the address, parsed. */
const asked = async (page) => {
  const here = await page.evaluate(() => location.hash);
  const text = new URLSearchParams(here.split("?")[1]).get("pattern");
  return text?.startsWith("{") ? JSON.parse(text) : text;
};
const cell = (page, name) => page.locator(`[role="gridcell"][aria-label^="${name}: "]`);
const word = (page, name) => cell(page, name).getAttribute("aria-label");
const sign = (page, name) => page.locator(`.palette [aria-label="${name}"]`);

test("a pattern is set up by hand, is in the address, and finds games", async () => {
  const page = await open("#/games?result=1-0");
  await range(page, "games");
  await page.click("text=Set up a pattern");
  await page.waitForURL(/#\/pattern\?result=1-0$/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "pattern-title");
  const find = page.locator(".pattern-view >> text=Find games");
  assert.equal(await find.getAttribute("aria-disabled"), "true");
  await sign(page, "White pawn").check();
  await cell(page, "d4").click();
  await sign(page, "Black pawn").check();
  await cell(page, "d5").click();
  await cell(page, "e6").click();
  await sign(page, "nothing").check();
  await cell(page, "e4").click();
  await sign(page, "any man").check();
  await cell(page, "a1").click();
  assert.deepEqual(await asked(page), { "sub-fen": "8/8/4p3/3p4/3P.3/8/8/*7" });
  assert.equal(await word(page, "e4"), "e4: nothing");
  // Repeating it removes it, and so does clearing.
  await cell(page, "a1").click();
  await sign(page, "anything").check();
  await cell(page, "e6").click();
  assert.deepEqual(await asked(page), { "sub-fen": "8/8/8/3p4/3P.3/8/8/8" });
  await page.selectOption(".rules-side select", "white");
  await page.check("text=colours swapped");
  await page.check("text=anywhere on the board");
  assert.deepEqual(await asked(page), { shape: "p1/P.", stm: "white", "either-colour": true });
  assert.deepEqual(JSON.parse(await page.inputValue("textarea")), await asked(page));
  assert.equal(await page.locator("text=in all eight ways").count(), 0, "chess has an up and a down");
  await page.reload();
  await cell(page, "d4").waitFor();
  assert.equal(await page.isChecked("text=anywhere on the board"), true);
  assert.equal(await page.isChecked("text=left and right swapped"), false);
  await page.uncheck("text=colours swapped");
  assert.deepEqual(await asked(page), { shape: "p1/P.", stm: "white" });
  await find.click();
  await range(page, "games");
  assert.match(hash(page), /^#\/games\?result=1-0&pattern=/);
  assert.equal(await page.locator("td.met").first().textContent(), "2");
  assert.match(await page.title(), /White won · pattern shape p1\/P\., stm white · Championship$/);
  await enter(rows(page).first());
  await ply(page, 2, "game");
  assert.match(hash(page), /^#\/game\/\d+\?ply=2$/);
  await page.click("text=Position as a pattern");
  await cell(page, "e8").waitFor();
  const { "sub-fen": men } = await asked(page);
  assert.equal(men, "rnbqkbnr/pp1ppppp/8/2p5/8/5N2/PPPPPPPP/RNBQKB1R");
  await page.goBack();
  await page.goBack();
  await page.click("text=Change the pattern");
  assert.deepEqual(await asked(page), { shape: "p1/P.", stm: "white" });
  await page.goBack();
  // The filter form leaves the pattern alone; a tree has none.
  await page.fill('[name="player"]', "Carlsen");
  await page.click(".games-view >> text=Find games");
  await page.waitForURL(/player=Carlsen&result=1-0&pattern=/);
  await page.click("#views >> text=Tree");
  await page.waitForURL(/#\/tree\?player=Carlsen&result=1-0$/);
  await page.click("#views >> text=Games");
  await page.waitForURL(/player=Carlsen&result=1-0&pattern=/);
  await page.click('.games-view [aria-label^="Clear pattern"]');
  await page.waitForURL(/player=Carlsen&result=1-0$/);
  await close(page);
});

test("a pattern is set up by keys alone", async () => {
  const page = await open("#/pattern");
  await cell(page, "a8").focus();
  for (const key of ["ArrowRight", "ArrowDown", "N", "ArrowDown", "Enter", "End", ".", "Home", "*"]) {
    await page.keyboard.press(key);
  }
  assert.deepEqual(await asked(page), { "sub-fen": "8/1N6/*P5./8/8/8/8/8" });
  assert.equal(await page.textContent('.pattern-view [role="status"]'), "a6: any man");
  await page.keyboard.press("Delete");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("k");
  assert.deepEqual(await asked(page), { "sub-fen": "8/kN6/1P5./8/8/8/8/8" });
  assert.equal(await page.locator('.cells [tabindex="0"]').count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.name), "where");
  await page.click("text=Clear the pattern");
  await page.waitForURL(/#\/pattern$/);
  await close(page);
});

test("the text of a pattern is kept in step, and takes what no board shows", async () => {
  const page = await open(pattern("8/8/8/8/8/2N5/8/8"));
  assert.equal(await page.inputValue("textarea"), "8/8/8/8/8/2N5/8/8");
  assert.equal(await word(page, "c3"), "c3: White knight");
  await page.fill("textarea", '{"shape": "Rr", "count": {"Q": 0}}');
  assert.deepEqual(await asked(page), { shape: "Rr", count: { Q: 0 } });
  await page.locator("text=Besides the board the pattern asks for “count”").waitFor();
  await cell(page, "h1").press("K");
  assert.deepEqual(await asked(page), { shape: "Rr3/5/5/5/4K", count: { Q: 0 } });
  const sequence = { sequence: [{ "white-move": "Bb5" }, { captured: "B" }] };
  await page.fill("textarea", JSON.stringify(sequence));
  await page.locator("text=No board shows this pattern").waitFor();
  assert.equal(await page.locator(".setting").evaluate((board) => board.inert), true);
  await page.reload();
  await page.locator("text=No board shows this pattern").waitFor();
  assert.deepEqual(JSON.parse(await page.inputValue("textarea")), sequence);
  await page.click(".pattern-view >> text=Find games");
  await page.locator("td.met", { hasText: "2, 6" }).first().waitFor();
  await page.goBack();
  // An invalid pattern stays here, and goes nowhere.
  await page.fill("textarea", '{"stm": ');
  await page.locator('.pattern-view [role="alert"]', { hasText: "not JSON yet" }).waitFor();
  assert.deepEqual(await asked(page), sequence);
  assert.equal(await page.locator(".pattern-view >> text=Find games").getAttribute("href"), null);
  await page.fill("textarea", `{"on": {"e4": "${"P".repeat(9000)}"}}`);
  await page.locator('.pattern-view [role="alert"]', { hasText: "longer than 8192 bytes" }).waitFor();
  await page.click("text=Clear the pattern");
  assert.equal(await page.locator('.pattern-view [role="alert"]').isVisible(), false);
  assert.equal(await page.locator(".setting").evaluate((board) => board.inert), false);
  await close(page);
});

test("an address with any pattern is shown, or told what is wrong", async () => {
  const hostile = ["[]", "null", "{", "{}", '{"sub-fen": 3}', '{"sub-fen": "8/8"}', '{"shape": "#x"}',
    `{"shape": "${"9".repeat(400)}"}`, '{"sub-fen": ["8/8/8/8/8/8/8/8"]}', '{"stm": {"a": 1}}', HOSTILE,
    '{"sub-fen": "8/8/8/8/8/8/8/7x", "shape": "P"}', "/".repeat(5000), '{"__proto__": {"a": 1}}'];
  const page = await open(pattern("KRPKR"));
  for (const text of hostile) {
    await page.goto(`${server.base}explorer.html${pattern(text)}`);
    await page.waitForFunction((text) => document.querySelector("textarea")?.value.length >= Math.min(text.length, 2), text);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(page.faults, [], text);
  }
  await page.goto(`${server.base}explorer.html#/games?pattern=${encodeURIComponent('{"nonsense": 1}')}`);
  await page.locator('.games-view [role="alert"]', { hasText: "There is no rule `nonsense`" }).waitFor();
  await page.goto(`${server.base}explorer.html#/games?pattern=rare`);
  await range(page, "1 game of the 12,345 that could be searched");
  await close(page);
});

test("every game has its men, its players and its boards", async () => {
  const games = {
    xiangqi: ["Red soldier", "e4", { "sub-fen": "9/9/9/9/9/4P4/9/9/9/9" }, ["", "red", "black"], 17],
    go: ["white stone", "q16", { "sub-fen": `19/19/19/15o3/${Array(15).fill("19").join("/")}` }, ["", "black", "white"], 5],
    othello: ["black disc", "d3", { "sub-fen": "8/8/3x4/8/8/8/8/8" }, ["", "black", "white"], 5],
    gomoku: ["black stone", "o1", { "sub-fen": `${"15/".repeat(14)}14x` }, ["", "black", "white"], 5],
    tictactoe: ["naught", "b2", { "sub-fen": "3/1o1/3" }, ["", "x", "o"], 5],
  };
  for (const [game, [man, name, rules, players, signs]] of Object.entries(games)) {
    const own = await serve({ game });
    const page = await open("#/pattern", { base: own.base });
    await sign(page, man).check();
    await cell(page, name).click();
    assert.deepEqual(await asked(page), rules, game);
    assert.equal(await page.locator(".palette input").count(), signs);
    const values = await page.locator(".rules-side select").first().locator("option").evaluateAll(
      (options) => options.map(({ value }) => value));
    assert.deepEqual(values, players);
    assert.equal(await page.locator("text=in all eight ways").count(), game === "xiangqi" ? 0 : 1);
    assert.deepEqual(await hindrances(page), [], game);
    if (game === "go") {
      await page.selectOption(".rules-side label:has-text('Board') select", "9×9");
      assert.deepEqual(await asked(page), null, "there is no q16");
      await cell(page, "j9").press("x");
      assert.deepEqual(await asked(page), { "sub-fen": `8x/${Array(8).fill("9").join("/")}` });
      await page.check("text=in all eight ways");
      await page.reload();
      await cell(page, "j9").waitFor();
      assert.equal(await page.locator('[role="gridcell"]').count(), 81);
    }
    await close(page);
    own.stop();
  }
});

/** The views with pictures. */
const VIEWS = {
  games: ["#/games?player=carlsen&since=2014", (page) => range(page, "games")],
  tree: ["#/tree?play=e2e4,e7e5", (page) => Promise.all([at(page, "129"), ply(page, 2)])],
  game: ["#/game/12?ply=20", (page) => ply(page, 20, "game")],
  player: ["#/player?name=Topalov,V", (page) => page.locator(".player-view .scores").first().waitFor()],
  event: ["#/event?name=WCh 2013", (page) => page.locator(".event-view .scores").waitFor()],
  pattern: [pattern({ "sub-fen": "8/2p5/3p2.1/8/2B1P3/2*2N2/8/8", "either-colour": true }),
    (page) => page.locator(".setting svg").waitFor()],
};

const SHOTS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: PHONE },
};

for (const [shot, options] of Object.entries(SHOTS)) {
  test(`views look as they should, and stand in nobody's way, ${shot}`, async () => {
    for (const [view, [address, ready]] of Object.entries(VIEWS)) {
      const page = await open(address, options);
      await ready(page);
      const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= width, `${view} is ${wide} wide`);
      const picture = await page.screenshot();
      const file = join(here, "baseline", `explorer-${view}-${shot}.png`);
      if (process.env.UPDATE || !existsSync(file)) writeFileSync(file, picture);
      // Fonts differ between machines.
      const far = await difference(page, picture, readFileSync(file));
      assert.ok(far < 0.06, `${view}: ${(100 * far).toFixed(2)} % differ`);
      assert.deepEqual(await hindrances(page), [], view);
      await close(page);
    }
  });
}

const skip = existsSync(program) ? false : `${program} is missing: cargo build -p plypack-cli`;

test("go is listed, numbered and downloaded as its players do", { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "plypack-go-"));
  const sgf = (result, moves) => `(;GM[1]FF[4]ST[2]SZ[19]PW[Kato]PB[Cho]KM[6.5]DT[2015-01-02]RE[${result}]${moves})\n`;
  const texts = [sgf("B+Resign", ";B[pd];W[dp];B[pp]"), sgf("W+3.5", ";B[pd];W[dd];B[tt]")];
  texts.forEach((text, at) => writeFileSync(join(folder, `${at}.sgf`), text));
  const file = join(folder, "games.parquet");
  execFileSync(program, ["pack", join(folder, "0.sgf"), join(folder, "1.sgf"), "-o", file, "--index"], { stdio: "ignore" });
  const serving = spawn(program, ["serve", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => {
    serving.kill();
    rmSync(folder, { recursive: true });
  });
  const [line] = await once(createInterface(serving.stdout), "line");
  const real = await serve({ api: line });
  context.after(() => real.stop());
  const page = await open("", { base: real.base });
  await range(page, "1–2 of 2 games");
  assert.equal(await page.textContent("#name"), "Go games");
  const cells = await rows(page).first().locator("td").allTextContents();
  assert.deepEqual(cells.slice(0, 4), ["Cho", "Kato", "B+R", "2015-01-02"]);
  assert.equal(await page.locator(".games-view th").first().textContent(), "Black");
  assert.notEqual(await page.getAttribute('[name="player"]', "placeholder"), "Carlsen");
  const [all] = await Promise.all([page.waitForEvent("download"), page.click("text=Download SGF")]);
  assert.equal(all.suggestedFilename(), "games.sgf");
  assert.equal(readFileSync(await all.path(), "utf8"), texts.join(""));
  const answer = await fetch(new URL("api/pgn", line));
  assert.match(answer.headers.get("Content-Disposition"), /games\.sgf/);
  await enter(rows(page).first());
  await ply(page, 0, "game");
  assert.equal(await page.textContent("#game-title"), "Cho – Kato · B+R · 2015-01-02");
  assert.equal((await page.locator(".about > dl").textContent()).trim(), "Komi6.5");
  const [one] = await Promise.all([page.waitForEvent("download"), page.click("text=/^Download$/")]);
  assert.equal(one.suggestedFilename(), "games-1.sgf");
  await page.click("#views >> text=Tree");
  await at(page, "2 games");
  await ply(page, 0);
  await move(page, "Q16").click();
  await at(page, "2 games");
  await ply(page, 1);
  assert.equal(await page.textContent(".line"), "1Q16 ");
  assert.deepEqual(await page.locator(".tree-view td.move").allTextContents(), ["AD16", "BD4"]);
  await board(page).locator(".labelled").nth(1).waitFor();
  assert.deepEqual((await board(page).locator(".labelled").allTextContents()).map((text) => text.replace(/\s/g, "")), ["A1", "B1"]);
  assert.equal(await board(page).locator("circle.star").count(), 9);
  const told = await page.locator(".tree-view tfoot .bar").getAttribute("aria-label");
  assert.equal(told, "Black won 50 %, drawn 0 %, White won 50 %");
  assert.deepEqual(await hindrances(page), []);
  await close(page);
});

test("a repertoire is compared with the games, and leads to the positions where they leave it", { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "plypack-repertoire-"));
  const file = join(folder, "games.parquet");
  execFileSync(program, ["pack", join(root, "samples/championship.pgn"), "-o", file, "--index"], { stdio: "ignore" });
  const serving = spawn(program, ["serve", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => {
    serving.kill();
    rmSync(folder, { recursive: true });
  });
  const [line] = await once(createInterface(serving.stdout), "line");
  const real = await serve({ api: line });
  context.after(() => real.stop());
  // The example of the document, and what it says of it.
  const document = readFileSync(join(root, "docs/repertoire.md"), "utf8");
  const white = document.match(/ {4}\[Event "White: 1\. e4"\][^]*?\*\n/)[0].replace(/^ {4}/gm, "");
  const page = await open("#/repertoire?since=2013&until=2013", { base: real.base });
  assert.equal(await page.getAttribute("#views [aria-current]", "href"), "#/repertoire?since=2013&until=2013");
  await page.fill("#repertoire-text", white);
  await page.click("text=Compare with the games");
  const told = page.locator(".repertoire-view .answer > p");
  await told.waitFor();
  assert.equal(await told.textContent(), "19 games follow the repertoire of White (41 positions, 8 lines): White leaves it in 12, " +
    "Black leaves it in 2, its line ends in 5, the game ends in 0.");
  const headings = await page.locator(".repertoire-view .answer h3").allTextContents();
  assert.deepEqual(headings, ["Moves of Black without an answer", "Moves of White other than those of the repertoire",
    "Moves after the end of a line"]);
  const first = page.locator(".repertoire-view .answer section").nth(1).locator("tbody tr").first();
  assert.equal(await first.locator("td.what").textContent(), "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O, not d3");
  assert.equal(await first.locator("td.number").textContent(), "3");
  assert.equal(await page.locator(".repertoire-view table.games tbody tr").count(), 19);
  assert.equal(await page.locator(".repertoire-view td.leaves", { hasText: "O-O, not d3" }).count(), 3);
  assert.deepEqual(await hindrances(page), []);
  await first.locator("td.what a").click();
  await at(page, "game");
  assert.match(await page.textContent(".line"), /4\.\s*O-O/);
  // The text and its answer stay while one looks at games.
  await page.click("#views >> text=Repertoire");
  await told.waitFor();
  await enter(page.locator(".repertoire-view table.games tbody tr").first());
  await page.locator(".game-view .tools:visible").waitFor();
  await page.reload();
  await page.click("#views >> text=Repertoire");
  await told.waitFor();
  assert.equal(await page.inputValue("#repertoire-text"), white);
  // A player of the filter has its side.
  await page.goto(`${real.base}explorer.html#/repertoire?player=Carlsen&since=2016`);
  await page.locator(".repertoire-view .answer > p", { hasText: /^6 games follow/ }).waitFor();
  // What cannot be read is told, with its line.
  await page.fill("#repertoire-text", "1. e4 e5 2. Ke3 *");
  await page.click("text=Compare with the games");
  await page.locator('.repertoire-view [role="alert"]', { hasText: "line 1" }).waitFor();
  await page.fill("#repertoire-text", "1. d4 d5 2. c4 *");
  await page.selectOption('[name="side"]', "black");
  await page.keyboard.press("Tab");
  await page.click("text=Compare with the games");
  await page.locator(".repertoire-view .answer > p", { hasText: "the repertoire of Black" }).waitFor();
  assert.match(hash(page), /side=black$/);
  await close(page);
});

test("plypack serve compresses, and sends nothing that a client has", { skip }, async (context) => {
  const serving = spawn(program, ["serve", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => serving.kill());
  const [line] = await once(createInterface(serving.stdout), "line");
  const ask = (headers) => new Promise((resolve) => get(new URL("plypack-explorer.js", line), { headers }, (answer) => {
    let bytes = 0;
    answer.on("data", (data) => (bytes += data.length)).on("end", () => resolve([answer, bytes]));
  }));
  const [plain, whole] = await ask({});
  assert.equal(plain.headers["content-encoding"], undefined);
  const [packed, small] = await ask({ "Accept-Encoding": "br, gzip" });
  assert.equal(packed.headers["content-encoding"], "gzip");
  assert.ok(small < whole * 0.6, `${small} of ${whole}`);
  const [known, none] = await ask({ "Accept-Encoding": "gzip", "If-None-Match": packed.headers.etag });
  assert.deepEqual([known.statusCode, none], [304, 0]);
  const [other] = await ask({ "If-None-Match": '"another"', "Accept-Encoding": "gzip;q=0" });
  assert.deepEqual([other.statusCode, other.headers["content-encoding"]], [200, undefined]);
  assert.match(other.headers["content-security-policy"], /frame-ancestors 'self'/);
});

test("plypack serve answers all that the page asks", { skip }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "plypack-explorer-"));
  const file = join(folder, "games.parquet");
  execFileSync(program, ["pack", join(root, "samples/championship.pgn"), "-o", file], { stdio: "ignore" });
  execFileSync(program, ["index", file], { stdio: "ignore" });
  const serving = spawn(program, ["serve", file, "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => {
    serving.kill();
    rmSync(folder, { recursive: true });
  });
  const [line] = await once(createInterface(serving.stdout), "line");
  const real = await serve({ api: line });
  context.after(() => real.stop());
  const page = await open("", { base: real.base });
  await range(page, "1–50 of 567 games");
  await page.fill('[name="player"]', "Carlsen");
  await page.selectOption('[name="color"]', "white");
  await page.selectOption('[name="result"]', "1-0");
  await page.fill('[name="since"]', "2014");
  await page.click("text=Find games");
  await range(page, "of 5 games");
  await page.selectOption(".order select", "date");
  await page.waitForFunction(() => document.querySelector("td.date")?.textContent === "2016-11-30");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download PGN")]);
  assert.equal(download.suggestedFilename(), "games.pgn");
  assert.equal(readFileSync(await download.path(), "utf8").match(/^\[Event /gm).length, 5);
  await page.click("#views >> text=Tree");
  await at(page, "5 games");
  await page.click('.tree-view [aria-label="Clear all filters"]');
  await at(page, "567 games");
  await move(page, "e4").click();
  await at(page, "227 games");
  assert.equal(await page.textContent("#tree-title"), "B00 King's Pawn Game");
  await ply(page, 1);
  await play(page, "e7", "e5");
  await at(page, "129 games");
  await page.click("text=Games that reach this position");
  await enter(page.locator(".reached tbody tr").nth(2));
  await ply(page, 2, "game");
  await page.click("text=Position in the tree");
  await at(page, "129 games");
  await page.goto(`${real.base}explorer.html#/pattern`);
  await cell(page, "d4").press("P");
  await cell(page, "d5").press("p");
  await cell(page, "e5").press("p");
  await cell(page, "c3").press("*");
  await page.selectOption(".rules-side select", "white");
  await page.click(".pattern-view >> text=Find games");
  await page.locator("td.met").first().waitFor();
  const met = Number(await page.locator("td.met").first().textContent());
  await enter(rows(page).first());
  await ply(page, met, "game");
  assert.match(await board(page, "game").evaluate((board) => board.position), /\/\w*pp\w*\/.* w /);
  await page.goto(`${real.base}explorer.html#/games?pattern=%7B%22stm%22%3A%22green%22%7D`);
  await page.locator('.games-view [role="alert"]', { hasText: "`green`" }).waitFor();
  await page.goto(`${real.base}explorer.html#/tree?play=e2e5`);
  await page.locator('.moves-side [role="alert"]', { hasText: "`e2e5`" }).waitFor();
  await page.goto(`${real.base}explorer.html#/game/999`);
  await page.locator('.game-view [role="alert"]', { hasText: "numbered from 1 to 567" }).waitFor();
  await close(page);
});
