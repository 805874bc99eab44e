import { afterAll, beforeAll, expect, test } from 'vitest';
import { clause } from './clause.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { openWebSubLab, PATIENCE, type WebSubLab } from './support/websub-lab.ts';
import { confirm, startSubscriber, status, type TestSubscriber } from './support/websub-subscriber.ts';

const TOPIC = 'changes.atom';
const DAY_MS = 86_400_000;
let folder: TestFolder;
let lab: WebSubLab;
let reader: TestSubscriber;

beforeAll(async () => {
  folder = temporaryFolder();
  lab = await openWebSubLab({ folder: folder.path });
  reader = await startSubscriber();
});

afterAll(async () => {
  expect(lab.bugs()).toEqual([]);
  await lab[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function deliveredNext(path: string): Promise<void> {
  const before = reader.delivered(path).length;
  await lab.change();
  await expect.poll(() => reader.delivered(path).length, PATIENCE).toBe(before + 1);
}

/** Another subscriber got it: whoever did not get it then was not to. */
async function notDeliveredNext(path: string): Promise<void> {
  const before = reader.delivered(path).length;
  if ((await lab.find(reader.url('/witness'))) === undefined) await lab.subscribe(TOPIC, reader.url('/witness'));
  await deliveredNext('/witness');
  expect(reader.delivered(path)).toHaveLength(before);
}

clause(
  ['WS-V1', 'WS-R18', 'WS-T3'],
  'the callback is asked at exactly its URL, with what it is asked behind its own query',
  async () => {
    const own = '/cb/a%20b;c=(1)?x=a%20b&y=~(1)&z&hub.topic=x';
    await lab.subscribe(TOPIC, reader.url(own));
    const [asked] = reader.requests.filter(({ target }) => target.startsWith('/cb/'));
    expect(asked?.target.startsWith(`${own}&hub.mode=subscribe&hub.topic=`)).toBe(true);
    expect(asked?.query.getAll('hub.topic')).toEqual(['x', lab.topic(TOPIC)]);
    expect(asked?.query.get('hub.challenge')).toMatch(/^[A-Za-z0-9_-]{43,}$/);
    expect(asked?.headers['user-agent']).toContain('tidings');
    await lab.change();
    await expect
      .poll(() => reader.requests.filter(({ method, target }) => method === 'POST' && target === own).length, PATIENCE)
      .toBe(1);
    await lab.ask('unsubscribe', TOPIC, reader.url(own));
    await expect.poll(() => lab.find(reader.url(own)), PATIENCE).toBeUndefined();
    expect(reader.requests.at(-1)?.query.get('hub.mode')).toBe('unsubscribe');
    expect(reader.requests.at(-1)?.query.get('hub.challenge')).not.toBe(asked?.query.get('hub.challenge'));
  },
);

clause(['WS-V6', 'WS-N1'], 'whatever is not the challenge and a 2xx leaves nothing behind', async () => {
  let echoed = 0;
  reader.answer('/page', { get: (request, response) => confirm(request, response) });
  const challengeOf = (target: string) => new URL(target, 'http://x').searchParams.get('hub.challenge') ?? '';
  const wrong: Parameters<TestSubscriber['answer']>[1]['get'][] = [
    status(404),
    status(410),
    status(500),
    status(200),
    ({ target }, response) => response.writeHead(302, { location: `/page?hub.challenge=${challengeOf(target)}` }).end(),
    ({ target }, response) => response.end(`${challengeOf(target)}\n`),
    ({ target }, response) => response.end(` ${challengeOf(target)}`),
    ({ target }, response) => response.end(`"${challengeOf(target)}"`),
    ({ target }, response) => response.end(`<p>${challengeOf(target)}</p>`),
    ({ target }, response) => response.end(challengeOf(target).toLowerCase()),
    ({ target }, response) => response.end(target),
    ({ target }, response) => response.end(challengeOf(target) + 'x'.repeat(1_000_000)),
    ({ target }, response) => response.end(challengeOf(target).slice(0, -1)),
    (_, response) => {
      echoed += 1;
      response.socket?.destroy();
    },
  ];
  for (const [at, get] of wrong.entries()) {
    reader.answer(`/wrong/${at}`, { ...(get && { get }) });
    await lab.ask('subscribe', TOPIC, reader.url(`/wrong/${at}`));
  }
  await expect.poll(() => echoed, PATIENCE).toBe(1);
  // Those that may have failed by chance are asked twice more.
  for (let times = 0; times < 3; times += 1) {
    lab.time.skip(31_000);
    await expect
      .poll(
        async () => (await lab.list()).subscriptions.some(({ callback }) => callback.includes('/wrong/0')),
        PATIENCE,
      )
      .toBe(false);
  }
  await expect
    .poll(async () => {
      lab.time.skip(31_000);
      return (await lab.list()).subscriptions.filter(({ callback }) => callback.includes('/wrong/')).length;
    }, PATIENCE)
    .toBe(0);
  expect(reader.asked('/wrong/0')).toHaveLength(1);
  expect(reader.asked('/wrong/2')).toHaveLength(3);
  expect(reader.asked('/page')).toEqual([]);
  await notDeliveredNext('/wrong/10');
  const said = lab.logged.map(({ fields }) => fields.outcome);
  expect(said).toContain('white space around the challenge');
});

clause('WS-V3', 'a challenge is random and counts once: an earlier one confirms nothing', async () => {
  const challenges = new Set<string>();
  let first = '';
  reader.answer('/replay', {
    get: ({ query }, response) => {
      const challenge = query.get('hub.challenge') ?? '';
      challenges.add(challenge);
      first ||= challenge;
      response.end(first);
    },
  });
  await lab.subscribe(TOPIC, reader.url('/replay'), { 'hub.secret': 'one' });
  for (let times = 2; times <= 20; times += 1) {
    await lab.ask('subscribe', TOPIC, reader.url('/replay'), { 'hub.secret': 'other' });
    await expect.poll(() => challenges.size, PATIENCE).toBe(times);
  }
  await expect
    .poll(async () => (await lab.find(reader.url('/replay')))?.lastChallenge?.outcome, PATIENCE)
    .toBe('not the challenge');
});

clause(['WS-R11', 'WS-R10'], 'a renewal changes lease and secret once it is confirmed, and not before', async () => {
  const path = '/renewed';
  await lab.subscribe(TOPIC, reader.url(path), { 'hub.secret': 'old' });
  let answer = () => {};
  reader.answer(path, {
    get: (request, response) => {
      answer = () => confirm(request, response);
    },
  });
  await lab.ask('subscribe', TOPIC, reader.url(path), { 'hub.lease_seconds': '100000' });
  await expect.poll(() => reader.asked(path).length, PATIENCE).toBe(2);
  await deliveredNext(path);
  expect(reader.delivered(path).at(-1)?.headers['x-hub-signature']).toMatch(/^sha256=/);
  answer();
  await expect.poll(async () => (await lab.find(reader.url(path)))?.signature, PATIENCE).toBeUndefined();
  await deliveredNext(path);
  expect(reader.delivered(path).at(-1)?.headers['x-hub-signature']).toBeUndefined();
  expect(reader.delivered(path)).toHaveLength(2);
});

clause(
  ['WS-R12', 'WS-U1'],
  'a forged end has no effect: what counted goes on until the callback says otherwise',
  async () => {
    const path = '/faithful';
    await lab.subscribe(TOPIC, reader.url(path));
    const { leaseEnd } = (await lab.find(reader.url(path))) ?? {};
    reader.answer(path, { get: status(404) });
    for (const mode of ['unsubscribe', 'subscribe'] as const) {
      await lab.ask(mode, TOPIC, reader.url(path), { 'hub.secret': 'forged' });
      await expect.poll(async () => (await lab.find(reader.url(path)))?.pending, PATIENCE).toBeUndefined();
    }
    await deliveredNext(path);
    expect(reader.delivered(path).at(-1)?.headers['x-hub-signature']).toBeUndefined();
    expect(await lab.find(reader.url(path))).toMatchObject({ status: 'active', leaseEnd });
    reader.answer(path, { get: confirm });
    await lab.ask('unsubscribe', TOPIC, reader.url(path));
    await expect.poll(() => lab.find(reader.url(path)), PATIENCE).toBeUndefined();
    await notDeliveredNext(path);
  },
);

test('a newer request voids the challenge of the one before it', async () => {
  const path = '/twice';
  const held: (() => void)[] = [];
  reader.answer(path, { get: (request, response) => void held.push(() => confirm(request, response)) });
  await lab.ask('subscribe', TOPIC, reader.url(path), { 'hub.secret': 'first' });
  await expect.poll(() => held.length, PATIENCE).toBe(1);
  await lab.ask('subscribe', TOPIC, reader.url(path), { 'hub.lease_seconds': '100000' });
  await expect.poll(() => held.length, PATIENCE).toBe(2);
  held[0]?.();
  held[1]?.();
  await expect.poll(async () => (await lab.find(reader.url(path)))?.status, PATIENCE).toBe('active');
  expect((await lab.find(reader.url(path)))?.signature).toBeUndefined();
});

test('the end of what is unknown is taken, and nobody is asked', async () => {
  await lab.ask('unsubscribe', TOPIC, reader.url('/never'));
  await notDeliveredNext('/never');
  expect(reader.asked('/never')).toEqual([]);
});

clause(
  'WS-N2',
  'the admin ends an active one and a pending one: each callback is told once, without a challenge',
  async () => {
    reader.answer('/waiting', {
      get: ({ query }, response) => void (query.get('hub.mode') === 'denied' && response.end()),
    });
    await lab.subscribe(TOPIC, reader.url('/ended'));
    await lab.ask('subscribe', TOPIC, reader.url('/waiting'));
    await expect.poll(() => reader.asked('/waiting').length, PATIENCE).toBe(1);
    for (const path of ['/ended', '/waiting']) {
      const { id = '' } = (await lab.find(reader.url(path))) ?? {};
      expect((await lab.deny(id)).status).toBe(204);
      await lab.deny(id);
      await expect.poll(() => reader.asked(path, 'denied').length, PATIENCE).toBe(1);
      const [denied] = reader.asked(path, 'denied');
      expect(denied?.query.get('hub.topic')).toBe(lab.topic(TOPIC));
      expect(denied?.query.get('hub.reason')).toContain('operator');
      expect(denied?.query.has('hub.challenge')).toBe(false);
      await expect.poll(() => lab.find(reader.url(path)), PATIENCE).toBeUndefined();
    }
    await notDeliveredNext('/ended');
    expect((await lab.deny('nobody')).status).toBe(404);
    expect((await lab.get('api/v1/websub')).status).toBe(401);
  },
);

clause('WS-V8', 'nothing is delivered behind the end of a lease, and a renewal in time goes on', async () => {
  await lab.subscribe(TOPIC, reader.url('/ends'), { 'hub.lease_seconds': '86400' });
  await lab.subscribe(TOPIC, reader.url('/stays'), { 'hub.lease_seconds': '172800' });
  // What has ended is dropped each minute, and nothing is delivered in between either.
  lab.time.skip(DAY_MS - 30_000);
  lab.time.skip(40_000);
  await deliveredNext('/stays');
  expect(reader.delivered('/ends')).toEqual([]);
  lab.time.skip(60_000);
  await expect.poll(() => lab.find(reader.url('/ends')), PATIENCE).toBeUndefined();
  await lab.subscribe(TOPIC, reader.url('/stays'), { 'hub.lease_seconds': '172800' });
  lab.time.skip(DAY_MS + 1000);
  await deliveredNext('/stays');
});
