// <plypack-board>: a board, its moves, and its controls.

import { Board } from "./board";
import type { Candidate, Core, Game } from "./core";
import { chessCore, either, fullCore } from "./cores";
import { describe, lookOf, moverOf, squaresOf, type Look } from "./games";
import { Line } from "./line";
import type { OpenDetail, PathNode, PlyDetail, PlypackBoard as Published } from "./plypack-board";
import { STYLE } from "./style";

const GLYPHS: Record<string, string> = {
  $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!", $10: "=", $13: "∞", $14: "⩲",
  $15: "⩱", $16: "±", $17: "∓", $18: "+−", $19: "−+",
};

const SPEEDS: [string, string][] = [
  ["500", "½ s a move"],
  ["1000", "1 s a move"],
  ["2000", "2 s a move"],
  ["4000", "4 s a move"],
  ["clock", "as it was played"],
];

const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  play: "M7 5v14l11-7z",
  pause: "M8 5v14M16 5v14",
  forward: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  flip: "M7 4v14m0 0-3-3m3 3 3-3M17 20V6m0 0-3 3m3-3 3 3",
};

const icon = (name: keyof typeof ICONS) =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

/** A button with an icon, or with words. */
const button = (name: string, label: string, words?: string) => {
  const told = words ? "" : ` aria-label="${label}"`;
  const inside = words ?? icon(name as keyof typeof ICONS);
  return `<button type="button" data-do="${name}"${told} title="${label}">${inside}</button>`;
};

const TEMPLATE = `
<div class="frame">
  <div class="board" tabindex="0" role="group" aria-label="Board"
    aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Home End Space f"></div>
  <div class="side" part="side">
    <p class="players" part="players" hidden></p>
    <div class="moves" role="group" aria-label="Moves" tabindex="0"></div>
    <p class="comment" hidden></p>
    <p class="state"></p>
    <div class="bar" role="toolbar" aria-label="Step through the game">
      ${button("first", "To the start (Home)")}
      ${button("back", "One move back (left arrow)")}
      ${button("play", "Play (space)")}
      ${button("forward", "One move forward (right arrow)")}
      ${button("last", "To the end (End)")}
      ${button("flip", "Flip the board (f)")}
      <select class="speed" aria-label="Speed"></select>
    </div>
    <div class="bar copies" role="toolbar" aria-label="Copy">
      ${button("link", "Copy a link to this position of the game", "Copy link")}
      ${button("pgn", "Copy the game as PGN", "PGN")}
      ${button("fen", "Copy this position as text", "FEN")}
    </div>
    <p class="alert" role="alert" hidden></p>
  </div>
  <p class="hidden" role="status"></p>
  <p class="hidden" id="men"></p>
</div>
<dialog class="choice" aria-label="Which move?"></dialog>`;

/**
 * A board that shows a game from a link or a text.
 *
 * Attributes: `link` (a link, or only the part after its `#`), or `text` (PGN, moves or a position;
 * or use the element's own text) with `game` for its name; `ply`; `orientation` (`first` or
 * `second`: the side below); `size` (of the board, in CSS units); `theme` (`light`, `dark`; by
 * default the reader's); `base`, the address with which copied links begin. Events: `plypack-open`,
 * `plypack-ply`, `plypack-fault` (its detail is the message).
 */
export class PlypackBoard extends HTMLElement implements Published {
  static observedAttributes = ["link", "text", "game", "ply", "orientation", "size", "theme"];

  #board = new Board();
  #line?: Line;
  #look: Look = lookOf("chess");
  #candidates: Candidate[] = [];
  #chosen = "";
  #timer?: ReturnType<typeof setTimeout>;
  #opening = 0;
  /** The line whose moves are listed, and its number of nodes at the time. */
  #listed: [Line?, number?] = [];
  #queued = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${STYLE}</style>${TEMPLATE}`;
    this.#part(".board").append(this.#board.svg);
    this.#listen(root);
  }

  connectedCallback(): void {
    this.#appearance();
    this.#reopen();
  }

  disconnectedCallback(): void {
    this.pause();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return;
    if (name === "size" || name === "theme") this.#appearance();
    else if (name === "orientation") this.#draw(false);
    else if (name === "ply") this.ply = Number(now);
    else this.#reopen();
  }

  /** The ply shown, counted from the start; setting it goes there. */
  get ply(): number {
    return this.#line?.ply() ?? 0;
  }

  set ply(ply: number) {
    if (this.#line) this.#go(this.#line.atPly(ply));
  }

  /** The name of the game. */
  get game(): string {
    return this.#look.name;
  }

  /** The position shown, as text. */
  get position(): string {
    return this.#line?.here.position ?? "";
  }

  /** The nodes from the start to the position shown. */
  get path(): PathNode[] {
    const line = this.#line;
    return line ? [0, ...line.path()].map((node) => line.nodes[node]) : [];
  }

  /** The game as PGN. */
  get pgn(): string {
    return this.#line?.pgn() ?? "";
  }

  /**
   * A link to the current view, without its `#`; the bits of its moves, and their length as text.
   */
  get link(): { link: string; bits: number; characters: number } {
    return this.#line?.link() ?? { link: "", bits: 0, characters: 0 };
  }

  /** Opens a link, or only the part after its `#`; also HullQin's links. */
  openLink(link: string): Promise<boolean> {
    return this.#open((core) => core.openLink(link));
  }

  /** Opens a game, moves or a position as text. Without a name the text determines the game. */
  openText(text: string, game?: string): Promise<boolean> {
    const whole = (opened: Game) => !opened.warning || opened.nodes.length > 1;
    return this.#open((core) => core.openText(text, game), whole);
  }

  /** Plays a move, in any notation, at the position shown. Throws if it is not legal. */
  play(text: string): void {
    if (!this.#line) throw new Error("no game is open");
    this.#line.play(text);
    this.#shown(true);
    this.dispatchEvent(new CustomEvent("plypack-move", { bubbles: true, composed: true }));
  }

  /** Starts playing the game from here. */
  start(): void {
    const line = this.#line;
    if (!line) return;
    if (!line.here.children.length) this.#go(0);
    this.#timer = setTimeout(() => this.#step(), this.#delay());
    this.#draw(false);
  }

  /** Stops playing. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draw(false);
  }

  #step(): void {
    const [next] = this.#line?.here.children ?? [];
    if (!next || !this.#line) return this.pause();
    this.#go(next, true);
    if (this.#line.here.children.length) {
      this.#timer = setTimeout(() => this.#step(), this.#delay());
    } else this.pause();
  }

  /** The duration of the next move, in milliseconds. */
  #delay(): number {
    const speed = this.#part<HTMLSelectElement>(".speed").value;
    if (speed !== "clock") return Number(speed);
    const nodes = this.#line!.nodes;
    const path = [...this.#line!.path(), ...this.#line!.rest().slice(0, 1)];
    const left = (back: number) => seconds(nodes[path.at(-back) ?? 0].clock);
    const [now, before] = [left(1), path.length > 2 ? left(3) : NaN];
    const control = this.#line!.game.tags.find(([name]) => name === "TimeControl")?.[1] ?? "";
    const spent = before - now + Number(/\+(\d+)$/.exec(control)?.[1] ?? 0);
    return Number.isFinite(spent) ? Math.max(spent, 0.2) * 1000 : 1000;
  }

  async #open(fn: (core: Core) => Game, good?: (game: Game) => boolean): Promise<boolean> {
    const mine = ++this.#opening;
    try {
      const [game, core] = await either(fn, good);
      if (mine !== this.#opening) return false;
      this.pause();
      this.#line = new Line(core, game);
      this.#look = lookOf(game.game);
      const asked = this.getAttribute("ply");
      if (asked !== null) this.#line.at = this.#line.atPly(Number(asked));
      this.#part(".speed").innerHTML = SPEEDS.filter(
        ([speed]) => speed !== "clock" || game.nodes.some((node) => node.clock),
      )
        .map(([value, title]) => `<option value="${value}">${title}</option>`)
        .join("");
      this.#part<HTMLSelectElement>(".speed").value = "1000";
      this.#fault(game.warning && `Only the moves before it are shown: ${game.warning}.`);
      this.#shown(false);
      const detail: OpenDetail = { game: game.game, tags: game.tags, warning: game.warning };
      this.dispatchEvent(new CustomEvent("plypack-open", { detail, bubbles: true, composed: true }));
      return true;
    } catch (error) {
      if (mine !== this.#opening) return false;
      await this.#failed(error);
      return false;
    }
  }

  async #failed(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    if (!this.#line) {
      // Never an empty page: show a start, and the error.
      try {
        const core = await chessCore();
        this.#line = new Line(core, core.openText("", "chess"));
        this.#shown(false);
      } catch {
        // The core itself does not start; the message says why.
      }
    }
    this.#fault(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
    const event = new CustomEvent("plypack-fault", { detail: message, bubbles: true, composed: true });
    this.dispatchEvent(event);
  }

  /** Opens the game of the attributes, once for all attributes that change together. */
  #reopen(): void {
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      const link = this.getAttribute("link");
      const game = this.getAttribute("game") ?? undefined;
      if (link !== null) void this.openLink(link);
      else void this.openText(this.getAttribute("text") ?? this.textContent?.trim() ?? "", game);
    });
  }

  #appearance(): void {
    const size = this.getAttribute("size");
    if (size) this.style.setProperty("--size", /^\d+$/.test(size) ? `${size}px` : size);
    else this.style.removeProperty("--size");
  }

  #part<E extends Element = HTMLElement>(selector: string): E {
    return this.shadowRoot!.querySelector<E>(selector)!;
  }

  #go(node: number, animate = false): void {
    if (!this.#line || node === this.#line.at) return;
    this.#line.at = node;
    this.#shown(animate);
  }

  /** Shows the current position. */
  #shown(animate: boolean): void {
    const line = this.#line!;
    const { position, text } = line.here;
    this.#candidates = line.core.candidates(line.game.game, position);
    this.#chosen = "";
    this.#draw(animate);
    this.#moves();
    this.#say();
    const detail: PlyDetail = { game: this.game, ply: this.ply, move: text, position };
    this.dispatchEvent(new CustomEvent("plypack-ply", { detail, bubbles: true, composed: true }));
  }

  #draw(animate: boolean): void {
    const line = this.#line;
    if (!line) return;
    const { position, coordinates } = line.here;
    const from = this.#from(this.#chosen);
    const marks = {
      last: coordinates,
      chosen: this.#chosen,
      targets: this.#look.hints
        ? this.#candidates.map((candidate) => squaresOf(candidate.coordinates)[0])
        : from.map((candidate) => squaresOf(candidate.coordinates)[1]),
    };
    const flipped = this.getAttribute("orientation") === "second";
    this.#board.show(this.#look, position, flipped, marks, animate);
    const playing = this.#timer !== undefined;
    const play = this.#part('[data-do="play"]');
    play.innerHTML = icon(playing ? "pause" : "play");
    play.setAttribute("aria-label", playing ? "Stop (space)" : "Play (space)");
  }

  /** The candidates that move the man on a square. */
  #from(square: string): Candidate[] {
    if (!square || this.#look.placing) return [];
    return this.#candidates.filter(({ coordinates }) => squaresOf(coordinates)[0] === square);
  }

  /** Writes the list of moves, unless nothing was added, and marks the last move. */
  #moves(): void {
    const line = this.#line!;
    const list = this.#part(".moves");
    const [listed, count] = this.#listed;
    if (listed !== line || count !== line.nodes.length) {
      list.innerHTML = this.#list();
      this.#listed = [line, line.nodes.length];
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = list.querySelector<HTMLElement>(`[data-node="${line.at}"]`);
    if (!here) {
      list.scrollTop = 0;
      return;
    }
    here.setAttribute("aria-current", "true");
    const top = here.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 40) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  /** The moves as markup. */
  #list(): string {
    const line = this.#line!;
    const numbered = this.#numbers();
    const write = (node: number, first: boolean): string => {
      const { text, glyph } = line.nodes[node];
      const [number, second] = numbered(node);
      const head = second ? (first ? `${number}…` : "") : `${number}.`;
      const marks = glyph.split(" ").map((one) => GLYPHS[one] ?? one).join(" ");
      return `<span class="ply">${head && `<span class="number">${head}</span>`}<button \
type="button" data-node="${node}">${escape(text + marks)}</button></span> `;
    };
    const walk = (from: number, depth: number): string => {
      const out: string[] = [];
      let first = true;
      for (let choices = line.nodes[from].children; choices.length; ) {
        const [main, ...others] = choices;
        out.push(write(main, first));
        first = others.length > 0;
        for (const other of depth < 40 ? others : []) {
          const inside = write(other, true) + walk(other, depth + 1);
          out.push(`<span class="variation">(${inside})</span> `);
        }
        choices = line.nodes[main].children;
      }
      return out.join("");
    };
    return walk(0, 0) || `<span class="none">No moves yet.</span>`;
  }

  /** The number of a node's move, and whether the second player made it. */
  #numbers(): (node: number) => [number, boolean] {
    const line = this.#line!;
    const words = line.nodes[0].position.split(" ");
    const players = Object.keys(this.#look.players);
    const second = words[1] === players[1] ? 1 : 0;
    const counted = Number(words[5]) || 1;
    const plies = new Map<number, number>([[0, 0]]);
    return (node) => {
      const { parent } = line.nodes[node];
      const ply = (plies.get(parent) ?? line.ply(parent)) + 1;
      plies.set(node, ply);
      // In othello a player may move twice: then the numbers only count.
      const turn = ply - 1 + second;
      return [counted + Math.floor(turn / 2), turn % 2 === 1];
    };
  }

  /** Players, state, comment and announcement. */
  #say(): void {
    const line = this.#line!;
    const { here, game } = line;
    const tag = (name: string) => game.tags.find((one) => one[0] === name)?.[1] ?? "";
    const names = [tag("White") || tag("Red"), tag("Black")].filter((name) => name && name !== "?");
    const event = [tag("Event"), tag("Date")].filter((text) => text && !/^\?/.test(text));
    const result = game.result === "*" ? "" : game.result;
    this.#text(".players", [names.join(" – "), ...event, result].filter(Boolean).join(" · "));
    const values = [here.evaluation && `Evaluation ${here.evaluation}`, here.clock && `clock ${here.clock}`];
    this.#text(".comment", [values.filter(Boolean).join(", "), here.comment].filter(Boolean).join(". "));
    const mover = moverOf(this.#look, here.position);
    const state = this.#candidates.length
      ? `${mover} to move`
      : here.text.endsWith("#")
        ? "Checkmate"
        : "The game is over";
    this.#text(".state", state);
    const move = here.text ? `${line.ply()}: ${here.text}. ` : "Start. ";
    this.#text('[role="status"]', `${move}${state}. ${here.comment}`);
    const men = describe(this.#look, here.position);
    this.#text("#men", men);
    this.#board.svg.setAttribute("aria-label", `${this.#look.title} board. ${men}`);
  }

  #text(selector: string, text: string): void {
    const part = this.#part(selector);
    part.textContent = text;
    if (!part.classList.contains("hidden")) part.hidden = !text;
  }

  #fault(message: string): void {
    this.#text(".alert", message);
  }

  #square(square: string, from?: string): void {
    const line = this.#line;
    if (!line) return;
    const taken = from ?? this.#chosen;
    const fits = ({ coordinates }: Candidate) => {
      const squares = squaresOf(coordinates);
      return this.#look.placing
        ? squares[0] === square
        : squares[0] === taken && squares[1] === square;
    };
    const moves = this.#candidates.filter(fits);
    if (moves.length > 1) return this.#ask(moves);
    if (moves.length === 1) return this.play(moves[0].coordinates);
    this.#chosen = square !== taken && this.#from(square).length ? square : "";
    this.#draw(false);
  }

  /** Asks which of several moves to the same square is meant: the piece of a promotion. */
  #ask(moves: Candidate[]): void {
    const dialog = this.#part<HTMLDialogElement>(".choice");
    const choice = ({ text, coordinates }: Candidate) =>
      `<button type="button" data-move="${coordinates}">${escape(text)}</button>`;
    dialog.innerHTML = moves.map(choice).join("");
    dialog.showModal();
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page from a file may not use the clipboard: use the old method.
      const area = document.createElement("textarea");
      area.value = text;
      this.shadowRoot!.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.#text(".alert", "");
    this.#text(".state", `${what} copied`);
    this.#text('[role="status"]', `${what} copied`);
  }

  #do(action: string): void {
    const line = this.#line;
    if (!line) return;
    const address = this.getAttribute("base") ?? location.href.replace(/[#?].*$/, "");
    const actions: Record<string, () => unknown> = {
      first: () => this.#go(0),
      back: () => this.#go(line.here.parent),
      forward: () => this.#go(line.here.children[0] ?? line.at, true),
      last: () => this.#go(line.rest().at(-1) ?? line.at),
      before: () => this.#go(line.beside(-1)),
      after: () => this.#go(line.beside(1)),
      play: () => (this.#timer === undefined ? this.start() : this.pause()),
      flip: () => {
        const second = this.getAttribute("orientation") === "second";
        this.setAttribute("orientation", second ? "first" : "second");
      },
      link: () => this.#copy(`${address}#${line.link().link}`, "Link"),
      pgn: () => this.#copy(line.pgn(), "PGN"),
      fen: () => this.#copy(line.here.position, "Position"),
    };
    if (action !== "play" && this.#timer !== undefined && !["flip", "link", "pgn", "fen"].includes(action)) {
      this.pause();
    }
    try {
      void actions[action]?.();
    } catch (error) {
      this.#fault(`${error instanceof Error ? error.message : error}.`);
    }
  }

  #listen(root: ShadowRoot): void {
    root.addEventListener("click", (event) => {
      const target = (event.target as Element).closest<HTMLElement>("button");
      if (!target) return;
      const { do: action, node, move } = target.dataset;
      if (action) this.#do(action);
      if (node) {
        this.pause();
        this.#go(Number(node));
        this.#part<HTMLElement>(`[data-node="${node}"]`)?.focus();
      }
      if (move) {
        this.#part<HTMLDialogElement>(".choice").close();
        this.play(move);
      }
    });
    const keys: Record<string, string> = {
      ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "before", ArrowDown: "after",
      Home: "first", End: "last", " ": "play", f: "flip",
    };
    this.addEventListener("keydown", (event) => {
      const target = event.composedPath()[0] as Element;
      const typing = target.matches("select, input, textarea, dialog *");
      const pressing = event.key === " " && target.matches("button");
      if (typing || pressing || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      this.#do(action);
    });
    this.#part(".board").addEventListener(
      "wheel",
      (event) => {
        const { deltaY } = event as WheelEvent;
        if (!this.#line?.nodes[0].children.length || !deltaY) return;
        event.preventDefault();
        this.#do(deltaY > 0 ? "forward" : "back");
      },
      { passive: false },
    );
    this.#board.onSquare = (square, from) => this.#square(square, from);
    this.#board.onSwipe = (direction) => this.#do(direction > 0 ? "forward" : "back");
    this.#board.mayDrag = (square) => this.#from(square).length > 0;
  }

  /** Loads the core with every game, so that the first game other than chess opens at once. */
  static preload(): Promise<unknown> {
    return fullCore();
  }
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The seconds of `1:02:03.5`; not a number without a clock. */
function seconds(clock: string): number {
  return clock ? clock.split(":").reduce((sum, part) => 60 * sum + Number(part), 0) : NaN;
}

if (!customElements.get("plypack-board")) customElements.define("plypack-board", PlypackBoard);
