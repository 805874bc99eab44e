import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { startLiveSite } from '../../../test/support/live-site.ts';
import type { FeedConfig } from '../config/source-config.ts';

const HUB = 'https://hub.example/';

const feedOf = (id: string, url: string, dialect: string): FeedConfig => ({ id, kind: 'feed', dialect, url });

const atom = (links: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>F</title><updated>2026-03-01T12:00:00Z</updated>${links}
  <entry><id>a</id><title>A</title><updated>2026-03-01T12:00:00Z</updated><link href="https://a.example/a"/></entry></feed>`;

test('a feed for people says which hubs it names by its headers or its links; one that did not change need not', async () => {
  await using site = await startLiveSite();
  const url = `${site.url}feed.xml`;
  site.put({ '/feed.xml': atom(`<link rel="hub" href="${HUB}"/><link rel="self" href="/self.xml"/>`) });
  await using lab = await openVisitLab(feedOf('blog', url, 'atom'));
  expect(await lab.visit()).toMatchObject({ hubs: { at: url, hubs: [HUB], self: `${site.url}self.xml` } });
  expect(await lab.visit(), '304').not.toHaveProperty('hubs');
  site.put({ '/feed.xml': atom('') });
  expect(await lab.visit()).toMatchObject({ hubs: { at: url, hubs: [] } });
  expect((await lab.test(feedOf('blog', url, 'atom'))).is).toBe('read');
  const headers = { link: `<${HUB}>; rel=hub, </self.xml>; rel=self`, 'content-type': 'application/atom+xml' };
  site.put({ '/feed.xml': { status: 200, headers, body: atom('') } });
  expect(await lab.visit()).toMatchObject({ hubs: { hubs: [HUB], self: `${site.url}self.xml` } });
  expect(await lab.test(feedOf('blog', url, 'atom'))).toMatchObject({
    notes: [expect.anything(), `It names the WebSub hub ${HUB}, which can tell of its news at once.`],
  });
});

test('a feed for machines names hubs by its headers, also where it answers with a part or with nothing new', async () => {
  await using site = await startLiveSite();
  const url = `${site.url}feed.ndjson`;
  const link = `<${HUB}>; rel="hub", <${url}>; rel="self"`;
  const line = (id: string) =>
    `${JSON.stringify({ id, action: 'update', url: 'https://a.example/', time: '2026-03-01T12:00:00Z' })}\n`;
  const serve = (status: number, body: string, headers = {}) =>
    site.put({ '/feed.ndjson': { status, headers: { 'content-type': 'application/x-ndjson', ...headers }, body } });
  serve(200, line('1'), { link, etag: '"1"' });
  await using lab = await openVisitLab(feedOf('machine', url, 'aicf'));
  const named = { hubs: { at: url, hubs: [HUB], self: url } };
  expect(await lab.visit()).toMatchObject({ changes: 1, ...named });
  serve(304, '', { link });
  expect(await lab.visit()).toMatchObject({ changes: 0, ...named });
  serve(304, '');
  expect(await lab.visit()).not.toHaveProperty('hubs');
  serve(200, line('1') + line('2'));
  expect(await lab.visit()).toMatchObject({ changes: 1, hubs: { hubs: [] } });
  const tested = await lab.test(feedOf('machine', url, 'aicf'));
  expect(tested.is === 'read' && tested.notes.join()).not.toContain('WebSub');
});

test('a page that is watched alone names hubs in its head; of several pages nobody is heard', async () => {
  await using site = await startLiveSite();
  const url = `${site.url}page`;
  const head = `<link rel=hub href="${HUB}"><link rel=self href="/page">`;
  site.put({ '/page': `<html><head>${head}</head><body><main><h1>Page</h1><p>Words that stand on it.</p></main>` });
  const page = { id: 'page', kind: 'page', urls: [url] } as const;
  await using lab = await openVisitLab(page);
  expect(await lab.visit()).toMatchObject({ hubs: { at: url, hubs: [HUB], self: url } });
  expect(await lab.visit(), '304').not.toHaveProperty('hubs');
  site.put({ '/other': '<main><h1>Other</h1><p>Words that stand on another one.</p></main>' });
  lab.configure({ ...page, urls: [url, `${site.url}other`] });
  expect(await lab.visit()).not.toHaveProperty('hubs');
});
