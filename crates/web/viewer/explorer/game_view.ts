// One game: on the board with its moves and comments, and its tags.

import type { PlypackBoard } from "../plypack-board";
import { placeAfter, writeAddress, type GameAddress } from "./address";
import { boardIn, movesOn } from "./board";
import type { Desk } from "./desk";
import { bare, make, put, save } from "./elements";
import { dateOf, nameOf, resultOf } from "./list";
import { patternOf } from "./pattern";
import { Work } from "./work";

/** Tags that are shown by the heading or the board. */
const TOLD = new Set([
  "White", "Black", "Red", "WhiteElo", "BlackElo", "Result", "SetUp", "FEN", "Date",
]);

/** The view of a game. */
export class GameView {
  readonly root = make("section", { class: "game-view", "aria-labelledby": "game-title" });

  #title = make("h2", { id: "game-title", tabindex: -1 }, "Game");
  #tags = make("dl", { class: "tags" });
  #tools = make("div", { class: "tools" });
  #tree = make("a", { class: "button" }, "Position in the tree");
  #pattern = make("a", { class: "button" }, "Position as a pattern");
  #holder = make("div", { class: "holder" });
  #work = new Work(this.#holder, this.#tags);
  #board?: Promise<PlypackBoard>;
  #address?: GameAddress;
  #record = "";
  #opened = "";
  /** The usual start. */
  #usual = "";
  #told = 0;

  constructor(private readonly desk: Desk) {
    this.#work.again = () => this.#load();
    const download = make("button", { type: "button", click: () => this.#save() }, "Download");
    this.#tools.append(this.#tree, ...(desk.source.patterns ? [this.#pattern] : []), download);
    this.root.append(this.#title, this.#tags, this.#tools, this.#work.bar, this.#holder);
  }

  /** Shows a game at a ply. */
  show(address: GameAddress): void {
    this.#address = address;
    if (this.#opened === address.id) void this.#step();
    else void this.#load();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  /** Stops work in progress. */
  leave(): void {
    this.#work.stop();
    void this.#board?.then((board) => board.pause());
  }

  async #load(): Promise<void> {
    const address = this.#address;
    if (!address) return;
    this.#opened = "";
    this.#title.textContent = "Game";
    this.#tools.hidden = true;
    const found = await this.#work.ask("Reading the game", async () => {
      this.#board ??= this.#makeBoard();
      const made = this.#board.catch((error: unknown) => {
        this.#board = undefined;
        throw error;
      });
      return Promise.all([this.desk.source.game(address.id), made]);
    });
    if (!found) return;
    const [record, board] = found;
    this.#record = record;
    this.#told++;
    const opened = await board.openText(record, this.desk.about.game);
    this.#told--;
    if (!opened || this.#address?.id !== address.id) return;
    this.#opened = address.id;
    this.#tools.hidden = false;
    await this.#step();
  }

  /** Goes to the ply of the address. */
  async #step(): Promise<void> {
    const board = await this.#board;
    if (!board || !this.#address) return;
    this.#told++;
    board.ply = this.#address.ply ?? 0;
    this.#told--;
    this.#link(board);
    this.desk.title(this.#title.textContent ?? "");
  }

  async #makeBoard(): Promise<PlypackBoard> {
    const board = await boardIn(this.#holder, this.desk.about.game);
    this.#usual = board.position;
    board.addEventListener("plypack-open", (event) => this.#describe(event.detail.tags));
    board.addEventListener("plypack-ply", () => {
      // An event caused by the page itself is ignored.
      if (this.#told || this.root.hidden || this.#opened !== this.#address?.id) return;
      this.desk.go({ ...this.#address, ply: board.ply }, true);
    });
    return board;
  }

  /** Makes the link to the tree lead to the position shown. */
  #link(board: PlypackBoard): void {
    const [start] = board.path;
    const fen = start.position === this.#usual ? undefined : start.position;
    const place = placeAfter({ fen }, movesOn(board));
    this.#tree.href = writeAddress({ view: "tree", place, filter: {} });
    const pattern = patternOf(this.desk.about.game, board.position);
    this.#pattern.href = writeAddress({ view: "pattern", filter: { pattern } });
  }

  #describe(all: [string, string][]): void {
    const tag = (name: string) => all.find((one) => one[0] === name)?.[1] ?? "";
    const rated = (name: string, rating: string) =>
      /^\d+$/.test(rating) ? `${nameOf(name)} (${rating})` : nameOf(name);
    const first = rated(tag("White") || tag("Red"), tag("WhiteElo"));
    const second = rated(tag("Black"), tag("BlackElo"));
    const result = tag("Result") === "*" ? "" : resultOf(tag("Result"));
    const names = `${first} – ${second}`;
    this.#title.textContent = [names, result, dateOf(tag("Date"))].filter(Boolean).join(" · ");
    const says = (value: string) => value && !/^[?.*-]+$/.test(value);
    const known = all.filter(([name, value]) => !TOLD.has(name) && says(value));
    put(this.#tags, ...known.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, linked(value)))));
    this.desk.title(this.#title.textContent);
  }

  #save(): void {
    const blob = new Blob([this.#record], { type: "application/x-chess-pgn" });
    save(blob, `${bare(this.desk.about.name)}-${this.#address?.id ?? ""}.pgn`);
  }
}

/** A value of a tag; web addresses become links. */
function linked(value: string): HTMLElement | string {
  if (!/^https:\/\/[\w.-]+(\/[^\s"<>]*)?$/.test(value)) return value;
  return make("a", { href: value, rel: "noopener noreferrer" }, value);
}
