import { expect, test } from 'vitest';
import {
  createChangeFilter,
  decodeChangeFilter,
  FILTER_QUERY,
  type FilteredChange,
  filterKey,
} from './change-filter.ts';

const CHANGE: FilteredChange = {
  source: 'docs',
  kind: 'page',
  action: 'update',
  url: 'https://docs.example/guide/install.html',
  anchor: 'linux',
};

function fits(filter: object, change: Partial<FilteredChange> = {}): boolean {
  return createChangeFilter(decodeChangeFilter(filter, ''))({ ...CHANGE, ...change });
}

test('without names everything fits', () => {
  expect(fits({})).toBe(true);
});

test.each([
  [{ source: 'docs' }, true],
  [{ source: ['blog', 'docs'] }, true],
  [{ source: 'blog' }, false],
  [{ kind: 'page', action: ['create', 'update'] }, true],
  [{ kind: 'endpoint' }, false],
  [{ action: 'delete' }, false],
  [{ path: '/guide/**' }, true],
  [{ path: ['/blog/**', '/guide/*'] }, true],
  [{ path: '/guide' }, false],
  [{ anchor: 'lin*' }, true],
  [{ anchor: '#linux' }, true],
  [{ anchor: 'win*' }, false],
  [{ source: 'docs', path: '/blog/**' }, false],
])('%j fits: %s', (filter, isFit) => {
  expect(fits(filter)).toBe(isFit);
});

test('a change of a whole page is one of the sections that it names', () => {
  const { anchor: _, ...page } = CHANGE;
  const wants = createChangeFilter({ anchor: ['linux'] });
  expect(wants({ ...page, note: 'text-edit; sections changed=linux,mac' })).toBe(true);
  expect(wants({ ...page, note: 'text-edit; sections changed=mac' })).toBe(false);
  expect(wants(page)).toBe(false);
});

test.each([
  { sources: 'docs' },
  { kind: 'pages' },
  { path: 'guide/**' },
  { path: '/a b' },
  { action: [] },
  { source: 5 },
  { anchor: 'x'.repeat(201) },
  { source: Array.from({ length: 21 }, (_, at) => `s${at}`) },
])('%j is refused', (filter) => {
  expect(() => decodeChangeFilter(filter, 'filter')).toThrow(/filter/);
});

test('a query names several values with commas', () => {
  expect(FILTER_QUERY.action('create,delete', 'action')).toEqual(['create', 'delete']);
  expect(() => FILTER_QUERY.kind('page,site', 'kind')).toThrow(/kind\[1\]/);
});

test('filters that want the same have the same key', () => {
  expect(filterKey({ source: ['a', 'b'] })).toBe(filterKey({ source: ['b', 'a'] }));
  expect(filterKey({ source: ['a'] })).not.toBe(filterKey({ path: ['a'] }));
});

test('the steps of a pattern made to be slow grow with its length, not beyond', () => {
  const pattern = `${'a*'.repeat(99)}b`;
  expect(fits({ anchor: pattern }, { anchor: 'a'.repeat(2000) })).toBe(false);
});
