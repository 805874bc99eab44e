import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { keyLab, NOON } from '../../../test/support/key-lab.ts';
import { serveRoutes } from '../../../test/support/serve-routes.ts';
import { BodyPiece, type BodySink } from '../http/pushed-body.ts';
import type { Route } from '../http/route.ts';
import { countUsage } from './count-usage.ts';
import { type KeyUsageStore, type OwnerUsage, UsageMeter } from './key-usage.ts';
import { limitRoutes } from './limit-routes.ts';

const DAY_MS = 86_400_000;
const OWNER = 'ab'.repeat(32);

/** A meter whose alarms ring when told. */
function meterOver(store: KeyUsageStore, now: () => number) {
  const alarms: (() => void)[] = [];
  const problems: unknown[] = [];
  const alarm = (_ms: number, ring: () => void) => {
    alarms.push(ring);
    return () => void alarms.splice(alarms.indexOf(ring), 1);
  };
  return { meter: new UsageMeter({ store, now, alarm, onProblem: (error) => problems.push(error) }), alarms, problems };
}

const route = (handle: Route['handle']): Route => ({
  method: 'GET',
  path: '/x',
  access: 'open',
  summary: '',
  responses: {},
  handle,
});

clause('DD-U4', 'every key has its usage: what is answered, sent and refused, to the byte, also at once', async () => {
  const { limits, usage, issue, routes, keys } = await keyLab({ perMinute: { free: 60, pro: 150, enterprise: 5000 } });
  const body = 'ä'.repeat(50);
  const served = limitRoutes([route(() => ({ status: 200, headers: {}, body }))], limits);
  const { server } = await serveRoutes([...served, ...routes], { limits: { connectionsPerClient: 0 } });
  const [one, other] = [await issue(), await issue()];
  const ask = (headers: Record<string, string>) => fetch(`${server.url}x`, { headers }).then((got) => got.text());
  // Writes run in between: a batch is neither lost nor counted twice.
  const work = Array.from({ length: 200 }, (_, at) => [ask(one.headers), ...(at % 50 === 0 ? [usage.flush()] : [])]);
  await Promise.all([...work.flat(), ...Array.from({ length: 7 }, () => ask(other.headers))]);
  const mine = async ({ headers }: typeof one) =>
    (await (await fetch(`${server.url}api/v1/keys/me/usage`, { headers })).json()) as { total: object; days: object[] };
  expect(await mine(one)).toMatchObject({ tier: 'pro', total: { requests: 150, bytes: 15_000, refused: 50 } });
  expect(await mine(other)).toMatchObject({ total: { requests: 7, bytes: 700, refused: 0 }, days: [{}] });
  await usage.flush();
  expect(await mine(one)).toMatchObject({ total: { requests: 150, bytes: 15_000, refused: 50 } });
  const all = await callRoute(routes, 'GET /api/v1/keys/usage');
  expect(jsonOf(all).keys).toMatchObject([{ total: { requests: 150 } }, { total: { requests: 7 } }]);
  expect((await fetch(`${server.url}api/v1/keys/me/usage`)).status).toBe(401);
  expect(keys.all()).toHaveLength(2);
});

test('a key that takes over goes on with the usage of the one before', async () => {
  const { limits, issue, routes } = await keyLab();
  const served = limitRoutes([route(() => ({ status: 200, headers: {}, body: '123' }))], limits);
  const { headers } = await issue();
  await callRoute(served, 'GET /x', { headers });
  const { key } = jsonOf(await callRoute(routes, 'POST /api/v1/key/rotate', { headers }));
  const rotated = { 'x-diffdelta-key': key };
  await callRoute(served, 'GET /x', { headers: rotated });
  const usage = jsonOf(await callRoute(routes, 'GET /api/v1/keys/me/usage', { headers: rotated }));
  expect(usage).toMatchObject({ prefix: key.slice(0, 12), total: { requests: 2, bytes: 6 } });
  expect(jsonOf(await callRoute(routes, 'GET /api/v1/keys/usage')).keys).toHaveLength(1);
});

test('a stream is counted while it is sent; HEAD and 304 send nothing; the admin and strangers are nobody', async () => {
  const { keys, usage, issue } = await keyLab();
  const { headers } = await issue();
  const owner = keys.all()[0]?.hash ?? '';
  async function* pieces() {
    yield new Uint8Array(10);
    yield new Uint8Array(20);
  }
  const answers = [
    () => ({ status: 200, headers: {}, body: pieces() }),
    () => ({ status: 304, headers: {} }),
    async () => ({ status: 200, headers: { 'content-length': '5' }, body: pieces() }),
  ];
  for (const [at, answer] of answers.entries()) {
    const [counted] = countUsage([route(answer)], { keys, usage });
    if (counted === undefined) throw new Error('One route.');
    for (const asked of [{ headers }, { headers, isAdmin: true }, {}]) {
      const got = await callRoute([counted], 'GET /x', asked);
      if (at === 0 && typeof got.body === 'object') for await (const _piece of got.body as AsyncIterable<Uint8Array>);
    }
  }
  expect(await usage.usageOf(owner)).toMatchObject([{ requests: 3, bytes: 35, refused: 0 }]);
});

test('events that are pushed are counted as they go out, over a real connection', async () => {
  const { keys, usage, issue } = await keyLab();
  const { headers } = await issue();
  const body = {
    begin(sink: BodySink) {
      for (const text of ['data: ä\n\n', 'data: 2\n\n']) sink.write(new BodyPiece(text));
      sink.end();
      return { drained() {}, closed() {} };
    },
  };
  const { server } = await serveRoutes(
    countUsage([route(() => ({ status: 200, headers: {}, body }))], { keys, usage }),
  );
  const text = await (await fetch(`${server.url}x`, { headers })).text();
  await fetch(`${server.url}x`);
  const days = await usage.usageOf(keys.all()[0]?.hash ?? '');
  expect(days).toMatchObject([{ requests: 1, bytes: Buffer.byteLength(text) }]);
});

test('all keys are written once a minute, and what the disk refuses is written later', async () => {
  const { store } = await keyLab();
  const written: (readonly OwnerUsage[])[] = [];
  const disk = { isFull: false };
  const counting: KeyUsageStore = {
    usageOf: (owner) => store.keyUsage.usageOf(owner),
    allUsage: () => store.keyUsage.allUsage(),
    async addUsage(counts, firstDay) {
      if (disk.isFull) throw new Error('full');
      written.push(counts);
      await store.keyUsage.addUsage(counts, firstDay);
    },
  };
  const { meter, alarms, problems } = meterOver(counting, () => NOON);
  for (let at = 0; at < 1000; at++) meter.answered(at % 2 === 0 ? OWNER : 'cd'.repeat(32));
  expect(alarms).toHaveLength(1);
  disk.isFull = true;
  alarms[0]?.();
  await expect.poll(() => problems).toHaveLength(1);
  meter.answered(OWNER);
  disk.isFull = false;
  await meter[Symbol.asyncDispose]();
  expect(written.flat().map(({ requests }) => requests)).toEqual([501, 500]);
  expect(await store.keyUsage.usageOf(OWNER)).toMatchObject([{ requests: 501, lastMs: Math.trunc(NOON) }]);
});

test('90 days are kept, each for itself', async () => {
  const { store } = await keyLab();
  const time = { nowMs: NOON };
  const { meter } = meterOver(store.keyUsage, () => time.nowMs);
  for (let day = 0; day < 100; day++) {
    time.nowMs = NOON + day * DAY_MS;
    meter.answered(OWNER);
    if (day % 10 === 0) await meter.flush();
  }
  expect(await meter.usageOf(OWNER)).toHaveLength(90);
  await meter.flush();
  expect(await store.keyUsage.usageOf(OWNER)).toHaveLength(90);
  expect((await store.keyUsage.allUsage()).at(-1)).toMatchObject({ owner: OWNER, requests: 1, lastMs: time.nowMs });
});
