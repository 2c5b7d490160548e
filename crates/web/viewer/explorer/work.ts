// Work that may take long: the old answer stays, greyed, until the new one is there; a newer
// question stops the older; what takes long shows how far it is and can be stopped; errors are told.

import { make, put } from "./elements";
import type { Progress } from "./source";

/** How long the reader waits before it is worth telling that there is work, in milliseconds. */
const PATIENCE = 250;

/** One question after the other. */
export class Work {
  /** Where progress and errors are shown. */
  readonly bar = make("div", { class: "work", "aria-live": "polite" });

  #stale: HTMLElement[];
  #current?: AbortController;
  #timer?: ReturnType<typeof setTimeout>;

  /** `stale` is what the answer will replace. */
  constructor(...stale: HTMLElement[]) {
    this.#stale = stale;
  }

  /** Asks; the answer, or nothing if it was stopped, a newer question came, or it failed. */
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
      const answer = await question(mine.signal, (done) => this.#tell(mine, done));
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

  /** What to do when the reader wants to try again. */
  set again(again: () => unknown) {
    this.#again = again;
  }

  /** Forgets the question. */
  stop(): void {
    const current = this.#current;
    this.#current = undefined;
    current?.abort();
    this.#end();
  }

  #begin(what: string, mine: AbortController): void {
    for (const one of this.#stale) one.setAttribute("aria-busy", "true");
    this.#timer = setTimeout(() => {
      const cancel = () => mine.abort();
      put(
        this.bar,
        make("span", {}, `${what}…`),
        make("progress", { "aria-label": what }),
        make("button", { type: "button", click: cancel }, "Cancel"),
      );
    }, PATIENCE);
  }

  #tell(mine: AbortController, done: number): void {
    const shown = this.bar.querySelector("progress");
    if (mine === this.#current && shown && Number.isFinite(done)) shown.value = done;
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
    // What stands there answers another question.
    for (const one of this.#stale) one.hidden = true;
    put(this.bar, make("p", { class: "alert", role: "alert" }, sentence(message)), button);
  }
}

/** A message as a sentence; the name of a file that it begins with stays as it is. */
export function sentence(message: string): string {
  const word = /^[a-z]+\b(?![.:/])/.test(message);
  const begun = word ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
