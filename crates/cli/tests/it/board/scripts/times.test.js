import assert from 'node:assert/strict';
import { test } from 'node:test';

/// A page with one field for a time, as the server writes it, in a time zone.
async function page(zone, value, kept = value) {
  process.env.TZ = zone;
  const words = { textContent: 'Closes (UTC)' };
  const heard = {};
  const form = { addEventListener: (kind, act) => (heard[kind] = act) };
  const field = {
    name: 'closes',
    value: kept,
    defaultValue: value,
    form,
    closest: () => ({ firstChild: words }),
    addEventListener: (kind, act) => (heard[kind] = act),
  };
  globalThis.document = {
    documentElement: { lang: 'en' },
    querySelectorAll: (what) => (what.startsWith('input') ? [field] : []),
    addEventListener: () => {},
  };
  await import(`./times.js?${zone}${value}${kept}`);
  const type = (text) => {
    field.value = text;
    heard.input();
    heard.change();
  };
  const send = () => {
    const sent = {};
    heard.formdata({ formData: { set: (name, text) => (sent[name] = text) } });
    return sent.closes;
  };
  return { field, words, type, send };
}

test('a time counts as it was typed, however often it is sent', async () => {
  const { field, words, type, send } = await page('Asia/Seoul', '');
  assert.equal(words.textContent, 'Closes (Asia/Seoul)');
  assert.equal(send(), undefined, 'nothing is sent as nothing');
  type('2027-07-01T18:00');
  for (let clicks = 0; clicks < 3; clicks += 1) assert.equal(send(), '2027-07-01T09:00:00.000Z');
  assert.deepEqual([field.value, words.textContent], ['2027-07-01T18:00', 'Closes (GMT+9)']);
});

test('the zone is that of the day in the field', async () => {
  const { words, type } = await page('Europe/Berlin', '2027-01-15T17:00');
  assert.equal(words.textContent, 'Closes (GMT+1)');
  type('2027-07-01T18:00');
  assert.equal(words.textContent, 'Closes (GMT+2)');
});

test('a time that is not changed is sent as it came', async () => {
  // The clocks go back: 02:30 comes twice, and this is the second one.
  const twice = await page('Europe/Berlin', '2027-10-31T01:30');
  assert.deepEqual([twice.field.value, twice.words.textContent], ['2027-10-31T02:30', 'Closes (GMT+1)']);
  assert.equal(twice.send(), '2027-10-31T01:30:00.000Z');
  // What a browser has kept of a visit before is of its zone already.
  const kept = await page('Asia/Seoul', '2027-07-01T09:00', '2027-07-02T20:00');
  assert.deepEqual([kept.field.value, kept.send()], ['2027-07-02T20:00', '2027-07-02T11:00:00.000Z']);
});

test('an hour that the clocks leave out is shown as what it counts for', async () => {
  const { field, words, type, send } = await page('Europe/Berlin', '');
  type('2027-03-28T02:30');
  assert.deepEqual([field.value, words.textContent], ['2027-03-28T03:30', 'Closes (GMT+2)']);
  assert.equal(send(), '2027-03-28T01:30:00.000Z');
});

test('a form that has been sent is not sent again until its page is come back to', async () => {
  const heard = {};
  globalThis.addEventListener = (kind, act) => (heard[kind] = act);
  globalThis.setTimeout = () => {};
  await import('./once.js');
  const form = (method) => ({ getAttribute: () => method });
  const submit = (target, defaultPrevented = false) => {
    const event = { target, defaultPrevented, preventDefault: () => (event.defaultPrevented = true) };
    heard.submit(event);
    return !event.defaultPrevented;
  };
  const [one, other, search, scripted] = [form('post'), form('POST'), form(null), form('post')];
  assert.deepEqual([submit(one), submit(one), submit(other), submit(other)], [true, false, true, false]);
  assert.deepEqual([submit(search), submit(search)], [true, true]);
  assert.equal(submit(scripted, true), false);
  assert.equal(submit(scripted), true, 'what a script has sent stays on its page');
  heard.pageshow({ persisted: true });
  assert.equal(submit(one), true);
});

test('a time left is counted in hours, minutes and seconds', async () => {
  globalThis.document = {
    documentElement: { lang: 'en' },
    querySelectorAll: () => [],
    addEventListener: () => {},
  };
  const { timeLeft } = await import('./times.js?left');
  const left = [-5, 0, 1, 59_001, 3_600_000, 90_061_000, 200_000_000].map(timeLeft);
  assert.deepEqual(left, ['0:00:00', '0:00:00', '0:00:01', '0:01:00', '1:00:00', '25:01:01', '']);
});

test('a page is loaded again when its moment comes, not where it has passed', async (context) => {
  globalThis.document = {
    documentElement: { lang: 'en' },
    querySelectorAll: () => [],
    addEventListener: () => {},
  };
  const { countDown } = await import('./times.js?countdown');
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const began = Date.parse('2026-12-01T00:00:00Z');
  const loaded = (ahead, words, isConnected = true) => {
    let [now, count] = [began + ahead, 0];
    const clock = { dataset: { until: '2026-12-01T00:00:02Z', words }, textContent: '', isConnected };
    countDown(clock, { now: () => now, reload: () => (count += 1) });
    for (let second = 0; second < 10; second++) {
      now += 1000;
      context.mock.timers.tick(1000);
    }
    return [count, clock.textContent];
  };
  assert.deepEqual(loaded(0), [1, '0:00:00']);
  assert.deepEqual(loaded(600_000), [0, '']);
  // Words around it tick with it; one that has been taken from the page does nothing.
  assert.deepEqual(loaded(0, 'in {left}'), [1, 'in 0:00:00']);
  assert.deepEqual(loaded(0, undefined, false), [0, '']);
});
