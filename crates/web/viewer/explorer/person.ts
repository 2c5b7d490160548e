// Whether a search for a player finds a name: the same answer as that of the program
// (`store/person.rs`), which says why.

interface Word {
  plain: string;
  /** With `ue` for `ü`. */
  wide: string;
  short: boolean;
}

interface Person {
  /** Those of the surname first, if a comma tells which they are. */
  words: Word[];
  surname: number;
  generation?: string;
}

interface Token {
  text: string;
  dotted: boolean;
}

const BYTES_MAX = 256;
const WORDS_MAX = 16;
const CHESS_TITLES = ["GM", "IM", "FM", "CM", "NM", "LM", "WGM", "WIM", "WFM", "WCM", "WNM"];
const TITLES = ["dr", "prof", "mr", "mrs"];
const GENERATIONS = ["jr", "sr", "ii", "iii", "iv"];
const NOBODY = ["", "nn", "unknown", "anonymous", "white", "black"];
const APOSTROPHES = "'\u2019\u2018`\u00b4\u02bc\u02bb";

/** Letters without a decomposition, and both ways to write them. */
const SPELLED = new Map([
  ["ø", ["o", "oe"]], ["ß", ["ss", "ss"]], ["æ", ["ae", "ae"]], ["œ", ["oe", "oe"]], ["þ", ["th", "th"]],
  ["đ", ["d", "d"]], ["ð", ["d", "d"]], ["ł", ["l", "l"]], ["ı", ["i", "i"]],
]);

/** Letter by letter: the small form of a whole text depends on places in words. */
const small = (text: string) => [...text].map((letter) => letter.toLowerCase()).join("");

function wordOf({ text, dotted }: Token): Word {
  let [plain, wide] = ["", ""];
  for (const letter of small(text.normalize("NFKD"))) {
    if (letter === "\u0308" && /[aou]$/.test(wide)) wide += "e";
    else if (letter === "\u030a" && wide.endsWith("a")) wide += "a";
    else if (letter < "\u0300" || letter > "\u036f") {
      const [one, other] = SPELLED.get(letter) ?? [letter, letter];
      plain += one;
      wide += other;
    }
  }
  return { plain, wide, short: /^\p{Lowercase}$/u.test(plain) || (dotted && /^\p{Alphabetic}{0,4}$/u.test(plain)) };
}

/** The letters without those that may belong to an umlaut. */
function loose({ wide }: Word): string {
  let kept = "";
  for (const letter of wide) {
    const last = kept.at(-1) ?? "";
    if (!("aou".includes(last) && last && letter === "e") && !(last === "a" && letter === "a")) kept += letter;
  }
  return kept;
}

const isSame = (one: Word, other: Word) =>
  [other.plain, other.wide].some((word) => word === one.plain || word === one.wide);

const begins = (one: Word, other: Word) =>
  one.short && (other.plain.startsWith(one.plain) || other.wide.startsWith(one.plain));

const isLike = (one: Word, other: Word) =>
  isSame(one, other) || begins(one, other) || begins(other, one) || loose(one) === loose(other);

function tokensOf(part: string): Token[] {
  const tokens: Token[] = [];
  let text = "";
  const letters = [...part];
  const isDigit = (letter = "") => /\p{N}$/u.test(letter);
  letters.forEach((letter, at) => {
    if (APOSTROPHES.includes(letter)) return;
    if (/[\p{Alphabetic}\p{N}\p{M}_]/u.test(letter)) text += letter;
    else if (letter === "." && isDigit(text) && isDigit(letters[at + 1])) text += letter;
    else if (text) {
      tokens.push({ text, dotted: letter === "." });
      text = "";
    }
  });
  if (text) tokens.push({ text, dotted: false });
  return tokens;
}

/** Small letters of ASCII, as titles are compared. */
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const isTitle = ({ text }: Token) => CHESS_TITLES.includes(text) || TITLES.includes(lower(text));
const isGeneration = ({ text }: Token) => GENERATIONS.includes(lower(text));

function personOf(name: string): Person {
  const unread = { words: [{ plain: name, wide: name, short: false }], surname: 0 };
  if (new TextEncoder().encode(name).length > BYTES_MAX) return unread;
  const comma = name.search(/[,\uff0c]/);
  let parts = comma < 0 ? [tokensOf(name), []] : [tokensOf(name.slice(0, comma)), tokensOf(name.slice(comma + 1))];
  if (parts[0].length + parts[1].length > WORDS_MAX) return unread;
  const isToken = comma < 0 && !/\s/.test(name.trim());
  let hasComma = comma >= 0;
  const [first, second] = parts;
  if (first.length > 1 && second.length > 0 && second.every((token) => isTitle(token) || isGeneration(token))) {
    parts = [[...first, ...second], []];
    hasComma = false;
  }
  let generation: string | undefined;
  if (!isToken) {
    parts = parts.map((part) => {
      const named = part.every(isTitle) ? part : part.filter((token) => !isTitle(token));
      const at = named.findIndex((token, at) => at > 0 && isGeneration(token));
      if (at < 0) return named;
      // The first of both parts counts, and both are left out.
      generation ??= lower(named[at].text);
      return named.filter((_, other) => other !== at);
    });
  }
  let given = parts[1];
  if (given.length === 1 && /^[A-Z]{2,3}$/.test(given[0].text) && parts[0].some(({ text }) => /\p{Lowercase}/u.test(text))) {
    given = [...given[0].text].map((text) => ({ text, dotted: true }));
  }
  const words = [...parts[0], ...given].map(wordOf);
  if (NOBODY.includes(words.map(({ plain }) => plain).join(""))) return { words: [], surname: 0, generation };
  return { words, surname: hasComma ? parts[0].length : 0, generation };
}

/** How many words of two names can be paired so that all pairs fit. */
function matched(one: Word[], other: Word[], fits: (one: Word, other: Word) => boolean): number {
  const partners: (number | undefined)[] = [];
  const pair = (word: number, tried: Set<number>): boolean => other.some((candidate, at) => {
    if (tried.has(at) || !fits(one[word], candidate)) return false;
    tried.add(at);
    const partner = partners[at];
    if (partner !== undefined && !pair(partner, tried)) return false;
    partners[at] = word;
    return true;
  });
  return one.filter((_, word) => pair(word, new Set())).length;
}

/** The whole words that may be the surname. */
const names = ({ words, surname }: Person) => words.slice(0, surname || undefined).filter((word) => !word.short);

function fits(sought: Person, name: Person): boolean {
  if (sought.generation && sought.generation !== name.generation) return false;
  if (names(sought).some((one) => names(name).some((other) => isLike(one, other)))) {
    return matched(sought.words, name.words, isLike) === sought.words.length;
  }
  return sought.surname === 0 && matched(sought.words, name.words, isSame) === sought.words.length;
}

/** A part of a word that no spelling of it in ASCII lacks. */
const needle = (word: Word) =>
  loose(word).split(/(?<=[aou])/).reduce((most, part) => (part.length > most.length ? part : most), "");

/** Returns a test whether a search for a player, by the name or a part of it, finds a name. */
export function search(text: string): (name: string) => boolean {
  const [part, sought] = [small(text), personOf(text)];
  const needles = sought.words.filter((word) => !word.short).map(needle);
  return (name) => {
    const letters = small(name);
    if (letters.includes(part)) return true;
    const isPlain = /^[\x00-\x7f]*$/.test(letters) && !/['`]/.test(letters);
    const mayBe = isPlain ? needles.some((needle) => letters.includes(needle)) : needles.length > 0;
    return mayBe && fits(sought, personOf(name));
  };
}

/** The words of a text in small letters without accents, each in both spellings. */
export function wordsOf(text: string): string[][] {
  if (new TextEncoder().encode(text).length > BYTES_MAX) return [];
  return tokensOf(text).slice(0, WORDS_MAX).map(wordOf).map(({ plain, wide }) => [plain, wide]);
}

/**
 * Returns a function that tells whether a name is the same person's as this one, because it has the same
 * words, or perhaps.
 */
export function compare(name: string): (other: string) => "same" | "perhaps" | undefined {
  const [one, finds] = [personOf(name), search(name)];
  return (text) => {
    if (text === name) return "same";
    if (!finds(text)) return undefined;
    const other = personOf(text);
    const all = one.words.length;
    const same = all > 0 && all === other.words.length && one.generation === other.generation &&
      matched(one.words, other.words, isSame) === all;
    if (same) return "same";
    return one.words.length > 0 && (fits(one, other) || fits(other, one)) ? "perhaps" : undefined;
  };
}
