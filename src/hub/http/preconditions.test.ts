import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/count-steps.ts';
import { checkPreconditions, isRangeCurrent } from './preconditions.ts';

const MODIFIED = 'Thu, 21 Aug 2025 10:15:00 GMT';
const BEFORE = 'Thu, 21 Aug 2025 10:14:59 GMT';
const AFTER = 'Thu, 21 Aug 2025 10:15:01 GMT';
const STATE = { etags: ['"a,b"', '"a.gz"'], lastModifiedMs: Date.parse(MODIFIED) };

test.each([
  ['nothing asked', {}, 'met'],
  ['its tag', { 'if-none-match': '"a,b"' }, 'not-modified'],
  ['its tag, made weak by a proxy', { 'if-none-match': 'W/"a,b"' }, 'not-modified'],
  ['its tag in a list', { 'if-none-match': '"x", W/"y" ,"a.gz"' }, 'not-modified'],
  ['any', { 'if-none-match': ' * ' }, 'not-modified'],
  ['another tag', { 'if-none-match': '"a"' }, 'met'],
  ['half of a tag with a comma', { 'if-none-match': '"b"' }, 'met'],
  ['a tag without quotes', { 'if-none-match': 'a,b' }, 'met'],
  ['an empty list', { 'if-none-match': '' }, 'met'],
  ['a tag that misses, and a date that would hit', { 'if-none-match': '"x"', 'if-modified-since': AFTER }, 'met'],
  ['its date', { 'if-modified-since': MODIFIED }, 'not-modified'],
  ['a later date', { 'if-modified-since': AFTER }, 'not-modified'],
  ['an earlier date', { 'if-modified-since': BEFORE }, 'met'],
  ['its date as RFC 850 wrote it', { 'if-modified-since': 'Thursday, 21-Aug-25 10:15:00 GMT' }, 'not-modified'],
  ['its date as asctime writes it', { 'if-modified-since': 'Thu Aug 21 10:15:00 2025' }, 'not-modified'],
  ['no date', { 'if-modified-since': 'tomorrow' }, 'met'],
  ['a date that is none of HTTP', { 'if-modified-since': '2099-01-01' }, 'met'],
  ['a day that is none', { 'if-modified-since': 'Thu, 99 Aug 2099 10:15:00 GMT' }, 'met'],
  ['If-Match with its tag', { 'if-match': '"x", "a,b"' }, 'met'],
  ['If-Match with any', { 'if-match': '*' }, 'met'],
  ['If-Match with another', { 'if-match': '"x"' }, 'failed'],
  ['If-Match with a weak tag', { 'if-match': 'W/"a,b"' }, 'failed'],
  ['If-Match before all else', { 'if-match': '"x"', 'if-none-match': '"a,b"' }, 'failed'],
  ['If-Match holds, then If-None-Match', { 'if-match': '"a,b"', 'if-none-match': '"a,b"' }, 'not-modified'],
  ['unmodified since then', { 'if-unmodified-since': MODIFIED }, 'met'],
  ['modified since then', { 'if-unmodified-since': BEFORE }, 'failed'],
  ['unmodified since nonsense', { 'if-unmodified-since': 'x' }, 'met'],
  ['If-Match makes the date void', { 'if-match': '*', 'if-unmodified-since': BEFORE }, 'met'],
])('%s', (_, headers, kind) => {
  expect(checkPreconditions(headers, STATE).kind).toBe(kind);
});

test('without a date, dates say nothing', () => {
  const state = { etags: ['"a"'], lastModifiedMs: undefined };
  expect(checkPreconditions({ 'if-modified-since': AFTER }, state).kind).toBe('met');
  expect(checkPreconditions({ 'if-unmodified-since': BEFORE }, state).kind).toBe('met');
});

test('the date of something that was modified just now does not stand for one version', () => {
  const state = { ...STATE, isRecent: true };
  expect(checkPreconditions({ 'if-modified-since': AFTER }, state).kind).toBe('met');
  expect(checkPreconditions({ 'if-none-match': '"a.gz"' }, state).kind).toBe('not-modified');
  expect(checkPreconditions({ 'if-unmodified-since': BEFORE }, state).kind).toBe('failed');
});

test.each(['"', 'a', '"a",', 'W/'])('a long header of %j is read in linear steps', async (piece) => {
  checkPreconditions({ 'if-none-match': `"${piece.repeat(200_000)}` }, STATE);
  await expectLinear<typeof import('./preconditions.ts'), string>(
    new URL('./preconditions.ts', import.meta.url),
    ({ checkPreconditions }, header) =>
      checkPreconditions({ 'if-none-match': header }, { etags: ['"a"'], lastModifiedMs: undefined }),
    (count) => `"${piece.repeat(count)}`,
    1000,
  );
});

test.each([
  [undefined, true],
  ['"a"', true],
  [' "a" ', true],
  ['W/"a"', false],
  ['"b"', false],
  ['"b", "a"', false],
  [MODIFIED, true],
  [BEFORE, false],
  [AFTER, false],
  ['nonsense', false],
])('If-Range: %s', (header, expected) => {
  expect(isRangeCurrent(header, '"a"', Date.parse(MODIFIED))).toBe(expected);
});
