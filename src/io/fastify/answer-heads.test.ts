import { expect, test } from 'vitest';
import { CORS_HEADERS } from '../../hub/http/cors.ts';
import { AnswerHeads } from './answer-heads.ts';

const SAFE = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'];
const NOT_MODIFIED = { status: 304, headers: { etag: '"1"', 'referrer-policy': 'same-origin' } };
const WANTED = ['x-content-type-options', 'nosniff', 'referrer-policy', 'same-origin', 'etag', '"1"'];

test('a head says what every answer says, then what this one does; the length is left to the body', () => {
  const heads = new AnswerHeads({ cors: false });
  expect(heads.of({ status: 200, headers: { etag: '"1"', 'content-length': '5' } })).toEqual([...SAFE, 'etag', '"1"']);
  expect(heads.of({ ...NOT_MODIFIED, also: { 'x-a': 'b' } })).toEqual([...WANTED, 'x-a', 'b']);
  expect(
    heads.of({ status: 206, headers: { etag: '"1"' }, also: { 'content-length': '5', 'content-range': 'x' } }),
  ).toEqual([...SAFE, 'etag', '"1"', 'content-range', 'x']);
  const open = new AnswerHeads({ cors: true, hubId: 'hub-1' }).of({ status: 200, headers: {} });
  expect(open).toEqual([...SAFE, ...Object.entries(CORS_HEADERS).flat(), expect.any(String), 'hub-1']);
});

test('what is added to a head of headers that many answers have is in that one alone', () => {
  const heads = new AnswerHeads({ cors: false });
  const headers = { etag: '"1"' };
  const part = { status: 206, headers, also: { 'content-range': 'bytes 0-1/9' } };
  heads.of(part).push('connection', 'close');
  expect(heads.of(part)).toEqual([...SAFE, 'etag', '"1"', 'content-range', 'bytes 0-1/9']);
  expect(heads.of({ status: 200, headers, also: {} })).toEqual([...SAFE, 'etag', '"1"']);
});
