import { expect, test } from 'vitest';
import { HOOK, NOON, webhookLab } from '../../../../test/support/webhook-lab.ts';
import { START_ID } from '../../../stream/log-cursor.ts';

const DAY_MS = 86_400_000;

test('events are delivered in order, each with its own id, and the cursor moves with them', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe();
  lab.log.append('/a', '/b', '/c');
  await lab.time.pass(1000);
  expect(lab.events().map(({ body }) => [body.type, body.data.seq])).toEqual([
    ['change', 1],
    ['change', 2],
    ['change', 3],
  ]);
  expect(new Set(lab.received.map((one) => one.id)).size).toBe(3);
  expect(lab.store.subscriptions()[0]?.standing.cursor).toMatchObject({ seq: 3 });
  expect([lab.engine.lagOf(id), lab.bugs, lab.log.reads]).toEqual([0, [], 0]);
});

test('what is not wanted is passed over, and costs no read of the store', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe({ filter: { path: ['/guide/**'] } });
  await lab.time.pass(10);
  for (let at = 0; at < 5; at += 1) {
    lab.log.append('/blog/x', '/guide/a');
    await lab.time.pass(10);
  }
  lab.log.append('/blog/y');
  await lab.time.pass(10);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([2, 4, 6, 8, 10]);
  expect([lab.engine.lagOf(id), lab.log.reads]).toEqual([0, 0]);
});

test('without from it begins at the end of the log, with it behind the cursor', async () => {
  const lab = await webhookLab();
  const [first] = lab.log.append('/a', '/b');
  await lab.subscribe();
  await lab.subscribe({ url: `${HOOK}/old`, from: first?.id });
  await lab.subscribe({ url: `${HOOK}/all`, from: START_ID });
  await lab.time.pass(1000);
  const seen = lab.events().map(({ url, body }) => `${new URL(url).pathname} ${body.data.seq}`);
  expect(seen.sort()).toEqual(['/a/all 1', '/a/all 2', '/a/old 2']);
});

test('a delivery that is not taken holds back those behind it, and no other subscriber', async () => {
  let isUp = false;
  const lab = await webhookLab({ answer: ({ url }) => (url === HOOK && !isUp ? { status: 500 } : {}) });
  await lab.subscribe();
  await lab.subscribe({ url: `${HOOK}/good` });
  lab.log.append('/a', '/b');
  await lab.time.pass(1000);
  expect(lab.events().map(({ url }) => url === HOOK)).toEqual([true, false, false]);
  isUp = true;
  await lab.time.pass(10_000);
  const failing = lab.events().filter(({ url }) => url === HOOK);
  expect(failing.map(({ body }) => body.data.seq)).toEqual([1, 1, 2]);
  expect(failing[0]?.id).toBe(failing[1]?.id);
  expect(lab.standings.map(({ to }) => to)).toEqual(['failing', 'active']);
});

test('a batch goes when it is full, or when its first event has waited long enough', async () => {
  const lab = await webhookLab();
  await lab.subscribe({ batch: { max: 3, waitMs: 5000 } });
  await lab.time.pass(10);
  lab.log.append('/a');
  await lab.time.pass(1000);
  expect(lab.events()).toEqual([]);
  lab.log.append('/b');
  lab.log.append('/c', '/d');
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data)).toMatchObject([[{ seq: 1 }, { seq: 2 }, { seq: 3 }]]);
  await lab.time.pass(4000);
  expect(lab.events()).toHaveLength(1);
  await lab.time.pass(1000);
  expect(lab.events()[1]?.body).toMatchObject({ type: 'change', data: { seq: 4 } });
});

test('a batch stays the same over a crash: the same id, the same bytes', async () => {
  let isUp = false;
  const lab = await webhookLab({ answer: () => (isUp ? {} : { status: 503 }) });
  await lab.subscribe({ batch: { max: 10, waitMs: 0 } });
  lab.log.append('/a', '/b');
  await lab.time.pass(100);
  lab.log.append('/c');
  lab.restart();
  isUp = true;
  await lab.time.pass(10_000);
  const [first, second, third] = lab.events();
  expect(second).toMatchObject({ id: first?.id, text: first?.text });
  expect(third?.body.data.seq).toBe(3);
});

test('a restart goes on where it stopped', async () => {
  const lab = await webhookLab();
  await lab.subscribe();
  lab.log.append('/a');
  await lab.time.pass(100);
  lab.restart();
  lab.log.append('/b');
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 2]);
});

test('what was sent and not answered when it ended is sent again', async () => {
  const lab = await webhookLab({ answer: (_, nth) => (nth === 1 ? { when: new Promise(() => {}) } : {}) });
  await lab.subscribe();
  lab.log.append('/a');
  await lab.time.pass(100);
  lab.restart();
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 1]);
  expect(lab.store.attempts(lab.engine.all()[0]?.id ?? '')).toHaveLength(1);
});

test('endpoints that hang take no slots from those that answer', async () => {
  const limits = { quick: { most: 2, perHost: 2 }, slow: { most: 1, perHost: 1 } };
  const hangs = (url: string) => url.includes('hangs');
  const lab = await webhookLab({
    ...limits,
    answer: ({ url }, nth) => (hangs(url) ? (nth <= 4 ? { status: 500 } : { when: new Promise(() => {}) }) : {}),
  });
  for (const name of ['1', '2', '3', '4']) await lab.subscribe({ url: `https://hangs${name}.example/` });
  lab.log.append('/a');
  await lab.time.pass(30_000);
  const hung = lab.received.length;
  await lab.subscribe();
  lab.log.append('/b', '/c');
  await lab.time.pass(1000);
  expect(hung).toBe(5);
  expect(lab.events().filter(({ url }) => url === HOOK)).toHaveLength(2);
});

test('a log that was cut behind the cursor is told once, and then goes on', async () => {
  const lab = await webhookLab();
  await lab.subscribe();
  lab.log.append('/a', '/b');
  const { engine } = lab;
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 2]);
  const cut = lab.log.append('/c', '/d', '/e').at(1);
  await engine.close();
  lab.log.cut = { seq: 4, id: cut?.id ?? '' };
  lab.restart();
  await lab.time.pass(20_000);
  expect(
    lab
      .events()
      .slice(2)
      .map(({ body }) => [body.type, body.data.from ?? body.data.seq]),
  ).toEqual([
    ['resync', cut?.id],
    ['change', 5],
  ]);
});

test('a log of another epoch is told once, from the cursor', async () => {
  const lab = await webhookLab();
  await lab.subscribe();
  const [first] = lab.log.append('/a');
  await lab.time.pass(100);
  lab.log.epoch = 'abcd';
  lab.restart();
  lab.log.append('/b');
  await lab.time.pass(100);
  lab.restart();
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => [body.type, body.data.from ?? body.data.seq])).toEqual([
    ['change', 1],
    ['resync', `${first?.id}.abcd`],
    ['change', 2],
  ]);
});

test('who is disabled gets nothing, and goes on from its cursor when it is active again', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe();
  const standing = () => lab.engine.find(id) as NonNullable<ReturnType<typeof lab.engine.find>>;
  lab.subscriptions.change(standing(), { status: 'disabled' });
  lab.log.append('/a', '/b');
  await lab.time.pass(1000);
  expect([lab.events(), lab.engine.lagOf(id)]).toEqual([[], 2]);
  lab.subscriptions.change(standing(), { status: 'active' });
  await lab.time.pass(1000);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 2]);
});

test('a key that counts no more ends its subscriptions; one that is not paid for holds them', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe({ verify: true }, { kind: 'key', hash: 'h' });
  lab.owners.set('h', 'paused');
  lab.log.append('/a');
  await lab.time.pass(1000);
  lab.owners.set('h', 'ended');
  await lab.time.pass(DAY_MS / 24);
  expect(lab.received).toEqual([]);
  expect(lab.engine.find(id)?.standing).toMatchObject({ status: 'disabled', reason: expect.stringMatching(/API key/) });
});

test('a replay sends what was sent before with the same ids, and then what is new', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe();
  const [first, , third] = lab.log.append('/a', '/b', '/c', '/d');
  await lab.time.pass(100);
  const subscription = lab.engine.find(id);
  if (subscription === undefined) throw new Error('It is gone.');
  await lab.subscriptions.replay(subscription, { from: first?.id, to: third?.id });
  lab.log.append('/e');
  await lab.time.pass(100);
  const [, two, three, , ...later] = lab.events();
  expect(later.map(({ id: one }) => one).slice(0, 2)).toEqual([two?.id, three?.id]);
  expect(later.map(({ body }) => body.data.seq)).toEqual([2, 3, 5]);
});

test('a replay begins at a moment, too; a wish that names two beginnings is refused', async () => {
  const lab = await webhookLab();
  const { id } = await lab.subscribe();
  lab.log.append('/a', '/b');
  await lab.time.pass(100);
  const wish = async (since: string, more: object = {}) => {
    const subscription = lab.engine.find(id);
    if (subscription === undefined) throw new Error('It is gone.');
    return await lab.subscriptions.replay(subscription, { since: Date.parse(since), ...more });
  };
  await wish('2026-03-01T11:00:00.001Z');
  await lab.time.pass(100);
  expect(lab.events()).toHaveLength(2);
  await wish('2026-03-01T11:00:00Z');
  await lab.time.pass(100);
  expect(lab.events().map(({ body }) => body.data.seq)).toEqual([1, 2, 1, 2]);
  await expect(wish('2026-03-01T11:00:00Z', { from: START_ID })).rejects.toThrow(/since/);
});

test('a subscription that is removed while something is sent leaves nothing behind', async () => {
  const lab = await webhookLab({ answer: () => ({ when: new Promise(() => {}) }) });
  const { id } = await lab.subscribe();
  lab.log.append('/a');
  await lab.time.pass(100);
  lab.engine.remove(id);
  await lab.time.pass(DAY_MS);
  expect([lab.received.length, lab.store.subscriptions(), lab.engine.all()]).toEqual([1, [], []]);
  expect(lab.time.now()).toBeGreaterThan(NOON);
});
