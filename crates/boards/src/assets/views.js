// What stands beside the board: one of several views at a time, chosen by a row of buttons.

/// Binds the buttons in `host`; each names its view, the element with the id `NAME-view`. `changed` gets the name.
export function views(host, changed) {
  const buttons = [...host.children];
  const open = () => buttons.find((button) => button.getAttribute('aria-pressed') === 'true').dataset.view;
  function show(name) {
    if (name === open()) return;
    for (const button of buttons) {
      const here = button.dataset.view === name;
      button.setAttribute('aria-pressed', String(here));
      document.getElementById(`${button.dataset.view}-view`).hidden = !here;
    }
    changed(name);
  }
  for (const button of buttons) button.addEventListener('click', () => show(button.dataset.view));
  return { show, open };
}
