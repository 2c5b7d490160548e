// The page: a board for the game in the address, and ways to open another.

import "./element";
import type { OpenDetail, PlypackBoard } from "./plypack-board";
import { LOOKS } from "./games";
import { isFree } from "./keys";

const part = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const board = part<PlypackBoard>("board");
const weight = part("weight");
const text = part<HTMLTextAreaElement>("text");
const move = part<HTMLInputElement>("move");
const games = part<HTMLSelectElement>("game");

games.innerHTML = LOOKS.map(({ name, title }) => `<option value="${name}">${title}</option>`).join("");

/** Whether a text is a link, or the part after its `#`, not a game. */
function isLink(text: string): boolean {
  return /^\S*#[\w-]+\S*$/.test(text) || /^\S*[?&]p=/.test(text) || /^https?:\S+$/.test(text);
}

async function open(text: string, game?: string): Promise<void> {
  const trimmed = text.trim();
  if (await (isLink(trimmed) ? board.openLink(trimmed) : board.openText(text, game))) {
    board.focus();
    share();
  }
}

/** Puts the current game into the address, so that copying the address shares the game. */
function share(): void {
  try {
    const { link } = board.link;
    const address = `${location.href.replace(/[#?].*$/, "")}#${link}`;
    history.replaceState(null, "", address);
  } catch {
    // A game too long for a link is only shown.
  }
}

/** Shows the size of the game. */
function weigh(): void {
  try {
    const { bits, characters, link } = board.link;
    weight.textContent = bits
      ? `${bits} bits of moves, a link of ${link.length} characters; as text ${characters}`
      : "";
  } catch (error) {
    weight.textContent = error instanceof Error ? error.message : String(error);
  }
}

/** Opens a file beside the page. */
async function fetchText(source: string): Promise<void> {
  const address = new URL(source, location.href);
  const answer = address.origin === location.origin ? await fetch(address) : undefined;
  await board.openText(answer?.ok ? await answer.text() : "", answer?.ok ? undefined : "chess");
  if (!answer?.ok) weight.textContent = `There is no ${source} beside this page.`;
}

/** Opens the game in the address, or a new game of chess. */
function openAddress(): void {
  const query = new URLSearchParams(location.search);
  const source = query.get("src");
  // Removed first, so that the same link opens again after moves were added.
  for (const name of ["link", "text", "game"]) board.removeAttribute(name);
  if (location.hash.length > 1 || query.has("p")) board.setAttribute("link", location.href);
  else if (source) void fetchText(source);
  else {
    board.setAttribute("text", query.get("text") ?? "");
    board.setAttribute("game", query.get("game") ?? "chess");
  }
}

board.addEventListener("plypack-open", (event) => {
  const { game, tags } = (event as CustomEvent<OpenDetail>).detail;
  const tag = (name: string) => tags.find((one) => one[0] === name)?.[1];
  games.value = game;
  const [first, second] = [tag("White") ?? tag("Red"), tag("Black")];
  document.title = first && second ? `${first} – ${second} · plypack` : "plypack";
  weigh();
});
board.addEventListener("plypack-move", () => {
  share();
  weigh();
});
window.addEventListener("hashchange", openAddress);
document.addEventListener("keydown", (event) => {
  if (isFree(event) && board.press(event.key)) event.preventDefault();
});

part("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = move.value.trim();
  if (!typed) return;
  try {
    board.play(typed);
    move.value = "";
    move.setCustomValidity("");
  } catch (error) {
    move.setCustomValidity(error instanceof Error ? error.message : String(error));
    move.reportValidity();
  }
});
move.addEventListener("input", () => move.setCustomValidity(""));
part("new").addEventListener("submit", (event) => {
  event.preventDefault();
  void open("", games.value);
});
part("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  void open(text.value);
});
document.addEventListener("paste", (event) => {
  const target = event.target as Element;
  const pasted = event.clipboardData?.getData("text/plain") ?? "";
  if (target.matches("input, textarea") || !pasted.trim()) return;
  event.preventDefault();
  void open(pasted);
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const [file] = event.dataTransfer?.files ?? [];
  const dropped = file ? await file.text() : (event.dataTransfer?.getData("text/plain") ?? "");
  if (dropped.trim()) void open(dropped);
});

openAddress();
