import { expect, test } from 'vitest';
import type { SourceConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { addedSource, laneTaskOf, mergeSources, newSource } from './watch-sources.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3600_000;
const OPTIONS = { nowMs: NOON, allowPrivate: false };

const FOLDER: SourceConfig = { id: 'docs', kind: 'folder', path: '/srv/site', site: 'https://docs.example/' };
const SITE: SourceConfig = { id: 'live', kind: 'site', url: 'https://live.example/' };
const FEED: SourceConfig = { id: 'acme', kind: 'feed', url: 'https://acme.example/', dialect: 'aicf' };
const PAGE: SourceConfig = {
  id: 'terms',
  kind: 'page',
  urls: ['https://a.example/terms', 'https://a.example/imprint'],
};

/** Checked an hour ago, due in half an hour. */
function known(config: SourceConfig, origin: WatchedSource['origin'] = 'config'): WatchedSource {
  const source = newSource(config, origin, { ...OPTIONS, nowMs: NOON - 10 * HOUR });
  const health = { ...source.health, intervalMs: 1.5 * HOUR, lastCheckMs: NOON - HOUR, dueAtMs: NOON + HOUR / 2 };
  return { ...source, health };
}

const said = (merge: ReturnType<typeof mergeSources>) => merge.events.map((event) => event.is);

test('a source that is new in the config is due at once', () => {
  const merge = mergeSources([], [SITE], OPTIONS);
  expect(merge.put).toEqual([
    {
      config: SITE,
      origin: 'config',
      addedAtMs: NOON,
      health: { changed: false, failures: 0, intervalMs: HOUR / 4, dueAtMs: NOON, changeGapsMs: [] },
    },
  ]);
  expect(merge.sources).toEqual(merge.put);
  expect(said(merge)).toEqual(['added']);
});

test('what did not change is not written', () => {
  const stored = [known(SITE), known(PAGE, 'api')];
  const reordered = { url: 'https://live.example/', kind: 'site', id: 'live' } as const;
  expect(mergeSources(stored, [reordered], OPTIONS)).toEqual({
    sources: stored,
    remove: [],
    put: [],
    drop: [],
    dropped: [],
    events: [],
  });
});

test('what stood in the config and does not any more is dropped; what came over the API stays', () => {
  const merge = mergeSources([known(SITE), known(FEED, 'api')], [], OPTIONS);
  expect(merge.sources.map(({ config }) => config.id)).toEqual(['acme']);
  const dropped = { ...known(SITE), dropped: true };
  expect(merge).toMatchObject({ remove: [], put: [], drop: [dropped], dropped: [dropped] });
  expect(merge.events).toEqual([{ is: 'removed', source: known(SITE) }]);
});

test('what was dropped stays so, without a word, until the config names it again: then it goes on as it was', () => {
  const before = { ...known(SITE), paused: 'for now', dropped: true as const };
  const apart = mergeSources([before], [], OPTIONS);
  expect(apart).toEqual({ sources: [], remove: [], put: [], drop: [], dropped: [before], events: [] });

  const { dropped: _, ...kept } = before;
  const again = mergeSources([before], [SITE], OPTIONS);
  expect(again).toMatchObject({ sources: [kept], remove: [], put: [kept], drop: [], dropped: [] });
  expect(again.sources[0]).not.toHaveProperty('dropped');
  expect(said(again)).toEqual(['added']);

  const elsewhere = mergeSources([before], [{ ...SITE, url: 'https://other.example/' }], OPTIONS);
  expect(elsewhere).toMatchObject({ remove: ['live'], put: [{ health: { dueAtMs: NOON } }], dropped: [] });
  expect(elsewhere.sources[0]).not.toHaveProperty('dropped');
});

test('over the API, too, a dropped source goes on where it was left, and is due at once; one of another place begins anew', () => {
  const dropped = { ...known(SITE), paused: 'for now', dropped: true as const };
  const { dropped: _, ...kept } = dropped;
  const health = { ...kept.health, dueAtMs: NOON };
  expect(addedSource(SITE, dropped, OPTIONS)).toEqual({ source: { ...kept, origin: 'api', health }, isAnew: false });
  const other = { ...SITE, url: 'https://other.example/' };
  expect(addedSource(other, dropped, OPTIONS)).toEqual({ source: newSource(other, 'api', OPTIONS), isAnew: true });
  expect(addedSource(SITE, undefined, OPTIONS).isAnew).toBe(false);
});

test('an id in both belongs to the config, and that is said', () => {
  const before = known(SITE, 'api');
  const merge = mergeSources([before], [SITE], OPTIONS);
  expect(merge.put).toEqual([{ ...before, origin: 'config' }]);
  expect(merge.remove).toEqual([]);
  expect(said(merge)).toEqual(['overridden']);
});

test('a new title keeps everything else as it was', () => {
  const before = { ...known(SITE), paused: 'for now' };
  const merge = mergeSources([before], [{ ...SITE, title: 'Live' }], OPTIONS);
  expect(merge.put).toEqual([{ ...before, config: { ...SITE, title: 'Live' } }]);
  expect(merge.remove).toEqual([]);
  expect(said(merge)).toEqual(['replaced']);
});

test('a new interval counts from the last check', () => {
  const merge = (config: SourceConfig) => mergeSources([known(SITE)], [config], OPTIONS).put[0]?.health;
  expect(merge({ ...SITE, intervalSeconds: 4000 })).toMatchObject({ intervalMs: 4000_000, dueAtMs: NOON + 400_000 });
  expect(merge({ ...SITE, intervalSeconds: 86_400 })).toMatchObject({
    intervalMs: 24 * HOUR,
    dueAtMs: NOON + HOUR / 2,
  });
});

test.each([{ exclude: ['/tag/'] }, { ignore: ['.ad'] }, { only: ['main'] }])(
  '%j is looked at now, with the health that there is',
  (filters) => {
    const before = known(SITE);
    const [after] = mergeSources([before], [{ ...SITE, ...filters }], OPTIONS).put;
    expect(after?.health).toEqual({ ...before.health, dueAtMs: NOON });
  },
);

test.each<[string, SourceConfig, SourceConfig, boolean]>([
  ['another folder of the same site', FOLDER, { ...FOLDER, path: '/srv/new' }, true],
  ['the live site instead of its folder', FOLDER, { ...SITE, id: 'docs', url: 'https://docs.example/' }, true],
  ['one page more', PAGE, { ...PAGE, urls: [...PAGE.urls, 'https://a.example/jobs'] }, true],
  ['another public address', FOLDER, { ...FOLDER, site: 'https://other.example/' }, false],
  ['another site', SITE, { ...SITE, url: 'https://other.example/' }, false],
  ['another feed', FEED, { ...FEED, url: 'https://other.example/' }, false],
  ['another dialect', FEED, { ...FEED, dialect: 'diffdelta' }, false],
  ['a feed instead of its site', SITE, { ...FEED, id: 'live', url: SITE.url }, false],
  ['other pages', PAGE, { ...PAGE, urls: ['https://a.example/jobs'] }, false],
])('%s is a fresh start for the rhythm; the pages stay: %#', (_what, before, after, keeps) => {
  const merge = mergeSources([known(before)], [after], OPTIONS);
  expect(merge.put).toEqual([newSource(after, 'config', OPTIONS)]);
  expect(merge.remove).toEqual(keeps ? [] : [before.id]);
});

test('sources of one host share a lane, whatever their kind; those that take hours share another', () => {
  const feed = { ...FEED, url: 'https://live.example/feed' };
  const page = { ...PAGE, urls: ['http://LIVE.example/a', 'https://other.example/'] };
  const configs = [feed, page, SITE, FOLDER, { ...feed, url: 'https://live.example:8443/' }];
  expect(configs.map((config) => laneTaskOf(config).host)).toEqual([
    'live.example',
    'live.example',
    'long:live.example',
    'folder:/srv/site',
    'live.example:8443',
  ]);
});

test('whole sites and long lists of pages are long', () => {
  const many = { ...PAGE, urls: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) };
  expect([SITE, many, FOLDER, FEED, PAGE].map((config) => laneTaskOf(config).isLong)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
