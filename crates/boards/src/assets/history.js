// What was changed, and how it is taken back.
//
// A change: { words, redo, undo }; both functions may take their time, and one that fails was not made.

/// Changes that can be taken back.
const MAX_CHANGES = 500;

/// A history of changes. `changed` is called after each step.
export function history(changed = () => {}) {
  const [done, undone] = [[], []];
  // Steps wait for each other.
  let last = Promise.resolve();
  const inTurn = (step) => {
    const next = last.then(step);
    last = next.catch(() => {});
    return next;
  };
  const step = (from, to, way) =>
    inTurn(async () => {
      const change = from.pop();
      if (!change) return null;
      const result = await change[way]();
      to.push(change);
      changed();
      return { words: change.words, result };
    });
  return {
    /// Makes a change.
    make: (change) =>
      inTurn(async () => {
        const result = await change.redo();
        done.push(change);
        if (done.length > MAX_CHANGES) done.shift();
        undone.length = 0;
        changed();
        return result;
      }),
    /// Takes the last change back, and returns { words, result }; nothing if there is none.
    undo: () => step(done, undone, 'undo'),
    /// Makes the change again that was taken back last.
    redo: () => step(undone, done, 'redo'),
    undoWords: () => done.at(-1)?.words ?? null,
    redoWords: () => undone.at(-1)?.words ?? null,
  };
}
