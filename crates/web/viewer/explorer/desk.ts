// The context of every view: the database, and the way to other views.

import type { Address } from "./address";
import type { About, Head, Source } from "./source";

/** The context of every view. */
export interface Desk {
  source: Source;
  about: About;
  /** Goes to a view; with `quietly`, replaces the current address. */
  go(address: Address, quietly?: boolean): void;
  /** Whether the second player is below, on every board. */
  readonly flipped: boolean;
  /** Turns every board. */
  flip(): void;
  /** Takes the games of a list, from which one goes on to the next. */
  listed(games: Head[]): void;
  /** A game of the last list, as it was listed. */
  headOf(id: string): Head | undefined;
  /** The games before and after a game, in the last list that has it, or else as stored. */
  beside(id: string): [string | undefined, string | undefined];
  /** Sets the title of the window. */
  title(text: string): void;
}
