// The editor of a pattern: a board and its men, further conditions, and everything as text.

import { drawnIn } from "../style";
import { writeAddress, type PatternAddress } from "./address";
import type { Desk } from "./desk";
import { make, put } from "./elements";
import { describe } from "./filters";
import {
  asks, blank, draw, type Drawn, isTurned, menOf, onSize, others, playersOf, readPattern,
  type Rules, sizesOf, withBoard, writePattern,
} from "./pattern";
import { PatternBoard, pictureOf, wordOf } from "./pattern_board";
import { sentence } from "./work";

/** The keys set by check boxes, and their labels. */
const FLAGS: [string, string][] = [
  ["either-colour", "colours swapped"],
  ["mirrored", "left and right swapped"],
  ["symmetric", "turned and mirrored, in all eight ways"],
];

/** The view for editing a pattern. */
export class PatternView {
  readonly root = make("section", { class: "pattern-view", "aria-labelledby": "pattern-title" });

  #title = make("h2", { id: "pattern-title", tabindex: -1 }, "Pattern");
  #board: PatternBoard;
  #palette = make("fieldset", { class: "palette drawn" });
  #said = make("p", { class: "hidden", role: "status" });
  #note = make("p", { class: "none" });
  #form = make("form", { "aria-label": "What holds besides" });
  #size = make("select");
  #mover = make("select");
  #text = make("textarea", { rows: 6, spellcheck: "false", autocapitalize: "off",
    id: "pattern-text", "aria-describedby": "pattern-fault" });
  #fault = make("p", { class: "alert", id: "pattern-fault", role: "alert", hidden: true });
  #find = make("a", { class: "button primary", role: "link" }, "Find games");
  #clear = make("button", { type: "button" }, "Clear the pattern");
  #chips = make("ul", { class: "chips", "aria-label": "Filters in use" });
  #address: PatternAddress = { view: "pattern", filter: {} };
  /** The text shown, as in the address. */
  #shown?: string;
  #rules: Rules = {};
  /** The board; the pattern may have none. */
  #drawn: Drawn;
  #isDrawn = true;
  /** The sign placed by a click. */
  #sign: string;

  constructor(private readonly desk: Desk) {
    const { game } = desk.about;
    this.#board = new PatternBoard(game);
    this.#drawn = blank(sizesOf(game)[0]);
    const men = menOf(game);
    this.#sign = men[men.length / 2 - 1];
    document.head.append(make("style", {}, drawnIn("drawn")));
    this.#board.onPut = (place, sign) => this.#put(place, sign);
    this.#clear.addEventListener("click", () => this.#set({}));
    this.#text.addEventListener("input", () => this.#typed());
    this.#fill();
    this.root.append(
      this.#title,
      make("div", { class: "board-side" }, this.#palette, this.#board.root, this.#said),
      make("div", { class: "rules-side" }, this.#note, this.#form,
        make("label", { class: "text", for: "pattern-text" }, "Pattern as text"), this.#text,
        this.#fault,
        make("div", { class: "tools" }, this.#find, this.#clear), this.#chips,
        make("p", { class: "none" }, "Empty squares match anything. Arrow keys move; Enter places the ",
          "selected piece, a letter the piece of that letter, . an empty square, * any piece; Delete ",
          "clears. The text takes all that ", make("code", {}, "plypack find --pattern"),
          " does: material, moves, and conditions one after the other.")),
    );
  }

  /** Shows the pattern of an address. */
  show(address: PatternAddress): void {
    this.#address = address;
    this.desk.title("Pattern");
    const { pattern = "", ...filter } = address.filter;
    if (pattern !== this.#shown) this.#read(pattern);
    const used = describe(filter, this.desk.about.game).map(([text, without]) => {
      const rest = { ...address.filter, ...without };
      const href = writeAddress({ ...address, filter: rest });
      const sign = make("span", { "aria-hidden": "true" }, "×");
      return make("li", {},
        make("a", { href, class: "chip", "aria-label": `Clear ${text}` }, text, " ", sign));
    });
    put(this.#chips, ...used);
    this.#chips.hidden = used.length === 0;
    this.#lead();
  }

  /** The element that gets the focus when the view is entered. */
  get entrance(): HTMLElement {
    return this.#title;
  }

  /** No work is ever in progress. */
  leave(): void {}

  /** Creates the controls. */
  #fill(): void {
    const { game } = this.desk.about;
    const sign = (sign: string) => {
      const word = wordOf(game, sign);
      const input = make("input", { type: "radio", name: "sign", value: sign,
        "aria-label": word, change: () => (this.#sign = sign) });
      input.checked = sign === this.#sign;
      const picture = sign ? pictureOf(game, sign) : make("span", { "aria-hidden": "true" }, "⌫");
      return make("label", { title: word, class: sign ? undefined : "erase" }, input, picture);
    };
    const men = menOf(game);
    const half = men.length / 2;
    const rows = [[...men.slice(0, half), "*", "."], [...men.slice(half), ""]];
    // One row suffices for few men.
    const row = (signs: string[]) =>
      make("div", { style: `--count: ${half > 1 ? half + 2 : 5}` }, ...signs.map(sign));
    put(this.#palette, make("legend", {}, "Put on the board"),
      ...(half > 1 ? rows.map(row) : [row([...men, "*", ".", ""])]));

    const where = (value: string, text: string) => {
      const change = () => this.#redraw({ ...this.#drawn, anywhere: value === "anywhere" });
      return make("label", { class: "tick" },
        make("input", { type: "radio", name: "where", value, change }), text);
    };
    const sizes = sizesOf(game);
    this.#size.addEventListener("change", () => {
      const [width, height] = this.#size.value.split("×").map(Number);
      this.#redraw(onSize(this.#drawn, [width, height]));
    });
    put(this.#mover, make("option", { value: "" }, "either"),
      ...playersOf(game).map(([value, text]) => make("option", { value }, text)));
    this.#mover.addEventListener("change", () => this.#setRule("stm", this.#mover.value));
    const flags = isTurned(game) ? FLAGS : FLAGS.slice(0, 2);
    put(this.#form,
      make("fieldset", {}, make("legend", {}, "Where"), where("exact", "on these cells"),
        where("anywhere", "anywhere on the board")),
      make("fieldset", {}, make("legend", {}, "Also match"), ...flags.map(([name, text]) => {
        const input = make("input", { type: "checkbox", name });
        input.addEventListener("change", () => this.#setRule(name, input.checked));
        return make("label", { class: "tick" }, input, text);
      })),
      make("label", {}, make("span", {}, "To move"), this.#mover),
      sizes.length > 1 && make("label", {}, make("span", {}, "Board"), this.#size));
    this.#form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Reads the text of an address. */
  #read(text: string): void {
    this.#shown = text;
    try {
      this.#rules = readPattern(text);
      this.#tell();
    } catch (error) {
      this.#rules = {};
      this.#tell((error as Error).message);
    }
    this.#showRules();
    const known = this.#fault.hidden && text.startsWith("{");
    this.#text.value = known ? JSON.stringify(this.#rules, null, 1) : text;
  }

  /** Handles input: a valid pattern goes to the address, and on the board. */
  #typed(): void {
    const text = this.#text.value.trim();
    try {
      this.#rules = readPattern(text);
      this.#tell();
    } catch (error) {
      this.#tell((error as Error).message);
      this.#lead();
      return;
    }
    this.#showRules();
    // A multi-line text is shortened in the address.
    this.#go(text.startsWith("{") ? writePattern(this.#rules) : text);
  }

  #tell(fault = ""): void {
    this.#fault.textContent = fault && sentence(fault);
    this.#fault.hidden = !fault;
    if (fault) this.#text.setAttribute("aria-invalid", "true");
    else this.#text.removeAttribute("aria-invalid");
  }

  /** Shows the rules on the board, and beside it. */
  #showRules(): void {
    const { game } = this.desk.about;
    const drawn = draw(this.#rules, game, this.#drawn);
    this.#isDrawn = drawn !== undefined;
    this.#drawn = drawn ?? blank([this.#drawn.width, this.#drawn.height], this.#drawn.anywhere);
    this.#board.show(this.#drawn);
    const { width, height, anywhere } = this.#drawn;
    this.#board.root.inert = this.#palette.disabled = !drawn;
    const size = `${width}×${height}`;
    const sizes = sizesOf(game).map((size) => size.join("×"));
    if (!sizes.includes(size)) sizes.push(size);
    put(this.#size, ...sizes.map((size) => make("option", { value: size }, size)));
    this.#size.value = size;
    this.#mover.value = typeof this.#rules.stm === "string" ? this.#rules.stm : "";
    const inputs = this.#form.querySelectorAll<HTMLInputElement>("input");
    for (const input of inputs) {
      input.checked = input.type === "radio"
        ? (input.value === "anywhere") === anywhere : this.#rules[input.name] === true;
      input.disabled = input.type === "radio" && !drawn;
    }
    const series = ["sequence", "streak"].some((key) => key in this.#rules);
    this.#mover.disabled = series;
    const more = others(this.#rules).map((key) => `“${key}”`).join(", ");
    this.#note.textContent = !drawn
      ? "No board shows this pattern: change it in its text, or clear it."
      : more && `Besides the board the pattern asks for ${more}.`;
    this.#note.hidden = !this.#note.textContent;
  }

  #put(place: number, sign = this.#sign): void {
    const cells = [...this.#drawn.cells];
    // A sign placed twice is removed.
    cells[place] = cells[place] === sign ? "" : sign;
    this.#redraw({ ...this.#drawn, cells });
    const { game } = this.desk.about;
    this.#said.textContent = `${this.#board.name(place)}: ${wordOf(game, cells[place])}`;
  }

  #redraw(drawn: Drawn): void {
    this.#drawn = drawn;
    this.#set(withBoard(this.#rules, drawn));
  }

  #setRule(name: string, value: string | boolean): void {
    const { [name]: _, ...rest } = this.#rules;
    this.#set(value ? { ...rest, [name]: value } : rest);
  }

  /** Sets rules made by hand. */
  #set(rules: Rules): void {
    this.#rules = rules;
    // Clearing begins with an empty board.
    const { game } = this.desk.about;
    if (!Object.keys(rules).length && !this.#isDrawn) this.#drawn = blank(sizesOf(game)[0]);
    this.#tell();
    this.#showRules();
    const text = writePattern(rules);
    this.#text.value = text && JSON.stringify(rules, null, 1);
    this.#go(text);
  }

  #go(text: string): void {
    this.#shown = text;
    const { pattern: _, ...filter } = this.#address.filter;
    this.desk.go({ view: "pattern", filter: text ? { ...filter, pattern: text } : filter }, true);
    this.#lead();
  }

  /** Makes the link lead to the matching games, if the pattern sets conditions. */
  #lead(): void {
    const { filter } = this.#address;
    const asked = asks(this.#rules) && this.#fault.hidden;
    if (asked) this.#find.href = writeAddress({ view: "games", filter, sort: "stored", page: 1 });
    else this.#find.removeAttribute("href");
    this.#find.setAttribute("aria-disabled", String(!asked));
  }
}
