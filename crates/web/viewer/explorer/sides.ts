// What the two sides are called: those of the tags White and Black, in this order.

import { lookOf, moverOf as nameOfMover } from "../games";

/** The names of a game's sides. Where nobody is White, the tag has the player of the first move. */
export function sidesOf(game: string): [string, string] {
  const [first = "White", second = "Black"] = Object.values(lookOf(game).players);
  return second === "White" ? [second, first] : [first, second];
}

/** The side to move at a position, and whether it is the one that moves second. */
export function moverOf(game: string, position: string): { name: string; second: boolean } {
  const look = lookOf(game);
  const name = nameOfMover(look, position);
  return { name, second: Object.values(look.players).indexOf(name) === 1 };
}
