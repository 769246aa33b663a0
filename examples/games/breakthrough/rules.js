// Breakthrough (Dan Troyka, 2000) for Agon: docs/own-game.md explains every line that is read and written here.
const GAME = `name breakthrough
title Breakthrough
summary pawns step forward and capture diagonally; the first on the far row wins
rule MOVE r1 c1 r2 c2 moves a pawn from row r1, column c1, both counted from 1 from the upper left corner.
rule A pawn steps one row forward, straight or diagonally, to an empty square; it captures diagonally alone.
rule White (first) has the two lowest rows and moves up; Black has the two uppermost and moves down.
rule Who reaches the far row, or captures the last enemy pawn, wins. There are no draws and no passes.
seats White Black
parameter size 5..8 8 rows and columns
plies 256
has moves view save playout`;

let size = 8;
let board = []; // 'W', 'B' or '.', row by row from above
let turn = 'first';
let winner = '';
let last = -1;

// Sets up a game; nothing is random here.
function start(seed, parameters) {
  size = Number(parameters.size);
  const rows = (stone) => Array(2 * size).fill(stone);
  board = [...rows('B'), ...Array(size * (size - 4)).fill('.'), ...rows('W')];
  [turn, winner, last] = ['first', '', -1];
  return [`info both size ${size}`];
}

const mine = () => (turn === 'first' ? 'W' : 'B');
const theirs = () => (turn === 'first' ? 'B' : 'W');

// Where the pawn on a square may go.
function targets(from) {
  const row = Math.floor(from / size) + (turn === 'first' ? -1 : 1);
  const column = from % size;
  if (row < 0 || row >= size) return [];
  return [column - 1, column, column + 1]
    .filter((to) => to >= 0 && to < size)
    .map((to) => row * size + to)
    .filter((to) => board[to] === '.' || (board[to] === theirs() && to % size !== column));
}

const place = (square) => `${Math.floor(square / size) + 1} ${(square % size) + 1}`;

function moves() {
  if (winner) return [];
  const list = [];
  board.forEach((stone, from) => {
    if (stone === mine()) targets(from).forEach((to) => list.push(`${place(from)} ${place(to)}`));
  });
  return list;
}

// Plays a move, or returns why it is refused.
function play(side, chance, move) {
  if (winner) return 'the game is over';
  const words = move.split(' ');
  const numbers = words.map(Number);
  if (words.length !== 4 || !words.every((word) => /^[1-9]$/.test(word)) || numbers.some((n) => n > size)) {
    return `four numbers from 1 to ${size} expected: row and column of the pawn, then where it goes`;
  }
  const [from, to] = [(numbers[0] - 1) * size + numbers[1] - 1, (numbers[2] - 1) * size + numbers[3] - 1];
  if (board[from] !== mine()) return 'there is no pawn of yours';
  if (!targets(from).includes(to)) return 'a pawn steps one row forward, and captures diagonally alone';
  board[to] = board[from];
  board[from] = '.';
  last = to;
  const far = turn === 'first' ? to < size : to >= size * (size - 1);
  if (far) winner = `${turn} a pawn is on the far row`;
  else if (!board.includes(theirs())) winner = `${turn} the last enemy pawn is captured`;
  turn = turn === 'first' ? 'second' : 'first';
  return '';
}

const situation = () => [winner ? `end ${winner}` : `turn ${turn}`];

const save = () => [size, board.join(''), winner || turn].join(' ');

// Goes on from a saved state; says whether it is one.
function load(text) {
  const words = text.split(' ');
  const places = /^[5-8]$/.test(words[0]) ? words[0] ** 2 : 0;
  if (!places || words[1]?.length !== places || /[^.WB]/.test(words[1])) return false;
  if (words[2] !== 'first' && words[2] !== 'second') return false;
  size = Number(words[0]);
  board = words[1].split('');
  // A winner is a side and a reason; who would be next does not matter any more.
  winner = words.length > 3 ? words.slice(2).join(' ') : '';
  turn = words[2];
  last = -1;
  return true;
}

function view(watcher) {
  const lines = ['stones WB'];
  for (let row = 0; row < size; row += 1) lines.push(`row ${board.slice(row * size, (row + 1) * size).join('')}`);
  if (last >= 0) lines.push(`mark placed ${place(last)}`);
  return lines;
}

// From here on it is the same for every game.

// Random numbers from a number, the same on every machine.
function numbers(seed) {
  let state = BigInt(seed) & 0xffffffffffffffffn;
  return (below) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(below));
  };
}

function playout(seed) {
  const before = save();
  const draw = numbers(seed);
  for (let list = moves(); list.length; list = moves()) play(turn, draw(2 ** 30), list[draw(list.length)]);
  const lines = situation();
  load(before);
  return lines;
}

function answer(line) {
  const at = line.indexOf(' ');
  const word = at < 0 ? line : line.slice(0, at);
  const rest = at < 0 ? '' : line.slice(at + 1);
  const words = rest.split(' ');
  switch (word) {
    case 'GAME': return GAME.split('\n');
    case 'START': {
      const news = start(Number(words[0]), Object.fromEntries(words.slice(1).map((pair) => pair.split('='))));
      return news.concat(situation());
    }
    case 'PLAY': {
      const refused = play(words[0], Number(words[1]), words.slice(2).join(' '));
      return refused ? [`no ${refused}`] : situation();
    }
    case 'MOVES': return moves().map((move) => `move ${move}`);
    case 'VIEW': return view(rest);
    case 'SAVE': return [`state ${save()}`];
    case 'LOAD': return load(rest) ? situation() : ['no this is no state that SAVE wrote'];
    case 'PLAYOUT': return playout(rest);
    default: return ['no such question'];
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const lines = answer(line);
  if (!lines.length || !lines[0].startsWith('no ')) lines.push('ok');
  process.stdout.write(`${lines.join('\n')}\n`);
});
