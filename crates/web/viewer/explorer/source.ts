// The interface of the explorer to a database, implemented by `plypack serve` or the reader of a
// packed file in this browser. Names of keys are those of the server's JSON.

/** A description of the database. */
export interface About {
  name: string;
  /** The name of the game in the registry. */
  game: string;
  /** The name of the game for people. */
  title: string;
  records: number;
  files: { name: string; records: number }[];
  /** Whether positions can be looked up. */
  indexed: boolean;
  /** A remark for queries of positions, e.g. that some games are not counted. */
  remark?: string;
}

/** A game in a list. */
export interface Head {
  id: string;
  white: string;
  black: string;
  white_rating: number | null;
  black_rating: number | null;
  result: "1-0" | "0-1" | "1/2-1/2" | null;
  /** As spelled in its tag, such as `B+3.5`, if that is known. */
  told?: string | null;
  /** As spelled in its tag, or the year. */
  date: string | null;
  event: string | null;
  eco: string | null;
  opening: string | null;
  plies: number | null;
  /** The ply at which the requested position first occurs, or the pattern is met. */
  ply: number | null;
  /** The plies at which the conditions of the pattern are met, in order. */
  met?: number[] | null;
  /** The move played there, in customary notation. */
  move: string | null;
  coordinates: string | null;
  /** Where it leaves a repertoire, if one was compared, and what that has there. */
  left?: Left;
  repertoire?: string[];
}

/** A filter of games. */
export interface Filter {
  /** A part of a name or a name in any spelling, or in double quotes the player of this name. */
  player?: string;
  color?: "white" | "black";
  /** Bounds of the mean of the known ratings. */
  rating_min?: number;
  rating_max?: number;
  /** YYYY, YYYY-MM or YYYY-MM-DD, inclusive. */
  since?: string;
  until?: string;
  result?: string;
  /** An ECO code or its beginning, or part of a name. */
  opening?: string;
  /** A part of the event's name, or in double quotes the whole name. */
  event?: string;
  /** A pattern, as for `plypack find --pattern`. */
  pattern?: string;
}

/** A position: after `play`, moves as coordinates separated by commas, from `fen` or the usual start. */
export interface Place {
  fen?: string;
  play?: string;
}

/** Results of games. */
export interface Sum {
  records: number;
  white: number;
  draws: number;
  black: number;
  mean_rating: number | null;
  last_year: number | null;
}

/** An opening's code and name. */
export interface Opening {
  eco: string;
  name: string;
}

/** A move played at a position. */
export interface TreeMove extends Sum {
  move: string;
  coordinates: string;
  /** The opening that it leads to. */
  opening: Opening | null;
}

/** A position in all games. */
export interface Tree extends Sum {
  /** Its text. */
  position: string;
  /** Its opening, or the last one on the way to it. */
  opening: Opening | null;
  moves: TreeMove[];
  /** The games that end there. */
  ended: Sum;
  examples: Head[];
}

/** A page of a list of games. */
export interface Games {
  games: Head[];
  more: boolean;
  /** The number of games in all; null if unknown. */
  total: number | null;
  /** The number of games searched in time, if not all. */
  searched?: number;
}

/** Games of a player; those without a result are neither won, drawn nor lost. */
export interface Score {
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

/** The games of a player with an opening; `listed` if the filter for its code finds them all. */
export interface OpeningScore extends Score {
  eco: string | null;
  name: string | null;
  listed: boolean;
}

/** What is known about a player. */
export interface PlayerPage {
  /** The most frequent spelling. */
  name: string;
  fide_id: number | null;
  games: number;
  first_year: number | null;
  last_year: number | null;
  first_rating: number | null;
  last_rating: number | null;
  highest_rating: number | null;
  spellings: Completed[];
  /** Players who may be the same person. */
  perhaps: (Completed & { fide_id: number | null })[];
  white: Score;
  black: Score;
  years: (Score & { year: number | null })[];
  /** Those played most. */
  openings: { white: OpeningScore[]; black: OpeningScore[] };
}

/** What is known about an event. */
export interface EventPage {
  name: string;
  games: number;
  white: number;
  draws: number;
  black: number;
  first_year: number | null;
  last_year: number | null;
  /** The best first. */
  players: (Score & { name: string; rating: number | null })[];
  players_total: number;
}

/** A name, and its number of games. */
export interface Completed {
  name: string;
  games: number;
}

export type NameKind = "player" | "event";

/** Players and events. */
export interface People {
  /** The names that complete what is typed, those with the most games first. */
  names(kind: NameKind, part: string, signal: AbortSignal): Promise<Completed[]>;
  player(name: string, fide_id: number | undefined, signal: AbortSignal, progress: Progress): Promise<PlayerPage>;
  event(name: string, signal: AbortSignal, progress: Progress): Promise<EventPage>;
}

/** Why a game is no longer in a repertoire. */
export type Left = "own" | "opponent" | "line end" | "game end";

/** A move by which games leave a repertoire, and what that has there. */
export interface Departure extends Sum {
  left: Left;
  move: string | null;
  coordinates: string | null;
  repertoire: string[];
  /** A shortest line to it and the move, for people. */
  line: string;
  /** The start of the line, if it is not the usual one, and its moves as coordinates. */
  fen: string | null;
  play: string;
}

/** How games follow a repertoire. */
export interface RepertoirePage {
  side: string;
  opponent: string;
  positions: number;
  lines: number;
  /** The games that follow it. */
  total: number;
  left: { own: number; opponent: number; line_end: number; game_end: number };
  departures: Departure[];
  games: Head[];
  more: boolean;
}

/** Compares a repertoire with the games. */
export interface Repertoire {
  page(
    text: string, side: string | undefined, filter: Filter, skip: number, limit: number, signal: AbortSignal,
  ): Promise<RepertoirePage>;
}

/** The order of a list. */
export type Sort = "stored" | "rating" | "date";

/** What is known of an answer while it is worked out. */
export interface Ahead {
  /** The most bytes that are read to find its games. */
  bytes?: number;
  /** The games found so far. */
  games?: Head[];
}

/** Reports the progress of long work, from 0 to 1. */
export type Progress = (done: number, ahead?: Ahead) => void;

/** A database. Failures throw errors with a message for people. */
export interface Source {
  /** Its players and events. */
  readonly people: People;
  /** If it compares repertoires. */
  readonly repertoire?: Repertoire;
  about(): Promise<About>;
  games(
    filter: Filter,
    place: Place | undefined,
    sort: Sort,
    skip: number,
    limit: number,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<Games>;
  /** The number of games found; null if it cannot be known in time. */
  count(
    filter: Filter, place: Place | undefined, signal: AbortSignal, progress: Progress,
  ): Promise<number | null>;
  tree(place: Place, filter: Filter, signal: AbortSignal, progress: Progress): Promise<Tree>;
  /** The text of a game's record, exactly. */
  game(id: string): Promise<string>;
  /** The records of all games found, one after the other, for a download. */
  download(
    filter: Filter,
    place: Place | undefined,
    sort: Sort,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<Blob>;
}
