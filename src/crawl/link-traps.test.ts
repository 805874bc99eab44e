import { expect, test } from 'vitest';
import { sortLinks } from './link-traps.ts';
import { createSiteScope } from './site-scope.ts';

const SITE = new URL('https://docs.example/');
const sort = (...paths: readonly string[]) => {
  const { targets, leftOut } = sortLinks(
    paths.map((path) => new URL(path, SITE).href),
    createSiteScope(SITE, SITE),
  );
  const pathOf = (address: string) => address.slice(SITE.origin.length);
  return { targets: [...targets].map(pathOf), leftOut: [...leftOut.keys()].map(pathOf) };
};

test.each([['/a'], ['/v1.2/'], ['/guides/node.js'], ['/a.html'], ['/a/b/a/b/a/b']])('%s is followed', (path) => {
  expect(sort(path)).toEqual({ targets: [path], leftOut: [] });
});

test.each([['/a?b'], ['/a/b/a/b/a/b/a/b'], [`/${Array.from({ length: 30 }, (_, n) => n).join('/')}`]])(
  '%s is left out, and named',
  (path) => {
    expect(sort(path)).toEqual({ targets: [], leftOut: [path] });
  },
);

test.each([['/logo.PNG'], ['/logo.png?w=1'], ['/doc.pdf'], ['/feed.xml'], ['https://other.example/a']])(
  '%s is no page of the site',
  (path) => {
    expect(sort(path)).toEqual({ targets: [], leftOut: [] });
  },
);

test.each([
  ['/a?utm_source=x', '/a'],
  ['/a?UTM_Source=x&&gclid', '/a'],
  ['/a/?fbclid=1?2&_ga=3', '/a/'],
  ['/a?&', '/a'],
])('%s is %s', (path, page) => {
  expect(sort(path, page)).toEqual({ targets: [page], leftOut: [] });
});

test.each([
  ['/a?page=2&utm_source=x', '/a?page=2'],
  ['/a?gclids=1', '/a?gclids=1'],
  ['/a?x=utm_source', '/a?x=utm_source'],
  ['/a?ref=main', '/a?ref=main'],
])('%s is %s, which is left out', (path, named) => {
  expect(sort(path)).toEqual({ targets: [], leftOut: [named] });
});
