// A form that has been sent is not sent again before its answer is there, however often its button is pressed.

/// Every answer has begun by then: if the page is still there, the form may be sent again.
const ANSWERED = 30_000;

let sent = new WeakSet();

addEventListener("submit", (event) => {
  const form = event.target;
  // What scripts send stays on its page.
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  setTimeout(() => sent.delete(form), ANSWERED);
});

// A page that is come back to can send its forms anew.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  sent = new WeakSet();
  for (const field of document.querySelectorAll("input[type=hidden][name=form]")) {
    field.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
  }
});
