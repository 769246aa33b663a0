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

// A field for a time is of UTC in the form that is sent, and of the visitor's zone in the one that is shown.
const two = (number) => String(number).padStart(2, "0");
const local = (at) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
const zone = format.formatToParts(new Date()).find(({ type }) => type === "timeZoneName").value;

export function localFields(root) {
  for (const field of root.querySelectorAll("input[type=datetime-local]")) {
    const words = field.closest("label").firstChild;
    words.textContent = words.textContent.replace("UTC", zone);
    const show = () => {
      if (field.value !== "") field.value = local(new Date(`${field.value}Z`));
    };
    field.form.addEventListener("submit", () => {
      const at = new Date(field.value);
      if (!Number.isNaN(at.getTime())) field.value = at.toISOString().slice(0, 16);
    });
    // A page that is come back to has the field as it was sent.
    addEventListener("pageshow", (event) => event.persisted && show());
    show();
  }
}

localTimes(document);
localFields(document);
document.addEventListener("renewed", () => localTimes(document));
