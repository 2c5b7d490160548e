// Keys that act on a board wherever the focus is.

/** Whether a key is free for a board: no field, button or grid of cells takes it. */
export function isFree(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!(target instanceof Element)) return true;
  const pressing = event.key === " " && target.matches("button, a, summary");
  return !pressing && !target.matches("select, input, textarea, dialog *, [role=grid] *");
}
