// The context of every view: the database, and the way to other views.

import type { Address } from "./address";
import type { About, Source } from "./source";

/** The context of every view. */
export interface Desk {
  source: Source;
  about: About;
  /** Goes to a view; with `quietly`, replaces the current address. */
  go(address: Address, quietly?: boolean): void;
  /** Sets the title of the window. */
  title(text: string): void;
}
