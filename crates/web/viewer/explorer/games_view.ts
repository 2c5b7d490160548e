// The list of games: filters, order, pages, and a download of all games found.

import type { PlypackBoard } from "../plypack-board";
import { withoutPattern, writeAddress, type GamesAddress } from "./address";
import type { Desk } from "./desk";
import { boardIn, movesIn } from "./board";
import { count, fileOf, gamesIn, make, put, save } from "./elements";
import { describe, Filters } from "./filters";
import { listOf } from "./list";
import type { Games, Head, Sort } from "./source";
import { Work } from "./work";

/** The number of games on a page. */
const PAGE = 50;

const ORDERS: [Sort, string][] = [
  ["stored", "as stored"],
  ["rating", "highest rated first"],
  ["date", "newest first"],
];

/** The view of the list of games. */
export class GamesView {
  readonly root = make("section", { class: "games-view", "aria-labelledby": "games-title" });

  #title = make("h2", { id: "games-title", tabindex: -1 }, "Games");
  #range = make("p", { class: "range", role: "status" });
  #order: HTMLSelectElement;
  #place = make("p", { class: "place" });
  #list = make("div", { class: "list" });
  #pager = make("nav", { class: "pager", "aria-label": "Pages of games" });
  #filters: Filters;
  #work = new Work(this.#list, this.#range, this.#pager);
  #saving = new Work();
  #counting?: AbortController;
  #preview = make("aside", { class: "preview", "aria-label": "The game pointed at" },
    make("p", { class: "none" }, "Point at a game to see it here."));
  #board?: Promise<PlypackBoard>;
  /** The game pointed at. */
  #pointed = "";
  #address?: GamesAddress;
  /** The address whose answer is shown. */
  #shown = "";

  constructor(private readonly desk: Desk) {
    const { go, about, source } = desk;
    const wide = matchMedia("(min-width: 700px)").matches;
    this.#filters = new Filters(about.game, (address) => go(address), wide, source.people, true);
    const options = ORDERS.map(([value, text]) => make("option", { value }, text));
    this.#order = make("select", { change: () => this.#reorder() }, ...options);
    const click = () => void this.#save();
    const format = { chess: "PGN", go: "SGF" }[about.game] ?? "games";
    const download = make("button", { type: "button", click }, `Download ${format}`);
    for (const event of ["mouseover", "focusin"]) {
      this.#list.addEventListener(event, ({ target }) => this.#point(target as Element));
    }
    this.#work.again = () => this.#load();
    this.#saving.again = () => this.#save();
    this.root.append(
      this.#title,
      this.#filters.root,
      this.#place,
      make("div", { class: "tools" }, this.#range,
        make("label", { class: "order" }, make("span", {}, "Order"), this.#order), download),
      this.#saving.bar,
      this.#work.bar,
      make("div", { class: "beside" }, make("div", {}, this.#list, this.#pager), this.#preview),
    );
  }

  /** Shows a page of the list, unless it is shown already. */
  show(address: GamesAddress): void {
    this.#address = address;
    this.#filters.show(address);
    this.#order.value = address.sort;
    this.#tellPlace(address);
    const told = describe(address.filter, this.desk.about.game).map(([text]) => text);
    this.desk.title(["Games", ...told].join(" · "));
    if (this.#shown !== writeAddress(address)) void this.#load();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  /** Stops work in progress. */
  leave(): void {
    this.#work.stop();
    this.#counting?.abort();
  }

  async #load(): Promise<void> {
    const address = this.#address;
    if (!address) return;
    const { filter, place, sort, page } = address;
    this.#counting?.abort();
    this.#shown = "";
    const found = await this.#work.ask("Searching games", (signal, progress) =>
      this.desk.source.games(filter, place, sort, (page - 1) * PAGE, PAGE, signal, (done, ahead) => {
        if (signal.aborted) return;
        progress(done, ahead);
        if (ahead?.games) this.#putSome(address, ahead.games);
      }));
    if (!found) return;
    this.#shown = writeAddress(address);
    this.#put(address, found);
    this.desk.listed(found.games);
    if (found.total === null && found.more) void this.#count(address, found);
  }

  /** Completes a list with the number of games found, which may take longer than its page. */
  async #count(address: GamesAddress, found: Games): Promise<void> {
    const mine = (this.#counting = new AbortController());
    const { filter, place } = address;
    const asked = this.desk.source.count(filter, place, mine.signal, () => undefined);
    // Without an answer the list says "and more".
    const total = await asked.catch(() => null);
    if (total !== null && mine === this.#counting && !mine.signal.aborted) this.#tell(address, { ...found, total });
  }

  /** Shows the game of a row beside the list, where there is room for it. */
  #point(target: Element): void {
    const { id, ply } = target.closest("tr")?.dataset ?? {};
    if (!id || id === this.#pointed || !this.#preview.offsetParent) return;
    this.#pointed = id;
    setTimeout(async () => {
      if (this.#pointed !== id) return;
      try {
        this.#board ??= this.#makeBoard();
        const [board, record] = await Promise.all([this.#board, this.desk.source.game(id)]);
        if (this.#pointed !== id || !(await board.openText(movesIn(record), this.desk.about.game))) return;
        board.setAttribute("orientation", this.desk.flipped ? "second" : "first");
        if (ply) board.ply = Number(ply);
        else board.press("End");
      } catch {
        // The game's own view says why it cannot be read.
        this.#board = undefined;
      }
    }, 150);
  }

  async #makeBoard(): Promise<PlypackBoard> {
    const holder = make("div", { class: "holder" });
    put(this.#preview, holder);
    const board = await boardIn(holder, this.desk, false);
    board.setAttribute("size", "100%");
    board.setAttribute("still", "");
    return board;
  }

  /** Says how many games there are, and leads to the other pages. */
  #tell(address: GamesAddress, found: Games): string {
    const first = (address.page - 1) * PAGE;
    const last = first + found.games.length;
    const all = found.total ?? (found.more ? null : last);
    const range = `${count(first + 1)}–${count(last)}`;
    const whole = all === null ? `${range}, and more` : `${range} of ${gamesIn(all)}`;
    const none = first ? "There are no more games." : "No games fit. Clear a filter to see more.";
    this.#range.textContent = found.games.length ? whole : none;
    if (found.searched !== undefined) {
      const games = found.games.length ? gamesIn(found.games.length) : "None";
      const those = found.searched ? `the ${count(found.searched)}` : "those";
      this.#range.textContent = `${games} of ${those} that could be searched in 15 seconds. Ask \
for fewer games, e.g. of one player or year, to have all of them searched.`;
    }
    this.#putPager(address, found.more, all);
    return range;
  }

  /** Shows the first games while others are searched. */
  #putSome(address: GamesAddress, games: Head[]): void {
    this.#putList(address, games, "so far");
    this.#range.textContent = `${gamesIn(games.length)} so far`;
    put(this.#pager);
    for (const one of [this.#list, this.#range]) {
      one.hidden = false;
      one.removeAttribute("aria-busy");
    }
  }

  #put(address: GamesAddress, found: Games): void {
    this.#putList(address, found.games, this.#tell(address, found));
  }

  #putList(address: GamesAddress, games: Head[], range: string): void {
    const { game } = this.desk.about;
    // A pattern's match is elsewhere, so the move at the position is not shown.
    const placed = address.place !== undefined && !address.filter.pattern;
    const to = (sort: Sort) => writeAddress({ ...address, sort, page: 1 });
    const sort = { by: address.sort, to };
    const list = listOf(games, game, `Games ${range}`, { placed, sort });
    put(this.#list, games.length > 0 && list);
  }

  #putPager(address: GamesAddress, more: boolean, all: number | null): void {
    const link = (page: number, text: string, rel: string) =>
      make("a", { href: writeAddress({ ...address, page }), rel, class: "button" }, text);
    const pages = all === null ? "" : ` of ${count(Math.max(1, Math.ceil(all / PAGE)))}`;
    const { page } = address;
    put(
      this.#pager,
      page > 1 && link(page - 1, "‹ Previous", "prev"),
      (page > 1 || more) && make("span", {}, `Page ${count(page)}${pages}`),
      more && link(page + 1, "Next ›", "next"),
    );
  }

  #tellPlace({ place, ...rest }: GamesAddress): void {
    this.#place.hidden = !place;
    if (!place) return;
    const tree = writeAddress({ view: "tree", place, filter: withoutPattern(rest.filter) });
    const without = writeAddress({ ...rest, page: 1 });
    put(this.#place, "Only games that reach ", make("a", { href: tree }, "this position"), ". ",
      make("a", { href: without }, "Show all games"));
  }

  #reorder(): void {
    const sort = this.#order.value as Sort;
    if (this.#address) this.desk.go({ ...this.#address, sort, page: 1 });
  }

  async #save(): Promise<void> {
    if (!this.#address) return;
    const { filter, place, sort } = this.#address;
    const blob = await this.#saving.ask("Gathering games", (signal, progress) =>
      this.desk.source.download(filter, place, sort, signal, progress));
    if (blob) save(blob, fileOf(this.desk.about.name, await blob.slice(0, 200).text()));
  }
}
