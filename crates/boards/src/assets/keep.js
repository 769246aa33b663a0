// Lets the browser keep the folder that this page is in, so that it opens without the network.

const { root } = document.querySelector('script[data-root]').dataset;
navigator.serviceWorker?.register(`${root}offline.js`, { scope: root || './' });
