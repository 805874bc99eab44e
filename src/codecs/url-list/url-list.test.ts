import { expect, test } from 'vitest';
import { decodeUrlList, encodeUrlList } from './url-list.ts';

test('one URL a line, with names, comments and any line end', () => {
  const text =
    '\uFEFF# vendors\r\nhttps://acme.example/#top\n\n  # more\r  HTTP://docs.example/ \t docs \nhttps://x.example/\t';
  expect(decodeUrlList(text)).toEqual({
    ok: true,
    value: [
      { line: 2, url: 'https://acme.example/#top' },
      { line: 5, url: 'HTTP://docs.example/', name: 'docs' },
      { line: 6, url: 'https://x.example/' },
    ],
  });
});

test.each([
  ['https://a.example/\nacme.example', /^Line 2: "acme\.example" is not/],
  ['ftp://a.example/', /^Line 1/],
  ['https://a.example/ docs', /^Line 1/],
  ['https://', /^Line 1/],
  ['https://a.example/\ta\tb', /^Line 1: there is more/],
  [`\n${'https://a.example/\n'.repeat(100_001)}`, /^Line 100002: there are more than 100000/],
])('%# is refused with its line', (text, message) => {
  expect(decodeUrlList(text)).toMatchObject({ ok: false, issues: [{ message: expect.stringMatching(message) }] });
});

test('what is written is read again', () => {
  const urls = [{ url: 'https://a.example/' }, { url: 'https://b.example/', name: 'b' }];
  expect(decodeUrlList(encodeUrlList(urls))).toMatchObject({ ok: true, value: urls });
});
