import { expect, test } from 'vitest';
import { FakeWatch, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { decodeSource } from '../config/decode-source.ts';
import { DEFAULT_SELF_SERVICE, type SelfServiceSettings } from '../config/self-service.ts';
import { createRateLimiter } from '../keys/rate-limiter.ts';
import { SELF_SERVICE } from '../keys/self-service-owner.ts';
import { sourceAccess } from '../keys/source-access.ts';
import { FollowRequests, type FollowRequestsParts } from './follow-requests.ts';
import { RequestBook } from './request-book.ts';
import type { SiteConsent } from './site-consent.ts';

const DAY_MS = 86_400_000;
const SIGNAL = new AbortController().signal;

async function lab(given: Partial<SelfServiceSettings> = {}, parts: Partial<FollowRequestsParts> = {}) {
  const settings = { ...DEFAULT_SELF_SERVICE, enabled: true, ...given };
  const time = { ms: Date.parse('2026-03-01T12:00:00Z') };
  const now = () => time.ms;
  const watch = new FakeWatch([watchedSource(siteConfig('docs'))]);
  const facts = new Map<string, string>();
  const store = {
    fact: async (name: string) => facts.get(name),
    putFact: async (name: string, value: string) => void facts.set(name, value),
  };
  const book = await RequestBook.open(store);
  const looked: string[] = [];
  const answers = new Map<string, SiteConsent>();
  const access = sourceAccess({
    watch,
    rules: { most: settings.most, minIntervalSeconds: settings.everyMinutes * 60, maxPages: 10 },
    isPrivateName: () => false,
    decodeSource: (value, at) => decodeSource(value, { allowPrivate: false, at }),
  })({ is: 'owner', owner: SELF_SERVICE });
  const requests = new FollowRequests({
    watch,
    access,
    settings,
    limiter: createRateLimiter({ now, windowMs: DAY_MS }),
    book,
    async lookAt(url) {
      looked.push(url.href);
      return answers.get(url.href) ?? { is: 'open', url };
    },
    isPublicName: (hostname) => hostname !== 'localhost',
    closedFor: () => undefined,
    onOutcome: () => {},
    now,
    ...parts,
  });
  const ask = (address: string, client = '192.0.2.1') => requests.ask(new URL(address), client, SIGNAL);
  return { requests, watch, book, looked, answers, time, ask, reopened: () => RequestBook.open(store) };
}

test('a site that is open becomes a source of visitors, looked at slowly', async () => {
  const { ask, watch, book } = await lab();
  expect(await ask('https://shrine.example/rose/index.html?from=1')).toMatchObject({ is: 'added' });
  expect(watch.source('shrine_example')).toMatchObject({
    owner: SELF_SERVICE,
    origin: 'api',
    config: { kind: 'auto', url: 'https://shrine.example/rose/', intervalSeconds: 43_200, maxPages: 10 },
  });
  expect(book.all()).toMatchObject([{ client: '192.0.2.1', source: 'shrine_example' }]);
});

test('a host that is watched is not asked, counted or added again', async () => {
  const { ask, looked, requests } = await lab({ perDay: 1 });
  expect(await ask('https://docs.example/any')).toMatchObject({ is: 'watched', source: { config: { id: 'docs' } } });
  expect([looked, requests.leftToday()]).toEqual([[], 1]);
  expect(await ask('https://docs.example:8443/')).toMatchObject({ is: 'added' });
});

test('what leads to a host that is watched is not added either', async () => {
  const { ask, answers } = await lab();
  answers.set('https://old.example/', { is: 'open', url: new URL('https://docs.example/') });
  expect(await ask('https://old.example/')).toMatchObject({ is: 'watched' });
});

test.each<[SiteConsent, number]>([
  [{ is: 'closed', reason: 'robots.txt forbids it.' }, 403],
  [{ is: 'unreadable', reason: 'status 500' }, 422],
  [{ is: 'later', reason: 'It wants peace.' }, 503],
])('a site that says no is refused with its reason: %j', async (look, status) => {
  const { ask, answers, watch, reopened } = await lab();
  answers.set('https://no.example/', look);
  expect(await ask('https://no.example/')).toMatchObject({
    is: 'refused',
    status,
    reason: 'reason' in look && look.reason,
  });
  expect(watch.sources()).toHaveLength(1);
  expect((await reopened()).all(), 'kept over a restart').toMatchObject([{ url: 'https://no.example/' }]);
});

test('a name that is not public, and one that its owner closed, are refused without a look', async () => {
  const { ask, looked } = await lab(
    {},
    { closedFor: (host) => (host === 'mine.example' ? 'Its owner said no.' : undefined) },
  );
  expect(await ask('http://localhost/')).toMatchObject({
    status: 403,
    reason: 'Only sites on the public web are followed.',
  });
  expect(await ask('https://mine.example/')).toMatchObject({ status: 403, reason: 'Its owner said no.' });
  expect(looked).toEqual([]);
});

test('a client has its day, and so has the hub; another day begins anew', async () => {
  const { ask, looked, time } = await lab({ perClient: 2, perDay: 3 });
  for (const at of [1, 2]) expect(await ask(`https://a${at}.example/`)).toMatchObject({ is: 'added' });
  expect(await ask('https://a3.example/')).toMatchObject({
    status: 429,
    reason: 'You may ask for 2 sites a day, and have.',
  });
  expect(await ask('https://b1.example/', '192.0.2.2')).toMatchObject({ is: 'added' });
  expect(await ask('https://b2.example/', '192.0.2.2')).toMatchObject({ status: 429, waitMs: expect.any(Number) });
  expect(looked).toHaveLength(3);
  time.ms += DAY_MS;
  expect(await ask('https://a3.example/')).toMatchObject({ is: 'added' });
});

test('there are no more sources of visitors than the settings say, however many ask at once', async () => {
  const { ask, watch } = await lab({ most: 2, perClient: 10 });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((at) => ask(`https://a${at}.example/`)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(watch.sources().filter(({ owner }) => owner === SELF_SERVICE)).toHaveLength(2);
  expect(await ask('https://a5.example/')).toMatchObject({
    status: 403,
    reason: expect.stringContaining('as many sites'),
  });
});

test('a host is looked at once at a time, and few hosts are', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { ask } = await lab({ perClient: 10 }, { lookAt: async (url) => held.then(() => ({ is: 'open', url })) });
  const first = ask('https://a.example/');
  expect(await ask('https://a.example/')).toMatchObject({ status: 503 });
  const others = [1, 2, 3].map((at) => ask(`https://b${at}.example/`));
  expect(await ask('https://c.example/')).toMatchObject({ status: 503 });
  release();
  expect((await Promise.all([first, ...others])).map(({ is }) => is)).toEqual(Array(4).fill('added'));
});
