import { expect, test } from 'vitest';
import { pageUrl, siteAddress } from './site-address.ts';

test.each([
  ['https://docs.example', 'https://docs.example/'],
  ['https://docs.example/guide', 'https://docs.example/guide/'],
  ['https://DOCS.example:443/', 'https://docs.example/'],
  ['https://docs.example//a//b', 'https://docs.example/a/b/'],
  ['https://acme.netlify.app/', 'https://acme.netlify.app/'],
  ['https://acme.pages.dev/', 'https://acme.pages.dev/'],
])('%s is the base %s', (given, base) => {
  expect(siteAddress(given).href).toBe(base);
});

test.each([
  'docs.example',
  'ftp://docs.example/',
  'https://docs.example/?x=1',
  'https://docs.example/?',
  'https://docs.example/#top',
  'https://user:secret@docs.example/',
  'http://docs.example/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://deploy-preview-7--acme.netlify.app/',
  'https://3f9a1c2d.acme.pages.dev/',
  'https://acme-git-fix-team.vercel.app/',
  'https://preview.docs.example/',
])('%s is refused', (given) => {
  expect(() => siteAddress(given)).toThrow(expect.objectContaining({ name: 'SiteRefusedError' }));
});

test('force opens plain http and preview hosts, but no query', () => {
  expect(siteAddress('http://127.0.0.1:8080', { force: true }).href).toBe('http://127.0.0.1:8080/');
  expect(() => siteAddress('http://127.0.0.1:8080/?x', { force: true })).toThrow(
    expect.objectContaining({ name: 'SiteRefusedError' }),
  );
});

test.each([
  ['index.html', 'https://docs.example/d/'],
  ['x/index.html', 'https://docs.example/d/x/'],
  ['x/about.html', 'https://docs.example/d/x/about.html'],
  ['my-index.html', 'https://docs.example/d/my-index.html'],
  ['a b/ü.html', 'https://docs.example/d/a%20b/%C3%BC.html'],
  ['c++.html', 'https://docs.example/d/c++.html'],
  ['100%?#.html', 'https://docs.example/d/100%25%3F%23.html'],
  ['a$&+,;=:@b.html', 'https://docs.example/d/a$&+,;=:@b.html'],
  ['[slug]|a^b.html', 'https://docs.example/d/%5Bslug%5D%7Ca%5Eb.html'],
  ['new\nline\t.html', 'https://docs.example/d/new%0Aline%09.html'],
  ['"<>`{}\\.html', 'https://docs.example/d/%22%3C%3E%60%7B%7D%5C.html'],
])('the file %s is served at %s', (path, url) => {
  expect(pageUrl(new URL('https://docs.example/d/'), path)).toBe(url);
});

test('clean URLs drop the extension', () => {
  expect(pageUrl(new URL('https://docs.example/'), 'x/about.html', { cleanUrls: true })).toBe(
    'https://docs.example/x/about',
  );
  expect(pageUrl(new URL('https://docs.example/'), 'x/index.html', { cleanUrls: true })).toBe(
    'https://docs.example/x/',
  );
});

test.each([
  ['index.html', 'https://docs.example/x/'],
  ['guide/index.html', 'https://docs.example/x/guide'],
  ['a/b/INDEX.HTM', 'https://docs.example/x/a/b'],
  ['pricing.html', 'https://docs.example/x/pricing.html'],
])('without a trailing slash %s is served at %s', (path, expected) => {
  expect(pageUrl(new URL('https://docs.example/x/'), path, { trailingSlash: false })).toBe(expected);
});
