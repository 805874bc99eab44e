import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { diffSites } from './diff-sites.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';

interface Frame {
  readonly name?: string;
  readonly banner?: string;
  readonly box?: string;
  readonly foot?: string;
  readonly related?: string;
}

/** No part of the frame has a form that tells it from content. */
const pageOf = (
  page: number,
  text: string,
  { name, banner = '', box = '', foot = '', related = '' }: Frame,
) => `<!doctype html>
<title>Chapter ${page} on its own${name === undefined ? '' : ` | ${name}`}</title><body><div>${banner}<h1>Page ${page}</h1>
<p>This is the page with number ${page}.</p><h2 id="one">One</h2><p>${text}</p>${box}<h2 id="two">Two</h2><p>Number ${page} has two parts.</p>${related}${foot}</div>`;

const siteOf = (pages: number, frame: Frame, texts: Readonly<Record<number, string>> = {}) => {
  const folder = temporaryFolder();
  for (let page = 0; page < pages; page += 1) {
    folder.write({ [`p${page}.html`]: pageOf(page, texts[page] ?? `It says ${page}.`, frame) });
  }
  return folder;
};

const toldBetween = async (before: { readonly path: string }, after: { readonly path: string }) => {
  const { changes, frame } = await diffSites({ before: before.path, after: after.path, site: SITE });
  return { told: changes.map(({ url, anchor }) => url.slice(SITE.length) + (anchor ? `#${anchor}` : '')), frame };
};

const FRAMES: readonly (readonly [string, Frame, Frame])[] = [
  ['the name and version in the title', { name: 'Acme 1.4' }, { name: 'Acme 1.5' }],
  ['a version in the foot', { foot: '<p>Built for Acme 1.4.</p>' }, { foot: '<p>Built for Acme 1.5.</p>' }],
  ['a banner that comes', {}, { banner: '<p>Acme meets in Oslo this year.</p>' }],
  ['a box that goes', { box: '<p>Was this of use? Tell us.</p><p>Write to us.</p>' }, {}],
  [
    'a section of links to elsewhere',
    { related: '<h2>More from us</h2><ul><li>A day at sea</li><li>A night on land</li></ul>' },
    { related: '<h2>More from us</h2><ul><li>A night on land</li><li>A year in space</li></ul>' },
  ],
  ['a section that all get', {}, { related: '<h2 id="news">News</h2><p>We are hiring.</p>' }],
];

test.each(FRAMES)(
  '%s is the frame: no page is told, and an edit in the same run is, under its anchor',
  async (_, was, is) => {
    using before = siteOf(12, was);
    using after = siteOf(12, is);
    expect(await toldBetween(before, after)).toEqual({ told: [], frame: 12 });
    using edited = siteOf(12, is, { 7: 'It says something else.' });
    expect(await toldBetween(before, edited)).toEqual({ told: ['p7.html#one'], frame: 12 });
  },
);

test('what a few pages share is theirs, and so is all that a small site has', async () => {
  using before = siteOf(12, {});
  using few = siteOf(12, {}, { 3: 'The price is 5.', 4: 'The price is 5.' });
  expect(await toldBetween(before, few)).toEqual({ told: ['p3.html#one', 'p4.html#one'], frame: undefined });
  using small = siteOf(4, { foot: '<p>Built for Acme 1.4.</p>' });
  using later = siteOf(4, { foot: '<p>Built for Acme 1.5.</p>' });
  expect((await toldBetween(small, later)).told).toHaveLength(4);
});

test('a page on which the frame stays, while all others get a new one, is as it was', async () => {
  const [was, is] = [{ foot: '<p>Built for Acme 1.4.</p>' }, { foot: '<p>Built for Acme 1.5.</p>' }];
  using before = siteOf(12, was);
  using after = siteOf(12, is);
  after.write({ 'p5.html': pageOf(5, 'It says 5 now.', was) });
  expect(await toldBetween(before, after)).toEqual({ told: ['p5.html#one'], frame: 11 });
});

test('a publish tells nothing of its frame, says so, and goes on from the new one', async () => {
  using site = siteOf(12, { foot: '<p>Built for Acme 1.4.</p>' });
  await publish({ dir: site.path, site: SITE });
  for (let page = 0; page < 12; page += 1) {
    site.write({ [`p${page}.html`]: pageOf(page, `It says ${page}.`, { foot: '<p>Built for Acme 1.5.</p>' }) });
  }
  expect(await publish({ dir: site.path, site: SITE })).toMatchObject({ changes: [], frame: 12, unchanged: 12 });
  const quiet = await publish({ dir: site.path, site: SITE });
  expect(quiet.changes).toEqual([]);
  expect(quiet).not.toHaveProperty('frame');
  site.write({ 'p2.html': pageOf(2, 'It says two.', { foot: '<p>Built for Acme 1.5.</p>' }) });
  expect((await publish({ dir: site.path, site: SITE })).changes).toMatchObject([
    { url: `${SITE}p2.html`, anchor: 'one' },
  ]);
});

test('an edit that the frame made look like one of the whole page has the excerpt of its section', async () => {
  using site = siteOf(12, { banner: '<p>Acme meets in Rome.</p>' });
  await publish({ dir: site.path, site: SITE });
  for (let page = 0; page < 12; page += 1) {
    const text = page === 2 ? 'It says two.' : `It says ${page}.`;
    site.write({ [`p${page}.html`]: pageOf(page, text, { banner: '<p>Acme meets in Oslo.</p>' }) });
  }
  const { changes } = await publish({ dir: site.path, site: SITE });
  expect(changes).toMatchObject([{ url: `${SITE}p2.html`, anchor: 'one', note: 'text-edit' }]);
  const line = site.read('ai-changes.ndjson').trim().split('\n').at(-1) ?? '';
  expect(line).toContain('p2.html');
  expect(site.read('.well-known/tidings/log.ndjson')).toContain('"excerpt":"It says two."');
});

test('a site that is called otherwise is told of no page, also of those that its title alone calls by name', async () => {
  const pages = (name: (own: string) => string) => {
    const folder = temporaryFolder();
    for (let page = 0; page < 12; page += 1) {
      const html = `<title>${name(`Part ${page}`)}</title><main><h1>Part ${page}</h1><p>It says ${page}.</p></main>`;
      folder.write({ [`p${page}.html`]: html });
    }
    folder.write({
      'index.html': `<title>${name('Home')}</title><main><h1>All there is</h1><p>Twelve parts.</p></main>`,
    });
    return folder;
  };
  using before = pages((own) => `${own} | Acme 1.4`);
  using bumped = pages((own) => `${own} | Acme 1.5`);
  using turned = pages((own) => `Acme · ${own}`);
  using alone = pages((own) => own);
  for (const after of [bumped, turned]) expect(await toldBetween(before, after)).toEqual({ told: [], frame: 1 });
  expect(await toldBetween(alone, bumped)).toEqual({ told: [], frame: 1 });
  using renamed = pages((own) => `${own.replace('Home', 'Start')} | Acme 1.5`);
  expect(await toldBetween(before, renamed)).toMatchObject({ told: [''] });
});
