import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, linking, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { LogFullError } from '../../errors/log-error.ts';

const paths = Array.from({ length: 130 }, (_, number) => `p${String(number).padStart(3, '0')}`);

async function listedSite(): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(paths.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, paths) });
  return site;
}

/** Each page leads to the next four. */
async function linkedSite(): Promise<LiveSite> {
  const pages = paths.map((path, index) => [`/${path}`, linking(`Page ${path}`, ...paths.slice(index + 1, index + 5))]);
  return await startLiveSite({ '/': linking('Home', paths[0] ?? ''), ...Object.fromEntries(pages) });
}

test('the pages of a first reading are written as they come, later ones at the end', async () => {
  await using site = await listedSite();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 130, pages: 130 });
  expect(lab.takeCommits().map(({ drafts }) => drafts.length)).toEqual([50, 50, 30]);
  for (const path of paths) site.put({ [`/${path}`]: pageOf(`Page ${path}`, `It says ${path}.`) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 130 });
  expect(lab.takeCommits().map(({ drafts }) => drafts.length)).toEqual([130]);
});

test('after some time a few pages are written, too', async () => {
  await using site = await listedSite();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  let slow = 0;
  const now = () => {
    slow += 1000;
    return slow;
  };
  await lab.visit({ now });
  expect(Math.max(...lab.takeCommits().map(({ drafts }) => drafts.length))).toBeLessThan(15);
});

test.each([
  ['by its sitemap', listedSite],
  ['by its links', linkedSite],
])(
  'a first reading %s that is stopped goes on where it was: no page twice, none lost, none sent again',
  async (_, start) => {
    await using site = await start();
    await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
    const total = site.served.size - Number(site.served.has('/sitemap.xml'));
    const stop = new AbortController();
    const held = site.served.get('/p070') ?? '';
    site.put({ '/p070': () => stop.abort() });
    const stopped = await lab.visit({ signal: stop.signal });
    expect(stopped.is).toBe('abandoned');
    const done = lab.log.length;
    expect(stopped.changes).toBe(done);
    expect(done).toBeGreaterThanOrEqual(70);

    site.put({ '/p070': held });
    site.takeRequests();
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: total - done, pages: total, unread: 0 });
    expect(new Set(lab.log.map(({ url }) => url)).size).toBe(total);
    expect(lab.log.every(({ action }) => action === 'create')).toBe(true);
    expect(lab.log).toHaveLength(total);
    const requests = site.takeRequests();
    expect(requests.filter((request) => request.startsWith('304'))).toHaveLength(done);
    expect(requests.filter((request) => /^200 \/(?:p\d+)?$/.test(request))).toHaveLength(total - done);

    lab.takeCommits();
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0, pages: total });
    expect(lab.takeCommits()).toEqual([]);
  },
);

test('a process that dies in a first reading has lost the last few pages at most', async () => {
  await using site = await listedSite();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  // From here on nothing reaches the disk any more.
  const full = new LogFullError('hub.db', new Error('ENOSPC'));
  let commits = 0;
  const store = {
    pagesOf: (id: string) => lab.store.pagesOf(id),
    followStateOf: (id: string) => lab.store.followStateOf(id),
    storage: lab.store.storage.bind(lab.store),
    changes: lab.store.changes.bind(lab.store),
    seqBefore: lab.store.seqBefore.bind(lab.store),
    async commit(visit: Parameters<typeof lab.store.commit>[0]) {
      commits += 1;
      if (commits > 1) throw full;
      return await lab.store.commit(visit);
    },
  };
  await expect(lab.visit({ store })).rejects.toBe(full);
  expect(lab.log).toHaveLength(50);
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 80, pages: 130 });
  expect(site.takeRequests().filter((request) => request.startsWith('304'))).toHaveLength(50);
  expect(new Set(lab.log.map(({ url }) => url)).size).toBe(130);
});

test('what turned into a notice between two parts of a first reading is not believed', async () => {
  await using site = await listedSite();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  const stop = new AbortController();
  const held = site.served.get('/p070') ?? '';
  site.put({ '/p070': () => stop.abort() });
  await lab.visit({ signal: stop.signal });
  site.put({ '/p070': held });
  for (const path of paths.slice(0, 5)) site.put({ [`/${path}`]: pageOf('We are away') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 60, pages: 130, unread: 5 });
  expect(lab.log.every(({ action }) => action === 'create')).toBe(true);
});
