// The engine on the page of analysis: its buttons, its lines, and what of them is drawn on the board.

import { element } from './board.js';
import { considered, endWords, nothing, received, search } from './engine.js';
import { bestMove, effort, linesOf, shapesOf, worth, worthOfValues } from './evaluations.js';
import { bindPlace, chooseThreads, chosenThreads, searchesHere, showThreads, threadsHere } from './here.js';
import { position } from './server.js';
import { settings } from './table.js';
import { shown } from './tree.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);
/// As long as the server allows: on an own machine until it is stopped.
const ENDLESS = { seconds: 0 };

/// The panel. `owner` has: question(node), noted(node, value), changed(), entered(moves), previewed(moves | null).
export function enginePanel(owner) {
  let [on, threatens, balanced] = [true, false, false];
  let stream = null;
  let known = nothing();
  /// The node that is searched, and the position that the lines begin at.
  let [node, view] = [null, null];
  /// Which search this is: what an earlier one still sends is dropped.
  let number = 0;
  /// The moves that the mouse points at.
  let pointed = null;
  let lines = [];

  const row = () => document.querySelector('#load [name=game]').selectedOptions[0]?.dataset ?? {};
  const scale = () => Number(row().scale ?? 1);
  /// How a search goes on: on several threads where they are to be had, and the game's search knows how.
  const threads = () => (at('with-threads').hidden ? {} : { threads: Number(at('threads').value) });
  const limits = () => ({ ...ENDLESS, ...threads() });
  const legal = (words) => view.legal.find((one) => one.move === words);
  const progress = (...words) => at('progress').replaceChildren(...words);

  function stop() {
    number += 1;
    stream?.close();
    stream = null;
  }

  /// Leaves a move out of the analysis, from the line that begins with it.
  function leftOut(letters) {
    const button = element('button', { type: 'button', class: 'tool' }, '×');
    button.title = t('leave {move} out', { move: letters });
    button.setAttribute('aria-label', button.title);
    button.addEventListener('click', () => {
      at('consider').value = `${at('consider').value} -${letters}`.trim();
      at('more').open = true;
      again();
    });
    return button;
  }

  function lineOf({ letters, moves }) {
    const item = element('span', { class: 'pv' });
    letters.forEach((text, n) => {
      const button = element('button', { type: 'button', class: 'quiet' }, shown(text));
      const upTo = moves.slice(0, n + 1);
      button.addEventListener('click', () => {
        point(null);
        owner.entered(prefixed(upTo));
      });
      button.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && point(prefixed(upTo)));
      button.addEventListener('pointerleave', () => point(null));
      item.append(button, ' ');
    });
    return item;
  }

  /// The moves of a threat come after a pass.
  const passOf = (from) => from.legal.find((move) => !move.to.length && !move.from.length)?.move ?? null;
  let pass = null;
  const prefixed = (moves) => (pass ? [pass, ...moves] : moves);

  function point(moves) {
    pointed = moves;
    owner.previewed(moves);
  }

  /// The lines that are shown to their ends, by their numbers.
  const whole = new Set();

  /// The value of a line, which shows it to its end.
  function valueOf(title, n, item) {
    const button = element('button', { type: 'button', class: 'quiet' }, title);
    button.title = t('the whole line');
    const show = () => {
      button.setAttribute('aria-expanded', String(whole.has(n)));
      item.classList.toggle('whole', whole.has(n));
    };
    button.addEventListener('click', () => {
      if (!whole.delete(n)) whole.add(n);
      show();
    });
    show();
    return button;
  }

  function showLines() {
    at('found').parentElement.style.setProperty('--lines', at('lines').value);
    lines = view ? linesOf(known, view) : [];
    const old = at('found');
    const items = lines.map((line, n) => {
      const item = element('li', {});
      const title = pass ? t('threat {value}', { value: line.title }) : line.title;
      const out = known.found.length && !pass ? [leftOut(line.letters[0])] : [];
      item.append(valueOf(title, n, item), ' ', lineOf(line), ...out);
      return item;
    });
    // The line under the mouse stays while it is looked at.
    if (pointed === null || !old.children.length) old.replaceChildren(...items);
  }

  function take(mine, name, data) {
    if (mine !== number) return;
    known = received(known, name, data);
    if (name === 'line') {
      if (data.rank === 1 && !pass) owner.noted(node, worth(data));
      progress(`${t('depth {depth}', data)}, ${effort(data)}`);
    } else if (name === 'values') {
      if (!pass) owner.noted(node, worthOfValues(data, view.seats));
      progress(`${data.proved ? t('proved') : t('proving …')}, ${effort(data)}`);
    } else if (name === 'end') {
      const [words, again] = endWords(data.reason);
      if (again) goOn(words);
    }
    showLines();
    owner.changed();
  }

  /// Says why a search has ended, and lets it begin again.
  function goOn(words) {
    const button = element('button', { type: 'button', class: 'small', id: 'go-on' }, t('Go on'));
    const [here, from] = [node, view];
    button.addEventListener('click', () => run(here, from, false));
    progress(`${words} `, button);
  }

  async function begin(resting) {
    const mine = number;
    pass = null;
    if (!on || resting || !node || view.result) return;
    if (document.hidden && !settings.hiddenToo) return;
    let question = owner.question(node);
    if (threatens && passOf(view)) {
      const passed = { ...question, moves: [...question.moves, passOf(view)] };
      const after = await position(passed).catch(() => null);
      if (mine !== number) return;
      if (after && !after.result) {
        pass = passOf(view);
        [question, view] = [passed, after];
      }
    }
    if (!row().solved && !pass) {
      const { only, without, unknown } = considered(at('consider').value, view.legal);
      if (unknown.length) {
        progress(t('{moves}: no legal move here', { moves: unknown.join(', ') }));
        return;
      }
      question = { ...question, only, without, balance: balanced };
    }
    const hash = Number(at('hash')?.value);
    if (hash) question = { ...question, hash };
    stream = search(question, Number(at('lines').value), limits(), (name, data) => take(mine, name, data));
  }

  /// Lets the threads be chosen that are to be had where the game is searched.
  function offerThreads(game) {
    const here = searchesHere(game);
    const most = here ? threadsHere() : Number(at('with-threads').dataset.server);
    at('with-threads').hidden = !row().parallel || most < 2;
    at('threads').replaceChildren(...Array.from({ length: most }, (_, n) => element('option', {}, String(n + 1))));
    at('threads').value = chosenThreads(most, here);
    showThreads(Boolean(row().parallel));
  }

  /// Searches a position. `resting`: something else needs the engine.
  function run(nextNode, nextView, resting) {
    stop();
    [node, view, known, pointed] = [nextNode, nextView, nothing(), null];
    progress('');
    offerThreads(owner.question(nextNode).game);
    begin(resting);
    at('threat').disabled = !passOf(nextView);
    for (const id of ['consider', 'balance']) at(id).disabled = Boolean(row().solved);
    showLines();
    owner.changed();
  }

  let again = () => {};
  function toggle() {
    on = !on;
    at('engine').setAttribute('aria-pressed', String(on));
    again();
  }
  function threat() {
    threatens = !threatens;
    at('threat').setAttribute('aria-pressed', String(threatens));
    again();
  }
  function balance() {
    balanced = !balanced;
    at('balance').setAttribute('aria-pressed', String(balanced));
    again();
  }
  at('balance').addEventListener('click', balance);
  for (const id of ['consider', 'hash']) at(id)?.addEventListener('change', () => again());
  at('engine').addEventListener('click', toggle);
  at('threat').addEventListener('click', threat);
  at('lines').addEventListener('change', () => again());
  at('threads').addEventListener('change', () => {
    chooseThreads(at('threads').value);
    again();
  });
  bindPlace(() => again());

  return {
    run(nextNode, nextView, resting) {
      again = () => run(nextNode, nextView, resting);
      run(nextNode, nextView, resting);
    },
    stop,
    toggle,
    threat,
    balance,
    /// What was found is of another chapter.
    forget() {
      stop();
      [known, node, view, pass, pointed] = [nothing(), null, null, null, null];
      at('consider').value = '';
    },
    shapes() {
      if (!view) return [];
      const shapes = shapesOf(known, view, legal, scale());
      return pass ? shapes.map((one) => ({ ...one, tone: 'bad' })) : shapes;
    },
    /// Gives the best move, if one is known.
    best(use) {
      const move = view && !pass && bestMove(known);
      if (move) use(move);
    },
    /// Gives the line under the mouse, else the first one.
    copied(use) {
      const moves = pointed ?? (lines[0] ? prefixed(lines[0].moves) : null);
      if (moves) use(moves);
    },
    pointed: () => pointed,
    /// Searches another question: `valued` gets its worth and best line, `done` is called at the end. Returns what
    /// stops it.
    once(question, limits, valued, done) {
      const [seats, shape] = [view.seats, view];
      const events = search(question, 1, limits, (name, data) => {
        if (name === 'line' && data.rank === 1) valued(worth(data), data.letters);
        if (name === 'best') valued(null, [data.letters]);
        if (name === 'win' && data.win) valued(null, linesOf({ ...nothing(), win: data.win }, shape)[0].letters);
        if (name === 'values')
          valued(worthOfValues(data, seats), data.letters ?? data.line.map((move) => move.join(' ')));
        if (name === 'end') done();
      });
      return () => events.close();
    },
  };
}
