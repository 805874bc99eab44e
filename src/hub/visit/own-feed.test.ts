import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { startLiveSite } from '../../../test/support/live-site.ts';
import { FEED, linesOf, startPublisher } from '../../../test/support/publisher.ts';
import type { FeedConfig } from '../config/source-config.ts';

const configOf = (url: string): FeedConfig => ({ id: 'me', kind: 'feed', url, dialect: 'aicf' });
const OWN = {
  is: 'failed',
  changes: 0,
  error: { code: 'OwnFeedError', message: expect.stringContaining("hub's own feed") },
};

test.each([
  ['its address', (origin: string) => origin, (origin: string) => [origin]],
  ['a feed below it', (origin: string) => `${origin}aicf/docs.ndjson`, (origin: string) => [origin]],
  [
    'another name of this machine',
    (origin: string) => origin.replace('127.0.0.1', 'localhost'),
    (origin: string) => [origin],
  ],
  ['the address that it listens on', (origin: string) => origin, (origin: string) => ['https://hub.example/', origin]],
])('a hub does not follow itself by %s', async (_, url, own) => {
  await using hub = await startPublisher();
  hub.publish(hub.event('1'));
  const origin = new URL('/', hub.origin).href;
  await using lab = await openVisitLab(configOf(url(origin)));
  const ports = { ownAddresses: () => own(origin) };
  expect(await lab.visit(ports)).toMatchObject(OWN);
  expect(await lab.test(configOf(url(origin)), ports)).toMatchObject(OWN);
  expect(hub.takePaths()).toEqual([]);
  expect(lab.log).toEqual([]);
});

test('a hub does not follow itself where another site names its feed, or leads there', async () => {
  await using hub = await startPublisher();
  hub.publish(hub.event('1'));
  const ports = { ownAddresses: () => [hub.origin] };
  await using site = await startLiveSite({
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: new URL(FEED, hub.origin).href }),
    '/moved.ndjson': { status: 301, headers: { location: new URL(FEED, hub.origin).href } },
  });
  for (const url of [site.url, `${site.url}moved.ndjson`]) {
    await using lab = await openVisitLab(configOf(url));
    expect(await lab.visit(ports)).toMatchObject(OWN);
    expect(lab.log).toEqual([]);
  }
});

test('a feed beside the hub on the same host is followed', async () => {
  await using site = await startPublisher();
  site.publish(site.event('1'));
  await using lab = await openVisitLab(configOf(site.origin));
  const ownAddresses = () => [new URL('/hub/', site.origin).href, 'https://hub.example/', 'nonsense', ''];
  expect(await lab.visit({ ownAddresses })).toMatchObject({ is: 'read', changes: 1 });
  site.put('/hub/feed.ndjson', linesOf(site.event('2')));
  lab.configure(configOf(new URL('/hub/feed.ndjson', site.origin).href));
  expect(await lab.visit({ ownAddresses })).toMatchObject(OWN);
});
