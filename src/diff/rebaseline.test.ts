import { expect, test } from 'vitest';
import type { PageOutline } from '../model/page.ts';
import { rebaseline } from './rebaseline.ts';

function outline(extractor: string, text: string): PageOutline {
  const sections = ['a', 'b', 'c'].map((anchor) => ({
    anchor,
    checksum: `${extractor}(${anchor}${anchor === 'a' ? text : ''})`,
    body: `${extractor}(${anchor === 'a' ? text : anchor})`,
  }));
  return {
    url: 'https://docs.example/',
    title: 'T',
    extractor,
    checksum: `${extractor}(${text})`,
    preamble: 'p',
    sections,
  };
}

test('the same bytes are no change, though every fingerprint differs', () => {
  expect(rebaseline({ before: outline('1', 'x'), after: outline('2', 'x'), bytesChanged: false })).toEqual([]);
});

test('other bytes are compared by reading the old ones again', () => {
  const before = outline('1', 'x');
  const after = outline('2', 'y');
  expect(rebaseline({ before, after, bytesChanged: true, reread: outline('2', 'x') })).toMatchObject([
    { action: 'update', anchor: 'a', note: 'text-edit' },
  ]);
  expect(rebaseline({ before, after, bytesChanged: true, reread: outline('2', 'y') })).toEqual([]);
});

test('other bytes without the old ones are one update of the page, to be read again', () => {
  const after = outline('2', 'y');
  const changes = rebaseline({ before: outline('1', 'x'), after, bytesChanged: true });
  expect(changes).toMatchObject([{ action: 'update', checksum: after.checksum, note: 're-read' }]);
  expect(changes[0]).not.toHaveProperty('anchor');
  expect(rebaseline({ before: outline('1', 'x'), after, bytesChanged: true, reread: outline('1', 'x') })).toEqual(
    changes,
  );
});
