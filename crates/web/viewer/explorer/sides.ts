// The names of the two sides: those of the tags White and Black, in this order.

import { lookOf, moverOf as nameOfMover, spelled } from "../games";

/** The names of a game's sides. Without a White, that tag has the player of the first move. */
export function sidesOf(game: string): [string, string] {
  const [first = "White", second = "Black"] = Object.values(lookOf(game).players);
  return second === "White" ? [second, first] : [first, second];
}

/** Whether the player of the tag Black moves first, and so stands first. */
export function blackFirst(game: string): boolean {
  return Object.values(lookOf(game).players)[0] === "Black";
}

/** A move as players of the game write it. */
export function spelledIn(game: string, move: string, coordinates: string): string {
  return spelled(lookOf(game), move, coordinates);
}

/** The side to move in a position, and whether it moves second. */
export function moverOf(game: string, position: string): { name: string; second: boolean } {
  const look = lookOf(game);
  const name = nameOfMover(look, position);
  return { name, second: Object.values(look.players).indexOf(name) === 1 };
}
