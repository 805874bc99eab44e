import { describe, expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import type { AutoConfig } from '../config/source-config.ts';

const DISCOVERY = '/.well-known/ai-changefeed';
const FEED = '/ai-changes.ndjson';
const PAGES = ['', 'a', 'b', 'c'];
const DAY_MS = 24 * 3600_000;

const configOf = (url: string, extra: Partial<AutoConfig> = {}): AutoConfig => ({
  id: 'any',
  kind: 'auto',
  url,
  ...extra,
});

interface TestEvent {
  readonly id: string;
  readonly url: string;
  readonly action?: string;
  readonly anchor?: string;
  readonly time: string;
}

/** A site with pages, and a feed that can be broken and mended. */
async function startSite(): Promise<
  LiveSite & { tell(...events: readonly TestEvent[]): void; mend(): void; hide(): void }
> {
  const site = await startLiveSite(Object.fromEntries(PAGES.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, PAGES) });
  const events: TestEvent[] = [];
  const mend = () => {
    const self = new URL(FEED, site.url).href;
    const body = JSON.stringify({ aicf_version: '0.1', self, ttl_seconds: 60 });
    const lines = events.map(({ action = 'update', url, ...rest }) =>
      JSON.stringify({ action, url: new URL(url, site.url).href, ...rest }),
    );
    site.put({
      [DISCOVERY]: { status: 200, headers: { 'content-type': 'application/json' }, body },
      [FEED]: {
        status: 200,
        headers: { 'content-type': 'application/x-ndjson' },
        body: lines.map((line) => `${line}\n`).join(''),
      },
    });
  };
  return Object.assign(site, {
    mend,
    hide: () => site.remove(DISCOVERY, FEED),
    tell(...more: readonly TestEvent[]) {
      events.push(...more);
      mend();
    },
  });
}

/** Moments as the lab counts them. */
function clockOf(lab: VisitLab) {
  let passedMs = 0;
  const startMs = Date.now();
  return {
    pass(ms: number) {
      passedMs += ms;
      lab.advance(ms);
    },
    now: () => new Date(startMs + passedMs).toISOString(),
  };
}

const FIRST: readonly TestEvent[] = PAGES.map((path, index) => ({
  id: `0${index}`,
  url: path,
  action: 'create',
  time: '2026-01-01T00:00:01Z',
}));

describe('by its feed', () => {
  test('the first feed that can be read is read, and no page', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    expect(await lab.visit()).toMatchObject({
      is: 'read',
      changes: 4,
      freshMs: 60_000,
      ladder: { rung: 'feed', dialect: 'aicf' },
    });
    expect(lab.told(site.url)).toEqual(['create /', 'create /a', 'create /b', 'create /c']);
    expect(lab.log.every(({ provenance }) => provenance.by === 'aicf')).toBe(true);
    expect(site.takeRequests()).toEqual([`200 ${DISCOVERY}`, `200 ${FEED}`]);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, notes: [] });
    expect(site.takeRequests().every((request) => request.endsWith(DISCOVERY) || request.endsWith(FEED))).toBe(true);
  });

  test('one hiccup does not end that', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    site.hide();
    const wait = async () => site.tell({ id: '1', url: 'a', time: '2026-01-01T00:10:00Z' });
    expect(await lab.visit({ wait })).toMatchObject({ is: 'read', changes: 1, ladder: { rung: 'feed', failures: 0 } });
  });

  test('a feed that does not answer fails twice, and is given up at the third check', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    site.put({ [DISCOVERY]: { status: 500 } });
    for (const failures of [1, 2]) {
      expect(await lab.visit()).toMatchObject({
        is: 'failed',
        error: { httpStatus: 500 },
        ladder: { rung: 'feed', failures },
      });
    }
    expect(await lab.visit()).toMatchObject({
      is: 'read',
      changes: 0,
      pages: 4,
      fallback: 0,
      ladder: { rung: 'pages' },
    });
  });

  test('where the pages cannot be read either, the source fails and stays where it is', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    site.hide();
    for (const path of ['/a', '/b', '/c']) site.put({ [path]: { status: 503 } });
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      error: { code: 'FeedUnreadableError', httpStatus: 404 },
      ladder: { rung: 'feed' },
    });
    expect(lab.log).toHaveLength(4);
  });
});

describe('by its pages', () => {
  test('a site without a feed tells its pages, and later their sections', async () => {
    await using site = await startSite();
    await using lab = await openVisitLab(configOf(site.url));
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4, pages: 4, ladder: { rung: 'pages' } });
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    const outcome = await lab.visit();
    expect(outcome).toMatchObject({ is: 'read', changes: 1, notes: [] });
    expect(outcome).not.toHaveProperty('fallback');
    expect(lab.told(site.url)).toEqual(['create /', 'create /a', 'create /b', 'create /c', 'update /a#one']);
  });

  test('a feed that comes later is found within a day, and tells nothing that the pages told', async () => {
    await using site = await startSite();
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    lab.told(site.url);
    site.tell(...FIRST);
    expect(await lab.visit()).toMatchObject({ ladder: { rung: 'pages' } });
    lab.advance(DAY_MS);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, ladder: { rung: 'feed', dialect: 'aicf' } });
    site.tell({ id: '1', url: 'a', anchor: 'one', time: new Date(Date.now() + 2 * DAY_MS).toISOString() });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
  });

  test('a feed that may only be busy at the start is waited for', async () => {
    await using site = await startSite();
    site.put({ [DISCOVERY]: { status: 503 } });
    await using lab = await openVisitLab(configOf(site.url));
    expect(await lab.visit()).toMatchObject({ is: 'failed' });
    site.tell(...FIRST);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4, ladder: { rung: 'feed' } });
  });

  test('what refuses every address that it does not know has no feed', async () => {
    await using site = await startSite();
    site.put({ [DISCOVERY]: { status: 403 } });
    await using lab = await openVisitLab(configOf(site.url));
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4, ladder: { rung: 'pages' } });
  });
});

describe('fall and return', () => {
  test.each([
    ['gone', (site: LiveSite) => site.remove(DISCOVERY, FEED)],
    ['a page', (site: LiveSite) => site.put({ [FEED]: pageOf('Not found') })],
  ])('a feed that is %s: the pages go on where it stopped, and it goes on where they stop', async (_, breakIt) => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    lab.told(site.url);
    const clock = clockOf(lab);
    clock.pass(60_000);

    breakIt(site);
    clock.pass(60_000);
    const missed = clock.now();
    site.put({ '/c': pageOf('Page c', 'It says that, and nobody told.') });
    clock.pass(60_000);
    const fell = await lab.visit();
    expect(fell).toMatchObject({
      is: 'read',
      changes: 0,
      pages: 4,
      fallback: 0,
      ladder: { rung: 'pages', dialect: 'aicf' },
    });
    expect(fell).toMatchObject({
      notes: [
        expect.stringContaining('fell to pages at'),
        expect.stringContaining('may be told only when the feed is back'),
      ],
    });

    clock.pass(60_000);
    const edited = clock.now();
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    clock.pass(60_000);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
    expect(lab.log.at(-1)?.provenance).toMatchObject({ by: 'compare' });

    clock.pass(60_000);
    const last = clock.now();
    site.put({ '/b': pageOf('Page b', 'It says that.') });
    site.tell(
      { id: '1', url: 'c', anchor: 'one', time: missed },
      { id: '2', url: 'a', anchor: 'one', time: edited },
      { id: '3', url: 'b', anchor: 'one', time: last },
    );
    clock.pass(60_000);
    const back = await lab.visit();
    expect(back).toMatchObject({ is: 'read', changes: 2, notes: [], ladder: { rung: 'feed', dialect: 'aicf' } });
    expect(back).not.toHaveProperty('fallback');
    expect(lab.told(site.url)).toEqual(['update /b#one', 'update /c#one']);
    expect(lab.log.slice(-2).map(({ provenance }) => provenance.by)).toEqual(['compare', 'aicf']);

    clock.pass(60_000);
    site.put({ '/a': pageOf('Page a', 'It says something else.') });
    site.tell({ id: '4', url: 'a', anchor: 'one', time: clock.now() });
    site.takeRequests();
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
    expect(
      site.takeRequests().some((request) => request.endsWith('/a')),
      'the pages rest again',
    ).toBe(false);
  });

  test('what the feed told last is known: a page that differs from its checksum is told at the fall, and once', async () => {
    await using pages = await startSite();
    // The checksums of our own extractor, as a publisher with Tidings has them.
    await using reference = await openVisitLab({ id: 'ref', kind: 'site', url: pages.url });
    await reference.visit();
    const checksums = new Map(reference.log.map(({ url, checksum }) => [url, checksum]));
    pages.tell(...FIRST.map((event) => ({ ...event, checksum: checksums.get(new URL(event.url, pages.url).href) })));
    await using lab = await openVisitLab(configOf(pages.url));
    await lab.visit();
    lab.told(pages.url);
    const clock = clockOf(lab);
    clock.pass(60_000);
    const edited = clock.now();
    pages.put({ '/c': pageOf('Page c', 'It says that.') });
    pages.hide();
    clock.pass(60_000);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, ladder: { rung: 'pages' } });
    expect(lab.told(pages.url)).toEqual(['update /c']);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
    pages.tell({ id: '1', url: 'c', anchor: 'one', time: edited });
    clock.pass(60_000);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, ladder: { rung: 'feed' } });
  });

  test('a page that could not be read at the fall is not new when it can', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    lab.told(site.url);
    site.hide();
    site.put({ '/a': { status: 500 } });
    expect(await lab.visit()).toMatchObject({ is: 'read', ladder: { rung: 'pages' } });
    site.put({ '/a': pageOf('Page a') });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 4 });
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
  });

  test('pages of an earlier fall are not compared with', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    const clock = clockOf(lab);
    site.hide();
    await lab.visit();
    site.mend();
    clock.pass(60_000);
    expect(await lab.visit()).toMatchObject({ ladder: { rung: 'feed' } });
    clock.pass(60_000);
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    site.remove('/b');
    site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a', 'c']) });
    site.tell(
      { id: '1', url: 'a', anchor: 'one', time: clock.now() },
      { id: '2', url: 'b', action: 'delete', time: clock.now() },
    );
    expect(await lab.visit()).toMatchObject({ changes: 2 });
    clock.pass(60_000);
    site.hide();
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3 });
    for (let look = 0; look < 3; look += 1) {
      clock.pass(60_000);
      expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: 3 });
    }
  });

  test('a crash behind a turn is no reason to take it again', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    lab.told(site.url);
    site.hide();
    const before = lab.health;
    await lab.visit();
    lab.health = before;
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    expect(await lab.visit(), 'the health was lost').toMatchObject({
      is: 'read',
      changes: 1,
      ladder: { rung: 'pages' },
    });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
  });
});

describe('somebody else’s', () => {
  test('a site whose feed is gone and of whose pages none is what it was stops, until a person accepts it', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    // By its pages, whose titles are told.
    site.hide();
    await lab.visit();
    for (const path of PAGES) site.put({ [`/${path}`]: pageOf(`Page ${path}`, 'It says that.') });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4 });
    site.mend();
    expect(await lab.visit()).toMatchObject({ ladder: { rung: 'feed' } });
    const told = lab.log.length;

    site.hide();
    for (const path of PAGES)
      site.put({ [`/${path}`]: pageOf(`Casino ${path}`, 'Win now.').replaceAll('part of', 'game of') });
    expect(await lab.visit()).toMatchObject({
      is: 'failed',
      error: { code: 'SafetyStopError' },
      ladder: { rung: 'feed' },
    });
    expect(lab.log).toHaveLength(told);
    expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', ladder: { rung: 'pages' } });
  });

  test('one page that is what it was is enough to go on', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    site.hide();
    await lab.visit();
    for (const path of PAGES) site.put({ [`/${path}`]: pageOf(`Page ${path}`, 'It says that.') });
    await lab.visit();
    site.mend();
    await lab.visit();
    site.hide();
    for (const path of ['a', 'b', 'c']) site.put({ [`/${path}`]: pageOf(`Casino ${path}`, 'Win now.') });
    expect(await lab.visit()).toMatchObject({ is: 'read', ladder: { rung: 'pages' } });
  });
});

describe('a feed that has stopped telling', () => {
  /** It told something every minute, and nothing for an hour. */
  const quiet = (lab: VisitLab) => {
    const lastChangeMs = Date.now();
    lab.advance(3600_000);
    const changeGapsMs = Array.from({ length: 10 }, () => 60_000);
    lab.health = { ...lab.health, changeGapsMs, lastChangeMs, lastOkMs: lastChangeMs + 3600_000, intervalMs: 60_000 };
  };

  test('falls, for its pages may know more, and returns when it tells something', async () => {
    await using site = await startSite();
    site.tell(...FIRST);
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    lab.told(site.url);
    quiet(lab);
    expect(await lab.visit()).toMatchObject({
      is: 'read',
      ladder: { rung: 'pages', isStuck: true },
      notes: [expect.stringContaining('longer than its own rhythm allows'), expect.any(String)],
    });
    site.put({ '/a': pageOf('Page a', 'It says that.') });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, ladder: { rung: 'pages' } });
    const time = new Date(Date.now() + 3600_000).toISOString();
    site.tell({ id: '1', url: 'a', anchor: 'one', time });
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, ladder: { rung: 'feed' } });
    expect(lab.told(site.url)).toEqual(['update /a#one']);
  });

  test('stays where the pages show that there was nothing to tell', async () => {
    await using site = await startSite();
    await using reference = await openVisitLab({ id: 'ref', kind: 'site', url: site.url });
    await reference.visit();
    const checksums = new Map(reference.log.map(({ url, checksum }) => [url, checksum]));
    site.tell(...FIRST.map((event) => ({ ...event, checksum: checksums.get(new URL(event.url, site.url).href) })));
    await using lab = await openVisitLab(configOf(site.url));
    await lab.visit();
    quiet(lab);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, notes: [], ladder: { rung: 'feed' } });
    site.takeRequests();
    expect(await lab.visit()).toMatchObject({ ladder: { rung: 'feed' } });
    expect(
      site.takeRequests().some((request) => request.endsWith('/a')),
      'not asked at each check',
    ).toBe(false);
  });
});
