// One game: on the board with its moves and comments, and its tags.

import type { PlypackBoard } from "../plypack-board";
import { placeAfter, writeAddress, type GameAddress } from "./address";
import { analysisOf, boardIn, movesIn, movesOn } from "./board";
import type { Desk } from "./desk";
import { bare, copier, fileOf, make, put, save, type Child } from "./elements";
import { dateOf, eventLink, nameOf, personLink, resultOf } from "./list";
import { blackFirst } from "./sides";
import { patternOf } from "./pattern";
import { Work } from "./work";

/** Tags that are shown by the heading or the board. */
const TOLD = new Set([
  "White", "Black", "Red", "WhiteElo", "BlackElo", "Result", "SetUp", "FEN", "Date",
]);

/** Tags that are shown at once; the others are behind a heading. */
const SHOWN = ["Event", "Site", "Round", "ECO", "Opening", "Variation", "Komi", "Handicap"];

/** The length of a record that cannot be shown on a board, as text. */
const TEXT_SHOWN = 4_000;

/** The view of a game. */
export class GameView {
  readonly root = make("section", { class: "game-view", "aria-labelledby": "game-title" });

  #title = make("h2", { id: "game-title", tabindex: -1 }, "Game");
  #tags = make("div", { class: "about" });
  #beside = make("nav", { class: "steps", "aria-label": "Other games" });
  #note = make("div", { class: "unread" });
  #tools = make("div", { class: "tools" });
  #tree = make("a", { class: "button" }, "Position in the tree");
  #pattern = make("a", { class: "button" }, "Position as a pattern");
  #analysis = make("a", { class: "button", rel: "noopener noreferrer" }, "Analyse on lichess.org");
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
    const { about } = desk;
    const record = copier("Copy the record", "Copy the record as it was packed", () => this.#record);
    const download = make("button", { type: "button", click: () => this.#save() }, "Download");
    this.#tools.append(this.#tree, this.#pattern,
      ...(about.game === "chess" ? [this.#analysis] : []), record, download);
    this.root.append(make("div", { class: "heading" }, this.#title, this.#beside), this.#work.bar,
      this.#note, this.#holder, this.#tools, this.#tags);
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
    put(this.#note);
    this.#lead(address.id);
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
    const opened = await board.openText(movesIn(record), this.desk.about.game);
    this.#told--;
    if (this.#address?.id !== address.id) return;
    this.#opened = address.id;
    this.#tools.hidden = false;
    if (!opened || !this.#hasMoves(board)) this.#showText(record);
    if (!opened) return;
    await this.#step();
  }

  #hasMoves(board: PlypackBoard): boolean {
    this.#told++;
    board.press("End");
    const { ply } = board;
    board.press("Home");
    this.#told--;
    return ply > 0;
  }

  /** Shows a record without moves as the text that it is. */
  #showText(record: string): void {
    const more = record.length > TEXT_SHOWN ? "…" : "";
    put(this.#note, make("p", { class: "alert" }, "No moves could be read in this record. Its text:"),
      make("pre", {}, record.slice(0, TEXT_SHOWN) + more));
  }

  /** Links to the games before and after this one. */
  #lead(id: string): void {
    const link = (to: string | undefined, text: string) => make("a", { class: "button", role: "link",
      href: to && writeAddress({ view: "game", id: to }), "aria-disabled": to ? undefined : "true" }, text);
    const [before, after] = this.desk.beside(id);
    put(this.#beside, link(before, "‹ Previous game"), link(after, "Next game ›"));
  }

  /** Does what a key on the board does; returns whether it does anything. */
  press(key: string): boolean {
    const board = this.#holder.querySelector("plypack-board");
    return !this.#tools.hidden && Boolean(board?.press(key));
  }

  /** Goes to the position of the address, unless it is shown. */
  async #step(): Promise<void> {
    const board = await this.#board;
    if (!board || !this.#address) return;
    const { ply = 0, play } = this.#address;
    this.#told++;
    board.setAttribute("orientation", this.desk.flipped ? "second" : "first");
    if (play) {
      if (movesOn(board).join(",") !== play) board.follow(play.split(","));
    } else if (!board.main || board.ply !== ply) board.ply = ply;
    this.#told--;
    this.#link(board);
    this.desk.title(this.#title.textContent ?? "");
  }

  async #makeBoard(): Promise<PlypackBoard> {
    const board = await boardIn(this.#holder, this.desk);
    // As large as the window allows, with room for the moves beside it.
    board.setAttribute("size", "min(100%, max(min(560px, 100vw), min(72vh, 44vw)))");
    this.#usual = board.position;
    board.addEventListener("plypack-open", (event) => this.#describe(event.detail.tags));
    board.addEventListener("plypack-ply", () => {
      // An event caused by the page itself is ignored.
      if (this.#told || this.root.hidden || this.#opened !== this.#address?.id) return;
      const play = board.main ? undefined : movesOn(board).join(",");
      this.desk.go({ ...this.#address, ply: board.ply, play }, true);
    });
    return board;
  }

  /** Makes the link to the tree lead to the position shown. */
  #link(board: PlypackBoard): void {
    const [start] = board.path;
    const fen = start.position === this.#usual ? undefined : start.position;
    const place = placeAfter({ fen }, movesOn(board));
    this.#tree.href = writeAddress({ view: "tree", place, filter: {} });
    this.#analysis.href = analysisOf(board.position);
    const pattern = patternOf(this.desk.about.game, board.position);
    this.#pattern.href = writeAddress({ view: "pattern", filter: { pattern } });
  }

  #describe(all: [string, string][]): void {
    // A record without tags, as those of WTHOR, is told as its list does.
    const head = all.length ? undefined : this.desk.headOf(this.#address?.id ?? "");
    const listed: Record<string, string | null | undefined> = {
      White: head?.white, Black: head?.black, Date: head?.date, Result: head?.told ?? head?.result,
    };
    const tag = (name: string) => all.find((one) => one[0] === name)?.[1] ?? listed[name] ?? "";
    const { game } = this.desk.about;
    const named = (name: string, side: string): Child[] => {
      const [rating, id] = [tag(`${side}Elo`), tag(`${side}FideId`)];
      const number = /^[1-9]\d{0,8}$/.test(id) ? Number(id) : undefined;
      const link = nameOf(name) !== "?" ? personLink(name, number) : nameOf(name);
      return [link, /^\d+$/.test(rating) && ` (${rating})`];
    };
    const players = [named(tag("White") || tag("Red"), "White"), named(tag("Black"), "Black")];
    if (blackFirst(game)) players.reverse();
    const result = tag("Result") === "*" ? "" : resultOf(game, tag("Result"), tag("Result"));
    const told = [result, dateOf(tag("Date"))].filter(Boolean).map((text) => ` · ${text}`);
    put(this.#title, ...players[0], " – ", ...players[1], ...told);
    const says = (value: string) => value && !/^[?.*-]+$/.test(value);
    const known = all.filter(([name, value]) => !TOLD.has(name) && says(value));
    const list = (tags: [string, string][]) => make("dl", { class: "tags" }, ...tags.map(([name, value]) =>
      make("div", {}, make("dt", {}, name), make("dd", {}, name === "Event" ? eventLink(value) : webLink(value)))));
    const rest = all.filter(([name]) => !SHOWN.includes(name));
    put(this.#tags, list(known.filter(([name]) => SHOWN.includes(name))),
      rest.length > 0 && make("details", {}, make("summary", {}, "All tags"), list(all)));
    this.desk.title(this.#title.textContent ?? "");
  }

  #save(): void {
    const blob = new Blob([this.#record], { type: "application/x-chess-pgn" });
    save(blob, fileOf(`${bare(this.desk.about.name)}-${this.#address?.id ?? ""}`, this.#record));
  }
}

/** A value of a tag; web addresses become links. */
function webLink(value: string): HTMLElement | string {
  if (!/^https:\/\/[\w.-]+(\/[^\s"<>]*)?$/.test(value)) return value;
  return make("a", { href: value, rel: "noopener noreferrer" }, value);
}
