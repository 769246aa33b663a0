// last-stone: from a heap of stones each side takes 1 to 3; whoever takes the last one wins.
const GAME = `name last-stone
title Last Stone
summary each side takes 1 to 3 stones from a heap; whoever takes the last one wins
rule MOVE n takes n stones, from 1 to 3.
rule Both are sent the line INFO stones N before READY.
seats First Second
parameter stones 5..60 21 stones in the heap
plies 60
has moves view save playout`;

let stones = 21;
let turn = 'first';

// Sets up a game; all chance comes from the seed. Returns lines for the agents.
function start(seed, parameters) {
  stones = Number(parameters.stones);
  turn = 'first';
  return [`info both stones ${stones}`];
}

// The legal moves of the side to move; none when the game is over.
function moves() {
  return ['1', '2', '3'].filter((taken) => Number(taken) <= stones);
}

// Plays a move, or returns why it is refused. What is random comes from the number `chance`.
function play(side, chance, move) {
  if (!moves().includes(move)) return `1 to 3 stones expected, and not more than are left: ${stones}`;
  stones -= Number(move);
  turn = side === 'first' ? 'second' : 'first';
  return '';
}

// Whose turn it is, or who has won and why.
function situation() {
  if (stones === 0) return [`end ${turn === 'first' ? 'second' : 'first'} the last stone is taken`];
  return [`turn ${turn}`];
}

const save = () => `${stones} ${turn}`;

// Goes on from a saved state; says whether it is one.
function load(text) {
  const [heap, side, ...more] = text.split(' ');
  if (!/^\d+$/.test(heap) || Number(heap) > 60 || !['first', 'second'].includes(side) || more.length) return false;
  stones = Number(heap);
  turn = side;
  return true;
}

const view = (watcher) => [`row ${'o'.repeat(stones) || '.'}`];

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
