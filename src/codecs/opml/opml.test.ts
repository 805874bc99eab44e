import { expect, test } from 'vitest';
import { decodeOpml } from './decode-opml.ts';
import { encodeOpml } from './encode-opml.ts';

const opml = (body: string) => `<?xml version="1.0"?>\n<opml version="2.0"><head/><body>\n${body}\n</body></opml>`;

function decoded(xml: string) {
  const result = decodeOpml(xml);
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}

test('outlines from folders within folders, with their lines', () => {
  const xml = opml(`<outline text="Vendors">
<outline text="Deep"><outline type="rss"
  text="Acme" xmlUrl="https://acme.example/rss" htmlUrl="https://acme.example/"/></outline>
</outline>
<outline text="Docs" HTMLURL=" https://docs.example/?a=1&amp;b=2 "/>
<outline type="link" text="Page" url="https://page.example/x"/><outline type="include" url="https://no.example/"/>`);
  expect(decoded(xml)).toEqual([
    { line: 4, text: 'Acme', type: 'rss', xmlUrl: 'https://acme.example/rss', htmlUrl: 'https://acme.example/' },
    { line: 7, text: 'Docs', htmlUrl: 'https://docs.example/?a=1&b=2' },
    { line: 8, text: 'Page', type: 'link', htmlUrl: 'https://page.example/x' },
  ]);
});

test('a bare ampersand is one, and an entity that nobody declared is text', () => {
  const xml = opml('<outline xmlUrl="https://a.example/?a=1&b=2&amp;c=&#51;&x;"/>');
  expect(decoded(xml)).toMatchObject([{ xmlUrl: 'https://a.example/?a=1&b=2&c=3&x;' }]);
});

test('only what stands in the body is an outline', () => {
  const xml = '<opml><head><outline xmlUrl="https://a.example/"/></head><body/><x><outline xmlUrl="y"/></x></opml>';
  expect(decoded(xml)).toEqual([]);
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /not well-formed/],
  ['text', 'https://a.example/', /^Line 1: .*not well-formed/],
  ['another root', '<rss><channel/></rss>', /^Line 1: it is XML about "rss"/],
  ['an end that is missing', opml('<outline text="x">').replace('</body>', ''), /^Line 4: .*not well-formed/],
  ['a tag in an attribute', opml('\n<outline text="<b>"/>'), /^Line 4: .*not well-formed/],
  ['a DOCTYPE', `<!DOCTYPE opml [<!ENTITY a "b">]>${opml('')}`, /DOCTYPE/],
  ['a DOCTYPE behind a comment', `<!-- a -->\n<!doctype opml>${opml('')}`, /DOCTYPE/],
  ['depth', opml('<outline>'.repeat(63) + '</outline>'.repeat(63)), /deeper than 64/],
  ['attributes', opml(`<outline ${Array.from({ length: 65 }, (_, at) => `a${at}=""`).join(' ')}/>`), /65|more than 64/],
  ['two of one name', opml('<outline text="a" text="b"/>'), /not well-formed/],
])('%s is refused', (_, xml, message) => {
  expect(decodeOpml(xml)).toMatchObject({ ok: false, issues: [{ message: expect.stringMatching(message) }] });
});

test('as many outlines as there may be, and one more', () => {
  const outlines = (count: number) => opml('<outline xmlUrl="https://a.example/"/>'.repeat(count));
  expect(decoded(outlines(100_000))).toHaveLength(100_000);
  expect(decodeOpml(outlines(100_001))).toMatchObject({ ok: false });
});

test('what is written is read again, whatever is in it', () => {
  const outlines = [
    { text: '"<Acme> & \u202eevil\n\u009b1m\u200b日本', type: 'aicf', xmlUrl: 'https://a.example/?a=1&b="2"' },
    { text: 'x', htmlUrl: 'https://b.example/' },
  ];
  const xml = encodeOpml('Sources & more', outlines);
  expect(decoded(xml)).toMatchObject(outlines);
  expect(xml).toContain('日本');
  expect(xml).not.toMatch(/[\u202e\u009b\u200b]/);
  expect(decoded(encodeOpml('', [{ text: 'a\0b\ud800', htmlUrl: 'x' }]))).toMatchObject([{ text: 'ab' }]);
});
