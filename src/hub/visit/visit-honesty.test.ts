import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, pageOf, startLiveSite } from '../../../test/support/live-site.ts';
import type { FeedConfig } from '../config/source-config.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

async function startPublisher() {
  const site = await startLiveSite({ '/a': pageOf('A'), '/b': pageOf('B'), '/c': pageOf('C') });
  site.put({
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}changes.ndjson` }),
  });
  const lines: string[] = [];
  const tell = (...paths: readonly string[]) => {
    for (const path of paths) {
      const id = `evt-${String(lines.length).padStart(6, '0')}`;
      lines.push(JSON.stringify({ id, action: 'update', url: site.url + path, time: new Date().toISOString() }));
    }
    site.put({ '/changes.ndjson': lines.map((line) => `${line}\n`).join('') });
  };
  tell('a', 'b', 'c');
  return { site, tell };
}

const configOf = (site: LiveSite): FeedConfig => ({ id: 'told', kind: 'feed', dialect: 'aicf', url: site.url });

/** A visit as a hub makes it that looks at so many pages. */
async function visit(lab: VisitLab, pages = 5) {
  const outcome = await lab.visit({ honesty: { pages, newSeed: () => 'seed', log: lab.store } });
  return outcome.is === 'read' ? outcome : undefined;
}

test('once a day a few pages of a feed are compared with what it told, and nothing of that is in the log', async () => {
  const { site, tell } = await startPublisher();
  await using _site = site;
  await using lab = await openVisitLab(configOf(site));
  expect((await visit(lab))?.honesty, 'the first check reads the feed alone').toBeUndefined();
  expect((await visit(lab))?.honesty).toMatchObject({ sampled: 3, compared: 0, pages: [] });
  site.takeRequests();
  await visit(lab);
  expect(
    site.takeRequests().filter((request) => /\/[abc]$/.test(request)),
    'not again on the same day',
  ).toEqual([]);

  site.put({ '/a': pageOf('A', 'It says that.'), '/b': pageOf('B', 'It says that, too.') });
  tell('a', 'c');
  lab.advance(DAY_MS + 1);
  const looked = await visit(lab);
  expect(looked?.honesty).toMatchObject({ compared: 3, toldAndTrue: 1, toldNotSeen: 1, seenNotTold: 1 });
  expect(looked?.honesty?.pages.map(({ url, verdict }) => `${verdict} ${url.replace(site.url, '/')}`).sort()).toEqual([
    'seen-not-told /b',
    'told-not-seen /c',
  ]);
  expect(looked?.notes).toContainEqual(expect.stringMatching(/^honesty: of 3 pages 1 told and not seen, 1 seen/));
  expect((await visit(lab))?.notes, 'told until the next look').toContainEqual(expect.stringMatching(/^honesty: /));
  expect(lab.told(site.url)).toEqual(['update /a', 'update /b', 'update /c', 'update /a', 'update /c']);
});

test('a look that fails leaves the source as it is', async () => {
  const { site } = await startPublisher();
  await using _site = site;
  await using lab = await openVisitLab(configOf(site));
  await visit(lab);
  site.put({ '/a': { status: 500 }, '/b': { status: 500 }, '/c': { status: 500 } });
  expect(await visit(lab)).toMatchObject({ is: 'read' });
  expect((await visit(lab, 0))?.honesty).toBeUndefined();
});
