// A file on a host without a server of ours, read by HTTP ranges. The host's answers are checked;
// if it cannot serve the page, the message says what it must do.

/** Ranges closer than this are fetched as one. */
const GAP_BYTES = 512;

/** The maximum size of a request, unless a single range is larger. */
const REQUEST_BYTES = 4 << 20;

/** The size of the cache. */
const CACHE_BYTES = 24 << 20;

/** The file ends before the requested range. */
class Beyond extends Error {}

/** There is no such file. */
export class Missing extends Error {}

interface Piece {
  start: number;
  end: number;
  bytes: Promise<Uint8Array>;
}

interface Wish {
  start: number;
  end: number;
  take(bytes: Promise<Uint8Array>): void;
}

/** A file of known size whose ranges can be read. */
export class Remote {
  private readonly cache: Piece[] = [];
  private wishes: Wish[] = [];

  private constructor(
    readonly url: string,
    readonly size: number,
    private readonly version: string,
  ) {}

  /** The name of the file. */
  get name(): string {
    return nameOf(this.url);
  }

  /** Requests the beginning of a file, to learn its size and whether the host serves ranges. */
  static async open(url: string): Promise<Remote> {
    const response = await ask(url, 0, 8);
    const told = rangeOf(response);
    const bytes = await body(url, response, 8);
    const size = told?.size ?? (bytes.length < 8 ? bytes.length : await sizeOf(url));
    return new Remote(url, size, versionOf(response));
  }

  /** Reads some bytes, together with others requested at the same time and near them. */
  slice(start: number, end: number): Promise<Uint8Array> {
    if (!(start >= 0 && start <= end && end <= this.size)) {
      return Promise.reject(new Error(`${this.name} is truncated or damaged: upload it again`));
    }
    if (start === end) return Promise.resolve(new Uint8Array());
    const at = this.cache.findIndex((piece) => piece.start <= start && end <= piece.end);
    if (at >= 0) {
      const [piece] = this.cache.splice(at, 1);
      this.cache.push(piece);
      return piece.bytes.then((bytes) => bytes.subarray(start - piece.start, end - piece.start));
    }
    return new Promise((resolve) => {
      this.wishes.push({ start, end, take: resolve });
      if (this.wishes.length === 1) setTimeout(() => this.grant());
    });
  }

  /** Fetches the requested ranges, neighbours together. */
  private grant(): void {
    const wishes = this.wishes.sort((one, other) => one.start - other.start);
    this.wishes = [];
    for (let at = 0; at < wishes.length; ) {
      const first = at;
      const start = wishes[at].start;
      let end = wishes[at++].end;
      while (at < wishes.length && wishes[at].start <= end + GAP_BYTES) {
        const joined = Math.max(end, wishes[at].end);
        if (joined - start > REQUEST_BYTES && joined > end) break;
        end = joined;
        at++;
      }
      const bytes = this.fetch(start, end);
      this.keep({ start, end, bytes });
      for (const wish of wishes.slice(first, at)) {
        wish.take(bytes.then((bytes) => bytes.subarray(wish.start - start, wish.end - start)));
      }
    }
  }

  private keep(piece: Piece): void {
    this.cache.push(piece);
    piece.bytes.catch(() => {
      const at = this.cache.indexOf(piece);
      if (at >= 0) this.cache.splice(at, 1);
    });
    let bytes = 0;
    for (let at = this.cache.length - 1; at >= 0; at--) {
      bytes += this.cache[at].end - this.cache[at].start;
      if (bytes > CACHE_BYTES && at < this.cache.length - 1) {
        this.cache.splice(0, at + 1);
        break;
      }
    }
  }

  private async fetch(start: number, end: number): Promise<Uint8Array> {
    const changed = () => new Error(`${this.name} has changed on its host: load this page again`);
    const response = await ask(this.url, start, end).catch((error: unknown) => {
      // Its beginning was read before, so that another file is there now, a shorter one.
      throw error instanceof Beyond ? changed() : error;
    });
    const told = rangeOf(response);
    const same = versionOf(response) === this.version && (!told || told.size === this.size);
    if (!same) throw changed();
    const bytes = await body(this.url, response, end - start);
    if ((told && told.start !== start) || bytes.length !== end - start) {
      throw new Error(`${hostOf(this.url)} sent other bytes of ${this.name} than were asked for`);
    }
    return bytes;
  }
}

/** Requests a range; the answer is that range, or an error says why not. */
async function ask(url: string, start: number, end: number): Promise<Response> {
  let response: Response;
  try {
    // A browser's cache joins ranges, even from different versions.
    const headers = { Range: `bytes=${start}-${end - 1}` };
    response = await fetch(url, { headers, cache: "no-store" });
  } catch (error) {
    throw new Error(unreached(url, error));
  }
  if (response.status === 206) return response;
  await response.body?.cancel();
  const [host, name] = [hostOf(url), nameOf(url)];
  if (response.status === 404 || response.status === 410) {
    throw new Missing(`${host} has no ${name}: check the address`);
  }
  if (response.status === 200) {
    throw new Error(
      `${host} sends the whole of ${name} where a part is asked for: put the file on a host that ` +
        "serves ranges, or show it with `plypack serve`",
    );
  }
  if (response.status === 416) throw new Beyond(`${name} is empty or truncated: upload it again`);
  throw new Error(`${host} answers ${response.status} ${response.statusText} for ${name}`);
}

/** Why a host could not be reached, as far as the browser reveals it. */
function unreached(url: string, error: unknown): string {
  const [host, name] = [hostOf(url), nameOf(url)];
  if (globalThis.navigator?.onLine === false) return `${name} cannot be read: there is no network`;
  const here = globalThis.location?.origin;
  if (!here || new URL(url).origin === here) {
    return `${host} cannot be reached for ${name} (${(error as Error).message}): try again`;
  }
  return (
    `this page, of ${here}, may not read ${name} from ${host}, or the host cannot be reached. ` +
    `The host must answer with the header Access-Control-Allow-Origin: ${here} (or *), allow the ` +
    "header Range, and expose Content-Range"
  );
}

/** Reads the bytes of an answer, but no more than were requested. */
async function body(url: string, response: Response, most: number): Promise<Uint8Array> {
  const whole = new Uint8Array(most);
  let length = 0;
  try {
    const reader = response.body?.getReader();
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return whole.subarray(0, length);
      if (length + part.value.length > most) {
        await reader?.cancel();
        throw new Error("it sent more than was asked for");
      }
      whole.set(part.value, length);
      length += part.value.length;
    }
  } catch (error) {
    const [host, name, why] = [hostOf(url), nameOf(url), (error as Error).message];
    throw new Error(`${host} closed the connection while ${name} was read (${why}): try again`);
  }
}

/** The range of an answer, if the host exposes it. */
function rangeOf(response: Response): { start: number; size: number } | undefined {
  const told = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "");
  return told ? { start: Number(told[1]), size: Number(told[2]) } : undefined;
}

/** A version tag of a file, as far as the host exposes one. */
function versionOf(response: Response): string {
  const { headers } = response;
  return headers.get("ETag")?.replace(/^W\//, "") ?? headers.get("Last-Modified") ?? "";
}

/** The size of a file that no answer has stated. */
async function sizeOf(url: string): Promise<number> {
  const response = await fetch(url, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  const size = response?.ok ? response.headers.get("Content-Length") : null;
  if (size && !response?.headers.get("Content-Encoding")) return Number(size);
  throw new Error(
    `${hostOf(url)} does not state the size of ${nameOf(url)}: it must answer with the header ` +
      "Access-Control-Expose-Headers: Content-Range",
  );
}

function nameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split("/").pop() ?? "") || url;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
