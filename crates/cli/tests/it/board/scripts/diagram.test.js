import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSvg } from './diagram.js';

const paint = {
  fill: 'rgb(34, 34, 34)', stroke: 'none', 'stroke-width': 1, 'stroke-dasharray': 'none', 'stroke-linecap': 'butt',
  'stroke-opacity': 1, 'fill-opacity': 1, opacity: 1,
};

const drawn = { ...paint, fill: 'none', stroke: '#555' };

test('a diagram says its colours itself', () => {
  const forms = [
    { name: 'circle', at: { cx: 50, cy: 50, r: 16 }, words: null, paint },
    { name: 'line', at: { x1: 1, y1: 2, x2: 3, y2: 4 }, words: null, paint: drawn },
    { name: 'text', at: { x: 5, y: 6 }, words: 'A<1', paint: { ...paint, font: [12, '400'] } },
  ];
  const text = asSvg(forms, [0, 0, 660, 660], 'Games & more');
  assert.ok(text.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 660" width="660" height="660"'));
  for (const part of [
    '<title>Games &amp; more</title>',
    '<circle cx="50" cy="50" r="16" fill="rgb(34, 34, 34)"/>',
    '<line x1="1" y1="2" x2="3" y2="4" fill="none" stroke="#555"/>',
    '<text x="5" y="6" fill="rgb(34, 34, 34)" font-size="12" font-weight="400">A&lt;1</text>',
  ])
    assert.ok(text.includes(part), `${part}\n${text}`);
});
