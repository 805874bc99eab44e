import { expect, test } from 'vitest';
import { aicfLine } from '../../dialects/aicf/events/aicf-line.ts';
import { publishedChanges } from '../../dialects/aicf/shelf/published-changes.ts';
import { goesRound, hubsIn, pathThrough } from '../../model/hub-path.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(22)) as [string, string, string];

test('a path grows by who sends, each hub once', () => {
  expect(pathThrough(undefined, undefined)).toBeUndefined();
  expect(pathThrough(undefined, A)).toBe(A);
  expect(pathThrough(A, B)).toBe(`${A} ${B}`);
  expect(pathThrough(`${A} ${B}`, B)).toBe(`${A} ${B}`);
  expect(pathThrough(`${A} ${B}`, undefined)).toBe(`${A} ${B}`);
});

test('what others write is read with care', () => {
  for (const path of [7, null, '', 'short', '<script>alert(1)</script>', 'x'.repeat(65), ' '.repeat(1_000_000)]) {
    expect(hubsIn(path)).toEqual([]);
  }
  expect(hubsIn(`${A}  nobody ${B} ${A}`)).toEqual([A, B]);
  expect(pathThrough(`${A} ?`, 'no hub')).toBe(A);
});

test('a change goes round where it meets a hub again, or has come too far', () => {
  expect(goesRound(undefined, A)).toBe(false);
  expect(goesRound(`${B} ${C}`, A)).toBe(false);
  expect(goesRound(`${B} ${A} ${C}`, A)).toBe(true);
  const far = Array.from({ length: 32 }, (_, place) => `hub-number-${place}-xxxxxxxx`).join(' ');
  expect(goesRound(far, A)).toBe(true);
});

test('a line of AICF has the path as its last field, and is what it was without one', () => {
  const change = {
    seq: 1,
    id: '1',
    source: 's',
    kind: 'page',
    action: 'update',
    url: 'https://docs.example/',
  } as const;
  const time = '2026-03-01T12:00:00Z';
  const line = '{"id":"1","action":"update","url":"https://docs.example/","time":"2026-03-01T12:00:00Z"';
  expect(aicfLine({ ...change, time, provenance: {} })).toBe(`${line}}\n`);
  expect(aicfLine({ ...change, time, provenance: { via: A } })).toBe(`${line},"via":"${A}"}\n`);
});

test('a restored log has the path of what was published, so that its line is the same', async () => {
  const line = `{"id":"2","action":"update","url":"https://docs.example/","time":"2026-03-01T12:00:00Z","via":"${A} ${B}"}`;
  const store = { names: async () => ['docs'], linesBehind: async () => [line] };
  const { changes } = await publishedChanges(store).tailAfter('1');
  expect(changes).toMatchObject([{ id: '2', provenance: { recovered: true, via: `${A} ${B}` } }]);
});
