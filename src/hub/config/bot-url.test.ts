import { expect, test } from 'vitest';
import { isPrivateName } from '../../io/dns/private-host.ts';
import { withBotUrl } from './bot-url.ts';
import { decodeHubConfig } from './decode-config.ts';

const botUrlOf = (settings: object) =>
  withBotUrl(decodeHubConfig(settings, { base: '/srv/hub' }), isPrivateName).botUrl;

test('the page of the hub itself is named where everybody can reach it', () => {
  expect(botUrlOf({ baseUrl: 'https://hub.tidings.dev/' })).toBe('https://hub.tidings.dev/bot');
  expect(botUrlOf({ baseUrl: 'https://tidings.dev/hub/' })).toBe('https://tidings.dev/hub/bot');
  expect(botUrlOf({ baseUrl: 'http://8.8.8.8/' })).toBe('http://8.8.8.8/bot');
});

test('one that is given counts more', () => {
  expect(botUrlOf({ baseUrl: 'https://tidings.dev/', botUrl: 'https://who.tidings.dev/' })).toBe(
    'https://who.tidings.dev/',
  );
});

test.each([
  'http://localhost:8080/',
  'http://127.0.0.1:8080/',
  'http://10.1.2.3/',
  'http://[::1]:8080/',
  'http://hub/',
  'https://hub.example/',
  'https://hub.example.com/',
  'https://hub.test/',
  'https://hub.internal/',
  'https://tidings.dev/(hub)/',
])('a page at %s is none: few or nobody can reach it, or it cannot stand in the header', (baseUrl) => {
  expect(botUrlOf({ baseUrl })).toBeUndefined();
});

test('whom owners write to is a mail address or a page', () => {
  const contactOf = (contact: unknown) => decodeHubConfig({ contact }, { base: '/srv/hub' }).contact;
  expect(contactOf('crawler@tidings.dev')).toBe('crawler@tidings.dev');
  expect(contactOf('https://tidings.dev/contact')).toBe('https://tidings.dev/contact');
  for (const wrong of ['', 'me', 'javascript:alert(1)', 'a@b@c.dev', 'a b@c.dev', 'mailto:a@b.dev', 7]) {
    expect(() => contactOf(wrong), String(wrong)).toThrow(/mail address/);
  }
});
