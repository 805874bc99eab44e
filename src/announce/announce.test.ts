import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type AnswerTarget, startTarget } from '../../test/support/announce-target.ts';
import { decodeForm } from '../codecs/websub/form.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import type { Change } from '../model/change.ts';
import { type AnnounceRequest, announceChanges } from './announce.ts';
import { type AnnounceTargets, announceTargetsOf } from './announce-target.ts';
import type { AnnouncedTargets } from './announced.ts';

const SITE = new URL('https://docs.example/');
const KEY = '7c9e2b41-f0a3';
const TOPICS = ['https://docs.example/changes.atom', 'https://docs.example/ai-changes.ndjson'];

function changes(count: number, more: Partial<Change> = {}): Change[] {
  return Array.from({ length: count }, (_, at) => ({
    seq: at + 1,
    id: `id-${at + 1}`,
    source: 'docs',
    kind: 'page',
    action: at % 3 === 0 ? 'delete' : 'update',
    url: `https://docs.example/p${at + 1}`,
    time: `2026-11-17T12:00:0${Math.min(9, at)}Z`,
    provenance: {},
    ...more,
  }));
}

/** Keeps what was told between calls, as the file does. Pauses take no time, and are kept. */
function lab(keyText: string | undefined = KEY, deadlineMs = 20_000) {
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'tidings-test', deadlineMs });
  onTestFinished(() => http[Symbol.asyncDispose]());
  let announced: AnnouncedTargets = new Map();
  const waited: number[] = [];
  return {
    waited,
    async announce(targets: AnnounceTargets, log: readonly Change[], more: Partial<AnnounceRequest> = {}) {
      const report = await announceChanges(
        { targets: announceTargetsOf(targets), site: SITE, changes: log, topics: TOPICS, announced, ...more },
        {
          http,
          wait: async (ms) => void waited.push(ms),
          now: () => Date.parse('2026-11-17T13:00:00Z'),
          signal: new AbortController().signal,
          keyFile: async () => keyText,
          remember: async (told) => {
            announced = told;
          },
        },
      );
      return report.targets;
    },
  };
}

async function started(answer: AnswerTarget) {
  const target = await startTarget(answer);
  onTestFinished(() => target[Symbol.asyncDispose]());
  return target;
}

const say =
  (status: number, text = '', headers = {}): AnswerTarget =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

function fieldsOf(body: string) {
  const fields = decodeForm(new TextEncoder().encode(body));
  return fields.ok ? fields.value : [];
}

clause(['WS-P1', 'WS-D8'], 'every hub is told of every feed that is new, once', async () => {
  const [one, other] = [await started(say(202)), await started(say(204))];
  const { announce } = lab();
  const targets = { websub: [one.origin, `${other.origin}in?x=1`] };
  expect(await announce(targets, changes(2))).toMatchObject([
    { kind: 'websub', outcome: 'told', urls: TOPICS, status: 202 },
    { outcome: 'told', urls: TOPICS, status: 204 },
  ]);
  for (const { requests } of [one, other]) {
    expect(requests.map(({ body }) => fieldsOf(body))).toEqual(
      TOPICS.map((topic) => [
        ['hub.mode', 'publish'],
        ['hub.url', topic],
        ['hub.topic', topic],
      ]),
    );
    expect(requests[0]).toMatchObject({ method: 'POST', contentType: 'application/x-www-form-urlencoded' });
  }
  expect(other.requests[0]?.path).toBe('/in?x=1');
  expect(await announce(targets, changes(2))).toMatchObject([{ outcome: 'nothing' }, { outcome: 'nothing' }]);
  expect(one.requests.length + other.requests.length).toBe(4);
});

test('IndexNow is told of the pages that changed, deleted ones too, each once', async () => {
  const target = await started(say(200));
  const { announce } = lab();
  const log = [
    ...changes(3),
    ...changes(1, { id: 'id-4', seq: 4, anchor: 'x' }),
    ...changes(1, { id: 'e', kind: 'endpoint', url: 'https://api.example/v1' }),
  ];
  await announce({ indexnow: target.origin, key: KEY }, log);
  const [{ path, body, contentType } = { path: '', body: '', contentType: '' }] = target.requests;
  expect([path, contentType, JSON.parse(body)]).toEqual([
    '/indexnow',
    'application/json; charset=utf-8',
    { host: 'docs.example', key: KEY, urlList: ['p1', 'p2', 'p3'].map((page) => `https://docs.example/${page}`) },
  ]);
});

test('IndexNow gets 10,000 URLs at once, and no more; the key of a site below a path is named', async () => {
  const target = await started(say(202));
  const { announce } = lab();
  const site = new URL('https://docs.example/sub/');
  const [told] = await announce({ indexnow: `${target.origin}indexnow`, key: KEY }, changes(20_001), { site });
  expect(told).toMatchObject({ outcome: 'told', requests: 3 });
  const bodies = target.requests.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ urlList }) => urlList.length)).toEqual([10_000, 10_000, 1]);
  expect(bodies[0].keyLocation).toBe(`https://docs.example/sub/${KEY}.txt`);
});

test('a hub of Tidings is told of the pages, at its /hub', async () => {
  const target = await started(say(202));
  const { announce } = lab();
  await announce({ hubs: [target.origin] }, changes(201));
  expect(target.requests.map(({ path }) => path)).toEqual(['/hub', '/hub']);
  const urls = target.requests.map(({ body }) => fieldsOf(body).filter(([name]) => name === 'hub.url').length);
  expect(urls).toEqual([200, 1]);
});

test('only what is new is told; who failed is told all of it, the others nothing twice', async () => {
  let isDown = true;
  const flaky = await started((_, response) => void response.writeHead(isDown ? 400 : 200).end('not now'));
  const steady = await started(say(200));
  const { announce } = lab();
  const targets = { indexnow: flaky.origin, key: KEY, hubs: [steady.origin] };
  expect(await announce(targets, changes(2))).toMatchObject([
    { outcome: 'failed', status: 400, reason: 'It answers 400: not now' },
    { outcome: 'told' },
  ]);
  isDown = false;
  const [first, second] = await announce(targets, changes(3));
  expect(first).toMatchObject({
    outcome: 'told',
    urls: ['p1', 'p2', 'p3'].map((page) => `https://docs.example/${page}`),
  });
  expect(second).toMatchObject({ outcome: 'told', urls: ['https://docs.example/p3'] });
  expect(await announce(targets, changes(3))).toMatchObject([{ outcome: 'nothing' }, { outcome: 'nothing' }]);
});

test('what may pass is tried again, a bounded number of times, as late as the target asks', async () => {
  const failing = await started(say(503, 'overloaded'));
  const busy = await started(
    (_, response, number) =>
      void (number < 3 ? say(429, '', { 'retry-after': '20' })(_, response, number) : response.end()),
  );
  const patient = await started(say(429, '', { 'retry-after': '3600' }));
  const cut = await started((_, response, number) => void (number === 1 ? response.destroy() : response.end()));
  const { announce, waited } = lab();
  const told = await announce({ hubs: [failing, busy, patient, cut].map(({ origin }) => origin) }, changes(1));
  expect(told).toMatchObject([
    { outcome: 'failed', status: 503, reason: 'It answers 503: overloaded' },
    { outcome: 'told' },
    { outcome: 'failed', status: 429, reason: 'It answers 429. It asks for a pause of 3600 s.' },
    { outcome: 'told' },
  ]);
  expect([failing, busy, patient, cut].map(({ requests }) => requests.length)).toEqual([4, 3, 1, 2]);
  expect(waited.toSorted((a, b) => a - b)).toEqual([1000, 1000, 5000, 15_000, 20_000, 20_000]);
});

test('403 and 422 of IndexNow are faults of the configuration, and are not tried again', async () => {
  const [unknown, foreign] = [await started(say(403, '<h1>Forbidden</h1>')), await started(say(422))];
  const { announce, waited } = lab();
  const [first] = await announce({ indexnow: unknown.origin, key: KEY }, changes(1));
  const [second] = await announce({ indexnow: foreign.origin, key: KEY }, changes(1));
  expect(first?.reason).toBe('It answers 403: Forbidden It does not find the key: is the file of the key public?');
  expect(second?.reason).toContain('does not count for these URLs');
  expect([unknown.requests.length, foreign.requests.length, waited.length]).toEqual([1, 1, 0]);
});

test.each([undefined, 'another key'])('without the file of its key IndexNow is not asked (%s)', async (keyText) => {
  const target = await started(say(200));
  const { announce } = lab();
  const [told] = await announce({ indexnow: target.origin, key: KEY }, changes(1), {});
  expect(told).toMatchObject({ outcome: 'told' });
  const without = lab(keyText ?? '');
  const [failed] = await without.announce({ indexnow: target.origin, key: KEY }, changes(1));
  expect(failed).toMatchObject({ outcome: 'failed', requests: 0, reason: expect.stringContaining(`${KEY}.txt`) });
  expect(target.requests).toHaveLength(1);
});

test('a 200 counts, also with a page of HTML; but a person is told', async () => {
  const liar = await started(say(200, '<h1>Error</h1>', { 'content-type': 'text/html' }));
  const [told] = await lab().announce({ indexnow: liar.origin, key: KEY }, changes(1));
  expect(told).toMatchObject({ outcome: 'told', note: expect.stringContaining('Is this the address') });
});

test('307 and 308 are followed with the same body, five times; other redirects are refused', async () => {
  const hops =
    (status: number, most: number): AnswerTarget =>
    ({ path }, response) => {
      const hop = Number(path.slice(1)) || 0;
      response.writeHead(hop < most ? status : 200, { location: `/${hop + 1}` }).end();
    };
  const [near, far, found] = [await started(hops(308, 5)), await started(hops(307, 6)), await started(hops(302, 1))];
  const targets = { websub: [near, far, found].map(({ origin }) => origin) };
  const told = await lab().announce(targets, changes(1), { topics: TOPICS.slice(0, 1) });
  expect(told).toMatchObject([
    { outcome: 'told' },
    { outcome: 'failed', status: 307 },
    { outcome: 'failed', status: 302, reason: 'It answers 302. It leads to /1.' },
  ]);
  expect(new Set(near.requests.map(({ method, body }) => `${method} ${body}`)).size).toBe(1);
  expect([near, far, found].map(({ requests }) => requests.length)).toEqual([6, 6, 1]);
});

test('a target that never answers keeps nobody else from being told', async () => {
  const silent = await started(() => {});
  const other = await started(say(200));
  const told = await lab(KEY, 200).announce({ hubs: [silent.origin, other.origin] }, changes(1));
  expect(told).toMatchObject([
    { outcome: 'failed', reason: expect.stringContaining('not read within') },
    { outcome: 'told' },
  ]);
});

test('who was never told anything may be told of the last publish only', async () => {
  const target = await started(say(202));
  const { announce } = lab();
  const log = [
    ...changes(3),
    ...changes(2, { time: '2026-11-18T00:00:00Z' }).map((change) => ({ ...change, id: `n-${change.seq}` })),
  ];
  const [told] = await announce({ hubs: [target.origin] }, log, { lastOnly: true });
  expect(told?.urls).toEqual(['https://docs.example/p1', 'https://docs.example/p2']);
  const more = [
    ...log,
    ...changes(1, { id: 'x', url: 'https://docs.example/x' }),
    ...changes(1, { id: 'y', url: 'https://docs.example/y' }),
  ];
  const [next] = await announce({ hubs: [target.origin] }, more, { lastOnly: true });
  expect(next?.urls).toEqual(['https://docs.example/x', 'https://docs.example/y']);
});

test('a dry run tells nobody and remembers nothing', async () => {
  const target = await started(say(202));
  const { announce } = lab();
  for (const _ of [1, 2]) {
    const [planned] = await announce({ hubs: [target.origin] }, changes(2), { dryRun: true });
    expect(planned).toMatchObject({ outcome: 'planned', urls: ['https://docs.example/p1', 'https://docs.example/p2'] });
  }
  expect(target.requests).toEqual([]);
});

test.each([
  [{}, /Say who is to be told/],
  [{ indexnow: 'https://a.example/' }, /Give the key/],
  [{ indexnow: 'https://a.example/', key: 'short' }, /8 to 128/],
  [{ indexnow: 'https://a.example/', key: 'with_underscore' }, /8 to 128/],
  [{ websub: ['https://a.example/'], key: KEY }, /--indexnow, too/],
  [{ websub: ['ftp://a.example/'] }, /http\(s\) URL/],
  [{ hubs: ['https://user@a.example/'] }, /user name/],
  [{ hubs: ['hub'] }, /http\(s\) URL/],
])('%j is refused before anybody is told', (targets, message) => {
  expect(() => announceTargetsOf(targets)).toThrow(message);
});
