// The results of games as a bar, with a description in words.

import { make } from "./elements";
import { blackFirst, sidesOf } from "./sides";
import type { Score, Sum } from "./source";

/** The share, in percent, from which there is room for its number. */
const WIDE = 16;

/** A bar of what a player won, drew and lost. */
export function scoreBar({ wins, draws, losses }: Score): HTMLElement {
  return barIn([["first", wins, "won"], ["drawn", draws, "drawn"], ["second", losses, "lost"]]);
}

/** A bar of the shares of wins of each side, and of draws. */
export function barOf(sum: Sum, game: string): HTMLElement {
  const [first, second] = sidesOf(game);
  const parts: Part[] = [
    ["first", sum.white, `${first} won`],
    ["drawn", sum.draws, "drawn"],
    ["second", sum.black, `${second} won`],
  ];
  return barIn(blackFirst(game) ? parts.reverse() : parts);
}

/** A part of a bar: its class, its number, and what it is in words. */
type Part = [string, number, string];

function barIn(all: Part[]): HTMLElement {
  const decided = all.reduce((sum, [, number]) => sum + number, 0);
  if (!decided) return make("span", { class: "bar" });
  const parts = all.map(([name, number, what]): Part => [name, (100 * number) / decided, what]);
  const told = parts.map(([, part, what]) => `${what} ${Math.round(part)} %`).join(", ");
  const part = ([name, width]: Part) =>
    make("span", { class: name, style: `width: ${width.toFixed(2)}%` },
      width >= WIDE && `${Math.round(width)}%`);
  return make("span", { class: "bar", role: "img", "aria-label": told, title: told },
    ...parts.filter(([, width]) => width > 0).map(part));
}
