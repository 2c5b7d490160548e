// A board set up by hand: each cell has a man, is empty, or may hold anything.

import { Board } from "../board";
import { lookOf, squareAt, type Grid, type Look } from "../games";
import { make } from "./elements";
import { menOf, positionLetter, type Drawn } from "./pattern";

/**
 * Drawings of the signs that are not men: a ring with a stroke for an empty cell, a disc for any
 * man.
 */
const SIGNS: Record<string, string> = {
  ".": ["halo", "nothing"].map((name) =>
    `<path class="${name}" d="M30 50a20 20 0 1 1 40 0a20 20 0 1 1-40 0M36 64 64 36"/>`).join(""),
  "*": `<g class="any"><circle cx="50" cy="50" r="34"/><path d="M50 16a34 34 0 0 1 0 68z"/></g>`,
};

/** The margins of a board's drawing: left and below, and right and above. */
const [MARGIN, EDGE, CELL] = [44, 14, 100];

/** A board as a grid of cells, navigated by arrow keys. */
export class PatternBoard {
  readonly root = make("div", { class: "setting drawn" });
  /** Called with a cell that was clicked, or on which Enter or the key of a sign was pressed. */
  onPut: (place: number, sign?: string) => void = () => {};

  #look: Look;
  #board = new Board();
  #cells = make("div", { class: "cells", role: "grid", "aria-label": "The board of the pattern" });
  #drawn?: Drawn;

  constructor(private readonly game: string) {
    const look = lookOf(game);
    const draw = (man: string) => SIGNS[man] ?? look.draw(positionLetter(look, man));
    this.#look = { ...look, width: undefined, draw };
    this.#board.svg.setAttribute("aria-hidden", "true");
    this.#cells.addEventListener("click", (event) => {
      const place = this.#placeOf(event.target);
      if (place === undefined) return;
      this.#enter(place);
      this.onPut(place);
    });
    this.#cells.addEventListener("keydown", (event) => this.#press(event));
    this.root.append(this.#board.svg, this.#cells);
  }

  /** Shows the board of a pattern. */
  show(drawn: Drawn): void {
    const anew = this.#drawn?.width !== drawn.width || this.#drawn.height !== drawn.height;
    this.#drawn = drawn;
    const rows: string[] = [];
    for (let start = 0; start < drawn.cells.length; start += drawn.width) {
      rows.push(drawn.cells.slice(start, start + drawn.width).map((cell) => cell || "-").join(""));
    }
    const marks = { last: "", chosen: "", targets: [] };
    this.#board.show(this.#look, rows.join("/"), false, marks, false);
    if (anew) this.#build(drawn);
    drawn.cells.forEach((cell, place) => {
      const label = `${this.name(place)}: ${wordOf(this.game, cell)}`;
      this.#cell(place)?.setAttribute("aria-label", label);
    });
  }

  /** The name of a cell. */
  name(place: number): string {
    return this.#drawn ? squareAt(this.#look, this.#drawn satisfies Grid, place) : "";
  }

  #build({ width, height }: Drawn): void {
    const [wide, high] = [width, height].map((count) => count * CELL + MARGIN + EDGE);
    const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;
    this.#cells.style.inset = [share(EDGE, high), share(EDGE, wide), share(MARGIN, high),
      share(MARGIN, wide)].join(" ");
    this.#cells.style.setProperty("--columns", String(width));
    const cell = (place: number) =>
      make("div", { role: "gridcell", "data-place": place, tabindex: -1 });
    const rows = Array.from({ length: height }, (_, y) => make("div", { role: "row" },
      ...Array.from({ length: width }, (_, x) => cell(y * width + x))));
    this.#cells.replaceChildren(...rows);
    this.#cell(0)?.setAttribute("tabindex", "0");
  }

  #cell(place: number): HTMLElement | null {
    return this.#cells.querySelector(`[data-place="${place}"]`);
  }

  #placeOf(target: EventTarget | null): number | undefined {
    const cell = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
    return cell ? Number(cell.dataset.place) : undefined;
  }

  /** Puts the focus on a cell, to which Tab returns. */
  #enter(place: number): void {
    this.#cells.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    const cell = this.#cell(place);
    cell?.setAttribute("tabindex", "0");
    cell?.focus();
  }

  #press(event: KeyboardEvent): void {
    const [place, drawn] = [this.#placeOf(event.target), this.#drawn];
    if (place === undefined || !drawn || event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, cells } = drawn;
    const column = place % width;
    const to: Record<string, number> = {
      ArrowLeft: column ? place - 1 : place,
      ArrowRight: column < width - 1 ? place + 1 : place,
      ArrowUp: place >= width ? place - width : place,
      ArrowDown: place + width < cells.length ? place + width : place,
      Home: place - column,
      End: place - column + width - 1,
    };
    const { key } = event;
    if (key in to) this.#enter(to[key]);
    else if (key === "Enter" || key === " ") this.onPut(place);
    else if (key === "Delete" || key === "Backspace") this.onPut(place, "");
    else if (key in SIGNS || menOf(this.game).includes(key)) this.onPut(place, key);
    else return;
    event.preventDefault();
  }
}

/** The condition on a cell, in words. */
export function wordOf(game: string, sign: string): string {
  if (sign === "") return "anything";
  if (sign === ".") return "nothing";
  const look = lookOf(game);
  return sign === "*" ? "any man" : (look.names[positionLetter(look, sign)] ?? sign);
}

/** A sign as a picture. */
export function pictureOf(game: string, sign: string): SVGElement {
  const look = lookOf(game);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", game);
  picture.innerHTML = SIGNS[sign] ?? (sign && look.draw(positionLetter(look, sign)));
  return picture;
}
