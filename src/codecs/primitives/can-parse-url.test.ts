import { expect, test } from 'vitest';
import { canParseUrl } from './can-parse-url.ts';

test('says the same however often it is asked', () => {
  for (const url of ['https://bücher.example/', 'https://x.example/ü', 'https://büche一.example/']) {
    let refused = 0;
    for (let asked = 0; asked < 20_000; asked += 1) if (!canParseUrl(url)) refused += 1;
    expect(refused, url).toBe(0);
  }
});

test.each(['', 'x', '/x', 'https://', 'http://[', '//x.example'])('%j is none', (text) => {
  expect(canParseUrl(text)).toBe(false);
});

test('a relative one needs a base', () => {
  expect(canParseUrl('/ü', 'https://x.example/')).toBe(true);
  expect(canParseUrl('/ü', new URL('https://x.example/'))).toBe(true);
  expect(canParseUrl('/ü', 'x')).toBe(false);
});
