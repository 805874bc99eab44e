import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { extractPage } from '../extract/extract-page.ts';
import type { Page } from '../model/page.ts';
import { applyEvent, type Mirror, mirrored } from './apply-event.ts';

const URL_A = 'https://docs.example/a';
const paragraphs: (markdown: string) => string[] = (markdown) => markdown.split(/\n\n+/);

clause(['AICF-C11', 'AICF-C8'], 'a page event rebuilds the page: new text in, old text and lost sections out', () => {
  const mirror: Mirror = new Map();
  applyEvent(mirror, { action: 'create', url: URL_A }, page({ one: 'old words', two: 'more' }));
  applyEvent(mirror, { action: 'update', url: `${URL_A}#one` }, page({ one: 'new words' }));
  expect(mirror).toEqual(new Map([[URL_A, mirrored(page({ one: 'new words' }))]]));
  expect(JSON.stringify([...(mirror.get(URL_A)?.sections ?? [])])).not.toContain('old words');
});

clause(['AICF-C11', 'AICF-A1'], 'a section event rebuilds that section and leaves the others as they were', () => {
  const mirror: Mirror = new Map();
  applyEvent(mirror, { action: 'create', url: URL_A }, page({ one: 'old', two: 'old too' }));
  applyEvent(mirror, { action: 'update', url: URL_A, anchor: 'two' }, page({ one: 'not yet told', two: 'new' }));
  expect(textOf(mirror, 'one')).toContain('old');
  expect(textOf(mirror, 'two')).toContain('new');
});

clause('AICF-C15', 'a section that shrinks keeps none of its former chunks', () => {
  const mirror: Mirror = new Map();
  const long = page({ one: 'a</p><p>b</p><p>c</p><p>d' });
  applyEvent(mirror, { action: 'create', url: URL_A }, long, paragraphs);
  expect(mirror.get(URL_A)?.sections.get('one')).toHaveLength(5);
  applyEvent(mirror, { action: 'update', url: URL_A, anchor: 'one' }, page({ one: 'a' }), paragraphs);
  expect(mirror.get(URL_A)?.sections.get('one')).toHaveLength(2);
});

clause('AICF-C12', 'a delete removes everything of the page, also when its url has a fragment', () => {
  const mirror: Mirror = new Map();
  applyEvent(mirror, { action: 'create', url: URL_A }, page({ one: 'words', two: 'words' }));
  applyEvent(mirror, { action: 'delete', url: `${URL_A}#one` });
  expect(mirror).toEqual(new Map());
});

clause('AICF-C13', 'a delete with an anchor removes that section only', () => {
  const mirror: Mirror = new Map();
  applyEvent(mirror, { action: 'create', url: URL_A }, page({ one: 'words', two: 'words', three: 'words' }));
  applyEvent(mirror, { action: 'delete', url: URL_A, anchor: 'two' });
  expect([...(mirror.get(URL_A)?.sections.keys() ?? [])]).toEqual(['top', 'one', 'three']);
});

test('a new section stands where the page has it; one that is not on the page makes it a page event', () => {
  const mirror: Mirror = new Map();
  applyEvent(mirror, { action: 'create', url: URL_A }, page({ one: 'words', three: 'words' }));
  const now = page({ one: 'words', two: 'words', three: 'words' });
  applyEvent(mirror, { action: 'create', url: URL_A, anchor: 'two' }, now);
  expect(mirror.get(URL_A)).toEqual(mirrored(now));
  applyEvent(mirror, { action: 'update', url: URL_A, anchor: 'gone' }, page({ other: 'words' }));
  expect(mirror.get(URL_A)).toEqual(mirrored(page({ other: 'words' })));
});

clause('AICF-H4', 'replaying any part of the events leaves the mirror identical', () => {
  const anchors = fc.constantFrom('one', 'two', 'three');
  const event = fc.record({
    action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
    url: fc.constantFrom(URL_A, `${URL_A}#one`, 'https://docs.example/b'),
    anchor: fc.option(anchors, { nil: undefined }),
  });
  const text = fc.constantFrom('words', 'other words');
  const site = fc.record({ one: text, two: text }, { requiredKeys: ['one'] });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), site, (events, sections) => {
      const current = page(sections);
      const mirror: Mirror = new Map();
      const replay = () => {
        for (const one of events) applyEvent(mirror, one, current);
        return JSON.stringify([...mirror].sort().map(([url, { sections: held, ...rest }]) => [url, rest, [...held]]));
      };
      expect(replay()).toBe(replay());
    }),
  );
});

function page(sections: Readonly<Record<string, string | undefined>>): Page {
  const body = Object.entries(sections).map(
    ([anchor, text]) => `<h2 id="${anchor}">Heading ${anchor}</h2><p>${text}</p>`,
  );
  return extractPage(
    `<title>T</title><main><h1 id="top">T</h1><p>Preamble of the page.</p>${body.join('')}</main>`,
    URL_A,
  );
}

function textOf(mirror: Mirror, anchor: string): string {
  return (mirror.get(URL_A)?.sections.get(anchor) ?? []).join('\n');
}
