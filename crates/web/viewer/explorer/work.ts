// Work that may take long. The old answer stays, greyed, until the new one arrives; a newer request
// stops an older one; long work shows its progress and can be cancelled; errors are shown.

import { make, megabytes, put } from "./elements";
import type { Progress } from "./source";

/** The delay before progress is shown, in milliseconds. */
const PATIENCE = 250;

/** Runs one request at a time. */
export class Work {
  /** The element for progress and errors. */
  readonly bar = make("div", { class: "work", "aria-live": "polite" });

  #stale: HTMLElement[];
  #current?: AbortController;
  #timer?: ReturnType<typeof setTimeout>;

  /** `stale` are the elements that the answer will replace. */
  constructor(...stale: HTMLElement[]) {
    this.#stale = stale;
  }

  /** Runs a request; returns undefined if it was stopped, superseded, or failed. */
  async ask<T>(
    what: string,
    question: (signal: AbortSignal, progress: Progress) => Promise<T>,
  ): Promise<T | undefined> {
    this.stop();
    const mine = new AbortController();
    this.#current = mine;
    const again = () => void this.#again?.();
    this.#begin(what, mine);
    try {
      const answer = await question(mine.signal, (done, ahead) => this.#tell(mine, done, ahead?.bytes));
      if (mine !== this.#current) return undefined;
      this.#end();
      for (const one of this.#stale) one.hidden = false;
      return answer;
    } catch (error) {
      if (mine !== this.#current) return undefined;
      this.#end();
      if (mine.signal.aborted) this.#stopped(what, again);
      else this.#failed(error, again);
      return undefined;
    }
  }

  #again?: () => unknown;

  /** The action when the reader wants to try again. */
  set again(again: () => unknown) {
    this.#again = again;
  }

  /** Drops the request. */
  stop(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.abort();
    this.#end();
  }

  /** What the work costs, if that is known. */
  #note = make("span", { class: "note" });

  #begin(what: string, mine: AbortController): void {
    put(this.#note);
    for (const one of this.#stale) one.setAttribute("aria-busy", "true");
    this.#timer = setTimeout(() => {
      const cancel = () => mine.abort();
      put(
        this.bar,
        make("span", {}, `${what}…`, this.#note),
        make("progress", { "aria-label": what }),
        make("button", { type: "button", click: cancel }, "Cancel"),
      );
    }, PATIENCE);
  }

  #tell(mine: AbortController, done: number, bytes?: number): void {
    if (mine !== this.#current) return;
    const shown = this.bar.querySelector("progress");
    if (shown && Number.isFinite(done)) shown.value = done;
    if (bytes !== undefined) put(this.#note, ` reads at most ${megabytes(bytes)} to search`);
  }

  #end(): void {
    clearTimeout(this.#timer);
    for (const one of this.#stale) one.removeAttribute("aria-busy");
    put(this.bar);
  }

  #stopped(what: string, again: () => void): void {
    const button = make("button", { type: "button", click: again }, "Go on");
    put(this.bar, make("span", {}, `${what} was cancelled.`), button);
  }

  #failed(error: unknown, again: () => void): void {
    const message = error instanceof Error ? error.message : String(error);
    const button = make("button", { type: "button", click: again }, "Try again");
    // The content belongs to another request.
    for (const one of this.#stale) one.hidden = true;
    put(this.bar, make("p", { class: "alert", role: "alert" }, sentence(message)), button);
  }
}

/** A message as a sentence; a file name at its beginning keeps its case. */
export function sentence(message: string): string {
  const word = /^[a-z]+\b(?![.:/])/.test(message);
  const begun = word ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
