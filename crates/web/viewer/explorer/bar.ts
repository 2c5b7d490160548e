// The results of games as a bar, with a description in words.

import { make } from "./elements";
import { blackFirst, sidesOf } from "./sides";
import type { Sum } from "./source";

/** The share, in percent, from which there is room for its number. */
const WIDE = 16;

/** A bar of the shares of wins of each side, and of draws. */
export function barOf(sum: Sum, game: string): HTMLElement {
  const [first, second] = sidesOf(game);
  const decided = sum.white + sum.draws + sum.black;
  if (!decided) return make("span", { class: "bar" });
  const share = (part: number) => (100 * part) / decided;
  const parts: [string, number, string][] = [
    ["first", share(sum.white), `${first} won`],
    ["drawn", share(sum.draws), "drawn"],
    ["second", share(sum.black), `${second} won`],
  ];
  if (blackFirst(game)) parts.reverse();
  const told = parts.map(([, part, what]) => `${what} ${Math.round(part)} %`).join(", ");
  const part = ([name, width]: [string, number, string]) =>
    make("span", { class: name, style: `width: ${width.toFixed(2)}%` },
      width >= WIDE && `${Math.round(width)}%`);
  return make("span", { class: "bar", role: "img", "aria-label": told, title: told },
    ...parts.filter(([, width]) => width > 0).map(part));
}
