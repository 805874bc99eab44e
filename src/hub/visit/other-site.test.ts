import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';

const PATHS = ['', 'a', 'b', 'c'];
/** Pages that have little in common, as those of a site. */
const casino = (path: string) => {
  const words = (topic: string) =>
    Array.from(
      { length: 12 },
      (_, at) => `<p>${createHash('sha256').update(`${topic} ${path} ${at}`).digest('hex')}</p>`,
    );
  return `<!doctype html><html><head><title>Casino ${path}</title></head><body><main><h1>Casino ${path}</h1>${words('bet').join('')}<h2 id="win">Win ${path}</h2>${words('win').join('')}</main></body></html>`;
};

async function startDocs(): Promise<LiveSite> {
  const site = await startLiveSite(Object.fromEntries(PATHS.map((path) => [`/${path}`, pageOf(`Page ${path}`)])));
  site.put({ '/sitemap.xml': sitemapOf(site.url, PATHS) });
  return site;
}

test('a site of which no page is what it was is a safety stop, until a person accepts it or it is back', async () => {
  await using site = await startDocs();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  lab.told(site.url);
  for (const path of PATHS) site.put({ [`/${path}`]: casino(path) });
  for (const look of [1, 2]) {
    expect(await lab.visit(), `look ${look}`).toMatchObject({ is: 'failed', error: { code: 'SafetyStopError' } });
    lab.advance(5000);
  }
  expect(lab.told(site.url)).toEqual([]);
  for (const path of PATHS) site.put({ [`/${path}`]: pageOf(`Page ${path}`) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  for (const path of PATHS) site.put({ [`/${path}`]: casino(path) });
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: PATHS.length });
});

test.each<[string, (site: LiveSite) => void]>([
  [
    'another theme around the same texts',
    (site) =>
      each(site, (path) => pageOf(`Page ${path}`).replace('<main>', '<header>New look</header><main class="new">')),
  ],
  ['other texts below the same titles', (site) => each(site, (path) => pageOf(`Page ${path}`, 'It says that.'))],
  ['the name of the site behind every title', (site) => each(site, (path) => pageOf(`Page ${path} | Acme`))],
  ['one page as it was', (site) => each(site, (path) => (path === 'c' ? pageOf('Page c') : casino(path)))],
  ['half of the pages gone', (site) => void ['b', 'c'].map((path) => site.remove(`/${path}`))],
])('%s is still the same site', async (_, change) => {
  await using site = await startDocs();
  await using lab = await openVisitLab({ id: 'live', kind: 'site', url: site.url });
  await lab.visit();
  change(site);
  const seen = await lab.visit();
  expect(seen.is === 'failed' ? seen.error.code : seen.is).not.toBe('SafetyStopError');
});

function each(site: LiveSite, html: (path: string) => string): void {
  for (const path of PATHS) site.put({ [`/${path}`]: html(path) });
}
