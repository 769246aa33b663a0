// What of a page cannot be read or does not fit: a line each.
const found = [];
const root = document.documentElement;
if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide in a window of ${innerWidth}`);

const probe = document.createElement('i');
document.body.append(probe);
const resolved = (colour) => {
  probe.style.color = colour;
  return getComputedStyle(probe).color;
};
const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
const luminance = (colour) => {
  const shares = numbers(colour).map((n) => n / 255);
  const [r, g, b] = shares.map((s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
// WCAG 2.2, "contrast ratio".
const contrast = (one, other) => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const check = (what, on, ground) => {
  const ratio = contrast(on, ground);
  if (!(ratio >= 4.5)) found.push(`${what}: ${on} on ${ground} has contrast ${ratio.toFixed(2)}`);
};
const ground = (node) => {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (numbers(colour)[3] !== 0) return colour;
  }
  return 'rgb(255, 255, 255)';
};

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let audited = 0;
while (texts.nextNode()) {
  const holder = texts.currentNode.parentElement;
  const words = texts.currentNode.data.trim();
  if (!words || holder.closest('script, style, svg, .hidden') || words === '■') continue;
  audited += 1;
  check(`"${words.slice(0, 30)}"`, getComputedStyle(holder).color, ground(holder));
}
for (const text of document.querySelectorAll('svg text')) {
  const piece = [...text.classList].find((name) => name.startsWith('on-'))?.slice(3);
  const tint = text.parentNode.querySelector('.tint');
  const under = tint ?? text.closest('svg').querySelector('.wood, .paper');
  const board = () => (under ? getComputedStyle(under).fill : ground(text.closest('svg')));
  const colour = piece ? resolved(`var(--${piece})`) : board();
  check(`${text.textContent} on the board`, getComputedStyle(text).fill, colour);
}
for (const mark of document.querySelectorAll('svg .mark')) {
  const style = getComputedStyle(mark);
  const colour = mark.classList.contains('line') ? style.stroke : style.fill;
  check(`mark ${mark.classList}`, colour, resolved(`var(--${mark.dataset.on})`));
}
const pen = document.createElement('canvas').getContext('2d');
for (const field of document.querySelectorAll('input[type=search][placeholder]')) {
  if (!field.checkVisibility()) continue;
  const style = getComputedStyle(field);
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const needed = pen.measureText(field.placeholder).width;
  if (needed > room) found.push(`"${field.placeholder}" needs ${needed.toFixed(0)} of ${room.toFixed(0)} px`);
}
if (document.querySelector('.undefined, .null')) found.push('a class was not defined');
probe.remove();
if (!audited) found.push('there is no text');
return found;
