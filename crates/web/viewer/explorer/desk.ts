// What every view works with: the database, and the way to other views.

import type { Address } from "./address";
import type { About, Source } from "./source";

/** What every view works with. */
export interface Desk {
  source: Source;
  about: About;
  /** Goes to a view; with `quietly`, in place of the address that is shown. */
  go(address: Address, quietly?: boolean): void;
  /** Names the window. */
  title(text: string): void;
}
