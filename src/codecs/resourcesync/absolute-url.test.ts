import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canParseUrl } from '../primitives/can-parse-url.ts';
import { isAbsoluteUrl, isHttpUrl } from './absolute-url.ts';

test('says the same as the platform', () => {
  const part = (unit: string, maxLength: number) => fc.string({ unit: fc.constantFrom(...unit), maxLength });
  const host = fc.array(part('ab19-x', 5), { minLength: 1, maxLength: 4 }).map((names) => names.join('.'));
  const path = part('/?#%@:[]\\^|`{}<>"\'azAZ09 .&=;!$()*+,~_-', 12);
  let count = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https'),
      host,
      fc.constantFrom('', '/', ':80', ':99999/'),
      path,
      (scheme, name, after, rest) => {
        const url = `${scheme}://${name}${after}${rest}`;
        expect(isAbsoluteUrl(url)).toBe(canParseUrl(url));
        if (isHttpUrl(url)) count += 1;
      },
    ),
    { numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(200);
});

test.each(['https://xn--a.example/', 'https://1.2.3.999/', 'https://a.b.0x/', 'https://', '/a', 'a.example', ''])(
  '"%s" is none',
  (text) => {
    expect(isAbsoluteUrl(text)).toBe(canParseUrl(text));
    expect(isHttpUrl(text)).toBe(canParseUrl(text));
  },
);

test.each([
  'https://bücher.example/ü',
  'HTTP://EXAMPLE.com',
  'http://localhost:8080/',
  'http://[::1]/',
  'https://192.0.2.1/',
])('"%s" is one', (text) => {
  expect(isHttpUrl(text)).toBe(true);
});

test('an address of another scheme is not of the web', () => {
  expect(isAbsoluteUrl('urn:a:b')).toBe(true);
  expect(isHttpUrl('urn:a:b')).toBe(false);
  expect(isHttpUrl('javascript:alert(1)')).toBe(false);
});
