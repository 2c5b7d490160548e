// The page of a database: opens its source, and shows the view named in the address.

import { filterOf, readAddress, withoutPattern, writeAddress, type Address } from "./address";
import type { Desk } from "./desk";
import { count, gamesIn, make, put, script, titled } from "./elements";
import { GameView } from "./game_view";
import { GamesView } from "./games_view";
import { isFree } from "../keys";
import { PatternView } from "./pattern_view";
import { EventView, PlayerView } from "./people_view";
import { RepertoireView } from "./repertoire_view";
import { NoServer, openServer } from "./server";
import type { About, Head, Source } from "./source";
import { TreeView } from "./tree_view";
import { sentence } from "./work";

const part = (id: string) => document.getElementById(id) as HTMLElement;
const main = part("main");
/** The form that asks for a database. */
const opening = part("opening");

/** The maximum length of a window's title, without the name of the database. */
const TITLE_MAX = 200;

/** The views of the database, one of which is shown. */
class Explorer implements Desk {
  #views: {
    games: GamesView; tree: TreeView; game: GameView; pattern: PatternView; player: PlayerView; event: EventView;
    repertoire?: RepertoireView;
  };
  #at?: Address;
  /** The last address of each view, to return to. */
  #last = new Map<string, Address>();
  /** The scroll position and the focus of each view when it was left. */
  #left = new Map<string, { top: number; focus: Element | null }>();

  constructor(
    readonly source: Source,
    readonly about: About,
  ) {
    const [games, tree, game] = [new GamesView(this), new TreeView(this), new GameView(this)];
    const [player, event] = [new PlayerView(this), new EventView(this)];
    this.#views = { games, tree, game, pattern: new PatternView(this), player, event };
    if (source.repertoire) this.#views.repertoire = new RepertoireView(this, source.repertoire);
    for (const view of Object.values(this.#views)) view.root.hidden = true;
    document.body.dataset.game = about.game;
    put(part("name"), titled(about.name, about.title));
    const files = about.files.length > 1 && `${count(about.files.length)} files`;
    const told = [gamesIn(about.records), about.title, files];
    part("size").textContent = told.filter(Boolean).join(" · ");
    put(main, ...Object.values(this.#views).map(({ root }) => root));
    window.addEventListener("hashchange", () => this.#show(readAddress(location.hash)));
    document.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("paste", (event) => this.#paste(event));
    this.#show(readAddress(location.hash));
  }

  go = (address: Address, quietly = false): void => {
    const hash = writeAddress(address);
    if (hash === location.hash) return;
    if (quietly) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
    this.#show(address);
  };

  title(text: string): void {
    document.title = `${text.slice(0, TITLE_MAX)} · ${titled(this.about.name, this.about.title)}`;
  }

  flipped = false;

  flip = (): void => {
    const at = this.#at;
    this.flipped = !this.flipped;
    if (at?.view !== "tree" && at?.view !== "game") return;
    const address = { ...at, flip: this.flipped || undefined };
    history.replaceState(null, "", writeAddress(address));
    this.#show(address);
  };

  #listed: Head[] = [];

  listed(games: Head[]): void {
    this.#listed = games;
  }

  headOf(id: string): Head | undefined {
    return this.#listed.find((head) => head.id === id);
  }

  beside(id: string): [string | undefined, string | undefined] {
    const at = this.#listed.findIndex((head) => head.id === id);
    if (at >= 0) return [this.#listed[at - 1]?.id, this.#listed[at + 1]?.id];
    const number = Number(id);
    const stored = (other: number) => (other >= 1 && other <= this.about.records ? String(other) : undefined);
    return [stored(number - 1), stored(number + 1)];
  }

  /** Passes keys to the board of the view, wherever the focus is. */
  #press(event: KeyboardEvent): void {
    const view = this.#at?.view;
    if ((view !== "tree" && view !== "game") || !isFree(event)) return;
    if (this.#views[view].press(event.key)) event.preventDefault();
  }

  /** Shows what is pasted outside of a field in the tree. */
  #paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain").trim();
    if (!text || (event.target as Element).matches("input, textarea")) return;
    event.preventDefault();
    if (this.#at?.view === "repertoire") return this.#views.repertoire?.take(text);
    if (this.#at?.view !== "tree") this.go({ view: "tree", place: {}, filter: {} });
    void this.#views.tree.setUp(text);
  }

  #show(address: Address): void {
    // Without a server there are no repertoires.
    if (address.view === "repertoire" && !this.#views.repertoire) address = readAddress("");
    if (address.view === "tree" || address.view === "game") {
      this.flipped ||= address.flip ?? false;
      if (this.flipped && !address.flip) {
        address = { ...address, flip: true };
        history.replaceState(null, "", writeAddress(address));
      }
    }
    const before = this.#at;
    const entered = before?.view !== address.view;
    if (before && entered) this.#leave(before);
    this.#at = address;
    this.#last.set(address.view, address);
    const back = writeAddress(address) === this.#seen.get(address.view);
    this.#seen.set(address.view, writeAddress(address));
    for (const [name, { root }] of Object.entries(this.#views)) root.hidden = name !== address.view;
    this.#navigate(address);
    if (address.view === "games") this.#views.games.show(address);
    else if (address.view === "game") this.#views.game.show(address);
    else if (address.view === "pattern") this.#views.pattern.show(address);
    else if (address.view === "player") this.#views.player.show(address);
    else if (address.view === "event") this.#views.event.show(address);
    else if (address.view === "repertoire") this.#views.repertoire?.show(address);
    else this.#views.tree.show(address);
    if (before && entered) this.#enter(address, back);
    else if (before && ["games", "player", "event"].includes(address.view)) scrollTo(0, 0);
  }

  /** The address last shown by each view. */
  #seen = new Map<string, string>();

  #leave({ view }: Address): void {
    this.#left.set(view, { top: scrollY, focus: document.activeElement });
    this.#views[view]?.leave();
  }

  /** Moves the reader to the beginning of the view, or to where it was left. */
  #enter({ view }: Address, back: boolean): void {
    const left = this.#left.get(view);
    const shown = this.#views[view];
    if (!shown) return;
    const { root, entrance } = shown;
    const before = back && left?.focus instanceof HTMLElement ? left.focus : undefined;
    const focus = before && root.contains(before) ? before : entrance;
    focus.focus({ preventScroll: true });
    scrollTo(0, back ? (left?.top ?? 0) : 0);
  }

  /** The links to the views, with their last requests or the current one. */
  #navigate(address: Address): void {
    const [games, tree] = [this.#last.get("games"), this.#last.get("tree")];
    const filter = filterOf(address);
    const bare = withoutPattern(filter ?? {});
    const ways: [string, string, Address][] = [
      ["games", "Games", { view: "games", filter: filter ?? {}, sort: "stored", page: 1 }],
      ["tree", "Tree", { view: "tree", place: {}, filter: bare }],
    ];
    // A tree has no pattern, and so does not change that of the list.
    const listed = games?.view === "games" ? games.filter.pattern : undefined;
    const kept = address.view === "tree" && listed ? { pattern: listed } : {};
    const wanted = filter && { ...filter, ...kept };
    if (games?.view === "games" && same(games, wanted)) ways[0][2] = games;
    if (tree?.view === "tree") ways[1][2] = { ...tree, filter: filter ? bare : tree.filter };
    if (address.view === "games" && address.place) {
      ways[1][2] = { view: "tree", place: address.place, filter: bare };
    }
    const pattern = this.#last.get("pattern");
    const set = !filter || address.view === "tree" ? pattern : undefined;
    ways.push(["pattern", "Pattern", set ?? { view: "pattern", filter: filter ?? {} }]);
    if (this.source.repertoire) {
      const last = this.#last.get("repertoire");
      ways.push(["repertoire", "Repertoire", last ?? { view: "repertoire", filter: bare }]);
    }
    const links = ways.map(([view, text, to]) => {
      const current = view === address.view ? "page" : undefined;
      return make("a", { href: writeAddress(to), "aria-current": current }, text);
    });
    put(part("views"), ...links);
  }
}

/** Whether an address has this filter; any if none is given. */
function same(address: Address, filter?: object): boolean {
  const has = filterOf(address) ?? {};
  return !filter || JSON.stringify(has) === JSON.stringify(filter);
}

/** Opens the source of the database: the file in the address, or the server of this page. */
async function find(): Promise<Source> {
  const file = new URLSearchParams(location.search).get("db");
  if (file === null) return openServer(new URL(".", location.href.replace(/[?#].*$/, "")));
  await script("plypack-static.js");
  const { openFile } = (globalThis as unknown as { plypackStatic: typeof import("./reader") })
    .plypackStatic;
  return openFile(new URL(file, location.href));
}

/** Shows an error; a database can be chosen below it. */
function fail(error: unknown): void {
  part("views").replaceChildren();
  const message = error instanceof Error ? error.message : String(error);
  const told = !(error instanceof NoServer) &&
    make("p", { class: "alert", role: "alert" }, sentence(message));
  opening.hidden = false;
  put(main, told, opening);
}

async function begin(): Promise<void> {
  opening.hidden = true;
  put(main, make("p", { role: "status" }, "Opening the database…"), opening);
  try {
    const source = await find();
    new Explorer(source, await source.about());
  } catch (error) {
    fail(error);
  }
}

// Arrow keys also move from row to row of a table.
main.addEventListener("keydown", (event) => {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const row = (event.target as Element).closest("td a")?.closest("tr");
  if (!step || !row) return;
  event.preventDefault();
  row[step as "nextElementSibling"]?.querySelector("a")?.focus();
});
part("skip").addEventListener("click", (event) => {
  // Its own address would be that of a view.
  event.preventDefault();
  main.focus();
});
void begin();
