// Puzzles: a position in which one move alone wins. The server makes and proves them; the seed in the address is the
// puzzle.

import { bars, board as makeBoard, element } from './board.js';
import { toHash } from './files.js';
import { position } from './server.js';
import './theme.js';

const at = (id) => document.getElementById(id);
const say = (words) => (at('status').textContent = words);
let puzzle = null;
let drawn = null;
let asked = 0;

const question = (moves) => ({ game: puzzle.game, position: puzzle.position, parameters: {}, seed: 0, moves });

async function show(moves, playable) {
  const view = await position(question(moves));
  drawn?.end();
  const squares = element('div');
  at('board').replaceChildren(squares, ...bars(view, view.gauges, view.amounts));
  drawn = makeBoard(squares, view, (move) => (move.move === puzzle.solution[0] ? solved('Right.') : wrong(move)));
  drawn.set({ cells: view.cells, label: `board, ${puzzle.text}`, moves: playable ? view.legal : [] });
}

function wrong(move) {
  say(`${move.letters} does not win. ${puzzle.text}.`);
  drawn.say(`${move.letters} does not win`);
}

/// Shows the winning line.
async function solved(word) {
  await show(puzzle.solution, false);
  say(`${word} ${puzzle.letters.map((letters) => letters.replaceAll(' ', ',')).join(' ')}.`);
  at('solution').disabled = true;
}

async function next(seed) {
  const mine = ++asked;
  say('A puzzle is made and proved …');
  const game = at('game').value;
  try {
    const response = await fetch(`/api/v1/puzzles/${game}${seed ? `?seed=${seed}` : ''}`);
    const answer = await response.json();
    if (mine !== asked) return;
    if (!response.ok) throw new Error(answer.detail);
    puzzle = answer;
    history.replaceState(null, '', `#game=${game}&seed=${puzzle.seed}`);
    await show([], true);
    at('solution').disabled = false;
    at('analyse').href = `/board/analysis${toHash(question([]), { game })}`;
    at('grade').textContent = `Grade ${puzzle.grade}: the proof took ${puzzle.nodes.toLocaleString('en')} nodes.`;
    say(`${puzzle.text}.`);
  } catch (error) {
    if (mine === asked) say(error.message);
  }
}

at('next').addEventListener('click', () => next());
at('game').addEventListener('change', () => next());
at('solution').addEventListener('click', () => solved('The solution:'));
const words = new URLSearchParams(location.hash.slice(1));
if ([...at('game').options].some((option) => option.value === words.get('game'))) at('game').value = words.get('game');
next(words.get('seed'));
