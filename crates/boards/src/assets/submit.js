// Dropping a file, and the language and the program's name that its name says.

import { takeFiles } from './drop.js';
import './lines.js';

const form = document.querySelector('[data-submit]');
const [file, source, language, competition, program] =
  ['file', 'source', 'language', 'contest', 'name'].map((name) => form.elements[name]);
let typed = 'named' in form.dataset;
const LARGEST = 1 << 20;
const LANGUAGES = {
  c: 'C20',
  cpp: 'CPP20',
  cc: 'CPP20',
  cxx: 'CPP20',
  py: 'PYTHON3',
  java: 'JAVA',
  rs: 'RUST',
  js: 'JAVASCRIPT',
  rb: 'RUBY',
};

async function take(chosen) {
  if (!chosen) return;
  if (chosen.size > LARGEST) {
    file.setCustomValidity(form.dataset.large.replace('{}', Math.ceil(chosen.size / 1024)));
    file.reportValidity();
    return;
  }
  file.setCustomValidity('');
  // As `agon submit` names it.
  if (!typed) program.value = chosen.name.replace(/\.(tar\.gz|[^.]*)$/i, '').slice(0, program.maxLength);
  if (/\.(zip|tgz|tar\.gz)$/i.test(chosen.name)) {
    // The site unpacks it, and finds the language by the main file.
    [language.value, source.value] = ['', ''];
    return;
  }
  const known = LANGUAGES[chosen.name.split('.').pop().toLowerCase()];
  // CPython and PyPy have the same files.
  if (known && !(known === 'PYTHON3' && language.value === 'PYPY3')) language.value = known;
  source.value = await chosen.text();
}

// A competition may take a few languages only.
function offer() {
  const taken = competition.selectedOptions[0]?.dataset.languages?.split(' ');
  for (const option of language.options) {
    const open = option.value === '' || !taken || taken.includes(option.value);
    [option.hidden, option.disabled] = [!open, !open];
    if (!open && option.selected) language.value = '';
  }
}

program.addEventListener('input', () => (typed = true));
competition.addEventListener('change', offer);
offer();
takeFiles(form, file, source, take);
