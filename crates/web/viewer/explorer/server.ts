// The database shown by `plypack serve`, read as JSON beside the page.

import { asked } from "./address";
import type {
  About, Completed, EventPage, Filter, Games, Place, PlayerPage, RepertoirePage, Sort, Source, Tree,
} from "./source";

/** There is no server beside this page. */
export class NoServer extends Error {}

/** Opens the database of the server at `base`. Throws `NoServer` if there is none. */
export async function openServer(base: URL): Promise<Source> {
  const about = await describe(base);
  const at = (path: string, query?: URLSearchParams) => {
    const address = new URL(`api/${path}`, base);
    if (query) address.search = query.toString();
    return address;
  };
  return {
    people: {
      async names(kind, part, signal) {
        const answer = await get(at("names", new URLSearchParams({ kind, part })), signal);
        return ((await answer.json()) as { names: Completed[] }).names;
      },
      async player(name, fide_id, signal) {
        const query = new URLSearchParams({ name, ...(fide_id && { fide_id: String(fide_id) }) });
        return (await get(at("player", query), signal)).json() as Promise<PlayerPage>;
      },
      event: async (name, signal) =>
        (await get(at("event", new URLSearchParams({ name })), signal)).json() as Promise<EventPage>,
    },
    about: () => Promise.resolve(about),
    repertoire: {
      async page(body, side, filter, skip, limit, signal) {
        const query = asked(filter);
        if (side) query.set("side", side);
        query.set("skip", String(skip));
        query.set("limit", String(limit));
        const answer = await get(at("repertoire", query), signal, { method: "POST", body });
        return answer.json() as Promise<RepertoirePage>;
      },
    },
    async games(filter, place, sort, skip, limit, signal) {
      const query = askedAt(filter, place, sort);
      query.set("skip", String(skip));
      query.set("limit", String(limit));
      return (await get(at("games", query), signal)).json() as Promise<Games>;
    },
    async count(filter, place, signal) {
      const answer = await get(at("count", askedAt(filter, place)), signal);
      return ((await answer.json()) as { total: number | null }).total;
    },
    tree: async (place, filter, signal) =>
      (await get(at("tree", asked(filter, place)), signal)).json() as Promise<Tree>,
    game: async (id) => (await get(at(`game/${encodeURIComponent(id)}`))).text(),
    download: async (filter, place, sort, signal, progress) =>
      collect(await get(at("pgn", asked(filter, place, sort)), signal), progress),
  };
}

/** A query for games; the usual start is a position, too, which an empty `play` names. */
function askedAt(filter: Filter, place?: Place, sort?: Sort): URLSearchParams {
  const query = asked(filter, place, sort);
  if (place && !place.fen && !place.play) query.set("play", "");
  return query;
}

async function describe(base: URL): Promise<About> {
  let answer: Response;
  try {
    answer = await fetch(new URL("api/about", base));
  } catch {
    throw new NoServer();
  }
  const kind = answer.headers.get("Content-Type") ?? "";
  if (answer.status === 404 || !kind.startsWith("application/json")) throw new NoServer();
  return (await checked(answer)).json() as Promise<About>;
}

async function get(address: URL, signal?: AbortSignal, more?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, { signal, ...more });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The server does not answer. Check that plypack serve is still running.");
  }
  return checked(answer);
}

/** Returns an answer, or throws its error. */
async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  let told: unknown;
  try {
    told = ((await answer.json()) as { error?: unknown }).error;
  } catch {
    if (answer.status === 431 || answer.status === 414) told = "The question is too long.";
    // Otherwise a proxy answered; its status is all that is known.
  }
  throw new Error(typeof told === "string" ? told : `The server answered ${answer.status}.`);
}

/** The number of bytes collected before the browser may move them to its disk. */
const PIECE = 4_000_000;

/** Collects the body of an answer; large ones are held by the browser, not by this page. */
async function collect(answer: Response, progress: (done: number) => void): Promise<Blob> {
  const type = "application/x-chess-pgn";
  const length = Number(answer.headers.get("Content-Length"));
  const pieces: Blob[] = [];
  let [chunks, gathered, done]: [BlobPart[], number, number] = [[], 0, 0];
  const reader = answer.body?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value);
    gathered += read.value.length;
    done += read.value.length;
    if (length) progress(Math.min(done / length, 1));
    if (gathered > PIECE) {
      pieces.push(new Blob(chunks));
      [chunks, gathered] = [[], 0];
    }
  }
  return new Blob([...pieces, ...chunks], { type });
}
