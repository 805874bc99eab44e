import { expect, test } from 'vitest';
import { decodeHtml, decodeText } from './decode-html.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : part)));

test('UTF-8 is the default, and a BOM is no text', () => {
  expect(decodeHtml(utf8('<p>é</p>'))).toEqual({ ok: true, value: '<p>é</p>' });
  expect(decodeHtml(bytes([0xef, 0xbb, 0xbf], '<p>é</p>'))).toEqual({ ok: true, value: '<p>é</p>' });
});

test('the encoding is the BOM’s, else the server’s, else the page’s', () => {
  const latin = (head: string) => bytes(head, [0xe9], '</p>');
  expect(decodeHtml(latin('<p>'), 'iso-8859-1')).toEqual({ ok: true, value: '<p>é</p>' });
  expect(decodeHtml(latin('<meta charset="windows-1252"><p>'))).toMatchObject({ ok: true });
  expect(
    decodeHtml(latin('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>')),
  ).toMatchObject({ ok: true });
  expect(decodeHtml(utf8('<meta charset="iso-8859-1"><p>é</p>'), 'utf-8')).toMatchObject({
    value: '<meta charset="iso-8859-1"><p>é</p>',
  });
  expect(
    decodeHtml(
      bytes(
        [0xff, 0xfe],
        [...'<p>é</p>'].flatMap((letter) => [letter.charCodeAt(0), 0]),
      ),
      'utf-8',
    ),
  ).toEqual({ ok: true, value: '<p>é</p>' });
  expect(decodeHtml(utf8('<p>é</p>'), 'no-such-encoding')).toMatchObject({ ok: true });
});

test('a server that names single bytes is not believed where the page says UTF-8 and is it', () => {
  const page = '<meta charset="utf-8"><p>Zürich</p>';
  expect(decodeHtml(utf8(page), 'iso-8859-1')).toEqual({ ok: true, value: page });
  // Neither the page alone nor its bytes alone outweigh the server.
  expect(decodeHtml(bytes('<meta charset="utf-8"><p>', [0xe9]), 'iso-8859-1')).toMatchObject({
    value: '<meta charset="utf-8"><p>é',
  });
  expect(decodeHtml(utf8('<p>é</p>'), 'iso-8859-1')).toMatchObject({ value: '<p>Ã©</p>' });
});

test.each(['windows-1252', 'iso-8859-1', 'latin1', 'ascii', 'us-ascii', 'cp1252', 'ISO-8859-1'])(
  'in %s the bytes 0x80 to 0x9F are signs, not controls',
  (label) => {
    const signs = Array.from({ length: 0x20 }, (_, place) => 0x80 + place);
    expect(decodeHtml(bytes('<p>', signs), label)).toEqual({
      ok: true,
      value: '<p>€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ',
    });
  },
);

test('XHTML may name its encoding in its first line; a meta element comes first', () => {
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><p>';
  expect(decodeHtml(bytes(xml, [0xe9]))).toEqual({ ok: true, value: `${xml}é` });
  expect(decodeHtml(bytes(xml, '<meta charset="utf-8">é'))).toMatchObject({ value: `${xml}<meta charset="utf-8">é` });
});

test('bytes that are not UTF-8 are read as a late meta element says; bytes that are UTF-8 stay it', () => {
  const late = (bytesBefore: number) => `<script>${'x'.repeat(bytesBefore)}</script><meta charset="windows-1252"><p>`;
  expect(decodeHtml(bytes(late(2000), [0xe9]))).toEqual({ ok: true, value: `${late(2000)}é` });
  expect(decodeHtml(bytes(late(15_000), [0xe9]))).toEqual({ ok: true, value: `${late(15_000)}é` });
  expect(decodeHtml(bytes(late(17_000), [0xe9]))).toMatchObject({ ok: false });
  expect(decodeHtml(utf8(`${late(2000)}é`))).toEqual({ ok: true, value: `${late(2000)}é` });
});

test('a late meta element does not overrule the server, nor an earlier one, nor a BOM', () => {
  const late = `${' '.repeat(2000)}<meta charset="windows-1252"><p>`;
  expect(decodeHtml(bytes(late, [0xe9]), 'utf-8')).toMatchObject({ ok: false });
  expect(decodeHtml(bytes('<meta charset="utf-8">', late, [0xe9]))).toMatchObject({ ok: false });
  expect(decodeHtml(bytes([0xef, 0xbb, 0xbf], late, [0xe9]))).toMatchObject({ ok: false });
});

test('a late meta element that names an unknown encoding, or UTF-8 itself, leaves the bad byte to blame', () => {
  for (const charset of ['x-klingon', 'utf-8', 'utf-16']) {
    const result = decodeHtml(bytes(`${' '.repeat(2000)}<meta charset="${charset}"><p>`, [0xe9]));
    expect(result.ok ? '' : result.issues[0].message, charset).toMatch(/not valid UTF-8.*offset 20\d\d/);
  }
});

test('a text with NUL is no text, and is not blamed for not being HTML', () => {
  const result = decodeText(bytes('words', [0], 'words'));
  expect(result.ok ? '' : result.issues[0].message).toBe('It is not text: character 5 is NUL.');
});

const REFUSED: readonly [string, Uint8Array, RegExp][] = [
  ['nothing', new Uint8Array(), /empty/],
  ['white space', utf8(' \n\t '), /empty/],
  ['a PNG', bytes([0x89], 'PNG', [0x0d, 0x0a]), /not valid UTF-8.*offset 0/],
  ['a bad byte', bytes('<p>caf', [0xe9], '</p>'), /offset 6/],
  ['a cut character', bytes('<p>', [0xe2, 0x82]), /offset 3/],
  ['NUL', bytes('<p>a', [0], 'b</p>'), /not text.*NUL/],
  ['plain text', utf8('a < b and c > d'), /no tag/],
  ['JSON', utf8('{"a":"b"}'), /no tag/],
  ['an encoding nobody knows', utf8('<meta charset="x-klingon"><p>'), /x-klingon/],
];
test.each(REFUSED)('%s is refused', (_, input, message) => {
  const result = decodeHtml(input);
  expect(result.ok ? '' : result.issues[0].message).toMatch(message);
});
