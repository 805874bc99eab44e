import { expect, test } from 'vitest';
import { problem } from './problem.ts';

test('says status, title and detail as RFC 9457 has them', () => {
  const { status, headers, body } = problem({ status: 404, detail: 'No source is named "x".', cursor: 'c' });
  expect(status).toBe(404);
  expect(headers).toEqual({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  expect(JSON.parse(String(body))).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'No source is named "x".',
    cursor: 'c',
  });
});

test.each([
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [417, 'Expectation Failed'],
  [422, 'Unprocessable Content'],
])('%i is named as RFC 9110 names it', (status, title) => {
  expect(JSON.parse(String(problem({ status }).body))).toMatchObject({ title });
});

test('keeps its own type and title, and headers of the caller', () => {
  const answer = problem({ status: 410, type: 'https://t.example/gone', title: 'Too old' }, { 'retry-after': '30' });
  expect(answer.headers['retry-after']).toBe('30');
  expect(JSON.parse(String(answer.body))).toEqual({ type: 'https://t.example/gone', title: 'Too old', status: 410 });
});

test('what clients sent stands in it as JSON only', () => {
  const { body } = problem({ status: 400, detail: '</script>"\u0000\n' });
  expect(JSON.parse(String(body)).detail).toBe('</script>"\u0000\n');
  expect(String(body)).not.toContain('\u0000');
});
