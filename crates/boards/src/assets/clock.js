// The clocks of both sides.

/// `mm:ss`, and tenths of a second when little is left.
export function clockText(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.ceil(left / 1000);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/// Clocks with the milliseconds in `left`. `changed` is called when what they show changes, `flagged` when a side has
/// no time left.
export function clocks(left, increment, changed, flagged) {
  let running = null;
  let since = 0;
  let timer = null;

  const rest = (side) => left[side] - (side === running ? performance.now() - since : 0);

  function tick() {
    clearTimeout(timer);
    if (running === null) return;
    const now = rest(running);
    changed();
    if (now <= 0) {
      const side = running;
      stop();
      flagged(side);
      return;
    }
    // When the text changes next.
    const step = now < 10_000 ? 100 : 1000;
    timer = setTimeout(tick, Math.min(now, (now % step) + 5));
  }

  function stop() {
    if (running !== null) left[running] = rest(running);
    running = null;
    clearTimeout(timer);
    changed();
  }

  return {
    rest,
    stop,
    /// Sets what both sides have left, while no clock runs.
    reset(times) {
      [left[0], left[1]] = times;
      changed();
    },
    running: () => running,
    /// A side begins to think. Whoever thought until now has moved.
    start(side, moved = false) {
      const before = running;
      stop();
      if (moved && before !== null) left[before] += increment;
      [running, since] = [side, performance.now()];
      tick();
    },
  };
}
