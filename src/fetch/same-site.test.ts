import { expect, test } from 'vitest';
import { isOnSite } from './same-site.ts';

test.each<[string, string, boolean]>([
  ['https://a.example.co.uk/', 'https://b.example.co.uk/x', true],
  ['https://example.com/', 'https://example.com.evil.example/', false],
  ['http://127.0.0.1/', 'http://localhost/', false],
  ['https://a.github.io/', 'https://b.github.io/', false],
  ['https://example.com/', 'http://example.com/', true],
  ['https://example.com/', 'https://example.com:8443/', false],
  ['https://example.com:8443/', 'https://docs.example.com:8443/', true],
  ['https://example.com:8443/', 'https://example.com/', true],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:22/', false],
  ['http://127.0.0.1:8000/', 'http://127.0.0.2:8000/', false],
  ['http://[::1]:8000/', 'http://[::1]:8000/x', true],
  ['https://example.com/', 'javascript:alert(1)', false],
  ['https://example.com/', 'nonsense', false],
])('for the site %s, %s is its own: %s', (site, address, isOwn) => {
  expect(isOnSite(address, [new URL(site)])).toBe(isOwn);
});

test('what the user gave counts as it is', () => {
  const sites = [new URL('https://example.com/'), new URL('https://example.com:8443/sync.xml')];
  expect(isOnSite('https://example.com:8443/list.xml', sites)).toBe(true);
  expect(isOnSite('https://example.com:9000/list.xml', sites)).toBe(false);
});
