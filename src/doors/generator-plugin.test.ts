import type { Plugin } from 'vite';
import { expect, test } from 'vitest';
import { generatedAddress } from './generator-plugin.ts';
import { asOptions } from './plugin-error.ts';
import tidings from './vite.ts';

const PLACE = { door: 'tidings/vite', remedy: 'Write it.' };

test.each([
  ['https://docs.example', '/', 'https://docs.example/'],
  ['https://docs.example', '/x/', 'https://docs.example/x/'],
  ['https://docs.example/', '/x', 'https://docs.example/x/'],
  ['https://docs.example/x', '/x/', 'https://docs.example/x/'],
  ['https://docs.example/x/', '/x', 'https://docs.example/x/'],
  ['https://docs.example/x/', './', 'https://docs.example/x/'],
  ['https://docs.example/x/', '', 'https://docs.example/x/'],
  ['https://docs.example/x/', undefined, 'https://docs.example/x/'],
  ['https://docs.example/', 'https://cdn.example/assets/', 'https://docs.example/'],
  ['https://docs.example/', '//cdn.example/assets/', 'https://docs.example/'],
])('the site %s with the base path %s is %s', (site, base, expected) => {
  expect(generatedAddress({ ...PLACE, base }, { site }).href).toBe(expected);
  expect(generatedAddress({ ...PLACE, base, site }, {}).href).toBe(expected);
});

test.each([
  [undefined, '/', /^tidings\/vite: the public address of the site is not known\. Write it\.$/],
  ['', '/', /is not known\. Write it\.$/],
  [
    'https://docs.example/y/',
    '/x/',
    /contradict each other\. Give https:\/\/docs\.example\/x\/ as the site, or \/y\/ as/,
  ],
  ['docs.example', '/', /^tidings\/vite: `site` docs\.example is refused: .* like https:\/\/docs\.example\//],
  ['http://docs.example/', '/', /Use https, or `force: true` if you mean it\.$/],
])('the site %s with the base path %s is refused with what to do', (site, base, expected) => {
  expect(() => generatedAddress({ ...PLACE, base, site }, {})).toThrow(expected);
});

test.each([
  ['say --allow-deletes.', 'say `allowDeletes: true`.'],
  ['leave --previous out', 'leave `previous` out'],
  ['Use --no-excerpts', 'Use `excerpts: false`'],
  ['run "tidings keys new --log" first', 'run "tidings keys new --log" first'],
  ['https://a--b.netlify.app is one', 'https://a--b.netlify.app is one'],
])('%s becomes %s', (text, expected) => {
  expect(asOptions(text)).toBe(expected);
});

test('the types of our own fit those of Vite', () => {
  const plugin: Plugin = tidings({ site: 'https://docs.example/' });
  expect(plugin).toMatchObject({ name: 'tidings', apply: 'build' });
});
