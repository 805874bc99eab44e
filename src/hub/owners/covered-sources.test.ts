import { expect, test } from 'vitest';
import { watchedSource } from '../../../test/support/fake-watch.ts';
import { coveredSources, coversHost } from './covered-sources.ts';

test.each([
  ['one.dev', 'one.dev', true],
  ['one.dev', 'docs.one.dev', true],
  ['one.dev', 'a.b.one.dev', true],
  ['docs.one.dev', 'one.dev', false],
  ['docs.one.dev', 'xdocs.one.dev', false],
  ['docs.one.dev', 'api.one.dev', false],
  ['one.dev', 'one.dev.evil.dev', false],
  ['one.dev', 'someone.dev', false],
  ['a.github.io', 'b.github.io', false],
  ['amazonaws.com', 'site.s3.amazonaws.com', false],
  ['github.io', 'a.github.io', false],
  ['dev', 'one.dev', false],
  ['one.dev', '127.0.0.1', false],
])('who owns %s owns %s: %s', (domain, host, is) => {
  expect(coversHost(domain, host)).toBe(is);
});

test('a source is its owner’s when all that it watches is; folders of the operator are nobody’s', () => {
  const sources = [
    watchedSource({ id: 'site', kind: 'site', url: 'https://docs.one.dev/', fallbacks: ['https://mirror.dev/'] }),
    watchedSource({ id: 'pages', kind: 'page', urls: ['https://one.dev/', 'https://docs.one.dev/a'] }),
    watchedSource({ id: 'mixed', kind: 'page', urls: ['https://one.dev/', 'https://two.dev/'] }),
    watchedSource({ id: 'path', kind: 'feed', url: 'https://two.dev/one.dev/', dialect: 'aicf' }),
    watchedSource({ id: 'folder', kind: 'folder', path: '/srv/one', site: 'https://one.dev/' }),
  ];
  expect(coveredSources('one.dev', sources).map(({ config }) => config.id)).toEqual(['site', 'pages']);
});
