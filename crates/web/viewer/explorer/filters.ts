// The form of filters: its fields, and a summary of those in use with links that clear them.

import {
  readFilter, writeAddress, type GamesAddress, type RepertoireAddress, type TreeAddress,
} from "./address";
import { lookOf } from "../games";
import { make, put } from "./elements";
import { tellPattern } from "./pattern";
import { blackFirst, sidesOf } from "./sides";
import { complete } from "./completion";
import { eventLink, personLink } from "./list";
import type { Filter, NameKind, People } from "./source";

type Filtered = GamesAddress | TreeAddress | RepertoireAddress;

/** A player of each game, as an example of what to type. */
const PLAYERS: Record<string, string> = { chess: "Carlsen", go: "Go Seigen", xiangqi: "Hu Ronghua" };

/** A form that puts its filters into the address. */
export class Filters {
  readonly root = make("div", { class: "filters" });

  #form: HTMLFormElement;
  #details: HTMLDetailsElement;
  #chips = make("ul", { class: "chips", "aria-label": "Filters in use" });
  #pattern = make("a", { class: "button" });
  #address!: Filtered;

  /** With `patterns`, a link leads to the editor of a pattern. */
  constructor(
    private readonly game: string,
    private readonly go: (address: Filtered) => void,
    open: boolean,
    private readonly people: People,
    private readonly patterns = false,
  ) {
    this.#form = this.#fields();
    const summary = make("summary", {}, "Filters");
    this.#details = make("details", { open }, summary, this.#form);
    this.root.append(this.#details, this.#chips);
  }

  /** Shows the filters of an address. */
  show(address: Filtered): void {
    this.#address = address;
    for (const field of this.#inputs()) {
      const value = address.filter[field.name as keyof Filter];
      field.value = value === undefined ? "" : String(value);
    }
    this.#pattern.href = writeAddress({ view: "pattern", filter: address.filter });
    this.#pattern.textContent = address.filter.pattern ? "Change the pattern" : "Set up a pattern";
    const used = describe(address.filter, this.game).map(([text, without]) =>
      make("li", {}, this.#chip(text, { ...address.filter, ...without })),
    );
    const { player, event } = address.filter;
    const about = (link: HTMLElement) => {
      link.prepend("About ");
      link.append(" ›");
      used.push(make("li", {}, link));
    };
    if (player) about(personLink(bareName(player)));
    // Only a whole name is one event's.
    if (event && event !== bareName(event)) about(eventLink(bareName(event)));
    if (describe(address.filter, this.game).length > 1) {
      used.push(make("li", {}, this.#chip("all filters", {}, "clear")));
    }
    put(this.#chips, ...used);
    this.#chips.hidden = used.length === 0;
  }

  #inputs(): NodeListOf<HTMLInputElement | HTMLSelectElement> {
    return this.#form.querySelectorAll("input, select");
  }

  #chip(text: string, filter: Filter, kind = "chip"): HTMLAnchorElement {
    const href = writeAddress(this.#with(filter));
    const sign = make("span", { "aria-hidden": "true" }, "×");
    return make("a", { href, class: kind, "aria-label": `Clear ${text}` }, text, " ", sign);
  }

  /** The address with other filters, from its first page. */
  #with(filter: Filter): Filtered {
    const kept = Object.entries(filter).filter(([, value]) => value !== undefined);
    const address = { ...this.#address, filter: Object.fromEntries(kept) };
    return address.view === "games" ? { ...address, page: 1 } : address;
  }

  #fields(): HTMLFormElement {
    const [first, second] = sidesOf(this.game);
    const options = (...all: [string, string][]) =>
      all.map(([value, text]) => make("option", { value }, text));
    const date = { pattern: "\\d{4}(-\\d\\d(-\\d\\d)?)?", placeholder: "2013-03", size: 10,
      title: "A year, a month or a day: 2013, 2013-03 or 2013-03-15" };
    const rating = { type: "number", min: 0, max: 4000, step: 1, inputmode: "numeric" };
    const openings = this.game === "chess" ? "B90, Najdorf" : "";
    // Games of stones have no names of openings.
    const stones = lookOf(this.game).placing;
    const won = (side: string) => `${side} won`;
    const sides = (...all: [string, string][]) => (blackFirst(this.game) ? all.reverse() : all);
    return make(
      "form",
      { role: "search", "aria-label": "Filter games", submit: (event) => this.#submitted(event) },
      this.#named("Player", "player", PLAYERS[this.game] ?? ""),
      field("Colour", make("select", { name: "color" },
        ...options(["", "either"], ...sides(["white", first], ["black", second])))),
      field("Rating from", make("input", { name: "rating_min", ...rating })),
      field("to", make("input", { name: "rating_max", ...rating }), "Rating to"),
      field("Since", make("input", { name: "since", ...date })),
      field("until", make("input", { name: "until", ...date }), "Until"),
      field("Result", make("select", { name: "result" },
        ...options(["", "any"], ...sides(["1-0", won(first)], ["1/2-1/2", "draw"], ["0-1", won(second)])))),
      ...(stones ? [] : [field("Opening", make("input", { name: "opening", type: "search", placeholder: openings }))]),
      this.#named("Event", "event", ""),
      make("div", { class: "asks" }, make("button", { class: "primary" }, "Find games"),
        this.patterns && this.#pattern),
    );
  }

  /** A field for a name, which is completed. */
  #named(text: string, kind: NameKind, placeholder: string): HTMLElement {
    const input = make("input", { name: kind, type: "search", placeholder });
    const label = field(text, input);
    label.append(complete(input, kind, this.people));
    return label;
  }

  #submitted(event: Event): void {
    event.preventDefault();
    const query = new URLSearchParams();
    for (const { name, value } of this.#inputs()) query.set(name, value);
    this.go(this.#with({ ...readFilter(query), pattern: this.#address.filter.pattern }));
  }
}

function field(text: string, input: HTMLElement, label?: string): HTMLLabelElement {
  if (label) input.setAttribute("aria-label", label);
  return make("label", {}, make("span", {}, text), input);
}

/** A name without the quotes that make it a whole one. */
function bareName(text: string): string {
  return text.match(/^"(.+)"$/)?.[1] ?? text;
}

/** The filters in use, in words, each with the change that clears it. */
export function describe(filter: Filter, game: string): [string, Partial<Filter>][] {
  const [first, second] = sidesOf(game);
  const { color, rating_min, rating_max, since, until, result, opening, event, pattern } = filter;
  const player = filter.player && bareName(filter.player);
  const side = color && (color === "white" ? first : second);
  const range = (what: string, from: unknown, to: unknown) =>
    [what, from !== undefined && `from ${from}`, to !== undefined && `to ${to}`]
      .filter(Boolean).join(" ");
  const all: [string, Partial<Filter>][] = [];
  if (player) {
    all.push([side ? `${player} with ${side}` : player, { player: undefined, color: undefined }]);
  }
  if (rating_min !== undefined || rating_max !== undefined) {
    const without = { rating_min: undefined, rating_max: undefined };
    all.push([range("rating", rating_min, rating_max), without]);
  }
  if (since || until) {
    all.push([range("", since, until).trim(), { since: undefined, until: undefined }]);
  }
  if (result) {
    const winner = result === "1-0" ? first : result === "0-1" ? second : undefined;
    all.push([winner ? `${winner} won` : "draw", { result: undefined }]);
  }
  if (event) all.push([bareName(event), { event: undefined }]);
  if (opening) all.push([opening, { opening: undefined }]);
  if (pattern) all.push([tellPattern(pattern), { pattern: undefined }]);
  return all;
}
