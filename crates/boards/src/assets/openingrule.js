// An opening of renju by an opening rule, before the game itself: people place stones, swap and offer fifth moves, and
// the champion decides for an engine. It is kept in this browser until it is complete.

import { element } from './board.js';
import { opening as asked } from './server.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);

/// What the words of a decision say on a button.
const WORDS = {
  keep: t('Keep the colours'),
  swap: t('Swap the colours'),
  ten: t('Keep, and offer ten fifth moves'),
  two: t('Place two more stones'),
};

/// A decision in words.
function decided({ kind, text }) {
  if (kind === 'keep') return t('keeps the colours');
  if (kind === 'swap') return t('swaps the colours');
  if (kind === 'ten') return t('offers ten fifth moves');
  if (kind === 'two') return t('places two more stones');
  if (kind === 'announce') return t('announces fifth moves: {count}', { count: text });
  if (kind === 'offer') return t('offers {point}', { point: text });
  if (kind === 'choose') return t('chooses {point}', { point: text });
  return text;
}

/// Marks the last stone of an opening, which a position without its moves does not know.
function marked(view, decisions) {
  const last = decisions.findLast(({ kind }) => kind === 'stone');
  if (!last) return view;
  const place = (view.rows - Number(last.text.slice(1))) * view.columns + last.text.charCodeAt(0) - 65;
  return { ...view, cells: view.cells.map((cell, n) => (n === place ? [...cell.slice(0, 4), 'placed'] : cell)) };
}

/// Plays an opening on the page. `host` has `name`, the game; `player(text)`, the name of a player; `show(view, moves,
/// words, decide, seats)`, which draws, `seats` being the names of who holds Black and White; `complete(opening,
/// parameter, black)`, for the game that follows; `address(opening)`, its address; `failed(error)`.
export function openingRule(host) {
  const panel = at('opening-rule');
  const kept = `agon.board.${host.name}.opening`;
  /// { rule, rules, players, clock, seed, decisions: [text] }; null while none goes on.
  let opening = null;
  let answer = null;
  let turn = 0;

  const isHuman = (player) => opening.players[player] === 'human';
  /// An opening of a game that goes on: its players and decisions.
  let over = null;
  const keep = () => {
    if (!opening) return void localStorage.removeItem(kept);
    localStorage.setItem(kept, JSON.stringify(opening));
    history.replaceState(null, '', host.address(opening));
  };

  function who(player, { players } = opening) {
    const number = t('player {number}', { number: player + 1 });
    const human = players.map((one) => one === 'human');
    return human[0] && human[1] ? number : host.player(players[player], !human[1 - player]);
  }

  /// A decision with who has made it.
  const worded = (one, of) => t('{who}: {what}', { who: who(one.player, of), what: decided(one) });

  function showDecisions(decisions, of) {
    at('opening-decisions').replaceChildren(...decisions.map((one) => element('li', {}, worded(one, of))));
    at('opening-made').hidden = !decisions.length;
  }

  /// What an engine has decided last, besides its stones, as a sentence.
  function lately(decisions, of) {
    const own = decisions.findLastIndex(({ player }) => of.players[player] === 'human');
    const last = decisions.slice(own + 1).filter(({ kind }) => kind !== 'stone');
    const words = last.map((one, n) => (one.player === last[n - 1]?.player ? decided(one) : worded(one, of)));
    return words.length ? `${words.join(', ')}. ` : '';
  }

  /// Ends the opening without a game.
  function stop() {
    turn += 1;
    [opening, answer] = [null, null];
    panel.hidden = true;
    at('opening-made').hidden = true;
    keep();
  }

  function decide(text) {
    opening.decisions.push(text);
    keep();
    return next(false);
  }

  function takeBack() {
    let count = opening.decisions.length;
    const made = (number) => answer.decisions[number]?.player;
    do count -= 1;
    while (count > 0 && !isHuman(made(count)));
    opening.decisions = opening.decisions.slice(0, Math.max(0, count));
    keep();
    next(false);
  }

  function button(text, act, primary = false) {
    const made = element('button', { type: 'button', ...(primary && { class: 'primary' }) }, text);
    made.addEventListener('click', act);
    return made;
  }

  function show() {
    const { next: step, position: view, decisions } = answer;
    const mine = step && isHuman(step.player);
    const colour = step && view.seats[step.colour];
    const said = lately(decisions, opening);
    const words = mine
      ? said + t('{colour} ({who}): {step}.', { who: who(step.player), colour, step: step.text })
      : said + t('{colour} ({who}) decides …', { who: who(step.player), colour });
    at('opening-words').replaceChildren(
      ...(mine ? step.words.map((word) => button(WORDS[word] ?? word, () => decide(word))) : []),
      ...(decisions.some(({ player }) => isHuman(player)) ? [button(t('Take back'), takeBack)] : []),
    );
    showDecisions(decisions, opening);
    at('opening-made').open = true;
    panel.hidden = false;
    const seats = [answer.black, 1 - answer.black].map((player) => who(player));
    host.show(marked(view, decisions), mine ? view.legal : [], words, (move) => decide(move.letters), seats);
  }

  /// Asks what is next, or what the champion decides.
  async function next(engine) {
    turn += 1;
    const mine = turn;
    const { rule, rules, seed, decisions } = opening;
    try {
      const question = { game: host.name, rule, decisions: decisions.join(' '), decide: engine, seed };
      const found = await asked(rules ? { ...question, rules } : question);
      if (mine !== turn) return;
      answer = found;
      opening.decisions = answer.decisions.map(({ text }) => text);
      keep();
    } catch (error) {
      if (mine !== turn) return;
      // A decision that is refused is not made.
      if (error.at !== undefined) opening.decisions = opening.decisions.slice(0, error.at);
      host.failed(error);
      return;
    }
    if (answer.next) {
      show();
      if (!isHuman(answer.next.player)) await next(true);
      return;
    }
    const [ended, { parameter, black }] = [opening, answer];
    stop();
    host.complete(ended, parameter, black);
  }

  return {
    /// Whether an opening goes on.
    goesOn: () => opening !== null,
    stop,
    begin({ rule, rules, players, clock }) {
      opening = { rule, rules, players, clock, seed: Math.floor(Math.random() * 2 ** 32), decisions: [] };
      keep();
      return next(false);
    },
    /// Goes on with an opening that was kept: { rule, rules, players, clock }, or null where there is none.
    resume() {
      opening = JSON.parse(localStorage.getItem(kept) ?? 'null');
      if (opening) next(false);
      return opening;
    },
    /// Goes on with the opening of a link, which is returned; null if the link has none, or a complete one.
    async read({ question: { parameters } }, players, clock) {
      const [rule, ...decisions] = (parameters['opening-rule'] ?? '').split(' ');
      if (!rule) return null;
      const { rules = null } = parameters;
      const question = { game: host.name, rule, decisions: decisions.join(' '), decide: false, seed: 0 };
      const found = await asked(rules ? { ...question, rules } : question).catch(() => null);
      if (!found?.next) return null;
      opening = { rule, rules, players, clock, seed: Math.floor(Math.random() * 2 ** 32), decisions };
      next(false);
      return opening;
    },
    /// Lists how the opening of a game was decided; `seats` are its players, Black first. Calls `changed` then.
    async list({ parameters }, seats, changed) {
      turn += 1;
      const mine = turn;
      over = null;
      at('opening-made').hidden = true;
      const [rule, ...words] = (parameters['opening-rule'] ?? '').split(' ');
      if (!words.length) return;
      const { rules } = parameters;
      const question = { game: host.name, rule, decisions: words.join(' '), decide: false, seed: 0 };
      const { decisions, black } = await asked(rules ? { ...question, rules } : question);
      if (mine !== turn) return;
      over = { players: black === 0 ? seats : seats.toReversed(), decisions };
      showDecisions(decisions, over);
      at('opening-made').open = false;
      changed();
    },
    /// Who kept or swapped the colours at the end of the opening, before its last stone perhaps.
    said() {
      const last = over?.decisions.slice(-2).findLast(({ kind }) => kind === 'keep' || kind === 'swap');
      return last ? `${worded(last, over)}. ` : '';
    },
  };
}
