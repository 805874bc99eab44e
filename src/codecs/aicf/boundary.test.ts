import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { boundaryOf } from './boundary.ts';

const PAGE = 'https://docs.example/pricing';

clause(['AICF-A1', 'AICF-C7'], 'with an anchor the boundary is that section, its fragment never doubled', () => {
  expect(boundaryOf({ url: `${PAGE}#tiers`, anchor: 'tiers' })).toBe(`${PAGE}#tiers`);
  expect(boundaryOf({ url: PAGE, anchor: 'tiers' })).toBe(`${PAGE}#tiers`);
  expect(boundaryOf({ url: `${PAGE}#other`, anchor: 'tiers' })).toBe(`${PAGE}#tiers`);
  expect(boundaryOf({ url: PAGE, anchor: '#tiers' })).toBe(`${PAGE}#tiers`);
});

clause(['AICF-A2', 'AICF-C8'], 'without an anchor the boundary is the whole page, whatever the fragment', () => {
  expect(boundaryOf({ url: PAGE })).toBe(PAGE);
  expect(boundaryOf({ url: `${PAGE}#intro` })).toBe(PAGE);
  expect(boundaryOf({ url: `${PAGE}?a=1#` })).toBe(`${PAGE}?a=1`);
  expect(boundaryOf({ url: PAGE, anchor: '' })).toBe(PAGE);
});

test.each([
  ["Az09-._~!$&'()*+,;=:@/?", "Az09-._~!$&'()*+,;=:@/?"],
  ['100%', '100%25'],
  ['a%20b', 'a%2520b'],
  ['a#b', 'a%23b'],
  ['a b', 'a%20b'],
  ['größe', 'gr%C3%B6%C3%9Fe'],
  ['\u{1F600}', '%F0%9F%98%80'],
  ['\uD83D', '%EF%BF%BD'],
  ['"<>[]^`{|}\\', '%22%3C%3E%5B%5D%5E%60%7B%7C%7D%5C'],
])('writes the anchor %s as #%s', (anchor, fragment) => {
  expect(boundaryOf({ url: PAGE, anchor })).toBe(`${PAGE}#${fragment}`);
});

test('a boundary has one fragment, and it is the anchor', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (anchor) => {
      fc.pre(!anchor.startsWith('#'));
      const [page, fragment = '', ...others] = boundaryOf({ url: `${PAGE}#x`, anchor }).split('#');
      expect([page, decodeURIComponent(fragment), others]).toEqual([PAGE, anchor, []]);
    }),
  );
});
