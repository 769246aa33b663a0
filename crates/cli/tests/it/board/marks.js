// Presses on the mark of every move of some positions, on boards of many sizes, with mouse and finger.
const base = document.querySelector('script[type=module]').src.replace(/[^/]*$/, '');

async function pressed() {
  const [{ board }, { position }] = await Promise.all(['board.js', 'server.js'].map((file) => import(base + file)));
  const found = { count: 0, wrong: [] };
  const games = [['bacteria', []], ['domineering', []], ['domineering', ['4 4']], ['renju', ['8 8']]];
  for (const [game, moves] of games) {
    const view = await position({ game, position: null, parameters: {}, seed: 0, moves });
    for (const width of [280, 320, 333, 768, 1240]) {
      const host = document.createElement('div');
      host.style.cssText = `position: absolute; left: 3.3px; top: 0; width: ${width}px`;
      document.body.append(host);
      let made = null;
      const drawn = board(host, view, (move) => (made = move));
      // No real pointer is down.
      drawn.svg.setPointerCapture = () => {};
      drawn.set({ cells: view.cells, moves: view.legal, dots: true });
      const { left, top, width: wide } = drawn.svg.getBoundingClientRect();
      const seen = drawn.svg.viewBox.baseVal;
      const scale = wide / seen.width;
      const middle = (cells) => {
        const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
        const x = 50 + 40 * mean(cells.map((at) => at % view.columns));
        const y = 50 + 40 * mean(cells.map((at) => Math.floor(at / view.columns)));
        return { clientX: left + (x - seen.x) * scale, clientY: top + (y - seen.y) * scale };
      };
      for (const pointerType of ['mouse', 'touch']) {
        const press = (cells) => {
          for (const kind of ['pointerdown', 'pointerup'])
            drawn.svg.dispatchEvent(new PointerEvent(kind, { ...middle(cells), pointerType, pointerId: 1 }));
        };
        for (const move of view.legal.filter(({ to }) => to.length)) {
          made = null;
          if (move.from.length) press([move.from[0]]);
          press(move.to);
          found.count += 1;
          if (made !== move) found.wrong.push([game, width, pointerType, move.letters, made?.letters ?? null]);
        }
      }
      drawn.end();
      host.remove();
    }
  }
  return found;
}
pressed().then((found) => (window.pressed = found), (error) => (window.pressed = { wrong: [String(error)] }));
