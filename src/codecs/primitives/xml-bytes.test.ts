import { expect, test } from 'vitest';
import { decodeXmlBytes } from './xml-bytes.ts';

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)));
const xml = (label: string) => `<?xml version="1.0" encoding="${label}"?><t>`;
const inside = (text: string) => /<t>(.*)$/s.exec(text)?.[1];

test.each([
  ['windows-1252', [0x80, 0x93, 0xe9, 0x94], '€“é”'],
  ['ISO-8859-1', [0x92, 0x85, 0xe9], '’…é'],
  ['us-ascii', [0x96], '–'],
  ['iso-8859-15', [0xa4], '€'],
  ['windows-1251', [0xcf, 0xf0], 'Пр'],
  ['koi8-u', [0xae], 'ў'],
  ['shift_jis', [0x93, 0xfa], '日'],
  ['EUC-KR', [0xc7, 0xd1], '한'],
  ['gb2312', [0xc4, 0xe3], '你'],
  ['x-user-defined', [0x93], '“'],
])('%s is read as the Encoding Standard says', (label, octets, text) => {
  expect(inside(decodeXmlBytes(bytes(xml(label), octets)))).toBe(text);
  if (label !== 'x-user-defined') expect(decodeXmlBytes(bytes('<t>', octets), label)).toBe(`<t>${text}`);
});

test('the mark decides, then the server, then the declaration, then UTF-8', () => {
  const mark = [0xef, 0xbb, 0xbf];
  expect(inside(decodeXmlBytes(bytes(mark, xml('windows-1251'), 'é'), 'windows-1252'))).toBe('é');
  expect(inside(decodeXmlBytes(bytes(xml('windows-1251'), [0xe9]), 'iso-8859-1'))).toBe('é');
  expect(inside(decodeXmlBytes(bytes(xml('windows-1251'), [0xe9])))).toBe('й');
  expect(inside(decodeXmlBytes(bytes(xml('x-klingon'), 'é')))).toBe('é');
  expect(inside(decodeXmlBytes(bytes(xml('utf-16'), 'é')))).toBe('é');
  expect(decodeXmlBytes(bytes('<t>é'))).toBe('<t>é');
});

test('a server that is wrong about UTF-8 leaves it to the declaration, and bad bytes are seen', () => {
  expect(inside(decodeXmlBytes(bytes(xml('windows-1252'), [0x93]), 'utf-8'))).toBe('“');
  expect(decodeXmlBytes(bytes('<t>', [0x93], 'é'), 'utf-8')).toBe('<t>\uFFFDé');
  expect(inside(decodeXmlBytes(bytes(xml('utf-8'), [0x93])))).toBe('\uFFFD');
});

test.each(['utf-16le', 'utf-16be'])('XML in %s is known without a mark, whatever it says', (label) => {
  const units = [...xml('UTF-16'), 'é'].flatMap((character) => {
    const code = character.charCodeAt(0);
    return label === 'utf-16le' ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
  });
  expect(inside(decodeXmlBytes(Uint8Array.from(units)))).toBe('é');
});
