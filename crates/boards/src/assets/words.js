// What scripts say, in the language of the page: a page in another language than English brings its words for the
// English texts. Names in braces are values.

const brought = globalThis.document?.getElementById('words');
const words = brought ? JSON.parse(brought.textContent) : {};

/// The language of the page.
export const language = globalThis.document?.documentElement.lang || 'en';

/// A text in the language of the page, with its values.
export function t(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
