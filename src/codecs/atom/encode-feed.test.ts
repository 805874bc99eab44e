import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { collapsedText } from '../primitives/xml-escape.ts';
import { decodeAtomFeed } from './decode-feed.ts';
import { encodeAtomEntry } from './encode-entry.ts';
import { encodeAtomFeed } from './encode-feed.ts';
import { beforeAfter, encodeHtml, type HtmlBlock, type HtmlInline, link, list, paragraph } from './html.ts';
import { stableId } from './stable-id.ts';
import { takeAtomEntries } from './take-entries.ts';
import type { AtomEntry, AtomHead } from './wire.ts';

const HEAD: AtomHead = {
  id: 'urn:uuid:0b5c62a5-3a0e-8c5f-9d0e-6b1c6a0f7a55',
  title: 'Changes of docs.example',
  updatedMs: Date.UTC(2026, 2, 1, 12),
  author: { name: 'docs.example' },
  selfUrl: 'https://docs.example/changes.atom',
};
const ENTRY: AtomEntry = {
  id: 'urn:uuid:7d1d1c35-1f0a-8a55-8a0c-5a8e1b1f2c11',
  title: '1 page changed',
  updatedMs: Date.UTC(2026, 2, 1, 12),
  content: [paragraph('x')],
};

function unwrap<T>(result: { ok: true; value: T } | { ok: false; issues: readonly { message: string }[] }): T {
  if (!result.ok) throw new Error(result.issues[0]?.message);
  return result.value;
}

const entryText = (entry: Partial<AtomEntry>) => unwrap(encodeAtomEntry({ ...ENTRY, ...entry }));
const feedText = (head: Partial<AtomHead>, entries: readonly string[] = []) =>
  unwrap(encodeAtomFeed({ ...HEAD, ...head }, entries));

/** The names of all elements, by a parser that forgives nothing. */
function elementsOf(xml: string): string[] {
  const names: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => names.push(name));
  parser.write(xml).close();
  return names;
}

test('the bytes of a feed with everything', () => {
  const entry = entryText({
    publishedMs: Date.UTC(2026, 1, 28, 1, 2, 3, 4),
    url: 'https://docs.example/a?b=1&c="2"',
    author: { name: 'Ann', url: 'https://docs.example/~ann' },
    categories: ['docs', 'docs', ' ', 'a "b"'],
    summary: 'Line one\nline two',
    content: [list([[link('https://docs.example/a', 'A & B')]]), beforeAfter('60', '100')],
  });
  const feed = feedText(
    {
      subtitle: 'All\n of them',
      url: 'https://docs.example/',
      hubUrls: ['https://hub.example/'],
      prevArchiveUrl: 'https://docs.example/changes/1.atom',
      nextArchiveUrl: 'https://docs.example/changes/3.atom',
      currentUrl: 'https://docs.example/changes.atom',
      selfUrl: 'https://docs.example/changes/2.atom',
      isArchive: true,
      language: 'en-GB',
      generator: 'Tidings',
    },
    [entry],
  );
  expect(feed).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0" xml:lang="en-GB">
  <id>urn:uuid:0b5c62a5-3a0e-8c5f-9d0e-6b1c6a0f7a55</id>
  <title>Changes of docs.example</title>
  <subtitle>All of them</subtitle>
  <updated>2026-03-01T12:00:00Z</updated>
  <author><name>docs.example</name></author>
  <link rel="self" type="application/atom+xml" href="https://docs.example/changes/2.atom"/>
  <link rel="alternate" type="text/html" href="https://docs.example/"/>
  <link rel="hub" href="https://hub.example/"/>
  <link rel="current" type="application/atom+xml" href="https://docs.example/changes.atom"/>
  <link rel="prev-archive" type="application/atom+xml" href="https://docs.example/changes/1.atom"/>
  <link rel="next-archive" type="application/atom+xml" href="https://docs.example/changes/3.atom"/>
  <generator>Tidings</generator>
  <fh:archive/>
  <entry>
    <id>urn:uuid:7d1d1c35-1f0a-8a55-8a0c-5a8e1b1f2c11</id>
    <title>1 page changed</title>
    <updated>2026-03-01T12:00:00Z</updated>
    <published>2026-02-28T01:02:03.004Z</published>
    <author><name>Ann</name><uri>https://docs.example/~ann</uri></author>
    <link rel="alternate" href="https://docs.example/a?b=1&amp;c=%222%22"/>
    <category term="docs"/>
    <category term="a &quot;b&quot;"/>
    <summary>Line one&#10;line two</summary>
    <content type="html">&lt;ul&gt;&lt;li&gt;&lt;a href=&quot;https://docs.example/a&quot;&gt;A &amp;amp; B&lt;/a&gt;&lt;/li&gt;&lt;/ul&gt;&lt;p&gt;&lt;del&gt;60&lt;/del&gt; → &lt;ins&gt;100&lt;/ins&gt;&lt;/p&gt;</content>
  </entry>
</feed>
`);
});

test('what is written is read again', () => {
  const head = {
    url: 'https://docs.example/',
    hubUrls: ['https://hub.example/'],
    prevArchiveUrl: 'https://docs.example/1.atom',
  };
  expect(unwrap(decodeAtomFeed(feedText(head, [entryText({ summary: 's', url: 'https://docs.example/a' })])))).toEqual({
    format: 'atom',
    id: HEAD.id,
    title: HEAD.title,
    updatedMs: HEAD.updatedMs,
    selfUrl: HEAD.selfUrl,
    ...head,
    isArchive: false,
    isComplete: false,
    problems: [],
    items: [
      {
        id: ENTRY.id,
        isIdMade: false,
        url: 'https://docs.example/a',
        title: ENTRY.title,
        updatedMs: ENTRY.updatedMs,
        summary: 's',
        content: 'x',
        categories: [],
      },
    ],
  });
});

test.each<[string, Partial<AtomEntry>, string]>([
  ['an id without a scheme', { id: 'page-1' }, 'RFC4287-4.2.6'],
  ['an id with a blank', { id: 'tag:a.example,2026:a b' }, 'RFC4287-4.2.6'],
  ['an id that XML cannot hold', { id: 'urn:x:\u0001' }, 'RFC4287-4.2.6'],
  ['an id with half a character', { id: 'urn:x:\ud800' }, 'RFC4287-4.2.6'],
  ['a blank title', { title: ' \n' }, 'RFC4287-4.2.14'],
  ['a script as URL', { url: 'javascript:alert(1)' }, 'RFC4287-4.2.7'],
  ['a relative URL', { url: '/a' }, 'RFC4287-4.2.7'],
  ['no time', { updatedMs: Number.NaN }, 'RFC4287-3.3'],
  ['a time beyond', { publishedMs: 1e16 }, 'RFC4287-3.3'],
  ['an author without a name', { author: { name: '' } }, 'RFC4287-3.2.1'],
])('an entry with %s is refused', (_, entry, clause) => {
  expect(encodeAtomEntry({ ...ENTRY, ...entry })).toMatchObject({ ok: false, issues: [{ clause }] });
});

test('an entry needs content or a URL', () => {
  const { content: _, ...bare } = ENTRY;
  expect(encodeAtomEntry(bare)).toMatchObject({ ok: false, issues: [{ clause: 'RFC4287-4.1.2' }] });
  expect(encodeAtomEntry({ ...bare, url: 'https://docs.example/a' })).toMatchObject({ ok: true });
});

test.each<[string, Partial<AtomHead>]>([
  ['an id that is no IRI', { id: 'changes' }],
  ['a blank title', { title: '' }],
  ['a file as its own URL', { selfUrl: 'file:///changes.atom' }],
  ['a hub that is no URL', { hubUrls: ['hub'] }],
  ['a language that is none', { language: 'en" x="' }],
])('a feed with %s is refused', (_, head) => {
  expect(encodeAtomFeed({ ...HEAD, ...head }, [])).toMatchObject({ ok: false });
});

test('two entries of one id, and what is no entry, are refused', () => {
  const entry = entryText({});
  expect(encodeAtomFeed(HEAD, [entry, entry])).toMatchObject({ ok: false, issues: [{ clause: 'RFC4287-4.1.1' }] });
  for (const other of ['', '<entry/>', entry.trim(), entry + entry, entry.replace('<id>', '<x>')]) {
    expect(encodeAtomFeed(HEAD, [other])).toMatchObject({ ok: false, issues: [{ clause: 'RFC4287-4.1.2' }] });
  }
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a feed of others', '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>'],
  ['a feed that breaks off', feedText({}, [entryText({})]).slice(0, -30)],
  ['an entry that was indented anew', feedText({}, [entryText({})]).replace('    <title>1', '      <title>1')],
  ['something between entries', feedText({}, [entryText({})]).replace('</entry>\n', '</entry>\n  <x/>\n')],
  ['a foreign element in an entry', feedText({}, [entryText({})]).replace('    <content', '    <x/>\n    <content')],
  ['what is not well formed', feedText({}, [entryText({})]).replace('<title>1', '<title>&')],
])('entries are not taken out of %s', (_, feed) => {
  expect(takeAtomEntries(feed)).toMatchObject({ ok: false, issues: [{ clause: 'ATOM-FORM' }] });
});

test('ids follow from their parts', () => {
  expect(stableId('a', 'b')).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stableId('a', 'b')).toBe(stableId('a', 'b'));
  expect(new Set([stableId('a', 'b'), stableId('ab'), stableId('a', '', 'b'), stableId('b', 'a')]).size).toBe(4);
});

test.each([
  ['javascript:alert(1)', 'x'],
  [' JavaScript:alert(1)', 'x'],
  ['data:text/html,<script>', 'x'],
  ['//foreign.example/', 'x'],
  ['relative', 'x'],
])('"%s" never becomes a link', (url, text) => {
  expect(encodeHtml([paragraph(link(url, text))])).toBe('<p>x</p>');
  expect(encodeHtml([paragraph({ tag: 'a', url, children: [text] })])).toBe('<p>x</p>');
});

test('a side that is empty is left out', () => {
  expect(encodeHtml([beforeAfter('', 'now'), beforeAfter('was', '')])).toBe(
    '<p><ins>now</ins></p><p><del>was</del></p>',
  );
});

describe('whatever is in the texts', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        ...['<', '>', '&', '"', "'", ']]>', '<!--', '</content>', '<script>', '&amp;', '&#0;', '\r\n', '\t', '\0'],
      ),
      fc.constantFrom('\ud800', '\udc00', '\ufffe', '\uffff', '\u0085', '\u2028', '\u202e', '😀', '�', 'a', ' '),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
    ),
  });
  const url = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), text);
  const inline: fc.Arbitrary<HtmlInline> = fc.oneof(
    text,
    fc.tuple(url, text).map(([target, shown]) => link(target, shown)),
    fc.record({
      tag: fc.constantFrom('strong', 'em', 'code', 'ins', 'del'),
      children: fc.array(text, { maxLength: 2 }),
    }),
    fc.record({ tag: fc.constant('a' as const), url, children: fc.array(text, { maxLength: 2 }) }),
  );
  const block: fc.Arbitrary<HtmlBlock> = fc.oneof(
    fc.array(inline, { maxLength: 3 }).map((children) => paragraph(...children)),
    fc.array(fc.array(inline, { maxLength: 2 }), { maxLength: 3 }).map(list),
    fc.tuple(text, text).map(([before, after]) => beforeAfter(before, after)),
  );
  const entry = fc.record({
    id: fc.uuid().map((uuid) => `urn:uuid:${uuid}`),
    title: text.map((title) => `t${title}`),
    updatedMs: fc.integer({ min: 0, max: 4e12 }),
    url: fc.webUrl(),
    summary: text,
    categories: fc.array(text, { maxLength: 2 }),
    author: fc.record({ name: text.map((name) => `n${name}`) }),
    content: fc.array(block, { maxLength: 3 }),
  });
  // What XML cannot hold is U+FFFD, and each carriage return ends a line.
  const held = (value: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
    collapsedText(value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'));

  test('the feed is well formed, has our elements alone, and says the same', () => {
    fc.assert(
      fc.property(entry, text, (value, title) => {
        const feed = feedText({ title: `x${title}`, subtitle: `x${title}`, generator: title }, [entryText(value)]);
        expect(elementsOf(feed).filter((name) => !NAMES.has(name))).toEqual([]);
        const decoded = unwrap(decodeAtomFeed(feed));
        expect(decoded.title).toBe(held(collapsedText(`x${title}`)));
        expect(decoded.items).toHaveLength(1);
        expect(decoded.items[0]).toMatchObject({
          id: value.id,
          title: held(collapsedText(value.title)),
          updatedMs: value.updatedMs,
          author: held(collapsedText(value.author.name)),
        });
        expect(decoded.items[0]?.summary ?? '').toBe(held(value.summary));
      }),
      { numRuns: shortOrLong(60, 600) },
    );
  });

  test('its HTML has our tags alone, and links of http(s)', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        const parser = new Parser({
          onopentag(name, attributes) {
            expect(TAGS).toContain(name);
            expect(Object.keys(attributes)).toEqual(name === 'a' ? ['href'] : []);
            if (name === 'a') expect(attributes.href).toMatch(/^https?:\/\//);
          },
          oncomment: () => expect.unreachable(),
          onprocessinginstruction: () => expect.unreachable(),
        });
        parser.end(encodeHtml(blocks));
      }),
      { numRuns: shortOrLong(60, 600) },
    );
  });

  test('entries keep their bytes while others come before them, and are taken out as they were', () => {
    const entries = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 6 });
    fc.assert(
      fc.property(entries, (values) => {
        const texts = values.map((value) => entryText(value));
        let feed = feedText({});
        for (const [at, next] of texts.entries()) {
          feed = feedText({ updatedMs: at, title: `after ${at}` }, [next, ...unwrap(takeAtomEntries(feed))]);
          for (const earlier of texts.slice(0, at + 1)) expect(feed).toContain(earlier);
        }
        expect(unwrap(takeAtomEntries(feed))).toEqual(texts.toReversed());
      }),
      { numRuns: 50 },
    );
  });
});

const TAGS = ['p', 'ul', 'li', 'a', 'strong', 'em', 'code', 'ins', 'del'];
const NAMES: ReadonlySet<string> = new Set(
  'feed id title subtitle updated author name link generator entry category summary content'.split(' '),
);
