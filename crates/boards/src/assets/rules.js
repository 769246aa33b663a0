// Rules of a host's own: dropping a file, and reading it into the text field.

import { takeFiles } from './drop.js';
import './lines.js';

const form = document.querySelector('[data-rules]');
const [upload, name, source] = ['upload', 'file', 'source'].map((field) => form.elements[field]);

takeFiles(form, upload, source, async (chosen) => {
  if (!chosen) return;
  upload.setCustomValidity(chosen.size > Number(form.dataset.rules) ? form.dataset.large : '');
  if (!upload.reportValidity()) return;
  if (name.value.trim() === '') name.value = chosen.name;
  source.value = await chosen.text();
});
