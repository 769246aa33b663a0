// Shows every time of the page in the visitor's zone, and names the zone.
const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
});

export function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    time.title = time.title || time.textContent;
    time.textContent = `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute} ${part.timeZoneName}`;
  }
}

/// The zone of a moment as it is shown; without one, the zone's own name, since its offset depends on the day.
function zoneOf(at) {
  if (Number.isNaN(at.getTime())) return format.resolvedOptions().timeZone;
  return format.formatToParts(at).find(({ type }) => type === "timeZoneName").value;
}

const two = (number) => String(number).padStart(2, "0");
const local = (at) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

/// A field for a time comes with UTC, and shows the visitor's zone. What is sent says its zone itself: the field stays
/// as it is, however often its form is sent.
export function localFields(root) {
  for (const field of root.querySelectorAll("input[type=datetime-local]")) {
    const came = new Date(`${field.defaultValue}Z`);
    const shown = Number.isNaN(came.getTime()) ? "" : local(came);
    if (field.value === field.defaultValue) field.value = shown;
    // An hour that comes twice when the clocks go back has one text: what was not changed is the moment that came.
    const moment = () => (shown !== "" && field.value === shown ? came : new Date(field.value));
    const words = field.closest("label").firstChild;
    const label = words.textContent;
    const name = () => {
      words.textContent = label.replace("UTC", zoneOf(moment()));
    };
    field.addEventListener("input", name);
    // An hour that is left out when the clocks go forward is shown as what it counts for.
    field.addEventListener("change", () => {
      const at = moment();
      if (!Number.isNaN(at.getTime()) && local(at) !== field.value.slice(0, 16)) field.value = local(at);
      name();
    });
    field.form.addEventListener("formdata", ({ formData }) => {
      const at = moment();
      if (!Number.isNaN(at.getTime())) formData.set(field.name, at.toISOString());
    });
    name();
  }
}

/// A time left as hours, minutes and seconds; of more than two days, nothing, since words say it better.
export function timeLeft(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds > 2 * 86400) return "";
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/// A clock that counts down to a moment, at which the page is loaded again; `data-words` are said around it. Where the
/// visitor's own clock is ahead, the moment has passed from the start, and nothing is loaded.
export function countDown(clock, { now = () => Date.now(), reload = () => location.reload() } = {}) {
  const left = () => new Date(clock.dataset.until) - now();
  const tick = () => {
    if (clock.isConnected === false) return;
    const shown = timeLeft(left());
    // Of more than two days the page's own words stay.
    if (shown) clock.textContent = (clock.dataset.words ?? "{left}").replace("{left}", shown);
    if (left() > 0) setTimeout(tick, 1000);
    // What begins then needs a moment to begin.
    else setTimeout(reload, 3000);
  };
  if (left() > 0) tick();
}

function show() {
  localTimes(document);
  document.querySelectorAll("[data-until]").forEach((clock) => {
    if (clock.dataset.ticks !== undefined) return;
    clock.dataset.ticks = "";
    countDown(clock);
  });
}

show();
localFields(document);
document.addEventListener("renewed", show);
