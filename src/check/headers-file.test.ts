import { expect, test } from 'vitest';
import { headersFor, parseHeadersFile } from './headers-file.ts';

const typeOf = (text: string, path: string) => headersFor(parseHeadersFile(text), path)?.['content-type'];

test('reads paths at the margin and their headers below', () => {
  const text =
    '# a comment\r\n/a\r\n  Content-Type: text/a\r\n  Link: <https://h.example/x>; rel=y\r\n\n/b\n\tcontent-type:text/b\n';
  expect(typeOf(text, '/a')).toBe('text/a');
  expect(headersFor(parseHeadersFile(text), '/a')).toMatchObject({ link: '<https://h.example/x>; rel=y' });
  expect(typeOf(text, '/b')).toBe('text/b');
  expect(typeOf(text, '/c')).toBeUndefined();
});

test.each([
  ['/*', '/any/thing', true],
  ['/*.ndjson', '/ai-changes.ndjson', true],
  ['/*.ndjson', '/ai-changes.json', false],
  ['/a/*/c', '/a/b/b/c', true],
  ['/a/*/c', '/a/b/d', false],
  ['/a/*', '/b/c', false],
  ['/a/*/c/*/e', '/a/b/c/d/e', true],
  ['/a/*/c/*/e', '/a/b/x/d/e', false],
  ['/:one/feed', '/docs/feed', true],
  ['/:one/feed', '/docs/more/feed', false],
  ['/:one/feed', '//feed', false],
  ['https://docs.example/feed', '/feed', true],
  ['/docs/feed', '/feed', true],
  ['/feed', '/docs/feed', false],
])('%s covers %s: %s', (pattern, path, covered) => {
  expect(typeOf(`${pattern}\n  Content-Type: x/y\n`, path)).toBe(covered ? 'x/y' : undefined);
});

test('the later of two rules counts', () => {
  expect(typeOf('/*\n  Content-Type: x/1\n/a\n  Content-Type: x/2\n', '/a')).toBe('x/2');
});

test('text of another shape is no rule', () => {
  expect(parseHeadersFile('  Content-Type: x/y\n\n')).toEqual([]);
  expect(headersFor(parseHeadersFile('/a\n  no colon\n  : x\n'), '/a')).toBeUndefined();
});
