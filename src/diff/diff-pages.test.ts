import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import type { PageOutline, SectionOutline } from '../model/page.ts';
import { diffPages } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

const URL_OF_PAGE = 'https://docs.example/guide';
const NO_TEXT = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** `a:1` is a section with anchor a, heading a and text 1; `b=a:1` has anchor b, heading a and text 1. */
function section(spec: string): SectionOutline {
  const [name = '', text = ''] = spec.split(':');
  const [anchor = '', heading = anchor] = name.split('=');
  return { anchor, checksum: `sum(${heading},${text})`, body: text === '' ? NO_TEXT : `body(${text})` };
}

function outline(specs: string, more: Partial<PageOutline> = {}): PageOutline {
  const sections = specs.split(' ').filter(Boolean).map(section);
  const { title = 'Guide', preamble = 'p' } = more;
  const checksum = `page(${title},${preamble},${sections.map((each) => each.checksum).join()})`;
  return { url: URL_OF_PAGE, title, preamble, extractor: '1', checksum, sections, ...more };
}

test('a page that says the same gives nothing', () => {
  expect(diffPages(outline('a:1 b:2'), outline('a:1 b:2'))).toEqual([]);
  expect(diffPages(undefined, undefined)).toEqual([]);
});

test('a new page is one create, a page gone one delete without checksum', () => {
  const page = outline('a:1 b:2');
  expect(diffPages(undefined, page)).toMatchObject([{ action: 'create', url: URL_OF_PAGE, checksum: page.checksum }]);
  expect(diffPages(page, undefined)).toEqual([{ action: 'delete', url: URL_OF_PAGE, title: 'Guide' }]);
});

clause('AICF-E11', 'an anchored event has the checksum of its section, a page event that of the page', () => {
  const after = outline('a:9 b:2 c:3');
  expect(diffPages(outline('a:1 b:2 c:3'), after)).toEqual([
    { action: 'update', url: URL_OF_PAGE, anchor: 'a', checksum: 'sum(a,9)', title: 'Guide', note: 'text-edit' },
  ]);
  expect(diffPages(outline('a:1 b:2 c:3 d:4'), after)[0]?.checksum).toBe(after.checksum);
});

test('a section added is a create with its anchor, beside the update of an edited one, in the order of the page', () => {
  expect(diffPages(outline('a:1 b:2 c:3'), outline('new:9 a:1 b:8 c:3'))).toMatchObject([
    { action: 'create', anchor: 'new', checksum: 'sum(new,9)' },
    { action: 'update', anchor: 'b', checksum: 'sum(b,8)' },
  ]);
});

const WHOLE_PAGE: readonly [string, PageOutline, PageOutline, string][] = [
  ['a section removed', outline('a:1 b:2 c:3'), outline('a:1 c:3'), 'section-removed; sections removed=b'],
  ['another title', outline('a:1'), outline('a:1', { title: 'Other' }), 'title-changed'],
  ['another preamble', outline('a:1'), outline('a:1', { preamble: 'q' }), 'preamble-changed'],
  [
    'two of four sections edited',
    outline('a:1 b:2 c:3 d:4'),
    outline('a:9 b:9 c:3 d:4'),
    'many-sections; sections changed=a,b',
  ],
  ['sections reordered', outline('a:1 b:2 c:3'), outline('b:2 a:1 c:3'), 'reordered'],
  ['a heading renamed', outline('a:1 b:2'), outline('z:1 b:2'), 'anchor-renamed: a -> z; sections added=z removed=a'],
  ['an id renamed', outline('a:1 b:'), outline('a:1 y=b:'), 'anchor-renamed: b -> y; sections added=y removed=b'],
  [
    'two renamed',
    outline('a:1 b:2 c:3'),
    outline('y:1 z:2 c:3'),
    'anchor-renamed: a -> y; anchor-renamed: b -> z; sections added=y,z removed=a,b',
  ],
  [
    'all kinds of edits together',
    outline('a:1 b:2 c:3 d:4'),
    outline('d:9 new:5 a:8 c:3'),
    'section-removed; many-sections; reordered; sections changed=d,a added=new removed=b',
  ],
  ['a name that ends early', outline('a:1 b,c%=d:2'), outline('a:1'), 'section-removed; sections removed=b%2Cc%25'],
  [
    'renamed and retitled',
    outline('a:1'),
    outline('z:1', { title: 'Z' }),
    'anchor-renamed: a -> z; title-changed; sections added=z removed=a',
  ],
];
test.each(WHOLE_PAGE)('%s is one update of the page', (_, before, after, note) => {
  expect(diffPages(before, after)).toEqual([
    { action: 'update', url: URL_OF_PAGE, checksum: after.checksum, title: after.title, note },
  ]);
});

test.each([
  ['60', '100', { before: '60' }],
  ['', '100', { before: '' }],
  ['60', '', {}],
  ['60', '60', {}],
  [undefined, '100', {}],
  ['60', undefined, {}],
])('a section that said %j and says %j now', (was, is, told) => {
  const withText = (specs: string, text: string | undefined) => {
    const { sections, ...page } = outline(specs);
    return { ...page, sections: sections.map((each) => ({ ...each, ...(text !== undefined && { text }) })) };
  };
  const changes = diffPages(withText('a:1 b:2 c:3', was), withText('a:9 b:2 c:3', is));
  expect(changes).toEqual([expect.objectContaining({ anchor: 'a', note: 'text-edit', ...told })]);
  expect('before' in (changes[0] ?? {})).toBe('before' in told);
});

test('one of two sections edited, or two of five, stay events of their sections', () => {
  expect(diffPages(outline('a:1 b:2'), outline('a:9 b:2'))).toMatchObject([{ anchor: 'a' }]);
  expect(diffPages(outline('a:1 b:2 c:3 d:4 e:5'), outline('a:9 b:9 c:3 d:4 e:5'))).toMatchObject([
    { anchor: 'a' },
    { anchor: 'b' },
  ]);
});

test('sections without text are not taken for one another', () => {
  expect(diffPages(outline('a: b:2'), outline('z: b:2'))).toMatchObject([
    { note: 'section-removed; sections added=z removed=a' },
  ]);
});

test('a long list of renames names the first twenty', () => {
  const specs = (prefix: string) => Array.from({ length: 25 }, (_, index) => `${prefix}${index}:${index}`).join(' ');
  const note = diffPages(outline(specs('a')), outline(specs('b')))[0]?.note ?? '';
  expect(note.match(/anchor-renamed: /g)).toHaveLength(20);
  expect(note).toContain('anchors-renamed: 5 more');
});

test('fingerprints of two extractors are not compared', () => {
  expect(diffPages(outline('a:1'), outline('a:1', { extractor: '2' }))).toMatchObject([
    { action: 'update', note: 're-read' },
  ]);
});

const words = fc.constantFrom('1', '2', '3', '4', '5', '');
const pages = fc
  .record({
    title: fc.constantFrom('Guide', 'Other'),
    preamble: fc.constantFrom('p', 'q'),
    sections: fc.uniqueArray(fc.record({ anchor: fc.constantFrom(...'abcdefgh'), text: words }), {
      selector: ({ anchor }) => anchor,
      maxLength: 8,
    }),
  })
  .map(({ title, preamble, sections }) =>
    outline(sections.map(({ anchor, text }) => `${anchor}:${text}`).join(' '), { title, preamble }),
  );

interface Mirror {
  readonly checksum: string | undefined;
  readonly sections: ReadonlyMap<string, string>;
}

function mirrorOf(page: PageOutline | undefined): Mirror | undefined {
  return (
    page && { checksum: page.checksum, sections: new Map(page.sections.map((each) => [each.anchor, each.checksum])) }
  );
}

/** What a reader holds after an event: it fetches the section or the page that the event names, nothing else. */
function apply(mirror: Mirror | undefined, change: PageChange, site: PageOutline | undefined): Mirror | undefined {
  if (change.action === 'delete') return undefined;
  if (change.anchor === undefined) return mirrorOf(site);
  return { checksum: undefined, sections: new Map(mirror?.sections).set(change.anchor, change.checksum ?? '') };
}

test('whatever is edited, a reader that applies the events holds the new page; nothing edited, no event', () => {
  fc.assert(
    fc.property(fc.array(fc.option(pages, { nil: undefined }), { maxLength: 6 }), (versions) => {
      let before: PageOutline | undefined;
      let mirror: Mirror | undefined;
      for (const after of versions) {
        const changes = diffPages(before, after);
        for (const change of changes) mirror = apply(mirror, change, after);
        expect(mirror?.sections).toEqual(mirrorOf(after)?.sections);
        expect(changes.some(({ action, anchor }) => action === 'delete' && anchor !== undefined)).toBe(false);
        if (changes.some(({ anchor }) => anchor === undefined)) expect(changes).toHaveLength(1);
        expect(diffPages(after, after)).toEqual([]);
        before = after;
      }
    }),
    { numRuns: 500 },
  );
});
