import { expect, test } from 'vitest';
import { hostNameOf, isForThisMachine, isOwnOrigin, ownHosts } from './own-hosts.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

test.each([
  ['127.0.0.1', LOOPBACK],
  ['localhost', LOOPBACK],
  ['::1', LOOPBACK],
  ['127.0.0.2', [...LOOPBACK, '127.0.0.2']],
  ['0.0.0.0', undefined],
  ['::', undefined],
  ['192.0.2.1', undefined],
  ['hub.example', undefined],
])('a hub that listens on %s answers to %j', (host, hosts) => {
  expect(ownHosts({ host })).toEqual(hosts);
});

test('the public address and other names are added, in lower case', () => {
  const settings = { host: '127.0.0.1', baseUrl: 'https://Hub.example:8443/x/', hosts: ['Feeds.example', 'localhost'] };
  expect(ownHosts(settings)).toEqual([...LOOPBACK, 'hub.example', 'feeds.example']);
});

test.each([
  ['Hub.example:8080', 'hub.example'],
  ['[::1]:80', '[::1]'],
  ['[::1]', '[::1]'],
  ['a.example:', 'a.example'],
])('%s names %s', (host, name) => {
  expect(hostNameOf(host)).toBe(name);
});

test.each([
  ['http://localhost:3000', true],
  ['https://127.0.0.1', true],
  ['http://[::1]:8080', true],
  ['https://hub.example', true],
  ['null', false],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://user@localhost', false],
  ['http://localhost/path', false],
  ['file://localhost', false],
  ['', false],
])('of a hub on loopback, scripts of %s may ask: %s', (origin, may) => {
  expect(isOwnOrigin(origin, { host: '127.0.0.1', baseUrl: 'https://hub.example/' })).toBe(may);
});

test('of a hub for more than this machine, only pages that its settings name', () => {
  const settings = { host: '0.0.0.0', baseUrl: 'https://hub.example/', hosts: ['other.example'] };
  expect(
    ['https://hub.example', 'https://other.example:8443', 'http://localhost'].map((origin) =>
      isOwnOrigin(origin, settings),
    ),
  ).toEqual([true, true, false]);
});

test.each([
  [{ host: '127.0.0.1' }, true],
  [{ host: 'localhost', baseUrl: 'http://localhost:8080/' }, true],
  [{ host: '0.0.0.0' }, false],
  [{ host: '127.0.0.1', baseUrl: 'https://hub.example/' }, false],
  [{ host: '127.0.0.1', hosts: ['hub.example'] }, false],
  [{ host: '127.0.0.1', trustProxies: ['10.0.0.0/8'] }, false],
])('%j is for this machine alone: %s', (settings, isAlone) => {
  expect(isForThisMachine({ trustProxies: [], ...settings })).toBe(isAlone);
});
