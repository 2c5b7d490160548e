// The style of the element: light or dark like the page around it, wide and narrow, without motion if
// the reader prefers.

const COLOURS = `
  --ground: light-dark(#fff, #1b1d22); --ink: light-dark(#1d1f24, #e8eaee);
  --quiet: light-dark(#5a5f6b, #a8adb9); --edge: light-dark(#d3d6dd, #41454f);
  --press: light-dark(#eef0f4, #2c2f37); --accent: light-dark(#1a5fb4, #8ab8f5);
  --here: light-dark(#dbe8fb, #2b4468);
  --frame: light-dark(#7a5c3e, #4a3826); --frame-ink: light-dark(#fff, #f3e9dc);
  --light: light-dark(#f0dcbc, #cdb591); --dark: light-dark(#b98c62, #8d6a49);
  --wood: light-dark(#e7c389, #b8935c); --wood-ink: light-dark(#46300f, #2c1d08);
  --cloth: light-dark(#2f8552, #266b43); --cloth-ink: light-dark(#0d3a20, #0a2c18);
  --plain: light-dark(#f4f1ea, #2a2c31); --plain-ink: light-dark(#4c4a44, #b9bcc4);`;

/** The drawing of boards and men. */
const DRAWING = `
.ground { fill: var(--frame); }
.label { fill: var(--frame-ink); font: 600 26px system-ui, sans-serif; text-anchor: middle;
  dominant-baseline: central; }
rect.light { fill: var(--light); }
path.dark { fill: var(--dark); }
.last { fill: #f5d442; opacity: 0.5; }
.chosen { fill: #4aa3ff; opacity: 0.55; }
.target { fill: #123; opacity: 0.45; pointer-events: none; }
.spot { fill: #e5484d; pointer-events: none; }
.capture { fill: none; stroke: #123; stroke-width: 7; opacity: 0.5; pointer-events: none; }
.lines { fill: none; stroke: var(--wood-ink); stroke-width: 3; }
.lines.thick { stroke: var(--plain-ink); stroke-width: 6; stroke-linecap: round; }
.star { fill: var(--wood-ink); }
.river { opacity: 0.6; fill: var(--wood-ink); font: 54px serif; letter-spacing: 46px; text-anchor: middle;
  dominant-baseline: central; }
.men > g { cursor: pointer; }
.dragged { opacity: 0.85; }
.xiangqi .ground, .go .ground, .gomoku .ground { fill: var(--wood); }
.xiangqi .label, .go .label, .gomoku .label { fill: var(--wood-ink); }
.go .label, .gomoku .label { font-size: 30px; }
.tictactoe .ground { fill: var(--plain); }
.tictactoe .label { fill: var(--plain-ink); font-size: 18px; }
.tictactoe .last { opacity: 0.3; }
.cloth { fill: var(--cloth); }
.othello .lines { stroke: var(--cloth-ink); }
.piece .body { stroke: #1c1c1c; stroke-width: 3; stroke-linejoin: round; }
.piece.light .body { fill: #fff; }
.piece.dark .body { fill: #26272b; stroke: #0d0d0e; }
.piece .detail { fill: none; stroke: #1c1c1c; stroke-width: 3; stroke-linejoin: round; }
.piece.dark .detail { stroke: #e9e9e9; }
.man.light { fill: #f7f7f5; stroke: #555; stroke-width: 2; }
.man.dark { fill: #1d1e21; stroke: #000; stroke-width: 2; }
.man.wood { fill: #f6e3bf; stroke: #5b3d12; stroke-width: 3; }
.ring { fill: none; stroke-width: 2; }
.stroke { fill: none; stroke-width: 6; stroke-linecap: round; stroke-linejoin: round; }
.xiangqi .red .ring, .xiangqi .red .stroke { stroke: #b3261e; }
.xiangqi .black .ring, .xiangqi .black .stroke { stroke: #17181b; }
.mark { fill: none; stroke: var(--ink); stroke-width: 11; stroke-linecap: round; }
path.mark { stroke: var(--accent); }
`;

/** The drawing of hints. */
const HINTING = `
.pointed, .labelled, .head { pointer-events: none; opacity: 0.85; }
.pointed { fill: none; stroke: #15781b; stroke-width: 15; stroke-linecap: round; }
.head { fill: #15781b; }
.labelled circle { fill: var(--wood); }
.labelled text { fill: var(--wood-ink); font: 700 50px system-ui, sans-serif; text-anchor: middle;
  dominant-baseline: central; }
.labelled .count { font-size: 34px; font-weight: 400; }
`;

/** The same for a part of another page, with this class. */
export const drawnIn = (name: string) =>
  `.${name} { ${COLOURS} ${DRAWING} }`;

/** The style sheet of the element. */
export const STYLE = `
:host { ${COLOURS}
  display: block; color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; --size: min(560px, 100%); }
:host([theme]) { background: var(--ground); }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.frame { display: flex; flex-wrap: wrap; gap: 16px; align-items: stretch; position: relative; }
.board { flex: none; width: var(--size); border-radius: 6px; }
.board > svg { display: block; width: 100%; height: auto; max-height: 92vh;
  touch-action: pan-y; user-select: none; -webkit-user-select: none; }
.side { flex: 1 1 260px; min-width: min(260px, 100%); display: flex; flex-direction: column;
  gap: 8px; }
p { margin: 0; }
.players { color: var(--quiet); overflow-wrap: anywhere; }
.name { display: flex; gap: 8px; align-items: baseline; padding: 3px 2px; font-weight: 600;
  overflow: hidden; white-space: nowrap; }
.name small { color: var(--quiet); font-weight: 400; }
.name time { margin-left: auto; padding: 0 8px; border-radius: 4px; background: var(--press);
  font-variant-numeric: tabular-nums; }
.name[hidden] { display: none; }
.state { color: var(--quiet); }
.alert { padding: 8px 10px; border: 2px solid #c01c28; border-radius: 6px; overflow-wrap: anywhere; }
.moves { flex: 1 1 0; min-height: 220px; overflow: auto; padding: 8px; align-content: start;
  border: 1px solid var(--edge); border-radius: 6px; position: relative; display: grid;
  grid-template-columns: auto minmax(64px, 150px) 1fr; gap: 1px 4px; }
.go .moves, .gomoku .moves, .othello .moves, .tictactoe .moves {
  grid-template-columns: repeat(auto-fill, minmax(84px, 1fr)); }
.more, .none { grid-column: 1 / -1; }
.more { padding: 2px 6px 4px; color: var(--quiet); overflow-wrap: anywhere; }
.more > * { display: block; }
.said { color: var(--ink); }
.variation .said { font-style: italic; }
.more > .result { font-weight: 600; color: var(--ink); }
.moves button { all: unset; cursor: pointer; padding: 2px 4px; border-radius: 4px; }
.moves > button { justify-self: start; }
.moves button:hover { background: var(--press); }
.moves [aria-current] { background: var(--here); font-weight: 600; }
.number { color: var(--quiet); padding: 2px 1px 2px 3px; text-align: right; }
.gap { padding: 2px 4px; }
.more .number { padding: 0; }
.more button { padding: 1px 2px; }
.ply { white-space: nowrap; }
.none { color: var(--quiet); }
.variation { color: var(--quiet); font-size: 0.92em; }
.variation button { color: var(--ink); }
.bar { display: flex; flex-wrap: wrap; gap: 6px; }
.bar button, .bar select, dialog button { font: inherit; color: inherit; cursor: pointer;
  background: var(--ground); border: 1px solid var(--edge); border-radius: 6px;
  min-height: 40px; min-width: 44px; padding: 4px 10px; }
.bar button:hover, dialog button:hover { background: var(--press); }
.bar svg { display: block; width: 22px; height: 22px; margin: auto; fill: currentColor;
  stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
:focus-visible, .moves button:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
dialog { margin: 0; border: 0; padding: 0; background: var(--ground); border-radius: 6px;
  overflow: visible; box-shadow: 0 2px 12px #0008; }
dialog::backdrop { background: #0004; }
dialog button { display: block; width: var(--cell); height: var(--cell); min-width: 0; padding: 0; }
dialog svg { display: block; width: 100%; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }

${DRAWING}${HINTS ? HINTING : ""}@media (max-width: 640px) {
  :host { --size: 100%; }
  .moves { max-height: 240px; }
}
@media (prefers-contrast: more) { :host { --edge: currentColor; --quiet: var(--ink); } }
`;
