import { expect, onTestFinished, test } from 'vitest';
import { type HubSettings, startHub } from '../src/doors/hub.ts';
import { type FeedServer, startFeedServer } from './support/feed-server.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'test-token-of-the-check-page';
const WELL_KNOWN = '/.well-known/ai-changefeed';

async function startSite(): Promise<FeedServer> {
  const site = await startFeedServer();
  onTestFinished(() => site[Symbol.asyncDispose]());
  site.put('/', '<!doctype html><title>Home</title><main><h1>Home</h1><p>Words of the home page.</p></main>');
  site.put(WELL_KNOWN, `{"aicf_version":"0.1","self":"${site.origin}feed.ndjson"}`);
  site.put('/feed.ndjson', 'no event\n');
  return site;
}

async function openHub(site: FeedServer, settings: Partial<HubSettings> = {}) {
  const folder = temporaryFolder();
  const source = { id: 'docs', kind: 'page' as const, urls: [`${site.origin}`] };
  const base = { port: 0, allowPrivate: true, sources: [source], ...settings };
  const hub = await startHub(base, { token: TOKEN, base: folder.path });
  onTestFinished(async () => {
    await hub.close();
    folder[Symbol.dispose]();
  });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(new URL(path, hub.url), { headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { hub, ask };
}

const looks = (site: FeedServer) => site.requests.filter(({ path }) => path === WELL_KNOWN).length;

test('a watched site is checked once for all who ask, in every form', async () => {
  const site = await startSite();
  const { ask } = await openHub(site);
  const query = `?url=${encodeURIComponent(site.origin)}`;
  const [page, same] = await Promise.all([
    ask(`check${query}`, { accept: 'text/html,*/*;q=0.8' }),
    ask(`check${query}`),
  ]);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain('AICF-F4');
  expect(page.text).toContain('What to write');
  expect(same.text).toBe(page.text);
  expect(page.headers.get('vary')).toContain('accept,');

  const json = [
    await ask(`check${query}`, { accept: 'application/json' }),
    await ask(`check${query}&format=json`),
    await ask(`api/v1/views/check${query}`),
  ];
  for (const { status, text } of json) {
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ url: site.origin, verdict: 'failing', report: { spec: 'aicf' } });
  }
  const badge = await ask(`check/badge.svg${query}`);
  expect([badge.status, badge.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(badge.text).toContain('change feeds: failing');
  expect(looks(site), 'one check for all of them').toBe(1);
});

test('a hub checks no site that it does not watch, and asks it for nothing', async () => {
  const [site, other] = [await startSite(), await startSite()];
  const { ask } = await openHub(site);
  const addresses = [other.origin, `${site.origin}elsewhere`, 'http://127.0.0.1:1/', 'https://lantern.example/'];
  for (const url of addresses) {
    for (const path of ['check', 'check/badge.svg', 'api/v1/views/check']) {
      const { status, text } = await ask(`${path}?url=${encodeURIComponent(url)}`);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('No source of this hub');
    }
  }
  expect(other.requests).toEqual([]);
  for (const url of ['file:///etc/passwd', 'x', '//', 'http://a:b@127.0.0.1/'])
    expect((await ask(`check?url=${encodeURIComponent(url)}`)).status).toBe(400);
  const list = await ask('check');
  expect(list.text).toContain(encodeURIComponent(site.origin));
  expect((await ask('sources/docs')).text).toContain('Check its change feeds');
});

test('a source that is paused is left alone', async () => {
  const site = await startSite();
  const { hub, ask } = await openHub(site);
  const pause = await fetch(new URL('api/v1/sources/docs/pause', hub.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(pause.status).toBe(200);
  expect((await ask(`check?url=${encodeURIComponent(site.origin)}`)).status).toBe(404);
  expect(looks(site)).toBe(0);
});

test('who asks too often is refused, as for feeds', async () => {
  const site = await startSite();
  const { ask } = await openHub(site, { limits: { perMinute: 3 } });
  const query = `?url=${encodeURIComponent(site.origin)}`;
  const statuses: number[] = [];
  for (let time = 0; time < 5; time += 1) statuses.push((await ask(`check${query}`)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect((await ask(`check/badge.svg${query}`)).status).toBe(429);
});

test('a site that does not answer is unknown, and says why', async () => {
  const site = await startSite();
  const { ask } = await openHub(site);
  for (const path of [WELL_KNOWN, '/.well-known/diffdelta.json']) site.fail(path, { kind: 'status', status: 503 });
  const { status, text } = await ask(`check?url=${encodeURIComponent(site.origin)}&format=json`);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ verdict: 'unknown', failure: expect.stringContaining('503') });
});
