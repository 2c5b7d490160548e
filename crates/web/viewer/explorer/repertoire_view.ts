// A repertoire beside the games: which follow it, where each leaves it, and what it does not answer.

import { writeAddress, type RepertoireAddress } from "./address";
import { barOf } from "./bar";
import type { Desk } from "./desk";
import { count, gamesIn, make, put, type Child } from "./elements";
import { Filters } from "./filters";
import { listOf } from "./list";
import { sidesOf } from "./sides";
import type { Departure, Left, Repertoire, RepertoirePage } from "./source";
import { Work } from "./work";

/** The number of games that are listed at a time. */
const GAMES = 50;

/** The number of moves shown before all are asked for. */
const MOVES = 12;

/** Where the text is kept until the window is closed. */
const KEPT = "plypack-repertoire";

/** The view of a repertoire. Its text is in no address, as it may be long. */
export class RepertoireView {
  readonly root = make("section", { class: "repertoire-view", "aria-labelledby": "repertoire-title" });

  #title = make("h2", { id: "repertoire-title", tabindex: -1 }, "Repertoire");
  #text = make("textarea", { id: "repertoire-text", rows: 7, spellcheck: "false", autocapitalize: "off" });
  #side: HTMLSelectElement;
  #filters: Filters;
  #answer = make("div", { class: "answer" });
  #games = make("div", { class: "list" });
  #work = new Work(this.#answer, this.#games);
  #more = new Work();
  #address?: RepertoireAddress;
  /** The question whose answer is shown. */
  #shown = "";

  constructor(private readonly desk: Desk, private readonly source: Repertoire) {
    const { about } = desk;
    this.#filters = new Filters(about.game, (address) => desk.go(address), false, desk.source.people);
    const sides = sidesOf(about.game).map((side) => make("option", { value: side.toLowerCase() }, side));
    this.#side = make("select", { name: "side" }, make("option", { value: "" }, "as the games tell"), ...sides);
    const file = make("input", { type: "file", id: "repertoire-file", class: "hidden",
      accept: ".pgn,.sgf,.txt,text/plain" });
    file.addEventListener("change", () => void file.files?.[0]?.text().then((text) => this.take(text)));
    this.#work.again = () => this.#load();
    const format = about.game === "go" ? "SGF" : "PGN";
    this.root.append(this.#title,
      make("p", { class: "none" }, "What one side plays, and against what: the games of a file with their ",
        "variations, such as a study. It stays in this window and is sent to the server of this page alone."),
      make("form", { class: "repertoire-form", submit: (event) => this.#submit(event) },
        make("label", { for: "repertoire-text" }, `The games of the repertoire, in ${format}`), this.#text,
        make("div", { class: "under" }, file, make("label", { for: "repertoire-file", class: "button" }, "Open a file"),
          make("label", { class: "order" }, make("span", {}, "Side"), this.#side),
          make("button", { class: "primary" }, "Compare with the games"))),
      this.#filters.root, this.#work.bar, this.#answer, this.#games, this.#more.bar);
    this.#text.value = kept();
  }

  show(address: RepertoireAddress): void {
    this.#address = address;
    this.#side.value = address.side ?? "";
    this.#filters.show(address);
    this.desk.title("Repertoire");
    if (this.#text.value.trim() && this.#shown !== this.#question()) void this.#load();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  /** Stops work in progress. */
  leave(): void {
    this.#work.stop();
    this.#more.stop();
  }

  /** Takes a text that was opened or pasted. */
  take(text: string): void {
    this.#text.value = text;
    void this.#load();
  }

  #question(): string {
    return this.#address ? `${writeAddress(this.#address)}\n${this.#text.value}` : "";
  }

  #submit(event: Event): void {
    event.preventDefault();
    if (!this.#address) return;
    const address = { ...this.#address, side: this.#side.value || undefined };
    this.#shown = "";
    if (writeAddress(address) === writeAddress(this.#address)) void this.#load();
    else this.desk.go(address);
  }

  async #load(): Promise<void> {
    const address = this.#address;
    const text = this.#text.value;
    if (!address || !text.trim()) return;
    keep(text);
    this.#shown = "";
    const found = await this.#work.ask("Comparing games", (signal) =>
      this.source.page(text, address.side, address.filter, 0, GAMES, signal));
    if (!found) return;
    this.#shown = this.#question();
    put(this.#answer, ...this.#summary(found), ...this.#departures(found));
    put(this.#games, found.games.length > 0 && make("h3", {}, "Games that follow it"),
      found.games.length > 0 && listOf(found.games, this.desk.about.game, "Games that follow the repertoire"));
    this.#putMore(found, found.games.length);
    this.desk.listed(found.games);
  }

  #summary({ side, opponent, positions, lines, total, left }: RepertoirePage): Child[] {
    const told = [`${count(positions)} positions`, `${count(lines)} ${lines === 1 ? "line" : "lines"}`];
    if (!total) {
      const none = `No game follows this repertoire of ${side} (${told.join(", ")}).`;
      return [make("p", { class: "none" }, none)];
    }
    const follow = `${gamesIn(total)} ${total === 1 ? "follows" : "follow"} the repertoire of ${side}`;
    const ends: [number, string][] = [[left.own, `${side} leaves it`], [left.opponent, `${opponent} leaves it`],
      [left.line_end, "its line ends"], [left.game_end, "the game ends"]];
    return [
      make("p", { role: "status" }, make("strong", {}, follow),
        ` (${told.join(", ")}): `, ends.map(([games, what]) => `${what} in ${count(games)}`).join(", "), "."),
    ];
  }

  #departures({ side, opponent, departures }: RepertoirePage): Child[] {
    const kinds: [Left, string][] = [
      ["opponent", `Moves of ${opponent} without an answer`],
      ["own", `Moves of ${side} other than those of the repertoire`],
      ["line end", "Moves after the end of a line"],
    ];
    return kinds.map(([kind, title]) => {
      const rows = departures.filter(({ left }) => left === kind);
      return rows.length > 0 && make("section", {}, make("h3", {}, title), this.#table(title, rows));
    });
  }

  #table(title: string, rows: Departure[]): HTMLElement {
    const { filter } = this.#address!;
    const { game } = this.desk.about;
    const heading = (name: string, text: string) => make("th", { scope: "col", class: name }, text);
    const row = ({ left, line, fen, play, repertoire, ...sum }: Departure) => {
      const place = { ...(fen && { fen }), play };
      const href = writeAddress({ view: "tree", place, filter });
      const instead = left === "own" && make("span", { class: "instead" }, `, not ${repertoire.join(" or ")}`);
      return make("tr", {},
        make("td", { class: "what" }, make("a", { href }, line), instead),
        make("td", { class: "number" }, count(sum.records)),
        make("td", { class: "results" }, barOf(sum, game)),
        make("td", { class: "rating" }, sum.mean_rating ?? ""),
        make("td", { class: "year" }, sum.last_year ?? ""));
    };
    const body = make("tbody", {}, ...rows.slice(0, MOVES).map(row));
    const all = make("button", { type: "button", click: () => {
      body.append(...rows.slice(MOVES).map(row));
      body.querySelectorAll<HTMLElement>("a")[MOVES]?.focus();
      all.remove();
    } }, `Show all ${count(rows.length)} moves`);
    return make("div", {}, make("table", { class: "scores leaving" },
      make("caption", { class: "hidden" }, title),
      make("thead", {}, make("tr", {}, heading("what", "Line"), heading("number", "Games"),
        heading("results", "Results"), heading("rating", "Rating"), heading("year", "Last"))), body),
      rows.length > MOVES && all);
  }

  /** Lists further games on request. */
  #putMore({ more }: RepertoirePage, shown: number): void {
    this.#games.querySelector(":scope > button")?.remove();
    const address = this.#address;
    if (!more || !address) return;
    const text = this.#text.value;
    const click = async () => {
      const found = await this.#more.ask("Comparing games", (signal) =>
        this.source.page(text, address.side, address.filter, shown, GAMES, signal));
      if (!found) return;
      const rows = listOf(found.games, this.desk.about.game, "").querySelectorAll("tbody tr");
      this.#games.querySelector("tbody")?.append(...rows);
      rows[0]?.querySelector("a")?.focus();
      this.#putMore(found, shown + found.games.length);
    };
    this.#games.append(make("button", { type: "button", click: () => void click() }, "More games"));
  }
}

/** The text of this window; none where storage is forbidden. */
function kept(): string {
  try {
    return sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(KEPT, text);
  } catch {
    // Then it lasts as long as the page.
  }
}
