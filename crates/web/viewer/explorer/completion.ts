// Offers names that complete what is typed in a field: the pattern of a combobox whose list is chosen
// from by hand, as the ARIA Authoring Practices have it.

import { gamesIn, make, put } from "./elements";
import type { Completed, NameKind, People } from "./source";

/** How long a reader pauses before names are asked for, in milliseconds. */
const PAUSE = 120;

let fields = 0;

/** Completes names in a field; returns the list, which has to stand beside it. */
export function complete(field: HTMLInputElement, kind: NameKind, people: People): HTMLElement {
  const id = `names-${++fields}`;
  const what = kind === "player" ? "Players" : "Events";
  const list = make("ul", { id, role: "listbox", "aria-label": what, class: "names", hidden: true });
  const told = make("span", { class: "hidden", role: "status" });
  const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": id, autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  let asking: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The place of the option pointed at. */
  let at = -1;

  const options = () => [...list.children] as HTMLElement[];
  const point = (place: number) => {
    at = place;
    options().forEach((option, one) => option.setAttribute("aria-selected", String(one === at)));
    const option = options()[at];
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  };
  const close = () => {
    clearTimeout(timer);
    asking?.abort();
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    told.textContent = "";
    point(-1);
  };
  const choose = (name: string) => {
    field.value = name;
    close();
    field.focus();
  };
  const open = (names: Completed[]) => {
    put(list, ...names.map(({ name, games }, place) => make("li",
      { id: `${id}-${place}`, role: "option", "aria-selected": "false", "data-name": name },
      make("span", {}, name), " ", make("span", { class: "games-of" }, gamesIn(games)))));
    list.hidden = !names.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    told.textContent = names.length ? `${names.length} names; choose with the down arrow` : "";
    point(-1);
  };
  const ask = async () => {
    const mine = (asking = new AbortController());
    // Without an answer the field is one that has no list.
    const names = await people.names(kind, field.value.trim(), mine.signal).catch(() => []);
    if (mine === asking && !mine.signal.aborted && field === document.activeElement) open(names);
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    asking?.abort();
    // What is quoted is a whole name.
    if (!field.value.trim() || field.value.startsWith('"')) return close();
    timer = setTimeout(() => void ask(), PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    const all = options();
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown") point(at + 1 < all.length ? at + 1 : 0);
    else if (event.key === "ArrowUp") point(at > 0 ? at - 1 : all.length - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && all[at]) choose(all[at].dataset.name ?? "");
    else return void (event.key === "Enter" && close());
    event.preventDefault();
  });
  field.addEventListener("blur", close);
  // The field keeps the focus while a name is clicked.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>("[role=option]");
    // The list is in the field's label, which would pass the click on.
    event.preventDefault();
    if (option) choose(option.dataset.name ?? "");
  });
  return make("span", { class: "completed" }, told, list);
}
