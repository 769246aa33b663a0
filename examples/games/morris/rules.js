// Nine men's morris for Agon: docs/own-game.md explains every line that is read and written here.
const GAME = `name morris
title Nine Men's Morris
summary three in a row take a stone; whoever has two left, or cannot move, loses
rule First both put their nine stones on the board by turns: MOVE d1. Then a stone moves along a line: MOVE d1 g1.
rule Who has three stones left may move one of them anywhere.
rule Three in a row along a line are a mill. Who makes one takes a stone of the other side at once: MOVE take a7.
rule Stones in mills are taken only if there are no others. A game of 200 moves is a draw.
seats Blue Red
plies 200
has moves view save playout draws`;

// Points by their columns a to g and rows 1 to 7: three squares, and the lines between their middles.
const POINTS = [...'abcdefg'].flatMap((column, x) => [1, 2, 3, 4, 5, 6, 7].filter((row) => {
  const [across, up] = [Math.abs(x - 3), Math.abs(row - 4)];
  return across + up > 0 && (across === 0 || up === 0 || across === up);
}).map((row) => column + row));
const at = (point) => [point.charCodeAt(0) - 97, 7 - Number(point[1])];

// The lines of three points: in each column and row there is one, in the middle ones there are two.
const LINES = [0, 1].flatMap((axis) => [0, 1, 2, 3, 4, 5, 6].flatMap((line) => {
  const points = POINTS.filter((point) => at(point)[axis] === line).sort((a, b) => at(a)[1 - axis] - at(b)[1 - axis]);
  return points.length === 6 ? [points.slice(0, 3), points.slice(3)] : [points];
}));
const EDGES = LINES.flatMap(([a, b, c]) => [[a, b], [b, c]]);
const beside = (point) => EDGES.flatMap(([a, b]) => (a === point ? [b] : b === point ? [a] : []));
const NEIGHBOURS = Object.fromEntries(POINTS.map((point) => [point, new Set(beside(point))]));
const LINES_OF = Object.fromEntries(POINTS.map((point) => [point, LINES.filter((line) => line.includes(point))]));

let board, turn, hand, takes, ply, last;

function start() {
  board = Object.fromEntries(POINTS.map((point) => [point, 0]));
  [turn, hand, takes, ply, last] = [1, { 1: 9, 2: 9 }, false, 0, null];
}

const stones = (side) => POINTS.filter((point) => board[point] === side);
const inMill = (point) => LINES_OF[point].some((line) => line.every((one) => board[one] === board[point]));

function moves() {
  if (ply >= 200) return [];
  if (takes) {
    const all = stones(3 - turn);
    const free = all.filter((point) => !inMill(point));
    return (free.length ? free : all).map((point) => `take ${point}`);
  }
  const empty = stones(0);
  if (hand[turn]) return empty;
  const own = stones(turn);
  if (own.length < 3) return [];
  return own.flatMap((from) => empty
    .filter((to) => own.length === 3 || NEIGHBOURS[from].has(to)).map((to) => `${from} ${to}`));
}

function play(text) {
  if (!moves().includes(text)) return 'a point, two points of a step, or `take` and a point expected';
  const words = text.split(' ');
  ply += 1;
  last = words.at(-1);
  if (takes) {
    board[last] = 0;
    takes = false;
  } else {
    if (words.length === 2) board[words[0]] = 0;
    else hand[turn] -= 1;
    board[last] = turn;
    takes = inMill(last) && stones(3 - turn).length > 0;
  }
  if (!takes) turn = 3 - turn;
  return null;
}

function situation() {
  const names = { 1: 'first', 2: 'second' };
  if (ply >= 200) return ['end draw 200 moves are played'];
  if (moves().length) return [`turn ${names[turn]}`];
  const why = stones(turn).length < 3 ? 'the other side has two stones left' : 'the other side cannot move';
  return [`end ${names[3 - turn]} ${why}`];
}

const save = () =>
  [POINTS.map((point) => board[point]).join(''), turn, hand[1], hand[2], Number(takes), ply].join(' ');

function load(text) {
  const found = /^([012]{24}) ([12]) ([0-9]) ([0-9]) ([01]) (\d{1,3})$/.exec(text);
  if (!found || Number(found[6]) > 200) return false;
  start();
  POINTS.forEach((point, n) => (board[point] = Number(found[1][n])));
  const [side, first, second, mill, played] = found.slice(2).map(Number);
  [turn, hand, takes, ply] = [side, { 1: first, 2: second }, mill === 1, played];
  return save() === text && (!takes || stones(3 - turn).length > 0);
}

function view() {
  const where = (point) => at(point).map((n) => n * 1.25).join(' ');
  const points = POINTS.map((point) => `place ${point} ${where(point)} ${'.BR'[board[point]]}`);
  const held = [1, 2].map((side) => `cards ${side === 1 ? 'first' : 'second'}:in-hand ${hand[side]}`);
  const mark = last ? [`mark placed ${last}`] : [];
  return ['stones BR', ...points, ...EDGES.map((edge) => `edge ${edge.join(' ')}`), ...held, ...mark];
}

function playout(number) {
  const before = save();
  let state = Number(number) >>> 0;
  for (let all = moves(); all.length; all = moves()) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    play(all[Math.floor((state / 2 ** 32) * all.length)]);
  }
  const lines = situation();
  load(before);
  return lines;
}

function answer(line) {
  const [, word, rest] = /^(\S*) ?(.*)$/.exec(line);
  if (word === 'GAME') return [GAME];
  if (word === 'START') return start() ?? situation();
  if (word === 'PLAY') {
    const refused = play(rest.split(' ').slice(2).join(' '));
    return refused ? `no ${refused}` : situation();
  }
  if (word === 'MOVES') return moves().map((move) => `move ${move}`);
  if (word === 'VIEW') return view();
  if (word === 'SAVE') return [`state ${save()}`];
  if (word === 'LOAD') return load(rest) ? situation() : 'no this is no state that SAVE wrote';
  if (word === 'PLAYOUT') return playout(rest);
  return 'no such question';
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const lines = answer(line);
  process.stdout.write(typeof lines === 'string' ? `${lines}\n` : [...lines, 'ok', ''].join('\n'));
});
