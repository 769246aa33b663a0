// Keeps the folder in the browser, so that it opens without the network, and isolates its pages, which few servers of
// files do: so searches have several threads. Before this stand the name of this version, `KEPT`, and the list of its
// `FILES`.

const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

addEventListener('install', (event) => {
  const keep = async () => (await caches.open(KEPT)).addAll(FILES);
  event.waitUntil(keep().then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const forget = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('agon-') && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(forget().then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const address = request.url.split(/[?#]/)[0].replace(/\/$/, '/index.html');
  const answer = async () => {
    const found = await (await caches.open(KEPT)).match(address);
    if (!found) return fetch(request);
    const { body, headers, status } = found;
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...ISOLATED } });
  };
  event.respondWith(answer());
});
