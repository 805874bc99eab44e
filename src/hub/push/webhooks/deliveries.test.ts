import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { HOOK, type Received, webhookLab } from '../../../../test/support/webhook-lab.ts';
import type { Subscription } from './subscription.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Lab = Awaited<ReturnType<typeof webhookLab>>;

function only(lab: Lab): Subscription {
  const [subscription] = lab.engine.all();
  if (subscription === undefined) throw new Error('There is no subscription.');
  return subscription;
}

const header = ({ headers }: Received, name: string) => headers[name] ?? '';

clause('SW-H1', 'sends id, timestamp and signature as headers, in a POST of JSON', async () => {
  const lab = await webhookLab();
  await lab.subscribe();
  lab.log.append('/a');
  await lab.time.pass(100);
  const [one] = lab.received;
  expect(Object.keys(one?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  expect(one?.headers['content-type']).toBe('application/json');
});

clause(
  ['SW-H2', 'SW-H3', 'SW-P3'],
  'tries again with the same id and body, and a new timestamp and signature',
  async () => {
    const lab = await webhookLab({ answer: (_, nth) => ({ status: nth < 3 ? 500 : 200 }) });
    await lab.subscribe();
    const [event] = lab.log.append('/a');
    await lab.time.pass(5 * MINUTE_MS);
    const [first, second, third] = lab.received;
    if (first === undefined || second === undefined || third === undefined) throw new Error('Too few.');
    expect([second.id, third.id]).toEqual([first.id, first.id]);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(first.body.timestamp).toBe(event?.timestamp);
    for (const one of lab.received) {
      expect(header(one, 'webhook-timestamp')).toMatch(/^[0-9]{10}$/);
      expect(Number(header(one, 'webhook-timestamp'))).toBe(Math.floor(one.atMs / 1000));
    }
    expect(new Set(lab.received.map((one) => header(one, 'webhook-timestamp'))).size).toBe(3);
    expect(new Set(lab.received.map((one) => header(one, 'webhook-signature'))).size).toBe(3);
  },
);

clause('AICF-X2', 'the first retry comes within ten seconds, whatever the dice say', async () => {
  for (const dice of [0, 0.999]) {
    const lab = await webhookLab({ answer: () => ({ status: 500 }), random: () => dice });
    await lab.subscribe();
    lab.log.append('/a');
    await lab.time.pass(10_000);
    expect(lab.received).toHaveLength(2);
  }
});

clause(
  ['SW-D4', 'SW-D5'],
  'tries for about three days, keeps what nobody took, and is disabled when the next is not taken either',
  async () => {
    const lab = await webhookLab({ answer: () => ({ status: 500, body: 'no <b>luck</b>' }) });
    await lab.subscribe();
    const [first] = lab.log.append('/a', '/b', '/c');
    await lab.time.pass(2 * HOUR_MS);
    lab.restart();
    await lab.time.pass(3.5 * DAY_MS);
    const tries = lab.events().filter(({ body }) => body.data.seq === 1);
    const gaps = tries.slice(1).map(({ atMs }, at) => Math.round((atMs - (tries[at]?.atMs ?? 0)) / 1000));
    expect(gaps).toEqual([5, 20, 80, 320, 1280, 5120, 20_480, 81_920, 86_400, 86_400]);
    expect(only(lab).standing).toMatchObject({ status: 'failing', deadInRow: 1 });
    expect(lab.store.deadLetters(only(lab).id)).toMatchObject([
      { delivery: tries[0]?.id, from: first?.id, attempts: 11 },
    ]);

    await lab.time.pass(4 * DAY_MS);
    const { standing } = only(lab);
    expect(standing.status).toBe('disabled');
    expect(standing.reason).toMatch(/It answered 500/);
    expect(lab.standings.at(-1)).toMatchObject({ from: 'failing', to: 'disabled' });
    const sent = lab.received.length;
    await lab.time.pass(10 * DAY_MS);
    expect(lab.received).toHaveLength(sent);
  },
);

test('five days without a delivery that was taken disable it, also where it is asked to wait long', async () => {
  const lab = await webhookLab({ answer: () => ({ status: 503, headers: { 'retry-after': '900000' } }) });
  await lab.subscribe();
  lab.log.append('/a');
  await lab.time.pass(7 * DAY_MS);
  expect(only(lab).standing).toMatchObject({ status: 'disabled', reason: expect.stringMatching(/five days/) });
  expect(lab.received.length).toBeLessThanOrEqual(7);
});

clause('SW-D1', 'takes 200 to 299 for success and everything else for failure', async () => {
  for (const status of [200, 204, 299]) {
    const lab = await webhookLab({ answer: () => ({ status }) });
    await lab.subscribe();
    lab.log.append('/a');
    await lab.time.pass(1000);
    expect([only(lab).standing.status, lab.received.length]).toEqual(['active', 1]);
  }
  const failures = [
    { status: 302, headers: { location: `${HOOK}/else` } },
    { status: 404 },
    { status: 500 },
    { breaks: true } as const,
  ];
  for (const answer of failures) {
    const lab = await webhookLab({ answer: () => answer });
    await lab.subscribe();
    lab.log.append('/a');
    await lab.time.pass(1000);
    expect([only(lab).standing.status, lab.received.length]).toEqual(['failing', 1]);
  }
});

clause('SW-D2', 'sends nothing more to an endpoint that is gone, and tells so', async () => {
  const lab = await webhookLab({ answer: () => ({ status: 410 }) });
  await lab.subscribe();
  lab.log.append('/a', '/b');
  await lab.time.pass(10 * DAY_MS);
  expect(lab.received).toHaveLength(1);
  expect(only(lab).standing).toMatchObject({ status: 'gone', reason: expect.stringMatching(/410/) });
  expect(lab.standings).toMatchObject([{ to: 'gone' }]);
});

clause('SW-D3', 'waits as long as Retry-After says, in seconds or as a date, up to a day', async () => {
  const waits = { '120': 120_000, 'Sun, 01 Mar 2026 12:10:00 GMT': 600_000, '99999999': DAY_MS, soon: 5000, '1': 5000 };
  for (const [value, waitMs] of Object.entries(waits)) {
    const lab = await webhookLab({ answer: () => ({ status: 429, headers: { 'retry-after': value } }) });
    await lab.subscribe();
    lab.log.append('/a', '/b');
    await lab.time.pass(waitMs - 1000);
    expect(lab.received, value).toHaveLength(1);
    await lab.time.pass(2000);
    expect(lab.received, value).toHaveLength(2);
  }
});

clause(['SW-F2', 'SW-H2'], 'lists what failed with its reason, and sends it again with its old id', async () => {
  let isUp = false;
  const lab = await webhookLab({ answer: () => (isUp ? {} : { status: 500, body: `a\u0000<b>${'x'.repeat(5000)}` }) });
  await lab.subscribe();
  lab.log.append('/a', '/b', '/c');
  await lab.time.pass(8 * DAY_MS);
  const { id } = only(lab);
  const attempts = lab.store.attempts(id);
  expect(attempts[0]).toMatchObject({ outcome: 'failed', status: 500, error: { code: 'StatusError' } });
  expect(attempts[0]?.answer).toHaveLength(200);
  const [letter] = lab.store.deadLetters(id);

  isUp = true;
  lab.subscriptions.change(only(lab), { status: 'active' });
  await lab.subscriptions.replay(only(lab), { delivery: letter?.delivery ?? '' });
  const sent = lab.received.length;
  await lab.time.pass(1000);
  const again = lab.received.slice(sent);
  expect(again.map(({ body }) => body.data.seq)).toEqual([2, 1, 3]);
  expect(again[1]?.id).toBe(letter?.delivery);
  expect(lab.store.deadLetters(id)).toEqual([]);
});

clause(['SW-F1', 'SW-S6'], 'gives each endpoint its own secret and the events that it chose', async () => {
  const lab = await webhookLab();
  const one = await lab.subscribe({ filter: { path: ['/a/**'] } });
  const other = await lab.subscribe({ url: `${HOOK}/other`, filter: { path: ['/b/**'] } });
  lab.log.append('/a/1', '/b/1', '/c/1');
  await lab.time.pass(100);
  expect(lab.events().map(({ url, body }) => [url, body.data.seq])).toEqual([
    [HOOK, 1],
    [`${HOOK}/other`, 2],
  ]);
  expect(one.secrets[0]?.secret).not.toBe(other.secrets[0]?.secret);
});

clause('SW-P7', 'sends small bodies of large changes, also in batches', async () => {
  const lab = await webhookLab();
  await lab.subscribe({ batch: { max: 100, waitMs: 0 } });
  const paths = Array.from({ length: 150 }, (_, at) => `/${'long-path/'.repeat(40)}${at}`);
  lab.log.append(...paths);
  await lab.time.pass(1000);
  const seqs = lab.events().flatMap(({ body }) => [body.data].flat().map(({ seq }: { seq: number }) => seq));
  expect(seqs).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
  for (const { text } of lab.events()) expect(Buffer.byteLength(text)).toBeLessThan(20_000);
});

clause(
  ['SW-R1', 'SW-S7'],
  'signs with the new and the old secret for a day, then with the new one, of either scheme',
  async () => {
    const lab = await webhookLab();
    await lab.subscribe();
    const entries = async () => {
      lab.log.append('/a');
      await lab.time.pass(100);
      return header(lab.received.at(-1) as Received, 'webhook-signature')
        .split(' ')
        .map((entry) => entry.split(',')[0]);
    };
    expect(await entries()).toEqual(['v1']);
    lab.subscriptions.rotate(only(lab), { signing: 'v1a' });
    expect(await entries()).toEqual(['v1a', 'v1']);
    await lab.time.pass(DAY_MS - 1000);
    expect(await entries()).toEqual(['v1a', 'v1']);
    await lab.time.pass(2000);
    expect(await entries()).toEqual(['v1a']);
    lab.subscriptions.rotate(only(lab), { now: true, signing: 'v1' });
    expect(await entries()).toEqual(['v1']);
  },
);
