// The look of the boards: chosen in the settings, kept in this browser, and put on the page before anything is drawn.

const KEPT = 'agon.theme';
const THEMES = ['', 'wood', 'paper', 'dark', 'contrast'];

export function currentTheme() {
  const name = localStorage.getItem(KEPT) ?? '';
  return THEMES.includes(name) ? name : '';
}

function apply(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

/// Lets the look be chosen by a field.
export function bindTheme(field) {
  field.value = currentTheme();
  field.addEventListener('change', () => {
    localStorage.setItem(KEPT, field.value);
    apply(field.value);
  });
}

apply(currentTheme());
