// The button that shares a game at the position shown: by the means of the device, or else by the clipboard.

const button = document.getElementById('share');
const link = document.getElementById('share-link');

/// The address of the position that is shown.
function address() {
  const ply = document.getElementById('game')?.dataset.shown;
  return `${location.origin}${location.pathname}${ply ? `?ply=${ply}` : ''}`;
}

/// Copies a text, and says whether that worked.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyMarked(text);
  }
}

/// The same where pages have no clipboard of their own, because they come without TLS.
function copyMarked(text) {
  link.closest('details').open = true;
  link.value = text;
  link.select();
  return document.execCommand('copy');
}

button?.addEventListener('click', async () => {
  const url = address();
  if (navigator.share) {
    // Whoever changes their mind gets no link instead.
    return navigator.share({ title: document.title, url }).catch(() => {});
  }
  button.nextElementSibling.textContent = (await copy(url)) ? button.dataset.copied : url;
});
if (button) button.hidden = false;
