import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startLiveSite } from '../../test/support/live-site.ts';
import { PageStatusError } from '../errors/crawl-error.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { discoverTopic } from './discover-topic.ts';

const HUB = 'https://hub.example/';
const OTHER = 'https://other.example/';

async function hubsOf(served: { readonly link?: string; readonly type?: string; readonly body?: string }) {
  await using site = await startLiveSite();
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const { link, type = 'text/html', body = '' } = served;
  const headers = { 'content-type': type, ...(link !== undefined && { link: link.replaceAll('SITE/', site.url) }) };
  site.put({
    '/topic': { status: 200, headers, body: body.replaceAll('SITE/', site.url) },
    '/old': { status: 301, headers: { location: '/topic' } },
  });
  const found = await discoverTopic(`${site.url}old`, http, new AbortController().signal);
  return JSON.parse(JSON.stringify(found).replaceAll(site.url, 'SITE/')) as unknown;
}

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="${OTHER}"/><link rel="self" href="SITE/atom"/></feed>`;
const RSS = `<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>R</title>
  <a:link rel="hub" href="${HUB}"/><a:link rel="self" href="SITE/rss"/>
  <item><a:link rel="hub" href="${OTHER}"/></item></channel></rss>`;
const HTML = `<!doctype html><title>a <b> &lt;link rel=hub></title><!-- <link rel=hub href=/no> -->
  <link rel="stylesheet hub" href="${HUB}"><link rel=self href=/page#top><body><link rel=hub href="${OTHER}"><link rel=self href=/evil>`;

clause(
  'WS-D7',
  'hubs are found in the headers, else in a feed, else in the head of a page, redirects followed',
  async () => {
    const at = 'SITE/old';
    const link = `<${HUB}>; rel="hub", <SITE/self>; rel=self`;
    expect(await hubsOf({ link, type: 'application/atom+xml', body: ATOM })).toEqual({
      at,
      hubs: [HUB],
      self: 'SITE/self',
    });
    expect(await hubsOf({ type: 'application/atom+xml', body: ATOM })).toEqual({
      at,
      hubs: [OTHER],
      self: 'SITE/atom',
    });
    expect(await hubsOf({ type: 'application/rss+xml', body: RSS })).toEqual({ at, hubs: [HUB], self: 'SITE/rss' });
    expect(await hubsOf({ body: HTML })).toEqual({ at, hubs: [HUB], self: 'SITE/page' });
  },
);

test.each([
  ['other links', '</style.css>; rel=preload', { hubs: [OTHER], self: 'SITE/atom' }],
  ['a hub without a self', `<${HUB}>; rel=hub`, { hubs: [OTHER], self: 'SITE/atom' }],
  ['a self without a hub', '<SITE/x>; rel=self', { hubs: [OTHER], self: 'SITE/atom' }],
  [
    'links about something else',
    `<${HUB}>; rel=hub; anchor="/x", <SITE/x>; rel=self; anchor="/x"`,
    { hubs: [OTHER], self: 'SITE/atom' },
  ],
  ['both, relative', '</hub>; rel=hub, <?a#b>; rel=self', { hubs: ['SITE/hub'], self: 'SITE/topic?a' }],
])('of %s in the headers and a feed with both, no two are mixed', async (_, link, found) => {
  expect(await hubsOf({ link, type: 'application/xml', body: ATOM })).toEqual({ at: 'SITE/old', ...found });
});

test('what names nothing, or only half of it, or no place on the web, says so', async () => {
  expect(await hubsOf({ body: '<p><link rel=hub href=/h><link rel=self href=/s>' })).toEqual({
    at: 'SITE/old',
    hubs: [],
  });
  expect(await hubsOf({ body: '<head><link rel=hub href=/h>' })).toEqual({ at: 'SITE/old', hubs: ['SITE/h'] });
  const link = '<javascript:1>; rel=hub, <ftp://x/>; rel=hub, <SITE/x>; rel=self';
  expect(await hubsOf({ link, type: 'application/octet-stream' })).toMatchObject({ hubs: [], self: 'SITE/x' });
  await using site = await startLiveSite();
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  await expect(discoverTopic(`${site.url}gone`, http, new AbortController().signal)).rejects.toThrow(PageStatusError);
});
