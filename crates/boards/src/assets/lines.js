// Numbers the lines of a text field for a source.

export function number(field) {
  const box = document.createElement("div");
  box.className = "numbered";
  const gutter = document.createElement("pre");
  gutter.setAttribute("aria-hidden", "true");
  field.before(box);
  box.append(gutter, field);
  let shown = 0;
  const draw = () => {
    const lines = field.value.split("\n").length;
    if (lines === shown) return;
    shown = lines;
    gutter.textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
  };
  const follow = () => (gutter.scrollTop = field.scrollTop);
  field.addEventListener("input", draw);
  field.addEventListener("scroll", follow);
  // A file that was chosen, or a form that comes back.
  new MutationObserver(draw).observe(field, { childList: true });
  setInterval(draw, 500);
  draw();
}

for (const field of document.querySelectorAll("textarea[data-lines]")) number(field);
