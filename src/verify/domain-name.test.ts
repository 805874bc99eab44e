import { expect, test } from 'vitest';
import { domainName, registrableDomain } from './domain-name.ts';

test.each([
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  ['example.com.', 'example.com'],
  [' example.com ', 'example.com'],
  ['docs.api.example.co.uk', 'docs.api.example.co.uk'],
  ['a.github.io', 'a.github.io'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['example。com', 'example.com'],
  ['my_site.example.com', 'my_site.example.com'],
  ['example.test', 'example.test'],
  [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
])('%s is the domain %s', (text, domain) => {
  expect(domainName(text)).toBe(domain);
});

test.each([
  ...['', ' ', '.', '..', 'example..com', '.example.com', 'example.com..', '-a.com', 'a-.com', '*.example.com'],
  ...['https://example.com', 'example.com/', 'example.com/path', 'example.com:443', 'user@example.com', 'a?b.com'],
  ...['exam ple.com', 'exam\tple.com', 'example.com\nevil.com', 'ex%61mple.com', 'a\\b.com', 'a#b.com', 'xn--a.com'],
  ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '::1', '１２７.０.０.１', '8.8.8.8.'],
  ...['com', 'localhost', 'example', 'co.uk', 'github.io', 'blogspot.com', 'x.ck', 'xn--p1ai'],
  ...[`${'a'.repeat(64)}.com`, `${'a.'.repeat(117)}com`, '__proto__', '_aiwebindex-verify.example.com', 'a\u0000b.com'],
])('%j is refused', (text) => {
  expect(() => domainName(text)).toThrow(expect.objectContaining({ name: 'DomainRefusedError' }));
});

test('the refusal of what was pasted from the instructions names the domain', () => {
  expect(() => domainName('_aiwebindex-verify.docs.example.com')).toThrow(/Give the domain: docs\.example\.com$/);
});

test.each([
  ['www.example.com', 'example.com'],
  ['WWW.EXAMPLE.COM.', 'example.com'],
  ['a.b.co.uk', 'b.co.uk'],
  ['x.a.github.io', 'a.github.io'],
  ['github.io', undefined],
  ['127.0.0.1', undefined],
  ['[::1]', undefined],
  ['localhost', undefined],
])('%s belongs to %s', (hostname, owner) => {
  expect(registrableDomain(hostname)).toBe(owner);
});
