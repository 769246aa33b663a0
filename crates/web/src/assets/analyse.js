// Analysis: a position with the engine's lines, and the tree of the moves that were tried. The tree is kept in this
// browser.

import { bars, element, fitted } from './board.js';
import { copy, download, fromHash, save, toHash } from './files.js';
import { CLIENT, position, readGame } from './server.js';
import * as tree from './tree.js';

const at = (id) => document.getElementById(id);
const form = at('load');
const KEPT = 'agon.analysis';
/// How long a position is searched.
const LIVE = { seconds: 60 };
/// How long each one when mistakes are looked for: nodes, so that a busy server gives the same marks, only later.
const REVIEW = { nodes: 300000, seconds: 30 };
/// What the page knows of a game: its scale, whether its start is drawn, whether it has files of its own.
const row = (name) => [...form.elements.game.options].find((option) => option.value === name)?.dataset ?? {};
/// Shares of the bar by which a move is a slip, a mistake, a blunder.
const MISTAKES = [[0.3, '??', 'blunder'], [0.17, '?', 'mistake'], [0.08, '?!', 'slip']];

/// Where the tree begins: { game, position, parameters, seed }.
let start = null;
let root = null;
let node = null;
let view = null;
let drawn = null;
let asked = 0;
let stream = null;
let engineOn = true;
let found = [];
/// The move that is made without a search: in a known opening.
let opening = null;
let values = null;
let win = null;
let reviewing = null;

const question = (here = node) => ({ ...start, moves: tree.moves(here) });
const say = (words) => (at('status').textContent = words);

/// The first side's share of the bar.
function share(value) {
  if (!value) return 0.5;
  if (value.mate) return value.mate === 'first' ? 1 : 0;
  return 1 / (1 + Math.exp(-value.first / (Number(row(start.game).scale) / 1.6)));
}

function keep() {
  const begins = encodeURIComponent(JSON.stringify(start));
  const here = tree.path(node).map((one) => one.parent.children.indexOf(one));
  localStorage.setItem(KEPT, JSON.stringify({ begins, text: tree.toText(root), here }));
  history.replaceState(null, '', toHash(question(), { game: start.game }));
}

// The engine.

function stopEngine() {
  stream?.close();
  stream = null;
}

/// Follows a search of a position: `receive` gets every event. Returns the stream.
function search(here, lines, limits, receive) {
  const request = { ...question(here), lines, ...limits, client: CLIENT };
  const events = new EventSource(`/api/v1/analysis?request=${encodeURIComponent(JSON.stringify(request))}`);
  const close = () => events.close();
  for (const name of ['line', 'best', 'win', 'values', 'end'])
    events.addEventListener(name, (event) => {
      if (name === 'end') close();
      receive(name, JSON.parse(event.data), here);
    });
  events.addEventListener('error', () => {
    close();
    receive('end', { reason: 'lost' }, here);
  });
  return events;
}

/// What a line is worth, from the first side's view.
function worth(data) {
  const sign = data.side === 0 ? 1 : -1;
  const mate = data.wins_in != null ? sign : data.loses_in != null ? -sign : 0;
  return { first: data.first, text: data.text, mate: mate === 0 ? null : mate > 0 ? 'first' : 'second' };
}

function worthOfValues(data) {
  const first = data.lead + data.estimate;
  const seen = data.turn === view.seats[0] ? first : -first;
  const text = `${seen > 0 ? '+' : ''}${seen} ${data.value == null ? 'estimated' : 'proved'}`;
  return { first, text, mate: data.winner === 'draw' ? null : data.winner };
}

/// What a search has cost so far.
const effort = ({ nodes, ms }) => `${nodes.toLocaleString('en')} nodes, ${(ms / 1000).toFixed(1)} s`;

function take(name, data, here) {
  if (here !== node) return;
  if (name === 'line') {
    found[data.rank - 1] = data;
    if (data.rank === 1) note(here, worth(data));
    at('progress').textContent = `depth ${data.depth}, ${effort(data)}`;
  } else if (name === 'values') {
    values = data;
    note(here, worthOfValues(data));
    at('progress').textContent = `${data.proved ? 'proved' : 'proving …'}, ${effort(data)}`;
  } else if (name === 'best') {
    if (!found.length) opening = data;
  } else if (name === 'win') win = data.win;
  else if (name === 'end') {
    const why = {
      crowded: 'Too many analyse now: try again soon.',
      lost: 'The engine does not answer.',
      stopping: 'The server stops.',
    }[data.reason];
    if (why) at('progress').textContent = why;
  }
  showFound();
}

function note(here, value) {
  if (value) here.value = value;
  showGraph();
}

/// What was found is of another position.
function forgetFound() {
  [found, opening, values, win] = [[], null, null, null];
}

function runEngine() {
  stopEngine();
  forgetFound();
  at('progress').textContent = '';
  const runs = engineOn && !view.result && !reviewing && !document.hidden;
  if (runs) stream = search(node, Number(at('lines').value), LIVE, take);
  showFound();
}

// What is drawn.

const legal = (move) => view.legal.find((one) => one.move === move);

/// What a move leads to for the side to move, where only the winner is proved.
function outcomeText(winner) {
  if (!winner) return '?';
  if (winner === 'draw') return '=';
  return (winner === 'first') === (view.turn === 0) ? 'wins' : 'loses';
}

/// The arrows of lines: thinner the more a move loses, none for one that loses too much.
function shapes() {
  if (win) {
    const moves = win.map(([row, column]) => (row - view.origin) * view.columns + column - view.origin);
    return moves.map((place, n) => ({ kind: 'number', at: place, text: n + 1, side: (view.turn + n) % 2 }));
  }
  if (values) {
    const sign = view.turn === 0 ? 1 : -1;
    return values.moves.flatMap((one) => {
      const move = legal(one.move.join(' '));
      if (!move?.to.length) return [];
      const lead = one.value == null ? null : sign * (values.lead + one.value);
      const text = lead == null ? outcomeText(one.winner) : `${lead > 0 ? '+' : ''}${lead}`;
      const tone = one.winner === 'draw' || !one.winner ? 'other' : one.winner;
      return [{ kind: 'pill', cells: move.to, text, tone, best: one.best }];
    });
  }
  const best = found[0] && share(worth(found[0]));
  return found.flatMap((data, rank) => {
    const move = data && legal(data.moves[0]);
    if (!move?.to.length) return [];
    const loss = Math.abs(best - share(worth(data)));
    const width = rank === 0 ? 9 : 7 - 24 * loss;
    // Nothing is known of the loss before the first line has come.
    if (!(width >= 2)) return [];
    const tone = rank === 0 ? 'best' : 'other';
    if (move.from.length === 1) return [{ kind: 'arrow', from: move.from[0], to: move.to[0], width, tone }];
    return [{ kind: 'ring', at: move.to[0], width: width / 2, text: view.crossings ? '' : rank + 1, tone }];
  });
}

function lineOf(letters, moves) {
  const item = element('span', { class: 'pv' });
  letters.forEach((text, n) => {
    const button = element('button', { type: 'button', class: 'quiet' }, tree.shown(text));
    button.addEventListener('click', () => enter(moves.slice(0, n + 1)));
    item.append(button, ' ');
  });
  return item;
}

function showFound() {
  drawn?.set({ shapes: shapes() });
  const item = (title, letters, moves) => element('li', {}, element('strong', {}, title), ' ', lineOf(letters, moves));
  const items = found.filter(Boolean).map((data) => item(data.text, data.letters, data.moves));
  if (opening) items.unshift(item('known opening, not searched', [opening.letters], [opening.best]));
  if (win) {
    const file = (column) => String.fromCharCode(view.letter.charCodeAt(0) + column - view.origin);
    const letters = win.map(([row, column]) =>
      view.letter ? file(column) + (view.rows - row + view.origin) : `${row} ${column}`,
    );
    items.unshift(item('proved: a forced win', letters, win.map((move) => move.join(' '))));
  }
  if (values) {
    const letters = values.letters ?? values.line.map((move) => move.join(' '));
    const value = worthOfValues(values);
    const exact = values.value != null;
    const by = exact ? ` by ${Math.abs(value.first)}, proved` : '';
    const level = values.winner ? 'drawn, proved' : value.text;
    const who = value.mate ? `${view.seats[value.mate === 'first' ? 0 : 1]} wins${by}` : level;
    items.unshift(item(who, letters, values.line.map((move) => move.join(' '))));
  }
  at('found').replaceChildren(...items);
  showBar();
}

function showBar() {
  const value = node.value;
  const part = view.result ? { 0: 1, 1: 0 }[view.result.winner] ?? 0.5 : share(value);
  const bar = at('bar');
  bar.className = `evaluation ${view.crossings ? 'stones' : 'sides'}`;
  bar.firstChild.style.height = `${100 * part}%`;
  const text = value ? `${value.text} for the side to move` : 'none yet';
  bar.setAttribute('aria-label', `evaluation: ${text}, ${view.seats[0]} ${Math.round(100 * part)} of 100`);
}

/// How bad a move was, by what the bar has lost from its maker's view.
function mistake(one) {
  if (!one.value || !one.parent.value) return null;
  const lost = (share(one.parent.value) - share(one.value)) * (one.side === 0 ? 1 : -1);
  return MISTAKES.find(([least]) => lost >= least) ?? null;
}

function showGraph() {
  const nodes = [root, ...tree.line(node)];
  const known = nodes.map((one, ply) => [one, ply]).filter(([one]) => one.value);
  const host = at('graph');
  if (known.length < 2) {
    host.replaceChildren();
    return;
  }
  const [width, height] = [560, 110];
  const x = (ply) => 6 + ((width - 12) * ply) / Math.max(1, nodes.length - 1);
  const y = (value) => 6 + (height - 12) * (1 - share(value));
  const svg = element('svg:svg', {
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    class: 'graph',
    'aria-label': `evaluation over the game: ${known.map(([one, ply]) => `${ply} ${one.value.text}`).join(', ')}`,
  });
  svg.append(
    element('svg:line', { x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    element('svg:polyline', { points: known.map(([one, ply]) => `${x(ply)},${y(one.value)}`).join(' ') }),
  );
  const here = nodes.indexOf(node);
  svg.append(element('svg:line', { x1: x(here), x2: x(here), y1: 0, y2: height, class: 'here' }));
  for (const [one, ply] of known) {
    const wrong = one.parent && mistake(one);
    if (wrong) svg.append(element('svg:circle', { cx: x(ply), cy: y(one.value), r: 5, class: wrong[2] }));
  }
  svg.addEventListener('click', (event) => {
    const bounds = svg.getBoundingClientRect();
    const along = ((event.clientX - bounds.left) / bounds.width) * width - 6;
    const ply = Math.round(along / ((width - 12) / Math.max(1, nodes.length - 1)));
    go(nodes[Math.max(0, Math.min(nodes.length - 1, ply))]);
  });
  host.replaceChildren(svg);
}

function showTree() {
  const host = at('tree');
  const button = (one, ply) => {
    const wrong = mistake(one);
    const text = `${ply % 2 ? `${(ply + 1) / 2}. ` : ''}${tree.shown(one.letters)}${wrong ? wrong[1] : ''}`;
    const item = element('button', { type: 'button', class: `quiet ${wrong ? wrong[2] : ''}` }, text);
    if (wrong) item.title = wrong[2];
    if (one === node) item.setAttribute('aria-current', 'step');
    item.addEventListener('click', () => go(one));
    return item;
  };
  function write(into, from, ply) {
    for (let here = from, count = ply; here.children.length; here = here.children[0], count += 1) {
      const [first, ...others] = here.children;
      into.append(' ', button(first, count));
      for (const other of others) {
        const side = element('span', { class: 'variation' }, '(', button(other, count));
        write(side, other, count + 1);
        side.append(')');
        into.append(' ', side);
      }
    }
  }
  const begin = element('button', { type: 'button', class: 'quiet' }, 'start');
  if (node === root) begin.setAttribute('aria-current', 'step');
  begin.addEventListener('click', () => go(root));
  host.replaceChildren(begin);
  write(host, root, 1);
  const now = host.querySelector('[aria-current]');
  const hidden = now.offsetTop < host.scrollTop || now.offsetTop > host.scrollTop + host.clientHeight - 30;
  if (hidden) host.scrollTop = now.offsetTop - host.clientHeight / 2;
}

function statusText() {
  const last = view.moves.at(-1);
  const moved = last ? `${view.moves.length}: ${view.seats[last.side]} ${last.letters}. ` : '';
  if (view.result) {
    const { winner, reason } = view.result;
    return `${moved}${winner === null ? 'A draw' : `${view.seats[winner]} wins`}: ${reason}.`;
  }
  return `${moved}${view.seats[view.turn]} to move.`;
}

function show() {
  drawn = fitted(drawn, at('board'), view, (move) => enter([move.move]));
  drawn.set({ cells: view.cells, label: `board, ${statusText()}`, moves: view.legal, dots: false, shapes: [] });
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
  at('pass').disabled = !view.legal.some((move) => !move.to.length);
  at('delete').disabled = node === root;
  at('promote').disabled = tree.path(node).every((one) => one.parent.children[0] === one);
  for (const button of document.querySelectorAll('[data-format="sgf"], [data-format="psq"]'))
    button.hidden = !row(start.game).files;
  showTree();
  showGraph();
  say(statusText());
}

/// Goes to a node.
async function go(target) {
  const mine = ++asked;
  node = target;
  let answer;
  try {
    answer = await position(question());
  } catch (error) {
    if (mine === asked) say(error.message);
    return;
  }
  if (mine !== asked) return;
  view = answer;
  show();
  keep();
  runEngine();
}

/// Plays moves from here, in the judge's notation.
async function enter(list) {
  const before = tree.moves(node);
  const answer = await position({ ...start, moves: [...before, ...list] }).catch((error) => say(error.message));
  if (!answer) return;
  await go(grow(node, answer.moves.slice(before.length)));
}

/// Plays the move that the engine takes for the best, if it has named one.
function playBest() {
  const best = found[0]?.moves[0] ?? opening?.best;
  if (best) enter([best]);
}

/// Begins a tree. Its moves are proved and named line by line; a line that cannot be played is left out, and its error
/// is thrown at the end. The page shows the tree before until then, and goes to the chosen node of the new one at once:
/// what moves under the mouse cannot be clicked. Returns the root, or null if something else was asked for meanwhile.
async function begin(from, text = '', choose = (made) => made) {
  const mine = ++asked;
  reviewing?.stop();
  const made = tree.newRoot();
  let wrong = null;
  for (const moves of tree.lines(tree.fromText(text))) {
    try {
      grow(made, (await position({ ...from, moves })).moves);
    } catch (error) {
      wrong = error;
    }
  }
  if (mine !== asked) return null;
  [start, root] = [from, made];
  forgetFound();
  form.elements.game.value = start.game;
  await go(choose(made));
  if (wrong) throw wrong;
  return made;
}

/// Adds a line to the tree below a node, and returns its end.
function grow(from, line) {
  let into = from;
  for (const move of line) into = tree.add(into, move);
  return into;
}

const lastOf = (made) => tree.line(made).at(-1) ?? made;

function problem(text) {
  at('problem').textContent = text;
  at('problem').hidden = !text;
}

const HEAD = /^agon (\S+)\s*\n/;

async function load(text) {
  problem('');
  try {
    const head = text.match(HEAD);
    if (head) {
      await begin(JSON.parse(decodeURIComponent(head[1])), text.slice(head[0].length));
      return;
    }
    const { moves, variations, names, ...from } = await readGame(text, form.elements.game.value);
    await begin(from, tree.toText(tree.fromBranches(moves, variations)), lastOf);
  } catch (error) {
    problem(error.message);
  }
}

/// Searches every position of the line for a moment, and marks the moves that lost most.
async function review() {
  if (reviewing) {
    reviewing.stop();
    return;
  }
  stopEngine();
  let stopped = false;
  let running = null;
  reviewing = {
    stop() {
      stopped = true;
      running?.();
    },
  };
  at('review').textContent = 'Stop';
  const nodes = [root, ...tree.line(node)];
  for (const [ply, one] of nodes.entries()) {
    if (stopped) break;
    at('progress').textContent = `position ${ply + 1} of ${nodes.length}`;
    const last = ply === nodes.length - 1 && (await position(question(one))).result;
    if (last) {
      one.value = { first: 0, text: 'the end', mate: last.winner === null ? null : ['first', 'second'][last.winner] };
      break;
    }
    await new Promise((resolve) => {
      const events = search(one, 1, REVIEW, (name, data) => {
        if (name === 'line' && data.rank === 1) one.value = worth(data);
        if (name === 'values') one.value = worthOfValues(data) ?? one.value;
        if (name === 'end') resolve();
      });
      running = () => {
        events.close();
        resolve();
      };
    });
    showGraph();
    showTree();
  }
  reviewing = null;
  at('review').textContent = 'Mark mistakes';
  runEngine();
}

// Buttons, keys, files.

const step = {
  first: () => go(root),
  previous: () => node.parent && go(node.parent),
  next: () => node.children[0] && go(node.children[0]),
  last: () => go(lastOf(node)),
  pass: () => enter([view.legal.find((move) => !move.to.length).move]),
  delete: () => node !== root && go(tree.remove(node)),
  promote: () => {
    tree.promote(node);
    show();
    keep();
  },
  review,
  engine: () => {
    engineOn = !engineOn;
    at('engine').setAttribute('aria-pressed', String(engineOn));
    runEngine();
  },
  fresh: () => {
    const game = form.elements.game.value;
    const seed = row(game).drawn ? Math.floor(Math.random() * 2 ** 32) : 0;
    return begin({ game, position: null, parameters: {}, seed });
  },
  link: async () => say((await copy(location.href)) ? 'The link is copied.' : `The link: ${location.href}`),
  text: () => {
    const begins = encodeURIComponent(JSON.stringify(start));
    download(`agon-${start.game}.txt`, `agon ${begins}\n${tree.toText(root)}\n`);
  },
};
for (const [id, act] of Object.entries(step)) at(id).addEventListener('click', act);
at('lines').addEventListener('change', runEngine);
for (const button of document.querySelectorAll('[data-format]'))
  button.addEventListener('click', () => {
    // The line on the board is the one of the formats that have but one.
    const whole = tree.line(node).map((one) => one.move);
    const others = tree.lines(root).filter((line) => line.join() !== whole.join());
    const variations = button.dataset.format === 'sgf' ? others : [];
    save({ ...start, moves: whole }, ['', ''], button.dataset.format, { variations })
      .catch((error) => say(error.message));
  });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  load(form.elements.text.value);
});
const page = at('analysis');
page.addEventListener('dragover', (event) => event.preventDefault());
page.addEventListener('drop', async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  load(file ? await file.text() : event.dataTransfer.getData('text'));
});
addEventListener('paste', (event) => {
  if (!event.target.matches?.('input, textarea')) load(event.clipboardData.getData('text'));
});
addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.matches('input, select, textarea') || !view) return;
  const act = {
    ArrowLeft: step.previous,
    ArrowRight: step.next,
    Home: step.first,
    End: step.last,
    e: step.engine,
    Delete: step.delete,
    ' ': event.target.matches('button, a') ? null : playBest,
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
// The engine rests while the page is hidden.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) stopEngine();
  else if (view) runEngine();
});
// Another link in the same tab: the address changes, but no page is loaded.
addEventListener('hashchange', () => location.reload());
addEventListener('pagehide', stopEngine);

const linked = fromHash('renju', location.hash);
const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
const EMPTY = { game: 'renju', position: null, parameters: {}, seed: 0 };
const same = (begins, from) => begins === encodeURIComponent(JSON.stringify(from));
if (linked) {
  const { moves, ...from } = linked.question;
  const text = moves.map((move) => move.replaceAll(' ', '.')).join(' ');
  const known = kept && same(kept.begins, from) ? kept.text : '';
  begin(from, text, lastOf)
    .then(async (made) => {
      // The variations of an earlier visit.
      if (!known || !made) return;
      const here = tree.moves(node);
      for (const moves of tree.lines(tree.fromText(known)))
        grow(made, (await position({ ...from, moves })).moves);
      if (JSON.stringify(here) === JSON.stringify(tree.moves(node))) show();
    })
    .catch((error) => say(error.message));
} else if (kept) {
  const from = JSON.parse(decodeURIComponent(kept.begins));
  const choose = (made) => kept.here.reduce((at, index) => at.children[index] ?? at, made);
  begin(from, kept.text, choose).catch(() => begin(EMPTY));
} else begin(EMPTY);
