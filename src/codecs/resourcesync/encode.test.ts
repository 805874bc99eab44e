import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { decodeChangeList, decodeResourceSync } from './decode.ts';
import {
  encodeCapabilityList,
  encodeChangeDumpManifest,
  encodeChangeList,
  encodeChangeListIndex,
  encodeResourceList,
  encodeResourceSync,
  encodeSourceDescription,
  type WrittenDocument,
} from './encode.ts';
import type { TimeSpan } from './time-span.ts';
import {
  CAPABILITIES,
  CHANGE_KINDS,
  INDEXED_CAPABILITIES,
  type Link,
  type ResourceEntry,
  type ResourceMetadata,
} from './wire.ts';

const UP = { rel: 'up', href: 'https://example.com/capabilitylist.xml' };
const DESCRIBES = { rel: 'describes', href: 'https://example.com/' };
const FROM = Date.UTC(2022, 0, 1);
const changeAt = (datetime: number, loc = 'https://example.com/a'): ResourceEntry<number> => ({
  loc,
  md: { change: 'updated', datetime },
  links: [],
});

clause(
  ['RS-L1', 'RS-S2'],
  'writes a Change List as the schemas of sitemaps and ResourceSync order it, with times in UTC',
  () => {
    const entry: ResourceEntry<number> = {
      loc: 'https://example.com/?a=1&b="<>"',
      lastmod: FROM + 1,
      md: { change: 'created', datetime: FROM + 1000, type: 'text/html', length: 5, hash: 'md5:00' },
      links: [{ rel: 'describedby', href: 'https://example.com/about', pri: 1, modified: FROM }],
    };
    const xml = encodeChangeList({ md: { from: FROM }, links: [UP], entries: [entry] });
    expect(xml.ok && xml.value).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2022-01-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/?a=1&amp;b=&quot;&lt;&gt;&quot;</loc>
    <lastmod>2022-01-01T00:00:00.001Z</lastmod>
    <rs:md change="created" datetime="2022-01-01T00:00:01Z" length="5" hash="md5:00" type="text/html"/>
    <rs:ln rel="describedby" href="https://example.com/about" pri="1" modified="2022-01-01T00:00:00Z"/>
  </url>
</urlset>
`);
  },
);

describe('round trip', () => {
  /** All that XML can hold, with no blanks at the ends: those are no part of a value. */
  const text = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
    .map((value) => value.replaceAll(/[^\t\n\r\x20-\ufffd]|[\ud800-\udfff]/g, '😀').trim())
    .filter((value) => value !== '');
  const time = fc.integer({ min: Date.UTC(1970), max: Date.UTC(2100) });
  const url = fc
    .webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] })
    .filter((each) => !each.includes('@'));
  const optional = { requiredKeys: [] };
  const link: fc.Arbitrary<Link<number>> = fc.record(
    {
      rel: text,
      href: url,
      pri: fc.integer({ min: 1, max: 999_999 }),
      modified: time,
      type: text,
      hash: text,
      length: fc.nat(),
      path: fc.constant('/a/b.html'),
      encoding: text,
    },
    { requiredKeys: ['rel', 'href'] },
  );
  const metadata: fc.Arbitrary<ResourceMetadata<number>> = fc.record(
    {
      from: time,
      until: time,
      at: time,
      completed: time,
      modified: time,
      hash: text,
      length: fc.nat(),
      type: text,
      encoding: text,
    },
    optional,
  );
  const entry = fc
    .record(
      { loc: url, lastmod: time, md: metadata, links: fc.array(link, { maxLength: 3 }) },
      { requiredKeys: ['loc', 'md', 'links'] },
    )
    .chain((each) => fc.record({ each: fc.constant(each), change: fc.constantFrom(...CHANGE_KINDS), datetime: time }));
  const documents = fc.record({
    capability: fc.constantFrom(...CAPABILITIES),
    isIndex: fc.boolean(),
    from: time,
    entries: fc.array(entry, { maxLength: 5 }),
    links: fc.array(link, { maxLength: 3 }),
  });

  test('what is written is read as it was, in every kind of document', () => {
    const written = new Set<string>();
    fc.assert(
      fc.property(documents, ({ capability, isIndex: wantsIndex, from, entries, links }) => {
        const isIndex = wantsIndex && INDEXED_CAPABILITIES.has(capability);
        const entriesOfKind = entries.map(({ each, change, datetime }, at) => {
          const inTime = { change, datetime: from + (datetime % 1000) + at * 1000, path: '/a' };
          if (isIndex) return { ...each, md: { ...each.md, from: from + at } };
          if (capability.startsWith('change')) return { ...each, md: { ...each.md, ...inTime } };
          if (capability === 'description') {
            return { ...each, md: { ...each.md, capability: 'capabilitylist' }, links: [DESCRIBES, ...each.links] };
          }
          if (capability === 'capabilitylist') {
            return { ...each, md: { ...each.md, capability: at === 0 ? 'changelist' : 'resourcelist' } };
          }
          return { ...each, md: { ...each.md, path: '/a/b' } };
        });
        const document: WrittenDocument = {
          capability,
          isIndex,
          md: { capability, from, at: from },
          links: [UP, DESCRIBES, ...links],
          entries: entriesOfKind,
        };
        const xml = encodeResourceSync(document);
        if (capability === 'capabilitylist' && entries.length === 0) {
          expect(xml.ok).toBe(false);
          return;
        }
        if (!xml.ok) throw new Error(xml.issues[0].message);
        const decoded = decodeResourceSync(xml.value, { capability, isIndex });
        if (!decoded.ok) throw new Error(decoded.issues[0].message);
        expect(decoded.value.problems).toEqual([]);
        expect(asWritten(decoded.value)).toEqual(document);
        written.add(`${capability} ${isIndex}`);
      }),
      // Enough that each of the thirteen kinds comes up.
      { numRuns: shortOrLong(400, 1000) },
    );
    expect(written.size).toBe(CAPABILITIES.length + INDEXED_CAPABILITIES.size);
  });

  /** With milliseconds for the times that were read. */
  function asWritten(value: unknown): unknown {
    const text = JSON.stringify(value, (key, each: unknown) => {
      if (key === 'problems' || key === 'line') return undefined;
      return isSpan(each) ? each.startMs : each;
    });
    return JSON.parse(text);
  }

  function isSpan(value: unknown): value is TimeSpan {
    return typeof value === 'object' && value !== null && 'startMs' in value;
  }
});

describe('refuses', () => {
  const list = (entry: ResourceEntry<number>, md: ResourceMetadata<number> = { from: FROM }) =>
    encodeChangeList({ md, links: [UP], entries: [entry] });
  const collection = (capability: string): ResourceEntry<number> => ({
    loc: 'https://example.com/c.xml',
    md: { capability },
    links: [],
  });

  test.each([
    ['RS-L9', 'a relative address', list(changeAt(FROM, '/a'))],
    ['RS-L9', 'an address with a blank', list(changeAt(FROM, 'https://example.com/a b'))],
    ['RS-L9', 'an address of another scheme', list(changeAt(FROM, 'ftp://example.com/'))],
    ['RS-L9', 'an address that is too long', list(changeAt(FROM, `https://example.com/${'a'.repeat(2048)}`))],
    ['RS-L9', 'an address with a line break', list(changeAt(FROM, 'https://example.com/\n'))],
    ['RESOURCESYNC-FORM', 'a character that XML has not', list(changeAt(FROM, 'https://example.com/\u0001'))],
    ['RESOURCESYNC-FORM', 'half a pair', list(changeAt(FROM, 'https://example.com/\ud800'))],
    ['RESOURCESYNC-ENTRY', 'a time that is none', list({ ...changeAt(FROM), lastmod: Number.NaN })],
    ['RESOURCESYNC-ENTRY', 'a link to nowhere', list({ ...changeAt(FROM), links: [{ rel: 'a', href: 'b' }] })],
    ['RS-L5', 'a list without a beginning', list(changeAt(FROM), {})],
    ['RS-L5', 'a change before the list begins', list(changeAt(FROM - 1))],
    ['RS-L5', 'a change after the list ends', list(changeAt(FROM + 2), { from: FROM, until: FROM + 1 })],
    ['RS-L6', 'an end before the beginning', list(changeAt(FROM), { from: FROM, until: FROM - 1 })],
    ['RS-L7', 'an entry without a change', list({ ...changeAt(FROM), md: { datetime: FROM } })],
    ['RS-L8', 'a change without a time', list({ ...changeAt(FROM), md: { change: 'created' } })],
    ['RS-L2', 'a Change List without `up`', encodeChangeList({ md: { from: FROM }, links: [], entries: [] })],
    [
      'RESOURCESYNC-ENTRY',
      'changes that go back',
      encodeChangeList({ md: { from: FROM }, links: [UP], entries: [changeAt(FROM + 1), changeAt(FROM)] }),
    ],
    [
      'RS-G10',
      'a list in an index without its time',
      encodeChangeListIndex({ md: { from: FROM }, links: [UP], entries: [collection('x')] }),
    ],
    [
      'RS-C2',
      'a Capability List without `up`',
      encodeCapabilityList({ md: {}, links: [DESCRIBES], entries: [collection('changelist')] }),
    ],
    [
      'RS-C4',
      'a Capability List of no collection',
      encodeCapabilityList({ md: {}, links: [UP], entries: [collection('changelist')] }),
    ],
    [
      'RS-C8',
      'a Capability List without changes',
      encodeCapabilityList({ md: {}, links: [UP, DESCRIBES], entries: [collection('resourcelist')] }),
    ],
    [
      'RS-C8',
      'a Capability List with two',
      encodeCapabilityList({
        md: {},
        links: [UP, DESCRIBES],
        entries: [collection('changelist'), collection('changelist')],
      }),
    ],
    [
      'RS-S4',
      'a description of something else',
      encodeSourceDescription({ md: {}, links: [], entries: [collection('changelist')] }),
    ],
    [
      'RS-S5',
      'a description of no collection',
      encodeSourceDescription({ md: {}, links: [], entries: [collection('capabilitylist')] }),
    ],
    ['RESOURCESYNC-ENTRY', 'a Resource List of no time', encodeResourceList({ md: {}, links: [UP], entries: [] })],
    [
      'RESOURCESYNC-ENTRY',
      'a manifest without paths',
      encodeChangeDumpManifest({ md: { from: FROM }, links: [], entries: [changeAt(FROM)] }),
    ],
    [
      'RESOURCESYNC-LIMIT',
      'more entries than there may be',
      encodeChangeList(
        { md: { from: FROM }, links: [UP], entries: [changeAt(FROM), changeAt(FROM)] },
        { maxEntries: 1 },
      ),
    ],
    [
      'RESOURCESYNC-LIMIT',
      'more bytes than there may be',
      encodeChangeList({ md: { from: FROM }, links: [UP], entries: [changeAt(FROM)] }, { maxBytes: 200 }),
    ],
  ])('[%s] %s', (clause, _, result) => {
    expect(result).toMatchObject({ ok: false, issues: [{ clause }] });
  });

  test('[T-RS-11] 50,001 entries', () => {
    const entries = Array.from({ length: 50_001 }, () => changeAt(FROM));
    const content = { md: { from: FROM }, links: [UP], entries };
    expect(encodeChangeList(content)).toMatchObject({ ok: false, issues: [{ clause: 'RESOURCESYNC-LIMIT' }] });
    expect(encodeChangeList({ ...content, entries: entries.slice(1) }).ok).toBe(true);
  });
});

test('titles are written in their own namespace, which is declared only where there are some', () => {
  const md = { change: 'updated', datetime: 0, title: 'A "b" & <c>' } as const;
  const link = { rel: 'section', href: 'https://docs.example/a#b', title: 'Part\n2' };
  const list = {
    md: { from: 0 },
    links: [{ rel: 'up', href: 'https://docs.example/capabilitylist.xml' }],
    entries: [{ loc: 'https://docs.example/a', md, links: [link] }],
  };
  const titled = encodeChangeList(list);
  if (!titled.ok) throw new Error(titled.issues[0].message);
  expect(titled.value).toContain('xmlns:xlink="http://www.w3.org/1999/xlink"');
  expect(titled.value).toContain('xlink:title="A &quot;b&quot; &amp; &lt;c&gt;"');
  const read = decodeChangeList(titled.value);
  expect(read).toMatchObject({
    ok: true,
    value: { entries: [{ md: { title: md.title }, links: [{ title: 'Part\n2' }] }] },
  });

  // Whatever the prefix is called; what only looks like it is none.
  const renamed = decodeChangeList(titled.value.replaceAll('xlink:', 'x:').replace('xmlns:xlink', 'xmlns:x'));
  expect(renamed).toMatchObject({ ok: true, value: { entries: [{ md: { title: md.title } }] } });
  const other = decodeChangeList(titled.value.replace('http://www.w3.org/1999/xlink', 'urn:other'));
  if (!other.ok) throw new Error(other.issues[0].message);
  expect(other.value.entries[0]?.md).not.toHaveProperty('title');

  const plain = encodeChangeList({
    ...list,
    entries: [{ loc: 'https://docs.example/a', md: { change: 'updated', datetime: 0 }, links: [] }],
  });
  expect(plain.ok && plain.value).not.toContain('xlink');
});
