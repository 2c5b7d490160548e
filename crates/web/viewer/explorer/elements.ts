// Creates elements. Text is inserted as text, never as markup: names in games may be anything.

/** The possible children of an element. */
export type Child = Node | string | number | null | undefined | false;

type Values = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

/**
 * Creates an element with attributes and children; a function is called at the event of its name.
 */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  values: Values = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  put(made, ...children);
  return made;
}

/** Replaces the children of an element. */
export function put(parent: Element, ...children: Child[]): void {
  const kept = children.filter((child) => child !== null && child !== undefined && child !== false);
  parent.replaceChildren(...kept.map((child) => (child instanceof Node ? child : String(child))));
}

/** A number for people: 1,234,567. */
export function count(number: number): string {
  return number.toLocaleString("en");
}

/** A number of bytes for people, rounded up: 0.1 MB, 1.3 MB, 12 MB. */
export function megabytes(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return `${megabytes < 10 ? Math.max(1, Math.ceil(10 * megabytes)) / 10 : count(Math.ceil(megabytes))} MB`;
}

/** `1 game`, `2 games`. */
export function gamesIn(number: number): string {
  return `${count(number)} ${number === 1 ? "game" : "games"}`;
}

/** The name of a database for people: `my-games.parquet` is My games, `games.parquet` Chess games. */
export function titled(name: string, game: string): string {
  const words = bare(name).replace(/[-_]+/g, " ").trim();
  if (/^(games?|database|db|all|collection)?$/i.test(words)) return `${game} games`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name for a file of records: its extension is that of their format. */
export function fileOf(name: string, text: string): string {
  const end = /^\s*\(\s*;/.test(text) ? "sgf" : /^\uFEFF?\s*[[%\d]/.test(text) ? "pgn" : "txt";
  return `${bare(name)}.${end}`;
}

/** Puts a text on the clipboard. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure connection there is only the old method.
    const area = make("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that copies a text and says so. */
export function copier(label: string, what: string, text: () => string): HTMLButtonElement {
  const button = make("button", { type: "button", title: what }, label);
  button.addEventListener("click", async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

/** The name of a database: that of a packed file, without its extension. */
export function bare(name: string): string {
  return name.replace(/\.parquet$/, "");
}

/** Offers the reader a file for download. */
export function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "-") }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

const scripts = new Map<string, Promise<void>>();

/** Loads a script beside the page, once. */
export function script(name: string): Promise<void> {
  const known = scripts.get(name);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const failed = () => {
      scripts.delete(name);
      reject(new Error(`${name} is not beside this page, or the connection failed. Try again.`));
    };
    document.head.append(make("script", { src: name, load: () => resolve(), error: failed }));
  });
  scripts.set(name, loading);
  return loading;
}
