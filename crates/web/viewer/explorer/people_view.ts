// The pages of a player and of an event: results by opening and year, and who played.

import { writeAddress, type Address, type EventAddress, type PlayerAddress } from "./address";
import { barOf, scoreBar } from "./bar";
import type { Desk } from "./desk";
import { count, gamesIn, make, put, type Child } from "./elements";
import { listOf, personLink } from "./list";
import { sidesOf } from "./sides";
import type { EventPage, Filter, PlayerPage, Score } from "./source";
import { Work } from "./work";

/** The number of games of an event that are listed. */
const GAMES = 50;

/** A page that is asked for and shown as a whole. */
abstract class PeopleView<A extends PlayerAddress | EventAddress, P> {
  readonly root: HTMLElement;

  protected title: HTMLElement;
  protected answer = make("div", { class: "people" });
  protected work = new Work(this.answer);
  #shown = "";
  #address?: A;

  constructor(protected readonly desk: Desk, view: A["view"], private readonly what: string) {
    this.title = make("h2", { id: `${view}-title`, tabindex: -1 });
    this.root = make("section", { class: `${view}-view`, "aria-labelledby": `${view}-title` },
      this.title, this.work.bar, this.answer);
    this.work.again = () => this.#load();
  }

  show(address: A): void {
    this.#address = address;
    if (this.#shown !== writeAddress(address)) void this.#load();
    else this.desk.title(this.title.textContent ?? "");
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.title;
  }

  /** Stops work in progress. */
  leave(): void {
    this.work.stop();
  }

  async #load(): Promise<void> {
    const address = this.#address;
    if (!address) return;
    this.#shown = "";
    this.title.textContent = address.name;
    this.desk.title(address.name);
    // A link from one page to another goes with what it was in.
    if (this.answer.contains(document.activeElement)) this.title.focus({ preventScroll: true });
    put(this.answer);
    const found = await this.work.ask(this.what, (signal, progress) => this.read(address, signal, progress));
    if (!found) return;
    this.#shown = writeAddress(address);
    this.put(address, found);
    this.desk.title(this.title.textContent ?? "");
  }

  protected abstract read(address: A, signal: AbortSignal, progress: (done: number) => void): Promise<P>;
  protected abstract put(address: A, page: P): void;
}

/** The page of a player. */
export class PlayerView extends PeopleView<PlayerAddress, PlayerPage> {
  constructor(desk: Desk) {
    super(desk, "player", "Gathering the player's games");
  }

  protected read({ name, fide_id }: PlayerAddress, signal: AbortSignal, progress: (done: number) => void) {
    return this.desk.source.people.player(name, fide_id, signal, progress);
  }

  protected put(_: PlayerAddress, page: PlayerPage): void {
    const { name, white, black, openings, years, first_year, last_year } = page;
    this.title.textContent = name;
    const { game } = this.desk.about;
    const [first, second] = sidesOf(game);
    const own = { player: quoted(name) };
    const list = (filter: Filter): Address => ({ view: "games", filter, sort: "stored", page: 1 });
    const tree = (filter: Filter): Address => ({ view: "tree", place: {}, filter });
    const way = (text: string, to: Address) => make("a", { class: "button", href: writeAddress(to) }, text);
    const sides: Row[] = [
      [`With ${first}`, white, list({ ...own, color: "white" })],
      [`With ${second}`, black, list({ ...own, color: "black" })],
      ["All", sumOf(white, black), list(own)],
    ];
    const known = years.filter(({ year }) => year !== null);
    const rows = (color: "white" | "black") => openings[color].map((one): Row => [
      [one.eco, one.name].filter(Boolean).join(" "), one,
      one.eco && one.listed ? list({ ...own, color, opening: one.eco }) : undefined,
    ]);
    const [of_white, of_black] = [rows("white"), rows("black")];
    put(this.answer,
      make("p", { class: "summary" }, [
        gamesIn(page.games), spanOf(first_year, last_year), ratingsOf(page),
        page.fide_id && `FIDE ${page.fide_id}`,
      ].filter(Boolean).join(" · ")),
      page.spellings.length > 1 && make("p", {}, "Spelled ", page.spellings
        .map((one) => `${one.name} (${count(one.games)})`).join("; "), "."),
      page.perhaps.length > 0 && make("p", {}, "Perhaps the same, counted apart: ", ...page.perhaps
        .flatMap((one, at): Child[] => [at > 0 && "; ", personLink(one.name, one.fide_id),
          ` (${[one.fide_id && `FIDE ${one.fide_id}`, gamesIn(one.games)].filter(Boolean).join(", ")})`]), "."),
      make("p", { class: "ways" }, way("All games", list(own)),
        way(`Tree with ${first}`, tree({ ...own, color: "white" })),
        way(`Tree with ${second}`, tree({ ...own, color: "black" }))),
      make("div", { class: "tables" },
        make("div", {},
          part("Results", scoresOf("Side", "Results of the player", sides)),
          known.length > 1 && part("By year", scoresOf("Year", "Results by year", known.map((one): Row =>
            [String(one.year), one, list({ ...own, since: String(one.year), until: String(one.year) })])))),
        make("div", {},
          of_white.length > 0 && part(`Openings with ${first}`,
            scoresOf("Opening", `Openings with ${first}`, of_white)),
          of_black.length > 0 && part(`Openings with ${second}`,
            scoresOf("Opening", `Openings with ${second}`, of_black)))));
  }
}

/** The page of an event. */
export class EventView extends PeopleView<EventAddress, [EventPage, HTMLElement]> {
  constructor(desk: Desk) {
    super(desk, "event", "Gathering the event's games");
  }

  protected async read({ name }: EventAddress, signal: AbortSignal, progress: (done: number) => void) {
    const { source, about } = this.desk;
    const page = await source.people.event(name, signal, progress);
    const filter = { event: quoted(name) };
    const { games } = await source.games(filter, undefined, "stored", 0, GAMES, signal, progress);
    this.desk.listed(games);
    return [page, listOf(games, about.game, "Games of the event")] satisfies [EventPage, HTMLElement];
  }

  protected put({ name }: EventAddress, [page, games]: [EventPage, HTMLElement]): void {
    const { game } = this.desk.about;
    const filter = { event: quoted(name) };
    const all = writeAddress({ view: "games", filter, sort: "stored", page: 1 });
    const tree = writeAddress({ view: "tree", place: {}, filter });
    const { players, players_total } = page;
    const rows = players.map((one): Row => [personLink(one.name), one, undefined, one.rating]);
    const rest = players_total - players.length;
    const sum = { ...page, records: page.games, mean_rating: null, last_year: null };
    put(this.answer,
      make("p", { class: "summary" }, [gamesIn(page.games), spanOf(page.first_year, page.last_year),
        `${count(players_total)} ${players_total === 1 ? "player" : "players"}`].filter(Boolean).join(" · ")),
      make("div", { class: "event-bar" }, barOf(sum, game)),
      make("p", { class: "ways" }, make("a", { class: "button", href: all }, "All games as a list"),
        make("a", { class: "button", href: tree }, "Tree of the event")),
      make("div", { class: "tables of-event" },
        make("div", {}, part("Players", scoresOf("Player", "Players of the event", rows, true)),
          rest > 0 && make("p", { class: "none" }, `and ${count(rest)} more players`)),
        make("div", { class: "list" }, part(page.games > GAMES ? `The first ${GAMES} games` : "Games", games))));
  }
}

/** A name in quotes is this whole name, not a part of one. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** A row of scores: what it is, the games, a list of them, and a rating. */
type Row = [what: Child, score: Score, to?: Address, rating?: number | null];

function part(title: string, content: HTMLElement): HTMLElement {
  return make("section", {}, make("h3", {}, title), content);
}

/** A table of scores. */
function scoresOf(heading: string, caption: string, rows: Row[], rated = false): HTMLElement {
  const head = (name: string, text: string) => make("th", { scope: "col", class: name }, text);
  const withRating = rated && rows.some(([, , , rating]) => rating);
  return make("table", { class: "scores" },
    make("caption", { class: "hidden" }, caption),
    make("thead", {}, make("tr", {}, head("what", heading), withRating && head("rating", "Elo"),
      head("number", "Games"), head("points", "Points"), head("results", "Results"), head("share", "Score"))),
    make("tbody", {}, ...rows.map(([what, score, to, rating]) => make("tr", {},
      make("td", { class: "what", title: typeof what === "string" ? what : undefined },
        to ? make("a", { href: writeAddress(to) }, what) : what),
      withRating && make("td", { class: "rating" }, rating ?? ""),
      make("td", { class: "number" }, count(score.games)),
      make("td", { class: "points" }, pointsOf(score)),
      make("td", { class: "results" }, scoreBar(score)),
      make("td", { class: "share" }, shareOf(score))))));
}

/** Points as players write them: 7½. */
function pointsOf({ wins, draws }: Score): string {
  const whole = wins + Math.floor(draws / 2);
  const half = draws % 2 ? "½" : "";
  return whole || !half ? count(whole) + half : half;
}

function shareOf({ wins, draws, losses }: Score): string {
  const decided = wins + draws + losses;
  return decided ? `${Math.round((100 * (wins + draws / 2)) / decided)}%` : "";
}

function sumOf(one: Score, other: Score): Score {
  return { games: one.games + other.games, wins: one.wins + other.wins, draws: one.draws + other.draws,
    losses: one.losses + other.losses };
}

function spanOf(first: number | null, last: number | null): string {
  return first === last ? String(first ?? "") : `${first}–${last}`;
}

function ratingsOf({ first_rating, last_rating, highest_rating }: PlayerPage): string {
  if (!highest_rating) return "";
  const known = [["first", first_rating], ["last", last_rating], ["highest", highest_rating]];
  return `rating: ${known.filter(([, rating]) => rating).map((one) => one.join(" ")).join(", ")}`;
}
