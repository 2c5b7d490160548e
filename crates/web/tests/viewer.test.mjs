// The viewer in a headless browser: `npm test`, after `cargo xtask web`. UPDATE=1 updates the
// pictures.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { difference, hindrances, launch } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const folder = pathToFileURL(join(root, "target/web/page")).href;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A fresh page at an address below the folder of the page, with access to its content. */
async function open(address = "", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1100, height: 900 }, reducedMotion: "reduce", ...options,
  });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: (text) => Promise.resolve((window.copied = text)) },
    });
  });
  await page.goto(`${folder}/${address.startsWith("example") ? address : `index.html${address}`}`);
  await page.waitForFunction(() => document.querySelector("plypack-board")?.position);
  return page;
}

const close = (page) => page.context().close();
const board = (page) => page.locator("plypack-board");
const state = (page) =>
  board(page).evaluate((board) => {
    const part = (name) => board.shadowRoot.querySelector(name);
    const moves = [...board.shadowRoot.querySelectorAll("[data-node]")].map((e) => e.textContent);
    return {
      game: board.game, ply: board.ply, position: board.position, moves,
      alert: part(".alert").textContent, state: part(".state").textContent,
      said: [...board.shadowRoot.querySelectorAll(".said")].map((e) => e.textContent),
      players: part(".players").textContent,
      names: [...board.shadowRoot.querySelectorAll(".name")].map((e) => e.textContent.trim()),
      men: board.shadowRoot.querySelectorAll("[data-square]").length,
    };
  });
const press = (page, ...keys) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), board(page).locator(".board").focus());
const action = (page, name) => board(page).locator(`[data-do="${name}"]`).click();
const copied = (page) => page.evaluate(() => window.copied);

/** The middle of a square of a board of eight, with White below. */
async function square(page, name) {
  const box = await board(page).locator("svg").first().boundingBox();
  const scale = box.width / (800 + 44 + 14);
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1])];
  return [box.x + (44 + file * 100 + 50) * scale, box.y + (14 + (8 - rank) * 100 + 50) * scale];
}

/** The golden links of every game, by its name; each game has a file of them. */
const LINKS = {};
for (const name of readdirSync(join(root, "vectors/link"))) {
  const [, game] = /^(.+)-v\d+\.txt$/.exec(name) ?? [];
  if (!game) continue;
  const lines = readFileSync(join(root, "vectors/link", name), "utf8").trim().split("\n");
  const rows = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
  LINKS[game] = [...(LINKS[game] ?? []), ...rows];
}

/** A move of SGF as the rim of the board has it. */
const point = (move, position) =>
  /^[BW]\[/.test(move) ? `${move[0]} ${point(move.slice(2, 4), position)}`
  : /^[a-s]{2}$/.test(move) ? "ABCDEFGHJKLMNOPQRST"[move.charCodeAt(0) - 97] + (position.split(" ")[0].split("/").length - move.charCodeAt(1) + 97)
  : "Pass";

/** Whether the viewer lacks a codec. */
const isLeftOut = (codec) => ["line.default", "line.text"].includes(codec.split("/")[0]);

test("every golden link opens, or says what it needs", async () => {
  const page = await open();
  const offered = await page.locator("#game option").evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(offered.sort(), Object.keys(LINKS).sort());
  for (const [game, rows] of Object.entries(LINKS)) {
    let opened = 0;
    for (const [codec, , moves, shown, link] of rows) {
      await board(page).evaluate((board, link) => board.openLink(`#${link}`), link);
      const seen = await state(page);
      if (isLeftOut(codec)) {
        assert.match(seen.alert, /this viewer does not know codec \d+/i);
        continue;
      }
      opened++;
      const list = moves ? moves.split(" ").map((move) => (game === "go" ? point(move, seen.position) : move)) : [];
      assert.deepEqual(
        [seen.game, seen.moves, seen.ply, seen.alert],
        [game, list, shown === "-" ? list.length : Number(shown), ""], link,
      );
    }
    assert.ok(opened > 0, game);
  }
  assert.deepEqual(page.faults, []);
  await close(page);
});

test("HullQin's link opens", async () => {
  const page = await open("?p=gSQCL5P5oIDhCFJCIBJ4eQCAkX8&r=86pU6-4nbSh38OCojLarcupWOb1rXw&s=1");
  const seen = await state(page);
  assert.equal(seen.position.split(" ")[0], "rnbakabnr/7R1/9/C8/2p1P3p/6p2/PcP5P/1C7/9/RNBAKcB2");
  assert.equal(seen.ply, 20);
  await close(page);
});

test("links that are damaged, cut, newer or empty are told from each other, over a board", async () => {
  for (const [hash, word] of [
    ["#FoUBsGHLwRbe", /damaged or cut/], ["#VQFWDw", /damaged|newer/], ["#a.b", /character 2/],
    ["#QAAAAA", /damaged|newer/],
  ]) {
    const page = await open(hash);
    const seen = await state(page);
    assert.match(seen.alert, word);
    assert.equal(seen.men, 32, hash);
    await close(page);
  }
});

test("keys go through the game", async () => {
  const page = await open("#FgKzM3o");
  assert.equal((await state(page)).ply, 2);
  await press(page, "Home");
  assert.equal((await state(page)).ply, 0);
  await press(page, "ArrowRight");
  assert.deepEqual([(await state(page)).ply, (await state(page)).state], [1, "Black to move"]);
  await press(page, "ArrowRight", "ArrowRight", "ArrowLeft");
  assert.equal((await state(page)).ply, 1);
  await press(page, "End");
  assert.equal((await state(page)).ply, 2);
  await press(page, "f");
  assert.equal(await board(page).getAttribute("orientation"), "second");
  await board(page).locator(".speed").selectOption("500");
  await press(page, " ");
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 0);
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 2);
  await close(page);
});

test("men are dragged and clicked, and the address is a link to the game", async () => {
  const page = await open();
  await page.mouse.move(...(await square(page, "e2")));
  await page.mouse.down();
  await page.mouse.move(...(await square(page, "e3")));
  await page.mouse.move(...(await square(page, "e4")));
  await page.mouse.up();
  await page.mouse.click(...(await square(page, "e7")));
  assert.equal(await board(page).locator("circle.target").count(), 2);
  await page.mouse.click(...(await square(page, "e5")));
  assert.deepEqual((await state(page)).moves, ["e4", "e5"]);
  assert.match(page.url(), /#[\w-]{7}$/);
  await page.mouse.click(...(await square(page, "e1")));
  await page.mouse.click(...(await square(page, "e3")));
  assert.equal((await state(page)).moves.length, 2, "the king may not go there");
  const weight = await page.locator("#weight").textContent();
  assert.match(weight, /^\d+ bits of moves, a link of 7 characters; as text 5$/);
  await close(page);
});

test("a turned board has the second player below, and squares where they are drawn", async () => {
  const page = await open();
  const height = (name) => board(page).locator(`[data-square="${name}"]`).evaluate((man) => man.getBoundingClientRect().top);
  assert.ok(await height("e1") > await height("e8"));
  await press(page, "f");
  assert.ok(await height("e1") < await height("e8"));
  // The square of e4 is now e5, mirrored: the pawn of d7 stands where e2 stood.
  await page.mouse.click(...(await square(page, "d7")));
  await page.mouse.click(...(await square(page, "d5")));
  assert.deepEqual((await state(page)).moves, ["e4"]);
  await close(page);
});

test("a pawn becomes what one asks for, at its square, the queen first", async () => {
  const page = await open();
  await board(page).evaluate((board) => board.openText("7k/4P3/8/8/8/8/8/4K3 w - - 0 1"));
  await page.mouse.click(...(await square(page, "e7")));
  await page.mouse.click(...(await square(page, "e8")));
  const choices = board(page).locator("dialog button");
  assert.deepEqual(await choices.evaluateAll((all) => all.map((one) => one.ariaLabel)), ["e8=Q+", "e8=R+", "e8=B", "e8=N"]);
  assert.equal(await choices.first().evaluate((one) => one.getRootNode().activeElement === one), true);
  const [box, [x, y]] = [await choices.first().boundingBox(), await square(page, "e8")];
  assert.ok(Math.abs(box.x + box.width / 2 - x) < 3 && Math.abs(box.y + box.height / 2 - y) < 3, JSON.stringify(box));
  await page.keyboard.press("Escape");
  await page.mouse.click(...(await square(page, "e8")));
  await board(page).locator('dialog [data-move="e7e8n"]').click();
  assert.deepEqual((await state(page)).moves, ["e8=N"]);
  await close(page);
});

test("moves are typed, in any notation, and wrong ones are refused in words", async () => {
  const page = await open();
  for (const move of ["g1f3", "d5"]) {
    await page.fill("#move", move);
    await page.click("#typed button");
  }
  assert.deepEqual((await state(page)).moves, ["Nf3", "d5"]);
  await page.fill("#move", "Ke3");
  await page.click("#typed button");
  const message = await page.locator("#move").evaluate((input) => input.validationMessage);
  assert.match(message, /Ke3/);
  await close(page);
});

const PGN = `[Event "Café \\"A\\""]
[White "Anderssen"]
[Black "Dufresne"]
[Result "1-0"]
[TimeControl "180+2"]

1. e4 { [%eval 0.3] [%clk 0:03:00] best } 1... e5 $1 { [%clk 0:02:58] } (1... c5
2. Nf3 (2. c3 d5)) 2. Nf3 { [%clk 0:02:59] } 2... Nc6 1-0`;

test("PGN comes with variations, comments and clocks, and goes as it came", async () => {
  const page = await open();
  await page.fill("#text", PGN);
  await page.click("#paste button");
  await page.waitForFunction(() => document.title.includes("Anderssen"));
  let seen = await state(page);
  assert.deepEqual(seen.moves, ["e4", "e5!", "c5", "Nf3", "c3", "d5", "Nf3", "Nc6"]);
  assert.deepEqual([seen.players, seen.said], ['Café "A"', ["best"]]);
  await press(page, "Home", "ArrowRight");
  seen = await state(page);
  assert.deepEqual([seen.names, seen.state], [["Dufresne", "Anderssen  0:03:00"], "Black to move · evaluation 0.3"]);
  await press(page, "ArrowRight", "ArrowDown");
  seen = await state(page);
  assert.match(seen.position, /^rnbqkbnr\/pp1ppppp\/8\/2p5/);
  await press(page, "ArrowRight", "ArrowDown", "ArrowRight");
  assert.equal((await state(page)).ply, 4);
  assert.equal(await board(page).locator('.speed option[value="clock"]').count(), 1);
  await action(page, "pgn");
  assert.equal(await copied(page), PGN);
  await close(page);
});

test("moves are in two columns, with comments and variations between them, and the result last", async () => {
  const page = await open();
  const text = "1. d4 {a pawn} d5 2. c4 (2. Nf3 Nf6 (2... e6 3. g3)) 2... e6 1/2-1/2";
  await board(page).evaluate((board, text) => board.openText(text), text);
  const list = await board(page).locator(".moves").innerText();
  const lines = list.replace(/\s+/g, " ");
  assert.equal(lines, "1. d4 a pawn 1. … d5 2. c4 (2. Nf3 Nf6 (2… e6 3. g3)) 2. … e6 ½–½");
  const left = (name) => board(page).locator("[data-node]", { hasText: name }).first().evaluate((one) => one.offsetLeft);
  assert.ok((await left("d4")) === (await left("c4")) && (await left("d5")) > (await left("d4")));
  await close(page);
});

test("go is numbered, named and copied as its players do", async () => {
  const page = await open();
  const text = "(;GM[1]FF[4]SZ[19]PB[Cho]PW[Kato]AB[dd]PL[W];W[pd];B[dp](;W[pp]C[a \\] b];B[])(;W[qq]))";
  await board(page).evaluate((board, text) => board.openText(text), text);
  const seen = await state(page);
  assert.deepEqual(seen.moves, ["Q16", "D4", "Q4", "Pass"].flatMap((move) => (move === "Pass" ? [move] : move === "Q4" ? ["Q4", "R3"] : [move])));
  assert.deepEqual(seen.names, ["Kato", "Cho"]);
  assert.match(await board(page).locator(".moves").innerText(), /^1\s*Q16\s*2\s*D4\s*3\s*Q4/);
  assert.equal(await board(page).locator("circle.star").count(), 9);
  assert.deepEqual((await board(page).locator(".label").allTextContents()).slice(15, 20), ["Q", "R", "S", "T", "19"]);
  await page.locator("plypack-board").locator('[data-do="pgn"]', { hasText: "SGF" }).click();
  const sgf = await copied(page);
  assert.equal(sgf, "(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[Cho]PW[Kato]AB[dd];W[pd];B[dp](;W[pp]C[a \\] b];B[])(;W[qq]))\n");
  await board(page).evaluate((board, text) => board.openText(text), sgf);
  assert.deepEqual((await state(page)).moves, seen.moves);
  await close(page);
});

test("arrow keys go through the game wherever the focus is, and Home and End", async () => {
  const page = await open("#FgKzM3o");
  await page.evaluate(() => document.activeElement.blur());
  for (const [key, ply] of [["ArrowLeft", 1], ["Home", 0], ["ArrowRight", 1], ["End", 2]]) {
    await page.keyboard.press(key);
    assert.equal((await state(page)).ply, ply, key);
  }
  await page.focus("#move");
  await page.keyboard.press("ArrowLeft");
  assert.equal((await state(page)).ply, 2, "a field keeps its keys");
  await close(page);
});

test("a board has the page's colours, not the reader's", async () => {
  const page = await open("example.html", { colorScheme: "dark" });
  const colours = (scheme) => page.evaluate((scheme) => {
    document.documentElement.style.colorScheme = scheme;
    const board = document.querySelector("plypack-board:not([theme])");
    return [getComputedStyle(board).color, getComputedStyle(board).backgroundColor];
  }, scheme);
  assert.deepEqual(await colours("light"), ["rgb(29, 31, 36)", "rgba(0, 0, 0, 0)"]);
  assert.deepEqual(await colours("light dark"), ["rgb(232, 234, 238)", "rgba(0, 0, 0, 0)"]);
  await close(page);
});

test("a damaged link is told above the controls, which stay whole", async () => {
  const page = await open("#FoUBsGHLwRbe");
  const top = (part) => board(page).locator(part).evaluate((one) => one.getBoundingClientRect().top);
  assert.ok((await top(".alert")) < (await top(".moves")));
  assert.equal(await board(page).locator(".speed").inputValue(), "1000");
  await close(page);
});

test("nothing but the page's own scripts may run", async () => {
  const page = await open();
  const refused = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.hacked = 1" }));
  }));
  assert.match(refused, /^script-src/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await close(page);
});

test("a side line is tried, and its link shows it", async () => {
  const page = await open("#FgKzM3o");
  await press(page, "Home");
  await board(page).evaluate((board) => board.play("d4"));
  assert.deepEqual((await state(page)).moves, ["e4", "d4", "e5"]);
  await action(page, "link");
  const link = await copied(page);
  assert.match(link, /index\.html#[\w-]+$/);
  await board(page).evaluate((board, link) => board.openLink(link), link);
  assert.deepEqual((await state(page)).moves, ["d4"]);
  await close(page);
});

test("the link is to the ply that is shown, and FEN to its position", async () => {
  const page = await open("#FgKzM3o");
  await press(page, "ArrowLeft");
  await action(page, "link");
  const link = await copied(page);
  await action(page, "fen");
  assert.match(await copied(page), / b KQkq /);
  await board(page).evaluate((board, link) => board.openLink(link), link);
  const seen = await state(page);
  assert.deepEqual([seen.ply, seen.moves], [1, ["e4", "e5"]]);
  await close(page);
});

test("texts of every game are known by what they say", async () => {
  const page = await open();
  for (const [text, game, plies] of [
    ["1. e4 e5", "chess", 2], ["f5d6c3d3c4f4c5b3c2", "othello", 9],
    ["炮二平五 馬８進７", "xiangqi", 2], ["h2e2 h9g7", "xiangqi", 2],
    ['[Variant "Gomoku"]\n\n1. h8 i9 g9 *', "gomoku", 3], ["3/1x1/3 o", "tictactoe", 0],
  ]) {
    await board(page).evaluate((board, text) => board.openText(text), text);
    const seen = await state(page);
    assert.deepEqual([seen.game, seen.moves.length, seen.alert], [game, plies, ""], text);
  }
  await board(page).evaluate((board) => board.openText("hello, world"));
  assert.match((await state(page)).alert, /there is no game and no position here/i);
  await board(page).evaluate((board) => board.openText("1. e4 e5 2. Ke3 Nf6"));
  const seen = await state(page);
  assert.deepEqual([seen.moves, /ply 3/.test(seen.alert)], [["e4", "e5"], true], seen.alert);
  await close(page);
});

test("a new game is begun for two on one screen", async () => {
  const page = await open();
  await page.selectOption("#game", "tictactoe");
  await page.click("#new button");
  await page.waitForFunction(() => document.querySelector("plypack-board")?.game === "tictactoe");
  const box = await board(page).locator("svg").first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.deepEqual((await state(page)).moves, ["b2"]);
  assert.match(page.url(), /#[\w-]+$/);
  await close(page);
});

test("an address opens again what was played on since, and a game by its name", async () => {
  const page = await open("#FgKzM3o");
  await board(page).evaluate((board) => board.play("Nf3"));
  assert.equal((await state(page)).moves.length, 3);
  await page.evaluate(() => (location.hash = "#FgKzM3o"));
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 2);
  assert.equal((await state(page)).moves.length, 2);
  await close(page);
  const other = await open("?game=xiangqi");
  await other.waitForFunction(() => document.querySelector("plypack-board")?.game === "xiangqi");
  await close(other);
});

test("a file is dropped", async () => {
  const page = await open();
  const transfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["1. d4 d5 2. c4"], "game.pgn"));
    return transfer;
  });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 0 &&
    document.querySelector("plypack-board").shadowRoot.querySelectorAll("[data-node]").length === 3);
  await close(page);
});

test("a swipe and the wheel go through the game", async () => {
  const page = await open("#FgKzM3o", { hasTouch: true });
  await page.mouse.move(...(await square(page, "d5")));
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => document.querySelector("plypack-board")?.ply === 1);
  const [[x1, y1], [x2, y2]] = [await square(page, "f5"), await square(page, "c5")];
  await board(page).locator("svg").first().evaluate((svg, [x1, y1, x2, y2]) => {
    const send = (type, clientX, clientY) => svg.dispatchEvent(new PointerEvent(type, {
      pointerType: "touch", isPrimary: true, button: 0, clientX, clientY, bubbles: true }));
    send("pointerdown", x1, y1);
    send("pointerup", x2, y2);
  }, [x1, y1, x2, y2]);
  assert.equal((await state(page)).ply, 2);
  await close(page);
});

test("several boards stand in one page", async () => {
  const page = await open("example.html");
  await page.waitForFunction(() => [...document.querySelectorAll("plypack-board")].every((b) => b.position));
  const games = await board(page).evaluateAll((boards) => boards.map((b) => [b.game, b.ply]));
  assert.deepEqual(games, [["chess", 2], ["othello", 10]]);
  await close(page);
});

const package_ = join(root, "target/web/npm");
const notBuilt = !existsSync(package_) && "it is not built: `cargo xtask web --check --all`";
test("the package for npm is a module, and loads the other games", { skip: notBuilt }, async () => {
  const kinds = { js: "text/javascript", html: "text/html" };
  const server = createServer((request, response) => {
    const name = request.url.slice(1) || "index.html";
    const body = name === "index.html"
      ? `<link rel="icon" href="data:,"><script type="module">import "./plypack-board.js";</script>
         <plypack-board link="#LgMDy5Q"></plypack-board>`
      : readFileSync(join(package_, name));
    response.setHeader("Content-Type", kinds[name.split(".").at(-1)]).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => document.querySelector("plypack-board")?.position);
  assert.deepEqual((await state(page)).moves, ["f5", "d6", "c3"]);
  await page.close();
  server.close();
  server.closeAllConnections();
});

test("a phone needs no scrolling sideways", async () => {
  const page = await open("#FgKzM3o", { viewport: { width: 360, height: 740 } });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `${wide}`);
  await close(page);
});

/** The drawings of each game: the last position of its longest golden line from the usual start. */
const SHOTS = Object.fromEntries(
  Object.entries(LINKS).map(([game, rows]) => {
    const length = ([, , moves]) => moves.split(" ").length;
    const fit = rows.filter(([codec, start]) => start === "-" && !isLeftOut(codec));
    const [, , , , link] = fit
      .filter(([, , , shown]) => shown === "-")
      .reduce((best, row) => (length(row) > length(best) ? row : best));
    return [game, `#${link}`];
  }),
);

for (const scheme of ["light", "dark"]) {
  test(`boards look as they should, ${scheme}`, async () => {
    for (const [game, hash] of Object.entries(SHOTS)) {
      const page = await open(hash, { colorScheme: scheme, viewport: { width: 760, height: 760 } });
      await board(page).evaluate((board) => {
        board.setAttribute("size", "300");
        if (board.game === "chess") board.ply = 60;
      });
      const shot = await board(page).locator("svg").first().screenshot();
      const file = join(here, "baseline", `${game}-${scheme}.png`);
      if (process.env.UPDATE || !existsSync(file)) writeFileSync(file, shot);
      // Fonts differ between machines.
      const far = await difference(page, shot, readFileSync(file));
      assert.ok(far < 0.02, `${game}: ${(100 * far).toFixed(2)} % differ`);
      await close(page);
    }
  });

  test(`nothing stands in the way of people who cannot see well, ${scheme}`, async () => {
    for (const hash of ["", SHOTS.chess, SHOTS.xiangqi, "#FoUBsGHLwRbe"]) {
      const page = await open(hash, { colorScheme: scheme });
      assert.deepEqual(await hindrances(page), [], hash);
      await close(page);
    }
  });
}

test("the board and each move are told to screen readers", async () => {
  const page = await open("#FgKzM3o");
  await press(page, "Home", "ArrowRight");
  const told = await board(page).locator('[role="status"]').textContent();
  assert.match(told, /^1: e4\. Black to move/);
  const label = await board(page).locator("svg").first().getAttribute("aria-label");
  assert.match(label, /^Chess board\. .*White king: e1/);
  await close(page);
});

test("how long the first board takes (a report)", async (context) => {
  for (const rate of [1, 4]) {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate });
    const begun = performance.now();
    await page.goto(`${folder}/index.html${SHOTS.chess}`);
    await page.waitForFunction(() => document.querySelector("plypack-board")?.position);
    const took = Math.round(performance.now() - begun);
    context.diagnostic(`processor slowed ${rate} times: ${took} ms to the first board`);
    await page.close();
  }
});
