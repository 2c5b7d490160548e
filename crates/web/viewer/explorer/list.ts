// Games in a table; each row is a link to the game.

import { writeAddress } from "./address";
import { make } from "./elements";
import { sidesOf } from "./sides";
import type { Head } from "./source";

/**
 * A table of games; with `placed`, it shows the move played at the requested position, which is at
 * `ply` if a game does not state it.
 */
export function listOf(
  games: Head[],
  game: string,
  caption: string,
  placed = false,
  ply?: number,
): HTMLElement {
  const [first, second] = sidesOf(game);
  const heading = (name: string, text: string, long?: string) =>
    make("th", { scope: "col", class: name }, long ? make("abbr", { title: long }, text) : text);
  const rated = games.some((head) => head.white_rating ?? head.black_rating);
  const named = games.some((head) => head.eco ?? head.opening);
  const met = games.some((head) => head.met);
  const kinds = ["games", rated ? "" : "unrated", named ? "" : "unnamed"];
  return make(
    "table",
    { class: kinds.filter(Boolean).join(" ") },
    make("caption", { class: "hidden" }, caption),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        heading("white", first),
        heading("rating", "Elo", `Rating of ${first}`),
        heading("black", second),
        heading("rating", "Elo", `Rating of ${second}`),
        heading("result", "Result"),
        heading("date", "Date"),
        heading("event", "Event"),
        heading("opening", "Opening"),
        placed && heading("next", "Played here"),
        met && heading("met", "Met at", "The plies at which the pattern is met"),
        heading("plies", "Plies"),
      ),
    ),
    make("tbody", {}, ...games.map((head) => rowOf(head, placed, met, ply))),
  );
}

function rowOf(
  head: Head, placed: boolean, met: boolean, ply?: number,
): HTMLTableRowElement {
  const cell = (name: string, text: string | number | null, title = false) =>
    make("td", { class: name, title: title && text ? text : undefined }, text ?? "");
  const href = writeAddress({ view: "game", id: head.id, ply: head.ply ?? ply });
  const [white, black] = [nameOf(head.white), nameOf(head.black)];
  const told = [`${white} – ${black}`, resultOf(head.result), dateOf(head.date)];
  const link = make("a", { href, "aria-label": told.filter(Boolean).join(", ") }, white);
  return make(
    "tr",
    {},
    make("td", { class: "white" }, link),
    cell("rating", head.white_rating),
    cell("black", black),
    cell("rating", head.black_rating),
    cell("result", resultOf(head.result)),
    cell("date", dateOf(head.date)),
    cell("event", head.event, true),
    cell("opening", [head.eco, head.opening].filter(Boolean).join(" "), true),
    placed && cell("next", head.move ?? "ends here"),
    met && cell("met", (head.met ?? []).join(", "), true),
    cell("plies", head.plies),
  );
}

/** The name of a player; a question mark if empty. */
export function nameOf(name: string): string {
  return name.trim() || "?";
}

/** A result as it is printed: ½–½. */
export function resultOf(result: string | null | undefined): string {
  return result ? result.replaceAll("1/2", "½").replace("-", "–") : "";
}

/** A date in the usual format, without unknown parts: 2013-03-15, 2013. */
export function dateOf(date: string | null | undefined): string {
  return (date ?? "").replaceAll(".", "-").replace(/(-\?+)+$/, "").replace(/^\?+$/, "");
}
