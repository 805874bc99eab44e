import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, decodeLine, type NdjsonLine } from './ndjson.ts';

test('lines come out with their places, whatever the pieces are', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\uFEFF]/g, '')),
        { minLength: 1 },
      ),
      fc.integer({ min: 1, max: 9 }),
      (texts, size) => {
        const whole = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.subarray(index * size, (index + 1) * size),
        );
        const lines = split(pieces);
        expect(lines.map(textOf)).toEqual(texts);
        for (const line of lines)
          expect(whole.subarray(line.start).toString()).toSatisfy((rest: string) =>
            rest.startsWith(`${textOf(line)}\n`),
          );
        expect(lines.map(({ number }) => number)).toEqual(texts.map((_, index) => index + 1));
      },
    ),
  );
});

test('a BOM at the start of the file and a CR before LF are not part of a line', () => {
  const lines = split([Buffer.from('\uFEFF{"a":1}\r\n\r\n{"b":"\uFEFF"}\r\n')]);
  expect(lines.map(textOf)).toEqual(['{"a":1}', '', '{"b":"\uFEFF"}']);
  expect(lines.map(({ start }) => start)).toEqual([0, 12, 14]);
});

test('places count on from where the reading began', () => {
  const [line, rest] = split([Buffer.from('aa\nb')], { start: 100, number: 7 });
  expect(line).toMatchObject({ start: 100, number: 7, terminated: true });
  expect(rest).toMatchObject({ start: 103, number: 8, terminated: false });
});

test('a line over the limit is named and not held', () => {
  const splitter = createLineSplitter({ maxLineBytes: 1000 });
  const before = process.memoryUsage().arrayBuffers;
  const piece = Buffer.alloc(64_000, 'x');
  for (let sent = 0; sent < 64_000_000; sent += piece.length) expect(splitter.push(piece)).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  const [long, next] = splitter.push(Buffer.from('\n{"id":1}\n'));
  expect(long).toMatchObject({ kind: 'too-long', length: 64_000_000, number: 1, start: 0 });
  expect(next).toMatchObject({ kind: 'line', number: 2, start: 64_000_001 });
});

test('bytes that are not UTF-8 have no text', () => {
  expect(decodeLine(Uint8Array.of(0xff))).toBeUndefined();
});

function split(pieces: readonly Uint8Array[], options: { start?: number; number?: number } = {}): NdjsonLine[] {
  const splitter = createLineSplitter({ maxLineBytes: 1_000_000, ...options });
  const lines = pieces.flatMap((piece) => splitter.push(piece).map((line) => ({ ...line })));
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
}

function textOf(line: NdjsonLine): string | undefined {
  return line.kind === 'line' ? decodeLine(line.bytes) : undefined;
}
