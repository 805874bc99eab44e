import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { checkAIDocument } from '../../codecs/aidocument/check.ts';
import { decodeAIDocument } from '../../codecs/aidocument/decode.ts';
import { readPageDocument } from './read-page.ts';

const PAGE_URL = 'https://example.com/guide/start?v=2#top';

const read = (body: string, head = '') =>
  readPageDocument(`<html><head>${head}</head><body>${body}</body></html>`, PAGE_URL);

clause(['AWI-DOC1', 'AWI-SCH1', 'AWI-SCH2'], 'a page is a 2.0 document with all groups', () => {
  const document = read('<h1>A</h1><p>Text.</p>');
  expect(document.schema).toMatchObject({ name: 'AIDocument', version: '2.0' });
  expect(Object.keys(document)).toEqual([
    ...['schema', 'source', 'cache', 'identity', 'content', 'structure', 'signals', 'economics'],
  ]);
  expect(checkAIDocument(document)).toEqual([]);
});

clause(['AWI-DOC2', 'AWI-DOC5', 'AWI-ST1'], 'an empty page says nothing, and says it without null', () => {
  const { schema, ...rest } = readPageDocument('', 'https://example.com');
  expect(schema.ref).toMatch(/^aidoc:/);
  expect(rest).toEqual({
    source: { url: 'https://example.com/', freshness_policy: 'cache_first' },
    cache: { status: 'hit', origin_contacted: false, body_fetched: false },
    identity: {},
    content: { markdown: '' },
    structure: {},
    signals: { word_count: 0, reading_time: 0, has_json_ld: false, heading_hierarchy_ok: false },
  });
});

clause(
  ['AWI-SRC2', 'AWI-SRC3', 'AWI-PR2'],
  'the url is absolute, without fragment and without a name and password',
  () => {
    expect(read('').source.url).toBe('https://example.com/guide/start?v=2');
    expect(readPageDocument('', 'https://kim:secret@example.com/a').source.url).toBe('https://example.com/a');
    for (const url of ['/guide', 'example.com', 'file:///etc/passwd', 'about:blank', ''])
      expect(() => readPageDocument('', url)).toThrow(TypeError);
  },
);

clause(['AWI-SRC4', 'AWI-SRC5'], 'the canonical URL is what the tag says, or absent', () => {
  for (const [head, url] of [
    ['<link rel="canonical" href="../a">', 'https://example.com/a'],
    ['<link rel="alternate Canonical" href="https://www.example.com/b">', 'https://www.example.com/b'],
    ['<base href="https://cdn.example/x/"><link rel="canonical" href="c">', 'https://cdn.example/x/c'],
    ['<link rel="canonical" href=""><link rel="canonical" href="/d">', 'https://example.com/d'],
    ['<link rel="canonical" href="javascript:void(0)">', undefined],
    ['<link rel="next" href="/e">', undefined],
    ['', undefined],
  ] as [string, string | undefined][]) {
    expect(read('<p>x</p>', head).source.canonical_url).toBe(url);
  }
});

clause(['AWI-SRC6', 'AWI-SRC7', 'AWI-SRC9'], 'the caller says how the page was fetched', () => {
  const { source, cache } = readPageDocument('<p>x</p>', 'https://example.com/', {
    fetchedAt: new Date(Date.UTC(2026, 4, 13)),
    statusCode: 404,
    renderMode: 'static_after_render_failure',
    freshnessPolicy: 'force_refresh',
    cache: { status: 'stale_revalidated', origin_contacted: true, body_fetched: false },
  });
  expect(source).toEqual({
    url: 'https://example.com/',
    fetched_at: '2026-05-13T00:00:00Z',
    render_mode: 'static_after_render_failure',
    status_code: 404,
    freshness_policy: 'force_refresh',
  });
  expect(cache).toEqual({ status: 'stale_revalidated', origin_contacted: true, body_fetched: false });
  expect(() => readPageDocument('', 'https://example.com/', { fetchedAt: 'yesterday' })).toThrow(TypeError);
});

clause('AWI-ID1', 'og:title is the title, else the first h1, else the title element', () => {
  for (const [head, body, title] of [
    ['<meta property="og:title" content=" The\n one ">', '<h1>Two</h1>', 'The one'],
    ['<meta property="og:title" content="  "><title>Three</title>', '<h1> Two  words</h1><h1>Other</h1>', 'Two words'],
    ['<title>Three &amp; more</title>', '<h1> </h1><h2>Not this</h2>', 'Three & more'],
    ['<title>Three</title>', '<nav><h1>Logo</h1></nav><main><h1>Two<a href="#two">¶</a></h1><p>x</p></main>', 'Two'],
    ['<title>Three</title>', '<nav><h1>Logo</h1></nav><p>x</p>', 'Logo'],
    ['', '<svg><title>Icon</title></svg><p>x</p>', undefined],
  ] as [string, string, string | undefined][]) {
    expect(read(body, head).identity.title).toBe(title);
  }
});

clause('AWI-ID2', 'the description is that of the meta element, else og:description', () => {
  for (const [head, description] of [
    ['<meta property="og:description" content="Two"><meta name="Description" content="One">', 'One'],
    ['<meta property="og:description" content="Two"><meta name="description" content=" ">', 'Two'],
    ['<meta name="keywords" content="x">', undefined],
  ] as [string, string | undefined][]) {
    expect(read('', head).identity.description).toBe(description);
  }
});

clause('AWI-ID3', 'the language is a BCP 47 tag, or absent', () => {
  for (const [html, language] of [
    ['<html lang="en_US">', 'en-US'],
    ['<html lang="english"><meta http-equiv="Content-Language" content="FR">', 'fr'],
    ['<html><meta property="og:locale" content="pt_BR">', 'pt-BR'],
    ['<html lang="">', undefined],
  ] as [string, string | undefined][]) {
    expect(readPageDocument(html, PAGE_URL).identity.language).toBe(language);
  }
});

clause(['AWI-CT2', 'AWI-ST2', 'AWI-ST3'], 'content and headings are those of the main part, in order', () => {
  const { content, structure } = read(
    `<nav><h2>Menu</h2><a href="/x">Elsewhere</a></nav><main><h2 id="a">First</h2><p>One.</p>
     <h1><a id="b" href="#b"></a>Second</h1><p>Two.</p><h3>Third <a href="#c">#</a></h3></main><footer><h2>Imprint</h2></footer>`,
  );
  expect(structure.headings).toEqual([
    { level: 2, text: 'First', id: 'a' },
    { level: 1, text: 'Second', id: 'b' },
    { level: 3, text: 'Third' },
  ]);
  expect(content.markdown).toBe('## First\n\nOne.\n\n# Second\n\nTwo.\n\n### Third');
});

clause(['AWI-ST4', 'AWI-ST5', 'AWI-ST6'], 'links are all that lead to the web, each with what it says', () => {
  const { structure } = read(`
    <nav><a href="/x" rel="nofollow  ugc"> a <b>b</b> </a></nav><p>Text <a href="https://www.example.com/">www</a>
    <a href="http://EXAMPLE.com:8080/p#f"><img src="i.png" alt="Shown"></a><a href="#here">here</a><a href="?v=2#there">there</a>
    <a href="javascript:alert(1)">js</a><a href="data:text/html,x">data</a><a href="mailto:a@b.c">mail</a><a name="n">n</a>
    <a href="https://[">broken</a><a href="//example.org/y"></a></p>`);
  expect(structure.links).toEqual([
    { url: 'https://example.com/x', text: 'a b', internal: true, rel: 'nofollow ugc' },
    { url: 'https://www.example.com/', text: 'www', internal: false },
    { url: 'http://example.com:8080/p#f', text: 'Shown', internal: true },
    { url: 'https://example.org/y', internal: false },
  ]);
});

clause(['AWI-ST4', 'AWI-ST7'], '<base> counts for links, images and the Markdown', () => {
  const { structure, content } = read(
    '<p>A text with <a href="p">a link</a> in it.</p><img src="i.png" alt="i">',
    '<base href="/docs/"><base href="/other/">',
  );
  expect(structure.links).toEqual([{ url: 'https://example.com/docs/p', text: 'a link', internal: true }]);
  expect(structure.images).toEqual([{ url: 'https://example.com/docs/i.png', alt: 'i' }]);
  expect(content.markdown).toContain('[a link](https://example.com/docs/p)');
});

clause('AWI-ST7', 'images have absolute addresses, late ones too, and an alt only where it says something', () => {
  const { structure } = read(`<img src="/a.png" alt=" A  b "><img src="b.png" alt=""><img alt="no address">
    <img src="data:image/gif;base64,R0" data-src="/late.png"><img src="data:image/gif;base64,R0">
    <img srcset="/s-1.png 1x, /s-2.png 2x">`);
  expect(structure.images).toEqual([
    { url: 'https://example.com/a.png', alt: 'A b' },
    { url: 'https://example.com/guide/b.png' },
    { url: 'https://example.com/late.png' },
    { url: 'https://example.com/s-1.png' },
  ]);
});

clause('AWI-ST7', 'a picture gives what its image lacks, and icons and beacons are left out', () => {
  const { structure } = read(`<picture><source srcset="/p.webp 2x"><img alt="Shown"></picture><img src="/a.png">
    <img src="/i.png" width="16" height="16"><img src="/t.gif" width="1" height="1"><img src="/bar.png" width="600" height="20">
    <picture><source srcset="/other.webp"><img src="/own.png" alt="own"></picture>`);
  expect(structure.images).toEqual([
    { url: 'https://example.com/p.webp', alt: 'Shown' },
    { url: 'https://example.com/a.png' },
    { url: 'https://example.com/bar.png' },
    { url: 'https://example.com/own.png', alt: 'own' },
  ]);
});

clause(['AWI-SG1', 'AWI-SG2', 'AWI-SG4'], 'signals follow from the document', () => {
  const { signals } = read(`<h1>Three short words</h1><p>${'word '.repeat(1237)}</p>`);
  expect(signals).toEqual({ word_count: 1240, reading_time: 5, has_json_ld: false, heading_hierarchy_ok: true });
  expect(read('<h1>a</h1><p>x</p><h3>b</h3><p>y</p>').signals.heading_hierarchy_ok).toBe(false);
});

clause(['AWI-EC4', 'AWI-EC5', 'AWI-EC6'], 'the sums of economics are right', () => {
  const { economics } = read(
    `<nav>${'<a href="/x">x</a>'.repeat(50)}</nav><main><p>${'Some words. '.repeat(20)}</p></main>`,
  );
  if (economics === undefined) throw new Error('There is no economics group.');
  const { output_tokens_approx: output, raw_html_tokens_approx: raw, pricing_basis: basis } = economics;
  expect(output).toBeGreaterThan(0);
  expect(raw).toBeGreaterThan(output);
  expect(economics.token_savings).toBe(raw - output);
  expect(economics.token_savings_percent).toBeCloseTo((100 * (raw - output)) / raw, 2);
  expect(economics.estimated_cost_usd.our_output).toBe((output / 1000) * basis.input_price_per_1k_usd);
  expect(basis.model_class).toBe('mid-tier');
});

clause('AWI-DOC2', 'economics can be left out', () => {
  expect('economics' in readPageDocument('<p>x</p>', PAGE_URL, { economics: false })).toBe(false);
});

clause('AWI-PR3', 'an address that the page shows stays in the content', () => {
  expect(read('<p>Write to kim@example.com about it.</p>').content.markdown).toContain('kim@example.com');
});

const PIECES = [
  '<h1 id="a">',
  '</h1>',
  '<h3>',
  '<p>',
  '<a href="/x?utm_source=1">',
  '<a href="//">',
  '</a>',
  '<img src=x alt="[a]\\">',
  '<script type="application/ld+json">',
  '{"@type":"Thing","__proto__":{"x":1},"n":1e999,"s":"\\ud800"}',
  '[]',
  '</script>',
  '<base href="ftp://x">',
  '<base href="/b/">',
  '<html lang="en">',
  '<pre>',
  '```',
  '<table><tr><td>',
  '&#0;',
  '\u{D800}',
  '漢字',
  '<meta property="og:title" content="t">',
  '<link rel=canonical href="/c">',
  'word ',
  '](',
  '![',
  '<nav>',
  '<!--',
  '-->',
  '<title>',
];

test('any page reads to a document without fault, twice the same, that survives JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: anyCharacter }))), (pieces) => {
      const html = pieces.join('');
      const document = readPageDocument(html, PAGE_URL);
      expect(readPageDocument(html, PAGE_URL)).toEqual(document);
      expect(checkAIDocument(document)).toEqual([]);
      expect(decodeAIDocument(JSON.stringify(document))).toEqual({ ok: true, value: document });
    }),
    { numRuns: shortOrLong(50, 500) },
  );
});
