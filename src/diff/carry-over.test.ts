import { expect, test } from 'vitest';
import type { PageOutline } from '../model/page.ts';
import { rebaseline } from './rebaseline.ts';

/** A page whose sections are `anchor:text`; what stands before the first is the preamble. */
function outline(extractor: string, [preamble = '', ...sections]: readonly string[], title = 'T'): PageOutline {
  return {
    url: 'https://docs.example/',
    title,
    extractor,
    checksum: [title, preamble, ...sections].join('\n'),
    preamble,
    sections: sections.map((section) => {
      const [anchor = '', text = ''] = section.split(':');
      return { anchor, checksum: section, body: text };
    }),
  };
}

interface Case {
  readonly before: readonly string[];
  /** By the rules of before, then by those of now. */
  readonly now: readonly [readonly string[], readonly string[]];
  readonly told: readonly string[];
}

const PAGE = ['p', 'a:1', 'b:1', 'c:1', 'd:1', 'e:1'];
const at = (place: number, text: string, page: readonly string[] = PAGE) => page.with(place, text);

test.each<[string, Case]>([
  ['nothing but the rules', { before: PAGE, now: [PAGE, at(1, 'a:0')], told: [] }],
  ['an edit in what the rules are about', { before: PAGE, now: [at(1, 'a:2'), at(1, 'a:0')], told: [] }],
  ['an edit beside it', { before: PAGE, now: [at(2, 'b:2'), at(1, 'a:0', at(2, 'b:2'))], told: ['update #b'] }],
  [
    'a new section',
    {
      before: PAGE,
      now: [
        [...PAGE, 'f:1'],
        [...PAGE, 'f:1'],
      ],
      told: ['create #f'],
    },
  ],
  ['a section that only the new rules read', { before: PAGE, now: [PAGE, [...PAGE, 'f:1']], told: [] }],
  ['a section that the new rules leave out', { before: PAGE, now: [PAGE, PAGE.slice(0, -1)], told: [] }],
  ['one of those under another name', { before: PAGE, now: [at(5, 'x:2'), PAGE.slice(0, -1)], told: [] }],
  ['a section that is gone', { before: PAGE, now: [PAGE.slice(0, -1), PAGE.slice(0, -1)], told: ['update page'] }],
  [
    'sections in another order',
    {
      before: PAGE,
      now: [
        ['p', 'b:1', 'a:1', ...PAGE.slice(3)],
        ['p', 'b:1', 'a:1', ...PAGE.slice(3)],
      ],
      told: ['update page'],
    },
  ],
  ['another preamble', { before: PAGE, now: [at(0, 'q'), at(0, 'q')], told: ['update page'] }],
  ['another preamble that the rules are about', { before: PAGE, now: [at(0, 'q'), at(0, '')], told: [] }],
])('other bytes and other rules: %s', (_, { before, now: [asBefore, after], told }) => {
  const changes = rebaseline({
    before: outline('3', before),
    asBefore: outline('3', asBefore),
    after: outline('3+0', after),
    bytesChanged: true,
  });
  expect(changes.map(({ action, anchor }) => `${action} ${anchor === undefined ? 'page' : `#${anchor}`}`)).toEqual(
    told,
  );
});

test('a title counts where both read the same one', () => {
  const [before, after] = [outline('3', PAGE, 'Old'), outline('3+0', PAGE, 'New')];
  const told = rebaseline({ before, asBefore: outline('3', PAGE, 'New'), after, bytesChanged: true });
  expect(told).toMatchObject([{ action: 'update', note: expect.stringContaining('title-changed') }]);
  expect(rebaseline({ before, asBefore: outline('3', PAGE, 'Old'), after, bytesChanged: true })).toEqual([]);
});

test('rules of another version of the extractor do not compare', () => {
  const [before, after] = [outline('2', PAGE), outline('3+0', PAGE)];
  const told = rebaseline({ before, asBefore: outline('3', PAGE), after, bytesChanged: true });
  expect(told).toMatchObject([{ action: 'update', note: 're-read' }]);
});
