// Views as addresses: reads and writes the part after the `#`, so that every view has a link.

import type { Filter, Place, Sort } from "./source";

/** A page of the list of games. */
export interface GamesAddress {
  view: "games";
  filter: Filter;
  /** If set, only games that reach this position. */
  place?: Place;
  sort: Sort;
  /** Counted from 1. */
  page: number;
}

/** A position in the tree of openings. */
export interface TreeAddress {
  view: "tree";
  place: Place;
  filter: Filter;
  /** Whether the second player is below; if absent, as before. */
  flip?: boolean;
}

/** A game, at a ply of its main line or after other moves. */
export interface GameAddress {
  view: "game";
  id: string;
  ply?: number;
  /** The moves to a position beside the main line, as coordinates separated by commas. */
  play?: string;
  flip?: boolean;
}

/** The editor of a pattern; the pattern is that of the filter. */
export interface PatternAddress {
  view: "pattern";
  filter: Filter;
}

/** The page of a player. */
export interface PlayerAddress {
  view: "player";
  /** Any spelling of the name. */
  name: string;
  /** The number at FIDE, which tells players of one name apart. */
  fide_id?: number;
}

/** The page of an event. */
export interface EventAddress {
  view: "event";
  name: string;
}

/** A repertoire beside the games; its text is not in the address. */
export interface RepertoireAddress {
  view: "repertoire";
  filter: Filter;
  /** The side that it is for, in small letters, unless its games tell. */
  side?: string;
}

/** The view of the page. */
export type Address = GamesAddress | TreeAddress | GameAddress | PatternAddress | PlayerAddress | EventAddress |
  RepertoireAddress;

/** The filter of an address; undefined if its view has none. */
export function filterOf(address: Address): Filter | undefined {
  return "filter" in address ? address.filter : undefined;
}

const SORTS: readonly Sort[] = ["stored", "rating", "date"];

/** Parses the part after the `#`; an empty one is the list of all games. */
export function readAddress(hash: string): Address {
  const [path, search = ""] = split(hash.replace(/^#\/?/, ""), "?");
  const query = new URLSearchParams(search);
  const [view, id = ""] = split(path, "/");
  if (view === "game" && id) {
    const play = query.get("play")?.trim() || undefined;
    return { view, id: decode(id), ply: natural(query.get("ply")), play, flip: flipped(query) };
  }
  const name = query.get("name")?.trim();
  if (view === "player" && name) return { view, name, fide_id: natural(query.get("fide_id")) };
  if (view === "event" && name) return { view, name };
  const [filter, place] = [readFilter(query), readPlace(query)];
  if (view === "tree") {
    return { view, place: place ?? {}, filter: withoutPattern(filter), flip: flipped(query) };
  }
  if (view === "pattern") return { view, filter };
  if (view === "repertoire") {
    return { view, filter: withoutPattern(filter), side: query.get("side")?.trim() || undefined };
  }
  const sort = SORTS.find((sort) => sort === query.get("sort")) ?? "stored";
  return { view: "games", filter, place, sort, page: natural(query.get("page")) || 1 };
}

/** Formats an address as a link, with its `#`. */
export function writeAddress(address: Address): string {
  if (address.view === "game") {
    const query = new URLSearchParams();
    if (address.play) query.set("play", address.play);
    else if (address.ply) query.set("ply", String(address.ply));
    if (address.flip) query.set("flip", "1");
    return `#/game/${encodeURIComponent(address.id)}${written(query)}`;
  }
  if (address.view === "player" || address.view === "event") {
    const query = new URLSearchParams({ name: address.name });
    if (address.view === "player" && address.fide_id) query.set("fide_id", String(address.fide_id));
    return `#/${address.view}${written(query)}`;
  }
  const sort = address.view === "games" ? address.sort : undefined;
  const query = asked(address.filter, "place" in address ? address.place : undefined, sort);
  if (address.view === "repertoire" && address.side) query.set("side", address.side);
  if (address.view === "games" && address.page > 1) query.set("page", String(address.page));
  if (address.view === "tree" && address.flip) query.set("flip", "1");
  return `#/${address.view}${written(query)}`;
}

/** A query with its `?`; empty without one. */
function written(query: URLSearchParams): string {
  const text = query.toString().replace(/%2C|%2F|%3A/g, decodeURIComponent);
  return text && `?${text}`;
}

function flipped(query: URLSearchParams): boolean | undefined {
  return query.get("flip") === "1" ? true : undefined;
}

/** A filter, a position and an order as a query, for the address and for the server. */
export function asked(filter: Filter, place?: Place, sort?: Sort): URLSearchParams {
  const query = new URLSearchParams();
  const values = { ...place, ...filter, sort: sort === "stored" ? undefined : sort };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query;
}

/** Reads the filter of a query; invalid values are ignored. */
export function readFilter(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name)?.trim() || undefined;
  const [player, color] = [text("player"), text("color")];
  const all: Filter = {
    player,
    color: player && (color === "white" || color === "black") ? color : undefined,
    rating_min: natural(query.get("rating_min")),
    rating_max: natural(query.get("rating_max")),
    since: text("since"),
    until: text("until"),
    result: text("result"),
    opening: text("opening"),
    event: text("event"),
    pattern: text("pattern"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A filter without its pattern: a tree has none. */
export function withoutPattern({ pattern: _, ...rest }: Filter): Filter {
  return rest;
}

function readPlace(query: URLSearchParams): Place | undefined {
  const place: Place = {};
  const [fen, play] = [query.get("fen")?.trim(), query.get("play")?.trim()];
  if (fen) place.fen = fen;
  if (play) place.play = play;
  return fen || play ? place : undefined;
}

/** The moves of a position, as coordinates. */
export function movesOf(place: Place): string[] {
  return place.play ? place.play.split(",") : [];
}

/** The position after moves from the start of another. */
export function placeAfter({ fen }: Place, moves: string[]): Place {
  return { ...(fen && { fen }), ...(moves.length > 0 && { play: moves.join(",") }) };
}

function natural(text: string | null): number | undefined {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function split(text: string, sign: string): string[] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Decodes a part of an address; it stays as it is if its escapes are damaged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
