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

localTimes(document);
