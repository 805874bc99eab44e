import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { callRoute } from '../../../test/support/call-route.ts';
import { keyLab, NOON } from '../../../test/support/key-lab.ts';
import { serveRoutes } from '../../../test/support/serve-routes.ts';
import { randomApiKey } from '../../io/node/random-api-key.ts';
import type { HubResponse, Route } from '../http/route.ts';
import { limitRoutes } from './limit-routes.ts';

const BODY = '{"cursor":"sha256:1"}\n';
const RESET = String(Math.ceil((NOON + 60_000) / 1000));

/** Feeds as a hub has them: one that is there at once, one that is not, an archive, and one that is missing. */
const FEEDS: readonly Route[] = [
  feed('/diff/head.json', ({ 'if-none-match': seen }) =>
    seen === '"1"' ? { status: 304, headers: { etag: '"1"' } } : { status: 200, headers: { etag: '"1"' }, body: BODY },
  ),
  feed('/diff/latest.json', async () => ({ status: 200, headers: {}, body: BODY })),
  feed('/archive/docs/1.json', () => ({ status: 200, headers: {}, body: BODY })),
  feed('/diff/nobody/head.json', () => ({ status: 404, headers: {} })),
];

function feed(
  path: string,
  answer: (headers: Readonly<Record<string, string | undefined>>) => HubResponse | Promise<HubResponse>,
): Route {
  const about = { method: 'GET', access: 'open', cors: true, summary: '', responses: { 200: 'The feed.' } } as const;
  return { ...about, path, handle: ({ headers }) => answer(headers) };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Without the pool of fetch: so many sockets at a time as there are requests. */
function get(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, ...(agent && { agent }) }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

async function serve(options: Parameters<typeof serveRoutes>[1] = {}) {
  const lab = await keyLab();
  const { server } = await serveRoutes(limitRoutes(FEEDS, lab.limits), options);
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  onTestFinished(() => agent.destroy());
  return { ...lab, get: (path: string, headers = {}) => get(server.url + path, headers, agent) };
}

const standing = ({ headers }: Answer) => [
  headers['x-ratelimit-limit'],
  headers['x-ratelimit-remaining'],
  headers['x-ratelimit-reset'],
];

test('a part of a feed keeps what it says of itself', async () => {
  const { limits } = await keyLab();
  const also = { 'content-length': '4', 'content-range': 'bytes 0-3/22' };
  const part = feed('/aicf/docs.ndjson', () => ({ status: 206, headers: {}, also, body: BODY.slice(0, 4) }));
  const answer = await callRoute(limitRoutes([part], limits), 'GET /aicf/docs.ndjson');
  expect(answer.also).toEqual({
    ...also,
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': RESET,
  });
});

clause('DD-U3', 'without a key, 60 requests a minute of one address are answered and no more', async () => {
  const { get, time } = await serve();
  for (let sent = 1; sent <= 60; sent++) {
    const path = ['diff/head.json', 'diff/latest.json', 'archive/docs/1.json'][sent % 3] ?? '';
    expect((await get(path)).status, `request ${sent}`).toBe(200);
  }
  const refused = await get('diff/head.json');
  expect([refused.status, refused.headers['retry-after'], ...standing(refused)]).toEqual([429, '60', '60', '0', RESET]);
  expect(refused.headers['content-type']).toBe('application/problem+json');
  expect(refused.headers['access-control-allow-origin']).toBe('*');
  expect(JSON.parse(refused.body)).toMatchObject({ status: 429, detail: expect.stringContaining('60 times a minute') });
  time.nowMs += 59_999;
  expect(await get('diff/head.json')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  time.nowMs += 1;
  expect((await get('diff/head.json')).status).toBe(200);
});

clause('DD-U4', 'a pro key has 1,000 requests a minute, counted by key and not by address', async () => {
  const { get, issue } = await serve();
  const one = await issue('pro');
  const other = await issue('pro');
  expect(standing(await get('diff/head.json', one.headers))).toEqual(['1000', '999', RESET]);
  expect(standing(await get('diff/head.json', one.headers))).toEqual(['1000', '998', RESET]);
  expect(standing(await get('diff/head.json', other.headers)), 'another key').toEqual(['1000', '999', RESET]);
  expect(standing(await get('diff/head.json')), 'no key').toEqual(['60', '59', RESET]);
  expect(one.key).toMatch(/^dd_live_[0-9A-Za-z]{32}$/);
});

clause('DD-U5', 'an enterprise key has at least 5,000 requests a minute', async () => {
  const { get, issue } = await serve();
  const { key, headers } = await issue('enterprise');
  expect(standing(await get('diff/head.json', headers))).toEqual(['5000', '4999', RESET]);
  expect(key).toMatch(/^dd_live_[0-9A-Za-z]{32}$/);
});

clause('DD-U6', 'every answer says how the client stands, also a 304, a 404 and a late one', async () => {
  const { get } = await serve();
  expect(standing(await get('diff/head.json'))).toEqual(['60', '59', RESET]);
  const unchanged = await get('diff/head.json', { 'if-none-match': '"1"' });
  expect([unchanged.status, ...standing(unchanged), unchanged.headers.etag]).toEqual([304, '60', '58', RESET, '"1"']);
  const missing = await get('diff/nobody/head.json');
  expect([missing.status, ...standing(missing)]).toEqual([404, '60', '57', RESET]);
  expect(standing(await get('diff/latest.json'))).toEqual(['60', '56', RESET]);
  expect(Number(RESET) * 1000).toBeGreaterThan(NOON);
});

clause('DD-U7', 'the tier is named for keys that count, and for nobody else', async () => {
  const { get, issue, keys } = await serve();
  const { key, headers } = await issue('pro');
  expect((await get('diff/head.json', headers)).headers['x-diffdelta-tier']).toBe('pro');
  const enterprise = await issue('enterprise');
  expect((await get('diff/latest.json', enterprise.headers)).headers['x-diffdelta-tier']).toBe('enterprise');
  expect((await get('diff/head.json')).headers['x-diffdelta-tier']).toBeUndefined();
  for (const [record] of [keys.named(key)]) await keys.revoke(record?.hash ?? '', { atMs: NOON, for: 'revoked' });
  const revoked = await get('diff/head.json', headers);
  expect([revoked.headers['x-diffdelta-tier'], standing(revoked)[0]]).toEqual([undefined, '60']);
});

clause(['DD-U1', 'DD-U15'], 'feeds are the same without a key, with a wrong one and with a right one', async () => {
  const { get, issue } = await serve();
  const before = [{}, { 'x-diffdelta-key': randomApiKey() }, { 'x-diffdelta-key': 'x' }];
  for (const path of ['diff/head.json', 'diff/latest.json', 'archive/docs/1.json']) {
    for (const headers of before)
      expect(await get(path, headers), 'no key was ever made').toMatchObject({ status: 200, body: BODY });
  }
  const { headers: right } = await issue('pro');
  for (const path of ['diff/head.json', 'diff/latest.json', 'archive/docs/1.json']) {
    for (const headers of [...before, right])
      expect(await get(path, headers)).toMatchObject({ status: 200, body: BODY });
  }
  // All but the three with the right key were counted by address.
  expect(standing(await get('diff/head.json'))[1]).toBe(String(60 - 9 - 9 - 1));
});

clause('DD-U9', 'a key counts in its header only', async () => {
  const { get, issue } = await serve();
  const { key } = await issue('pro');
  const path = `diff/head.json?key=${key}&api_key=${key}&X-DiffDelta-Key=${key}&x-diffdelta-key=${key}`;
  for (const headers of [{}, { authorization: `Bearer ${key}` }, { cookie: `X-DiffDelta-Key=${key}` }]) {
    const answer = await get(path, headers);
    expect([answer.headers['x-diffdelta-tier'], standing(answer)[0]]).toEqual([undefined, '60']);
  }
  const inHeader = await get('diff/head.json', { 'X-DiffDelta-Key': key });
  expect(inHeader.headers['x-diffdelta-tier']).toBe('pro');
});

test('500 requests at once: exactly as many pass as may, by address and by key', async () => {
  const { get, issue } = await serve();
  const { headers } = await issue('pro');
  const paths = ['diff/head.json', 'diff/latest.json'];
  const count = async (total: number, sent: Record<string, string>) => {
    const answers = await Promise.all(Array.from({ length: total }, (_, at) => get(paths[at % 2] ?? '', sent)));
    const passed = answers.filter(({ status }) => status === 200);
    const left = passed.map((answer) => Number(standing(answer)[1]));
    expect(new Set(left).size, 'each number of those that remain is said once').toBe(passed.length);
    return [passed.length, answers.filter(({ status }) => status === 429).length];
  };
  expect(await Promise.all([count(500, {}), count(500, headers)])).toEqual([
    [60, 440],
    [500, 0],
  ]);
  expect(await count(510, headers)).toEqual([500, 10]);
});

test('X-Forwarded-For of somebody who is not trusted changes nothing', async () => {
  const { get } = await serve({ trustProxies: [] });
  for (let sent = 0; sent < 60; sent++) {
    expect((await get('diff/head.json', { 'x-forwarded-for': `192.0.2.${sent}` })).status).toBe(200);
  }
  expect((await get('diff/head.json', { 'x-forwarded-for': '198.51.100.1' })).status).toBe(429);
});

test('behind a trusted proxy, clients are counted by what it says: IPv4 by address, IPv6 by /64', async () => {
  const { get } = await serve({ trustProxies: ['127.0.0.1'] });
  const left = async (address: string) =>
    Number(standing(await get('diff/head.json', { 'x-forwarded-for': address }))[1]);
  expect(await left('192.0.2.1')).toBe(59);
  expect(await left('192.0.2.2')).toBe(59);
  expect(await left('::ffff:192.0.2.1')).toBe(58);
  // What stands before the last hop was written by the client.
  expect(await left('203.0.113.9, 192.0.2.1')).toBe(57);
  expect(await left('2001:db8::1')).toBe(59);
  expect(await left('2001:db8::ffff:1')).toBe(58);
  expect(await left('2001:db8:0:0:1:2:3:4')).toBe(57);
  expect(await left('2001:db8:0:1::1')).toBe(59);
});

test('a limited route is described as before, with 429; what is refused never reaches its handler', async () => {
  const { limits } = await keyLab();
  let reached = 0;
  const counting = feed('/diff/head.json', () => {
    reached++;
    return { status: 200, headers: {} };
  });
  const perMinute = { free: 2, pro: 2, enterprise: 2 };
  const routes = limitRoutes([counting], { ...limits, perMinute });
  expect(routes).toMatchObject([
    { path: '/diff/head.json', cors: true, access: 'open', responses: { 200: 'The feed.', 429: expect.any(String) } },
  ]);
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent++) statuses.push((await callRoute(routes, 'GET /diff/head.json')).status);
  expect([statuses, reached]).toEqual([[200, 200, 429, 429], 2]);
});
