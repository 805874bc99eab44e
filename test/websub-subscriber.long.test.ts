import { expect, onTestFinished, test, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { AskedHub, HUB_TOKEN } from './pin/asked-hub.ts';
import { signatureOf, startFakeHub } from './support/fake-websub-hub.ts';
import { startLiveSite } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';

const WAIT = { timeout: 30_000, interval: 20 };

interface Told {
  readonly action: string;
  readonly url: string;
}

const atom = (self: string, hub: string, posts: readonly string[]) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>F</title><updated>2026-03-01T12:00:00Z</updated>
  <link rel="self" href="${self}"/><link rel="hub" href="${hub}"/>${posts
    .map(
      (post) =>
        `<entry><id>${post}</id><title>${post}</title><updated>2026-03-01T12:00:00Z</updated><link href="https://blog.example/${post}"/></entry>`,
    )
    .join('')}</feed>`;

async function open(settings: object = {}) {
  const site = await startLiveSite();
  const hub = await startFakeHub();
  const folder = temporaryFolder();
  const feed = `${site.url}feed.xml`;
  const post = (...posts: readonly string[]) => site.put({ '/feed.xml': atom(feed, hub.url, posts) });
  post('one');
  const source = { id: 'blog', kind: 'feed' as const, dialect: 'atom' as const, url: feed };
  const start = async () => {
    const running = await startHub(
      {
        port: 0,
        allowPrivate: true,
        data: './data',
        websubSubscriber: { enabled: true },
        sources: [source],
        ...settings,
      },
      { base: folder.path, token: HUB_TOKEN },
    );
    const asked = new AskedHub(running);
    return {
      asked,
      url: running.url,
      close: () => running.close(),
      view: () => asked.admin('GET', '/blog'),
      told: async () => {
        const { changes } = (await (await asked.ask('api/v1/changes?limit=1000')).json()) as { changes: Told[] };
        return changes.map(({ url }) => url.replace('https://blog.example/', ''));
      },
    };
  };
  const started = await start();
  onTestFinished(async () => {
    await started.close();
    await hub[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  return { site, hub, feed, post, start, started };
}

test('an edit is told when the hub of the feed says so, long before the next poll; a forged push does nothing', async () => {
  const { site, hub, feed, post, started } = await open();
  await vi.waitFor(async () => expect(await started.view()).toMatchObject({ websub: { state: 'active' } }), WAIT);
  expect(await started.view()).toMatchObject({
    intervalSeconds: 900,
    websub: { hub: hub.url, topic: feed, misses: 0, trusted: false, leaseUntil: expect.any(String) },
  });
  await vi.waitFor(() => expect(hub.held.size).toBe(1), WAIT);
  site.takeRequests();
  const [callback = ''] = hub.held.keys();
  const evil = atom(feed, hub.url, ['forged']);
  const forged = { 'x-hub-signature': signatureOf('sha256', 'guessed', evil) };
  expect(await hub.deliver(callback, evil, forged)).toMatchObject({ status: 200 });

  post('two', 'one');
  await Promise.all(Array.from({ length: 20 }, () => hub.publish(feed, atom(feed, hub.url, ['not-read', 'two']))));
  await vi.waitFor(async () => expect(await started.told()).toEqual(['one', 'two']), WAIT);
  await vi.waitFor(async () => expect(await started.view()).toMatchObject({ websub: { trusted: true } }), WAIT);
  expect(site.takeRequests().length, 'a burst is one look, and one more at most').toBeLessThanOrEqual(2);
  const { health, websub } = await started.view();
  expect(websub.lastPush).toBeDefined();
  expect([health.quiet, health.status]).toEqual([false, 'ok']);
  const metrics = await (await started.asked.ask('metrics')).text();
  expect(metrics).toMatch(/^tidings_websub_received_total\{outcome="forged"\} 1$/m);
  expect(metrics).toMatch(/^tidings_websub_received_total\{outcome="taken"\} 20$/m);
  expect(metrics).toMatch(/^tidings_websub_subscriptions\{state="active"\} 1$/m);
});

test('a subscription goes on behind a restart, and ends with its source', async () => {
  const { hub, feed, post, start, started } = await open({ sources: [] });
  await started.asked.add({ id: 'blog', kind: 'feed' as const, dialect: 'atom' as const, url: feed } as { id: string });
  await vi.waitFor(() => expect(hub.held.size).toBe(1), WAIT);
  await started.close();
  const again = await start();
  onTestFinished(() => again.close());
  await vi.waitFor(async () => expect(await again.view()).toMatchObject({ websub: { state: 'active' } }), WAIT);
  // It listens on another port now, and tells the hub.
  await vi.waitFor(() => expect([...hub.held.keys()].join()).toContain(new URL(again.url).host), WAIT);
  post('two', 'one');
  await hub.publish(feed);
  await vi.waitFor(async () => expect(await again.told()).toEqual(['one', 'two']), WAIT);
  await fetch(new URL('api/v1/sources/blog', again.url), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${HUB_TOKEN}` },
  });
  await vi.waitFor(() => expect(hub.asked.at(-1)?.form.get('hub.mode')).toBe('unsubscribe'), WAIT);
});

test('without a baseUrl of https, nobody subscribes unless it is said', async () => {
  const { hub, started } = await open({ websubSubscriber: {} });
  await vi.waitFor(async () => expect(await started.told()).toEqual(['one']), WAIT);
  expect([hub.asked, (await started.view()).websub]).toEqual([[], undefined]);
});
