import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { memoryPorts, NEVER, pageOf, serviceOver } from '../../test/support/mcp-ports.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import type { ToldPage } from './mcp-ports.ts';
import { placeOfUri, resourceUri } from './page-uri.ts';
import { RESOURCE_TEMPLATES } from './resources.ts';

clause(
  ['MCP-R2', 'MCP-R3'],
  'every address and anchor survives in a URI of our own scheme, as its template expands',
  () => {
    const nasty = [
      '/',
      '?a=b&c',
      '#x',
      '%',
      '%2F',
      '%%',
      'ä',
      '\u{1f600}',
      ' ',
      '//',
      '..',
      "!'()*",
      '=?base64?',
      '\u202e',
      '\\',
      '"',
    ];
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...nasty), fc.webPath());
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(texts, fc.option(texts, { nil: undefined }), (path, anchor) => {
        const place = { url: `https://docs.example/${path}`, ...(anchor !== undefined && { anchor }) };
        const uri = resourceUri(place);
        expect(placeOfUri(uri)).toEqual(place);
        // Who parses a URI drops a last segment of dots; nothing here does.
        if (!/^\.{1,2}$/.test(anchor ?? '')) expect(new URL(uri).href).toBe(uri);
        expect(uri).toMatch(/^tidings:\/\/(page|section)\/[\w.~%/-]*$/);
        expect(seen.get(uri) ?? JSON.stringify(place)).toBe(JSON.stringify(place));
        seen.set(uri, JSON.stringify(place));
      }),
      { numRuns: shortOrLong(200, 1000) },
    );
    expect(RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'tidings://page/{url}',
      'tidings://section/{url}/{anchor}',
    ]);
  },
);

test.each([
  'tidings://page/',
  'tidings://page/x',
  'tidings://page/file%3A%2F%2F%2Fetc',
  'tidings://page/%E0%A4',
  'tidings://page/a/b',
  'https://a.example/',
  'tidings://section/https%3A%2F%2Fa',
  '',
])('no address of ours: %s', (uri) => {
  expect(placeOfUri(uri)).toBeUndefined();
});

clause('MCP-R5', 'a page and a section are read as Markdown under the address that was asked for', async () => {
  const page = pageOf('# All\n\nWords.', { url: 'https://docs.example/a b', source: 'docs', risk: 0.7 });
  const { service } = serviceOver(memoryPorts({}, { pages: [page] }));
  for (const uri of [resourceUri({ url: page.url }), resourceUri({ url: page.url, anchor: 'all' })]) {
    expect(await service.readResource(uri, NEVER)).toMatchObject({
      uri,
      mimeType: 'text/markdown',
      text: '# All\n\nWords.',
      _meta: { 'example.tidings/untrusted': true, 'example.tidings/risk': 0.7, 'example.tidings/url': page.url },
    });
  }
});

clause('MCP-R6', 'lists are given page by page, and pages that come or go in between move no others', async () => {
  const named = (name: string) => pageOf('x', { url: `https://docs.example/${name}` });
  const pages: ToldPage[] = Array.from({ length: 1000 }, (_, index) => named(`p${String(index).padStart(4, '0')}`));
  const kept = pages.filter((_, index) => index % 7 !== 0).map(({ url }) => url);
  const { service } = serviceOver(memoryPorts({}, { pages }));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { resources, nextCursor } = await service.listResources(cursor, NEVER);
    seen.push(...resources.map(({ name }) => name));
    cursor = nextCursor;
    // One that was listed and one that was not are removed, another one is added.
    for (const at of [pages.length - 2, 3].filter((index) => Number(pages[index]?.url.slice(-4)) % 7 === 0))
      pages.splice(at, 1);
    pages.push(named(`z${seen.length}`));
    pages.sort((one, other) => (one.url < other.url ? -1 : 1));
  } while (cursor !== undefined && seen.length < 5000);
  expect(new Set(seen).size).toBe(seen.length);
  expect(kept.filter((url) => !seen.includes(url))).toEqual([]);
});
