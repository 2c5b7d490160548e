// The opening explorer: a position on the board, the moves played there, and the games.

import type { PlypackBoard } from "../plypack-board";
import { movesOf, placeAfter, writeAddress, type TreeAddress } from "./address";
import { barOf } from "./bar";
import { lookOf, numberOf, squaresOf } from "../games";
import { analysisOf, boardIn, movesOn, textOf } from "./board";
import type { Desk } from "./desk";
import { copier, count, gamesIn, make, put } from "./elements";
import { describe, Filters } from "./filters";
import { listOf } from "./list";
import { moverOf, spelledIn } from "./sides";
import type { Head, Opening, Sum, Tree, TreeMove } from "./source";
import { sentence, Work } from "./work";

/** The number of games that reach the position shown at a time. */
const SOME = 20;

/** The number of moves shown before all are asked for. */
const MOVES = 12;

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
  #examples = make("div", { class: "examples" });
  #analysis = make("a", { class: "button", rel: "noopener noreferrer" }, "Analyse on lichess.org");
  #setting = make("input", { type: "text", name: "setting", "aria-label": "Position or moves",
    spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
  #status = make("p", { class: "hidden", role: "status" });
  #games = make("div", { class: "list" });
  #reached: HTMLDetailsElement;
  #filters: Filters;
  #work = new Work(this.#answer, this.#examples);
  #listing = new Work(this.#games);
  #board?: Promise<PlypackBoard>;
  /** Nonzero while the page sets the board, whose events are then ignored. */
  #told = 0;
  #address?: TreeAddress;
  #shown = "";
  /** The position whose games are listed. */
  #listed = "";
  #tree?: Tree;
  /** Whether all moves are shown. */
  #all = false;
  /** The usual start. */
  #usual = "";

  constructor(private readonly desk: Desk) {
    this.#filters = new Filters(desk.about.game, (address) => desk.go(address), false, desk.source.people);
    this.#work.again = () => this.#load();
    this.#listing.again = () => this.#list();
    const opened = () => void this.#list();
    this.#reached = make("details", { class: "reached", toggle: opened },
      make("summary", {}, "Games that reach this position"), this.#listing.bar, this.#games);
    const chess = desk.about.game === "chess";
    this.#setting.placeholder = chess ? "FEN, PGN or moves" : "A position or moves";
    const form = make("form", { class: "setup", submit: (event) => {
      event.preventDefault();
      void this.setUp(this.#setting.value);
    } }, this.#setting, make("button", {}, "Set up"));
    const fen = copier(chess ? "Copy FEN" : "Copy position", "Copy this position as text",
      () => this.#onBoard?.position ?? "");
    const link = copier("Copy link", "Copy a link to this view", () => location.href);
    this.root.append(
      make("div", { class: "board-side" }, this.#holder, this.#fault,
        make("div", { class: "under" }, this.#steps, this.#mover), this.#line,
        make("div", { class: "under copies" }, fen, link, chess && this.#analysis), form, this.#examples),
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
    if (this.#shown !== keyOf(address)) void this.#load();
    void this.#list();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  get #onBoard(): PlypackBoard | null {
    return this.#holder.querySelector("plypack-board");
  }

  /** Does what a key on the board does; at the end of the line, → plays the most frequent move. */
  press(key: string): boolean {
    if (this.#onBoard?.press(key)) return true;
    if (key !== "ArrowRight" || this.#shown !== this.#key() || !this.#tree?.moves.length) return false;
    this.#forward(this.#tree.moves[0]);
    return true;
  }

  #key(): string {
    return this.#address ? keyOf(this.#address) : "";
  }

  /** Shows a position, a game or moves that the reader typed or pasted. */
  async setUp(text: string): Promise<void> {
    if (!text.trim() || !this.#address) return;
    const board = await (this.#board ??= this.#makeBoard());
    let tags: unknown[] = [];
    const opened = (event: HTMLElementEventMap["plypack-open"]) => (tags = event.detail.tags);
    board.addEventListener("plypack-open", opened, { once: true });
    this.#told++;
    this.#fault.hidden = true;
    const done = await board.openText(text, this.desk.about.game);
    // A whole game is gone through from its start, moves alone are a position.
    if (done && !tags.length) board.press("End");
    this.#told--;
    board.removeEventListener("plypack-open", opened);
    if (!done) return;
    this.#setting.value = "";
    const start = board.path[0].position;
    this.#start = start === this.#usual ? undefined : start;
    this.desk.go({ ...this.#address, place: placeAfter({ fen: this.#start }, movesOn(board)) });
  }

  #forward({ coordinates }: TreeMove): void {
    if (!this.#address) return;
    const { place } = this.#address;
    this.desk.go({ ...this.#address, place: placeAfter(place, [...movesOf(place), coordinates]) });
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
    this.#tree = undefined;
    this.#all = false;
    const tree = await this.#work.ask("Looking up the position", (signal, progress) =>
      this.desk.source.tree(address.place, address.filter, signal, progress));
    if (!tree) return;
    this.#shown = keyOf(address);
    this.#tree = tree;
    this.#put(address, tree);
    this.#mark();
  }

  /** Writes letters and numbers of games on the points where stones were put, and an arrow. */
  #mark(pointed?: string): void {
    const [board, tree, { game }] = [this.#onBoard, this.#tree, this.desk.about];
    if (!board || !tree || movesOn(board).join(",") !== (this.#address?.place.play ?? "")) return;
    const { placing, points } = lookOf(game);
    const moves = placing && points ? tree.moves.slice(0, MOVES) : [];
    const labels = moves.flatMap(({ coordinates, records }, at) => {
      // A pass has no point.
      const [square] = squaresOf(coordinates);
      return square ? [[square, `${letterOf(at)} ${short(records)}`]] : [];
    });
    board.hints = { labels: Object.fromEntries(labels), pointed };
  }

  #put(address: TreeAddress, tree: Tree): void {
    // A reader who navigates the moves by keys keeps the focus there.
    const within = this.#answer.contains(document.activeElement);
    const { fen, play } = address.place;
    const usual = fen || play ? "This position" : "Starting position";
    this.#title.textContent = nameOf(tree.opening) || usual;
    put(this.#answer, this.#summary(tree), this.#table(address, tree));
    put(this.#examples, ...this.#exampled(address, tree.examples));
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
    if (tree.mean_rating) words.push(`average rating ${Math.round(tree.mean_rating)}`);
    if (tree.last_year) words.push(`last played ${tree.last_year}`);
    const { records } = tree.ended;
    if (records) words.push(`${gamesIn(records)} ${records === 1 ? "ends" : "end"} here`);
    return make("p", { class: "summary" }, words.join(" · "));
  }

  #table(address: TreeAddress, tree: Tree): HTMLElement | false {
    if (!tree.moves.length) return false;
    const heading = (name: string, text: string) => make("th", { scope: "col", class: name }, text);
    const named = tree.moves.some(({ opening }) => opening);
    const dated = tree.moves.some(({ last_year }) => last_year);
    const kinds = ["moves", tree.mean_rating ? "" : "unrated", named ? "" : "unnamed", dated ? "" : "undated"];
    const shown = this.#all ? tree.moves : tree.moves.slice(0, MOVES);
    const rest = tree.moves.length - shown.length;
    const click = () => {
      this.#all = true;
      this.#put(address, tree);
      this.#answer.querySelectorAll<HTMLElement>("tbody a")[MOVES]?.focus();
    };
    return make("div", {}, make(
      "table",
      { class: kinds.filter(Boolean).join(" ") },
      make("caption", { class: "hidden" }, "Moves played here"),
      make("thead", {}, make("tr", {}, heading("move", "Move"), heading("number", "Games"),
        heading("results", "Results"), heading("rating", "Rating"), heading("year", "Last"),
        heading("opening", "Leads to"))),
      make("tbody", {}, ...shown.map((move, at) => this.#row(address, tree, move, at))),
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row", class: "move" }, "All"),
        ...this.#cells(tree, tree.records), make("td", { class: "opening" }))),
    ), rest > 0 && make("button", { type: "button", click }, `Show all ${count(tree.moves.length)} moves`));
  }

  #row({ place, filter }: TreeAddress, tree: Tree, move: TreeMove, at: number): HTMLElement {
    const after = placeAfter(place, [...movesOf(place), move.coordinates]);
    const href = writeAddress({ view: "tree", place: after, filter });
    const name = nameOf(move.opening);
    const { game } = this.desk.about;
    const text = spelledIn(game, move.move, move.coordinates);
    const said = `${text}, ${gamesIn(move.records)}`;
    const { placing, points } = lookOf(game);
    const letter = placing && points && at < MOVES && make("span", { class: "letter" }, letterOf(at));
    const point = () => this.#mark(move.coordinates);
    const leave = () => this.#mark();
    return make("tr", { mouseenter: point, mouseleave: leave, focusin: point, focusout: leave },
      make("td", { class: "move" }, letter, make("a", { href, "aria-label": said }, text)),
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

  #exampled(address: TreeAddress, examples: Head[]): HTMLElement[] {
    if (!examples.length) return [];
    this.desk.listed(examples);
    const all = writeAddress({ ...address, view: "games", sort: "stored", page: 1 });
    // Few games reach the position after another number of moves.
    const ply = address.place.fen ? undefined : movesOf(address.place).length;
    return [
      make("h2", {}, "Example games"),
      listOf(examples, this.desk.about.game, "Example games", { placed: true, ply }),
      make("p", {}, make("a", { href: all }, "All games of this position as a list")),
    ];
  }

  /** Lists games that reach the position, on request; `from` continues the list. */
  async #list(from = 0): Promise<void> {
    const address = this.#address;
    if (!address || !this.#reached.open) return;
    const key = keyOf(address);
    if (!from && this.#listed === key) return;
    const { place, filter } = address;
    const found = await this.#listing.ask("Searching games", (signal, progress) =>
      this.desk.source.games(filter, place, "stored", from, SOME, signal, progress));
    if (!found) return;
    this.#listed = key;
    this.desk.listed(found.games);
    const list = listOf(found.games, this.desk.about.game, "Games that reach this position", { placed: true });
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
    const button = (text: string, label: string, click: () => void) =>
      make("button", { type: "button", "aria-label": label, title: label, click }, text);
    put(this.#steps, step("« Start", "To the start", []),
      step("‹ Back", "One move back", moves.slice(0, -1)),
      button("Forward ›", "One move forward, or the most frequent one", () => this.press("ArrowRight")),
      button("Flip", "Flip the board (f)", () => this.desk.flip()));
  }

  /** Shows the position of an address on the board. */
  async #set({ place }: TreeAddress): Promise<void> {
    this.#told++;
    this.#fault.hidden = true;
    try {
      const board = await (this.#board ??= this.#makeBoard());
      board.setAttribute("orientation", this.desk.flipped ? "second" : "first");
      if (this.#address?.place === place) await this.#follow(board, place);
      this.#mark();
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
    if (this.#start === place.fen && !is(movesOn(board))) board.follow(moves);
    if (this.#start !== place.fen || !is(movesOn(board))) {
      this.#start = place.fen;
      if (await board.openText(textOf(place), this.desk.about.game)) board.ply = moves.length;
    }
    this.#putLine(board);
  }

  async #makeBoard(): Promise<PlypackBoard> {
    const board = await boardIn(this.#holder, this.desk);
    board.setAttribute("size", "100%");
    board.setAttribute("still", "");
    this.#usual = board.position;
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
    const look = lookOf(game);
    const links = path.flatMap(({ text, coordinates }, at) => {
      const [number, second] = numberOf(look, at + 1, start.position);
      const head = second ? at === 0 && number.replace(".", "…") : number;
      const moves = path.slice(0, at + 1).map(({ coordinates }) => coordinates);
      const place = placeAfter(address.place, moves);
      const href = writeAddress({ ...address, place });
      const current = at === path.length - 1 ? "page" : undefined;
      return [head && make("span", { class: "ply" }, head),
        make("a", { href, "aria-current": current }, spelledIn(game, text, coordinates)), " "];
    });
    put(this.#line, ...links);
    this.#analysis.href = analysisOf(board.position);
    const mover = moverOf(game, board.position).name;
    this.#mover.textContent = mover && `${mover} to move`;
    this.#name();
  }

  #tell(message: string): void {
    this.#fault.textContent = sentence(message);
    this.#fault.hidden = false;
  }
}

/** A position and its filters, whichever side is below. */
function keyOf({ place, filter }: TreeAddress): string {
  return writeAddress({ view: "tree", place, filter });
}

/** The letter of a move on the board, by its place in the table. */
const letterOf = (at: number) => String.fromCharCode(65 + at);

/** A number of games that fits on a point of the board. */
const short = (number: number) =>
  number < 1000 ? String(number) : new Intl.NumberFormat("en", { notation: "compact" }).format(number);

function nameOf(opening: Opening | null): string {
  return opening ? `${opening.eco} ${opening.name}`.trim() : "";
}
