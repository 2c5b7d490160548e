// Draws a board as SVG, and reports the squares that people point at.

import { gridOf, letterOf, placeOf, spelled, squareAt, squaresOf, type Grid, type Look } from "./games";

const CELL = 100;
/** The margin with coordinates, left and below, and the one without. */
const MARGIN = 44;
const EDGE = 14;
const SVG = "http://www.w3.org/2000/svg";

/** Things drawn besides the men. */
export interface Marks {
  /** The last move as squares; empty if there is none. */
  last: string;
  /** The square of the selected man; empty if none is selected. */
  chosen: string;
  /** Its destinations. */
  targets: string[];
  /** A move as squares, drawn as an arrow or a ring. */
  pointed?: string;
  /** Texts on empty cells, by their squares. */
  labels?: Record<string, string>;
}

/** Texts on cells, with the ground behind them, and the move that is pointed at. */
function hinted({ labels = {}, pointed = "" }: Marks, middle: (square: string) => number[]): string {
  const texts = Object.entries(labels).map(([square, text]) => {
    const [x, y] = middle(square);
    const [letter, number = ""] = text.split(" ");
    return `<g class="labelled"><circle cx="${x}" cy="${y}" r="46"/>\
<text x="${x}" y="${y - 14}">${letter}</text><text class="count" x="${x}" y="${y + 25}">${number}</text></g>`;
  });
  return texts.join("") + arrow(squaresOf(pointed).map(middle));
}

/** An arrow, or a ring on the cell where a man would be put. */
function arrow([from, to]: number[][]): string {
  if (!from) return "";
  if (!to) return `<circle class="pointed" cx="${from[0]}" cy="${from[1]}" r="43"/>`;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy);
  const at = (along: number, aside: number) =>
    [to[0] - (along * dx - aside * dy) / far, to[1] - (along * dy + aside * dx) / far].join(" ");
  return `<path class="pointed" d="M${from.join(" ")}L${at(38, 0)}"/>\
<path class="head" d="M${at(-4, 0)}L${at(48, 28)}L${at(48, -28)}z"/>`;
}

/** A board that shows one position after another. */
export class Board {
  readonly svg = document.createElementNS(SVG, "svg");
  /** Called with the square of a click; or with the square dragged to, and the one dragged from. */
  onSquare: (square: string, from?: string) => void = () => {};
  /** Called with the direction of a swipe: 1 is forwards. */
  onSwipe: (direction: number) => void = () => {};
  /** Whether a man on this square may be dragged. */
  mayDrag: (square: string) => boolean = () => false;

  #look!: Look;
  #grid!: Grid;
  #flipped = false;
  #position = "";
  #still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("part", "board");
    this.#listen();
  }

  /** Shows a position; with `animate`, the move that led there is animated. */
  show(look: Look, position: string, flipped: boolean, marks: Marks, animate: boolean): void {
    const anew = look !== this.#look || flipped !== this.#flipped;
    const before = this.#position;
    this.#look = look;
    this.#flipped = flipped;
    this.#position = position;
    this.#grid = gridOf(look, position);
    const { width, height } = this.#grid;
    const box = [-MARGIN, -EDGE, width * CELL + MARGIN + EDGE, height * CELL + MARGIN + EDGE];
    this.svg.setAttribute("viewBox", box.join(" "));
    this.svg.setAttribute("class", look.name);
    this.svg.innerHTML = [
      this.#ground(),
      this.#labels(),
      this.#marks(marks),
      `<g class="men">${this.#men()}</g>`,
      this.#targets(marks),
      HINTS ? hinted(marks, (square) => this.#cell(square).map((left) => left + CELL / 2)) : "",
    ].join("");
    const [from, to] = squaresOf(marks.last);
    if (animate && !anew && to && before && !this.#still.matches) this.#slide(from, to);
  }

  /** The upper left corner of a square's cell. */
  #corner(place: number): [number, number] {
    const { width, cells } = this.#grid;
    const seen = this.#flipped ? cells.length - 1 - place : place;
    return [(seen % width) * CELL, Math.floor(seen / width) * CELL];
  }

  #cell(square: string): [number, number] {
    return this.#corner(placeOf(this.#look, this.#grid, square));
  }

  #ground(): string {
    const { width, height } = this.#grid;
    const [w, h] = [width * CELL, height * CELL];
    const sides = MARGIN + EDGE;
    const frame = `<rect class="ground" x="${-MARGIN}" y="${-EDGE}" width="${w + sides}" \
height="${h + sides}" rx="10"/>`;
    const half = CELL / 2;
    let path = "";
    const line = (x1: number, y1: number, x2: number, y2: number) => {
      path += `M${x1} ${y1}L${x2} ${y2}`;
    };
    switch (this.#look.ground) {
      case "chequered": {
        const dark = this.#grid.cells.map((_, place) => {
          const [x, y] = [place % width, Math.floor(place / width)];
          return (x + y) % 2 ? `M${x * CELL} ${y * CELL}h100v100h-100z` : "";
        });
        return `${frame}<rect class="light" width="${w}" height="${h}"/>\
<path class="dark" d="${dark.join("")}"/>`;
      }
      case "river": {
        for (let y = 0; y < height; y++) line(half, y * CELL + half, w - half, y * CELL + half);
        for (let x = 0; x < width; x++) {
          const banks = x === 0 || x === width - 1 ? [[0, 9]] : [[0, 4], [5, 9]];
          for (const [a, b] of banks) {
            line(x * CELL + half, a * CELL + half, x * CELL + half, b * CELL + half);
          }
        }
        for (const y of [0, 7]) {
          line(350, y * CELL + half, 550, y * CELL + 250);
          line(550, y * CELL + half, 350, y * CELL + 250);
        }
        // Crosses mark where cannons and soldiers begin.
        for (let x = 0; x < width; x++) {
          for (const y of x % 2 ? (x % 6 === 1 ? [2, 7] : []) : [3, 6]) {
            for (const [a, b] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
              const [left, top] = [x * CELL + half + 9 * a, y * CELL + half + 9 * b];
              if (left < half || left > w - half) continue;
              path += `M${left + 18 * a} ${top}H${left}V${top + 18 * b}`;
            }
          }
        }
        const banks = [["楚河", 250], ["漢界", w - 250]].map(
          ([text, x]) => `<text class="river" x="${x}" y="${h / 2}">${text}</text>`,
        );
        return `${frame}<path class="lines" d="${path}"/>${banks.join("")}`;
      }
      case "stars": {
        for (let y = 0; y < height; y++) line(half, y * CELL + half, w - half, y * CELL + half);
        for (let x = 0; x < width; x++) line(x * CELL + half, half, x * CELL + half, h - half);
        const edge = width < 13 ? 2 : 3;
        const far = [edge, width - 1 - edge, (width - 1) / 2];
        const places = far.flatMap((x) => far.map((y) => [x, y]));
        // Boards of 19 by 19 have nine of them, smaller ones five.
        const stars = places.filter(([x, y]) =>
          Number.isInteger(x + y) && (width > 18 || x === y || x + y === width - 1));
        const dots = stars.map(
          ([x, y]) => `<circle class="star" cx="${x * CELL + half}" cy="${y * CELL + half}" r="9"/>`,
        );
        return `${frame}<path class="lines" d="${path}"/>${dots.join("")}`;
      }
      case "green":
        for (let i = 0; i <= height; i++) line(0, i * CELL, w, i * CELL);
        for (let i = 0; i <= width; i++) line(i * CELL, 0, i * CELL, h);
        return `${frame}<rect class="cloth" width="${w}" height="${h}"/>\
<path class="lines" d="${path}"/>`;
      case "hash":
        for (let i = 1; i < height; i++) line(0, i * CELL, w, i * CELL);
        for (let i = 1; i < width; i++) line(i * CELL, 0, i * CELL, h);
        return `${frame}<path class="lines thick" d="${path}"/>`;
    }
  }

  #labels(): string {
    const { width, height } = this.#grid;
    const label = (x: number, y: number, text: string) =>
      `<text class="label" x="${x}" y="${y}">${text}</text>`;
    const middle = CELL / 2;
    const files = Array.from({ length: width }, (_, x) => {
      const [left] = this.#corner(x);
      const letter = letterOf(this.#look, x);
      return label(left + middle, height * CELL + MARGIN / 2, spelled(this.#look, letter, letter));
    });
    const ranks = Array.from({ length: height }, (_, y) => {
      const place = y * width;
      const [, top] = this.#corner(place);
      const rank = squareAt(this.#look, this.#grid, place).slice(1);
      return label(-MARGIN / 2, top + middle, rank);
    });
    return [...files, ...ranks].join("");
  }

  #marks({ last, chosen }: Marks): string {
    const mark = (square: string, name: string) => {
      const [x, y] = this.#cell(square);
      return `<rect class="${name}" x="${x}" y="${y}" width="${CELL}" height="${CELL}" rx="8"/>`;
    };
    const squares = squaresOf(last).map((square) => mark(square, "last"));
    return squares.join("") + (chosen ? mark(chosen, "chosen") : "");
  }

  #men(): string {
    const men = this.#grid.cells.map((man, place) => {
      if (!man) return "";
      const [x, y] = this.#corner(place);
      const square = squareAt(this.#look, this.#grid, place);
      const drawn = this.#look.draw(man);
      return `<g transform="translate(${x} ${y})"><g data-square="${square}">${drawn}</g></g>`;
    });
    return men.join("");
  }

  #targets({ targets, last }: Marks): string {
    const dots = targets.map((square) => {
      const [x, y] = this.#cell(square);
      const taken = this.#grid.cells[placeOf(this.#look, this.#grid, square)];
      const [name, r] = taken ? ["capture", 44] : ["target", 15];
      return `<circle class="${name}" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="${r}"/>`;
    });
    // Under a stone the mark of its square is barely visible.
    const put = this.#look.points && this.#look.placing ? squaresOf(last) : [];
    const spots = put.map((square) => {
      const [x, y] = this.#cell(square);
      return `<circle class="spot" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="13"/>`;
    });
    return dots.concat(spots).join("");
  }

  #slide(from: string, to: string): void {
    const man = this.svg.querySelector(`[data-square="${to}"]`);
    const [[x1, y1], [x2, y2]] = [this.#cell(from), this.#cell(to)];
    const start = `translate(${x1 - x2}px, ${y1 - y2}px)`;
    man?.animate([{ transform: start }, { transform: "none" }], { duration: 160 });
  }

  /** The place of a square on the screen. */
  boxOf(square: string): DOMRect {
    const [x, y] = this.#cell(square);
    const matrix = this.svg.getScreenCTM()!;
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(matrix);
    return new DOMRect(left, top, CELL * matrix.a, CELL * matrix.d);
  }

  /** The square at a point of the screen; empty outside of the board. */
  #squareUnder(x: number, y: number): string {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.#grid) return "";
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const { width, height, cells } = this.#grid;
    const [column, row] = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
    if (column < 0 || row < 0 || column >= width || row >= height) return "";
    const seen = row * width + column;
    return squareAt(this.#look, this.#grid, this.#flipped ? cells.length - 1 - seen : seen);
  }

  #listen(): void {
    let down: { x: number; y: number; square: string; man?: SVGElement } | undefined;
    const ended = () => {
      down?.man?.style.removeProperty("transform");
      down?.man?.parentElement?.classList.remove("dragged");
      down = undefined;
    };
    this.svg.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      const square = this.#squareUnder(event.clientX, event.clientY);
      down = { x: event.clientX, y: event.clientY, square };
      if (event.pointerType !== "touch" && square && this.mayDrag(square)) {
        down.man = this.svg.querySelector<SVGElement>(`[data-square="${square}"]`) ?? undefined;
        this.svg.setPointerCapture(event.pointerId);
        event.preventDefault();
      }
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!down?.man) return;
      const scale = this.svg.getScreenCTM()?.a ?? 1;
      const [x, y] = [(event.clientX - down.x) / scale, (event.clientY - down.y) / scale];
      down.man.style.transform = `translate(${x}px, ${y}px)`;
      const holder = down.man.parentElement!;
      holder.classList.add("dragged");
      if (holder.nextSibling) holder.parentElement?.append(holder);
    });
    this.svg.addEventListener("pointerup", (event) => {
      if (!down) return;
      const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
      const square = this.#squareUnder(event.clientX, event.clientY);
      const { square: from, man } = down;
      ended();
      if (square && square === from) this.onSquare(square);
      else if (man && square) this.onSquare(square, from);
      else if (!man && Math.abs(dx) > 30 && Math.abs(dx) > 2 * Math.abs(dy)) this.onSwipe(dx < 0 ? 1 : -1);
    });
    this.svg.addEventListener("pointercancel", ended);
  }
}
