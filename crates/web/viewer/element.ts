// <plypack-board>: a board, its moves, and its controls.

import { Board } from "./board";
import type { Candidate, Core, Game } from "./functions";
import { chessCore, either, fullCore } from "./cores";
import { describe, lookOf, moverOf, numberOf, spelled, squaresOf, type Look } from "./games";
import { isFree } from "./keys";
import { Line } from "./line";
import type { Hints, OpenDetail, PathNode, PlyDetail, PlypackBoard as Published } from "./plypack-board";
import { STYLE } from "./style";

const GLYPHS: Record<string, string> = {
  $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!", $10: "=", $13: "∞", $14: "⩲",
  $15: "⩱", $16: "±", $17: "∓", $18: "+−", $19: "−+",
};

const SPEEDS: [string, string][] = [
  ["500", "½ s per move"],
  ["1000", "1 s per move"],
  ["2000", "2 s per move"],
  ["4000", "4 s per move"],
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

const KEYS: Record<string, string> = {
  ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "before", ArrowDown: "after",
  Home: "first", End: "last", " ": "play", f: "flip",
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
    aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Home End Space f">
    <p class="name" hidden></p><p class="name" hidden></p></div>
  <div class="side" part="side">
    <p class="alert" role="alert" hidden></p>
    <p class="players" part="players" hidden></p>
    <div class="moves" role="group" aria-label="Moves" tabindex="0"></div>
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
      ${button("pgn", "Copy the game", "PGN")}
      ${button("fen", "Copy this position as text", "FEN")}
    </div>
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
 * default the page's); `base`, the address with which copied links begin; `still`: the wheel of a
 * mouse only scrolls. Events: `plypack-open`, `plypack-ply`, `plypack-fault` (its detail is the
 * message).
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
  #hints: Hints = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${STYLE}</style>${TEMPLATE}`;
    this.#part(".name").after(this.#board.svg);
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

  /** Whether the position shown is on the main line. */
  get main(): boolean {
    return this.#line?.atPly(this.ply) === this.#line?.at;
  }

  /** The text on cells, by their squares; and a move, as squares, that is pointed at. */
  set hints({ labels, pointed }: Hints) {
    this.#hints = { labels, pointed };
    this.#draw(false);
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

  /** Shows the position after these moves, playing those that the game lacks. */
  follow(moves: string[]): void {
    const line = this.#line;
    if (!line) return;
    const { at } = line;
    line.at = 0;
    try {
      for (const move of moves) line.play(move);
    } catch (error) {
      this.#fault(`${error instanceof Error ? error.message : error}.`);
    }
    const to = line.at;
    line.at = at;
    this.#go(to);
  }

  /** Does what a key on the board does; returns whether it does anything. */
  press(key: string): boolean {
    const action = KEYS[key];
    const before = this.#line?.at;
    if (action) this.#do(action);
    return action === "play" || action === "flip" || before !== this.#line?.at;
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
      this.#speeds();
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

  /** Offers speeds: that of the players only with their clocks. */
  #speeds(): void {
    const { nodes } = this.#line!.game;
    const speeds = SPEEDS.filter(([speed]) => speed !== "clock" || nodes.some((node) => node.clock));
    this.#part(".speed").innerHTML = speeds
      .map(([value, title]) => `<option value="${value}">${title}</option>`)
      .join("");
    this.#part<HTMLSelectElement>(".speed").value = "1000";
  }

  async #failed(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    if (!this.#line) {
      // Never an empty page: show a start, and the error.
      try {
        const core = await chessCore();
        this.#line = new Line(core, core.openText("", this.getAttribute("game") ?? "chess"));
        this.#speeds();
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
    this.#hints = {};
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
      ...this.#hints,
    };
    const flipped = this.getAttribute("orientation") === "second";
    this.#board.show(this.#look, position, flipped, marks, animate);
    this.#names(flipped);
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
      this.#part(".frame").className = `frame ${this.game}`;
      this.#part('[data-do="pgn"]').textContent = this.game === "go" ? "SGF" : "PGN";
      this.#part('[data-do="fen"]').textContent = this.#look.placing ? "Position" : "FEN";
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

  /** The moves as markup: the main line in two columns, or in one row after the other. */
  #list(): string {
    const { nodes, game } = this.#line!;
    const span = (name: string, text: string) => `<span class="${name}">${text}</span>`;
    const move = (node: number) => {
      const { text, coordinates, glyph } = nodes[node];
      const marks = glyph.split(" ").map((one) => GLYPHS[one] ?? one).join(" ");
      const said = escape(spelled(this.#look, text, coordinates) + marks);
      // The arrow keys go through them, not Tab.
      return `<button type="button" tabindex="-1" data-node="${node}">${said}</button>`;
    };
    const said = (node: number) => nodes[node].comment && span("said", escape(nodes[node].comment));
    // A line of a variation, as the moves from one of its nodes; `first` has its number in any case.
    const walk = (from: number, ply: number, depth: number): string[] => {
      const out: string[] = [];
      let first = true;
      for (let choices = [from]; choices.length; ply++) {
        const [main, ...others] = choices;
        const [number, second] = numberOf(this.#look, ply, nodes[0].position);
        const head = second ? first && number.replace(".", "…") : number;
        out.push(span("ply", (head ? `${span("number", head)} ` : "") + move(main)));
        if (said(main)) out.push(said(main));
        out.push(...beside(others, ply, depth));
        first = Boolean(said(main) || others.length);
        choices = nodes[main].children;
      }
      return out;
    };
    const beside = (others: number[], ply: number, depth: number) =>
      others.filter(() => depth < 40).map((other) =>
        span("variation", `(${walk(other, ply, depth + 1).join(" ")})`));
    const out: string[] = [];
    const more = (texts: string[]) => texts.length && out.push(`<div class="more">${texts.join(" ")}</div>`);
    const grid = !this.#look.placing;
    if (said(0)) more([said(0)]);
    let open = false;
    let ply = 1;
    for (let choices = nodes[0].children; choices.length; ply++) {
      const [main, ...others] = choices;
      const [number, second] = numberOf(this.#look, ply, nodes[0].position);
      if (!grid) out.push(span("ply", span("number", number) + move(main)));
      else {
        if (!open) out.push(span("number", number), second ? span("gap", "…") : "");
        out.push(move(main));
        open = !second;
      }
      if (more([said(main), ...beside(others, ply, 0)].filter(Boolean))) open = false;
      choices = nodes[main].children;
    }
    if (out.length && game.result.length > 1) more([span("result", game.result.replace("1/2-1/2", "½–½").replace("-", "–"))]);
    return out.join(" ") || `<span class="none">No moves yet.</span>`;
  }

  /** Writes the names of the players above and below the board, with their clocks. */
  #names(flipped: boolean): void {
    const { nodes, at, here, game } = this.#line!;
    const names = this.shadowRoot!.querySelectorAll<HTMLElement>(".name");
    const tag = (name: string) => game.tags.find((one) => one[0] === name)?.[1] ?? "";
    const clocks = [nodes[here.parent].clock, here.clock];
    const mover = moverOf(this.#look, here.position);
    Object.values(this.#look.players).forEach((player, side) => {
      const name = tag(player) || tag(side ? "Black" : "White");
      const rating = tag(`${player === "Red" ? "White" : player}Elo`);
      const clock = at ? clocks[Number(mover !== player)] : "";
      const told = [escape(name), rating && `<small>${escape(rating)}</small>`, clock && `<time>${escape(clock)}</time>`];
      const row = names[Number(flipped === (side === 1))];
      row.innerHTML = told.join(" ");
      row.hidden = !name && !clock;
    });
  }

  /** Players, state, comment and announcement. */
  #say(): void {
    const line = this.#line!;
    const { here, game } = line;
    const tag = (name: string) => game.tags.find((one) => one[0] === name)?.[1] ?? "";
    const event = [tag("Event"), tag("Date")].filter((text) => text && !/^\?/.test(text));
    this.#text(".players", event.join(" · "));
    const mover = moverOf(this.#look, here.position);
    const state = this.#candidates.length
      ? `${mover} to move`
      : here.text.endsWith("#")
        ? "Checkmate"
        : "The game is over";
    this.#text(".state", here.evaluation ? `${state} · evaluation ${here.evaluation}` : state);
    const move = here.text ? `${line.ply()}: ${spelled(this.#look, here.text, here.coordinates)}. ` : "Start. ";
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
    const kind = ({ coordinates }: Candidate) => coordinates.at(-1)!;
    const order = "qrbn";
    moves.sort((one, other) => order.indexOf(kind(one)) - order.indexOf(kind(other)));
    const white = moverOf(this.#look, this.position) === "White";
    const choice = (move: Candidate) => {
      const man = white ? kind(move).toUpperCase() : kind(move);
      const drawn = `<svg viewBox="0 0 100 100">${this.#look.draw(man)}</svg>`;
      return `<button type="button" data-move="${move.coordinates}" aria-label="${escape(move.text)}">${drawn}</button>`;
    };
    dialog.innerHTML = moves.map(choice).join("");
    const { left, top, bottom, width } = this.#board.boxOf(squaresOf(moves[0].coordinates)[1]);
    dialog.style.cssText = `--cell:${width}px;left:${left}px;top:${Math.max(0, top + 4 * width < innerHeight ? top : bottom - 4 * width)}px`;
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
      pgn: () => (this.game === "go" ? this.#copy(line.sgf(), "SGF") : this.#copy(line.pgn(), "PGN")),
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
      if (event.target === this.#part(".choice")) this.#part<HTMLDialogElement>(".choice").close();
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
    this.addEventListener("keydown", (event) => {
      if (isFree(event) && this.press(event.key)) event.preventDefault();
    });
    this.#part(".board").addEventListener(
      "wheel",
      (event) => {
        const { deltaY } = event as WheelEvent;
        const { at } = this.#line ?? {};
        if (deltaY && !this.hasAttribute("still")) this.#do(deltaY > 0 ? "forward" : "back");
        // At the ends of the line the page scrolls.
        if (at !== this.#line?.at) event.preventDefault();
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
