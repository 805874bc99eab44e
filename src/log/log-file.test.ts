import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import { decodeLogFile, encodeLogHeader, encodeLogLines } from './log-file.ts';
import { placeChanges } from './place-changes.ts';

const SITE = 'https://docs.example/';
const NAME = 'site/log.ndjson';
const HEADER = encodeLogHeader(SITE);

function changes(count: number): Change[] {
  const drafts = Array.from({ length: count }, (_, index) => ({
    source: 'docs',
    action: 'update' as const,
    url: `${SITE}${index}`,
  }));
  const nowMs = Date.parse('2026-03-01T12:00:00Z');
  return placeChanges(drafts, { last: undefined, nowMs, random: (size) => new Uint8Array(size) });
}

test('what is encoded decodes to the same', () => {
  const written = changes(3);
  expect(decodeLogFile(HEADER + encodeLogLines(written), NAME)).toEqual({ site: SITE, changes: written });
});

test('a log may hold its header alone', () => {
  expect(decodeLogFile(HEADER, NAME)).toEqual({ site: SITE, changes: [] });
});

test('a header of a later format says that Tidings must be upgraded', () => {
  expect(() => decodeLogFile('{"tidings":"log/2","site":"https://docs.example/"}\n', NAME)).toThrow(
    /site\/log\.ndjson:1: it is in format "log\/2".*Upgrade Tidings/,
  );
});

const [first, second, third] = changes(3);
const line = (change: unknown) => `${JSON.stringify(change)}\n`;

test.each([
  ['an empty file', 1, ''],
  ['a page instead of a log', 1, '<!doctype html>\n'],
  ['a header that is null', 1, 'null\n'],
  ['a header of something else', 1, '{"tidings":"pages/1"}\n'],
  ['a header without a site', 1, '{"tidings":"log/1"}\n'],
  ['a line that is not JSON', 3, `${HEADER}${line(first)}{"seq":2,\n${line(third)}`],
  ['a line that is no object', 2, `${HEADER}7\n`],
  ['an empty line', 3, `${HEADER}${line(first)}\n${line(second)}`],
  ['a hole', 3, `${HEADER}${line(first)}${line(third)}`],
  ['a start behind 1', 2, `${HEADER}${line(second)}`],
  ['a doubled line', 3, `${HEADER}${line(first)}${line(first)}`],
  ['an id that goes back', 3, `${HEADER}${line(first)}${line({ ...second, id: first?.id })}`],
  ['an id that is no ULID', 2, `${HEADER}${line({ ...first, id: 'x' })}`],
  ['a time that goes back', 3, `${HEADER}${line(first)}${line({ ...second, time: '1999-01-01T00:00:00Z' })}`],
  ['a time that is none', 2, `${HEADER}${line({ ...first, time: 'noon' })}`],
  ['no time', 2, `${HEADER}${line({ ...first, time: undefined })}`],
  ['an action that is none', 2, `${HEADER}${line({ ...first, action: 'rename' })}`],
  ['a kind that is none', 2, `${HEADER}${line({ ...first, kind: 'site' })}`],
  ['no url', 2, `${HEADER}${line({ ...first, url: undefined })}`],
  ['no provenance', 2, `${HEADER}${line({ ...first, provenance: undefined })}`],
])('%s is refused with its line', (_, at, text) => {
  expect(() => decodeLogFile(text, NAME)).toThrow(
    expect.objectContaining({ name: 'StateCorruptError', file: NAME, line: at, recovery: 'fix-input' }),
  );
});

test('a file cut anywhere but between lines is refused, and cut there it holds fewer changes', () => {
  const text = HEADER + encodeLogLines(changes(3));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 1 }), (length) => {
      const cut = text.slice(0, length);
      if (cut.endsWith('\n')) expect(decodeLogFile(cut, NAME).changes.length).toBeLessThan(3);
      else expect(() => decodeLogFile(cut, NAME)).toThrow(expect.objectContaining({ name: 'StateCorruptError' }));
    }),
  );
});
