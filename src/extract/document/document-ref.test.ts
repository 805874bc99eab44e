import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { MADE_PAGES } from '../../../test/noise/made-pages.ts';
import { MUTATIONS } from '../../../test/noise/mutations.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import type { AIDocument } from '../../codecs/aidocument/wire.ts';
import { refOf } from './document-ref.ts';
import { readPageDocument } from './read-page.ts';

const URL_OF_PAGE = 'https://site.example/guide';
const LD =
  '<script type="application/ld+json">{"@type":"Thing","url":"https://site.example/guide?utm_source=a"}</script>';
const PAGE = `<html lang="en"><head><title>Guide</title><meta name="description" content="About it">
  <meta property="og:type" content="article"><link rel="canonical" href="/guide">${LD}</head><body>
  <nav><a href="/">Home</a></nav><main><h1 id="guide">Guide</h1>
  <p>Read <a href="/more">more</a> of it.</p><img src="/a.png" alt="A gauge"><pre><code>let a  = 1</code></pre></main></body></html>`;

function refAfter(edit: (html: string) => string): string | undefined {
  const html = edit(PAGE);
  expect(html, 'the edit applies').not.toBe(PAGE);
  return readPageDocument(html, URL_OF_PAGE).schema.ref;
}

const BEFORE = readPageDocument(PAGE, URL_OF_PAGE);

clause(
  ['AWI-SCH3', 'AWI-SCH4'],
  'the ref is 32 hex digits behind its prefix, and that of the document it stands in',
  () => {
    expect(BEFORE.schema.ref).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
    expect(refOf(BEFORE)).toBe(BEFORE.schema.ref);
    expect(refOf(JSON.parse(JSON.stringify(BEFORE)))).toBe(BEFORE.schema.ref);
  },
);

const FIELD_EDITS: [string, (html: string) => string][] = [
  ['canonical_url', (html) => html.replace('href="/guide"', 'href="/guide/"')],
  ['title', (html) => html.replace('<h1 id="guide">Guide', '<h1 id="guide">The guide')],
  ['description', (html) => html.replace('About it', 'About that')],
  ['language', (html) => html.replace('lang="en"', 'lang="de"')],
  ['content_type', (html) => html.replace('content="article"', 'content="profile"')],
  ['markdown', (html) => html.replace('of it.', 'of this.')],
  ['code in it', (html) => html.replace('let a  =', 'let a =')],
  ['headings', (html) => html.replace('id="guide"', 'id="start"')],
  ['links', (html) => html.replace('/more', '/less')],
  ['images', (html) => html.replace('/a.png', '/b.png')],
  ['structured_data', (html) => html.replace('"Thing"', '"Person"')],
];

clause('AWI-SCH5', 'each of the fields moves the ref', () => {
  for (const [field, edit] of FIELD_EDITS) expect(refAfter(edit), field).not.toBe(BEFORE.schema.ref);
});

clause('AWI-SCH5', 'another url is another ref, a fragment is none', () => {
  const without = PAGE.replace(LD, '');
  expect(readPageDocument(without, 'https://site.example/other').schema.ref).not.toBe(
    readPageDocument(without, URL_OF_PAGE).schema.ref,
  );
  expect(readPageDocument(without, `${URL_OF_PAGE}#x`).schema.ref).toBe(
    readPageDocument(without, URL_OF_PAGE).schema.ref,
  );
});

clause('AWI-SCH5', 'links and images of the document count by themselves, not only through the Markdown', () => {
  const { structure } = BEFORE;
  const altered = (change: Partial<AIDocument['structure']>) =>
    refOf({ ...BEFORE, structure: { ...structure, ...change } });
  expect(altered({ links: [] })).not.toBe(BEFORE.schema.ref);
  expect(altered({ images: [] })).not.toBe(BEFORE.schema.ref);
  expect(altered({ headings: [] })).not.toBe(BEFORE.schema.ref);
});

clause('AWI-SCH6', 'when and how a page was fetched, and what it costs, do not move the ref', () => {
  const again = readPageDocument(PAGE, URL_OF_PAGE, {
    fetchedAt: '2031-01-01T00:00:00Z',
    statusCode: 404,
    renderMode: 'rendered',
    freshnessPolicy: 'force_refresh',
    cache: { status: 'refreshed', origin_contacted: true, body_fetched: true },
    economics: false,
  });
  expect(again.schema.ref).toBe(BEFORE.schema.ref);
});

const NOISE: [string, (html: string) => string][] = [
  ['a tracking parameter in a link', (html) => html.replace('/more', '/more?utm_source=x&amp;gclid=4')],
  ['a cache buster on an image', (html) => html.replace('/a.png', '/a.png?v=171')],
  ['a build mark in an image', (html) => html.replace('/a.png', '/a.9f3b1c.png')],
  ['a tracking parameter in JSON-LD', (html) => html.replace('utm_source=a', 'utm_source=b')],
  ['keys of JSON-LD in another order', (html) => html.replace(/\{"@type":"Thing",(.*?)\}/, '{$1,"@type":"Thing"}')],
  [
    'another entry in the navigation',
    (html) => html.replace('</nav>', '<a href="/new">New</a><a href="/more">More</a></nav>'),
  ],
  ['a tracking pixel', (html) => html.replace('</main>', '<img src="https://t.example/p.gif?r=8" width="1"></main>')],
  [
    'an advertisement',
    (html) => html.replace('</main>', '<div class="ad"><a href="https://ads.example/">Buy</a></div></main>'),
  ],
  ['soft hyphens', (html) => html.replace('About it', 'Ab\u00ADout it').replace('more<', 'mo\u00ADre<')],
];

clause('AWI-SCH6', 'what is noise does not move the ref', () => {
  for (const [noise, edit] of NOISE) expect(refAfter(edit), noise).toBe(BEFORE.schema.ref);
});

clause('AWI-SCH6', 'no kind of noise moves the ref of a page, whatever made it', () => {
  for (const { html, url } of shortOrLong(MADE_PAGES.slice(0, 3), MADE_PAGES)) {
    const { ref } = readPageDocument(html, url).schema;
    const applied = MUTATIONS.filter(({ apply }) => apply(html) !== html);
    const moved = applied.filter(({ apply }) => readPageDocument(apply(html), url).schema.ref !== ref);
    expect(moved.map(({ name }) => name)).toEqual([]);
    expect(applied.length).toBeGreaterThanOrEqual(MUTATIONS.length - 3);
  }
});
