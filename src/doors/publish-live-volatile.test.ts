import { expect, test } from 'vitest';
import { type LiveSite, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { publish } from './publish.ts';

const STATE = '.well-known/tidings/pages.ndjson';
const PUBLISHES = 8;
const TOPICS = ['tides', 'cranes', 'ropes', 'pilots', 'quays', 'locks', 'buoys', 'crews', 'charts', 'docks', 'tugs'];

const publishLive = (site: LiveSite, out: TestFolder) =>
  publish({ url: site.url, out: out.path, allowPrivate: true, force: true, cooldownMs: 0 });

/** A page with links that are other ones at each publish. */
function restless(round: number, limit: string): string {
  const links = [0, 1, 2].map(
    (at) => `<li><a href="/x">All about ${TOPICS[(round * 3 + at) % TOPICS.length]}</a></li>`,
  );
  return `<!doctype html><html lang="en"><head><title>Limits</title></head><body><main><h1>Limits</h1><p>What an account may do in a day.</p>
<h2 id="calls">Calls</h2><p>${limit}</p><p>They are counted by the hour.</p>
<h2 id="more">More</h2><p>Ask us for more.</p><div class="related"><ul>${links.join('')}</ul></div></main></body></html>`;
}

test('a live site that is published again and again: links that are other ones each time are held back, an edit beside them is told', async () => {
  await using site = await startLiveSite({});
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['limits']) });
  using out = temporaryFolder();
  const told: string[] = [];
  for (let round = 0; round < PUBLISHES; round += 1) {
    site.put({ '/limits': restless(round, round < 5 ? 'Ten calls.' : 'Twenty calls.') });
    const { changes } = await publishLive(site, out);
    told.push(...changes.map(({ action, anchor = '' }) => `${round}: ${action} #${anchor}`));
  }
  expect(told).toEqual(['0: create #', '1: update #more', '2: update #more', '5: update #calls']);
});

test('looks are counted while something may be volatile, and then no byte changes', async () => {
  await using site = await startLiveSite({ '/limits': restless(0, 'Ten calls.') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['limits']) });
  using out = temporaryFolder();
  const lookOf = () => (JSON.parse(out.read(STATE).split('\n')[0] ?? '') as { readonly look?: number }).look;
  await publishLive(site, out);
  await publishLive(site, out);
  expect(lookOf()).toBeUndefined();

  site.put({ '/limits': restless(0, 'Twenty calls.') });
  await publishLive(site, out);
  expect(lookOf()).toBe(2);
  for (let round = 0; round < 13; round += 1) await publishLive(site, out);
  const before = steadyFiles(out);
  const last = lookOf();
  await publishLive(site, out);
  expect(steadyFiles(out)).toEqual(before);
  expect(lookOf()).toBe(last);
});
