// Diagrams: a board as it is drawn on the page, as a file that other programs show: SVG that has its colours, and PNG.

import { element } from './board.js';
import { download } from './files.js';

/// What a board has for hands, and light that paper does not have.
const LEFT_OUT = '.hits, .targets, .ghosts, .held, .cursor, .shade, .shine, defs';
/// The attributes that say where a form lies.
const PLACED = {
  rect: ['x', 'y', 'width', 'height', 'rx'],
  circle: ['cx', 'cy', 'r'],
  line: ['x1', 'y1', 'x2', 'y2'],
  path: ['d'],
  polygon: ['points'],
  text: ['x', 'y'],
};
const FONT = 'Helvetica, Arial, sans-serif';
/// Pixels of a PNG for each unit of the drawing: sharp in print.
const SCALE = 2;

/// The forms of a drawing with their colours: [{ name, at, words, paint }…]. `paint` has what `styleOf` found.
export function formsOf(svg, styleOf = (node) => getComputedStyle(node)) {
  const forms = [];
  for (const node of svg.querySelectorAll(Object.keys(PLACED).join(','))) {
    if (node.closest(LEFT_OUT)) continue;
    const style = styleOf(node);
    if (style.display === 'none') continue;
    // A group is as pale as it is said to be; none lies in another pale one.
    const opacity = Number(style.opacity) * Number(node.parentNode === svg ? 1 : styleOf(node.parentNode).opacity);
    const name = node.localName;
    const at = Object.fromEntries(PLACED[name].flatMap((key) => {
      const value = node.getAttribute(key);
      return value === null ? [] : [[key, value]];
    }));
    const paint = {
      fill: name === 'line' ? 'none' : style.fill,
      stroke: style.stroke,
      'stroke-width': Number.parseFloat(style.strokeWidth),
      'stroke-dasharray': style.strokeDasharray,
      'stroke-linecap': style.strokeLinecap,
      'stroke-opacity': Number(style.strokeOpacity),
      'fill-opacity': Number(style.fillOpacity),
      opacity,
    };
    if (name === 'text') paint.font = [Number.parseFloat(style.fontSize), style.fontWeight];
    forms.push({ name, at, words: name === 'text' ? node.textContent : null, paint });
  }
  return forms;
}

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u0022', '&quot;');
/// What a form need not say.
const USUAL = {
  fill: 'rgb(0, 0, 0)', stroke: 'none', 'stroke-width': 1, 'stroke-dasharray': 'none', 'stroke-linecap': 'butt',
  'stroke-opacity': 1, 'fill-opacity': 1, opacity: 1,
};

/// Forms as a file; `box` is [left, top, width, height], `title` says what is drawn.
export function asSvg(forms, box, title) {
  const attributes = (values) => Object.entries(values).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const drawn = forms.map(({ name, at, words, paint: { font, ...paint } }) => {
    const own = Object.entries(paint).filter(([key, value]) => value !== USUAL[key]);
    const seen = paint.stroke === 'none' ? own.filter(([key]) => !key.startsWith('stroke')) : own;
    const all = attributes({ ...at, ...Object.fromEntries(seen) });
    if (font) all.push(...attributes({ 'font-size': font[0], 'font-weight': font[1] }));
    return words === null ? `<${name}${all.join('')}/>` : `<${name}${all.join('')}>${escaped(words)}</${name}>`;
  });
  const head = attributes({
    xmlns: 'http://www.w3.org/2000/svg', viewBox: box.join(' '), width: box[2], height: box[3], 'font-family': FONT,
    'text-anchor': 'middle',
  });
  return `<svg${head.join('')}>\n<title>${escaped(title)}</title>\n${drawn.join('\n')}\n</svg>\n`;
}

/// Draws forms on a canvas.
function paintOn(context, forms) {
  for (const { name, at, words, paint } of forms) {
    const n = (key) => Number(at[key] ?? 0);
    const path = new Path2D(name === 'path' ? at.d : undefined);
    if (name === 'rect') path.roundRect(n('x'), n('y'), n('width'), n('height'), n('rx'));
    if (name === 'circle') path.arc(n('cx'), n('cy'), n('r'), 0, 2 * Math.PI);
    if (name === 'line') {
      path.moveTo(n('x1'), n('y1'));
      path.lineTo(n('x2'), n('y2'));
    }
    if (name === 'polygon') path.addPath(new Path2D(`M${at.points.trim().split(/\s+/).join('L')}Z`));
    const pale = (opacity) => (context.globalAlpha = paint.opacity * opacity);
    if (paint.fill !== 'none') {
      context.fillStyle = paint.fill;
      pale(paint['fill-opacity']);
      if (words === null) context.fill(path);
      else {
        const [size, weight] = paint.font;
        context.font = `${weight} ${size}px ${FONT}`;
        context.fillText(words, n('x'), n('y'));
      }
    }
    if (paint.stroke === 'none' || words !== null) continue;
    context.strokeStyle = paint.stroke;
    context.lineWidth = paint['stroke-width'];
    context.lineCap = paint['stroke-linecap'];
    const dashes = paint['stroke-dasharray'];
    context.setLineDash(dashes === 'none' ? [] : dashes.split(/[ ,]+/).map(Number.parseFloat));
    pale(paint['stroke-opacity']);
    context.stroke(path);
  }
}

/// The board in an element of SVG as PNG.
function asPng(forms, [left, top, width, height]) {
  const canvas = element('canvas', { width: width * SCALE, height: height * SCALE });
  const context = canvas.getContext('2d');
  context.scale(SCALE, SCALE);
  context.translate(-left, -top);
  context.textAlign = 'center';
  paintOn(context, forms);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/// Saves the board in an element of SVG as a file of a kind, `svg` or `png`; `title` says what is drawn.
export async function savePicture(svg, kind, name, title) {
  const [forms, box] = [formsOf(svg), svg.getAttribute('viewBox').split(' ').map(Number)];
  if (kind === 'svg') download(`${name}.svg`, asSvg(forms, box, title), 'image/svg+xml');
  else download(`${name}.png`, await asPng(forms, box), 'image/png');
}
