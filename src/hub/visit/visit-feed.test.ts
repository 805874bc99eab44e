import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { DISCOVERY, FEED, linesOf, startPublisher } from '../../../test/support/publisher.ts';
import { dialectNamed, feedDialects } from '../../dialects/feed-readers.ts';
import { DIALECTS } from '../../dialects/registry.ts';
import type { FeedConfig } from '../config/source-config.ts';

const configOf = (url: string, extra: Partial<FeedConfig> = {}): FeedConfig => ({
  id: 'acme',
  kind: 'feed',
  url,
  dialect: 'aicf',
  ...extra,
});
const originIds = (lab: VisitLab) => lab.log.map(({ provenance }) => provenance.originId);

test('the dialects that can be asked for are those that have a reader', () => {
  const names = feedDialects(DIALECTS);
  expect(names).toEqual(expect.arrayContaining(['aicf', 'rss', 'json-feed']));
  expect(names.every((name) => dialectNamed(DIALECTS, name)?.reader !== undefined)).toBe(true);
  expect(dialectNamed(DIALECTS, 'constructor')).toBeUndefined();
});

test('a feed is read once, again it tells nothing, and then only what was added', async () => {
  await using publisher = await startPublisher();
  publisher.discover({ ttl_seconds: 90 });
  publisher.publish(publisher.event('1', { anchor: 'one' }), publisher.event('2', { action: 'delete', url: '/old' }));
  await using lab = await openVisitLab(configOf(publisher.origin));
  const hubs = { at: `${publisher.origin}ai-changes.ndjson`, hubs: [] };
  expect(await lab.visit()).toEqual({ is: 'read', changes: 2, freshMs: 90_000, hubs, notes: [] });
  expect(lab.told(publisher.origin)).toEqual(['update /page#one', 'delete /old']);
  expect(lab.log.every(({ source, provenance }) => source === 'acme' && provenance.by === 'aicf')).toBe(true);
  const { commits } = lab;
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.commits).toBe(commits);
  publisher.publish(publisher.event('3'));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(originIds(lab)).toEqual(['1', '2', '3']);
});

test('a feed that is gone fails and is read on when it is back', async () => {
  await using publisher = await startPublisher();
  publisher.publish(publisher.event('1'), publisher.event('2'));
  await using lab = await openVisitLab(configOf(publisher.origin));
  await lab.visit();
  publisher.remove(DISCOVERY);
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    changes: 0,
    error: { code: 'FeedUnreadableError', httpStatus: 404 },
  });
  publisher.discover();
  publisher.publish(publisher.event('3'));
  publisher.fail(FEED, { kind: 'status', status: 500 });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { httpStatus: 500 } });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(originIds(lab)).toEqual(['1', '2', '3']);
});

test('what is no feed fails, with what it is', async () => {
  await using publisher = await startPublisher();
  publisher.put(FEED, '<!doctype html><h1>Welcome</h1>\n');
  await using lab = await openVisitLab(configOf(publisher.origin));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'FeedUnreadableError' } });
  publisher.put(DISCOVERY, '{"aicf_version":"0.1"');
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
});

test('a feed that breaks off keeps what came before, once', async () => {
  await using publisher = await startPublisher();
  const events = ['1', '2', '3'].map((id) => publisher.event(id));
  publisher.publish(...events);
  await using lab = await openVisitLab(configOf(publisher.origin));
  publisher.fail(FEED, { kind: 'cut', afterBytes: linesOf(...events.slice(0, 2)).length + 10 });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 2, error: { code: 'TruncatedBodyError' } });
  expect(publisher.faultsFired).toBe(1);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(originIds(lab)).toEqual(['1', '2', '3']);
});

test('lines that are no events become notes', async () => {
  await using publisher = await startPublisher();
  publisher.put(FEED, `${linesOf(publisher.event('1'))}nonsense\n${linesOf(publisher.event('2'))}`);
  await using lab = await openVisitLab(configOf(publisher.origin));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2, notes: [expect.stringContaining('AICF-')] });
});

test('events outside the filter are passed over, and not told when the filter opens', async () => {
  await using publisher = await startPublisher();
  publisher.publish(publisher.event('1', { url: '/docs/a' }), publisher.event('2', { url: '/blog/b' }));
  await using lab = await openVisitLab(configOf(publisher.origin, { include: ['/docs/'] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  lab.configure(configOf(publisher.origin));
  publisher.publish(publisher.event('3', { url: '/blog/b' }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(originIds(lab)).toEqual(['1', '3']);
});

test('a fallback tells what the feed has not told, and the feed what the fallback has not', async () => {
  await using publisher = await startPublisher();
  await using mirror = await startPublisher();
  const event = (id: string) => publisher.event(id);
  publisher.publish(event('1'), event('2'));
  mirror.publish(event('1'), event('2'), event('3'));
  await using lab = await openVisitLab(configOf(publisher.origin, { fallbacks: [mirror.origin] }));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  publisher.remove(FEED);
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1 });
  // Back again, but not yet with its lines: that is no feed without events.
  publisher.put(FEED, '');
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 0 });
  publisher.put(FEED, linesOf(event('1'), event('2'), event('3'), event('4')));
  const back = await lab.visit();
  expect(back).toMatchObject({ is: 'read', changes: 1 });
  expect(back).not.toHaveProperty('fallback');
  expect(originIds(lab)).toEqual(['1', '2', '3', '4']);
  publisher.remove(FEED);
  mirror.remove(FEED);
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    error: { message: expect.stringContaining(publisher.origin) },
  });
});

test('what the newest of several feeds said last is what an event is compared with', async () => {
  await using publisher = await startPublisher();
  await using mirror = await startPublisher();
  const event = (id: string, checksum: string) => publisher.event(id, { checksum: `sha256:${checksum.repeat(64)}` });
  publisher.publish(event('1', 'a'));
  mirror.publish(event('1', 'a'), event('2', 'a'), event('3', 'b'));
  await using lab = await openVisitLab(configOf(publisher.origin, { fallbacks: [mirror.origin] }));
  await lab.visit();
  publisher.remove(FEED);
  await lab.visit();
  publisher.put(FEED, linesOf(event('1', 'a'), event('2', 'a'), event('3', 'b'), event('4', 'a'), event('5', 'a')));
  await lab.visit();
  const marks = lab.log.map(({ provenance }) => `${provenance.originId} ${provenance.unchanged ?? false}`);
  expect(marks).toEqual(['1 false', '2 true', '3 false', '4 false', '5 true']);
});

test('a visit that is stopped is abandoned', async () => {
  await using publisher = await startPublisher();
  const stop = new AbortController();
  stop.abort();
  await using lab = await openVisitLab(configOf(publisher.origin));
  expect(await lab.visit({ signal: stop.signal })).toEqual({ is: 'abandoned', changes: 0 });
});
