// A chapter or a whole study as a page to print: moves with their comments, variations in brackets, and diagrams where
// something is said or drawn, the stones numbered as in the text.

import { board, element } from './board.js';
import { countOf } from './evaluations.js';
import { openingName } from './openings.js';
import { partsOf } from './printedtext.js';
import { position } from './server.js';
import { turned } from './turns.js';
import * as tree from './tree.js';
import { t } from './words.js';

/// Diagrams of a page: each takes a question to the rules and some hundred lines of the drawing.
const MAX_DIAGRAMS = 200;

/// The facts of a game in one line.
function factsText(facts) {
  const result = facts.RE ? [t('Result: {result}', { result: facts.RE })] : [];
  return [facts.EV, facts.RO, facts.PC, facts.DT, ...result].filter(Boolean).join(' · ');
}

/// The diagram of a node, and what is said below it.
async function diagram(start, { node, number }, count) {
  const view = await position({ ...start, moves: tree.moves(node) });
  const host = element('div', { class: 'board' });
  host.classList.add('counted');
  const drawn = board(host, turned(view, start.game));
  const counts = tree.path(node).flatMap((one, n) => countOf(view, one, n + 1));
  const label = t('Diagram {count}', { count });
  drawn.set({ cells: view.cells, moves: [], shapes: [...counts, ...node.shapes], label });
  drawn.end();
  host.replaceChildren(drawn.svg);
  const caption = number ? t('Diagram {count}: after move {number}', { count, number }) : label;
  return element('figure', { class: 'diagram' }, host, element('figcaption', {}, caption));
}

/// The article of a chapter: { name, start, root, facts }. `counter` numbers the diagrams of the page.
async function article({ name, start, root, facts = {} }, counter) {
  const made = element('article', {}, element('h1', {}, name));
  const line = (text, kind) => text && made.append(element('p', kind ? { class: kind } : {}, text));
  const [first, second] = facts.names ?? [];
  const players = [first, second].filter(Boolean).join(' – ');
  if (players !== name) line(players, 'players');
  line(factsText(facts), 'facts');
  line(openingName(start, tree.moves(tree.lastOf(root)).slice(0, 3)), 'facts');
  for (const part of partsOf(root, Boolean(start.position || start.seed || start.parameters?.board))) {
    if (part.kind !== 'diagram') line(part.text, part.kind);
    else if (counter.count < MAX_DIAGRAMS) made.append(await diagram(start, part, (counter.count += 1)));
  }
  return made;
}

/// Shows chapters as a page in place of `instead`; a button prints it, another one leads back and calls `left`.
export async function showPrinted(instead, chapters, left = () => {}) {
  const [counter, articles] = [{ count: 0 }, []];
  for (const chapter of chapters) articles.push(await article(chapter, counter));
  const button = (words, act, kind) => {
    const made = element('button', { type: 'button', ...(kind && { class: kind }) }, words);
    made.addEventListener('click', act);
    return made;
  };
  const back = () => {
    page.remove();
    instead.hidden = false;
    left();
  };
  const actions = element('div', { class: 'actions' });
  actions.append(button(t('Print'), () => globalThis.print(), 'primary'), button(t('Back to the board'), back));
  const page = element('section', { class: 'printed', id: 'printed' }, actions, ...articles);
  instead.hidden = true;
  instead.before(page);
  actions.firstChild.focus();
}
