import { expect, test } from 'vitest';
import { extractPage } from '../extract/extract-page.ts';
import { changedSections } from './changed-sections.ts';

const PAGE = extractPage(
  `<!doctype html><title>T</title><main><h1 id=t>T</h1><p>Intro.</p><h2 id=a>A</h2><p>Of a.</p><h2 id=b>B</h2><p>Of b.</p>
  <h2 id=put>Put</h2><p>x</p><h3 id=e>Example</h3><p>First.</p><h2 id=get>Get</h2><p>y</p><h3 id=e>Example</h3><p>Second.</p></main>`,
  'https://docs.example/t',
);
const told = (note: string | undefined) =>
  changedSections(note, PAGE)?.map(({ anchor, action, markdown }) => [anchor, action, markdown]);

test('the sections that a note names, in the order of the page, those that are gone last', () => {
  expect(told('section-removed; sections changed=b added=a removed=old')).toEqual([
    ['a', 'create', '## A\n\nOf a.'],
    ['b', 'update', '## B\n\nOf b.'],
    ['old', 'delete', undefined],
  ]);
});

test.each([
  undefined,
  'title-changed',
  'text of others',
  're-read',
  'preamble-changed; sections changed=a',
  'many-sections; sections changed=a,nowhere',
  'many-sections; sections changed=a more=3',
  'title-changed; sections changed=put~e',
  'title-changed; sections changed=e',
  'section-removed; sections removed=e',
  'section-removed; sections removed=a,z',
])('the whole page where the note does not say all: %j', (note) => {
  expect(changedSections(note, PAGE)).toBeUndefined();
});
