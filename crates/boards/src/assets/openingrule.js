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

/// Plays an opening on the page. `host` has `name`, the game; `player(text)`, the name of a player; `show(view, moves,
/// words)`, which draws; `complete(opening, parameter, black)`, for the game that follows; `failed(error)`.
export function openingRule(host) {
  const panel = at('opening-rule');
  const kept = `agon.board.${host.name}.opening`;
  /// { rule, rules, players, clock, seed, decisions: [text] }; null while none goes on.
  let opening = null;
  let answer = null;
  let turn = 0;

  const isHuman = (player) => opening.players[player] === 'human';
  const keep = () => {
    if (opening) localStorage.setItem(kept, JSON.stringify(opening));
    else localStorage.removeItem(kept);
  };

  function who(player) {
    const number = t('player {number}', { number: player + 1 });
    const both = isHuman(0) && isHuman(1);
    return both ? number : host.player(opening.players[player], !isHuman(1 - player));
  }

  /// Ends the opening without a game.
  function stop() {
    turn += 1;
    [opening, answer] = [null, null];
    panel.hidden = true;
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
    const words = mine
      ? t('{colour} ({who}): {step}.', { who: who(step.player), colour, step: step.text })
      : t('{colour} ({who}) decides …', { who: who(step.player), colour });
    at('opening-words').replaceChildren(
      ...(mine ? step.words.map((word) => button(WORDS[word] ?? word, () => decide(word))) : []),
      ...(decisions.some(({ player }) => isHuman(player)) ? [button(t('Take back'), takeBack)] : []),
    );
    at('opening-decisions').replaceChildren(
      ...decisions.map((one) => element('li', {}, t('{who}: {what}', { who: who(one.player), what: decided(one) }))),
    );
    panel.hidden = false;
    host.show(view, mine ? view.legal : [], words, (move) => decide(move.letters));
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
    /// Goes on with an opening that was kept; whether there was one.
    resume() {
      opening = JSON.parse(localStorage.getItem(kept) ?? 'null');
      if (!opening) return false;
      next(false);
      return true;
    },
  };
}
