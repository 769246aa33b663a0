// What the browser keeps of puzzles: which are solved, how many in a row, and on which days. Plain values, no page.

/// Of whom nothing is known: `solved` has the numbers of solved puzzles by game, `row` how many were solved in a row
/// without a wrong move, `best` the most, `days` the first and the last of the days in a row on which the puzzle of the
/// day was solved, `lost` the last day whose puzzle was missed, or shown. `shown` has the numbers of the puzzles that
/// were on the board by game, the last one at the end.
export const NOTHING = { solved: {}, shown: {}, row: 0, best: 0, days: null, lost: null };

/// What is known after a puzzle came on the board.
export function seen(known, game, number) {
  const before = (known.shown[game] ?? []).filter((one) => one !== number);
  return { ...known, shown: { ...known.shown, [game]: [...before, number] } };
}

/// What is known after an attempt. `number` is null of a puzzle that is in no set, `day` that of a puzzle of the day.
export function attempted(known, { game, number = null, day = null, right }) {
  const row = right ? known.row + 1 : 0;
  const next = { ...known, row, best: Math.max(known.best, row) };
  if (!right) return day === null ? next : { ...next, lost: day };
  if (number !== null) {
    const before = known.solved[game] ?? [];
    next.solved = { ...known.solved, [game]: before.includes(number) ? before : [...before, number] };
  }
  // Once it is shown it counts no more on that day.
  if (day !== null && known.lost !== day) {
    const [first, last] = known.days ?? [];
    if (last !== day) next.days = [last === day - 1 ? first : day, day];
  }
  return next;
}

/// How many days in a row the puzzle of the day was solved, up to today or yesterday.
export function daysInRow({ days }, today) {
  if (!days || days[1] < today - 1) return 0;
  return days[1] - days[0] + 1;
}

/// The number of the day on the calendar of this place.
export const dayOf = (date) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);

/// The rows that fit: [{ number, kind, grade }…]; an empty word fits all.
export const fitting = (rows, kind, grade) =>
  rows.filter((row) => (!kind || row.kind === kind) && (!grade || row.grade === Number(grade)));

/// One of these that is not solved yet, else any: one that was never shown if there is one, else the one that was shown
/// longest ago. Kinds and grades come equally often, however many puzzles they have.
export function chosen(rows, solved, shown, draw = Math.random) {
  const other = rows.length > 1 ? rows.filter((row) => row.number !== shown.at(-1)) : rows;
  const open = other.filter((row) => !solved.includes(row.number));
  const among = open.length ? open : other;
  const fresh = among.filter((row) => !shown.includes(row.number));
  const age = (row) => shown.indexOf(row.number);
  if (!fresh.length) return among.toSorted((one, other) => age(one) - age(other))[0]?.number ?? null;
  const one = (list) => list[Math.floor(draw() * list.length)];
  const part = (list, of) => {
    const value = one([...new Set(list.map(of))]);
    return list.filter((row) => of(row) === value);
  };
  return one(part(part(fresh, (row) => row.kind), (row) => row.grade)).number;
}

/// What is kept in the browser; whatever else stands there is as if nothing did.
export function recalled(text) {
  try {
    const kept = JSON.parse(text);
    const pair = Array.isArray(kept.days) && kept.days.length === 2 && kept.days.every(Number.isInteger);
    const days = pair ? kept.days : null;
    const lists = (of) => Object.fromEntries(Object.entries(of ?? {}).filter(([, list]) => Array.isArray(list)));
    const lost = Number.isInteger(kept.lost) ? kept.lost : null;
    const [solved, shown] = [lists(kept.solved), lists(kept.shown)];
    return { solved, shown, row: kept.row | 0, best: kept.best | 0, days, lost };
  } catch {
    return NOTHING;
  }
}
