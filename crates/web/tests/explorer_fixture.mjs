// A small server that answers like `plypack serve`, for tests of the page alone: the games of
// samples/championship.pgn with invented ratings, one with hostile names, and some hand-written
// positions of othello. It has no rules: coordinates are those of the first moves only.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const built = join(root, "target/web/page");

/** A name that would run as a script, were it taken for markup. */
export const HOSTILE = `<img src=x onerror="window.hacked=1">`;

const EXTRA = `[Event "${HOSTILE.replaceAll('"', '\\"')}"]
[White "${HOSTILE.replaceAll('"', '\\"')}"]
[Black "\u202Eesrever <b>bold</b>"]
[Date "2020.??.??"]
[Result "1-0"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]
[SetUp "1"]

2. Nf3 { [%clk 0:03:00] <script>window.hacked=1</script> } 2... Nc6 1-0
`;

const OPENINGS = {
  "e4": ["B00", "King's Pawn Game"], "e4 e5": ["C20", "King's Pawn Game"],
  "e4 c5": ["B20", "Sicilian Defense"], "e4 e5 Nf3": ["C40", "King's Knight Opening"],
  "e4 e5 Nf3 Nc6": ["C44", "King's Knight Opening: Normal Variation"],
  "e4 e5 Nf3 Nc6 Bb5": ["C60", "Ruy Lopez"], "e4 e6": ["C00", "French Defense"],
  "e4 c6": ["B10", "Caro-Kann Defense"], "d4": ["A40", "Queen's Pawn Game"],
  "d4 Nf6": ["A45", "Indian Defense"], "d4 d5": ["D00", "Queen's Pawn Game"],
  "c4": ["A10", "English Opening"], "Nf3": ["A04", "Zukertort Opening"],
};

function openingOf(moves) {
  for (let length = Math.min(moves.length, 5); length > 0; length--) {
    const known = OPENINGS[moves.slice(0, length).join(" ")];
    if (known) return { eco: known[0], name: known[1] };
  }
  return null;
}

function read(text, at) {
  const tags = Object.fromEntries(
    [...text.matchAll(/^\[(\w+) "((?:\\.|[^"\\])*)"\]/gm)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]),
  );
  const body = text.slice(text.lastIndexOf("]\n\n") + 3);
  const moves = tags.FEN ? [] : body.split(/\s+/).filter((word) => /^[a-hKQRBNO]/.test(word));
  const rating = (name) => (tags.FEN ? null : 2650 + (name.length * 37 + name.charCodeAt(0) * 11) % 200);
  const opening = openingOf(moves);
  return {
    text, moves,
    head: {
      id: String(at + 1), white: tags.White, black: tags.Black, white_rating: rating(tags.White),
      black_rating: rating(tags.Black), result: tags.Result === "*" ? null : tags.Result,
      date: tags.Date, event: tags.Event, eco: opening?.eco ?? null, opening: opening?.name ?? null,
      plies: moves.length, ply: null, move: null, coordinates: null,
    },
  };
}

const sample = readFileSync(join(root, "samples/championship.pgn"), "utf8");
const GAMES = [...sample.split(/\n\n(?=\[Event )/).map((text) => `${text.trim()}\n`), EXTRA].map(read);

/** A first move as squares; empty for an unknown one. */
function squares(move, ply) {
  const men = [{ Nf3: "g1f3", Nc3: "b1c3", Bb5: "f1b5", Bc4: "f1c4" },
    { Nf6: "g8f6", Nc6: "b8c6", Bb4: "f8b4" }][ply % 2];
  const pawn = ply % 2 ? /^([a-h])[56]$/ : /^([a-h])[34]$/;
  return men[move] ?? (pawn.test(move) ? `${move[0]}${ply % 2 ? 7 : 2}${move}` : undefined);
}

function sum(games) {
  const won = (result) => games.filter(({ head }) => head.result === result).length;
  const rated = games.filter(({ head }) => head.white_rating);
  const mean = rated.reduce((all, { head }) => all + head.white_rating + head.black_rating, 0) / (2 * rated.length);
  return {
    records: games.length, white: won("1-0"), draws: won("1/2-1/2"), black: won("0-1"),
    mean_rating: rated.length ? mean : null,
    last_year: games.length ? Math.max(...games.map(({ head }) => Number(head.date.slice(0, 4)))) : null,
  };
}

/**
 * A stand-in for patterns: "stm" of white is met in all games at ply 2, others in those of Carlsen.
 */
function matching(query, games) {
  const pattern = query.get("pattern");
  if (!pattern) return games;
  const all = pattern.includes("stm");
  return games.filter(({ head }) => all || head.white.startsWith("Carlsen"))
    .map((game) => ({ ...game, head: { ...game.head, ply: 2, met: all ? [2] : [2, 6] } }));
}

/** Whether a name has what is asked for, as a whole in quotes. */
function named(name, asked) {
  const whole = asked?.match(/^"(.+)"$/)?.[1];
  return whole ? name === whole : name.toLowerCase().includes((asked ?? "").toLowerCase());
}

function filtered(query) {
  const [player, color, result, event] = ["player", "color", "result", "event"].map((name) => query.get(name));
  const year = (name, other) => Number((query.get(name) ?? other).slice(0, 4));
  return GAMES.filter(({ head }) =>
    ((color !== "black" && named(head.white, player)) || (color !== "white" && named(head.black, player))) &&
    named(head.event, event) &&
    (!result || head.result === result) &&
    (head.eco ?? "").startsWith(query.get("opening") ?? "") &&
    Number(head.date.slice(0, 4)) >= year("since", "0") &&
    Number(head.date.slice(0, 4)) <= year("until", "9999"));
}

/** The results of games for their player with a colour. */
function score(games, white) {
  const won = (result) => games.filter(({ head }) => head.result === result).length;
  return { games: games.length, wins: won(white ? "1-0" : "0-1"), draws: won("1/2-1/2"), losses: won(white ? "0-1" : "1-0") };
}

const joined = (one, other) => Object.fromEntries(Object.keys(one).map((key) => [key, one[key] + other[key]]));
const yearOf = ({ head }) => Number(head.date.slice(0, 4));

/** A player, who has one spelling; `Carlsen,M` may be `Carlsen, Magnus` and is not. */
function playerOf(name) {
  const sides = [true, false].map((white) => GAMES.filter(({ head }) => (white ? head.white : head.black) === name));
  const [white, black] = [score(sides[0], true), score(sides[1], false)];
  const years = [...new Set(sides.flat().map(yearOf))].sort();
  const at = (year) => joined(...sides.map((games, side) => score(games.filter((game) => yearOf(game) === year), side === 0)));
  const openings = sides.map((games, side) => {
    const codes = new Map();
    for (const game of games) codes.set(game.head.eco, [...(codes.get(game.head.eco) ?? []), game]);
    const all = [...codes].map(([eco, games]) => ({ eco, name: games[0].head.opening, listed: true, ...score(games, side === 0) }));
    return all.sort((a, b) => b.games - a.games).slice(0, 10);
  });
  const perhaps = name === "Carlsen,M" ? [{ name: "Carlsen, Magnus", fide_id: 1503014, games: 3 }] : [];
  return {
    name, fide_id: null, games: white.games + black.games, first_year: years[0], last_year: years.at(-1), first_rating: 2780,
    last_rating: 2850, highest_rating: 2870, spellings: [{ name, games: white.games + black.games }], perhaps, white, black,
    years: years.map((year) => ({ year, ...at(year) })), openings: { white: openings[0], black: openings[1] },
  };
}

function eventOf(name) {
  const games = GAMES.filter(({ head }) => head.event === name);
  const { games: all, wins, draws, losses } = score(games, true);
  const players = [...new Set(games.flatMap(({ head }) => [head.white, head.black]))].map((name) => ({
    name, rating: null, ...joined(score(games.filter(({ head }) => head.white === name), true),
      score(games.filter(({ head }) => head.black === name), false)),
  }));
  players.sort((a, b) => 2 * (b.wins - a.wins) + b.draws - a.draws);
  const years = games.map(yearOf);
  return { name, games: all, white: wins, draws, black: losses, first_year: Math.min(...years), last_year: Math.max(...years),
    players, players_total: players.length };
}

/** Names with a word that begins with each typed one. */
function completing(kind, part) {
  const words = (text) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const all = new Map();
  for (const { head } of GAMES) {
    for (const name of kind === "event" ? [head.event] : [head.white, head.black]) all.set(name, (all.get(name) ?? 0) + 1);
  }
  const fits = (name) => words(part).every((typed) => words(name).some((word) => word.startsWith(typed)));
  const found = [...all].filter(([name]) => words(part).length && fits(name)).sort((a, b) => b[1] - a[1]);
  return found.slice(0, 10).map(([name, games]) => ({ name, games }));
}

/** The games that contain a line, with the move played there. */
function through(games, play) {
  const line = play ? play.split(",") : [];
  const fits = ({ text, moves }) => !text.includes("[FEN ") && line.every((move, ply) => squares(moves[ply] ?? "", ply) === move);
  return games.filter(fits).map((game) => {
    const move = game.moves[line.length] ?? null;
    const head = { ...game.head, ply: line.length, move, coordinates: move && (squares(move, line.length) ?? null) };
    return { ...game, head };
  });
}

function treeOf(games, play) {
  const ply = play ? play.split(",").length : 0;
  const found = through(games, play);
  const moves = new Map();
  for (const game of found) {
    if (!game.head.coordinates) continue;
    moves.set(game.head.move, [...(moves.get(game.head.move) ?? []), game]);
  }
  const rows = [...moves].map(([move, games]) => ({
    move, coordinates: squares(move, ply), opening: openingOf(games[0].moves.slice(0, ply + 1)), ...sum(games),
  }));
  return {
    ...sum(found), position: "", opening: found.length ? openingOf(found[0].moves.slice(0, ply)) : null,
    moves: rows.sort((a, b) => b.records - a.records),
    ended: sum(found.filter(({ head }) => !head.move)), examples: found.slice(0, 4).map(({ head }) => ({ ...head, ply: null })),
  };
}

function list(query, othello) {
  const all = othello ? [] : matching(query, filtered(query));
  const found = query.has("play") ? through(all, query.get("play")) : all;
  const key = { rating: ({ head }) => -(head.white_rating + head.black_rating), date: ({ head }) => -Number(head.date.replace(/\D/g, "").padEnd(8, "9")) };
  const by = key[query.get("sort")];
  return by ? [...found].sort((a, b) => by(a) - by(b)) : found;
}

const half = { records: 10, white: 4, draws: 1, black: 5, mean_rating: null, last_year: 2012 };
const OTHELLO = {
  "": { ...half, position: "---------------------------OX------XO--------------------------- X", opening: null,
    moves: [{ ...half, move: "f5", coordinates: "f5", opening: null }], ended: { ...half, records: 0 }, examples: [] },
};

const KINDS = { html: "text/html; charset=utf-8", js: "text/javascript" };

async function relay(url, request, response) {
  const body = request.method === "POST" ? request : undefined;
  const answer = await fetch(url, { method: request.method, body, duplex: "half" });
  const headers = {};
  for (const name of ["Content-Type", "Content-Disposition"]) {
    if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
  }
  response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
}

/**
 * Starts the server; requests are recorded in `asked`. With `game`, its database is of that game;
 * `records` are the texts of some games, by their numbers; lists have `totals` or lack them; with
 * `api`, it forwards requests to the server at that address.
 */
export async function serve({ game = "chess", about = {}, api, records = {}, totals = true } = {}) {
  const asked = [];
  const othello = game === "othello";
  const json = (response, value, status = 200) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
  const answer = (path, query, response) => {
    if (query.get("player") === "error") {
      return json(response, { error: "the file games.parquet is damaged at byte 12: pack it again" }, 500);
    }
    if (path === "about") {
      const records = GAMES.length;
      const name = "championship";
      return json(response, { name, game, title: othello ? "Othello" : "Chess", records, indexed: true,
        files: [{ name: "championship.parquet", records }], ...about });
    }
    if (path === "tree") {
      const play = query.get("play") ?? "";
      const empty = { ...OTHELLO[""], ...sum([]), moves: [] };
      return json(response, othello ? OTHELLO[play] ?? empty : treeOf(filtered(query), play));
    }
    const pattern = query.get("pattern") ?? "";
    if (pattern.includes("nonsense")) return json(response, { error: "there is no rule `nonsense`" }, 400);
    if (path === "games" && pattern.includes("rare")) {
      return json(response, { games: [GAMES[0].head], more: false, total: null, searched: 12_345 });
    }
    if (path === "games") {
      const [skip, limit] = ["skip", "limit"].map((name) => Number(query.get(name)));
      const found = list(query, othello);
      const games = found.slice(skip, skip + limit).map(({ head }) => head);
      const more = skip + limit < found.length;
      return json(response, { games, more, total: totals || !more ? found.length : null });
    }
    const name = query.get("name");
    if (path === "names") return json(response, { names: completing(query.get("kind"), query.get("part") ?? "") });
    if (path === "player" || path === "event") {
      const page = path === "player" ? playerOf(name) : eventOf(name);
      return page.games ? json(response, page) : json(response, { error: `there is no ${path} \`${name}\`` }, 404);
    }
    if (path === "count") return json(response, { total: list(query, othello).length });
    if (path === "pgn") {
      return response.writeHead(200, { "Content-Type": "application/x-chess-pgn" })
        .end(list(query, othello).map(({ text }) => text).join("\n"));
    }
    const id = path.replace("game/", "");
    const record = records[id] === undefined ? GAMES[Number(id) - 1] : { text: records[id] };
    if (!record) return json(response, { error: "there is no such record: the file has 568" }, 404);
    return response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end(record.text);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://here");
    const name = pathname.slice(1) || "explorer.html";
    if (name.startsWith("api/")) {
      asked.push(request.url);
      if (api) return void relay(new URL(request.url, api), request, response);
      const wait = searchParams.get("player") === "slow" ? 900 : 0;
      return setTimeout(() => answer(name.slice(4), searchParams, response), wait);
    }
    try {
      response.setHeader("Content-Type", KINDS[name.split(".").at(-1)] ?? "text/plain").end(readFileSync(join(built, name)));
    } catch {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such file.");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  running.push(stop);
  return { base: `http://127.0.0.1:${server.address().port}/`, asked, stop };
}

/** What stops each server that was started. */
const running = [];

/** Stops all servers, also those of tests that failed: as long as one listens, the tests do not end. */
export const stopAll = () => running.forEach((stop) => stop());
