// The opening explorer: a position on the board, the moves played there, and the games.

import type { PlypackBoard } from "../plypack-board";
import { movesOf, placeAfter, writeAddress, type TreeAddress } from "./address";
import { barOf } from "./bar";
import { boardIn, movesOn, textOf } from "./board";
import type { Desk } from "./desk";
import { count, gamesIn, make, put } from "./elements";
import { describe, Filters } from "./filters";
import { listOf } from "./list";
import { moverOf } from "./sides";
import type { Head, Opening, Sum, Tree, TreeMove } from "./source";
import { sentence, Work } from "./work";

/** The number of games that reach the position shown at a time. */
const SOME = 20;

/** The explanation of slow positions. */
const slowly = () =>
  make("p", { class: "none" }, "Without an index all games are searched for each position. ",
    make("code", {}, "plypack index"), " makes one.");

/** The view of a position in all games. */
export class TreeView {
  readonly root = make("section", { class: "tree-view", "aria-labelledby": "tree-title" });

  #title = make("h2", { id: "tree-title", tabindex: -1 }, "Opening tree");
  #holder = make("div", { class: "holder" });
  #fault = make("p", { class: "alert", role: "alert", hidden: true });
  #line = make("nav", { class: "line", "aria-label": "Moves to this position" });
  #steps = make("div", { class: "steps" });
  #mover = make("p", { class: "mover" });
  #answer = make("div", { class: "answer" });
  #status = make("p", { class: "hidden", role: "status" });
  #games = make("div", { class: "list" });
  #reached: HTMLDetailsElement;
  #filters: Filters;
  #work = new Work(this.#answer);
  #listing = new Work(this.#games);
  #board?: Promise<PlypackBoard>;
  /** Nonzero while the page sets the board, whose events are then ignored. */
  #told = 0;
  #address?: TreeAddress;
  #shown = "";
  /** The position whose games are listed. */
  #listed = "";

  constructor(private readonly desk: Desk) {
    this.#filters = new Filters(desk.about.game, (address) => desk.go(address), false);
    this.#work.again = () => this.#load();
    this.#listing.again = () => this.#list();
    const opened = () => void this.#list();
    this.#reached = make("details", { class: "reached", toggle: opened },
      make("summary", {}, "Games that reach this position"), this.#listing.bar, this.#games);
    this.root.append(
      make("div", { class: "board-side" }, this.#holder, this.#fault,
        make("div", { class: "under" }, this.#steps, this.#mover), this.#line),
      make("div", { class: "moves-side" }, this.#title, !desk.about.indexed && slowly(),
        !!desk.about.remark && make("p", { class: "none" }, desk.about.remark),
        this.#filters.root, this.#work.bar, this.#answer),
      this.#reached,
      this.#status,
    );
  }

  /** Shows a position. */
  show(address: TreeAddress): void {
    this.#address = address;
    this.#filters.show(address);
    this.#putSteps(address);
    void this.#set(address);
    if (this.#shown !== writeAddress(address)) void this.#load();
    void this.#list();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  /** Stops work in progress. */
  leave(): void {
    this.#work.stop();
    this.#listing.stop();
  }

  async #load(): Promise<void> {
    const address = this.#address;
    if (!address) return;
    this.#shown = "";
    const tree = await this.#work.ask("Looking up the position", (signal, progress) =>
      this.desk.source.tree(address.place, address.filter, signal, progress));
    if (!tree) return;
    this.#shown = writeAddress(address);
    this.#put(address, tree);
  }

  #put(address: TreeAddress, tree: Tree): void {
    // A reader who navigates the moves by keys keeps the focus there.
    const within = this.#answer.contains(document.activeElement);
    const { fen, play } = address.place;
    this.#title.textContent = nameOf(tree.opening) || (fen || play ? "This position" : "The start");
    put(this.#answer, this.#summary(tree), this.#table(address, tree),
      this.#examples(address, tree.examples));
    if (within) (this.#answer.querySelector("a") ?? this.#title).focus();
    this.#status.textContent = `${this.#title.textContent}: ${gamesIn(tree.records)}`;
    this.#name();
  }

  /** Names the window after the moves and the opening. */
  #name(): void {
    const line = this.#line.textContent?.trim();
    const told = describe(this.#address?.filter ?? {}, this.desk.about.game).map(([text]) => text);
    this.desk.title([line || "Start", this.#title.textContent, ...told].join(" · "));
  }

  #summary(tree: Tree): HTMLElement {
    if (!tree.records) {
      return make("p", { class: "none" },
        "No game reaches this position. Take a move back, or clear a filter.");
    }
    const words = [gamesIn(tree.records)];
    if (tree.mean_rating) words.push(`mean rating ${Math.round(tree.mean_rating)}`);
    if (tree.last_year) words.push(`last in ${tree.last_year}`);
    if (tree.ended.records) words.push(`${count(tree.ended.records)} end here`);
    return make("p", { class: "summary" }, words.join(" · "));
  }

  #table(address: TreeAddress, tree: Tree): HTMLElement | false {
    if (!tree.moves.length) return false;
    const heading = (name: string, text: string) => make("th", { scope: "col", class: name }, text);
    const named = tree.moves.some(({ opening }) => opening);
    const kinds = ["moves", tree.mean_rating ? "" : "unrated", named ? "" : "unnamed"];
    return make(
      "table",
      { class: kinds.filter(Boolean).join(" ") },
      make("caption", { class: "hidden" }, "Moves played here"),
      make("thead", {}, make("tr", {}, heading("move", "Move"), heading("number", "Games"),
        heading("results", "Results"), heading("rating", "Rating"), heading("year", "Last"),
        heading("opening", "Leads to"))),
      make("tbody", {}, ...tree.moves.map((move) => this.#row(address, tree, move))),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row", class: "move" }, "All"),
        ...this.#cells(tree, tree.records), make("td", { class: "opening" }))),
    );
  }

  #row({ place, filter }: TreeAddress, tree: Tree, move: TreeMove): HTMLElement {
    const after = placeAfter(place, [...movesOf(place), move.coordinates]);
    const href = writeAddress({ view: "tree", place: after, filter });
    const name = nameOf(move.opening);
    const said = `${move.move}, ${gamesIn(move.records)}`;
    return make("tr", {},
      make("td", { class: "move" }, make("a", { href, "aria-label": said }, move.move)),
      ...this.#cells(move, tree.records),
      make("td", { class: "opening", title: name || undefined }, name));
  }

  #cells(sum: Sum, all: number): HTMLElement[] {
    const share = all ? (100 * sum.records) / all : 0;
    const percent = share >= 1 || !share ? Math.round(share) : "<1";
    return [
      make("td", { class: "number" }, count(sum.records), " ",
        make("span", { class: "share" }, `${percent}%`)),
      make("td", { class: "results" }, barOf(sum, this.desk.about.game)),
      make("td", { class: "rating" }, sum.mean_rating ? Math.round(sum.mean_rating) : ""),
      make("td", { class: "year" }, sum.last_year ?? ""),
    ];
  }

  #examples(address: TreeAddress, examples: Head[]): HTMLElement | false {
    if (!examples.length) return false;
    const all = writeAddress({ ...address, view: "games", sort: "stored", page: 1 });
    // Few games reach the position after another number of moves.
    const ply = address.place.fen ? undefined : movesOf(address.place).length;
    return make("section", { class: "examples", "aria-label": "Example games" },
      make("h3", {}, "Example games"),
      listOf(examples, this.desk.about.game, "Example games", true, ply),
      make("p", {}, make("a", { href: all }, "All games of this position as a list")));
  }

  /** Lists games that reach the position, on request; `from` continues the list. */
  async #list(from = 0): Promise<void> {
    const address = this.#address;
    if (!address || !this.#reached.open) return;
    const key = writeAddress(address);
    if (!from && this.#listed === key) return;
    const { place, filter } = address;
    const found = await this.#listing.ask("Searching games", (signal, progress) =>
      this.desk.source.games(filter, place, "stored", from, SOME, signal, progress));
    if (!found) return;
    this.#listed = key;
    const list = listOf(found.games, this.desk.about.game, "Games that reach this position", true);
    const body = from ? this.#games.querySelector("tbody") : null;
    const first = list.querySelector("tbody a");
    if (body) body.append(...list.querySelectorAll("tbody tr"));
    else put(this.#games, found.games.length ? list : make("p", { class: "none" }, "No games."));
    this.#games.querySelector("button")?.remove();
    const next = from + found.games.length;
    const more = () => void this.#list(next);
    const button = make("button", { type: "button", click: more }, "More games");
    if (found.more) this.#games.append(button);
    if (from) (first as HTMLElement | null)?.focus();
  }

  #putSteps({ place, filter }: TreeAddress): void {
    const moves = movesOf(place);
    const step = (text: string, label: string, to: string[]) => {
      const href = writeAddress({ view: "tree", place: placeAfter(place, to), filter });
      const here = to.length === moves.length;
      return make("a", { class: "button", href: here ? undefined : href, "aria-label": label,
        title: label, role: "link", "aria-disabled": here ? "true" : undefined }, text);
    };
    const flip = make("button", { type: "button", click: () => void this.#flip() }, "Flip");
    put(this.#steps, step("« Start", "To the start", []),
      step("‹ Back", "One move back", moves.slice(0, -1)), flip);
  }

  async #flip(): Promise<void> {
    const board = await this.#board;
    const second = board?.getAttribute("orientation") === "second";
    board?.setAttribute("orientation", second ? "first" : "second");
  }

  /** Shows the position of an address on the board. */
  async #set({ place }: TreeAddress): Promise<void> {
    this.#told++;
    this.#fault.hidden = true;
    try {
      const board = await (this.#board ??= this.#makeBoard());
      if (this.#address?.place === place) await this.#follow(board, place);
    } catch (error) {
      this.#board = undefined;
      this.#tell(error instanceof Error ? error.message : String(error));
    } finally {
      this.#told--;
    }
  }

  /** The start of the line on the board, if it is not the usual one. */
  #start?: string;

  async #follow(board: PlypackBoard, place: { fen?: string; play?: string }): Promise<void> {
    const moves = movesOf(place);
    const is = (other: string[]) => other.join(",") === moves.join(",");
    if (this.#start === place.fen && board.position) {
      const known = movesOn(board);
      if (moves.length < known.length) board.ply = moves.length;
      else if (moves.length && known.join(",") === moves.slice(0, -1).join(",")) {
        board.play(moves[moves.length - 1]);
      }
    }
    if (this.#start !== place.fen || !board.position || !is(movesOn(board))) {
      this.#start = place.fen;
      if (await board.openText(textOf(place), this.desk.about.game)) board.ply = moves.length;
    }
    this.#putLine(board);
  }

  async #makeBoard(): Promise<PlypackBoard> {
    const board = await boardIn(this.#holder, this.desk.about.game);
    board.setAttribute("size", "100%");
    let played = false;
    board.addEventListener("plypack-ply", () => {
      if (this.#told) return;
      // The event of a move follows that of the new position.
      queueMicrotask(() => {
        this.#moved(board, !played);
        played = false;
      });
    });
    board.addEventListener("plypack-move", () => (played = true));
    board.addEventListener("plypack-fault", (event) => this.#tell(event.detail));
    board.addEventListener("plypack-open", (event) => {
      const { warning } = event.detail;
      if (warning) this.#tell(`Only the moves before it are shown: ${warning}`);
    });
    return board;
  }

  /** The reader moved forward or back on the board. */
  #moved(board: PlypackBoard, quietly: boolean): void {
    if (!this.#address || this.root.hidden) return;
    const place = placeAfter(this.#address.place, movesOn(board));
    this.#putLine(board);
    this.desk.go({ ...this.#address, place }, quietly);
  }

  /** The moves to the position, each a link to the position after it. */
  #putLine(board: PlypackBoard): void {
    const address = this.#address;
    if (!address) return;
    const [start, ...path] = board.path;
    const { game } = this.desk.about;
    const second = moverOf(game, start.position).second ? 1 : 0;
    const first = Number(start.position.split(" ")[5]) || 1;
    const links = path.flatMap(({ text }, at) => {
      const turn = at + second;
      const number = first + Math.floor(turn / 2);
      const head = turn % 2 === 0 ? `${number}.` : at === 0 ? `${number}…` : "";
      const moves = path.slice(0, at + 1).map(({ coordinates }) => coordinates);
      const place = placeAfter(address.place, moves);
      const href = writeAddress({ ...address, place });
      const current = at === path.length - 1 ? "page" : undefined;
      return [head && make("span", { class: "ply" }, head),
        make("a", { href, "aria-current": current }, text), " "];
    });
    put(this.#line, ...links);
    const mover = moverOf(game, board.position).name;
    this.#mover.textContent = mover && `${mover} to move`;
    this.#name();
  }

  #tell(message: string): void {
    this.#fault.textContent = sentence(message);
    this.#fault.hidden = false;
  }
}

function nameOf(opening: Opening | null): string {
  return opening ? `${opening.eco} ${opening.name}`.trim() : "";
}
