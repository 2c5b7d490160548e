// Games in a table; each row is a link to the game.

import { writeAddress } from "./address";
import { make, type Child } from "./elements";
import { blackFirst, sidesOf, spelledIn } from "./sides";
import type { Head, Sort } from "./source";

/** What a table of games shows besides the games. */
export interface Listing {
  /** Whether to show the move played at the requested position. */
  placed?: boolean;
  /** The ply of that position, for games that do not state it. */
  ply?: number;
  /** The order of the games, and links to the same games in another. */
  sort?: { by: Sort; to(sort: Sort): string };
}

/** A table of games. Columns without content are left out. */
export function listOf(games: Head[], game: string, caption: string, listing: Listing = {}): HTMLElement {
  const columns = columnsOf(games, game, listing);
  const kinds = columns.map(({ name }) => `has-${name}`);
  return make(
    "table",
    { class: ["games", ...new Set(kinds)].join(" ") },
    make("caption", { class: "hidden" }, caption),
    make("thead", {}, make("tr", {}, ...columns.map((column) => headingOf(column, listing)))),
    make("tbody", {}, ...games.map((head) => rowOf(head, game, columns, listing))),
  );
}

interface Column {
  name: string;
  title: string;
  long?: string;
  /** The order that its heading leads to. */
  sort?: Sort;
  text(head: Head): string | number | null;
}

function columnsOf(games: Head[], game: string, { placed }: Listing): Column[] {
  const [white, black] = sidesOf(game);
  const players: Column[] = [
    { name: "white", title: white, text: (head) => nameOf(head.white) },
    { name: "rating", title: "Elo", long: `Rating of ${white}`, sort: "rating",
      text: (head) => head.white_rating },
    { name: "black", title: black, text: (head) => nameOf(head.black) },
    { name: "rating", title: "Elo", long: `Rating of ${black}`, sort: "rating",
      text: (head) => head.black_rating },
  ];
  const turned = blackFirst(game) ? [...players.slice(2), ...players.slice(0, 2)] : players;
  const all: Column[] = [
    ...turned,
    { name: "result", title: "Result", text: (head) => resultOf(game, head.result, head.told) },
    { name: "date", title: "Date", sort: "date", text: (head) => dateOf(head.date) },
    { name: "event", title: "Event", text: (head) => head.event },
    { name: "opening", title: "Opening",
      text: (head) => [head.eco, head.opening].filter(Boolean).join(" ") },
    { name: "next", title: "Next move", text: (head) => (placed ? moveOf(head, game) : null) },
    { name: "leaves", title: "Leaves the repertoire", text: (head) => leavesOf(head, game) },
    { name: "met", title: "Met at", long: "The plies at which the pattern is met",
      text: (head) => (head.met ?? []).join(", ") },
    { name: "plies", title: "Plies", text: (head) => head.plies },
  ];
  const always = ["white", "black", "result"];
  const rated = games.some((head) => head.white_rating ?? head.black_rating);
  return all.filter(({ name, text }) => always.includes(name) ||
    (name === "rating" ? rated : games.some((head) => text(head))));
}

function headingOf({ name, title, long, sort: by }: Column, { sort }: Listing): HTMLElement {
  const text = long ? make("abbr", { title: long }, title) : title;
  const sorted = by && sort?.by === by;
  const told = long ?? title;
  const href = by && sort?.to(sorted ? "stored" : by);
  const label = sorted ? `${told}: as stored again` : `Sort by ${by}, greatest first`;
  const link = href && make("a", { href, title: label }, text, sorted && " ▾");
  return make("th", { scope: "col", class: name, "aria-sort": sorted ? "descending" : undefined }, link || text);
}

function rowOf(head: Head, game: string, columns: Column[], { ply }: Listing): HTMLTableRowElement {
  const href = writeAddress({ view: "game", id: head.id, ply: head.ply ?? ply });
  const names = namesOf(game, nameOf(head.white), nameOf(head.black));
  const told = [names, resultOf(game, head.result, head.told), dateOf(head.date)];
  const cells = columns.map(({ name, text }, at) => {
    const value = text(head) ?? "";
    const to = value && value !== "?" ? linkOf(name, String(value)) : undefined;
    const label = told.filter(Boolean).join(", ");
    const content: Child[] = [to ?? value];
    // The link to the game covers the row; those to the pages of people are above it.
    if (at === 0 && to) content.unshift(make("a", { href, class: "whole", "aria-label": label }));
    else if (at === 0) content[0] = make("a", { href, "aria-label": label }, value);
    const title = value && ["event", "opening", "met", "leaves", "white", "black"].includes(name);
    return make("td", { class: at === 0 ? `${name} first` : name, title: title ? value : undefined }, ...content);
  });
  return make("tr", { "data-id": head.id, "data-ply": head.ply ?? ply }, ...cells);
}

/** A link to the page of a player or of an event in a column of this name. */
function linkOf(column: string, name: string): HTMLElement | undefined {
  if (column === "event") return eventLink(name);
  return column === "white" || column === "black" ? personLink(name) : undefined;
}

/** A link to the page of a player. */
export function personLink(name: string, fide_id?: number | null): HTMLElement {
  const href = writeAddress({ view: "player", name, fide_id: fide_id ?? undefined });
  return make("a", { class: "person", href }, name);
}

/** A link to the page of an event. */
export function eventLink(name: string): HTMLElement {
  return make("a", { class: "person", href: writeAddress({ view: "event", name }) }, name);
}

/** Where a game leaves a repertoire. */
function leavesOf({ left, move, coordinates, repertoire = [] }: Head, game: string): string {
  const played = move === null ? "" : spelledIn(game, move, coordinates ?? "");
  if (left === "own") return `${played}, not ${repertoire.join(" or ")}`;
  if (left === "opponent") return `no answer to ${played}`;
  if (left === "line end") return ["line ends", played].filter(Boolean).join(": ");
  return left ? "the game ends" : "";
}

/** The move played at the requested position. */
function moveOf({ move, coordinates }: Head, game: string): string {
  return move === null ? "ends here" : spelledIn(game, move, coordinates ?? "");
}

/** The name of a player; a question mark if empty. */
export function nameOf(name: string): string {
  return name.trim() || "?";
}

/** Two players, the one who moves first in front. */
export function namesOf(game: string, white: string, black: string): string {
  return blackFirst(game) ? `${black} – ${white}` : `${white} – ${black}`;
}

/**
 * A result as players of the game write it: `½–½`; in go `B+R`, from the text of its tag if there is
 * one; where Black moves first, otherwise the winner, as the order of two numbers would be doubtful.
 */
export function resultOf(game: string, result: string | null | undefined, told?: string | null): string {
  if (game === "go" && told) {
    return told.replace(/^Draw$|^0$/i, "Jigo").replace(/^([BW]\+)(?:(R)esign|(T)ime|(F)orfeit)$/i, "$1$2$3$4");
  }
  if (!result) return "";
  const [white, black] = sidesOf(game);
  if (game === "go") return { "1-0": "W+", "0-1": "B+" }[result] ?? "Jigo";
  if (blackFirst(game)) return { "1-0": white, "0-1": black, "1/2-1/2": "draw" }[result] ?? result;
  return result.replaceAll("1/2", "½").replace("-", "–");
}

/** A date in the usual format, without unknown parts: 2013-03-15, 2013. */
export function dateOf(date: string | null | undefined): string {
  return (date ?? "").replaceAll(".", "-").replace(/(-\?+)+$/, "").replace(/^\?+$/, "");
}
