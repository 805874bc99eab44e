import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { readTarget } from './request-target.ts';

test.each([
  ['/', '/'],
  ['/aicf/docs.ndjson', '/aicf/docs.ndjson'],
  ['/.well-known/ai-changefeed', '/.well-known/ai-changefeed'],
  ['/...', '/...'],
  ['/a/', '/a/'],
  ['/doc?url=https://a.example/../x%2f%00//', '/doc?url=https://a.example/../x%2f%00//'],
  ['/?', '/?'],
  ['/%68ealthz', '/%68ealthz'],
  ['/aicf/caf%C3%A9', '/aicf/caf%C3%A9'],
  ['/100%25', '/100%25'],
  ['http://hub.example/healthz?x=1', '/healthz?x=1'],
  ['HTTPS://hub.example:8443', '/'],
  ['http://hub.example?x=1', '/?x=1'],
])('%s is read as %s', (target, url) => {
  expect(readTarget(target, 8192)).toEqual({ is: 'path', url });
});

test.each([
  '',
  '*',
  'healthz',
  'ftp://hub.example/healthz',
  'http:///healthz',
  '//healthz',
  '//evil.example/healthz',
  '/a//b',
  '/..',
  '/../etc/passwd',
  '/a/../healthz',
  '/./healthz',
  '/a/.',
  '/..?x',
  '/%2e%2e/healthz',
  '/.%2E/healthz',
  '/%2e',
  '/a%2fb',
  '/a%2Fb',
  '/%2f%2e%2e%2f',
  '/a%5cb',
  '/a\\b',
  '/%00',
  '/healthz%00',
  '/a%0d%0aSet-Cookie:x',
  '/a%7f',
  '/%',
  '/%2',
  '/%zz',
  '/%c0%ae%c0%ae/',
  '/%ff',
  '/%ed%a0%80',
  '/a b',
  '/a#b',
  '/<script>',
  '/caf\u00e9',
  'http://hub.example/../x',
])('%s is malformed', (target) => {
  expect(readTarget(target, 8192)).toEqual({ is: 'malformed' });
});

test('counts the query too', () => {
  expect(readTarget(`/?${'x'.repeat(8190)}`, 8192).is).toBe('path');
  expect(readTarget(`/?${'x'.repeat(8191)}`, 8192).is).toBe('too-long');
});

test('the fast way and the slow way agree, and nothing that passes hides a segment', () => {
  const piece = fc.constantFrom('/', '.', '..', '%2e', '%2f', '%5c', '%00', '\\', '?', '#', 'a', '%61', '%', ':', 'é');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const read = readTarget(`/${pieces.join('')}`, 8192);
      if (read.is !== 'path') return;
      const path = new URL(read.url, 'http://hub.example').pathname;
      expect(path).toBe(read.url.split('?')[0]);
      expect(decodeURIComponent(path)).not.toMatch(/\\|\0|\/\/|\/\.\.?(?:\/|$)/);
    }),
  );
});

test.each(['/a', '/.', '/%61', '/:', '.', '%'])('takes steps in proportion to the length of %s', async (text) => {
  readTarget(`/${text.repeat(500_000)}"`, 4_000_000);
  await expectLinear<typeof import('./request-target.ts'), string>(
    new URL('./request-target.ts', import.meta.url),
    ({ readTarget }, target) => readTarget(target, 4_000_000),
    (count) => `/${text.repeat(count)}"`,
    1000,
  );
});
