// The list of studies and their chapters on the page. It keeps nothing itself: what is chosen goes to its owner.

import { element } from './board.js';
import { openingName } from './openings.js';
import { t } from './words.js';

const button = (words, act, more = {}) => {
  const made = element('button', { type: 'button', ...more }, words);
  made.addEventListener('click', act);
  return made;
};

/// A name in its place that can be written anew: Enter or another place takes it, Escape leaves it.
function renamed(host, name, done) {
  const field = element('input', { type: 'text', value: name, maxlength: 80, 'aria-label': t('name') });
  let over = false;
  const end = (text) => {
    if (over) return;
    over = true;
    done(text?.trim() || null);
  };
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') end(field.value);
    if (event.key === 'Escape') end(null);
    event.stopPropagation();
  });
  field.addEventListener('blur', () => end(field.value));
  host.replaceChildren(field);
  field.focus();
  field.select();
}

/// The opening of a chapter's main line.
function openingOf({ start, rows }) {
  const isLine = rows.length > 3 && [1, 2, 3].every((n) => rows[n][0] === n - 1);
  return isLine ? openingName(start, rows.slice(1, 4).map(([, move]) => move)) : '';
}

/// From how many chapters on a study has a field that finds them by their names.
const MANY = 12;
/// What is typed there, by the study's id.
const wanted = new Map();

/// Scrolls the list of the open study to the chapter on the board.
export function scrollToHere(host) {
  const line = host.querySelector('.chapters .here');
  if (line) line.parentElement.scrollTop = line.offsetTop - line.parentElement.clientHeight / 2;
}

/// A field that leaves only those lines of a list whose names have what is typed.
function finder(study, list) {
  const field = element('input', { type: 'search', class: 'wide', 'aria-label': t('find a chapter') });
  field.placeholder = t('find a chapter');
  field.value = wanted.get(study.id) ?? '';
  const show = () => {
    const text = field.value.trim().toLowerCase();
    for (const line of list.children)
      line.hidden = !line.querySelector('.name').textContent.toLowerCase().includes(text);
  };
  field.addEventListener('input', () => {
    wanted.set(study.id, field.value);
    show();
  });
  show();
  return field;
}

/// Shows studies in `host`: [{ study, chapters }…], with the chapter on the board marked. `acts` has what can be done:
/// open(chapter), rename(kind, item, name), remove(kind, item), moved(chapter, step), exported(study, format),
/// added(study), reviewed(study), linked(study), printed(study).
export function showLibrary(host, studies, here, acts) {
  const entry = (kind, item, label, marked) => {
    const line = element('li', marked ? { class: 'here' } : {});
    const name = element('span', { class: 'name' });
    const show = () => {
      const open =
        kind === 'chapter'
          ? button(label, () => acts.open(item), { class: 'quiet' })
          : element('strong', {}, label);
      if (marked && kind === 'chapter') open.setAttribute('aria-current', 'true');
      name.replaceChildren(open);
    };
    show();
    const rename = () => {
      renamed(name, item.name, (text) => {
        if (text && text !== item.name) acts.rename(kind, item, text);
        else show();
      });
    };
    const tool = (words, label, act) =>
      button(words, act, { class: 'tool', 'aria-label': `${label} ${item.name}`, title: label });
    const moves = [['↑', t('up'), -1], ['↓', t('down'), 1]].map(([face, words, step]) =>
      tool(face, words, () => acts.moved(item, step)));
    const opening = () => element('span', { class: 'faint opening' }, openingOf(item));
    if (kind === 'chapter') line.append(name, opening(), ...moves);
    else line.append(name);
    line.append(tool('✎', t('rename'), rename), tool('×', t('delete'), () => acts.remove(kind, item)));
    return line;
  };
  const blocks = studies.map(({ study, chapters }) => {
    const own = chapters.some((chapter) => chapter.id === here?.id);
    const head = element('ul', { class: 'plain head' }, entry('study', study, study.name, own));
    const list = element('ol', { class: 'chapters' });
    const isHere = (chapter) => chapter.id === here?.id;
    list.append(...chapters.map((chapter) => entry('chapter', chapter, chapter.name, isHere(chapter))));
    const games = chapters.every((chapter) => chapter.files) && chapters.length > 0;
    const files = element('div', { class: 'actions' });
    files.append(button(t('New chapter'), () => acts.added(study), { class: 'small' }));
    files.append(button(t('Save as JSON'), () => acts.exported(study, 'json'), { class: 'small' }));
    files.append(button(t('Mark mistakes in all'), () => acts.reviewed(study), { class: 'small' }));
    if (games) files.append(button(t('Save as SGF'), () => acts.exported(study, 'sgf'), { class: 'small' }));
    files.append(button(t('Copy link to study'), () => acts.linked(study), { class: 'small' }));
    files.append(button(t('Printable page'), () => acts.printed(study), { class: 'small' }));
    const block = element('details', { class: 'study' });
    block.open = own;
    const summary = element('summary', {}, `${study.name} (${chapters.length})`);
    block.append(summary, head, ...(chapters.length > MANY ? [finder(study, list)] : []), list, files);
    return block;
  });
  const before = host.querySelector('.study[open] .chapters')?.scrollTop ?? 0;
  host.replaceChildren(...blocks);
  const list = host.querySelector('.study[open] .chapters');
  if (list) list.scrollTop = before;
  const line = list?.querySelector('.here');
  const seen = line && line.offsetTop >= before && line.offsetTop < before + list.clientHeight;
  if (!seen) scrollToHere(host);
}
