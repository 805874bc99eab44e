import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../../../test/support/diffdelta-service.ts';
import { createFollower } from '../../../../test/support/publisher.ts';
import { placesOfFeed } from './feed-of-head.ts';

const HEAD = '/diff/source/docs/head.json';
const LATEST = '/diff/source/docs/latest.json';
const LAGGING = '/diff/docs/latest.json';

/**
 * As the running service is: the templates of its manifest lead to `/diff/source/…`, which is fresh, while its heads name a
 * feed at `/diff/…` that is written no more.
 */
async function startLaggingService(): Promise<DiffDeltaService & { publish(text: string): void }> {
  const service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const stale = service.feedOf('docs');
  const publish = (text: string) => {
    const { headText } = service.run('docs', { '/a': text });
    service.putJson(HEAD, { ...JSON.parse(headText), latest_url: LAGGING });
    service.putJson(LATEST, service.feedOf('docs'));
    service.putJson(LAGGING, stale);
  };
  publish('two');
  service.discover((manifest) => ({
    ...manifest,
    endpoints: {
      ...manifest.endpoints,
      diff_by_source_template: `${service.origin}diff/source/{source}/latest.json`,
      diff_head_by_source_template: `${service.origin}diff/source/{source}/head.json`,
    },
  }));
  return Object.assign(service, { publish });
}

test('a head whose latest_url lags behind is read by the template of the manifest', async () => {
  await using service = await startLaggingService();
  const follower = createFollower(service);
  await follower({ dialect: 'diffdelta' });
  for (const text of ['three', 'four']) {
    service.publish(text);
    const read = await follower();
    expect(read).toMatchObject({ error: undefined, codes: [], events: [{ action: 'update', excerpt: text }] });
    expect(read.paths.slice(1), 'what lags is not asked again and again').toEqual([HEAD, LATEST]);
  }
  expect(await follower()).toMatchObject({ ids: [], error: undefined, codes: [] });
});

test('a head that is named alone is read by the feed beside it, which is asked first from then on', async () => {
  await using service = await startLaggingService();
  const urls = [new URL(HEAD, service.origin).href];
  const follower = createFollower(service);
  const first = await follower({ urls });
  expect(first).toMatchObject({ error: undefined, paths: expect.arrayContaining([HEAD, LAGGING, LATEST]) });
  expect(first.events.at(-1)).toMatchObject({ excerpt: 'two' });
  service.publish('three');
  const second = await follower({ urls });
  expect(second).toMatchObject({ error: undefined, events: [{ excerpt: 'three' }], paths: [HEAD, LATEST] });
});

test('a latest_url at which there is nothing is no reason to give up', async () => {
  await using service = await startLaggingService();
  service.remove(LAGGING);
  const read = await createFollower(service)({ urls: [new URL(HEAD, service.origin).href] });
  expect(read.error).toBeUndefined();
  expect(read.events.at(-1)).toMatchObject({ excerpt: 'two' });
});

test('where every place lags the source is called stuck, by all that were tried', async () => {
  await using service = await startLaggingService();
  const follower = createFollower(service);
  await follower({ dialect: 'diffdelta' });
  const behind = service.feedOf('docs');
  service.publish('three');
  service.putJson(LATEST, behind);
  const read = await follower();
  expect(read).toMatchObject({ ids: [], error: { name: 'FeedUnreadableError' } });
  expect(read.error?.message).toContain(LATEST);
  expect(read.error?.message).toContain(LAGGING);
});

test('a source that the template does not lead to is read where the list of sources says', async () => {
  await using service = await startDiffDeltaService();
  service.run('docs', { '/a': 'one' });
  const { latestText } = service.run('docs', { '/a': 'two' });
  for (const path of ['/diff/docs/head.json', '/diff/docs/latest.json']) service.remove(path);
  service.putJson('/elsewhere/docs.json', latestText);
  service.putJson('/diff/sources.json', { sources: [{ source_id: 'docs', latest_url: '/elsewhere/docs.json' }] });
  service.discover((manifest) => ({
    ...manifest,
    endpoints: { ...manifest.endpoints, diff_sources: new URL('/diff/sources.json', service.origin).href },
  }));
  const read = await createFollower(service)({ dialect: 'diffdelta' });
  expect(read.error).toBeUndefined();
  expect(read.events.at(-1)).toMatchObject({ excerpt: 'two' });
});

test('a feed is looked for where it was, where its head says, beside the head, by the template and by the list of sources', () => {
  const at = (path: string) => `https://d.example/${path}`;
  const head = { latest_url: '/old/latest.json' } as Parameters<typeof placesOfFeed>[0]['head'];
  const place = { head: at('h'), latest: at('template.json'), other: at('listed.json') };
  const places = (url: string, latestUrl?: string) =>
    placesOfFeed({ head, url: new URL(url), place, known: latestUrl === undefined ? {} : { latestUrl } });
  const named = at('old/latest.json');
  expect(places(at('d/head.json'))).toEqual([named, at('d/latest.json'), place.latest, place.other]);
  expect(places(at('heads/docs'))).toEqual([named, place.latest, place.other]);
  expect(places(at('heads/docs'), place.other)).toEqual([place.other, named, place.latest]);
});
