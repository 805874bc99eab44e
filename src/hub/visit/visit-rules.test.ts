import { expect, test } from 'vitest';
import { openVisitLab, type VisitLab } from '../../../test/support/hub-visits.ts';
import { sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { startPublisher } from '../../../test/support/publisher.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { SourceConfig } from '../config/source-config.ts';

const PATHS = ['a', 'b', 'log/one', 'log/two'];
const STAMP = { ignore: ['.stamp', '.related'] };
const READ = { is: 'read', changes: 0 };

/** A page that is another one at each look, but for what `.stamp` and `.related` mean. */
function pageOf(path: string, look: number, limit = 'Ten a day.'): string {
  return `<!doctype html><title>${path}</title><main><h1 id="top">${path}</h1><p>What ${path} is for.</p>
<h2 id="limits">Limits</h2><p>${limit}</p><h2 id="news">News</h2><p>Some news.<i class="stamp"> Look ${look}.</i></p>
<div class="related"><h2>Related ${look}</h2><p>Read ${look} of these.</p></div></main>`;
}

interface Watched {
  readonly base: string;
  readonly config: SourceConfig;
  /** The site as it is at that look. */
  write(look: number, edits?: Readonly<Record<string, string>>): void;
}

async function liveSite() {
  const site = await startLiveSite({});
  site.put({ '/sitemap.xml': sitemapOf(site.url, PATHS) });
  return Object.assign(site, {
    write(look: number, edits: Readonly<Record<string, string>> = {}) {
      for (const path of PATHS) site.put({ [`/${path}`]: pageOf(path, look, edits[path]) });
    },
  });
}

test.each(['site', 'page', 'folder'])(
  'rules of a source of the kind %s come, change and go without an event; edits are told',
  async (kind) => {
    await using site = await liveSite();
    using folder = temporaryFolder();
    const urls = PATHS.map((path) => site.url + path);
    const folderSource: Watched = {
      base: 'https://docs.example/',
      config: { id: 'x', kind: 'folder', path: folder.path, site: 'https://docs.example/', cleanUrls: true },
      write(look, edits = {}) {
        for (const path of PATHS) folder.write({ [`${path}.html`]: pageOf(path, look, edits[path]) });
      },
    };
    const watched: Watched =
      kind === 'folder'
        ? folderSource
        : {
            base: site.url,
            config: kind === 'site' ? { id: 'x', kind, url: site.url } : { id: 'x', kind: 'page', urls },
            write: site.write,
          };
    const { base, config, write } = watched;
    write(1);
    await using lab = await openVisitLab(config);
    expect(await lab.visit()).toMatchObject({ changes: 4, pages: 4 });
    lab.told(base);

    // The rules come while each page is another one.
    write(2);
    lab.configure({ ...config, ...STAMP });
    expect(await lab.visit()).toMatchObject({ ...READ, pages: 4, rules: [STAMP] });
    write(3, { b: 'Twenty a day.' });
    expect(await lab.visit()).toMatchObject({ changes: 1, rules: [STAMP] });
    expect(lab.told(base)).toEqual(['update /b#limits']);
    expect(lab.log.at(-1)?.provenance.extractor).toMatch(/\+[0-9a-f]{12}$/);

    // An edit beside what new rules are about.
    const other = { only: ['main > h2', 'main > p', '/**'], ignore: ['.stamp', '/log/**'] };
    write(4, { a: 'Two.', b: 'Twenty a day.' });
    lab.configure({ ...config, ...other });
    expect(await lab.visit()).toMatchObject({ changes: 1, pages: 2, rules: [other, STAMP] });
    expect(lab.told(base)).toEqual(['update /a#limits']);
    expect((await lab.store.pagesOf('x')).pages.size).toBe(2);

    // They go, and pages that they left out come back.
    write(4, { a: 'Two.', b: 'Twenty a day.', 'log/one': 'None.' });
    lab.configure(config);
    expect(await lab.visit()).toMatchObject({ ...READ, pages: 4, rules: [{}, other, STAMP] });
    write(4, { a: 'Two.', b: 'Twenty a day.', 'log/one': 'Some.' });
    expect(await lab.visit()).toMatchObject({ changes: 1 });
    expect(lab.told(base)).toEqual(['update /log/one#limits']);
  },
);

test('a page that could not be read when the rules changed is compared by those that it was read by', async () => {
  await using site = await liveSite();
  site.write(1);
  const config: SourceConfig = { id: 'x', kind: 'site', url: site.url };
  await using lab = await openVisitLab(config);
  await lab.visit();
  lab.told(site.url);
  site.write(2);
  site.put({ '/a': { status: 500 } });
  lab.configure({ ...config, ...STAMP });
  expect(await lab.visit()).toMatchObject({ ...READ, unread: 1 });
  site.write(3);
  expect(await lab.visit()).toMatchObject(READ);
  expect(lab.told(site.url)).toEqual([]);
});

test('pages that are left out are not asked for; those without anything that is chosen are noted', async () => {
  await using site = await liveSite();
  site.write(1);
  site.put({ '/b': '<title>B</title><article><h1>B</h1><p>All of it is here.</p></article>' });
  const config: SourceConfig = { id: 'x', kind: 'site', url: site.url, ignore: ['/log/**'], only: ['main'] };
  await using lab = await openVisitLab(config);
  expect(await lab.visit()).toMatchObject({ pages: 2, notes: ['1 page has nothing that only names: read as usual.'] });
  expect(await snapshotOf(lab, `${site.url}a`)).toContain('Limits');
  expect(site.takeRequests().filter((request) => request.includes('/log'))).toEqual([]);
  await lab.test(config);
  expect(site.takeRequests().filter((request) => request.includes('/log'))).toEqual([]);
});

test('a page of which the rules leave little is no notice, whatever form stands beside it', async () => {
  await using site = await startLiveSite({});
  const product = (name: string, price: string) => `<title>${name}</title><form><input type="password"></form>
<main><h1>${name}</h1><p class="price">${price}</p>${'<p>A long text about what it is good for, and for whom.</p>'.repeat(60)}</main>`;
  site.put({ '/p': product('Lamp', 'Ten.') });
  await using lab = await openVisitLab({ id: 'x', kind: 'page', urls: [`${site.url}p`], only: ['.price'] });
  await lab.visit();
  site.put({ '/p': product('A better lamp', 'Twenty.') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, unread: 0 });
  site.put({ '/p': '<title>Sign in</title><form><p>Sign in</p><input type="password"></form>' });
  expect(await lab.visit()).toMatchObject({ changes: 0, is: 'failed' });
});

test('events of a feed about pages that are left out are passed over', async () => {
  await using publisher = await startPublisher();
  publisher.publish(publisher.event('1', { url: '/docs/a' }), publisher.event('2', { url: '/log/b' }));
  const config = { id: 'x', kind: 'feed', url: publisher.origin, dialect: 'aicf', ignore: ['/log/**'] } as const;
  await using lab = await openVisitLab(config);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(publisher.origin)).toEqual(['update /docs/a']);
});

async function snapshotOf(lab: VisitLab, url: string): Promise<string | undefined> {
  const page = await lab.store.pageOf('x', url);
  return page?.snapshot === undefined ? undefined : await lab.store.snapshot(page.snapshot);
}
