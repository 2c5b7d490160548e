// The style of the element: light and dark, wide and narrow, without motion if the reader prefers.

const LIGHT = `
  --ground: #fff; --ink: #1d1f24; --quiet: #5a5f6b; --edge: #d3d6dd; --press: #eef0f4;
  --accent: #1a5fb4; --here: #dbe8fb;
  --frame: #7a5c3e; --frame-ink: #fff; --light: #f0dcbc; --dark: #b98c62;
  --wood: #e7c389; --wood-ink: #46300f; --cloth: #2f8552; --cloth-ink: #0d3a20;
  --plain: #f4f1ea; --plain-ink: #4c4a44;`;

const DARK = `
  --ground: #1b1d22; --ink: #e8eaee; --quiet: #a8adb9; --edge: #41454f; --press: #2c2f37;
  --accent: #8ab8f5; --here: #2b4468;
  --frame: #4a3826; --frame-ink: #f3e9dc; --light: #cdb591; --dark: #8d6a49;
  --wood: #b8935c; --wood-ink: #2c1d08; --cloth: #266b43; --cloth-ink: #0a2c18;
  --plain: #2a2c31; --plain-ink: #b9bcc4;`;

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

/** The same for a part of another page, with this class. */
export const drawnIn = (name: string) =>
  `.${name} { ${LIGHT} ${DRAWING} }
@media (prefers-color-scheme: dark) { .${name} { ${DARK} } }`;

/** The style sheet of the element. */
export const STYLE = `
:host { ${LIGHT}
  display: block; color: var(--ink); background: var(--ground); color-scheme: light;
  font: 16px/1.45 system-ui, sans-serif; --size: min(560px, 100%); }
@media (prefers-color-scheme: dark) {
  :host(:not([theme="light"])) { ${DARK} color-scheme: dark; }
}
:host([theme="dark"]) { ${DARK} color-scheme: dark; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.frame { display: flex; flex-wrap: wrap; gap: 16px; align-items: stretch; position: relative; }
.board { flex: none; width: var(--size); border-radius: 6px; }
.board > svg { display: block; width: 100%; height: auto; max-height: 92vh;
  touch-action: pan-y; user-select: none; -webkit-user-select: none; }
.side { flex: 1 1 260px; min-width: min(260px, 100%); display: flex; flex-direction: column;
  gap: 8px; }
p { margin: 0; }
.players { font-weight: 600; }
.state { color: var(--quiet); }
.comment { padding: 6px 10px; border-left: 3px solid var(--edge); max-height: 8em; overflow: auto; }
.alert { padding: 8px 10px; border: 2px solid #c01c28; border-radius: 6px; }
.moves { flex: 1 1 160px; min-height: 90px; max-height: 360px; overflow: auto; padding: 8px;
  border: 1px solid var(--edge); border-radius: 6px; position: relative; }
.moves button { all: unset; cursor: pointer; padding: 2px 4px; border-radius: 4px; }
.moves button:hover { background: var(--press); }
.moves [aria-current] { background: var(--here); font-weight: 600; }
.number { color: var(--quiet); margin: 0 1px 0 3px; }
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
dialog { color: var(--ink); background: var(--ground); border: 1px solid var(--edge);
  border-radius: 8px; padding: 16px; }
dialog[open] { display: flex; gap: 8px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }

${DRAWING}@media (max-width: 640px) {
  :host { --size: 100%; }
  .moves { max-height: 180px; }
}
@media (prefers-contrast: more) { :host { --edge: currentColor; --quiet: var(--ink); } }
`;
