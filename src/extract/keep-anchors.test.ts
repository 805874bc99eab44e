import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { expectLinear } from '../../test/support/count-steps.ts';
import { diffPages } from '../diff/diff-pages.ts';
import type { Page } from '../model/page.ts';
import { extractPage } from './extract-page.ts';
import { findSection } from './find-section.ts';
import { keepAnchors } from './keep-anchors.ts';

interface Part {
  readonly heading: string;
  readonly text: string;
  readonly level?: number;
  readonly id?: string;
}

function read(parts: readonly Part[], before?: Page): Page {
  const html = parts.map(
    ({ heading, text, level = 3, id }) => `<h${level}${id ? ` id="${id}"` : ''}>${heading}</h${level}><p>${text}</p>`,
  );
  return keepAnchors(extractPage(`<main>${html.join('\n')}</main>`, 'https://docs.example/api'), before);
}

const GROUPS: readonly Part[] = ['Get', 'Put', 'Delete'].flatMap((verb) => [
  { heading: verb, text: `About ${verb}.`, level: 2, id: verb.toLowerCase() },
  { heading: 'Example', text: `How to ${verb}.`, id: 'example' },
  { heading: 'Example', text: `Another way to ${verb}.`, id: 'example' },
]);

const INSERTED: Part = { heading: 'Example', text: 'Quite new.', id: 'example' };

test.each(GROUPS.map((_, at) => at).concat(GROUPS.length))(
  'a duplicate inserted at place %i is one create and nothing else',
  (at) => {
    const before = read(GROUPS);
    const after = read(GROUPS.toSpliced(at, 0, INSERTED), before);
    const changes = diffPages(before, after);
    expect(changes).toMatchObject([{ action: 'create' }]);
    expect(new Set(after.sections.map(({ anchor }) => anchor)).size).toBe(GROUPS.length + 1);
    expect(findSection(after, changes[0]?.anchor ?? '')?.markdown).toContain('Quite new.');
  },
);

clause('AICF-P2', 'a duplicate removed takes only its own anchor with it', () => {
  const before = read(GROUPS);
  const after = read(GROUPS.toSpliced(1, 1), before);
  const expected = before.sections.map(({ anchor }) => anchor).toSpliced(1, 1);
  expect(after.sections.map(({ anchor }) => anchor)).toEqual(expected);
});

test('an edit of one duplicate is an update of that one', () => {
  const before = read(GROUPS);
  const edited = GROUPS.map((part, at) => (at === 4 ? { ...part, text: 'Put it like this.' } : part));
  expect(diffPages(before, read(edited, before))).toMatchObject([
    { action: 'update', anchor: before.sections[4]?.anchor },
  ]);
});

test('a duplicate inserted between others and an edit of the last one are a create and an update', () => {
  const notes = ['a', 'b', 'c', 'd', 'e'].map((text) => ({ heading: 'Note', text, level: 2 }));
  const before = read(notes);
  const edited = notes.with(-1, { heading: 'Note', text: 'e, edited', level: 2 });
  const after = read(edited.toSpliced(1, 0, { heading: 'Note', text: 'new', level: 2 }), before);
  expect(diffPages(before, after)).toMatchObject([
    { action: 'create', anchor: 'note~~6' },
    { action: 'update', anchor: 'note~~5' },
  ]);
});

test('a renamed id is an update of the page under a new checksum; a name that tells duplicates apart moves none', () => {
  const page = read([{ heading: 'A', text: '1', id: 'a' }]);
  const renamed = read([{ heading: 'A', text: '1', id: 'aa' }], page);
  expect(diffPages(page, renamed)).toMatchObject([{ action: 'update', checksum: renamed.checksum }]);
  expect(renamed.checksum).not.toBe(page.checksum);
  expect(read([INSERTED, ...GROUPS], read(GROUPS)).checksum).toBe(read([INSERTED, ...GROUPS]).checksum);
});

test('duplicates with the same text are told apart by their headings', () => {
  const parts = ['Linux', 'Windows'].map((heading) => ({ heading, text: 'See above.', id: 'setup' }));
  const before = read(parts);
  const after = read([{ heading: 'Solaris', text: 'See above.', id: 'setup' }, ...parts], before);
  expect(diffPages(before, after)).toMatchObject([{ action: 'create' }]);
  expect(after.sections.slice(1).map(({ anchor }) => anchor)).toEqual(before.sections.map(({ anchor }) => anchor));
});

test('headings without ids keep their slugs in the same way', () => {
  const parts = [
    { heading: 'Setup', text: 'a', level: 2 },
    { heading: 'Setup', text: 'b', level: 2 },
  ];
  const before = read(parts);
  const after = read([{ heading: 'Setup', text: 'new', level: 2 }, ...parts], before);
  expect(before.sections.map(({ anchor }) => anchor)).toEqual(['setup', 'setup~~2']);
  expect(after.sections.map(({ anchor }) => anchor)).toEqual(['setup~~3', 'setup', 'setup~~2']);
  expect(diffPages(before, after)).toMatchObject([{ action: 'create', anchor: 'setup~~3' }]);
});

test('a page without duplicates, or without a past, is left as it is', () => {
  const page = read([{ heading: 'A', text: '1', id: 'a' }]);
  expect(keepAnchors(page, undefined)).toBe(page);
  expect(keepAnchors(page, page)).toBe(page);
});

test('whatever is inserted, removed and edited among duplicates, anchors stay unique and a second reading changes nothing', () => {
  const parts = fc.array(
    fc.record({
      heading: fc.constantFrom('Example', 'Usage'),
      text: fc.constantFrom('one', 'two', 'three', 'four'),
      level: fc.constantFrom(2, 3),
      id: fc.constantFrom('example', 'usage', undefined),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(parts, parts, (first, second) => {
      const before = read(first as Part[]);
      const after = read(second as Part[], before);
      expect(new Set(after.sections.map(({ anchor }) => anchor)).size).toBe(after.sections.length);
      expect(diffPages(after, read(second as Part[], after))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a reader without the past finds a renamed duplicate by its checksum', () => {
  const before = read(GROUPS);
  const published = read([INSERTED, ...GROUPS], before);
  const alone = read([INSERTED, ...GROUPS]);
  const created = diffPages(before, published)[0];
  expect(alone.sections[0]?.anchor).not.toBe(created?.anchor);
  expect(findSection(alone, created?.anchor ?? '', created?.checksum)?.markdown).toContain('Quite new.');
  const kept = published.sections[2];
  expect(findSection(alone, 'example', kept?.checksum)?.markdown).toContain('How to Get.');
});

test('an anchor is found by its name where no checksum tells better, and nothing is found for an unknown one', () => {
  const page = read(GROUPS);
  expect(findSection(page, 'put')?.heading).toBe('Put');
  expect(findSection(page, 'put', 'sha256:of-an-older-version')?.heading).toBe('Put');
  expect(findSection(page, 'nowhere')).toBeUndefined();
  expect(findSection(page, 'nowhere', page.sections[0]?.checksum)).toBeUndefined();
});

test('new sections of one name are named in steps that grow with their number', async () => {
  const before = read([{ heading: 'Same', text: 'before', level: 2 }]);
  const page = extractPage('<p>first</p>', before.url);
  const [section] = before.sections;
  if (section === undefined) throw new Error('no section');
  const pageOf = (length: number) => ({
    ...page,
    sections: Array.from({ length }, (_, at) => ({ ...section, anchor: 'same', body: `${at}` })),
  });
  const after = keepAnchors(pageOf(10_000), before);
  expect(new Set(after.sections.map(({ anchor }) => anchor)).size).toBe(10_000);
  await expectLinear<typeof import('./keep-anchors.ts'), [typeof page, typeof page]>(
    new URL('./keep-anchors.ts', import.meta.url),
    ({ keepAnchors }, [now, before]) => keepAnchors(now, before),
    (length) => [pageOf(length), before],
  );
});
