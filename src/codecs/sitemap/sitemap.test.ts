import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { decodeSitemap, FEED, MAX_SITEMAP_ENTRIES, NO_SITEMAP } from './sitemap.ts';

const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const decode = (text: string) => decodeSitemap(Buffer.from(text));
const urlset = (entries: string, attributes = NS) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${attributes}>${entries}</urlset>`;
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`;

function readOk(text: string | Uint8Array) {
  const decoded = decodeSitemap(typeof text === 'string' ? Buffer.from(text) : text);
  if (!decoded.ok) throw new Error(decoded.issues[0].message);
  return decoded.value;
}
const urlsOf = (text: string | Uint8Array) => readOk(text).entries.map((entry) => entry.url);

test('names the pages of a site, with what it claims of their age', () => {
  const sitemap = readOk(
    urlset(
      `${url('https://docs.example/', '<lastmod>2025-08-21</lastmod><priority>1.0</priority>')}
       ${url('https://docs.example/a', '<lastmod>2025-08-21T10:00+02:00</lastmod>')}
       ${url('https://docs.example/b', '<lastmod>2025-08-21T10:00:00+0200</lastmod>')}
       ${url('https://docs.example/c', '<lastmod>yesterday</lastmod>')}
       ${url('https://docs.example/d', '<lastmod>2025-02-30</lastmod>')}`,
    ),
  );
  expect(sitemap).toEqual({
    of: 'pages',
    entries: [
      { url: 'https://docs.example/', claimedTime: '2025-08-21T00:00:00Z' },
      { url: 'https://docs.example/a', claimedTime: '2025-08-21T10:00:00+02:00' },
      { url: 'https://docs.example/b', claimedTime: '2025-08-21T10:00:00+02:00' },
      { url: 'https://docs.example/c' },
      { url: 'https://docs.example/d' },
    ],
    problems: [],
  });
});

test('names other sitemaps', () => {
  const index = `<sitemapindex ${NS}><sitemap><loc>https://docs.example/s1.xml.gz</loc><lastmod>2025-01-01</lastmod></sitemap></sitemapindex>`;
  expect(readOk(index)).toMatchObject({ of: 'sitemaps', entries: [{ url: 'https://docs.example/s1.xml.gz' }] });
});

test.each([
  ['no namespace', urlset(url('https://docs.example/a'), '')],
  [
    'the namespace of 2005',
    urlset(url('https://docs.example/a'), 'xmlns="http://www.google.com/schemas/sitemap/0.84"'),
  ],
  [
    'a prefix',
    `<s:urlset ${NS.replace('xmlns', 'xmlns:s')}><s:url><s:loc>https://docs.example/a</s:loc></s:url></s:urlset>`,
  ],
  ['a BOM', `\ufeff${urlset(url('https://docs.example/a'))}`],
  ['blank lines before the declaration', `\n\n ${urlset(url('https://docs.example/a'))}`],
  ['white space in loc', urlset(url('\n  https://docs.example/a\t\n'))],
  ['CDATA', urlset(url('<![CDATA[https://docs.example/a]]>'))],
  ['a character reference', urlset(url('https://docs.example/&#97;'))],
  ['a comment in loc', urlset(url('https://docs.example<!-- here -->/a'))],
  ['text behind the end', `${urlset(url('https://docs.example/a'))}<!-- cached --> <script>`],
  [
    'an extension',
    urlset(
      url('https://docs.example/a', '<image:image><image:loc>https://docs.example/i.png</image:loc></image:image>'),
      `${NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`,
    ),
  ],
  [
    'an extension that is not declared',
    urlset(
      url(
        'https://docs.example/a',
        '<xhtml:link href="https://docs.example/de"/><image:loc>https://docs.example/i.png</image:loc>',
      ),
    ),
  ],
  ['a fragment', urlset(url('https://docs.example/a#top'))],
  ['plain text', 'https://docs.example/a\r\n'],
  ['plain text with a BOM and blank lines', '\ufeff\n\nhttps://docs.example/a\n\n'],
])('is read with %s', (_, text) => {
  expect(readOk(text)).toMatchObject({ entries: [{ url: 'https://docs.example/a' }], problems: [] });
  expect(urlsOf(text)).toHaveLength(1);
});

test('is read in the encoding that it names', () => {
  const text = urlset(url('https://docs.example/é'));
  const expected = ['https://docs.example/%C3%A9'];
  expect(urlsOf(text)).toEqual(expected);
  expect(urlsOf(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(expected);
  expect(urlsOf(Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1'))).toEqual(expected);
  expect(readOk(Buffer.from(text, 'latin1'))).toMatchObject({
    entries: [],
    problems: [expect.stringContaining('encoding')],
  });
});

test('takes a bare ampersand for what was meant, and leaves CDATA alone', () => {
  const text = urlset(
    `${url('https://docs.example/?a=1&b=2&amp;c=3')}${url('<![CDATA[https://docs.example/?a=1&b=2]]>')}${url('https://docs.example/?x&nbsp;y')}`,
  );
  expect(urlsOf(text)).toEqual([
    'https://docs.example/?a=1&b=2&c=3',
    'https://docs.example/?a=1&b=2',
    'https://docs.example/?x&nbsp;y',
  ]);
});

test.each([
  ['relative', '/a'],
  ['without a scheme', 'docs.example/a'],
  ['of another scheme', 'ftp://docs.example/a'],
  ['a script', 'javascript:alert(1)'],
  ['no URL', 'https://'],
  ['with a password', 'https://u:p@docs.example/a'],
  ['empty', ' '],
  ['endless', `https://docs.example/${'a'.repeat(5000)}`],
])('an address that is %s is a problem of its entry', (_, loc) => {
  const sitemap = readOk(urlset(url(loc) + url('https://docs.example/b')));
  expect(sitemap.entries).toEqual([{ url: 'https://docs.example/b' }]);
  expect(sitemap.problems).toEqual([expect.stringMatching(/^Entry 1: /)]);
});

test('a text with a line that is no URL has a problem', () => {
  expect(readOk('https://docs.example/a\nhello\n')).toMatchObject({
    entries: [{}],
    problems: [expect.stringContaining('hello')],
  });
});

test.each([
  ['cut', urlset(url('https://docs.example/a')).slice(0, -5)],
  ['cut in an entry', `${urlset(url('https://docs.example/a')).replace('</urlset>', '')}<url><loc>https://docs.ex`],
  ['with tags that do not match', urlset(`${url('https://docs.example/a')}<url><loc>https://docs.example/b</url>`)],
])('a file that is %s gives what stands before, and says so', (_, text) => {
  expect(readOk(text)).toMatchObject({
    entries: [{ url: 'https://docs.example/a' }],
    problems: [],
    broken: expect.stringContaining('not well-formed'),
  });
});

test.each([
  ['an RSS feed', '<rss version="2.0"><channel><link>https://docs.example/</link></channel></rss>', /RSS feed/],
  ['an Atom feed', '<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id></feed>', /Atom feed/],
  ['an HTML page', '<!doctype html><title>Not found</title>', /HTML page/],
  ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>', /HTML page/],
  ['other XML', '<soap:Envelope xmlns:soap="x"/>', /"Envelope"/],
  [
    'a urlset of another format',
    '<urlset xmlns="https://other.example/"><url><loc>https://docs.example/</loc></url></urlset>',
    /other\.example/,
  ],
  ['prose', 'Hello, world', /neither XML nor/],
])('%s is no sitemap', (what, text, message) => {
  expect(decode(text)).toMatchObject({
    ok: false,
    issues: [{ clause: /feed$/.test(what) ? FEED : NO_SITEMAP, message: expect.stringMatching(message) }],
  });
});

test.each([
  ['nothing', ''],
  ['white space', '\n \n'],
  ['half a tag', '<urlset'],
])('%s is a broken one', (_, text) => {
  expect(decode(text)).toMatchObject({ ok: false, issues: [{ clause: 'SITEMAP-FORM' }] });
});

test('entities of its own are refused, wherever the DOCTYPE hides', () => {
  const lol = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const doctype = `<!DOCTYPE urlset [<!ENTITY l0 "lol">${lol}]>`;
  const body = `<urlset ${NS}>${url('https://docs.example/&l10;')}</urlset>`;
  for (const text of [`${doctype}${body}`, `<?xml version="1.0"?>\n<!-- <a> -->${doctype}${body}`]) {
    expect(decode(text)).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('DOCTYPE') }] });
  }
});

test.each<[string, number, (count: number) => string]>([
  ['levels', 1_000_000, (count) => '<a>'.repeat(count)],
  ['attributes', 200_000, (count) => `<url ${Array.from({ length: count }, (_, n) => `a${n}="1"`).join(' ')}/>`],
  ['ampersands', 60_000, (count) => '&'.repeat(count)],
  ['CDATA', 50_000, (count) => '<![CDATA['.repeat(count)],
  ['URLs that are none', 60_000, (count) => '<url><loc>x</loc></url>'.repeat(count)],
  ['URLs without a place', 60_000, (count) => '<url/>'.repeat(count)],
])('a file made to hurt is left at once: %s', async (_, count, make) => {
  const spaces = Array.from({ length: 60 }, (_, n) => `xmlns:n${n}="u${n}"`).join(' ');
  const hurtful = (size: number) => `<urlset ${NS} ${spaces}>${make(size)}`;
  const sitemap = readOk(hurtful(shortOrLong(count / 20, count)));
  expect(sitemap).toMatchObject({ entries: [] });
  expect(sitemap.broken).toBeDefined();
  expect(sitemap.problems.length).toBeLessThanOrEqual(100);
  await expectLinear<typeof import('./sitemap.ts'), Uint8Array>(
    new URL('./sitemap.ts', import.meta.url),
    ({ decodeSitemap }, bytes) => decodeSitemap(bytes),
    (size) => new TextEncoder().encode(hurtful(size)),
    1000,
  );
});

test('more entries than there may be are not read, and that is said', () => {
  for (const text of [
    urlset(url('https://docs.example/a').repeat(shortOrLong(60_000, 1_000_000))),
    'https://docs.example/a\n'.repeat(60_000),
  ]) {
    const { entries, broken } = readOk(text);
    expect(entries).toHaveLength(MAX_SITEMAP_ENTRIES);
    expect(broken).toContain('more than 50000');
  }
});

test('a file over 50 MB is refused', () => {
  expect(decodeSitemap(new Uint8Array(50 * 1024 * 1024 + 1))).toMatchObject({ ok: false });
});

test('a root that is named like what every object has is no sitemap', () => {
  for (const root of ['constructor', '__proto__']) {
    expect(decode(`<${root} ${NS}><url/></${root}>`)).toMatchObject({ ok: false, issues: [{ clause: NO_SITEMAP }] });
  }
});
